/** Bars by day whose parts are stacked, with axes. */
import { type Role, span, type TextLine } from "../../app/theme/text-line.ts";
import {
  barSpace,
  barWidthOf,
  type ChartOptions,
  daysPerBar,
  EIGHTHS,
  groupDays,
  trimHoles,
  withAxes,
} from "./chart.ts";
import { extentOf, isDrawable } from "./scale.ts";
import type { DayValue } from "./series.ts";

/** A part of each bar. */
export interface StackedPart {
  readonly role: Role;
  readonly points: readonly DayValue[];
}

/** How stacked bars are drawn. */
export interface StackedOptions extends ChartOptions {
  /** Whether colours distinguish the parts; without them their shades do. */
  readonly colored: boolean;
}

const SHADES = ["█", "▓", "░", "▒"] as const;
const ASCII_SHADES = ["#", "=", ".", "+"] as const;

/** Returns the sign of a part in a legend. */
export function partSign(at: number, { unicode, colored }: Pick<StackedOptions, "unicode" | "colored">): string {
  if (!unicode) return ASCII_SHADES[at] ?? "#";
  return colored ? "■" : (SHADES[at] ?? "█");
}

/** Draws bars from zero with the first part at the bottom; all parts must have the same days. */
export function stackedChart(parts: readonly StackedPart[], options: StackedOptions): readonly TextLine[] {
  const days = parts[0]?.points ?? [];
  const totals = days.map((day, at): DayValue => ({ day: day.day, value: sumAt(parts, at), exact: undefined }));
  const visible = trimHoles(totals);
  const first = visible.length === 0 ? 0 : totals.indexOf(visible[0] as DayValue);
  const group = daysPerBar(totals, options.width);
  const grouped = groupDays(visible, group, options);
  const series = parts.map(({ points }) => groupDays(points.slice(first, first + visible.length), group, options));
  const extent = extentOf(grouped.map(({ value }) => value));
  return withAxes(grouped, extent && { min: 0, max: Math.max(0, extent.max) }, options, (width, height, { max }) => {
    const steps = options.unicode ? EIGHTHS.length : 1;
    // The upper end of each part of each bar, in steps from the bottom.
    const ends = grouped.map((_, at) => {
      let sum = 0;
      return series.map((points) => {
        sum += Math.max(0, points[at]?.value ?? 0);
        return max > 0 ? Math.round((sum / max) * height * steps) : 0;
      });
    });
    const cellsPerBar = Math.floor(width / ends.length);
    const hasGaps = cellsPerBar > 2;
    return Array.from({ length: height }, (_, row) =>
      ends.flatMap((bar, at): TextLine => {
        const space = barSpace(at, ends.length, width);
        const { text, role } = cellOf(bar, (height - 1 - row) * steps, steps, parts, options);
        const filled = Math.min(space, hasGaps ? barWidthOf(cellsPerBar) : space);
        const before = Math.floor((space - filled) / 2);
        return [span(" ".repeat(before)), span(text.repeat(filled), role), span(" ".repeat(space - filled - before))];
      }),
    );
  });
}

/** Returns the sum of a day; undefined when no part is known. */
function sumAt(parts: readonly StackedPart[], at: number): number | undefined {
  const values = parts.map(({ points }) => points[at]?.value).filter(isDrawable);
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0);
}

/** Returns the character of a cell that begins at a step: it shows the part that covers most of it. */
function cellOf(
  ends: readonly number[],
  bottom: number,
  steps: number,
  parts: readonly StackedPart[],
  { unicode, colored }: StackedOptions,
): { readonly text: string; readonly role: Role | undefined } {
  const top = Math.min(steps, (ends.at(-1) ?? 0) - bottom);
  if (top <= 0) return { text: " ", role: undefined };
  const covered = ends.map((end, at) => Math.min(end, bottom + steps) - Math.max(ends[at - 1] ?? 0, bottom));
  const at = covered.indexOf(Math.max(...covered));
  const role = parts[at]?.role;
  if (!unicode) return { text: ASCII_SHADES[at] ?? "#", role };
  if (colored || at === 0) return { text: EIGHTHS[top - 1] ?? "█", role };
  return { text: SHADES[at] ?? "█", role };
}
