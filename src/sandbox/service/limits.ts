/** What a key may do: requests in a time, exports in a minute, compute units in a month, endpoints of a plan. */
import { MINUTE_SECONDS } from "../../base/index.ts";
import {
  type Endpoint,
  EXPORT_INTERVAL_SECONDS,
  PLANS,
  type Plan,
  type PlanName,
  planExcludes,
  type Rate,
} from "../../catalogue/index.ts";

/** What limits a key; nothing does what is not given. */
export interface LimitOptions {
  /** A plan of the API, with its rate, its compute units, its refusals and one export a minute. */
  readonly plan?: PlanName | undefined;
  /** Another rate than the plan's. */
  readonly rate?: Rate | undefined;
  /** Other compute units a month than the plan's. */
  readonly units?: number | undefined;
}

/** Compute units that a key without limits is said to have: those of the greatest plan. */
const UNLIMITED_UNITS = PLANS["level-4"].units;

const MILLISECONDS = 1000;

/** A sliding window: so many events in any stretch of its length. The window is open at its start. */
export class SlidingWindow {
  /** Milliseconds. */
  readonly length: number;
  readonly #times: Float64Array;
  #oldest = 0;

  /** @param seconds length of the window */
  constructor(events: number, seconds: number) {
    this.#times = new Float64Array(events).fill(Number.NEGATIVE_INFINITY);
    this.length = seconds * MILLISECONDS;
  }

  /** Milliseconds until an event has room; 0 when it has. */
  wait(now: number): number {
    const oldest = this.#times[this.#oldest];
    return oldest === undefined ? this.length : Math.max(0, oldest + this.length - now);
  }

  /** Takes an event in. */
  add(time: number): void {
    if (this.#times.length === 0) return;
    this.#times[this.#oldest] = time;
    this.#oldest = (this.#oldest + 1) % this.#times.length;
  }
}

/** The limits of a key. */
export interface Limits {
  readonly plan: PlanName | undefined;
  /** Requests in a time; undefined for any number. */
  readonly rate: SlidingWindow | undefined;
  /** Exports in a minute; undefined for any number. */
  readonly exports: SlidingWindow | undefined;
  /** Compute units a month. */
  readonly units: number;
  /** Whether requests are refused when the units are spent. */
  readonly enforcesUnits: boolean;
  /** Whether the plan leaves the endpoint out. */
  excludes(endpoint: Endpoint): boolean;
}

/** The limits that options describe. */
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

/** Compute units of a request: multi endpoints count each identifier. */
export function requestUnits({ cost, query }: Endpoint, values: ReadonlyMap<string, readonly string[]>): number {
  if (cost.per === "request") return cost.units;
  const list = Object.entries(query).find(([, param]) => param.arity === "list" && param.positional);
  return cost.units * Math.max(1, (list && values.get(list[0])?.length) ?? 1);
}

/** The status of "too many requests": 429, but 403 where the endpoint says so (specification §8: chain info). */
export function rateLimitStatus({ statuses = {} }: Endpoint): number {
  const custom = Object.entries(statuses).find(([, meaning]) => meaning === "rateLimited");
  return custom ? Number(custom[0]) : 429;
}
