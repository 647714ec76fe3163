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

/** The parts of a quota that are used at most: of the rate limit, and of the remaining compute units per hour. */
type Shares = Readonly<Record<keyof typeof LIVE_SHARES, number>>;

/** Returns by how much the intervals of parts are longer than wished, so that they use at most a share of the quota. */
function slowdown(parts: readonly LivePart[], { rate, unitsLeft }: LiveLimits, shares: Shares): number {
  const perHour = (of: (part: LivePart) => number) =>
    parts.reduce((sum, part) => sum + (of(part) * HOUR_MS) / part.everyMs, 0);
  const units = perHour((part) => part.units);
  const byUnits = units <= 0 ? 0 : units / Math.max(1, unitsLeft * shares.unitsPerHour);
  const rateLimit = rate && ((rate.requests * HOUR_MS) / (rate.seconds * 1000)) * shares.rate;
  return Math.max(1, byUnits, rateLimit === undefined ? 0 : perHour(() => 1) / rateLimit);
}

/** Returns the intervals at which parts are refreshed: as wished, or longer by one factor within {@link LIVE_SHARES}. */
export function planLive(parts: readonly LivePart[], limits: LiveLimits): LivePlan {
  const factor = slowdown(parts, limits, LIVE_SHARES);
  const everyMs = parts.map((part) =>
    Math.min(MAX_INTERVAL_MS, Math.ceil((part.everyMs * factor) / STEP_MS) * STEP_MS),
  );
  const costs = parts.map((part, at) => hourlyCost(part.units, everyMs[at] ?? MAX_INTERVAL_MS));
  return { everyMs, costPerHour: costs.reduce((sum, cost) => sum + cost, 0) };
}

/** What the interval of a list depends on. */
export interface RefreshCost extends LiveLimits {
  readonly units: number;
  readonly failures: number;
}

/** The interval of a list: at least, and at most. */
const LIST_INTERVAL_MS = { min: 15_000, max: 24 * HOUR_MS } as const;
/** The shares of a list. A month of refreshes uses less than half of a plan. */
const LIST_SHARES: Shares = { rate: 0.02, unitsPerHour: 1 / 1500 };
/** Maximum interval after failures. */
const MAX_BACKOFF_MS = 600_000;

/** Returns the milliseconds between two refreshes of a list, rounded up, since they are displayed. */
export function refreshInterval({ units, failures, ...limits }: RefreshCost): number {
  const { min, max } = LIST_INTERVAL_MS;
  const everyMs = Math.min(max, Math.round(min * slowdown([{ units, everyMs: min }], limits, LIST_SHARES)));
  const step = everyMs <= 60_000 ? 5000 : 60_000;
  return backOff(Math.ceil(everyMs / step) * step, failures);
}

/** Doubles an interval with every failure, up to a limit. */
export function backOff(everyMs: number, failures: number): number {
  return failures === 0 ? everyMs : Math.max(everyMs, Math.min(everyMs * 2 ** failures, MAX_BACKOFF_MS));
}

/** Returns the compute units of an hour of refreshes. */
export function hourlyCost(units: number, everyMs: number): number {
  return Math.ceil((units * HOUR_MS) / everyMs);
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
