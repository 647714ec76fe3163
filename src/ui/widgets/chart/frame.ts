/** The frame of all charts: values at the right with grid lines, volumes and times below, and the cursor. */
import {
  fitLine,
  fitLines,
  lineWidth,
  type Role,
  type Span,
  span,
  type TextLine,
  textLine,
} from "../../navigation/theme/text-line.ts";
import {
  type Canvas,
  type Cell,
  type CellStyle,
  type ChartStyle,
  createCanvas,
  EIGHTHS,
  type Field,
  type Overlay,
  type Plot,
  type PlotOf,
  type PlotPoint,
} from "./plot.ts";
import { type Extent, isDrawable } from "./scale.ts";
import { type NumberStyle, timeTicks, type ValueScale, valueScale } from "./ticks.ts";

interface ChartOptions extends ChartStyle {
  readonly width: number;
  readonly height: number;
  /** Precedes the numbers of the axis, such as `$`, or follows them, such as `%`. */
  readonly unit?: string | undefined;
  readonly empty: string;
}

interface ChartDrawing {
  /** Returns exactly the lines of the chart. @param index the point of the cursor */
  readonly lines: (index?: number) => readonly TextLine[];
  /** Returns the index of the point that is nearest to a cell; undefined without points. */
  readonly indexAt: (x: number) => number | undefined;
}

/** Minimum size with axes; smaller charts have none. */
const MIN_SIZE = { width: 24, height: 4 } as const;
/** From this width on labels have their full width. */
const MIN_WIDE = 60;
/** Cells of an axis at most; labels that are shorter leave the rest to the values. */
const AXIS_WIDTH = { narrow: 10, wide: 13 } as const;
/** Minimum height with volumes, and the part of it that they take. */
const VOLUME = { minHeight: 11, part: 0.16 } as const;
/** Lines between two ticks: at least, and preferably. */
const LINES_PER_TICK = { min: 2, best: 4 } as const;

const GRID: CellStyle = { role: "grid", fade: 0.4 };

/** A vertical axis whose ticks are an equal number of lines apart. */
interface ValueAxis {
  readonly scale: ValueScale;
  /** Lines from the first tick to the last one; at most the given ones. */
  readonly height: number;
}

/**
 * Returns the axis with round ticks that uses most of the lines for the data.
 * @param rows the available lines
 */
export function valueAxis(extent: Extent, rows: number, style: NumberStyle = {}): ValueAxis {
  let best: (ValueAxis & { readonly score: number }) | undefined;
  const most = Math.max(1, Math.floor(rows / LINES_PER_TICK.min));
  for (let count = Math.min(most, Math.ceil(rows / 3)) + 1; count >= 3 || !best; count -= 1) {
    const scale = valueScale(extent, count, style);
    const intervals = Math.max(1, scale.ticks.length - 1);
    const lines = Math.max(1, Math.floor(rows / intervals));
    const height = Math.min(rows, lines * intervals);
    const used = Math.min(1, (extent.max - extent.min) / (scale.max - scale.min)) * (height / rows);
    const score = used - Math.abs(lines - LINES_PER_TICK.best) / 50;
    if (!best || score > best.score) best = { scale, height, score };
  }
  return best;
}

/** Returns the cells of a chart beside the vertical axis, at least. */
export function fieldWidthOf(width: number): number {
  if (width < MIN_SIZE.width) return Math.max(1, width);
  return width - (width < MIN_WIDE ? AXIS_WIDTH.narrow : AXIS_WIDTH.wide);
}

/** Draws a chart. */
export function drawChart(plotOf: PlotOf, options: ChartOptions): ChartDrawing {
  const { width, height, empty } = options;
  const hasAxes = width >= MIN_SIZE.width && height >= MIN_SIZE.height;
  const layOutIn = (fieldWidth: number): Layout | undefined => {
    const plot = height > 0 ? plotOf(fieldWidth, options) : undefined;
    if (!plot || hasAxes) return plot && layOut(plot, fieldWidth, height - 1, options);
    return layOut(plot, fieldWidth, height, options, { scale: plainScale(plot.extent), height });
  };
  const narrow = layOutIn(hasAxes ? fieldWidthOf(width) : Math.max(1, width));
  const chosen = narrow && hasAxes ? widest(narrow, width, options, layOutIn) : narrow;
  if (!chosen) return { lines: () => message(empty, width, height), indexAt: () => undefined };
  const layout = { ...chosen, canvas: drawLayout(chosen, options) };
  const { plot } = layout;
  const times = hasAxes ? fitLine(timeAxis(layout), layout.width) : undefined;
  return {
    lines: (index) => {
      const point = index === undefined ? undefined : plot.points.find((one) => one.index === index);
      return frameLines(layout, point, times, options);
    },
    indexAt: (x) => nearestPoint(plot.points, x)?.index,
  };
}

/** Returns the layout in the cells that the labels leave, unless other labels follow from them that are longer. */
function widest(
  narrow: Layout,
  width: number,
  options: ChartOptions,
  layOutIn: (fieldWidth: number) => Layout | undefined,
): Layout {
  const labelWidth = (layout: Layout) =>
    Math.max(...[...axisLabels(layout, undefined, options).values()].map(lineWidth), 0) + 1;
  const fieldWidth = width - labelWidth(narrow) - 1;
  const wide = fieldWidth > narrow.width ? layOutIn(fieldWidth) : undefined;
  return wide && labelWidth(wide) <= labelWidth(narrow) ? wide : narrow;
}

function message(text: string, width: number, height: number): readonly TextLine[] {
  const above = Array.from({ length: Math.max(0, Math.floor((height - 1) / 2)) }, () => textLine(""));
  return fitLines([...above, textLine(text, "note")], width, height);
}

function nearestPoint(points: readonly PlotPoint[], x: number): PlotPoint | undefined {
  return points.reduce<PlotPoint | undefined>(
    (best, point) => (!best || Math.abs(point.x - x) <= Math.abs(best.x - x) ? point : best),
    undefined,
  );
}

/** A chart and its axis, before anything is drawn. */
interface Layout {
  readonly plot: Plot;
  readonly width: number;
  readonly scale: ValueScale;
  /** Empty lines above, lines of values, and lines of volumes with a distance. */
  readonly above: number;
  readonly rows: number;
  readonly volumeRows: number;
  readonly level: Field["level"];
}

interface DrawnLayout extends Layout {
  readonly canvas: Canvas;
}

/** The extent of a chart without labels, which has no use for round values. */
function plainScale({ min, max }: Extent): ValueScale {
  return { min, max: max > min ? max : min + 1, ticks: [], format: String };
}

function layOut(plot: Plot, width: number, height: number, options: ChartOptions, fixed?: ValueAxis): Layout {
  const hasVolumes =
    !fixed && height >= VOLUME.minHeight && plot.points.some(({ volume }) => volume && volume.value > 0);
  const reserved = hasVolumes ? Math.max(3, Math.round(height * VOLUME.part)) : 0;
  const axis = fixed ?? valueAxis(plot.extent, height - reserved, { ...options, isWhole: plot.isWhole });
  const { scale } = axis;
  const spare = height - reserved - axis.height;
  const volumeRows = hasVolumes ? reserved + spare : 0;
  const level = (value: number, parts: number) => {
    const share = (value / 2 - scale.min / 2) / (scale.max / 2 - scale.min / 2);
    return Math.min(1, Math.max(0, share)) * axis.height * parts;
  };
  return { plot, width, scale, above: hasVolumes ? 0 : spare, rows: axis.height, volumeRows, level };
}

function drawLayout(layout: Layout, options: ChartOptions): Canvas {
  const { plot, width, rows, volumeRows, level } = layout;
  const canvas = createCanvas(width, rows + volumeRows);
  plot.draw({ canvas, width, height: rows, level });
  drawVolumes({ ...layout, canvas }, options);
  drawGrid({ ...layout, canvas }, options);
  return canvas;
}

/** Returns the line that a value reaches, from the top. */
const findRow = ({ rows, level }: Pick<Layout, "rows" | "level">, value: number): number =>
  Math.max(0, rows - Math.max(1, Math.ceil(Math.round(level(value, EIGHTHS.length)) / EIGHTHS.length)));

/** Returns the line of a tick: the last tick is below the values. */
const tickRow = ({ rows, level }: Layout, value: number): number => rows - Math.round(level(value, 1));

function drawGrid(layout: DrawnLayout, { unicode }: ChartStyle): void {
  const { canvas, scale, rows } = layout;
  for (const { value } of scale.ticks) {
    const y = tickRow(layout, value);
    if (y < rows) for (let x = 0; x < canvas.width; x += unicode ? 1 : 2) canvas.grid(x, y, unicode ? "┈" : ".", GRID);
  }
}

/** Volumes are behind prices in importance. */
const VOLUME_FADE = 0.35;

/** Draws the volumes from the lower edge; points that share a cell add up. */
function drawVolumes({ plot, canvas, rows, volumeRows }: DrawnLayout, { unicode }: ChartStyle): void {
  if (volumeRows === 0) return;
  const lines = volumeRows - 1;
  const parts = unicode ? EIGHTHS.length : 1;
  const cells = volumesByCell(plot.points);
  const max = Math.max(...[...cells.values()].map(({ value }) => value));
  const side = Math.floor((plot.pointWidth - 1) / 2);
  // Neighbours overlap where points are close: the higher ones are drawn last, over the whole of the others.
  for (const [centre, { value, role }] of [...cells].sort(([, a], [, b]) => a.value - b.value)) {
    const level = value > 0 ? Math.max(1, Math.round((value / max) * lines * parts)) : 0;
    const style: CellStyle = { role, fade: VOLUME_FADE };
    for (let above = 0; above * parts < level; above += 1) {
      const text = unicode ? (EIGHTHS[Math.min(parts, level - above * parts) - 1] ?? " ") : ":";
      for (let x = centre - side; x <= centre + side; x += 1) canvas.set(x, rows + volumeRows - 1 - above, text, style);
    }
  }
}

function volumesByCell(points: readonly PlotPoint[]) {
  const cells = new Map<number, { value: number; role: Role }>();
  for (const { x, volume } of points) {
    if (!volume || !isDrawable(volume.value)) continue;
    const cell = cells.get(x);
    cells.set(x, { value: (cell?.value ?? 0) + volume.value, role: volume.role });
  }
  return cells;
}

function frameLines(
  layout: DrawnLayout,
  point: PlotPoint | undefined,
  times: TextLine | undefined,
  options: ChartOptions,
): readonly TextLine[] {
  const { width, height } = options;
  const { canvas, above } = layout;
  const overlay = point && cursorOverlay(layout, point, options);
  const body = Array.from({ length: canvas.height }, (_, y) => canvas.line(y, overlay));
  const blank = Array.from({ length: above }, () => textLine(""));
  if (!times) return fitLines([...blank, ...body], width, height);
  const labels = axisLabels(layout, point, options);
  const edge: Span = { ...GRID, text: options.unicode ? "▏" : "|" };
  const lines = [...body, times].map((line, y): TextLine => {
    return [...line, y < canvas.height ? edge : span(" "), ...(labels.get(y) ?? [])];
  });
  return fitLines([...blank, ...lines], width, height);
}

/** Draws the cursor: a line through the point, and a mark on it. */
function cursorOverlay(layout: Layout, point: PlotPoint, { unicode }: ChartStyle): Overlay {
  const { plot, rows } = layout;
  const { highlight = "mark" } = plot;
  const side = Math.floor((plot.pointWidth - 1) / 2);
  const y = point.value === undefined || highlight !== "mark" ? undefined : findRow(layout, point.value);
  const line = unicode ? "│" : "|";
  const marked = (ground?: CellStyle["ground"]): CellStyle => ({ role: "marked", ground });
  const cellAt = (x: number, row: number, cell: Cell): Cell | undefined => {
    if (highlight === "bar" && !cell.isBackground && row < rows && Math.abs(x - point.x) <= side) {
      return { ...cell, style: marked() };
    }
    if (x !== point.x) return undefined;
    if (row === y) return { text: unicode ? "●" : "o", style: marked(cell.style.ground), isBackground: false };
    return cell.isBackground ? { text: line, style: marked(cell.style.ground), isBackground: true } : undefined;
  };
  return { from: point.x - side, to: point.x + side, cellAt };
}

/** Returns the labels of the vertical axis by line: the ticks, and the value of the cursor or the newest one. */
function axisLabels(
  layout: Layout,
  point: PlotPoint | undefined,
  { unicode }: ChartStyle,
): ReadonlyMap<number, TextLine> {
  const { plot, scale, rows, volumeRows } = layout;
  const labels = new Map<number, TextLine>();
  if (volumeRows > 1) {
    const max = Math.max(...[...volumesByCell(plot.points).values()].map(({ value }) => value));
    labels.set(rows + 1, [span(` ${shortUsd(max)}`, "axis")]);
  }
  for (const { value, label } of scale.ticks) labels.set(tickRow(layout, value), [span(` ${label}`, "axis")]);
  const newest = plot.points.findLast(({ value }) => isDrawable(value));
  const current = point ?? (plot.role === undefined ? undefined : newest);
  if (current && isDrawable(current.value)) {
    const role = point ? "marked" : plot.role;
    labels.set(findRow(layout, current.value), [span(`${unicode ? "◂" : "<"}${scale.format(current.value, 1)}`, role)]);
  }
  return labels;
}

const shortUsd = (value: number): string => valueScale({ min: 0, max: value }, 3, { unit: "$" }).format(value, 0);

function timeAxis({ plot, width }: Layout): TextLine {
  const times = new Map<number, number>();
  const { timeAt } = plot;
  if (timeAt) for (let x = 0; x < width; x += 1) times.set(x, timeAt(x));
  else for (const { x, time } of plot.points) if (!times.has(x)) times.set(x, time);
  let line = "";
  for (const { x, label } of plot.labels ?? timeTicks(times, width)) line = line.padEnd(x) + label;
  return textLine(line, "axis");
}
