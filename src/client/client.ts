/** The client: one pipeline behind a method for every endpoint. */

import type { Endpoint, ParameterValues } from "../catalogue/index.ts";
import type { BatchItem, ManyOptions } from "./batch/batch.ts";
import { createCall, type ReadOptions } from "./call.ts";
import { buildFacade, type Facade } from "./facade.ts";
import type { Answer } from "./http/decode.ts";
import { type ClientOptions, resolveOptions } from "./options.ts";
import type { Page, PageSendOptions } from "./paging/page.ts";
import type { SendOptions } from "./pipeline.ts";
import type { RateLimiter } from "./rate-limit/limiter.ts";
import { createRequestPreparer, type PreparedRequest, prepare } from "./request/prepare.ts";
import { type RawOptions, rawRequest } from "./request/raw-request.ts";
import { requestUrl } from "./request/url.ts";
import { createSender } from "./sender.ts";

/** What a client does for endpoints that are only known when it runs. */
export interface ClientCore {
  /**
   * Checks what is given for an endpoint, without sending it.
   * @throws UsageError in the words of specification §8
   */
  prepare(endpoint: Endpoint, params?: ParameterValues): PreparedRequest;
  /** Checks and sends. */
  fetch(endpoint: Endpoint, params?: ParameterValues, options?: SendOptions): Promise<Answer>;
  /** Sends a request to any path (checked only for where it leads), or one that was prepared. */
  request(request: string | PreparedRequest, options?: SendOptions & Omit<RawOptions, "baseUrls">): Promise<Answer>;
  /** Reads a list: the page that the parameters name, or `limit` rows, or `all`. */
  pages(endpoint: Endpoint, params?: ParameterValues, options?: SendOptions & ReadOptions): AsyncGenerator<Page, void>;
  /** Asks for many identifiers, read as there is room for them, in the background; the items are in their order. */
  many(
    endpoint: Endpoint,
    identifiers: Iterable<string> | AsyncIterable<string>,
    params?: ParameterValues,
    options?: SendOptions & ManyOptions,
  ): AsyncGenerator<BatchItem, void>;
  /** The budget as it is used; undefined before the first request. */
  budget(): RateLimiter | undefined;
  /** The address that a request goes to. */
  url(request: PreparedRequest): URL;
  /** Ends connections and waits; what is under way fails with an InterruptedError. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** A client of the API: a method for every endpoint, and {@link ClientCore}. */
export type Client = Facade & ClientCore;

/**
 * Makes a client. It connects when it first sends; close it when it is no longer needed.
 * @throws UsageError when an option cannot be used
 */
export function createClient(options: ClientOptions = {}): Client {
  const settings = resolveOptions(options);
  const { now, onEvent, baseUrls } = settings;
  const sender = createSender(settings);
  const { send } = sender;
  const reportNotes = (request: PreparedRequest) => {
    for (const text of request.notes) onEvent({ type: "note", text });
    return request;
  };

  const core: ClientCore = {
    prepare: (endpoint, params = {}) => prepare(endpoint, params, { now }),
    fetch: async (endpoint, params = {}, sending = {}) => send(reportNotes(core.prepare(endpoint, params)), sending),
    request: async (request, { family, query, ...sending } = {}) => {
      if (typeof request !== "string") return send(reportNotes(request), sending);
      return send(rawRequest(request, { baseUrls, ...(family && { family }), ...(query && { query }) }), sending);
    },
    async *pages(endpoint, params = {}, options = {}) {
      if (endpoint.returns.shape === "csv") {
        const { isLongExport, readExport } = await import("./export/read-export.ts");
        const call = { endpoint, params, settings, send, pages: core.pages };
        if (isLongExport(endpoint, options)) return yield* readExport(call, options);
      }
      const { limit, all, resume, ahead, via, onEstimate, ...sending } = options;
      const { readPages: pages, startTimeOf: startOf } = await import("./paging/read-pages.ts");
      const start = startOf(resume) ?? now();
      const prepared = createRequestPreparer(endpoint, { now: () => start });
      let first = true;
      const fetch = async (given: ParameterValues, { signal, priority }: PageSendOptions) => {
        const request = prepared(given);
        if (first) reportNotes(request);
        first = false;
        return send(request, { priority, ...sending, signal });
      };
      yield* pages({ endpoint, params, fetch, now: start, signal: sending.signal }, { limit, all, resume, ahead });
    },
    async *many(endpoint, identifiers, params = {}, { unordered, failFast, ...sending } = {}) {
      const { readBatch: many } = await import("./batch/batch.ts");
      const start = now();
      const fetch = async (asked: Endpoint, given: ParameterValues, signal: AbortSignal) =>
        send(reportNotes(prepare(asked, given, { now: () => start })), { priority: "background", ...sending, signal });
      const note = (text: string) => onEvent({ type: "warning", text });
      const source = { endpoint, params, fetch, now: start, signal: sending.signal, onNote: note };
      yield* many(source, identifiers, { unordered, failFast });
    },
    budget: () => sender.pipeline()?.limiter,
    url: (request) => requestUrl(request, baseUrls),
    close: () => sender.close(),
    [Symbol.asyncDispose]: () => core.close(),
  };

  const facade = buildFacade((endpoint, params, sending) =>
    createCall({
      send: () => core.fetch(endpoint, params, sending),
      pages: (reading) => core.pages(endpoint, params, { ...sending, ...reading }),
    }),
  );
  return Object.assign(facade, core);
}
