/** The limits of a key: request rate, one export a minute, monthly compute units, endpoints of the plan. */
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
  /** Milliseconds. */
  readonly length: number;
  readonly #times: Float64Array;
  #oldest = 0;

  /** @param seconds the length of the window */
  constructor(events: number, seconds: number) {
    this.#times = new Float64Array(events).fill(Number.NEGATIVE_INFINITY);
    this.length = seconds * MILLISECONDS;
  }

  /** Returns the milliseconds until the next event is allowed; 0 when it is allowed now. */
  wait(now: number): number {
    const oldest = this.#times[this.#oldest];
    return oldest === undefined ? this.length : Math.max(0, oldest + this.length - now);
  }

  /** Records an event. */
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
  /** Exports per minute; undefined when unlimited. */
  readonly exports: SlidingWindow | undefined;
  /** Compute units per month. */
  readonly units: number;
  /** Whether requests are rejected once the units are spent. */
  readonly enforcesUnits: boolean;
  /** Returns whether the plan excludes the endpoint. */
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

/** Returns the compute units of a request; multi endpoints count each identifier. */
export function requestUnits({ cost, query }: Endpoint, values: ReadonlyMap<string, readonly string[]>): number {
  if (cost.per === "request") return cost.units;
  const list = Object.entries(query).find(([, param]) => param.arity === "list" && param.positional);
  return cost.units * Math.max(1, (list && values.get(list[0])?.length) ?? 1);
}

/**
 * Returns the status of "too many requests": 429, or 403 where the endpoint declares it (specification §8: chain info).
 */
export function rateLimitStatus({ statuses = {} }: Endpoint): number {
  const custom = Object.entries(statuses).find(([, meaning]) => meaning === "rateLimited");
  return custom ? Number(custom[0]) : 429;
}
