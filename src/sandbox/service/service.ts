/**
 * The API: a request in, an answer out, whatever the transport. A request is looked up in the catalogue, let in by its
 * key, held against the plan, checked by the catalogue's own rules, and answered by a query over the ledger.
 *
 * - Unknown paths are 404 and other methods than GET and HEAD are 405, both in the envelope.
 * - A missing or foreign key is 401 "Authentication failed" in the envelope for every family (specification §6 and §8);
 *   newer servers word it otherwise, and the public family's wraps it otherwise. What there is to say beside goes into
 *   the header `x-solx-hint`.
 * - Too many requests are 429 (403 for chain info), and so are spent units: with words that tell them apart.
 * - Units are charged for answers with status 200.
 */

import { errorMessage, type JsonObject, nearestName, sleep } from "../../base/index.ts";

import {
  type Endpoint,
  endpoints,
  FAMILY_PATHS,
  KEY_HEADER,
  STATUSES,
  VALIDATION_CODE,
  validateRequest,
} from "../../catalogue/index.ts";

import type { Reader } from "../ledger/reader.ts";
import { queryOf } from "../queries/index.ts";
import { ApiError, Params, type Query } from "../queries/query.ts";
import { hinted, messageOf, PREFLIGHT, refusal, resultAnswer } from "./answer.ts";
import { carried, type Struck, struck, TOO_MANY } from "./effects.ts";
import type { Faults, Strike } from "./faults.ts";
import { type Limits, rateStatus, unitsOf } from "./limits.ts";
import { masked, type RequestEntry, RequestLog } from "./log.ts";
import { headerOf, type ServiceAnswer, type ServiceRequest, type Target, targetOf, valuesOf } from "./request.ts";
import { monthOf, type UsageStore } from "./usage.ts";

/** What a service is made of. */
export interface ServiceOptions {
  readonly reader: Reader;
  /** The key that is let in. */
  readonly key: string;
  readonly limits: Limits;
  readonly usage: UsageStore;
  readonly faults: Faults;
  /** Legacy answers without the envelope, as the older service gave them. */
  readonly bareLegacy?: boolean | undefined;
  /** Milliseconds since the epoch, for what is counted. */
  readonly now: () => number;
  /** Milliseconds since the epoch, for dates in answers, where they stand still; `now` by default. */
  readonly today?: (() => number) | undefined;
  readonly onRequest?: ((entry: RequestEntry) => void) | undefined;
  /** Finds the query of a route; by default among those of the room. */
  readonly queryOf?: ((route: string) => Query | Promise<Query | undefined> | undefined) | undefined;
}

/** Answers requests. */
export interface Service {
  readonly log: RequestLog;
  readonly faults: Faults;
  readonly usage: UsageStore;
  /** The answer, and what the connection has to do beside; waits for latencies that faults ask for. */
  answer(request: ServiceRequest): Promise<Struck>;
  /**
   * The answer in process: what faults do to connections is done as nearly as can be.
   * @throws NetworkError for a reset, ServerError for an answer that breaks off, InterruptedError when the signal fires
   */
  handle(request: ServiceRequest): Promise<ServiceAnswer>;
}

/** What is known of a request when it is answered. */
interface Outcome {
  readonly answer: ServiceAnswer;
  readonly units?: number;
  readonly note?: string;
  /** Whether it came with the key, and so counts for it. */
  readonly counts?: boolean;
  readonly exported?: boolean;
}

/** Makes a service. */
export function createService(options: ServiceOptions): Service {
  const { faults, usage, limits, now } = options;
  const log = new RequestLog();
  restore(limits, usage, now());

  const answer = async (request: ServiceRequest): Promise<Struck> => {
    const began = performance.now();
    const target = targetOf(request.url);
    const strike =
      target.endpoint && isRead(request.method)
        ? faults.next(target.endpoint, `${target.path}?${target.search}`)
        : undefined;
    const outcome = await outcomeOf(options, request, target);
    const result = strike?.effect ? struck(outcome.answer, strike.effect, now()) : { answer: outcome.answer };
    // A fault that gives another answer takes the place of the one that would have cost something.
    const units = result.answer.status === outcome.answer.status ? (outcome.units ?? 0) : 0;
    if (target.endpoint && outcome.counts) {
      const { status } = result.answer;
      const exported = outcome.exported === true;
      usage.add({ time: now(), route: target.endpoint.route, status, units, exported });
    }
    const entry = log.add({
      ...entryOf(options, request, target),
      ...reasonsOf(options, outcome, strike),
      status: result.answer.status,
      units,
      milliseconds: performance.now() - began,
    });
    options.onRequest?.(entry);
    if (strike && strike.delay > 0) await sleep(strike.delay, request.signal);
    return result;
  };
  return { log, faults, usage, answer, handle: async (request) => carried(await answer(request), request.signal) };
}

/** Takes up what an earlier process counted. */
function restore(limits: Limits, usage: UsageStore, now: number): void {
  if (!limits.rate && !limits.exports) return;
  const longest = Math.max(limits.rate?.length ?? 0, limits.exports?.length ?? 0);
  const { requests, lastExport } = usage.since(now - longest);
  for (const time of requests) limits.rate?.add(time);
  if (lastExport !== undefined) limits.exports?.add(lastExport);
}

const isRead = (method: string): boolean => method === "GET" || method === "HEAD";

function entryOf(options: ServiceOptions, request: ServiceRequest, { path, search, endpoint }: Target) {
  const key = headerOf(request, KEY_HEADER);
  return {
    time: options.now(),
    method: request.method,
    path: masked(path, key),
    ...(key === options.key && search !== "" ? { query: masked(search, key) } : {}),
    ...(endpoint ? { route: endpoint.route } : {}),
  };
}

/** Why it went as it did: by a fault, by a rule. What a fault put in the place of an answer has no reason but the fault. */
function reasonsOf({ key }: ServiceOptions, { answer, note }: Outcome, strike: Strike | undefined) {
  const faults = strike?.texts ?? [];
  const message = strike?.effect ? undefined : messageOf(answer);
  return {
    ...(faults.length > 0 ? { faults } : {}),
    ...(message === undefined ? {} : { message: masked(message, key) }),
    ...(note === undefined ? {} : { note }),
  };
}

/** Steps of a request, each of which may end it. */
async function outcomeOf(options: ServiceOptions, request: ServiceRequest, target: Target): Promise<Outcome> {
  if (request.method === "OPTIONS") return { answer: PREFLIGHT };
  const { endpoint } = target;
  if (!endpoint) return { answer: unknownRoute(target) };
  if (!isRead(request.method)) {
    return { answer: refusal(405, 405, "Method Not Allowed", { allow: "GET, HEAD, OPTIONS" }) };
  }
  return unauthorized(options, request) ?? admitted(options, endpoint, target, headerOf(request, KEY_HEADER));
}

function unknownRoute({ path }: Target): ServiceAnswer {
  const known = endpoints.map((endpoint) => FAMILY_PATHS[endpoint.family] + endpoint.path);
  const near = nearestName(path, known) ?? known.find((route) => route.endsWith(path));
  const text = near === undefined ? "No endpoint has this path." : `No endpoint has this path. The nearest is ${near}`;
  return refusal(404, 404, STATUSES[404], hinted(text));
}

function unauthorized({ key }: ServiceOptions, request: ServiceRequest): Outcome | undefined {
  const given = headerOf(request, KEY_HEADER);
  if (given === key) return undefined;
  const isMissing = given === undefined || given === "";
  const hint = isMissing
    ? `The sandbox's key goes into the header "${KEY_HEADER}".`
    : `This is not the sandbox's key. Do not send keys of the real service here.`;
  return {
    answer: refusal(401, 401, STATUSES[401], hinted(`${hint} The sandbox prints its own when it starts.`)),
    note: isMissing ? "no key" : "a key that is not the sandbox's came (***)",
  };
}

async function admitted(
  options: ServiceOptions,
  endpoint: Endpoint,
  target: Target,
  key: string | undefined,
): Promise<Outcome> {
  const { limits, usage, now } = options;
  const wait = limits.rate?.wait(now()) ?? 0;
  if (wait > 0) return { answer: tooMany(endpoint, wait), counts: true };
  limits.rate?.add(now());
  if (limits.refuses(endpoint)) return { answer: planRefusal(limits), counts: true };
  const values = valuesOf(endpoint, target);
  const problem = validateRequest(endpoint.query, values);
  if (problem !== undefined)
    return { answer: refusal(400, VALIDATION_CODE, masked(problem.message, key)), counts: true };
  const isExport = endpoint.returns.shape === "csv";
  const pause = isExport ? (limits.exports?.wait(now()) ?? 0) : 0;
  if (pause > 0) return { answer: tooMany(endpoint, pause), counts: true };
  const units = unitsOf(endpoint, values);
  if (limits.enforcesUnits && units > 0 && usage.periodUnits(now()) + units > limits.units) {
    return { answer: spent(options), counts: true };
  }
  if (isExport) limits.exports?.add(now());
  const answer = await queried(options, endpoint, values);
  return { answer, units: answer.status === 200 ? units : 0, counts: true, exported: isExport };
}

function tooMany(endpoint: Endpoint, wait: number): ServiceAnswer {
  const status = rateStatus(endpoint);
  return refusal(status, status, TOO_MANY, hinted(`There is room again in ${Math.ceil(wait / 1000)} s.`));
}

const planRefusal = ({ plan }: Limits): ServiceAnswer =>
  refusal(403, 403, STATUSES[403], hinted(`The plan ${plan} of this sandbox does not include it.`));

function spent(options: ServiceOptions): ServiceAnswer {
  const until = new Date(monthOf(today(options), 1)).toISOString();
  return refusal(429, 429, "Compute units limit reached", hinted(`Units come back at ${until}.`));
}

const today = ({ now, today: date = now }: ServiceOptions): number => date();

async function queried(
  options: ServiceOptions,
  endpoint: Endpoint,
  values: ReadonlyMap<string, readonly string[]>,
): Promise<ServiceAnswer> {
  try {
    const query = await (options.queryOf ?? queryOf)(endpoint.route);
    if (!query) return refusal(500, 500, STATUSES[500], hinted("The sandbox has no query for this endpoint."));
    const caller = { usage: () => usageOf(options) };
    const result = query({ db: options.reader, params: new Params(endpoint.query, values), caller });
    return resultAnswer(result, { bare: options.bareLegacy === true && endpoint.family !== "v2" });
  } catch (error) {
    if (error instanceof ApiError) return refusal(error.status, error.code, error.message);
    const text = errorMessage(error);
    return refusal(500, 500, STATUSES[500], hinted(`The sandbox failed: ${text}`));
  }
}

/** Whose key it is said to be. */
const EMAIL = "sandbox@localhost";

/** What `/monitor/usage` says: units of the calendar month (UTC), requests of the last 24 hours by the minute. */
function usageOf(options: ServiceOptions): JsonObject {
  const used = options.usage.used(options.now());
  const date = (offset: number) => new Date(monthOf(today(options), offset)).toISOString();
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
