/** A short list as lines: rows that are all there, in columns that share the width out. */
import type { JsonObject } from "../../../base/json.ts";
import { type Cell, sizeMark } from "../../../output/format.ts";
import { columnWidths, GAP, type Wish } from "../../../output/layout.ts";
import { compact } from "../../../output/number.ts";
import { createShortener, type Shorten } from "../../../output/shorten.ts";
import { cells, clip, pad } from "../../../output/width.ts";
import { type Line, type Span, span, widthOf } from "../../frame/line.ts";

/** A column of a short list. */
export interface TableColumn {
  readonly head: string;
  /** The path of its value, for copying and exporting. */
  readonly path: string;
  readonly cell: (row: JsonObject) => Cell;
  /** The fewest cells in which its text is of use; with fewer the column is left out, if it is the last. */
  readonly least?: number;
  /** Drawn instead of text, such as a bar, in so many cells. */
  readonly drawn?: { readonly width: number; readonly line: (row: JsonObject, width: number) => Line };
}

/** The lines of a table. */
export interface Table {
  readonly head: Line;
  readonly rows: readonly Line[];
}

/** Text of strangers takes no more than this from other columns. */
const WIDEST_TEXT = 32;
/** The narrowest text and shortened identifier that say something, and the most that a short number is given first. */
const LEAST_TEXT = 6;
const LEAST_ID = 9;
const WIDEST_SHORT_NUMBER = 12;

/** Lays rows out in `width` cells. Numbers are aligned at their ends, identifiers are whole or shortened. */
export function tableOf(rows: readonly JsonObject[], columns: readonly TableColumn[], width: number): Table {
  const shorten = createShortener();
  const grid = rows.map((row) => columns.map(({ cell }) => cell(row)));
  for (const line of grid) for (const { ids } of line) for (const id of ids ?? []) shorten(id);
  const widths = columnWidths(
    columns.map((column, at) =>
      wishOf(
        column,
        grid.map((line) => line[at]).filter((cell) => cell !== undefined),
      ),
    ),
    width,
  );
  const shown = columns.slice(0, widths.length);
  const isNumeric = shown.map((_, at) => grid.some((line) => line[at]?.numeric));
  return {
    head: joined(
      shown.map(({ head }, at) => {
        const room = widths[at] ?? 0;
        return [span(pad(clip(head, room), room, isNumeric[at] ? "right" : "left"), "heading")];
      }),
    ),
    rows: grid.map((line, index) =>
      joined(
        shown.map(({ drawn }, at): Line => {
          const [room, cell, row] = [widths[at] ?? 0, line[at], rows[index]];
          if (drawn && row) return filled(drawn.line(row, room), room);
          return cell ? [cellSpan(cell, room, isNumeric[at] === true, shorten)] : [];
        }),
      ),
    ),
  };
}

function wishOf({ head, drawn, least: own }: TableColumn, body: readonly Cell[]): Wish {
  const size = cells(head);
  if (drawn) return { head: size, body: drawn.width, least: drawn.width, stepped: false };
  const widest = Math.max(1, ...body.map(({ text, elastic }) => Math.min(cells(text), elastic ? WIDEST_TEXT : 200)));
  if (body.some(({ ids }) => ids))
    return { head: size, body: widest, least: Math.min(widest, LEAST_ID), stepped: true };
  const numbers = body.filter(({ numeric }) => numeric).map(({ text }) => cells(compact(text) ?? text));
  const least =
    numbers.length > 0
      ? Math.min(WIDEST_SHORT_NUMBER, Math.max(...numbers))
      : body.some(({ elastic }) => elastic)
        ? LEAST_TEXT
        : widest;
  return { head: size, body: widest, least: Math.min(widest, own ?? least), stepped: false };
}

function cellSpan(cell: Cell, width: number, right: boolean, shorten: Shorten): Span {
  const text = cells(cell.text) <= width ? cell.text : shortText(cell, width, shorten);
  return span(pad(text, width, right ? "right" : "left"), cell.warning === undefined ? cell.role : "warning");
}

function shortText({ text, ids, numeric, size }: Cell, width: number, shorten: Shorten): string {
  if (ids) return clip(ids.map(shorten).join(", "), width);
  if (numeric) return clip(compact(text) ?? text, width);
  return clip(text, width, size === undefined ? "…" : sizeMark(size));
}

function filled(line: Line, width: number): Line {
  return [...line, span(" ".repeat(Math.max(0, width - widthOf(line))))];
}

function joined(columns: readonly Line[]): Line {
  return columns.flatMap((line, at) => (at === 0 ? line : [span(" ".repeat(GAP)), ...line]));
}

/** A line as the place of the cursor, over its whole width. */
export function underCursor(line: Line, width: number): Line {
  return filled(line, width).map((one) => ({ ...one, on: "row" as const }));
}
