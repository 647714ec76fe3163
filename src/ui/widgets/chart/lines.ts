/** Lines by time: with the area below one of them, or several that are solid or, for what is expected, dotted. */
import type { Role } from "../../navigation/theme/text-line.ts";
import { type CellStyle, type ChartStyle, EIGHTHS, type Field, type PlotOf, type VolumeBar } from "./plot.ts";
import { type Extent, isDrawable, measureExtent } from "./scale.ts";
import type { ChartPoint } from "./series.ts";

interface ChartLine {
  readonly role: Role;
  readonly points: readonly ChartPoint[];
  readonly isDotted?: boolean;
}

/** A point by its distance from the left edge in cells; without a value, the line has a gap. */
interface LinePoint {
  readonly position: number;
  readonly value: number | undefined;
}

const PARTS = EIGHTHS.length;

/** Returns the sign of a line in a legend. */
export function lineSign({ isDotted = false }: Pick<ChartLine, "isDotted">, { unicode }: ChartStyle): string {
  if (!unicode) return isDotted ? "." : "*";
  return isDotted ? "┈" : "━";
}

/** Lays out lines by time; the cursor follows the first one. The last line is drawn over the others. */
export function linesPlot(
  lines: readonly ChartLine[],
  { fromZero = false }: { readonly fromZero?: boolean } = {},
): PlotOf {
  return plotByTime(lines, { fromZero }, (field, style, position) => {
    for (const line of lines.toReversed()) {
      const points = line.points.map(({ time, value }) => ({ position: position(time), value }));
      if (line.isDotted || !style.unicode) drawDotted(field, points, line, style);
      else drawSolid(field, points, line, style);
    }
  });
}

interface AreaOptions {
  readonly role: Role;
  /** By the time of the points. */
  readonly volumes?: ReadonlyMap<number, VolumeBar> | undefined;
  /** Whether a value lasts until the next one, as balances do. */
  readonly isStepped?: boolean;
}

/** Lays out a line by time, with the area below it. */
export function areaPlot(points: readonly ChartPoint[], { role, volumes, isStepped = false }: AreaOptions): PlotOf {
  return plotByTime([{ role, points }], { volumes, isSpaced: true }, (field, style, position) => {
    const corners = points.flatMap(({ time, value }, at) => [
      ...(isStepped && at > 0 ? [{ position: position(time), value: points[at - 1]?.value }] : []),
      { position: position(time), value },
    ]);
    drawArea(field, lineCells(corners, field.width), role, style);
  });
}

interface TimeOptions {
  readonly fromZero?: boolean;
  readonly volumes?: ReadonlyMap<number, VolumeBar> | undefined;
  /** Whether bars of volumes are as wide as the distance of the points. */
  readonly isSpaced?: boolean;
}

function plotByTime(
  lines: readonly ChartLine[],
  { fromZero = false, volumes, isSpaced = false }: TimeOptions,
  draw: (field: Field, style: ChartStyle, position: (time: number) => number) => void,
): PlotOf {
  return (width, style) => {
    const extent = measureExtent(lines.flatMap(({ points }) => points.map(({ value }) => value)));
    const times = measureExtent(lines.flatMap(({ points }) => points.map(({ time }) => time)));
    const [first] = lines;
    if (!extent || !times || !first) return undefined;
    const position = (time: number) => positionIn(times, time, width);
    return {
      points: first.points.map(({ time, value }, index) => ({
        index,
        x: Math.min(width - 1, Math.floor(position(time))),
        time,
        value,
        volume: volumes?.get(time),
      })),
      extent: fromZero ? { min: Math.min(0, extent.min), max: Math.max(0, extent.max) } : extent,
      pointWidth: isSpaced ? Math.max(1, Math.floor(width / first.points.length) - 1) : 1,
      timeAt: (x) => times.min + ((times.max - times.min) * x) / width,
      role: first.role,
      draw: (field) => draw(field, style, position),
    };
  };
}

const positionIn = ({ min, max }: Extent, time: number, width: number): number =>
  max > min ? ((time - min) / (max - min)) * width : 0;

/** Returns the lowest and the highest value of a line in each of `width` cells; a single point is a horizontal line. */
function lineCells(points: readonly LinePoint[], width: number): readonly (Extent | undefined)[] {
  const cells = new Array<Extent | undefined>(width).fill(undefined);
  const add = (x: number, value: number) => {
    const at = Math.min(width - 1, Math.max(0, x));
    const { min, max } = cells[at] ?? { min: value, max: value };
    cells[at] = { min: Math.min(min, value), max: Math.max(max, value) };
  };
  const known = points.filter(({ value }) => isDrawable(value));
  if (known.length === 1) {
    for (let x = 0; x < width; x += 1) add(x, known[0]?.value ?? 0);
    return cells;
  }
  let before: LinePoint | undefined;
  for (const point of points) {
    if (isDrawable(point.value)) add(Math.floor(point.position), point.value);
    if (before && isDrawable(before.value) && isDrawable(point.value)) {
      const [from, to] = [before.position, point.position];
      // Both ends of the part of a segment in each cell.
      for (let edge = Math.floor(from) + 1; edge <= to; edge += 1) {
        const value = before.value + (point.value - before.value) * ((edge - from) / (to - from));
        add(edge - 1, value);
        add(edge, value);
      }
    }
    before = point;
  }
  return cells;
}

/** The thickness of a line in eighths. */
const THICKNESS = 3;

/**
 * Returns the cells of a column up to the upper edge of a line, and both edges in each of them, in eighths from below. A
 * line within a cell touches one of its ends, since a cell has two colours only: otherwise, lines would differ in
 * thickness.
 */
function* blocksBelow({ level, height }: Field, { min, max }: Extent) {
  let top = Math.max(THICKNESS, Math.round(level(max, PARTS)));
  let bottom = Math.max(0, Math.min(Math.round(level(min, PARTS)), top - THICKNESS));
  if (Math.floor(bottom / PARTS) === Math.floor((top - 1) / PARTS)) {
    const [below, above] = [bottom % PARTS, (PARTS - (top % PARTS)) % PARTS];
    const shift = below <= above ? -below : above;
    [top, bottom] = [top + shift, bottom + shift];
  }
  for (let y = height - 1, from = 0; y >= 0 && from < top; y -= 1, from += PARTS) {
    yield { y, upper: Math.min(PARTS, top - from), lower: Math.min(PARTS, Math.max(0, bottom - from)) };
  }
}

/** How far the area fades into the background at its top and its bottom. */
const FADE = { top: 0.66, bottom: 0.93 } as const;

/** The styles of a row: the area, the area below the line in one cell, the area as a shade, and the line. */
interface RowStyles {
  readonly fill: CellStyle;
  readonly edge: CellStyle;
  readonly shade: CellStyle;
  readonly line: CellStyle;
}

function drawArea(field: Field, cells: readonly (Extent | undefined)[], role: Role, style: ChartStyle): void {
  const draw = style.unicode ? (style.colors === "mixed" ? mixedColumn : shadedColumn) : asciiColumn;
  const [line, shade]: readonly [CellStyle, CellStyle] = [{ role }, { role, fade: FADE.top }];
  const rows = Array.from({ length: field.height }, (_, y): RowStyles => {
    const share = field.height > 1 ? y / (field.height - 1) : 0;
    // Rounded, so that few colours are mixed.
    const fade = Math.round((FADE.top + (FADE.bottom - FADE.top) * share) * 100) / 100;
    return { fill: { ground: { role, fade } }, edge: { role, fade, ground: { role } }, shade, line };
  });
  for (const [x, cell] of cells.entries()) if (cell) draw(field, x, cell, rows);
}

type DrawColumn = (field: Field, x: number, cell: Extent, rows: readonly RowStyles[]) => void;

/** Draws solid colours: the line has the same thickness in all cells. */
const mixedColumn: DrawColumn = (field, x, cell, rows) => {
  for (const { y, upper, lower } of blocksBelow(field, cell)) {
    const styles = rows[y];
    if (!styles) continue;
    if (lower === PARTS) field.canvas.fill(x, y, " ", styles.fill);
    else if (lower > 0 && upper === PARTS) field.canvas.set(x, y, EIGHTHS[lower - 1] ?? " ", styles.edge);
    else field.canvas.set(x, y, EIGHTHS[upper - 1] ?? " ", styles.line);
  }
};

/** Draws the area as a shade, in the sixteen colours or without any. */
const shadedColumn: DrawColumn = (field, x, cell, rows) => {
  for (const { y, upper, lower } of blocksBelow(field, cell)) {
    const styles = rows[y];
    if (!styles) continue;
    if (upper === PARTS && lower > PARTS / 4) {
      field.canvas.fill(x, y, "░", styles.shade);
      if (lower <= (PARTS * 3) / 4) field.canvas.set(x, y, "▀", styles.line);
    } else field.canvas.set(x, y, EIGHTHS[upper - 1] ?? " ", styles.line);
  }
};

const asciiColumn: DrawColumn = (field, x, { min, max }, rows) => {
  const [top = 0, bottom = 0] = [max, min].map((value) => Math.max(1, Math.round(field.level(value, 1))));
  for (let y = field.height - 1, above = 1; y >= 0 && above <= top; y -= 1, above += 1) {
    const styles = rows[y];
    if (!styles) continue;
    if (above >= bottom) field.canvas.set(x, y, "*", styles.line);
    else field.canvas.fill(x, y, ".", styles.line);
  }
};

function drawSolid(field: Field, points: readonly LinePoint[], { role }: ChartLine, { colors }: ChartStyle): void {
  const [line, inverse]: readonly [CellStyle, CellStyle] = [{ role }, { role, isInverse: true }];
  for (const [x, cell] of lineCells(points, field.width).entries()) {
    if (!cell) continue;
    for (const { y, upper, lower } of blocksBelow(field, cell)) {
      if (lower === PARTS) continue;
      const isAbove = lower > 0 && upper === PARTS;
      if (isAbove) field.canvas.set(x, y, upperBlock(lower, colors), colors === "none" ? line : inverse);
      else field.canvas.set(x, y, EIGHTHS[upper - 1] ?? " ", line);
    }
  }
}

/** The upper part of a cell is the background of a block in inverse video; without colours, the nearest character. */
function upperBlock(lower: number, colors: ChartStyle["colors"]): string {
  if (colors !== "none") return EIGHTHS[lower - 1] ?? " ";
  return lower > PARTS / 2 ? "▔" : "▀";
}

/** The bit of each dot of a braille character, by row and column. */
export const BRAILLE_BITS = [
  [0x01, 0x08],
  [0x02, 0x10],
  [0x04, 0x20],
  [0x40, 0x80],
] as const;
/** The first braille character, which has no dots. */
export const FIRST_BRAILLE = 0x28_00;

/** Draws a line of braille dots, in ASCII of characters that differ for dotted and for solid lines. */
function drawDotted(
  { canvas, width, height, level }: Field,
  points: readonly LinePoint[],
  { role, isDotted = false }: ChartLine,
  { unicode }: ChartStyle,
): void {
  const [across, down] = unicode ? [2, 4] : [1, 1];
  const [columns, rows] = [width * across, height * down];
  const dots = new Uint8Array(width * height);
  const set = (x: number, y: number) => {
    const fromTop = rows - 1 - y;
    const at = Math.floor(fromTop / down) * width + Math.floor(x / across);
    dots[at] = (dots[at] ?? 0) | (BRAILLE_BITS[fromTop % down]?.[x % across] ?? 0);
  };
  let before: readonly [x: number, y: number] | undefined;
  for (const { position, value } of points) {
    if (!isDrawable(value)) {
      before = undefined;
      continue;
    }
    const x = Math.min(columns - 1, Math.floor(position * across));
    const y = Math.min(rows - 1, Math.round(level(value, down)));
    const [fromX, fromY] = before ?? [x, y];
    const steps = Math.max(Math.abs(x - fromX), Math.abs(y - fromY), 1);
    for (let step = 0; step <= steps; step += 1)
      set(Math.round(fromX + (x - fromX) * (step / steps)), Math.round(fromY + (y - fromY) * (step / steps)));
    before = [x, y];
  }
  const style: CellStyle = { role };
  for (const [at, bits] of dots.entries()) {
    const character = unicode ? String.fromCodePoint(FIRST_BRAILLE + bits) : isDotted ? "." : "*";
    if (bits > 0) canvas.set(at % width, Math.floor(at / width), character, style);
  }
}
