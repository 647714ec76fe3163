/** Several lines in one chart: solid ones, and dotted ones for what is compared or expected. */
import type { Role } from "../../navigation/theme/text-line.ts";
import { type CellStyle, EIGHTHS } from "./canvas.ts";
import type { ChartStyle, Field, Plot, PlotOf } from "./plot.ts";
import { blocksBelow, edgesOf, lineCells, timePosition } from "./polyline.ts";
import { createRaster } from "./raster.ts";
import { extentOf, isDrawable } from "./scale.ts";
import type { ChartPoint } from "./series.ts";

/** A line. */
export interface ChartLine {
  readonly role: Role;
  readonly points: readonly ChartPoint[];
  readonly isDotted?: boolean;
}

/** Options of {@link linesPlot}. */
export interface LinesOptions {
  /** Whether the axis begins at zero. */
  readonly fromZero?: boolean;
}

const PARTS = EIGHTHS.length;

/** Returns the sign of a line in a legend. */
export function lineSign({ isDotted = false }: Pick<ChartLine, "isDotted">, { unicode }: ChartStyle): string {
  if (!unicode) return isDotted ? "." : "*";
  return isDotted ? "┈" : "━";
}

/** Lays out lines by time; the cursor follows the first one. The last line is drawn over the others. */
export function linesPlot(lines: readonly ChartLine[], { fromZero = false }: LinesOptions = {}): PlotOf {
  return (width, style): Plot | undefined => {
    const known = extentOf(lines.flatMap(({ points }) => points.map(({ value }) => value)));
    const times = extentOf(lines.flatMap(({ points }) => points.map(({ time }) => time)));
    if (!known || !times) return undefined;
    const position = (time: number) => timePosition(time, times.min, times.max, width);
    return {
      points: (lines[0]?.points ?? []).map(({ time, value }, index) => ({
        index,
        x: Math.min(width - 1, Math.floor(position(time))),
        time,
        value,
      })),
      extent: fromZero ? { min: Math.min(0, known.min), max: Math.max(0, known.max) } : known,
      pointWidth: 1,
      timeAt: (x) => times.min + ((times.max - times.min) * x) / width,
      role: lines[0]?.role,
      draw(field) {
        for (const line of lines.toReversed()) {
          const points = line.points.map(({ time, value }) => ({ position: position(time), value }));
          if (line.isDotted || !style.unicode) drawDotted(field, points, line, style);
          else drawSolid(field, points, line, style);
        }
      },
    };
  };
}

type Positions = readonly { readonly position: number; readonly value: number | undefined }[];

/** Draws a line of constant thickness. */
function drawSolid(field: Field, points: Positions, { role }: ChartLine, { colors }: ChartStyle): void {
  const [line, inverse]: readonly [CellStyle, CellStyle] = [{ role }, { role, isInverse: true }];
  for (const [x, cell] of lineCells(points, field.width).entries()) {
    const { top, bottom } = cell ? edgesOf(field, cell) : { top: 0, bottom: 0 };
    for (const { y, upper, lower } of blocksBelow(field.height, top, bottom)) {
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

/** Draws a line of dots, in ASCII of characters that differ for dotted and for solid lines. */
function drawDotted(field: Field, points: Positions, { role, isDotted = false }: ChartLine, style: ChartStyle): void {
  const raster = createRaster(field.width, field.height, style.unicode);
  const [columns, rows] = [raster.columns / field.width, raster.rows / field.height];
  let before: readonly [x: number, y: number] | undefined;
  for (const { position, value } of points) {
    if (!isDrawable(value)) {
      before = undefined;
      continue;
    }
    const x = Math.min(raster.columns - 1, Math.floor(position * columns));
    const y = Math.min(raster.rows - 1, Math.round(field.level(value, rows)));
    raster.line(...(before ?? [x, y]), x, y);
    before = [x, y];
  }
  const cell: CellStyle = { role };
  for (const [y, text] of raster.text().entries()) {
    for (const [x, character] of [...text].entries()) {
      if (character !== " ") field.canvas.set(x, y, !style.unicode && isDotted ? "." : character, cell);
    }
  }
}
