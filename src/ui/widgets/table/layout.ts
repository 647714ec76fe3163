/** Short tables as lines: all rows are known, and the columns share the width. */
import { decimalText, type JsonObject, parseDecimal, roundDecimal, trimZeros } from "../../../base/index.ts";
import {
  type Cell,
  COLUMN_GAP,
  type ColumnDemand,
  clip,
  compactNumber,
  createShortener,
  pad,
  type Shorten,
  sizeMark,
  solveWidths,
  textWidth,
} from "../../../output/index.ts";
import { lineWidth, type Span, span, type TextLine } from "../../app/theme/text-line.ts";

/** A column of a short table. */
export interface ShortTableColumn {
  readonly head: string;
  /** The path of its value, for copying and exporting. */
  readonly path: string;
  readonly cell: (row: JsonObject) => Cell;
  /** Minimum useful width of its text. If it is the last column, it is left out before headings are cut. */
  readonly minWidth?: number;
  /** Maximum width of its text. */
  readonly maxWidth?: number;
  /** Whether the cursor is in this column. */
  readonly isActive?: boolean | undefined;
  /** Drawn instead of text, such as a bar, with a fixed width. */
  readonly drawing?: { readonly width: number; readonly line: (row: JsonObject, width: number) => TextLine };
}

/** The lines of a table. */
export interface TableLines {
  readonly head: TextLine;
  readonly rows: readonly TextLine[];
  /** Number of columns that fit. */
  readonly columnCount: number;
}

/** Maximum width of text from the chain. */
const MAX_TEXT = 32;
/** Maximum width of a token symbol; longer ones are cut. */
export const MAX_SYMBOL = 12;
/** Minimum widths of text and of a shortened identifier, and the maximum reserved for a short number. */
const MIN_TEXT = 6;
const MIN_ID = 9;
const MAX_SHORT_NUMBER = 12;
/** A formatted number below a thousand: sign and currency, digits, decimals, unit. */
const NUMBER_PARTS = /^~?([$+-]*)(\d+)\.(\d+)(.*)$/;

/** Lays out rows in `width` cells. Numbers are right-aligned, identifiers are whole or shortened. */
export function layOutTable(
  rows: readonly JsonObject[],
  columns: readonly ShortTableColumn[],
  width: number,
): TableLines {
  const shorten = createShortener();
  const whole = rows.map((row) => columns.map(({ cell }) => cell(row)));
  for (const line of whole) for (const { ids } of line) for (const id of ids ?? []) shorten(id);
  const grid = shortenNumbers(whole, columnWidthsOf(whole, columns, width));
  const widths = columnWidthsOf(grid, columns, width);
  const visible = columns.slice(0, widths.length);
  const isNumeric = visible.map((_, at) => grid.some((line) => line[at]?.numeric));
  return {
    columnCount: visible.length,
    head: joinColumns(
      visible.map(({ head, isActive }, at) => {
        const space = widths[at] ?? 0;
        return [span(pad(clip(head, space), space, isNumeric[at] ? "right" : "left"), isActive ? "active" : "heading")];
      }),
    ),
    rows: grid.map((line, index) =>
      joinColumns(
        visible.map(({ drawing }, at): TextLine => {
          const [space, cell, row] = [widths[at] ?? 0, line[at], rows[index]];
          if (drawing && row) return padLine(drawing.line(row, space), space);
          if (!cell) return [];
          return [cellSpan(cell, pad(fitCellText(cell, space, shorten), space, isNumeric[at] ? "right" : "left"))];
        }),
      ),
    ),
  };
}

function columnWidthsOf(
  grid: readonly (readonly Cell[])[],
  columns: readonly ShortTableColumn[],
  width: number,
): readonly number[] {
  const demands = columns.map((column, at) =>
    columnDemand(
      column,
      grid.map((line) => line[at]).filter((cell) => cell !== undefined),
    ),
  );
  const widths = solveWidths(demands, width);
  const last = widths.length - 1;
  const isCut = widths.slice(0, last).some((space, at) => space < (demands[at]?.head ?? 0));
  return isCut && columns[last]?.minWidth !== undefined ? columnWidthsOf(grid, columns.slice(0, last), width) : widths;
}

/** When one large number of a column must be abbreviated, all are, so that they stay comparable. */
function shortenNumbers(grid: readonly (readonly Cell[])[], widths: readonly number[]): readonly (readonly Cell[])[] {
  const short = (cell: Cell | undefined) => (cell?.numeric ? compactNumber(cell.text) : undefined);
  const isShort = widths.map((space, at) =>
    grid.some((line) => short(line[at]) !== undefined && textWidth(line[at]?.text ?? "") > space),
  );
  return grid.map((line) =>
    line.map((cell, at) => {
      const text = isShort[at] ? short(cell) : undefined;
      return text === undefined ? cell : { ...cell, text };
    }),
  );
}

function columnDemand(
  { head, drawing, minWidth, maxWidth = MAX_TEXT }: ShortTableColumn,
  body: readonly Cell[],
): ColumnDemand {
  const size = textWidth(head);
  if (drawing) return { head: size, body: drawing.width, minimum: drawing.width, stepped: false };
  const widest = Math.max(1, ...body.map(({ text, elastic }) => Math.min(textWidth(text), elastic ? maxWidth : 200)));
  if (body.some(({ ids }) => ids))
    return { head: size, body: widest, minimum: Math.min(widest, MIN_ID), stepped: true };
  const numbers = body.filter(({ numeric }) => numeric).map(({ text }) => textWidth(compactNumber(text) ?? text));
  const minimum =
    numbers.length > 0
      ? Math.min(MAX_SHORT_NUMBER, Math.max(...numbers))
      : body.some(({ elastic }) => elastic)
        ? MIN_TEXT
        : widest;
  return { head: size, body: widest, minimum: Math.min(widest, minWidth ?? minimum), stepped: false };
}

function cellSpan(cell: Cell, text: string): Span {
  return span(text, cell.warning === undefined ? cell.role : "warning");
}

/** Rounds a formatted number to a number of cells: abbreviated from a thousand on, with fewer decimals below. */
export function shortNumber(text: string, width: number): string {
  const short = compactNumber(text) ?? text;
  const [, prefix = "", whole = "", fraction = "", unit = ""] = NUMBER_PARTS.exec(short) ?? [];
  const space = width - `~${prefix}${whole}.${unit}`.length;
  const value = parseDecimal(`${whole}.${fraction}`);
  if (textWidth(short) <= width || !value || space < 1) return clip(short, width);
  const rounded = roundDecimal(value, space).value;
  return rounded.digits === 0n ? clip(short, width) : `~${prefix}${decimalText(trimZeros(rounded))}${unit}`;
}

function fitCellText({ text, ids, numeric, size }: Cell, width: number, shorten: Shorten): string {
  if (textWidth(text) <= width) return text;
  if (numeric) return shortNumber(text, width);
  if (ids) return clip(ids.map(shorten).join(", "), width);
  return clip(text, width, size === undefined ? "…" : sizeMark(size));
}

function padLine(line: TextLine, width: number): TextLine {
  return [...line, span(" ".repeat(Math.max(0, width - lineWidth(line))))];
}

function joinColumns(columns: readonly TextLine[]): TextLine {
  return columns.flatMap((line, at) => (at === 0 ? line : [span(" ".repeat(COLUMN_GAP)), ...line]));
}

/** Highlights the line of the cursor over its whole width. */
export function cursorLine(line: TextLine, width: number): TextLine {
  return padLine(line, width).map((one) => ({ ...one, cursor: "row" as const }));
}
