/** Time ranges of the chart of rates. */
import { DAY_MS, HOUR_MS } from "../../base/index.ts";
import type { UsageSample } from "../../client/index.ts";

/** A time range of a chart, which ends now. */
export interface ChartRange {
  /** As in "the last …". */
  readonly name: string;
  /** Label of its start. */
  readonly from: string;
  /** Milliseconds. */
  readonly length: number;
  /** Maximum number of useful bars: older samples are stored at longer intervals. */
  readonly maxBars: number;
}

/** The ranges, the shortest first. */
export const RANGES: readonly [ChartRange, ...ChartRange[]] = [
  { name: "hour", from: "1 h ago", length: HOUR_MS, maxBars: 60 },
  { name: "6 hours", from: "6 h ago", length: 6 * HOUR_MS, maxBars: 36 },
  { name: "24 hours", from: "24 h ago", length: DAY_MS, maxBars: 144 },
  { name: "7 days", from: "7 days ago", length: 7 * DAY_MS, maxBars: 168 },
  { name: "30 days", from: "30 days ago", length: 30 * DAY_MS, maxBars: 180 },
];

/** Returns the shortest range that shows all samples of the last day. */
export function defaultRange(samples: readonly UsageSample[], now: number): ChartRange {
  const oldest = samples.find(({ at }) => at > now - DAY_MS)?.at ?? now;
  return RANGES.find(({ length }) => length >= Math.min(DAY_MS, now - oldest)) ?? RANGES[0];
}
