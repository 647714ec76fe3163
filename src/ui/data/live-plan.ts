/** How often a page that refreshes by itself may do so. */
import { HOUR_MS } from "../../base/index.ts";
import type { Identity } from "../navigation/services.ts";
import { hourlyCost } from "./refresh-interval.ts";
import type { QuotaView } from "./store.ts";

/** The share of the rate limit, and the share of the remaining compute units per hour, that such a page uses at most. */
export const LIVE_SHARES = { rate: 0.1, unitsPerHour: 0.002 } as const;

/** Share of a quota at or below which it is scarce: it is shown as a warning, and pages do not refresh by themselves. */
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
  /** Compute units left; if unknown, those of the plan per month. */
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
  const perHour = (of: (part: LivePart) => number) => parts.reduce((sum, part) => sum + of(part), 0);
  const units = perHour((part) => (part.units * HOUR_MS) / part.everyMs);
  const requests = perHour((part) => HOUR_MS / part.everyMs);
  const byUnits = units === 0 ? 0 : units / Math.max(1, unitsLeft * LIVE_SHARES.unitsPerHour);
  const byRate =
    rate === undefined ? 0 : requests / ((rate.requests / (rate.seconds * 1000)) * HOUR_MS * LIVE_SHARES.rate);
  const factor = Math.max(1, byUnits, byRate);
  const everyMs = parts.map((part) =>
    Math.min(MAX_INTERVAL_MS, Math.ceil((part.everyMs * factor) / STEP_MS) * STEP_MS),
  );
  const costs = parts.map((part, at) => hourlyCost(part.units, everyMs[at] ?? MAX_INTERVAL_MS));
  return { everyMs, costPerHour: costs.reduce((sum, cost) => sum + cost, 0) };
}

const SCALES = [
  [1e12, "T"],
  [1e9, "B"],
  [1e6, "M"],
  [1e3, "K"],
] as const;

/** Formats what is left of a quota in three digits and a letter, rounded down: it is never overstated. */
export function quotaText(count: number): string {
  const [size, letter] = SCALES.find(([minimum]) => count >= minimum) ?? [1, ""];
  const value = count / size;
  const digits = letter === "" ? 0 : Math.max(0, 2 - Math.floor(Math.log10(value)));
  return `${Math.floor(value * 10 ** digits) / 10 ** digits}${letter}`;
}
