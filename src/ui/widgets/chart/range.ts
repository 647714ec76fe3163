/** The number of days of a chart and the keys that change it. */
import { actionBinding } from "../../app/keys/actions.ts";
import type { Binding } from "../../app/keys/keymap.ts";

/** The selectable ranges in days. */
export const RANGES = [7, 30, 90, 365] as const;

/** The longest range. */
export const MAX_DAYS = RANGES[3];

/** A range in days. */
export type ChartDays = (typeof RANGES)[number];

/** Returns the next longer or shorter of some ranges; stops at the ends. */
export function nextRange<D extends number>(ranges: readonly D[], days: D, by: number): D {
  const at = Math.max(0, Math.min(ranges.length - 1, ranges.indexOf(days) + by));
  return ranges[at] ?? days;
}

/**
 * Returns the bindings for a longer and a shorter range.
 * @param change is called with a function from the current range to the next
 */
export function rangeBindings<D extends number>(
  ranges: readonly D[],
  days: D,
  change: (after: (before: D) => D) => void,
): readonly Binding[] {
  const by = (steps: number) => () => change((before) => nextRange(ranges, before, steps));
  return [
    {
      ...actionBinding("chart.more"),
      label: "more days",
      group: "view",
      hint: 12,
      active: days !== ranges.at(-1),
      run: by(1),
    },
    {
      ...actionBinding("chart.less"),
      label: "fewer days",
      group: "view",
      hint: 13,
      active: days !== ranges[0],
      run: by(-1),
    },
  ];
}
