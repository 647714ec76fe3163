/** The columns of a table: headings, cells, alignment, and the text of a cell at a given width. */
import type { Json } from "../../base/index.ts";
import { type Column, type FieldMeta, NUMERIC_KINDS } from "../../catalogue/index.ts";
import { entityRole } from "../fields/entity-role.ts";
import { fieldWords, headingOf } from "../fields/heading.ts";
import { type Path, parsePath, valueAt } from "../fields/path.ts";
import { type Shape, shapeAt } from "../fields/shape.ts";
import { summarizeFields } from "../fields/summary.ts";
import { type CellPart, fitIdParts, idWidths } from "../names/cell-names.ts";
import type { Role } from "../text/roles.ts";
import { safeText } from "../text/safe.ts";
import type { Shorten } from "../text/shorten.ts";
import { clip, textWidth } from "../text/width.ts";
import {
  type Cell,
  formatValue,
  MISSING,
  sizeMark,
  summarizeValue,
  type ValueStyle,
  WARNING_MARK,
} from "../values/cell.ts";
import { compactNumber } from "../values/number.ts";
import type { ColumnDemand } from "./column-widths.ts";

/** A field of a table: its paths (the first one with a value counts), and its heading where one is specified. */
export interface TableField {
  readonly paths: readonly [Path, ...Path[]];
  readonly head?: string | undefined;
  /** Whether the user typed the heading. */
  readonly isTyped?: boolean;
}

/** A column of a table: its heading, and where its values are. */
export interface TableColumn {
  readonly head: string;
  readonly sources: readonly ColumnSource[];
}

/** Where the values of a column are, and the role of those that refer to an entity. */
interface ColumnSource {
  readonly path: Path;
  readonly meta: FieldMeta | undefined;
  readonly role?: Role | undefined;
  /** The shape of its values. */
  readonly shape?: Shape;
}

/** The side at which the text of a column is aligned. */
export type Alignment = "left" | "right";

/** The highest width that a text demands, and the lowest to which it shrinks. */
const TEXT_WIDTHS = { maximum: 60, minimum: 12 } as const;

/** Returns the columns of fields. Where two would have the same heading, the whole path is the heading. */
export function columnsOf(fields: readonly TableField[], shape: Shape): TableColumn[] {
  const heads = fields.map(({ head, paths: [path] }) => head ?? headingOf(lastName(path), shapeAt(path, shape).meta));
  return fields.map(({ paths }, index) => {
    const head = heads[index] ?? "";
    const unique = heads.indexOf(head) === heads.lastIndexOf(head);
    const sources = paths.map((path): ColumnSource => {
      const inner = shapeAt(path, shape);
      return { path, meta: inner.meta, role: entityRole(lastName(path), inner.meta), shape: inner };
    });
    return { head: safeText(unique ? head : fieldWords(paths[0].join(" "))), sources };
  });
}

/** Returns columns with the headings of tables outside of the explorer, in capitals; those of the user stay. */
export function withCapitals(columns: readonly TableColumn[], fields: readonly TableField[]): TableColumn[] {
  return columns.map((column, at) => (fields[at]?.isTyped ? column : { ...column, head: column.head.toUpperCase() }));
}

/** Returns the field of a column of the catalogue, in which `|` separates alternative paths. */
export function catalogueField(column: Column): TableField {
  const [first = "", ...others] = (typeof column === "string" ? column : column.path).split("|");
  const head = typeof column === "string" ? undefined : column.head;
  return { head, paths: [parsePath(first), ...others.map(parsePath)] };
}

/** Returns the name of the field that a path leads to. */
function lastName(path: Path): string {
  return String(path.findLast((step) => typeof step === "string") ?? "");
}

/** Formats the cell of a row in a column. */
export function formatCell(row: Json, { sources }: TableColumn, { clock }: { readonly clock: ValueStyle }): Cell {
  const source = sources.find(({ path }) => valueAt(row, path) !== undefined) ?? sources[0];
  if (!source) return MISSING;
  const { path, meta, role, shape } = source;
  const value = valueAt(row, path);
  return withRole(formatFieldValue(value, { meta, shape }, valueAt(row, path.slice(0, -1)), clock), role);
}

/** Formats the value of a field; a nested one by its name, or by what its fields amount to. */
function formatFieldValue(
  value: Json | undefined,
  { meta, shape }: { readonly meta: FieldMeta | undefined; readonly shape: Shape | undefined },
  parent: Json | undefined,
  style: ValueStyle,
): Cell {
  return (
    summarizeValue(value) ?? (shape && summarizeFields(value, shape, style)) ?? formatValue(value, meta, parent, style)
  );
}

/** Returns a cell with a role, unless it has one. */
export function withRole(cell: Cell, role: Role | undefined): Cell {
  return role === undefined || cell.role !== undefined ? cell : { ...cell, role };
}

/** How the demand of a column is determined. */
interface DemandOptions {
  /** Whether identifiers are whole although all of them have names. */
  readonly isWide?: boolean;
  readonly texts?: { readonly minimum: number; readonly maximum: number };
}

/** Returns the widths that a column demands for its heading and cells. */
export function demandOf(
  head: string,
  body: readonly Cell[],
  shorten: Shorten,
  { isWide = false, texts = TEXT_WIDTHS }: DemandOptions = {},
): ColumnDemand {
  const widths = body.map((cell) => (cell.ids ? idWidths(cell, shorten) : textWidths(cell, texts)));
  const widest = (form: keyof (typeof widths)[number]) => widths.reduce((most, each) => Math.max(most, each[form]), 0);
  const isNamed = body.every(({ ids, names }) => !ids || names?.every((name) => name !== undefined));
  return {
    head: textWidth(head),
    minimum: widest("minimum"),
    names: widest("name"),
    short: widest("short"),
    body: widest(isWide ? "full" : isNamed ? "short" : "whole"),
    stepped: body.some(({ ids }) => ids),
  };
}

function textWidths({ text, elastic }: Cell, { minimum, maximum }: NonNullable<DemandOptions["texts"]>) {
  const size = textWidth(text);
  const whole = elastic ? Math.min(size, maximum) : size;
  return { minimum: elastic ? Math.min(size, minimum) : size, name: whole, short: whole, whole, full: whole };
}

/** Returns the alignment of a column: right for numbers; without any value, by its kind. */
export function alignColumn({ sources }: TableColumn, body: readonly Cell[]): Alignment {
  const values = body.filter((cell) => cell.role !== "missing");
  if (values.length === 0) return NUMERIC_KINDS.has(sources[0]?.meta?.kind ?? "json") ? "right" : "left";
  return values.every((cell) => cell.numeric) ? "right" : "left";
}

/** Returns the parts of a cell, shortened to at most `width` terminal cells by what its kind allows. */
export function fitCellParts(cell: Cell, width: number, shorten: Shorten, isWide = false): readonly CellPart[] {
  return cell.ids && cell.size === undefined
    ? fitIdParts(cell, width, shorten, isWide)
    : [{ text: fitText(cell, width), role: cell.role }];
}

/** Returns the text of a cell, shortened to at most `width` terminal cells by what its kind allows. */
export function fitCell(cell: Cell, width: number, shorten: Shorten): string {
  return fitCellParts(cell, width, shorten)
    .map(({ text }) => text)
    .join("");
}

function fitText({ text, size, numeric, role }: Cell, width: number): string {
  if (size !== undefined) {
    const mark = sizeMark(size);
    const available = width - textWidth(mark);
    return available >= textWidth(WARNING_MARK) ? clip(text, available, "") + mark : clip(text, width);
  }
  if (textWidth(text) <= width) return text;
  const bare = numeric || role === "missing" ? text.trim().replace(/ {2,}/g, " ") : text;
  if (textWidth(bare) <= width) return bare;
  const brief = numeric && compactNumber(bare);
  return brief && brief.length <= width ? brief : clip(bare, width);
}
