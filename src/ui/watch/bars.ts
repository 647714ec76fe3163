/** Bar charts of a series, with the maximum at the side and the time below. */

import { joinEnds, span, type TextLine, textLine } from "../navigation/theme/text-line.ts";
import { extentOf, isDrawable, threeDigits } from "../widgets/chart/scale.ts";

/** Options of {@link barLines}. */
export interface BarOptions {
  readonly width: number;
  /** Lines, including the time axis. */
  readonly height: number;
  readonly unicode: boolean;
  /** Label of the start of the time axis, which ends now. */
  readonly from: string;
}

/** Cells of the labels at the side, including the axis. */
const GUTTER = 8;

/** Returns how many bars fit, each at least one cell wide. */
export function barCount(width: number, maximum: number): number {
  return Math.max(1, Math.min(maximum, width - GUTTER));
}

/** Returns the bars in exactly `height` lines; missing values are blank, zero has its own mark. */
export function barLines(
  values: readonly (number | undefined)[],
  { width, height, unicode, from }: BarOptions,
): readonly TextLine[] {
  const extent = extentOf(values);
  if (!extent || height < 2) return [];
  const each = Math.max(1, Math.floor((width - GUTTER) / values.length));
  const rowCount = height - 1;
  const stepsPerRow = unicode ? EIGHTHS.length : 1;
  const maximum = Math.max(extent.max, 0);
  const levels = values.map((value) => {
    if (!isDrawable(value)) return undefined;
    return value <= 0 ? 0 : Math.max(1, Math.round((value / maximum) * rowCount * stepsPerRow));
  });
  const rows = Array.from({ length: rowCount }, (_, row): TextLine => {
    const above = (rowCount - 1 - row) * stepsPerRow;
    const label = row === 0 && maximum > 0 ? threeDigits(maximum) : row === rowCount - 1 ? "0" : "";
    const edge = unicode ? (label === "" ? "│" : "┤") : label === "" ? "|" : "+";
    const text = levels.map((level) => chooseBlock(level, above, unicode).repeat(each)).join("");
    return [span(`${label.padStart(GUTTER - 2)} ${edge}`, "frame"), span(text, "bar")];
  });
  const end = GUTTER + each * values.length;
  return [
    ...rows,
    joinEnds(textLine(`${" ".repeat(GUTTER)}${from}`, "frame"), textLine("now", "frame"), Math.min(width, end)),
  ];
}

const EIGHTHS = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"] as const;

/** Returns the cell of a bar above a number of steps. */
function chooseBlock(level: number | undefined, above: number, unicode: boolean): string {
  if (level === undefined) return " ";
  if (level === 0) return above > 0 ? " " : unicode ? "·" : "_";
  if (level <= above) return " ";
  return unicode ? (EIGHTHS[Math.min(level - above, EIGHTHS.length) - 1] ?? " ") : "#";
}
