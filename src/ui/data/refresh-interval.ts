/** Interval of automatic refresh, derived from the quota. */
import { HOUR_MS } from "../../base/index.ts";
import type { Identity } from "../navigation/services.ts";

/** What the interval depends on. */
export interface RefreshCost {
  /** Returns the compute units of one refresh. */
  readonly units: number;
  /** Rate limit of the plan; undefined when unlimited. */
  readonly rate: Identity["rate"];
  /** Compute units left; if unknown, those of the plan per month. */
  readonly unitsLeft: number;
  /** Failures in a row. */
  readonly failures: number;
}

/** Minimum milliseconds between two refreshes. */
const MIN_INTERVAL_MS = 15_000;
/** Maximum interval after failures. */
const MAX_BACKOFF_MS = 600_000;
/** Share of the rate limit that automatic refresh may use. */
const SHARE_OF_RATE = 0.02;
/** Hours that the remaining units must last: a month of refreshes uses less than half of a plan. */
const UNITS_LAST_HOURS = 1500;
/** Maximum interval. */
const MAX_INTERVAL_MS = 24 * HOUR_MS;

/** Returns the milliseconds between two refreshes that rate limit, remaining units and failures allow. */
export function refreshInterval({ units, rate, unitsLeft, failures }: RefreshCost): number {
  const byRate = rate === undefined ? 0 : (rate.seconds * 1000) / (rate.requests * SHARE_OF_RATE);
  const byUnits = units <= 0 ? 0 : (units * HOUR_MS * UNITS_LAST_HOURS) / Math.max(1, unitsLeft);
  return backOff(roundUp(Math.min(MAX_INTERVAL_MS, Math.max(MIN_INTERVAL_MS, byRate, byUnits))), failures);
}

/** Doubles an interval with every failure, up to a limit. */
export function backOff(everyMs: number, failures: number): number {
  return failures === 0 ? everyMs : Math.max(everyMs, Math.min(everyMs * 2 ** failures, MAX_BACKOFF_MS));
}

/** Returns the compute units of an hour of refreshes. */
export function hourlyCost(units: number, everyMs: number): number {
  return Math.ceil((units * HOUR_MS) / everyMs);
}

/** Rounds up to 5 seconds or to minutes, since the interval is displayed. */
function roundUp(milliseconds: number): number {
  const step = milliseconds <= 60_000 ? 5000 : 60_000;
  return Math.ceil(milliseconds / step) * step;
}
