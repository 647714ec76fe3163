/** Rates of unit usage, derived from samples. */

import { DAY_MS, decimalOf, HOUR_MS, type JsonObject } from "../../base/index.ts";
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

/** The time between two samples, and the units used in it. */
interface UsageInterval {
  readonly from: number;
  readonly to: number;
  readonly units: number;
}

/**
 * Returns the units per hour in `count` parts of a time range, oldest first; undefined where there are no samples. Usage is
 * spread evenly over the time between two samples.
 */
export function hourlyRates(
  samples: readonly UsageSample[],
  { from, to, count }: { readonly from: number; readonly to: number; readonly count: number },
): readonly (number | undefined)[] {
  const width = (to - from) / count;
  const [units, known] = [new Array<number>(count).fill(0), new Array<number>(count).fill(0)];
  for (const interval of usageIntervals(samples)) {
    const first = Math.max(0, Math.floor((interval.from - from) / width));
    const last = Math.min(count - 1, Math.floor((interval.to - from) / width));
    for (let at = first; at <= last; at += 1) {
      const begin = from + at * width;
      const overlap = Math.min(interval.to, begin + width) - Math.max(interval.from, begin);
      if (overlap <= 0) continue;
      units[at] = (units[at] ?? 0) + (interval.units * overlap) / (interval.to - interval.from);
      known[at] = (known[at] ?? 0) + overlap;
    }
  }
  return known.map((time, at) => (time > 0 ? ((units[at] ?? 0) / time) * HOUR_MS : undefined));
}

/** Returns the interval between each two samples; after a reset of the counter, its usage is the new count. */
function usageIntervals(samples: readonly UsageSample[]): readonly UsageInterval[] {
  return samples.slice(1).flatMap((sample, at) => {
    const before = samples[at];
    const used = usedUnits(sample.usage);
    const usedBefore = before && usedUnits(before.usage);
    if (!before || used === undefined || usedBefore === undefined || sample.at <= before.at) return [];
    const isReset = used < usedBefore || sample.usage.last_cu_reset_date !== before.usage.last_cu_reset_date;
    return [{ from: before.at, to: sample.at, units: isReset ? used : used - usedBefore }];
  });
}

function usedUnits(usage: JsonObject): number | undefined {
  const used = decimalOf(usage.usage_cus);
  return used && Number(`${used.negative ? "-" : ""}${used.digits}e-${used.scale}`);
}
