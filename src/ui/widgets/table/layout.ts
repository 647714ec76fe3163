/** Short tables as lines: all rows are known, and the columns share the width. */
import type { JsonObject } from "../../../base/index.ts";
import {
  alignNumber,
  type Cell,
  COLUMN_GAP,
  type ColumnDemand,
  clip,
  compactNumber,
  createNamer,
  createShortener,
  fitCellParts,
  measureDemand,
  measureNumbers,
  type NameOf,
  nameCells,
  pad,
  type Shorten,
  solveWidths,
  textWidth,
} from "../../../output/index.ts";
import { comparisonBar } from "../../frame/share-bar.ts";
import { fitLine, type Span, span, type TextLine } from "../../navigation/theme/text-line.ts";

/** A column of a short table. */
export interface ShortTableColumn {
  readonly head: string;
  /** The path of its value, for copying and exporting. */
  readonly path: string;
  readonly cell: (row: JsonObject) => Cell;
  /** Minimum useful width of its text. If it is the last column, it is left out before headings are cut. */
  readonly minWidth?: number;
  readonly maxWidth?: number;
  /** Whether the cursor is in this column. */
  readonly isActive?: boolean | undefined;
  /** Drawn instead of text, such as a bar, with a fixed width. */
  readonly drawing?: Drawing;
}

interface Drawing {
  readonly width: number;
  /** @param maximum the highest quantity of the column */
  readonly line: (row: JsonObject, width: number, maximum: number) => TextLine;
  /** The quantity by which rows are compared. */
  readonly quantity?: (row: JsonObject) => number | undefined;
}

/** Returns a bar for each row, scaled to the highest quantity. */
export function barDrawing(
  quantity: (row: JsonObject) => number | undefined,
  width: number,
  unicode: boolean,
): Drawing {
  return {
    width,
    quantity,
    line: (row, space, maximum) => {
      const value = quantity(row);
      return value === undefined || maximum <= 0 ? [] : comparisonBar(value / maximum, space, unicode);
    },
  };
}

/** A table that is laid out. */
export interface TableLines {
  readonly head: TextLine;
  readonly rows: readonly TextLine[];
  readonly columnCount: number;
}

const MAX_TEXT = 32;
/** Maximum width of a token symbol; longer ones are cut. */
export const MAX_SYMBOL = 12;
/** Minimum width of text. */
const MIN_TEXT = 6;

/** Returns the columns without those that are empty in all rows, such as prices where none are known. */
export function filledColumns(
  columns: readonly ShortTableColumn[],
  rows: readonly JsonObject[],
): readonly ShortTableColumn[] {
  if (rows.length === 0) return columns;
  return columns.filter(({ cell, drawing, path }) =>
    rows.some((row) => (drawing ? row[path] !== undefined : cell(row).role !== "missing")),
  );
}

/**
 * Lays out rows in `width` cells. Numbers are right-aligned; identifiers are whole or shortened, and give way to their
 * names. Bars are left out where all other columns fit without them only.
 */
export function layOutTable(
  rows: readonly JsonObject[],
  columns: readonly ShortTableColumn[],
  width: number,
  nameOf?: NameOf,
): TableLines {
  const whole = layOutColumns(rows, columns, width, nameOf);
  const withoutBars = columns.filter(({ drawing }) => drawing?.quantity === undefined);
  if (whole.columnCount === columns.length || withoutBars.length === columns.length) return whole;
  const plain = layOutColumns(rows, withoutBars, width, nameOf);
  return plain.columnCount === withoutBars.length ? { ...plain, columnCount: columns.length } : whole;
}

function layOutColumns(
  rows: readonly JsonObject[],
  columns: readonly ShortTableColumn[],
  width: number,
  nameOf: NameOf = () => undefined,
): TableLines {
  const [shorten, namer] = [createShortener(), createNamer(nameOf)];
  const bare = rows.map((row) => columns.map(({ cell }) => cell(row)));
  for (const line of bare)
    for (const { ids } of line)
      for (const id of ids ?? []) {
        shorten(id);
        namer(id);
      }
  const whole = bare.map((line) => nameCells(line, namer));
  const grid = alignNumbers(shortenNumbers(whole, measureColumns(whole, columns, width, shorten)));
  const widths = measureColumns(grid, columns, width, shorten);
  const visible = columns.slice(0, widths.length);
  const maxima = visible.map(({ drawing }) =>
    rows.reduce((most, row) => Math.max(most, drawing?.quantity?.(row) ?? 0), 0),
  );
  const isNumeric = visible.map((_, at) => grid.some((line) => line[at]?.numeric));
  return {
    columnCount: visible.length,
    head: joinColumns(
      visible.map(({ head, isActive, drawing }, at) => {
        const space = widths[at] ?? 0;
        const text = pad(clip(head, space), space, isNumeric[at] ? "right" : "left");
        // A click on a heading names its column, among those with text.
        const hit = drawing ? undefined : visible.slice(0, at).filter((one) => one.drawing === undefined).length;
        return [{ ...span(text, isActive ? "active" : "heading"), hit }];
      }),
    ),
    rows: grid.map((line, index) =>
      joinColumns(
        visible.map(({ drawing }, at): TextLine => {
          const [space, cell, row] = [widths[at] ?? 0, line[at], rows[index]];
          if (drawing && row) return fitLine(drawing.line(row, space, maxima[at] ?? 0), space);
          return cell ? drawCell(cell, space, isNumeric[at] ? "right" : "left", shorten) : [];
        }),
      ),
    ),
  };
}

function measureColumns(
  grid: readonly (readonly Cell[])[],
  columns: readonly ShortTableColumn[],
  width: number,
  shorten: Shorten,
): readonly number[] {
  const demands = columns.map((column, at) =>
    columnDemand(
      column,
      grid.map((line) => line[at]).filter((cell) => cell !== undefined),
      shorten,
    ),
  );
  const widths = solveWidths(demands, width);
  const last = widths.length - 1;
  const isCut = widths.slice(0, last).some((space, at) => space < (demands[at]?.head ?? 0));
  return isCut && columns[last]?.minWidth !== undefined
    ? measureColumns(grid, columns.slice(0, last), width, shorten)
    : widths;
}

function alignNumbers(grid: readonly (readonly Cell[])[]): readonly (readonly Cell[])[] {
  const [first = []] = grid;
  const widths = first.map((_, at) => measureNumbers(grid.flatMap((line) => line[at] ?? [])));
  return grid.map((line) => line.map((cell, at) => alignNumber(cell, widths[at])));
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
  { head, drawing, minWidth = MIN_TEXT, maxWidth = MAX_TEXT }: ShortTableColumn,
  body: readonly Cell[],
  shorten: Shorten,
): ColumnDemand {
  if (drawing) return { head: textWidth(head), body: drawing.width, minimum: drawing.width, stepped: false };
  const demand = measureDemand(head, body, shorten, {
    texts: { minimum: Math.min(minWidth, maxWidth), maximum: maxWidth },
  });
  const numbers = body.filter(({ numeric }) => numeric).map(({ text }) => textWidth(compactNumber(text) ?? text));
  return numbers.length === 0 ? demand : { ...demand, minimum: Math.max(...numbers) };
}

function drawCell(cell: Cell, width: number, align: "left" | "right", shorten: Shorten): TextLine {
  const spans = fitCellParts(cell, width, shorten).map(
    (part): Span => ({ ...part, role: cell.warning === undefined ? (part.role ?? cell.role) : "warning" }),
  );
  const [first] = spans;
  // Only identifiers have several parts.
  if (first && !cell.ids) return [{ ...first, text: pad(first.text, width, align) }];
  return fitLine(spans, width);
}

function joinColumns(columns: readonly TextLine[]): TextLine {
  return columns.flatMap((line, at) => (at === 0 ? line : [span(" ".repeat(COLUMN_GAP)), ...line]));
}
