/** Rates of unit usage, derived from samples. */

import { HOUR_MS, toNumber } from "../../base/index.ts";
import type { UsageSample } from "./samples.ts";

/** The time between two samples, and the units used in it. */
export interface UsageInterval {
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
export function usageIntervals(samples: readonly UsageSample[]): readonly UsageInterval[] {
  return samples.slice(1).flatMap(({ at, usage }, index) => {
    const before = samples[index];
    const [used, usedBefore] = [toNumber(usage.usage_cus), toNumber(before?.usage.usage_cus)];
    if (!before || used === undefined || usedBefore === undefined || at <= before.at) return [];
    const [reset, resetBefore] = [usage.last_cu_reset_date, before.usage.last_cu_reset_date];
    const isReset = used < usedBefore || (reset && resetBefore && reset !== resetBefore);
    return [{ from: before.at, to: at, units: isReset ? used : used - usedBefore }];
  });
}
