/**
 * The API, independent of the transport. A request is resolved by the catalogue, authenticated by its key, checked
 * against the plan and the catalogue's validation rules, and answered by a query over the ledger.
 *
 * - Unknown paths are 404 and methods other than GET and HEAD are 405, both in the envelope.
 * - A missing key is 401 without an envelope, a foreign one 401 in the envelope; {@link keyErrorAnswer} has the
 * exceptions. Additional hints are in the header `x-solx-hint`.
 * - Too many requests and spent compute units are both 429 (403 for chain info) with different messages.
 * - Units are charged for answers with status 200.
 */

import { errorMessage, type JsonObject, nearestName, SolxError, sleep } from "../../base/index.ts";
import {
  type Endpoint,
  endpoints,
  FAMILY_PATHS,
  isUnknownToIndex,
  KEY_HEADER,
  loadEntityShape,
  QueryParams,
  REFUSALS,
  refusalBy,
  STATUSES,
  UNKNOWN_SHAPE,
  VALIDATION_CODE,
} from "../../catalogue/index.ts";
import {
  answerQuery,
  coverageHeaders,
  findQuery,
  type LedgerReader,
  type Query,
  type RemoteLedger,
  UnknownFactError,
} from "../../chain/ledger/index.ts";
import { errorAnswer, errorMessageOf, hintHeaders, jsonAnswer, PREFLIGHT, resultAnswer } from "./answer.ts";
import { AnswerCache } from "./answer-cache.ts";
import { applyEffect, deliverInProcess, type FaultyAnswer, type SentAnswer } from "./effects.ts";
import type { Faults } from "./faults.ts";
import { type Limits, rateLimitStatus, requestUnits, restoreLimits } from "./limits.ts";
import {
  headerValue,
  maskKeys,
  type RequestEntry,
  RequestLog,
  type RequestTarget,
  resolveTarget,
  type ServiceAnswer,
  type ServiceRequest,
  valuesOf,
} from "./request.ts";
import type { ShapeName } from "./shape-names.ts";
import { shapeBody } from "./shapes.ts";
import { monthStart, type UsageStore } from "./usage.ts";

/** The parts and settings of a service. */
export interface ServiceOptions {
  readonly reader: LedgerReader;
  readonly key: string;
  readonly limits: Limits;
  readonly usage: UsageStore;
  readonly faults: Faults;
  /** Forms of answers that other servers have. */
  readonly shapes?: readonly ShapeName[] | undefined;
  /** The time in milliseconds since the epoch, for limits and usage. */
  readonly now: () => number;
  /** The time in milliseconds since the epoch for dates in answers, which may be fixed; `now` by default. */
  readonly today?: (() => number) | undefined;
  readonly onRequest?: ((entry: RequestEntry) => void) | undefined;
  /** Called before each answer: brings the ledger up to date. */
  readonly beforeAnswer?: (() => Promise<void>) | undefined;
  /** Runs a query of a ledger that is read over the network, possibly several times. */
  readonly ask?: RemoteLedger["ask"] | undefined;
  /** Finds the query of a route; by default among the sandbox's queries. */
  readonly findQuery?: ((route: string) => Query | Promise<Query | undefined> | undefined) | undefined;
}

/** Answers requests over HTTP and in process. */
export interface HttpService<Answer extends SentAnswer = SentAnswer> {
  readonly log: RequestLog;
  readonly faults: Faults;
  readonly usage: UsageStore;
  /** Whether it reads the bodies of POST requests. */
  readonly readsBodies?: boolean;
  /** Returns the answer and what happens to the connection, after the latency of faults. */
  answer(request: ServiceRequest): Promise<Answer>;
  /** Returns the answer in process. Throws what a client would report for a fault of the connection. */
  handle(request: ServiceRequest): Promise<Answer["answer"]>;
}

/** Answers requests from a ledger. */
export type Service = HttpService<FaultyAnswer>;

/** What answers a request: the options, and what was answered before. */
interface ServiceContext {
  readonly options: ServiceOptions;
  readonly answers: AnswerCache;
}

interface RequestOutcome {
  readonly answer: ServiceAnswer;
  readonly units?: number;
  readonly note?: string;
  /** Whether the request had the key, so that it counts towards its usage. */
  readonly isMetered?: boolean;
  readonly isExport?: boolean;
}

/** Creates a service. */
export function createService(options: ServiceOptions): Service {
  const { faults, usage, limits, now } = options;
  const log = new RequestLog();
  const context = { options, answers: new AnswerCache() };
  restoreLimits(limits, usage, now());

  const answer = async (request: ServiceRequest): Promise<FaultyAnswer> => {
    const began = performance.now();
    await options.beforeAnswer?.();
    const target = resolveTarget(request.url);
    const fault =
      target.endpoint && isRead(request.method)
        ? faults.next(target.endpoint, `${target.path}?${target.search}`, target.client)
        : undefined;
    const outcome = await processRequest(context, request, target);
    const time = today(options);
    const effect = fault?.effect ? applyEffect(outcome.answer, fault.effect, time) : { answer: outcome.answer };
    const result = { ...effect, answer: withDate(effect.answer, time) };
    // A fault that replaces the answer costs no units.
    const units = result.answer.status === outcome.answer.status ? (outcome.units ?? 0) : 0;
    if (target.endpoint && outcome.isMetered) {
      const { status } = result.answer;
      const isExport = outcome.isExport === true;
      usage.add({ time: now(), route: target.endpoint.route, status, units, exported: isExport });
    }
    const entry = log.record(request, target, {
      time: now(),
      status: result.answer.status,
      units,
      milliseconds: performance.now() - began,
      hasQuery: headerValue(request, KEY_HEADER) === options.key,
      faults: fault?.texts,
      // A fault that replaces the answer is the only reason.
      message: fault?.effect ? undefined : errorMessageOf(outcome.answer),
      note: outcome.note,
    });
    options.onRequest?.(entry);
    if (fault && fault.delay > 0) await sleep(fault.delay, request.signal);
    return result;
  };
  return {
    log,
    faults,
    usage,
    answer,
    handle: async (request) => deliverInProcess(await answer(request), request.signal),
  };
}

/** The second of the last answer, and its text: servers answer thousands of requests in one. */
let lastDate = { second: Number.NaN, text: "" };

/** Adds the time at which an answer was created; a world with a fixed time is a server with that time. */
function withDate(answer: ServiceAnswer, now: number): ServiceAnswer {
  const second = Math.floor(now / 1000);
  if (second !== lastDate.second) lastDate = { second, text: new Date(now).toUTCString() };
  return { ...answer, headers: { ...answer.headers, date: lastDate.text } };
}

const isRead = (method: string): boolean => method === "GET" || method === "HEAD";

async function processRequest(
  context: ServiceContext,
  request: ServiceRequest,
  target: RequestTarget,
): Promise<RequestOutcome> {
  if (request.method === "OPTIONS") return { answer: PREFLIGHT };
  const { endpoint } = target;
  if (!endpoint) return { answer: unknownRouteAnswer(target) };
  if (!isRead(request.method)) {
    return { answer: errorAnswer(405, 405, "Method Not Allowed", { allow: "GET, HEAD, OPTIONS" }) };
  }
  const key = headerValue(request, KEY_HEADER);
  return rejectKey(context.options, request, endpoint) ?? processAuthorized(context, endpoint, target, key);
}

function unknownRouteAnswer({ path }: RequestTarget): ServiceAnswer {
  const known = endpoints.map((endpoint) => FAMILY_PATHS[endpoint.family] + endpoint.path);
  const nearest = nearestName(path, known) ?? known.find((route) => route.endsWith(path));
  const text =
    nearest === undefined ? "No endpoint has this path." : `No endpoint has this path. The nearest is ${nearest}`;
  return errorAnswer(404, 404, STATUSES[404], hintHeaders(text));
}

function rejectKey({ key }: ServiceOptions, request: ServiceRequest, endpoint: Endpoint): RequestOutcome | undefined {
  const requestKey = headerValue(request, KEY_HEADER);
  if (requestKey === key) return undefined;
  const isMissing = requestKey === undefined || requestKey === "";
  const hint = isMissing
    ? `Send the sandbox's key in the header "${KEY_HEADER}".`
    : `This is not the sandbox's key. Do not send keys of the real service here.`;
  return {
    answer: keyErrorAnswer(endpoint, isMissing, hintHeaders(`${hint} The sandbox prints its key when it starts.`)),
    note: isMissing ? "no key" : "the request had a key that is not the sandbox's (***)",
  };
}

/** Creates the answer to a request without the right key, whose form depends on the gateway and the endpoint. */
function keyErrorAnswer(
  { family, path }: Endpoint,
  isMissing: boolean,
  hint: Readonly<Record<string, string>>,
): ServiceAnswer {
  if (isMissing || family === "public") return jsonAnswer(401, { error_message: REFUSALS.missingKey }, hint);
  if (path === USAGE_PATH) return jsonAnswer(400, { success: false, errors: { message: "Invalid token" } }, hint);
  return errorAnswer(401, 401, REFUSALS.invalidKey, hint);
}

const USAGE_PATH = "/monitor/usage";

async function processAuthorized(
  context: ServiceContext,
  endpoint: Endpoint,
  target: RequestTarget,
  key: string | undefined,
): Promise<RequestOutcome> {
  const { options } = context;
  const { limits, usage, now } = options;
  const wait = limits.rate?.wait(now()) ?? 0;
  if (wait > 0) return { answer: rateLimitAnswer(endpoint, wait), isMetered: true };
  limits.rate?.add(now());
  if (limits.excludes(endpoint)) return { answer: planErrorAnswer(limits), isMetered: true };
  const { values, problem } = valuesOf(endpoint, target);
  if (problem !== undefined)
    return { answer: errorAnswer(400, VALIDATION_CODE, maskKeys(problem.message, key)), isMetered: true };
  const isExport = endpoint.returns.shape === "csv";
  const pause = isExport ? (limits.exports?.wait(now()) ?? 0) : 0;
  if (pause > 0) return { answer: rateLimitAnswer(endpoint, pause), isMetered: true };
  const units = requestUnits(endpoint, values);
  if (limits.enforcesUnits && units > 0 && usage.periodUnits(now()) + units > limits.units) {
    return { answer: unitsSpentAnswer(options), isMetered: true };
  }
  if (isExport) limits.exports?.add(now());
  const answer = await runQuery(context, endpoint, target, values);
  return { answer, units: answer.status === 200 ? units : 0, isMetered: true, isExport };
}

function rateLimitAnswer(endpoint: Endpoint, wait: number): ServiceAnswer {
  const status = rateLimitStatus(endpoint);
  return errorAnswer(
    status,
    status,
    REFUSALS.rate,
    hintHeaders(`Rate limit reached. Retry in ${Math.ceil(wait / 1000)} s.`),
  );
}

const planErrorAnswer = ({ plan }: Limits): ServiceAnswer =>
  errorAnswer(403, 403, STATUSES[403], hintHeaders(`The plan ${plan} of this sandbox does not include this endpoint.`));

function unitsSpentAnswer(options: ServiceOptions): ServiceAnswer {
  const until = new Date(monthStart(today(options), 1)).toISOString();
  return errorAnswer(429, 429, REFUSALS.units, hintHeaders(`Units are renewed at ${until}.`));
}

const today = ({ now, today: date = now }: ServiceOptions): number => date();

async function runQuery(
  { options, answers }: ServiceContext,
  endpoint: Endpoint,
  { path, search }: RequestTarget,
  values: ReadonlyMap<string, readonly string[]>,
): Promise<ServiceAnswer> {
  try {
    const query = await (options.findQuery ?? findQuery)(endpoint.route);
    if (!query) return errorAnswer(500, 500, STATUSES[500], hintHeaders("The sandbox has no query for this endpoint."));
    const request = `${path}?${search}`;
    const { reader, ask = async (run) => run(reader) } = options;
    const state = options.ask ? undefined : answers.state(reader);
    const known = state && answers.find(request);
    if (known) return known;
    const { facts } = reader;
    // Of a chain, an empty list would say that there is nothing.
    if (!facts.isComplete && isUnknownToIndex(endpoint))
      throw new UnknownFactError(refusalBy("index", endpoint).reason);
    let isShared = true;
    const usage = () => {
      isShared = false;
      return usageJson(options);
    };
    const params = new QueryParams(endpoint.query, values);
    const shape = facts.isComplete ? UNKNOWN_SHAPE : await loadEntityShape(endpoint.returns.entity);
    const found = await ask((db) => {
      if (!facts.isComplete && !db.get("SELECT slot FROM blocks LIMIT 1")) return undefined;
      const result = answerQuery(query, endpoint, { db, params, caller: { usage } });
      // Read after the rows: blocks that are removed between the two are not in the answer.
      return { result, headers: coverageHeaders(db, { endpoint, params, result, shape }) };
    });
    if (!found) return EMPTY_INDEX_ANSWER;
    const { result, headers } = found;
    const answer = resultAnswer(result, await shapeBody(result, endpoint, options.shapes), headers);
    if (state && isShared) answers.add(request, state, answer);
    return answer;
  } catch (error) {
    if (error instanceof UnknownFactError)
      return errorAnswer(403, 403, error.message, hintHeaders(refusalBy("index", endpoint).instead.command ?? ""));
    // What ClickHouse does not answer is no failure of the service.
    if (error instanceof SolxError && /^STORE/.test(String(error.code))) throw error;
    const text = errorMessage(error);
    return errorAnswer(500, 500, STATUSES[500], hintHeaders(`The sandbox failed: ${text}`));
  }
}

/** Of an index that has only begun, an empty list would say that there is nothing. */
const EMPTY_INDEX_ANSWER = errorAnswer(
  403,
  403,
  "The index has no block yet.",
  hintHeaders("To see the slots of indexes: solx index list"),
);

/** The reported owner of the key. */
const EMAIL = "sandbox@localhost";

/** Returns the answer of `/monitor/usage`: units of the calendar month (UTC), requests of the last 24 hours. */
function usageJson(options: ServiceOptions): JsonObject {
  const used = options.usage.totals(options.now());
  const date = (offset: number) => new Date(monthStart(today(options), offset)).toISOString();
  return {
    email: EMAIL,
    renew_date: date(0),
    end_date: date(1),
    last_cu_reset_date: date(0),
    remaining_cus: Math.max(0, options.limits.units - used.periodUnits),
    usage_cus: used.periodUnits,
    total_requests_24h: used.requests24h,
    success_rate_24h: used.requests24h === 0 ? 100 : (used.successes24h * 100) / used.requests24h,
    total_cu_24h: used.units24h,
  };
}
