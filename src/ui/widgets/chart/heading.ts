/** The lines above a chart: what it shows, its values, and the choice of its range with the keys that change it. */
import { type Decimal, percentChange, pluralize } from "../../../base/index.ts";
import { MISSING } from "../../../output/index.ts";
import { bindAction } from "../../navigation/keys/bindings.ts";
import type { Binding } from "../../navigation/keys/keymap.ts";
import {
  fitLine,
  joinEnds,
  joinFitting,
  lineWidth,
  type Span,
  span,
  type TextLine,
} from "../../navigation/theme/text-line.ts";
import { changeSpan } from "../cells.ts";
import { clampIndex } from "../viewport.ts";
import { type ChartPoint, spansDays, summarizeSeries, timeText } from "./series.ts";

/** What is said about a chart, or about the point of its cursor. */
export interface ChartHeading {
  /** What it shows: `JUP in USD`. */
  readonly title: TextLine;
  /** The value, its change and its time; the most important first, as many as fit. */
  readonly values: readonly TextLine[];
  /** Further numbers, such as the extremes. */
  readonly details: readonly TextLine[];
  /** What the data is, and with the role of warnings what it leaves out. */
  readonly notes?: readonly TextLine[];
}

/** Minimum height of a region with two lines above the chart. */
const MIN_TALL = 10;

/**
 * Returns one line above a low chart and two above a high one, whatever they say, so that the chart does not move with
 * the cursor. Warnings come first: figures of a part without them look like those of the whole.
 */
export function headingLines(
  { title, values, details, notes = [] }: ChartHeading,
  choice: ChartChoice | undefined,
  width: number,
  height: number,
): readonly TextLine[] {
  const choices = choice ? choiceLine(choice, Math.max(0, width - lineWidth(title) - 12)) : [];
  const space = width - (choices.length === 0 ? 0 : lineWidth(choices) + 2);
  const isTall = height >= MIN_TALL;
  const { warnings = [], others = [] } = Object.groupBy(notes, (note) =>
    note[0]?.role === "warning" ? "warnings" : "others",
  );
  const rest = [...details, ...others];
  const first = joinFitting([title, ...(isTall ? values : [...warnings, ...values, ...rest])], space);
  const lines = [joinEnds(lineWidth(first) === 0 ? fitLine(title, space) : first, choices, width)];
  if (!isTall) return lines;
  return [...lines, fitLine(joinFitting([...warnings, ...rest], width), width)];
}

/** The ranges of prices and balances in days. */
export const RANGES = [1, 7, 30, 90, 365] as const;

/** A range in days. */
export type ChartDays = (typeof RANGES)[number];

/** A choice in the title of a chart. */
export interface ChartChoice {
  readonly labels: readonly string[];
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

/** Returns the choice that is `by` further in a list of choices; stops at the ends. */
export function nextRange<T>(ranges: readonly T[], current: T, by: number): T {
  return ranges[clampIndex(ranges.indexOf(current) + by, ranges.length)] ?? current;
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

interface CaptionOptions {
  readonly format: (value: Decimal) => string;
  readonly isDaily: boolean;
  readonly unicode: boolean;
  /** The period of all points: `30 days`; undefined when they cover only a part of it. */
  readonly period: string | undefined;
}

/**
 * Returns the value at a point with its change since the first one and its time; without a point, the newest value, the
 * change over all and the extremes.
 */
export function seriesHeading(
  points: readonly ChartPoint[],
  index: number | undefined,
  { format, isDaily, unicode, period }: CaptionOptions,
): Pick<ChartHeading, "values" | "details"> {
  const summary = summarizeSeries(points);
  if (!summary) return { values: [], details: [] };
  const { first, last, lowest, highest, holes } = summary;
  const amount = ({ exact }: ChartPoint) => (exact ? format(exact) : MISSING.text);
  const time = (point: ChartPoint) => timeText(point.time, isDaily);
  const extreme = (name: string, point: ChartPoint): TextLine => [
    span(`${name} `, "key"),
    span(amount(point)),
    span(` ${timeText(point.time, isDaily || spansDays(points))}`, "note"),
  ];
  const details: readonly TextLine[] =
    lowest.value === highest.value
      ? [[span("constant", "note")]]
      : [extreme("lowest", lowest), extreme("highest", highest)];
  const missing: readonly TextLine[] = holes > 0 ? [[span(`${pluralize(holes, "day")} missing`, "warning")]] : [];
  const point = index === undefined ? undefined : points[index];
  const current = point ?? last;
  const change = first.exact && current.exact && percentChange(first.exact, current.exact);
  const since = point || period === undefined ? ` since ${timeText(first.time, true)}` : ` in ${period}`;
  return {
    values: [
      [span(amount(current), "title")],
      ...(point ? [[span(time(point), "marked")]] : []),
      ...(change && current !== first ? [[changeSpan(change, unicode), span(since, "note")]] : []),
    ],
    details: [...details, ...missing],
  };
}
