/** Bars from zero, whose parts are stacked, and histograms, whose classes are bars. */
import type { Role } from "../../navigation/theme/text-line.ts";
import {
  type AxisLabel,
  type CellStyle,
  type ChartStyle,
  EIGHTHS,
  type Field,
  type Plot,
  type PlotOf,
} from "./plot.ts";
import { isDrawable, measureExtent, suffixOf } from "./scale.ts";
import type { ChartPoint } from "./series.ts";

/** A part of each bar; the first is at the bottom. All parts have the same times. */
export interface BarPart {
  readonly role: Role;
  readonly points: readonly ChartPoint[];
}

const MAX_BAR = 8;
/** Distinguish the parts without colours. */
const SHADES = ["█", "▓", "░", "▒"] as const;
const ASCII_SHADES = ["#", "=", ".", "+"] as const;
/** How far a bar of one part fades towards its foot. */
const FOOT_FADE = 0.6;

/** Returns the sign of a part in a legend. */
export function partSign(at: number, { unicode, colors }: ChartStyle): string {
  if (!unicode) return ASCII_SHADES[at] ?? "#";
  return colors === "none" ? (SHADES[at] ?? "█") : "■";
}

/** Lays out bars; where several share a cell, their average is drawn. */
export function barsPlot(parts: readonly BarPart[]): PlotOf {
  return (width, style): Plot | undefined => {
    const count = parts[0]?.points.length ?? 0;
    const totals = Array.from({ length: count }, (_, at) => sumAt(parts, at));
    const extent = measureExtent(totals);
    if (!extent) return undefined;
    const columns = layOutBars(count, width);
    const bars = averagesByColumn(parts, columns);
    const highest = measureExtent(bars.map(({ values }) => sumKnown(values)));
    return {
      points: totals.map((value, index) => ({
        index,
        x: columns[index]?.centre ?? 0,
        time: parts[0]?.points[index]?.time ?? 0,
        value,
      })),
      extent: { min: 0, max: Math.max(0, highest?.max ?? 0) },
      pointWidth: columns[0]?.width ?? 1,
      highlight: parts.length === 1 ? "bar" : "none",
      draw: (field) => {
        for (const bar of bars) drawBar(field, bar, parts, style);
      },
    };
  };
}

function sumAt(parts: readonly BarPart[], at: number): number | undefined {
  return sumKnown(parts.map(({ points }) => points[at]?.value));
}

function sumKnown(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter(isDrawable);
  return known.length === 0 ? undefined : known.reduce((sum, value) => sum + value, 0);
}

interface Column {
  readonly left: number;
  readonly width: number;
  readonly centre: number;
}

/** Distributes the width, so that the last bar ends at the edge; bars have gaps where there is space. */
function layOutBars(count: number, width: number): readonly Column[] {
  const cells = Math.max(1, Math.floor(width / count));
  const size = Math.min(MAX_BAR, Math.max(1, cells - (cells > 5 ? 2 : cells > 2 ? 1 : 0)));
  return Array.from({ length: count }, (_, at) => {
    const [from, to] = [Math.floor((at * width) / count), Math.floor(((at + 1) * width) / count)];
    const space = Math.max(1, to - from);
    // Without space for gaps, bars fill it: some are wider than others.
    const used = cells > 2 ? Math.min(size, space) : space;
    const left = from + Math.floor((space - used) / 2);
    return { left, width: used, centre: left + Math.floor((used - 1) / 2) };
  });
}

interface Bar extends Column {
  readonly values: readonly (number | undefined)[];
}

function averagesByColumn(parts: readonly BarPart[], columns: readonly Column[]): readonly Bar[] {
  const groups = new Map<number, number[]>();
  for (const [at, { left }] of columns.entries()) groups.set(left, [...(groups.get(left) ?? []), at]);
  return [...groups.values()].flatMap((indices) => {
    const column = columns[indices[0] ?? 0];
    if (!column) return [];
    const values = parts.map(({ points }) => {
      const known = indices.map((at) => points[at]?.value).filter(isDrawable);
      return known.length === 0 ? undefined : known.reduce((sum, one) => sum + one, 0) / known.length;
    });
    return [{ ...column, values }];
  });
}

/** Draws a bar; zero has its own mark, an unknown value is blank. */
function drawBar(field: Field, bar: Bar, parts: readonly BarPart[], style: ChartStyle): void {
  const total = sumKnown(bar.values);
  if (total === undefined) return;
  const steps = style.unicode ? EIGHTHS.length : 1;
  let sum = 0;
  const ends = bar.values.map((value) => {
    sum += Math.max(0, isDrawable(value) ? value : 0);
    return Math.round(field.level(sum, steps));
  });
  if (total > 0 && ends.at(-1) === 0) ends[ends.length - 1] = 1;
  const rows = Math.max(1, Math.ceil((ends.at(-1) ?? 0) / steps));
  for (let above = 0; above < rows; above += 1) {
    const y = field.height - 1 - above;
    const { text, role } = chooseCell(ends, above * steps, steps, parts, style);
    const fade = parts.length > 1 || style.colors !== "mixed" ? 0 : footFade(y, field.height);
    const cell: CellStyle = { role, fade };
    for (let x = bar.left; x < bar.left + bar.width; x += 1) field.canvas.set(x, y, text, cell);
  }
}

const footFade = (y: number, height: number): number => Math.round((y / Math.max(1, height - 1)) * FOOT_FADE * 50) / 50;

/** Returns the character of a cell that begins at a step: it shows the part that covers most of it. */
function chooseCell(
  ends: readonly number[],
  bottom: number,
  steps: number,
  parts: readonly BarPart[],
  { unicode, colors }: ChartStyle,
): { readonly text: string; readonly role: Role } {
  const top = Math.min(steps, (ends.at(-1) ?? 0) - bottom);
  const covered = ends.map((end, at) => Math.min(end, bottom + steps) - Math.max(ends[at - 1] ?? 0, bottom));
  const at = covered.indexOf(Math.max(...covered));
  const role = parts[at]?.role ?? "bar";
  if (top <= 0) return { text: unicode ? "·" : "_", role };
  if (!unicode) return { text: ASCII_SHADES[at] ?? "#", role };
  if (colors !== "none" || at === 0) return { text: EIGHTHS[top - 1] ?? "█", role };
  return { text: SHADES[at] ?? "█", role };
}

/** The values from a limit on, below the next one. */
export interface HistogramClass {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

const MANTISSAS = [1, 2, 5] as const;
const LABEL_GAP = 1;

/** Returns the limits from the last one that is at most the lowest value to the first one above the highest. */
function listLimits(min: number, max: number): readonly number[] {
  const limits: number[] = min < 1 ? [0] : [];
  const first = Math.floor(Math.log10(Math.max(1, min)));
  for (let power = first; power <= 20; power += 1) {
    for (const mantissa of MANTISSAS) {
      const limit = mantissa * 10 ** power;
      if (limit > min || limit * 2.5 > min) limits.push(limit);
      if (limit > max) return limits;
    }
  }
  return limits;
}

/** Returns the classes from that of the lowest value to that of the highest one. Negative values do not occur. */
export function histogram(values: readonly number[]): readonly HistogramClass[] {
  const known = values.filter((value) => Number.isFinite(value) && value >= 0);
  if (known.length === 0) return [];
  const [min, max] = [Math.min(...known), Math.max(...known)];
  const limits = listLimits(min, max);
  const classes = limits.slice(0, -1).map((from, at) => {
    const to = limits[at + 1] ?? Number.POSITIVE_INFINITY;
    return { from, to, count: known.filter((value) => value >= from && value < to).length };
  });
  return classes.filter(({ to }) => to > min);
}

/** Lays out classes as bars, with their lower limits below. */
export function histogramPlot(classes: readonly HistogramClass[]): PlotOf {
  const bars = barsPlot([
    { role: "bar", points: classes.map(({ count }, time) => ({ time, value: count, exact: undefined })) },
  ]);
  return (width, style): Plot | undefined => {
    const plot = bars(width, style);
    return plot && { ...plot, isWhole: true, labels: limitLabels(classes, plot, width) };
  };
}

/** Formats a limit, which has one digit and zeros: `5K`, `200`. */
function limitText(limit: number): string {
  const [suffix, divisor] = suffixOf(limit);
  return `${limit / divisor}${suffix}`;
}

function limitLabels(classes: readonly HistogramClass[], { points }: Plot, width: number): readonly AxisLabel[] {
  const labels: AxisLabel[] = [];
  for (const [at, { from }] of classes.entries()) {
    const label = limitText(from);
    const x = Math.max(0, (points[at]?.x ?? 0) - Math.floor(label.length / 2));
    const last = labels.at(-1);
    const isFree = !last || x >= last.x + last.label.length + LABEL_GAP;
    if (isFree && x + label.length <= width) labels.push({ x, label });
  }
  return labels;
}

/** Returns the value below which a fraction of the values lies. */
export function quantile(values: readonly number[], fraction: number): number | undefined {
  const sorted = values.filter(Number.isFinite).toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(fraction * sorted.length))];
}
