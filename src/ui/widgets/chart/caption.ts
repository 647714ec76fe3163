/** The exact numbers beside a chart, in words. */
import { formatUsd } from "../../../output/values/number.ts";
import { lineWidth, span, type TextLine, textLine } from "../../app/theme/text-line.ts";
import { changeSpan } from "./change.ts";
import { dayText, type Point, type Told } from "./series.ts";

/** How the numbers are told. */
export interface TellOptions {
  readonly days: number;
  /** What they are of: `price`. */
  readonly what: string;
  /** What else is to be known of the chart, such as the days of one bar. */
  readonly note?: string;
  readonly unicode: boolean;
  readonly width: number;
}

const amount = (point: Point) => (point.exact ? formatUsd(point.exact) : "-");

/** Last value, change, least and greatest with their days: in one line where it is wide enough, else in two. */
export function told(
  numbers: Told | undefined,
  { days, what, note, unicode, width }: TellOptions,
): readonly TextLine[] {
  const title = `${what} of ${days} days`;
  if (!numbers) return [textLine(title, "title")];
  const { last, least, greatest, change, holes } = numbers;
  const first: TextLine = [
    span(`${title}  `, "title"),
    span(amount(last)),
    span(` on ${dayText(last.day)}  `, "note"),
    changeSpan(change, unicode),
  ];
  const isFlat = least.value === greatest.value;
  const range: TextLine = [
    span("least ", "key"),
    span(amount(least)),
    span(` ${dayText(least.day)}  `, "note"),
    span("greatest ", "key"),
    span(amount(greatest)),
    span(` ${dayText(greatest.day)}`, "note"),
  ];
  const second: TextLine = [
    ...(isFlat ? [span("the same on every day", "note")] : range),
    ...(holes > 0 ? [span(`  ${holes === 1 ? "1 day is" : `${holes} days are`} missing`, "warning")] : []),
    ...(note === undefined ? [] : [span(`  ${note}`, "note")]),
  ];
  const both: TextLine = [...first, span("  "), ...second];
  return lineWidth(both) <= width ? [both] : [first, second];
}
