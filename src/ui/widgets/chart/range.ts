/** Ranges of charts: their labels in the title, which can be clicked, and the keys that change them. */
import { bindAction } from "../../navigation/keys/bindings.ts";
import type { Binding } from "../../navigation/keys/keymap.ts";
import { lineWidth, type Span, type TextLine } from "../../navigation/theme/text-line.ts";

/** The ranges of prices and balances in days. */
export const RANGES = [1, 7, 30, 90, 365] as const;

/** A range in days. */
export type ChartDays = (typeof RANGES)[number];

/** A choice in the title of a chart. */
export interface ChartChoice {
  readonly labels: readonly string[];
  /** The index of the current label. */
  readonly current: number;
  readonly choose: (index: number) => void;
}

/** Returns the choice of some ranges. @param change is called with the chosen range */
export function rangeChoice<D extends number>(ranges: readonly D[], days: D, change: (days: D) => void): ChartChoice {
  return {
    labels: ranges.map((range) => `${range}d`),
    current: ranges.indexOf(days),
    choose(index) {
      const range = ranges[index];
      if (range !== undefined) change(range);
    },
  };
}

/** Returns the labels with the current one highlighted; only that one where there is no space. */
export function choiceLine({ labels, current }: ChartChoice, width: number): TextLine {
  const all = labels.flatMap((label, at): readonly Span[] => [
    ...(at === 0 ? [] : [{ text: " " }]),
    { text: label, role: at === current ? "active" : "note", hit: at },
  ]);
  return lineWidth(all) <= width ? all : [{ text: labels[current] ?? "", role: "active" }];
}

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
    bindAction("chart.more", "more days", by(1), { hint: 12, active: days !== ranges.at(-1) }),
    bindAction("chart.less", "fewer days", by(-1), { hint: 13, active: days !== ranges[0] }),
  ];
}
