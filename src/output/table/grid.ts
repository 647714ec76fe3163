/** Rows as aligned lines: the core of list tables and of the lists inside details. */
import type { Json } from "../../base/json.ts";
import type { FieldMeta } from "../../catalogue/kinds.ts";
import { type Path, valueAt } from "../fields/path.ts";
import { type Shape, shapeAt } from "../fields/shape.ts";
import { safeText } from "../text/safe.ts";
import { createShortener, type Shorten } from "../text/shorten.ts";
import { createPainter, type Paint } from "../text/theme.ts";
import { clip, pad, textWidth } from "../text/width.ts";
import type { OutputOptions } from "../types.ts";
import { type Cell, formatValue, MISSING, sizeMark, summarizeValue, WARNING_MARK } from "../values/cell.ts";
import { compactNumber } from "../values/number.ts";
import type { Clock } from "../values/time.ts";
import { COLUMN_GAP, type ColumnDemand, solveWidths } from "./column-widths.ts";

/** A field of a grid: where it is (the first of these paths that leads somewhere), and a heading if one was given. */
export interface GridField {
  readonly paths: readonly [Path, ...Path[]];
  readonly head?: string | undefined;
}

/** What all parts of one table share. */
export interface TableContext {
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
  readonly sources: readonly { readonly path: Path; readonly meta: FieldMeta | undefined }[];
}

/** A table whose widths are settled. */
export interface Grid {
  readonly header: string;
  /** The headings of the columns that did not fit. */
  readonly hiddenColumns: readonly string[];
  lines(rows: readonly Json[]): string[];
}

/** Text columns ask for no more than this, and shrink to the second. */
const MAX_TEXT_WIDTH = 60;
const MIN_TEXT_WIDTH = 12;
/** Identifiers that the short form of a list shows. */
const MAX_SHORT_IDS = 2;
/** Reasons that are reported. */
const MAX_WARNINGS = 5;

/** The shared parts of a table, by the options. */
export function createTableContext(options: OutputOptions): TableContext {
  const { width, now, timeZone, color, tty, unicode } = options;
  const style = options.time ?? (tty ? "relative" : "iso");
  return {
    width: Math.max(1, width),
    clock: { style, now, timeZone },
    paint: createPainter(color, unicode),
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
    const sources = paths.map((path) => ({ path, meta: shapeAt(path, shape).meta }));
    return { head: safeText(unique ? head : heading(paths[0])), sources };
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
export function createGrid(columns: readonly GridColumn[], rows: readonly Json[], sheet: TableContext): Grid {
  const table = rows.map((row) => columns.map((column) => formatCell(row, column, sheet)));
  const bodies = columns.map((_column, index) => table.map((line) => line[index] as Cell));
  const widths = solveWidths(
    columns.map(({ head }, index) => demandOf(head, bodies[index] ?? [], sheet.shorten)),
    sheet.width,
  );
  const align = columns.map((column, index) => alignColumn(column, bodies[index] ?? []));
  const join = (parts: readonly string[]) => parts.join(" ".repeat(COLUMN_GAP)).trimEnd();
  const line = (row: Json) =>
    join(
      widths.map((width, index) => {
        const cell = formatCell(row, columns[index] as GridColumn, sheet);
        if (cell.warning && sheet.warnings.size < MAX_WARNINGS) sheet.warnings.add(cell.warning);
        return renderCell(cell, width, align[index] ?? "left", sheet);
      }),
    );
  const head = widths.map((width, index) => pad(clip(columns[index]?.head ?? "", width), width, align[index]));
  return {
    header: sheet.paint("heading", join(head)),
    hiddenColumns: columns.slice(widths.length).map((column) => column.head),
    lines: (page) => page.map(line),
  };
}

/** The cell of a row in a column. */
export function formatCell(row: Json, { sources }: GridColumn, { clock }: Pick<TableContext, "clock">): Cell {
  const source = sources.find(({ path }) => valueAt(row, path) !== undefined) ?? sources[0];
  if (!source) return MISSING;
  const { path, meta } = source;
  const value = valueAt(row, path);
  return summarizeValue(value) ?? formatValue(value, meta, valueAt(row, path.slice(0, -1)), clock);
}

function demandOf(head: string, body: readonly Cell[], shorten: Shorten): ColumnDemand {
  const widest = (width: (cell: Cell) => number) => body.reduce((most, cell) => Math.max(most, width(cell)), 0);
  const atMost = (limit: number) => (cell: Cell) =>
    cell.elastic ? Math.min(textWidth(cell.text), limit) : textWidth(cell.text);
  return {
    head: textWidth(head),
    body: widest(atMost(MAX_TEXT_WIDTH)),
    minimum: widest((cell) => (cell.ids ? textWidth(shortenIds(cell, shorten)) : atMost(MIN_TEXT_WIDTH)(cell))),
    stepped: body.some((cell) => cell.ids),
  };
}

/** Numbers stand at the right; a column of gaps does what its kind says. */
export function alignColumn({ sources }: GridColumn, body: readonly Cell[]): "left" | "right" {
  const values = body.filter((cell) => cell.role !== "missing");
  if (values.length === 0) return NUMERIC_KINDS.has(sources[0]?.meta?.kind ?? "json") ? "right" : "left";
  return values.every((cell) => cell.numeric) ? "right" : "left";
}

/** Kinds that are quantities. */
export const NUMERIC_KINDS: ReadonlySet<string> = new Set([
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
export function shortenIds({ text, ids }: Cell, shorten: Shorten): string {
  if (!ids) return text;
  const more = ids.length > MAX_SHORT_IDS ? ` +${ids.length - MAX_SHORT_IDS}` : "";
  return (
    ids
      .slice(0, MAX_SHORT_IDS)
      .map((id) => shorten(id))
      .join(", ") + more
  );
}

/** The text of a cell in exactly `width` cells, in its colour. */
function renderCell(cell: Cell, width: number, align: "left" | "right", { shorten, paint }: TableContext): string {
  const text = fitCell(cell, width, shorten);
  const space = " ".repeat(Math.max(0, width - textWidth(text)));
  const painted = paint(cell.warning ? "warning" : cell.role, text);
  return align === "left" ? painted + space : space + painted;
}

/** The text of a cell in at most `width` cells. */
export function fitCell(cell: Cell, width: number, shorten: Shorten): string {
  const { text, size } = cell;
  if (size !== undefined) {
    const mark = sizeMark(size);
    const available = width - textWidth(mark);
    return available >= textWidth(WARNING_MARK) ? clip(text, available, "") + mark : clip(text, width);
  }
  if (textWidth(text) <= width) return text;
  if (cell.ids) return clip(shortenIds(cell, shorten), width);
  const brief = cell.numeric && compactNumber(text);
  return brief && brief.length <= width ? brief : clip(text, width);
}
