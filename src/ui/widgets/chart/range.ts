/** The number of days of a chart and the keys that change it. */
import { actionBinding } from "../../app/keys/actions.ts";
import type { Binding } from "../../app/keys/keymap.ts";

/** The selectable ranges in days. */
export const RANGES = [7, 30, 90, 365] as const;

/** The longest range. */
export const MAX_DAYS = RANGES[3];

/** A range in days. */
export type ChartDays = (typeof RANGES)[number];

/** Returns the next longer or shorter range; stops at the ends. */
export function nextRange(days: ChartDays, by: number): ChartDays {
  const at = Math.max(0, Math.min(RANGES.length - 1, RANGES.indexOf(days) + by));
  return RANGES[at] ?? days;
}

/**
 * Returns the bindings for a longer and a shorter range.
 * @param change is called with a function from the current range to the next
 */
export function rangeBindings(
  days: ChartDays,
  change: (after: (before: ChartDays) => ChartDays) => void,
): readonly Binding[] {
  const by = (steps: number) => () => change((before) => nextRange(before, steps));
  return [
    {
      ...actionBinding("chart.more"),
      label: "more days",
      group: "view",
      hint: 12,
      active: days !== RANGES.at(-1),
      run: by(1),
    },
    {
      ...actionBinding("chart.less"),
      label: "fewer days",
      group: "view",
      hint: 13,
      active: days !== RANGES[0],
      run: by(-1),
    },
  ];
}
