/** How often a list may be asked anew by itself, so that the budget bears it. */
import { HOUR_MS } from "../../base/time.ts";
import type { Identity } from "../app/services.ts";

/** What an interval depends on. */
export interface RefreshCost {
  /** Compute units of one look. */
  readonly units: number;
  /** Requests that the plan allows in so many seconds; undefined for any number. */
  readonly rate: Identity["rate"];
  /** Compute units that are left; where nobody knows, those of the plan in a month. */
  readonly unitsLeft: number;
  /** Failures in a row. */
  readonly failures: number;
}

/** Milliseconds between two looks, where nothing asks for more. */
const MIN_INTERVAL_MS = 15_000;
/** The longest that failures stretch it to. */
const MAX_BACKOFF_MS = 600_000;
/** The part of the rate that a list may take. */
const SHARE_OF_RATE = 0.02;
/** Hours for which the units left are to last: a month of looking takes less than half. */
const UNITS_LAST_HOURS = 1500;
/** Beyond this it is no refresh any more. */
const MAX_INTERVAL_MS = 24 * HOUR_MS;

/** Milliseconds between two looks: never less than the least, and as many more as rate, units and failures ask for. */
export function refreshInterval({ units, rate, unitsLeft, failures }: RefreshCost): number {
  const byRate = rate === undefined ? 0 : (rate.seconds * 1000) / (rate.requests * SHARE_OF_RATE);
  const byUnits = units <= 0 ? 0 : (units * HOUR_MS * UNITS_LAST_HOURS) / Math.max(1, unitsLeft);
  const plain = roundUp(Math.min(MAX_INTERVAL_MS, Math.max(MIN_INTERVAL_MS, byRate, byUnits)));
  return failures === 0 ? plain : Math.max(plain, Math.min(plain * 2 ** failures, MAX_BACKOFF_MS));
}

/** Compute units of an hour of looks. */
export function hourlyCost(units: number, everyMs: number): number {
  return Math.ceil((units * HOUR_MS) / everyMs);
}

/** A round number of seconds, or of minutes: people read it. */
function roundUp(milliseconds: number): number {
  const step = milliseconds <= 60_000 ? 5000 : 60_000;
  return Math.ceil(milliseconds / step) * step;
}
