/** The columns of a table: headings, cells, alignment, and the text of a cell at a given width. */
import type { Json } from "../../base/index.ts";
import type { Column, FieldMeta } from "../../catalogue/index.ts";
import { type Path, parsePath, valueAt } from "../fields/path.ts";
import { type Shape, shapeAt } from "../fields/shape.ts";
import { safeText } from "../text/safe.ts";
import type { Shorten } from "../text/shorten.ts";
import { clip, textWidth } from "../text/width.ts";
import { type Cell, formatValue, MISSING, sizeMark, summarizeValue, WARNING_MARK } from "../values/cell.ts";
import { compactNumber } from "../values/number.ts";
import type { Clock } from "../values/time.ts";
import type { ColumnDemand } from "./column-widths.ts";

/** A field of a table: its paths (the first one with a value counts), and its heading where one was specified. */
export interface TableField {
  readonly paths: readonly [Path, ...Path[]];
  readonly head?: string | undefined;
}

/** A column of a table: its heading, and where its values are. */
export interface TableColumn {
  readonly head: string;
  readonly sources: readonly { readonly path: Path; readonly meta: FieldMeta | undefined }[];
}

/** The side at which the text of a column is aligned. */
export type Alignment = "left" | "right";

/** The highest width that a text column demands, and the lowest to which it shrinks. */
const MAX_TEXT_WIDTH = 60;
const MIN_TEXT_WIDTH = 12;
/** Identifiers in the short form of a list. */
const MAX_SHORT_IDS = 2;

/** Returns the columns of fields. Where two would have the same heading, the whole path is the heading. */
export function columnsOf(fields: readonly TableField[], shape: Shape): TableColumn[] {
  const heads = fields.map(
    ({ head, paths: [path] }) =>
      head ?? shapeAt(path, shape).meta?.label?.toUpperCase() ?? headingOf(path.filter(isName).slice(-1)),
  );
  return fields.map(({ paths }, index) => {
    const head = heads[index] ?? "";
    const unique = heads.indexOf(head) === heads.lastIndexOf(head);
    const sources = paths.map((path) => ({ path, meta: shapeAt(path, shape).meta }));
    return { head: safeText(unique ? head : headingOf(paths[0])), sources };
  });
}

/** Returns the field of a column of the catalogue, in which `|` separates alternative paths. */
export function catalogueField(column: Column): TableField {
  const [first = "", ...others] = (typeof column === "string" ? column : column.path).split("|");
  const head = typeof column === "string" ? undefined : column.head.toUpperCase();
  return { head, paths: [parsePath(first), ...others.map(parsePath)] };
}

/** Returns a path as a heading: `block_time` becomes `BLOCK TIME`. */
function headingOf(path: Path): string {
  return path.join(".").replaceAll("_", " ").toUpperCase();
}

function isName(step: string | number): boolean {
  return typeof step === "string";
}

/** Formats the cell of a row in a column. */
export function formatCell(row: Json, { sources }: TableColumn, { clock }: { readonly clock: Clock }): Cell {
  const source = sources.find(({ path }) => valueAt(row, path) !== undefined) ?? sources[0];
  if (!source) return MISSING;
  const { path, meta } = source;
  const value = valueAt(row, path);
  return summarizeValue(value) ?? formatValue(value, meta, valueAt(row, path.slice(0, -1)), clock);
}

/** Returns the widths that a column demands for its heading and cells. */
export function demandOf(head: string, body: readonly Cell[], shorten: Shorten): ColumnDemand {
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

/** Returns the alignment of a column: right for numbers; without any value, by its kind. */
export function alignColumn({ sources }: TableColumn, body: readonly Cell[]): Alignment {
  const values = body.filter((cell) => cell.role !== "missing");
  if (values.length === 0) return NUMERIC_KINDS.has(sources[0]?.meta?.kind ?? "json") ? "right" : "left";
  return values.every((cell) => cell.numeric) ? "right" : "left";
}

/** The kinds that are quantities. */
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

/** Returns the text of a cell with its identifiers in short form. */
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

/** Returns the text of a cell, shortened to at most `width` terminal cells by what its kind allows. */
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
