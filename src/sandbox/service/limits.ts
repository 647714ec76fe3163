/** The limits of a key: request rate, one export a minute, monthly compute units, endpoints of the plan. */
import { DAY_SECONDS, MINUTE_SECONDS, UsageError } from "../../base/index.ts";
import {
  type Endpoint,
  EXPORT_INTERVAL_SECONDS,
  PLANS,
  type Plan,
  type PlanName,
  planExcludes,
  type Rate,
} from "../../catalogue/index.ts";
import type { UsageStore } from "./usage.ts";

/** Options of the limits; without them a key is unlimited. */
export interface LimitOptions {
  /** A plan of the API with its rate, compute units, excluded endpoints and one export a minute. */
  readonly plan?: PlanName | undefined;
  /** Overrides the rate of the plan. */
  readonly rate?: Rate | undefined;
  /** Overrides the monthly compute units of the plan. */
  readonly units?: number | undefined;
}

/** Compute units reported for a key without limits: those of the highest plan. */
const UNLIMITED_UNITS = PLANS["level-4"].units;

const MILLISECONDS = 1000;

/** A sliding window: a maximum number of events in any interval of its length. The start of the window is exclusive. */
export class SlidingWindow {
  readonly events: number;
  /** Milliseconds. */
  readonly length: number;
  readonly #times: Float64Array;
  #oldest = 0;

  /** @param seconds the length of the window */
  constructor(events: number, seconds: number) {
    this.events = events;
    this.#times = new Float64Array(events).fill(Number.NEGATIVE_INFINITY);
    this.length = seconds * MILLISECONDS;
  }

  /** Returns the milliseconds until the next event is allowed; 0 when it is allowed now. */
  wait(now: number): number {
    const oldest = this.#times[this.#oldest];
    return oldest === undefined ? this.length : Math.max(0, oldest + this.length - now);
  }

  add(time: number): void {
    if (this.#times.length === 0) return;
    this.#times[this.#oldest] = time;
    this.#oldest = (this.#oldest + 1) % this.#times.length;
  }
}

/** The limits of a key. */
export interface Limits {
  readonly plan: PlanName | undefined;
  /** Request rate; undefined when unlimited. */
  readonly rate: SlidingWindow | undefined;
  readonly exports: SlidingWindow | undefined;
  /** Compute units per month. */
  readonly units: number;
  /** Whether requests are rejected once the units are spent. */
  readonly enforcesUnits: boolean;
  excludes(endpoint: Endpoint): boolean;
}

/** Creates the limits that the options describe. */
export function createLimits({ plan, rate, units }: LimitOptions): Limits {
  const terms: Plan | undefined = plan === undefined ? undefined : PLANS[plan];
  const pace = rate ?? (terms && { requests: terms.requestsPerMinute, seconds: MINUTE_SECONDS });
  return {
    plan,
    rate: pace && new SlidingWindow(pace.requests, pace.seconds),
    exports: terms && new SlidingWindow(1, EXPORT_INTERVAL_SECONDS),
    units: units ?? terms?.units ?? UNLIMITED_UNITS,
    enforcesUnits: units !== undefined || terms !== undefined,
    excludes: (endpoint) => terms !== undefined && planExcludes(terms, endpoint),
  };
}

/** Adds the requests that a store has counted to the windows of limits. */
export function restoreLimits({ rate, exports }: Limits, usage: UsageStore, now: number): void {
  if (!rate && !exports) return;
  const longest = Math.max(rate?.length ?? 0, exports?.length ?? 0);
  const { requests, lastExport } = usage.since(now - longest);
  for (const time of requests) rate?.add(time);
  if (lastExport !== undefined) exports?.add(lastExport);
}

/** Maximum number of requests in a rate: all requests of a period are stored. */
const MAX_REQUESTS = 1_000_000;

/** Returns whether a number is an integer from 0. */
export const isCount = (value: number): boolean => Number.isSafeInteger(value) && value >= 0;

/** @throws UsageError for an unknown plan, and for a rate or units out of range */
export function checkLimits({ plan, rate, units }: LimitOptions): void {
  if (plan !== undefined && !Object.hasOwn(PLANS, plan)) {
    throw new UsageError(`unknown plan "${plan}": expected one of ${Object.keys(PLANS).join(", ")}`);
  }
  const isRate = ({ requests, seconds }: Rate) =>
    isCount(requests) && requests <= MAX_REQUESTS && seconds > 0 && seconds <= DAY_SECONDS;
  if (rate && !isRate(rate)) {
    throw new UsageError(
      `invalid sandbox rate: expected at most ${MAX_REQUESTS} requests and a period of at most ${DAY_SECONDS} seconds`,
    );
  }
  if (units !== undefined && !isCount(units)) {
    throw new UsageError(`invalid number of compute units ${units}: expected an integer from 0`);
  }
}

/** Returns the compute units of a request; multi endpoints count each identifier. */
export function requestUnits({ cost, query }: Endpoint, values: ReadonlyMap<string, readonly string[]>): number {
  if (cost.per === "request") return cost.units;
  const list = Object.entries(query).find(([, param]) => param.arity === "list" && param.positional);
  return cost.units * Math.max(1, (list && values.get(list[0])?.length) ?? 1);
}

/** Returns the status of "too many requests": 429, or 403 where the endpoint declares it (chain info). */
export function rateLimitStatus({ statuses = {} }: Endpoint): number {
  const custom = Object.entries(statuses).find(([, meaning]) => meaning === "rateLimited");
  return custom ? Number(custom[0]) : 429;
}
