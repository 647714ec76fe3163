/** The client: one pipeline, with a method for every endpoint. */

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

/** Methods for endpoints that are only known at run time. */
export interface ClientCore {
  /**
   * Checks the parameters of an endpoint, without sending a request.
   * @throws UsageError with the API's message
   */
  prepare(endpoint: Endpoint, params?: ParameterValues): PreparedRequest;
  /** Checks and sends a request. */
  fetch(endpoint: Endpoint, params?: ParameterValues, options?: SendOptions): Promise<Answer>;
  /** Sends a request to any path, which is checked only for where it leads, or a prepared request. */
  request(request: string | PreparedRequest, options?: SendOptions & Omit<RawOptions, "baseUrls">): Promise<Answer>;
  /** Reads a list: the page that the parameters name, or `limit` rows, or `all`. */
  pages(endpoint: Endpoint, params?: ParameterValues, options?: SendOptions & ReadOptions): AsyncGenerator<Page, void>;
  /** Requests many identifiers in the background. The input is read as needed; items are in its order. */
  many(
    endpoint: Endpoint,
    identifiers: Iterable<string> | AsyncIterable<string>,
    params?: ParameterValues,
    options?: SendOptions & ManyOptions,
  ): AsyncGenerator<BatchItem, void>;
  /** Returns the rate limiter; undefined before the first request. */
  budget(): RateLimiter | undefined;
  /** Returns the URL of a request. */
  url(request: PreparedRequest): URL;
  /** Closes connections and ends waits; requests in flight fail with an InterruptedError. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** A client of the API: a method for every endpoint, and {@link ClientCore}. */
export type Client = Facade & ClientCore;

/**
 * Creates a client. It connects when it first sends, and should be closed when it is no longer needed.
 * @throws UsageError for an invalid option
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
