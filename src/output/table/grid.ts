/** Rows as aligned lines: the core of list tables and of the lists inside details. */
import type { Json } from "../../base/json.ts";
import type { FieldMeta } from "../../catalogue/kinds.ts";
import { type Path, valueAt } from "../fields/path.ts";
import { formAt, type Shape } from "../fields/shape.ts";
import { safeText } from "../text/safe.ts";
import { createShortener, type Shorten } from "../text/shorten.ts";
import { type Paint, painter } from "../text/theme.ts";
import { cells, clip, pad } from "../text/width.ts";
import type { OutputOptions } from "../types.ts";
import { type Cell, formatValue, MISSING, sizeMark, summaryOf, WARNING_MARK } from "../values/cell.ts";
import { compact } from "../values/number.ts";
import type { Clock } from "../values/time.ts";
import { columnWidths, GAP, type Wish } from "./column-widths.ts";

/** A field of a grid: where it is (the first of these paths that leads somewhere), and a heading if one was given. */
export interface GridField {
  readonly paths: readonly [Path, ...Path[]];
  readonly head?: string | undefined;
}

/** What all parts of one table share. */
export interface Sheet {
  readonly width: number;
  readonly clock: Clock;
  readonly paint: Paint;
  readonly shorten: Shorten;
  /** Why names were marked, each once. */
  readonly warnings: Set<string>;
}

/** A column of a grid. */
export interface GridColumn {
  readonly head: string;
  readonly places: readonly { readonly path: Path; readonly meta: FieldMeta | undefined }[];
}

/** A table whose widths are settled. */
export interface Grid {
  readonly header: string;
  /** The headings of the columns that did not fit. */
  readonly hidden: readonly string[];
  lines(rows: readonly Json[]): string[];
}

/** Text columns ask for no more than this, and shrink to the second. */
const WIDEST_TEXT = 60;
const NARROWEST_TEXT = 12;
/** Identifiers that the short form of a list shows. */
const SHORT_ITEMS = 2;
/** Reasons that are reported. */
const MOST_WARNINGS = 5;

/** The shared parts of a table, by the options. */
export function createSheet(options: OutputOptions): Sheet {
  const { width, now, timeZone, color, tty, unicode } = options;
  const style = options.time ?? (tty ? "relative" : "iso");
  return {
    width: Math.max(1, width),
    clock: { style, now, timeZone },
    paint: painter(color, unicode),
    shorten: createShortener(),
    warnings: new Set(),
  };
}

/** The columns of these fields. Where two would have the same heading, the whole path is the heading. */
export function columnsOf(fields: readonly GridField[], shape: Shape): GridColumn[] {
  const heads = fields.map(({ head, paths: [path] }) => head ?? heading(path.filter(isName).slice(-1)));
  return fields.map(({ paths }, index) => {
    const head = heads[index] ?? "";
    const unique = heads.indexOf(head) === heads.lastIndexOf(head);
    const places = paths.map((path) => ({ path, meta: formAt(path, shape).meta }));
    return { head: safeText(unique ? head : heading(paths[0])), places };
  });
}

/** A path as a heading: `block_time` is `BLOCK TIME`. */
function heading(path: Path): string {
  return path.join(".").replaceAll("_", " ").toUpperCase();
}

function isName(step: string | number): boolean {
  return typeof step === "string";
}

/** Settles the widths of a table by its first rows. */
export function createGrid(columns: readonly GridColumn[], rows: readonly Json[], sheet: Sheet): Grid {
  const table = rows.map((row) => columns.map((column) => cellOf(row, column, sheet)));
  const bodies = columns.map((_column, index) => table.map((line) => line[index] as Cell));
  const widths = columnWidths(
    columns.map(({ head }, index) => wishOf(head, bodies[index] ?? [], sheet.shorten)),
    sheet.width,
  );
  const align = columns.map((column, index) => alignment(column, bodies[index] ?? []));
  const join = (parts: readonly string[]) => parts.join(" ".repeat(GAP)).trimEnd();
  const line = (row: Json) =>
    join(
      widths.map((width, index) => {
        const cell = cellOf(row, columns[index] as GridColumn, sheet);
        if (cell.warning && sheet.warnings.size < MOST_WARNINGS) sheet.warnings.add(cell.warning);
        return dress(cell, width, align[index] ?? "left", sheet);
      }),
    );
  const head = widths.map((width, index) => pad(clip(columns[index]?.head ?? "", width), width, align[index]));
  return {
    header: sheet.paint("heading", join(head)),
    hidden: columns.slice(widths.length).map((column) => column.head),
    lines: (page) => page.map(line),
  };
}

/** The cell of a row in a column. */
export function cellOf(row: Json, { places }: GridColumn, { clock }: Pick<Sheet, "clock">): Cell {
  const place = places.find(({ path }) => valueAt(row, path) !== undefined) ?? places[0];
  if (!place) return MISSING;
  const { path, meta } = place;
  const value = valueAt(row, path);
  return summaryOf(value) ?? formatValue(value, meta, valueAt(row, path.slice(0, -1)), clock);
}

function wishOf(head: string, body: readonly Cell[], shorten: Shorten): Wish {
  const widest = (width: (cell: Cell) => number) => body.reduce((most, cell) => Math.max(most, width(cell)), 0);
  const atMost = (limit: number) => (cell: Cell) =>
    cell.elastic ? Math.min(cells(cell.text), limit) : cells(cell.text);
  return {
    head: cells(head),
    body: widest(atMost(WIDEST_TEXT)),
    least: widest((cell) => (cell.ids ? cells(shortText(cell, shorten)) : atMost(NARROWEST_TEXT)(cell))),
    stepped: body.some((cell) => cell.ids),
  };
}

/** Numbers stand at the right; a column of gaps does what its kind says. */
export function alignment({ places }: GridColumn, body: readonly Cell[]): "left" | "right" {
  const told = body.filter((cell) => cell.role !== "missing");
  if (told.length === 0) return NUMERIC.has(places[0]?.meta?.kind ?? "json") ? "right" : "left";
  return told.every((cell) => cell.numeric) ? "right" : "left";
}

/** Kinds that are quantities. */
export const NUMERIC: ReadonlySet<string> = new Set([
  "slot",
  "lamports",
  "tokenAmount",
  "amount",
  "sol",
  "usd",
  "percent",
  "count",
  "number",
]);

/** The text of a cell with its identifiers in short. */
export function shortText({ text, ids }: Cell, shorten: Shorten): string {
  if (!ids) return text;
  const more = ids.length > SHORT_ITEMS ? ` +${ids.length - SHORT_ITEMS}` : "";
  return (
    ids
      .slice(0, SHORT_ITEMS)
      .map((id) => shorten(id))
      .join(", ") + more
  );
}

/** The text of a cell in exactly `width` cells, in its colour. */
function dress(cell: Cell, width: number, align: "left" | "right", { shorten, paint }: Sheet): string {
  const text = fitCell(cell, width, shorten);
  const space = " ".repeat(Math.max(0, width - cells(text)));
  const painted = paint(cell.warning ? "warning" : cell.role, text);
  return align === "left" ? painted + space : space + painted;
}

/** The text of a cell in at most `width` cells. */
export function fitCell(cell: Cell, width: number, shorten: Shorten): string {
  const { text, size } = cell;
  if (size !== undefined) {
    const mark = sizeMark(size);
    const room = width - cells(mark);
    return room >= cells(WARNING_MARK) ? clip(text, room, "") + mark : clip(text, width);
  }
  if (cells(text) <= width) return text;
  if (cell.ids) return clip(shortText(cell, shorten), width);
  const brief = cell.numeric && compact(text);
  return brief && brief.length <= width ? brief : clip(text, width);
}
