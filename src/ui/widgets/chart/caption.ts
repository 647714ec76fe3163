/** What is said about a series: its value, its change and its extremes. */
import { type Decimal, percentChange, pluralize } from "../../../base/index.ts";
import { MISSING } from "../../../output/index.ts";
import { span, type TextLine } from "../../navigation/theme/text-line.ts";
import { changeSpan } from "./change.ts";
import type { ChartHeading } from "./heading.ts";
import { type ChartPoint, spansDays, summarizeSeries, timeText } from "./series.ts";

/** How a series is described. */
export interface CaptionOptions {
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
