/** How often values occur, in classes whose limits are 1, 2 or 5 × 10ⁿ: they fit fees and compute units of any size. */
import { barsPlot } from "./bars.ts";
import type { AxisLabel, Plot, PlotOf } from "./plot.ts";

/** The values from a limit on, below the next one. */
export interface HistogramClass {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

const MANTISSAS = [1, 2, 5] as const;
/** Cells between two labels. */
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

const SUFFIXES = ["", "K", "M", "B", "T"] as const;

/** Formats a limit, which has one digit and zeros: `5K`, `200`. */
function limitText(limit: number): string {
  const power = limit < 1000 ? 0 : Math.min(SUFFIXES.length - 1, Math.floor(Math.log10(limit) / 3));
  return `${limit / 1000 ** power}${SUFFIXES[power]}`;
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
