/** How often lists and pages that refresh by themselves may do so. */
import { HOUR_MS } from "../../base/index.ts";
import type { QuotaView } from "../navigation/data-store.ts";
import type { Identity } from "../navigation/services.ts";

/** The share of the rate limit, and the share of the remaining compute units per hour, that such a page uses at most. */
export const LIVE_SHARES = { rate: 0.1, unitsPerHour: 0.002 } as const;

const SCARCE_SHARE = 0.1;

/** Returns whether little of a quota is left. */
export function isScarce(quota: QuotaView["units"] | QuotaView["requests"]): boolean {
  return quota !== undefined && quota.remaining <= quota.limit * SCARCE_SHARE;
}

/** A part of a page: the cost of a refresh in compute units, and the interval at which it should be refreshed. */
export interface LivePart {
  readonly units: number;
  readonly everyMs: number;
}

/** What the intervals depend on. */
export interface LiveLimits {
  readonly rate: Identity["rate"];
  readonly unitsLeft: number;
}

/** The intervals of the parts in milliseconds, and what they cost together. */
export interface LivePlan {
  readonly everyMs: readonly number[];
  /** Compute units per hour. */
  readonly costPerHour: number;
}

/** Maximum interval: with less, it is no longer live. */
const MAX_INTERVAL_MS = HOUR_MS;
const STEP_MS = 1000;

/** Returns the intervals at which parts are refreshed: as wished, or longer by one factor within {@link LIVE_SHARES}. */
export function planLive(parts: readonly LivePart[], { rate, unitsLeft }: LiveLimits): LivePlan {
  const perHour = (of: (part: LivePart) => number) =>
    parts.reduce((sum, part) => sum + (of(part) * HOUR_MS) / part.everyMs, 0);
  const byUnits = perHour((part) => part.units) / Math.max(1, unitsLeft * LIVE_SHARES.unitsPerHour);
  const requestsPerHour = rate && ((rate.requests * HOUR_MS) / (rate.seconds * 1000)) * LIVE_SHARES.rate;
  const byRate = requestsPerHour === undefined ? 0 : perHour(() => 1) / requestsPerHour;
  const factor = Math.max(1, byUnits, byRate);
  const everyMs = parts.map((part) =>
    Math.min(MAX_INTERVAL_MS, Math.ceil((part.everyMs * factor) / STEP_MS) * STEP_MS),
  );
  const costs = parts.map(({ units }, at) => Math.ceil((units * HOUR_MS) / (everyMs[at] ?? MAX_INTERVAL_MS)));
  return { everyMs, costPerHour: costs.reduce((sum, cost) => sum + cost, 0) };
}

const MAX_BACKOFF_MS = 600_000;

/** Doubles an interval with every failure, up to a limit. */
export function backOff(everyMs: number, failures: number): number {
  return failures === 0 ? everyMs : Math.max(everyMs, Math.min(everyMs * 2 ** failures, MAX_BACKOFF_MS));
}

const SCALES = [
  [1e12, "T"],
  [1e9, "B"],
  [1e6, "M"],
  [1e3, "K"],
] as const;

/** Formats what is left of a quota in four digits and a letter, rounded down: it is never overstated. */
export function quotaText(count: number): string {
  const [size, letter] = SCALES.find(([minimum]) => count >= minimum) ?? [1, ""];
  const value = count / size;
  const digits = letter === "" ? 0 : Math.max(0, 3 - Math.floor(Math.log10(value)));
  return `${Math.floor(value * 10 ** digits) / 10 ** digits}${letter}`;
}
