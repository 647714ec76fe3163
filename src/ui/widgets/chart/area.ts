/** A line with the area below it. */
import type { Role } from "../../navigation/theme/text-line.ts";
import { type CellStyle, EIGHTHS } from "./canvas.ts";
import type { ChartStyle, Field, Plot, PlotOf, VolumeBar } from "./plot.ts";
import { blocksBelow, type CellRange, edgesOf, lineCells, timePosition } from "./polyline.ts";
import { extentOf } from "./scale.ts";
import type { ChartPoint } from "./series.ts";

/** What an area chart shows. */
export interface AreaOptions {
  readonly role: Role;
  readonly volumes?: ReadonlyMap<number, VolumeBar> | undefined;
  /** Whether a value lasts until the next one, as balances do. */
  readonly isStepped?: boolean;
}

/** Eighths of a cell. */
const PARTS = EIGHTHS.length;
/** How far the area fades into the background at its top and its bottom. */
const FADE = { top: 0.66, bottom: 0.93 } as const;

/** Lays out a line by time, with the area below it. */
export function areaPlot(points: readonly ChartPoint[], { role, volumes, isStepped = false }: AreaOptions): PlotOf {
  return (width, style): Plot | undefined => {
    const extent = extentOf(points.map(({ value }) => value));
    const [first, last] = [points[0], points.at(-1)];
    if (!extent || !first || !last) return undefined;
    const position = (time: number) => timePosition(time, first.time, last.time, width);
    return {
      points: points.map(({ time, value }, index) => ({
        index,
        x: Math.min(width - 1, Math.floor(position(time))),
        time,
        value,
        volume: volumes?.get(time),
      })),
      extent,
      pointWidth: Math.max(1, Math.floor(width / points.length) - 1),
      timeAt: (x) => first.time + ((last.time - first.time) * x) / width,
      role,
      draw(field) {
        const cells = lineCells(
          points.flatMap(({ time, value }, at) => [
            ...(isStepped && at > 0 ? [{ position: position(time), value: points[at - 1]?.value }] : []),
            { position: position(time), value },
          ]),
          width,
        );
        drawArea(field, cells, role, style);
      },
    };
  };
}

/** Draws the cells of a line and the area below. */
function drawArea(field: Field, cells: readonly (CellRange | undefined)[], role: Role, style: ChartStyle): void {
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

/** The styles of a row: the area, the area below the line in one cell, the area as a shade, and the line. */
interface RowStyles {
  readonly fill: CellStyle;
  readonly edge: CellStyle;
  readonly shade: CellStyle;
  readonly line: CellStyle;
}

type DrawColumn = (field: Field, x: number, cell: CellRange, rows: readonly RowStyles[]) => void;

/** Draws solid colours: the line has the same thickness in all cells. */
const mixedColumn: DrawColumn = (field, x, cell, rows) => {
  const { top, bottom } = edgesOf(field, cell);
  for (const { y, upper, lower } of blocksBelow(field.height, top, bottom)) {
    const styles = rows[y];
    if (!styles) continue;
    if (lower === PARTS) field.canvas.fill(x, y, " ", styles.fill);
    else if (lower > 0 && upper === PARTS) field.canvas.set(x, y, EIGHTHS[lower - 1] ?? " ", styles.edge);
    else field.canvas.set(x, y, EIGHTHS[upper - 1] ?? " ", styles.line);
  }
};

/** Draws the area as a shade, in the sixteen colours or without any. */
const shadedColumn: DrawColumn = (field, x, cell, rows) => {
  const { top, bottom } = edgesOf(field, cell);
  for (const { y, upper, lower } of blocksBelow(field.height, top, bottom)) {
    const styles = rows[y];
    if (!styles) continue;
    if (upper === PARTS && lower > PARTS / 4) {
      field.canvas.fill(x, y, "░", styles.shade);
      if (lower <= (PARTS * 3) / 4) field.canvas.set(x, y, "▀", styles.line);
    } else field.canvas.set(x, y, EIGHTHS[upper - 1] ?? " ", styles.line);
  }
};

const asciiColumn: DrawColumn = (field, x, { min, max }, rows) => {
  const [top, bottom] = [max, min].map((value) => Math.max(1, Math.round(field.level(value, 1))));
  for (let y = field.height - 1, above = 1; y >= 0 && above <= (top ?? 0); y -= 1, above += 1) {
    const styles = rows[y];
    if (!styles) continue;
    if (above >= (bottom ?? 0)) field.canvas.set(x, y, "*", styles.line);
    else field.canvas.fill(x, y, ".", styles.line);
  }
};
