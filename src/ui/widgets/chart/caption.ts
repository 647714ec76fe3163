/** The exact numbers beside a chart. */
import { pluralize } from "../../../base/index.ts";
import { formatUsd } from "../../../output/index.ts";
import { lineWidth, span, type TextLine, textLine } from "../../app/theme/text-line.ts";
import { changeSpan } from "./change.ts";
import { type DayValue, dayText, type SeriesSummary } from "./series.ts";

/** How the caption is formatted. */
export interface CaptionOptions {
  readonly days: number;
  /** The name of the values: `price`. */
  readonly subject: string;
  /** A note about the chart, such as the days per bar. */
  readonly note?: string;
  readonly unicode: boolean;
  readonly width: number;
}

const amount = (point: DayValue) => (point.exact ? formatUsd(point.exact) : "-");

/**
 * Returns the last value, the change, the lowest and the highest value with their days: in one line where it fits,
 * otherwise in two.
 */
export function captionLines(
  summary: SeriesSummary | undefined,
  { days, subject, note, unicode, width }: CaptionOptions,
): readonly TextLine[] {
  const title = `${subject} over ${days} days`;
  if (!summary) return [textLine(title, "title")];
  const { last, lowest, highest, change, holes } = summary;
  const first: TextLine = [
    span(`${title}  `, "title"),
    span(amount(last)),
    span(` on ${dayText(last.day)}  `, "note"),
    changeSpan(change, unicode),
  ];
  const isFlat = lowest.value === highest.value;
  const range: TextLine = [
    span("lowest ", "key"),
    span(amount(lowest)),
    span(` ${dayText(lowest.day)}  `, "note"),
    span("highest ", "key"),
    span(amount(highest)),
    span(` ${dayText(highest.day)}`, "note"),
  ];
  const second: TextLine = [
    ...(isFlat ? [span("constant", "note")] : range),
    ...(holes > 0 ? [span(`  ${pluralize(holes, "day")} missing`, "warning")] : []),
    ...(note === undefined ? [] : [span(`  ${note}`, "note")]),
  ];
  const both: TextLine = [...first, span("  "), ...second];
  return lineWidth(both) <= width ? [both] : [first, second];
}
