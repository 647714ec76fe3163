/** The client: asks a source, with a method for every endpoint. */

import type { Json } from "../base/index.ts";
import {
  allEndpoints,
  type Coverage,
  type Endpoint,
  type JsonWith,
  type ParameterValues,
  returnsList,
} from "../catalogue/index.ts";
import { type Answer, formatSkew, measureSkew, SKEW_SECONDS, serverTime } from "./answer/answer.ts";
import type { BatchItem, ManyOptions } from "./batch/batch.ts";
import { type ClientSettings, type CoreOptions, resolveOptions } from "./options.ts";
import type { Page, PageSendOptions, ReadOptions } from "./paging/page.ts";
import { createRequestPreparer, type PreparedRequest, prepare, windowStart } from "./request/prepare.ts";
import { type RawOptions, rawRequest, requestUrl } from "./request/url.ts";
import { formatIso } from "./request/wire-values.ts";
import { createSender, withCost } from "./sender.ts";
import type { RateLimiter, Send, SendOptions, Source } from "./source.ts";

/** Methods for endpoints that are only known at run time. */
export interface ClientCore<Value = Json> {
  /**
   * Checks the parameters of an endpoint, without sending a request.
   * @throws UsageError with the API's message
   */
  prepare(endpoint: Endpoint, params?: ParameterValues): PreparedRequest;
  /** Checks and sends a request. */
  fetch(endpoint: Endpoint, params?: ParameterValues, options?: SendOptions): Promise<Answer<Value>>;
  /** Sends a request to any path, which is checked only for where it leads, or a prepared request. */
  request(
    request: string | PreparedRequest,
    options?: SendOptions & Omit<RawOptions, "baseUrls">,
  ): Promise<Answer<Value>>;
  /** Reads a list: the page that the parameters name, or `limit` rows, or `all`. */
  pages(
    endpoint: Endpoint,
    params?: ParameterValues,
    options?: SendOptions & ReadOptions,
  ): AsyncGenerator<Page<Value, Value>, void>;
  /** Requests many identifiers in the background. The input is read as needed; items are in its order. */
  many(
    endpoint: Endpoint,
    identifiers: Iterable<string> | AsyncIterable<string>,
    params?: ParameterValues,
    options?: SendOptions & ManyOptions,
  ): AsyncGenerator<BatchItem<Value>, void>;
  /** Returns the rate limiter; undefined before the first request. */
  rateLimiter(): RateLimiter | undefined;
  /** Returns the URL of a request. */
  url(request: PreparedRequest): URL;
  /** Closes connections and ends waits; requests in flight fail with an InterruptedError. */
  close(): Promise<void>;
  /** Closes the client, at the end of `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Creates the part of a client that sends.
 * @throws UsageError for an invalid option
 */
export function createCore(source: Source, options: CoreOptions = {}): ClientCore {
  const settings = resolveOptions(options);
  const { now } = settings;
  const { baseUrls } = source.facts;
  const sender = createSender(source, settings);
  const report = createCoverageReport(settings);
  const send = reportingFuture(settings, sender.send);
  const context: CoreContext = {
    settings,
    source,
    report,
    send,
    requireOpen: sender.requireOpen,
    sendForList: reportingSkew(settings, send),
    reportNotes(request) {
      for (const text of request.notes) settings.onEvent({ type: "note", text });
      return request;
    },
  };

  const core: ClientCore = {
    prepare: (endpoint, params = {}) => withCost(prepare(endpoint, params, { now }), source),
    fetch: async (endpoint, params = {}, sending = {}) =>
      report(await send(context.reportNotes(core.prepare(endpoint, params)), sending)),
    request: async (request, { family, query, ...sending } = {}) => {
      if (typeof request !== "string") return report(await send(context.reportNotes(request), sending));
      const raw = rawRequest(request, { baseUrls, ...(family && { family }), ...(query && { query }) });
      return report(await send(raw, sending));
    },
    pages: (endpoint, params = {}, options = {}) => readList(context, endpoint, params, options),
    many: (endpoint, identifiers, params = {}, options = {}) =>
      readMany(context, { endpoint, params }, identifiers, options),
    rateLimiter: () => source.limiter(),
    url: (request) => requestUrl(request, baseUrls),
    close: () => sender.close(),
    [Symbol.asyncDispose]: () => core.close(),
  };
  return core;
}

interface CoreContext {
  readonly settings: ClientSettings;
  readonly source: Source;
  /** Reports what an answer does not cover; returns the answer. */
  readonly report: (answer: Answer) => Answer;
  readonly send: Send;
  /** Sends a request of a list whose end depends on the clock; a difference between the clocks is reported. */
  readonly sendForList: Send;
  /** @throws UsageError after the client was closed */
  readonly requireOpen: () => void;
  readonly reportNotes: (request: PreparedRequest) => PreparedRequest;
}

const createCoverageReport =
  ({ onEvent }: ClientSettings) =>
  (answer: Answer): Answer => {
    const { incomplete: text, firstSlot = null } = answer.coverage ?? {};
    if (text !== undefined) onEvent({ type: "coverage", firstSlot, text });
    return answer;
  };

/** Returns a sender that reports, once, that an answer is empty because its time range starts in the future. */
function reportingFuture({ now, onEvent }: ClientSettings, send: Send): Send {
  let isReported = false;
  return async (request, options) => {
    const answer = await send(request, options);
    const start = isReported || answer.rows?.length !== 0 ? undefined : windowStart(request);
    if (start === undefined) return answer;
    const present = answer.age === undefined ? serverTime(answer.headers) : undefined;
    isReported = start > (present ?? now());
    if (isReported) {
      const text = `No rows: the time range starts in the future, at ${formatIso(start / 1000)}.`;
      onEvent({ type: "warning", text });
    }
    return answer;
  };
}

/** Returns a sender that reports, once, that the local clock and that of the server differ. */
function reportingSkew({ now, onEvent }: ClientSettings, send: Send): Send {
  let isReported = false;
  let measured: string | undefined;
  return async (request, options) => {
    const sent = now();
    const answer = await send(request, options);
    // Many answers have the same second.
    if (isReported || answer.age !== undefined || answer.headers.date === measured) return answer;
    measured = answer.headers.date;
    const skew = measureSkew({ headers: answer.headers, sent, received: now() }) ?? 0;
    isReported = Math.abs(skew) > SKEW_SECONDS.tolerable;
    if (isReported) {
      const text = `The clock of this machine is ${formatSkew(skew)} the server. Relative times such as 7d count from it; lists end at the time of the server.`;
      onEvent({ type: "warning", text });
    }
    return answer;
  };
}

async function* readList(
  context: CoreContext,
  endpoint: Endpoint,
  requested: ParameterValues,
  { skip: before, ...rest }: SendOptions & ReadOptions,
): AsyncGenerator<Page, void> {
  if (!returnsList(endpoint)) return yield* readOne(context, endpoint, requested, rest);
  const { startAtRow, skipRows } = await import("./paging/skip.ts");
  const { params, options, skip } = startAtRow(endpoint, requested, { ...rest, skip: before });
  const pages = readFromStart(context, endpoint, params, options);
  yield* skip === 0 ? pages : skipRows(pages, endpoint, { skip, resume: options.resume });
}

/** Returns the pages of a source that walks for its answer, after it reported the notes of the request. */
function startWalk(
  context: CoreContext,
  endpoint: Endpoint,
  params: ParameterValues,
  options: SendOptions & ReadOptions,
): AsyncGenerator<Page, void> | undefined {
  const { settings, source } = context;
  if (!source.pages) return undefined;
  context.requireOpen();
  const request = withCost(prepare(endpoint, params, { now: settings.now }), source);
  const pages = source.pages(request, options);
  if (pages) context.reportNotes(request);
  return pages && reportPages(context, pages);
}

/** Reads what is no list, as a page without rows. There is nothing to resume. */
async function* readOne(
  context: CoreContext,
  endpoint: Endpoint,
  params: ParameterValues,
  options: SendOptions & ReadOptions,
): AsyncGenerator<Page, void> {
  const walk = startWalk(context, endpoint, params, options);
  if (walk) return yield* walk;
  const { limit: _, all, resume, ahead, via, onEstimate, ...sending } = options;
  if (resume !== undefined) return;
  const request = context.reportNotes(prepare(endpoint, params, { now: context.settings.now }));
  const answer = context.report(await context.send(request, { priority: "interactive", ...sending }));
  const page = { rows: [], hasMore: false, isCut: false, dropped: 0, next: undefined };
  yield { ...page, answer, state: () => ({ kind: "one" }) };
}

/** States what the answer to a request for many identifiers lacks. Look-ups, where nothing is an answer, do not ask. */
async function checkAnswer(answer: Answer): Promise<Answer> {
  return answer.request.endpoint?.isMulti ? (await import("./batch/items.ts")).checkItems(answer) : answer;
}

/** Reads a list whose parameters name its start. */
async function* readFromStart(
  context: CoreContext,
  endpoint: Endpoint,
  params: ParameterValues,
  options: SendOptions & ReadOptions,
): AsyncGenerator<Page, void> {
  const { settings, source, reportNotes } = context;
  const send = options.all || options.limit !== undefined ? context.sendForList : context.send;
  const walk = startWalk(context, endpoint, params, options);
  if (walk) return yield* walk;
  if (endpoint.returns.shape === "csv") {
    const { isLongExport, readExport } = await import("./export/read-export.ts");
    const pages: ClientCore["pages"] = (paged, pagedParams = {}, pagedOptions = {}) =>
      readList(context, paged, pagedParams, pagedOptions);
    const call = { endpoint, params, settings, rate: source.facts.rate, send, pages };
    if (isLongExport(endpoint, options)) return yield* reportPages(context, readExport(call, options));
  }
  const { limit, skip, all, resume, ahead, via, onEstimate, ...sending } = options;
  const [{ readPages, startTimeOf }, { limitCoverage }] = await Promise.all([
    import("./paging/read-pages.ts"),
    import("./paging/time-windows.ts"),
  ]);
  const start = startTimeOf(resume) ?? settings.now();
  const prepareNext = createRequestPreparer(endpoint, { now: () => start });
  let isFirst = true;
  const fetch = async (pageParams: ParameterValues, { signal, priority }: PageSendOptions) => {
    const request = prepareNext(pageParams);
    if (isFirst) reportNotes(request);
    isFirst = false;
    return checkAnswer(await send(request, { priority, ...sending, signal }));
  };
  const list = { endpoint, params, fetch, now: start, signal: sending.signal };
  yield* reportPages(context, readPages(list, { limit, skip, all, resume, ahead }), limitCoverage);
}

/** Passes pages on, and reports what they do not cover. @param limit called with pages of which a limit left out rows */
async function* reportPages(
  { report }: CoreContext,
  pages: AsyncGenerator<Page, void>,
  limit?: (page: Page) => void,
): AsyncGenerator<Page, void> {
  let rollbacks: number | undefined;
  for await (const page of pages) {
    const { coverage } = page.answer;
    if (page.isCut) limit?.(page);
    if (coverage && rollbacks !== undefined && rollbacks !== (coverage.rollbacks ?? 0)) markRolledBack(page, coverage);
    rollbacks ??= coverage && (coverage.rollbacks ?? 0);
    report(page.answer);
    yield page;
  }
}

/** States that the pages of a list are not of one chain. */
function markRolledBack({ answer }: Page, { completeSince: _, ...coverage }: Coverage): void {
  const text = "Blocks were rolled back while the list was read: rows may be missing, there twice, or of these blocks.";
  const incomplete = [text, coverage.incomplete].filter(Boolean).join(" ");
  Object.assign(answer, { coverage: { ...coverage, incomplete } } satisfies { coverage: Coverage });
}

async function* readMany(
  { settings, send, report, reportNotes }: CoreContext,
  { endpoint, params }: { readonly endpoint: Endpoint; readonly params: ParameterValues },
  identifiers: Iterable<string> | AsyncIterable<string>,
  { unordered, failFast, ...sending }: SendOptions & ManyOptions,
): AsyncGenerator<BatchItem, void> {
  const { readBatch } = await import("./batch/batch.ts");
  const start = settings.now();
  const fetch = async (target: Endpoint, targetParams: ParameterValues, signal: AbortSignal) => {
    const request = reportNotes(prepare(target, targetParams, { now: () => start }));
    return report(await send(request, { priority: "background", ...sending, signal }));
  };
  const onNote = (text: string) => settings.onEvent({ type: "warning", text });
  const source = { endpoint, params, fetch, now: start, signal: sending.signal, onNote };
  yield* readBatch(source, identifiers, { unordered, failFast });
}

/** A call of an endpoint: awaited for its data. Nothing is sent until then. */
export interface Call<Data, Large = bigint> extends PromiseLike<Data> {
  /** Returns the whole answer: status, headers, body, envelope. Awaiting the call later does not send it again. */
  answer(): Promise<Answer<JsonWith<Large>>>;
  /** Handles a failure, as of a promise. */
  catch<T = never>(onRejected?: ((reason: unknown) => T | PromiseLike<T>) | null): Promise<Data | T>;
  /** Calls a function in the end, as of a promise. */
  finally(onFinally?: (() => void) | null): Promise<Data>;
}

/**
 * A call of an endpoint with a list: awaited for the data of one page, or iterated over all rows.
 *
 *     const transfers = await client.account.transfer({ address });
 *     for await (const row of client.account.transfer({ address })) …
 *     const latest = await client.account.transfer({ address }).all({ limit: 500 });
 */
export interface ListCall<Row, Large = bigint, Data = Row[]> extends Call<Data, Large>, AsyncIterable<Row, void> {
  /** Returns the rows of the list: all of them, or `limit`. */
  rows(options?: ReadOptions): AsyncGenerator<Row, void>;
  /** Returns the pages of the list: all of them, or as many as hold `limit` rows. */
  pages(options?: ReadOptions): AsyncGenerator<Page<Row, JsonWith<Large>>, void>;
  /** Returns the rows of the list in one array: all of them, or `limit`. */
  all(options?: ReadOptions): Promise<Row[]>;
  /** Returns the first row, with one request; undefined for an empty list. */
  first(options?: ReadOptions): Promise<Row | undefined>;
}

interface CallSource {
  readonly send: () => Promise<Answer>;
  readonly pages: (options: ReadOptions) => AsyncGenerator<Page, void>;
}

/** Creates a call. The catalogue determines the type of its data, and whether it is a list. */
function createCall({ send, pages }: CallSource, isList: boolean): Call<Json> | ListCall<Json> {
  let sent: Promise<Answer> | undefined;
  const answer = () => {
    sent ??= send();
    return sent;
  };
  const data = async () => (await answer()).data;
  const call: Call<Json> = {
    answer: answer as Call<Json>["answer"],
    // biome-ignore lint/suspicious/noThenProperty: a call is awaited for its data.
    then: (onFulfilled, onRejected) => data().then(onFulfilled, onRejected),
    catch: (onRejected) => data().catch(onRejected),
    finally: (onFinally) => data().finally(onFinally),
  };
  if (!isList) return call;
  const read = (options: ReadOptions = {}) => pages({ ...options, all: options.all ?? options.limit === undefined });
  async function* rows(options?: ReadOptions) {
    for await (const page of read(options)) yield* page.rows;
  }
  const list: Omit<ListCall<Json>, keyof Call<Json>> = {
    rows,
    pages: read as ListCall<Json>["pages"],
    async all(options) {
      const found: Json[] = [];
      for await (const row of rows(options)) found.push(row);
      return found;
    },
    first: async (options) => (await rows({ ahead: false, ...options, limit: 1 }).next()).value ?? undefined,
    [Symbol.asyncIterator]: () => rows(),
  };
  return Object.assign(call, list);
}

/** Methods by their names, and groups of them: `account.transfer`, `legacy.block.detail`, `chaininfo`. */
export interface Methods {
  [name: string]: Methods | ((...args: never[]) => unknown);
}

/** Creates the methods for endpoints over those that send. */
export function createMethods(core: ClientCore): Methods {
  const methods: Methods = { legacy: {} };
  for (const endpoint of allEndpoints) {
    const family = endpoint.family === "legacy" ? (methods.legacy as Methods) : methods;
    if (endpoint.group !== "") family[endpoint.group] ??= {};
    const group = endpoint.group === "" ? family : (family[endpoint.group] as Methods);
    group[endpoint.call] = createMethod(core, endpoint);
  }
  return methods;
}

/** Creates the method of an endpoint: without parameters, the options come first. */
function createMethod(core: ClientCore, endpoint: Endpoint) {
  const call = (params: ParameterValues, sending: SendOptions = {}) =>
    createCall(
      {
        send: async () => checkAnswer(await core.fetch(endpoint, params, sending)),
        pages: (reading) => core.pages(endpoint, params, { ...sending, ...reading }),
      },
      returnsList(endpoint),
    );
  if (Object.keys(endpoint.query).length === 0) return (sending?: SendOptions) => call({}, sending);
  return (params: ParameterValues = {}, sending?: SendOptions) => call(params, sending);
}
