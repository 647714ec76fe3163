/** One-line charts: a sparkline for a series, and a bar for the shares of a whole with its legend. */

import { toDecimal } from "../../../base/index.ts";
import { formatPercent } from "../../../output/index.ts";
import type { ColorRange } from "../../navigation/theme/painter.ts";
import { lineWidth, type Role, type Span, span, type TextLine } from "../../navigation/theme/text-line.ts";
import { BRAILLE_BITS, FIRST_BRAILLE } from "./lines.ts";
import { isDrawable, measureExtent, stepOf } from "./scale.ts";

const SERIES_ROLES = [
  "series1",
  "series2",
  "series3",
  "series4",
  "series5",
  "series6",
] as const satisfies readonly Role[];

/** A part of a whole. Values are for drawing; the text has the exact number. */
export interface BarShare {
  readonly label: string;
  readonly value: number;
  /** What follows the label; the share in percent by default. */
  readonly text?: string | undefined;
}

/** How a stacked bar is drawn. */
export interface StackedBarOptions {
  readonly width: number;
  readonly unicode: boolean;
  readonly colors: ColorRange;
  /** Whether the shares stay in the given order: all of them have a segment, and the last one is the rest. */
  readonly isOrdered?: boolean;
}

/** Distinguish segments without colours. */
const SHADES = ["█", "▒", "▓", "░", "▚", "▤"] as const;
const ASCII_SHADES = ["#", "=", "+", "-", "o", "~"] as const;
const REST_SHADES = { unicode: "·", ascii: "." } as const;
const GAP = "  ";

function seriesSign(at: number, { unicode, colors }: Pick<StackedBarOptions, "unicode" | "colors">): string {
  const shades = unicode ? SHADES : ASCII_SHADES;
  return unicode && colors !== "none" ? "█" : (shades[at % shades.length] ?? "#");
}

interface Segment extends BarShare {
  readonly sign: string;
  readonly role: Role;
}

/**
 * Returns a bar of exactly `width` cells and its legend: the largest values in their own colours, as many as the legend
 * names in one line, and the rest as one segment. Empty without positive values.
 */
export function stackedBar(shares: readonly BarShare[], options: StackedBarOptions): readonly TextLine[] {
  const finite = shares.filter(({ value }) => Number.isFinite(value) && value > 0);
  // Only proportions matter; in proportion to the largest value, the sum of values stays finite.
  const largest = finite.reduce((most, { value }) => Math.max(most, value), 0);
  const positive = finite.map((share) => ({ ...share, value: share.value / largest }));
  const { isOrdered = false } = options;
  const sorted = isOrdered ? positive : positive.toSorted((a, b) => b.value - a.value);
  const total = positive.reduce((sum, { value }) => sum + value, 0);
  if (total === 0 || options.width <= 0) return [];
  const most = Math.min(SERIES_ROLES.length, isOrdered ? sorted.length - 1 : sorted.length);
  for (let count = Math.max(1, most); count > 0; count -= 1) {
    const segments = layOutSegments(sorted, count, options);
    const legend = legendLine(segments, total, options);
    if (lineWidth(legend) <= options.width || count === 1 || isOrdered)
      return [barLine(segments, total, options), legend];
  }
  return [];
}

function layOutSegments(sorted: readonly BarShare[], count: number, options: StackedBarOptions): readonly Segment[] {
  const named = sorted
    .slice(0, count)
    .map((share, at): Segment => ({ ...share, sign: seriesSign(at, options), role: SERIES_ROLES[at] ?? "track" }));
  const others = sorted.slice(count);
  const rest = others.reduce((sum, { value }) => sum + value, 0);
  const sign = options.unicode ? (options.colors === "none" ? REST_SHADES.unicode : "█") : REST_SHADES.ascii;
  const label = options.isOrdered ? (others[0]?.label ?? "") : "other";
  return rest > 0 ? [...named, { label, value: rest, sign, role: "track" }] : named;
}

/** Every segment has a cell at least, as far as there are cells; the widths add up to the width of the bar. */
function barLine(segments: readonly Segment[], total: number, { width }: StackedBarOptions): TextLine {
  const cells = segments.map(({ value }) => Math.max(1, Math.round((value / total) * width)));
  for (let used = cells.reduce((sum, one) => sum + one, 0); used !== width; used += used < width ? 1 : -1) {
    const widest = cells.indexOf(Math.max(...cells));
    cells[widest] = (cells[widest] ?? 0) + (used < width ? 1 : -1);
  }
  return segments.map(({ sign, role }, at): Span => span(sign.repeat(Math.max(0, cells[at] ?? 0)), role));
}

function legendLine(segments: readonly Segment[], total: number, options: StackedBarOptions): TextLine {
  const isBlock = options.unicode && options.colors !== "none";
  return segments.flatMap(({ label, value, text, sign, role }, at) => [
    span(at === 0 ? "" : GAP),
    span(isBlock ? "■ " : `${sign} `, role),
    span(`${label} `),
    span(text ?? shareText(value / total), "note"),
  ]);
}

/** Places of a percentage that are more than noise of its computation. */
const PLACES = 6;

/** Formats a fraction as percent, as tables do: `52.09%`, `<0.01%`. */
export function shareText(share: number): string {
  const percent = toDecimal(Number((share * 100).toFixed(PLACES)));
  return percent === undefined ? "" : formatPercent(percent, "brief");
}

const LEVELS = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"] as const;
const ASCII_LEVELS = [".", ":", "-", "=", "+", "*", "#"] as const;

/**
 * Returns values as a line of dots in exactly `width` cells, which leaves space between the lines of neighbouring rows;
 * in ASCII, as {@link sparkline}.
 */
export function dottedLine(values: readonly number[], width: number, unicode: boolean): string {
  const extent = measureExtent(values);
  if (!unicode || !extent || values.length < 2) return sparkline(values, width, unicode).padEnd(width);
  const [across, down] = [2, BRAILLE_BITS.length];
  const rowAt = (x: number) => {
    const position = (x * (values.length - 1)) / (width * across - 1);
    const [from = 0, to = from] = [values[Math.floor(position)], values[Math.ceil(position)]];
    return down - 1 - stepOf(from + (to - from) * (position % 1), extent, down);
  };
  return Array.from({ length: width }, (_, cell) => {
    const [left, right] = [rowAt(cell * across), rowAt(cell * across + 1)];
    return String.fromCodePoint(FIRST_BRAILLE + (BRAILLE_BITS[left]?.[0] ?? 0) + (BRAILLE_BITS[right]?.[1] ?? 0));
  }).join("");
}

/**
 * Returns values as one character each, the newest that fit into `width`. Missing values are blank; zero has its own
 * mark (`·`) where the scale starts at zero, to distinguish nothing from little.
 */
export function sparkline(values: readonly (number | undefined)[], width: number, unicode: boolean): string {
  const visible = values.slice(Math.max(0, values.length - Math.max(0, width)));
  const extent = measureExtent(visible);
  if (!extent) return " ".repeat(visible.length);
  const levels = unicode ? LEVELS : ASCII_LEVELS;
  const fromZero = extent.min >= 0 && visible.includes(0);
  return visible
    .map((value) => {
      if (!isDrawable(value)) return " ";
      if (fromZero && value === 0) return unicode ? "·" : "_";
      return levels[stepOf(value, extent, levels.length)] ?? " ";
    })
    .join("");
}
