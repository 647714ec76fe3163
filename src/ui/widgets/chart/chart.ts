/** Charts by day with axes: a line for prices, bars for volumes. They fill exactly the given lines and cells. */

import { textWidth } from "../../../output/index.ts";
import { fitLines, span, type TextLine, textLine } from "../../app/theme/text-line.ts";
import { createRaster } from "./raster.ts";
import { axisText, type Extent, extentOf, isDrawable, stepOf } from "./scale.ts";
import { type DayValue, dayText } from "./series.ts";

/** How a chart is drawn. */
export interface ChartOptions {
  readonly width: number;
  readonly height: number;
  readonly unicode: boolean;
  /** Prefix of the numbers of the axis, such as `$`. */
  readonly unit?: string;
  /** Whether a bar of several days is their average instead of their sum. */
  readonly isAverage?: boolean;
  /** The message when there is nothing to draw. */
  readonly empty: string;
}

/** Minimum size with axes; smaller charts are drawn without. */
const MIN_SIZE = { width: 20, height: 4 } as const;
/** A single label is as precise as if there were this many steps down to zero: `$1.00`. */
const SINGLE_LABEL_STEPS = 100;
/** Lines between two labels of the vertical axis. */
const LABEL_EVERY = 4;

/** Height of a chart of a constant value. */
const FLAT_HEIGHT = 6;

/** Approximate width of the vertical axis in cells. */
const AXIS_WIDTH = 9;
/** Maximum width of the bar of one day in cells. */
const MAX_BAR = 8;

/** Draws the area between the axes: lines from the top. */
type DrawField = (width: number, height: number, extent: Extent) => readonly TextLine[];

const barLine = (text: string): TextLine => textLine(text, "bar");

/** Draws a line chart; unknown days are gaps, a single value is a horizontal line. */
export function lineChart(points: readonly DayValue[], options: ChartOptions): readonly TextLine[] {
  const visible = trimHoles(points);
  const extent = extentOf(visible.map(({ value }) => value));
  const isFlat = extent !== undefined && extent.min === extent.max;
  const height = isFlat ? Math.min(options.height, FLAT_HEIGHT) : options.height;
  const chart = withAxes(visible, extent, { ...options, height }, (width, height, extent) => {
    const raster = createRaster(width, height, options.unicode);
    let before: readonly [x: number, y: number] | undefined;
    for (const [index, { value }] of visible.entries()) {
      if (!isDrawable(value)) {
        before = undefined;
        continue;
      }
      const x = positionOf(index, visible.length, raster.columns);
      const y = stepOf(value, extent, raster.rows);
      const [fromX, fromY] = before ?? [visible.length === 1 ? 0 : x, y];
      raster.line(fromX, fromY, visible.length === 1 ? raster.columns - 1 : x, y);
      before = [x, y];
    }
    return raster.text().map(barLine);
  });
  return fitLines(chart, options.width, options.height);
}

/** Returns how many days one bar covers when a chart of this width has no space for a bar per day. */
export function daysPerBar(points: readonly DayValue[], width: number): number {
  return Math.max(1, Math.ceil(trimHoles(points).length / Math.max(1, width - AXIS_WIDTH)));
}

/** Draws bars from zero, one per day or per {@link daysPerBar} days. */
export function barChart(points: readonly DayValue[], options: ChartOptions): readonly TextLine[] {
  const visible = groupDays(trimHoles(points), daysPerBar(points, options.width), options);
  const valueExtent = extentOf(visible.map(({ value }) => value));
  const extent = valueExtent && { min: Math.min(0, valueExtent.min), max: Math.max(0, valueExtent.max) };
  return withAxes(visible, extent, options, (width, height, { max }) => {
    const cellsPerBar = Math.max(1, Math.floor(width / visible.length));
    const barWidth = barWidthOf(cellsPerBar);
    const levels = visible.map(({ value }) => levelOf(value, max, height, options.unicode));
    return Array.from({ length: height }, (_, row) =>
      barLine(
        levels
          .map((level, at) => {
            const cell = barCell(level, height - 1 - row, options.unicode);
            const space = barSpace(at, levels.length, width);
            // Without space for gaps, bars fill it: some are wider than others.
            if (cellsPerBar === 1) return cell.repeat(space);
            return centreText(cell.repeat(Math.min(barWidth, space)), space).padEnd(space);
          })
          .join(""),
      ),
    );
  });
}

/** Returns the width of bars from the cells that each has with its gap. */
export const barWidthOf = (cells: number): number => Math.min(MAX_BAR, Math.max(1, cells - (cells > 5 ? 2 : 1)));

/** Returns the cells of a bar and its gap. The remaining width is distributed, so that the last bar is at the end. */
export const barSpace = (at: number, count: number, width: number): number =>
  Math.floor(((at + 1) * width) / count) - Math.floor((at * width) / count);

const centreText = (text: string, width: number) => " ".repeat(Math.floor((width - text.length) / 2)) + text;

/** Blocks that fill a cell from the bottom, by eighths. */
export const EIGHTHS = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"] as const;

/** Returns the height of a bar in eighths of a cell (in cells in ASCII); 0 for zero, undefined for a missing value. */
function levelOf(value: number | undefined, max: number, height: number, unicode: boolean): number | undefined {
  if (!isDrawable(value)) return undefined;
  if (value <= 0 || max <= 0) return 0;
  const steps = height * (unicode ? EIGHTHS.length : 1);
  return Math.max(1, Math.round((value / max) * steps));
}

/**
 * Returns the character of a bar at a height counted from the bottom. Zero has its own mark, a missing value is blank.
 */
function barCell(level: number | undefined, above: number, unicode: boolean): string {
  if (level === undefined) return " ";
  if (level === 0) return above === 0 ? (unicode ? "·" : "_") : " ";
  const left = level - above * (unicode ? EIGHTHS.length : 1);
  if (left <= 0) return " ";
  if (!unicode) return "#";
  return EIGHTHS[Math.min(left, EIGHTHS.length) - 1] ?? " ";
}

/** Combines groups of days; the last group ends at the last day, and each has the date of its last day. */
export function groupDays(
  points: readonly DayValue[],
  days: number,
  { isAverage = false }: Pick<ChartOptions, "isAverage">,
): readonly DayValue[] {
  if (days === 1) return points;
  const groups: DayValue[] = [];
  for (let end = points.length; end > 0; end -= days) {
    const group = points.slice(Math.max(0, end - days), end);
    const values = group.map(({ value }) => value).filter(isDrawable);
    const sum = values.length === 0 ? undefined : values.reduce((total, one) => total + one, 0);
    const value = sum === undefined || !isAverage ? sum : sum / values.length;
    groups.unshift({ day: points[end - 1]?.day ?? 0, value, exact: undefined });
  }
  return groups;
}

/** Removes missing values at both ends. */
export function trimHoles(points: readonly DayValue[]): readonly DayValue[] {
  const first = points.findIndex(({ value }) => isDrawable(value));
  const last = points.findLastIndex(({ value }) => isDrawable(value));
  return first < 0 ? [] : points.slice(first, last + 1);
}

/** Returns the position of one of `count` items on an axis of `size` positions, the first and the last at the ends. */
function positionOf(index: number, count: number, size: number): number {
  return count <= 1 ? 0 : Math.round((index / (count - 1)) * (size - 1));
}

/** Draws a field with a vertical axis of values and dates below; without axes where there is no space. */
export function withAxes(
  points: readonly DayValue[],
  extent: Extent | undefined,
  options: ChartOptions,
  draw: DrawField,
) {
  const { width, height, unit = "", unicode, empty } = options;
  const [first, last] = [points[0], points.at(-1)];
  if (!extent || !first || !last) return fitLines(centreVertically(textLine(empty, "note"), height), width, height);
  if (width < MIN_SIZE.width || height < MIN_SIZE.height) {
    return fitLines(draw(Math.max(1, width), Math.max(1, height), extent), width, height);
  }
  const field = height - 1;
  const labels = axisLabels(extent, field, unit);
  const gutter = Math.max(...labels.map((text) => textWidth(text)));
  const inner = width - gutter - 2;
  const rows = draw(inner, field, extent).map((line, row): TextLine => {
    const label = labels[row] ?? "";
    const edge = unicode ? (label === "" ? "│" : "┤") : label === "" ? "|" : "+";
    return [span(`${label.padStart(gutter)} ${edge}`, "frame"), ...line];
  });
  return fitLines([...rows, dateAxis(points, gutter + 2, inner)], width, height);
}

/** Returns the labels of the vertical axis from the top; lines without a label have an empty one. */
function axisLabels({ min, max }: Extent, height: number, unit: string): readonly string[] {
  const count = min === max ? 1 : Math.max(2, Math.floor((height - 1) / LABEL_EVERY) + 1);
  const step = ((max / 2 - min / 2) / Math.max(1, count - 1)) * 2;
  const labels = Array.from({ length: height }, () => "");
  for (let index = 0; index < count; index += 1) {
    const row = count === 1 ? Math.floor(height / 2) : height - 1 - positionOf(index, count, height);
    labels[row] =
      count === 1 ? axisText(min, min / SINGLE_LABEL_STEPS, unit) : axisText(min + step * index, step, unit);
  }
  return labels;
}

/** Returns the dates below the chart: first, middle and last, as far as they fit. */
function dateAxis(points: readonly DayValue[], indent: number, width: number): TextLine {
  const days = points.map(({ day }) => day);
  const [first = 0, last = 0] = [days[0], days.at(-1)];
  const texts = [dayText(first), dayText(Math.round((first + last) / 2)), dayText(last)];
  const [left = "", mid = "", right = ""] = texts;
  if (first === last || width < left.length + right.length + 2) {
    return textLine(" ".repeat(indent) + (first === last ? left : right.padStart(width)), "frame");
  }
  const rest = width - left.length - right.length;
  const hasMid = last - first > 1 && rest >= mid.length + 4;
  const before = hasMid ? Math.floor((rest - mid.length) / 2) : rest;
  const text = hasMid
    ? `${left}${" ".repeat(before)}${mid}${" ".repeat(rest - mid.length - before)}${right}`
    : `${left}${" ".repeat(before)}${right}`;
  return textLine(" ".repeat(indent) + text, "frame");
}

function centreVertically(one: TextLine, height: number): readonly TextLine[] {
  return [...Array.from({ length: Math.max(0, Math.floor((height - 1) / 2)) }, () => textLine("")), one];
}
