/** What every kind of chart provides: its points and its extent, and the cells on which it draws them. */

import type { ColorRange } from "../../navigation/theme/painter.ts";
import type { Role, Span, TextLine } from "../../navigation/theme/text-line.ts";
import type { Extent } from "./scale.ts";

/** What a terminal can draw. */
export interface ChartStyle {
  readonly unicode: boolean;
  readonly colors: ColorRange;
}

/** A point and where it is. */
export interface PlotPoint {
  /** Its position among the data. */
  readonly index: number;
  /** The cell in the middle of it. */
  readonly x: number;
  /** Unix seconds. */
  readonly time: number;
  /** What the cursor labels; undefined when unknown. */
  readonly value: number | undefined;
  readonly volume?: VolumeBar | undefined;
}

/** A bar below a point. */
export interface VolumeBar {
  readonly value: number;
  readonly role: Role;
}

/** The lines between the axes. */
export interface Field {
  readonly canvas: Canvas;
  readonly width: number;
  /** Lines of values, from the first line of the canvas. */
  readonly height: number;
  /** Returns the height of a value above the lower edge in parts of a line, from 0 to `height × parts`. */
  readonly level: (value: number, parts: number) => number;
}

/** A label below a chart and its first cell. */
export interface AxisLabel {
  readonly x: number;
  readonly label: string;
}

/** A chart without its axes. */
export interface Plot {
  /** From left to right. */
  readonly points: readonly PlotPoint[];
  readonly extent: Extent;
  /** Whether values are counts, so that the axis has whole numbers only. */
  readonly isWhole?: boolean | undefined;
  /** Cells of a point with its bar or body. */
  readonly pointWidth: number;
  /** Returns the time of a cell, where the cells between points have one; otherwise only points have times. */
  readonly timeAt?: ((x: number) => number) | undefined;
  /** Labels below the chart in place of times. */
  readonly labels?: readonly AxisLabel[] | undefined;
  /** The role of the newest value beside the axis; without it, it is not labelled. */
  readonly role?: Role | undefined;
  /** What the cursor highlights besides its column: a mark at the value (default), the bar, or nothing. */
  readonly highlight?: "mark" | "bar" | "none" | undefined;
  readonly draw: (field: Field) => void;
}

/** Lays a chart out in a number of cells; undefined without values. */
export type PlotOf = (width: number, style: ChartStyle) => Plot | undefined;

/** Blocks that fill a cell from below, by eighths. */
export const EIGHTHS = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"] as const;

/** The style of a cell. Neighbours with the same one become one span. */
export type CellStyle = Pick<Span, "role" | "fade" | "ground" | "isInverse">;

/** Cells that are drawn over the others when a line is read. */
export interface Overlay {
  /** The first and the last column that may differ. */
  readonly from: number;
  readonly to: number;
  readonly cellAt: (x: number, y: number, cell: Cell) => Cell | undefined;
}

/** A character and its style. */
export interface Cell {
  readonly text: string;
  readonly style: CellStyle;
  /** Whether it is what data is drawn on: nothing, a fill or a grid line. */
  readonly isBackground: boolean;
}

const EMPTY: Cell = { text: " ", style: {}, isBackground: true };

/** A grid of cells to draw on, counted from the top left. */
export interface Canvas {
  readonly width: number;
  readonly height: number;
  /** Sets a cell of the data; outside of the grid, does nothing. */
  set(x: number, y: number, text: string, style: CellStyle): void;
  /** Sets a cell below the data. */
  fill(x: number, y: number, text: string, style: CellStyle): void;
  /** Sets a cell of a grid line, where nothing but a colour is drawn, which remains. */
  grid(x: number, y: number, text: string, style: CellStyle): void;
  line(y: number, overlay?: Overlay): TextLine;
}

/** Creates an empty grid. */
export function createCanvas(width: number, height: number): Canvas {
  const cells = Array.from({ length: height }, () => new Array<Cell>(width).fill(EMPTY));
  // Lines are read for every position of the cursor, after all cells are drawn.
  const lines: (TextLine | undefined)[] = [];
  const put = (x: number, y: number, cell: Cell) => {
    const line = cells[y];
    if (!line || x < 0 || x >= width) return;
    line[x] = cell;
    lines[y] = undefined;
  };
  return {
    width,
    height,
    set: (x, y, text, style) => put(x, y, { text, style, isBackground: false }),
    fill: (x, y, text, style) => put(x, y, { text, style, isBackground: true }),
    grid(x, y, text, style) {
      const cell = cells[y]?.[x];
      if (cell?.isBackground && cell.text === " ") {
        put(x, y, { text, style: { ...style, ground: cell.style.ground }, isBackground: true });
      }
    },
    line(y, overlay) {
      const line = cells[y] ?? [];
      const whole = lines[y] ?? joinCells(line);
      lines[y] = whole;
      if (!overlay) return whole;
      const [from, end] = [Math.max(0, overlay.from), Math.min(line.length, overlay.to + 1)];
      const over = line.slice(from, end).map((cell, at) => overlay.cellAt(from + at, y, cell) ?? cell);
      return [...sliceLine(whole, 0, from), ...joinCells(over), ...sliceLine(whole, end, line.length)];
    },
  };
}

function joinCells(cells: readonly Cell[]): TextLine {
  const spans: { text: string; style: CellStyle }[] = [];
  for (const { text, style } of cells) {
    const last = spans.at(-1);
    if (last && isSameStyle(last.style, style)) last.text += text;
    else spans.push({ text, style });
  }
  return spans.map(({ text, style }): Span => ({ ...style, text }));
}

const isSameStyle = (one: CellStyle, other: CellStyle): boolean =>
  one.role === other.role &&
  one.fade === other.fade &&
  one.isInverse === other.isInverse &&
  one.ground?.role === other.ground?.role &&
  one.ground?.fade === other.ground?.fade;

/** Returns a part of a line, in which every cell is one character. */
function sliceLine(line: TextLine, from: number, to: number): TextLine {
  let start = 0;
  return line.flatMap((one) => {
    const text = one.text.slice(Math.max(0, from - start), Math.max(0, to - start));
    start += one.text.length;
    return text === "" ? [] : [{ ...one, text }];
  });
}
