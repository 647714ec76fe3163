/** The columns of a table: headings, cells, alignment, widths, and the text of a cell at a given width. */
import { isArray, isObject, type Json, type JsonObject } from "../../base/index.ts";
import { type Column, type FieldMeta, type Kind, NUMERIC_KINDS, type Shape } from "../../catalogue/index.ts";
import { entityRole, fieldWords, headingOf } from "../fields/field-names.ts";
import { type Path, parsePath, shapeAt, valueAt } from "../fields/paths.ts";
import { type CellPart, fitIdParts, idWidths } from "../names/cell-names.ts";
import type { Role } from "../text/roles.ts";
import { safeText } from "../text/safe.ts";
import { clip, type Shorten, textWidth } from "../text/width.ts";
import {
  type Cell,
  formatValue,
  MISSING,
  sizeMark,
  summarizeValue,
  type ValueStyle,
  WARNING_MARK,
  withRole,
} from "../values/cell.ts";
import { compactNumber } from "../values/number.ts";

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
  readonly shape?: Shape;
}

/** The side at which the text of a column is aligned. */
export type Alignment = "left" | "right";

/** The highest width that a text demands, and the lowest to which it shrinks. */
const TEXT_WIDTHS = { maximum: 60, minimum: 12 } as const;

/** Returns the columns of fields. Where two would have the same heading, the whole path is the heading. */
export function buildColumns(fields: readonly TableField[], shape: Shape): TableColumn[] {
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

interface DemandOptions {
  /** Whether identifiers are whole although all of them have names. */
  readonly isWide?: boolean;
  readonly texts?: { readonly minimum: number; readonly maximum: number };
}

/** Returns the widths that a column demands for its heading and cells. */
export function measureDemand(
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

/** Returns the style of a column: amounts have no symbols where another column of the table is their token. */
export function cellStyles(columns: readonly TableColumn[], style: ValueStyle): (column: TableColumn) => ValueStyle {
  const paths = new Set(columns.flatMap(({ sources }) => sources.map(({ path }) => path.join("."))));
  const bare = new Set(
    columns.filter(({ sources }) =>
      sources.some(
        ({ path, meta }) => meta?.token !== undefined && paths.has([...path.slice(0, -1), meta.token].join(".")),
      ),
    ),
  );
  return (column) => (bare.has(column) ? { ...style, symbolOf: undefined } : style);
}

/** The widths that a column demands. */
export interface ColumnDemand {
  readonly head: number;
  readonly body: number;
  /** Of identifiers: the width of the names alone, and of the names with short identifiers beside. */
  readonly names?: number;
  readonly short?: number;
  /** The lowest width at which cells are still of use. */
  readonly minimum: number;
  /** Whether a width between `minimum` and `body` is of no use: identifiers are either short or whole. */
  readonly stepped: boolean;
}

/** Terminal cells between two columns of a plain table. */
export const COLUMN_GAP = 2;
/** A heading may be cut to this width. */
const MIN_HEAD = 6;

/**
 * Returns the widths of the columns that fit into `width` with `gap` between them, in order. Columns give way in this
 * order: whole identifiers become short, those beside names are left out, texts and names shrink, headings are cut, then the
 * last columns are left out. At least one column remains, cut where necessary.
 */
export function solveWidths(demands: readonly ColumnDemand[], width: number, gap = COLUMN_GAP): number[] {
  const minimums = demands.map(({ head, minimum }) => Math.max(minimum, Math.min(head, MIN_HEAD)));
  let visible = minimums.length;
  while (visible > 1 && totalWidth(minimums.slice(0, visible), gap) > width) visible -= 1;
  const widths = minimums.slice(0, visible).map((size) => Math.max(1, Math.min(size, width)));
  let slack = width - totalWidth(widths, gap);
  const grow = (index: number, target: number, isWhole: boolean) => {
    const more = target - (widths[index] ?? 0);
    const granted = isWhole && more > slack ? 0 : Math.max(0, Math.min(more, slack));
    widths[index] = (widths[index] ?? 0) + granted;
    slack -= granted;
  };
  const columns = demands.slice(0, visible);
  for (const [index, { head }] of columns.entries()) grow(index, head, false);
  for (const [index, { body, stepped, names = 0 }] of columns.entries()) grow(index, stepped ? names : body, false);
  for (const [index, { stepped, short = 0 }] of columns.entries()) if (stepped) grow(index, short, true);
  for (const [index, { body, stepped }] of columns.entries()) if (stepped) grow(index, body, true);
  return widths;
}

function totalWidth(widths: readonly number[], gap: number): number {
  return widths.reduce((sum, size) => sum + size, 0) + gap * Math.max(0, widths.length - 1);
}

/** The parts of a formatted number: direction, whole digits with sign and currency, fraction with letter, unit. */
const PARTS = /^((?:[▲▼] )?)([\\~<>+$-]*[\d,]+)((?:\.\d+)?(?:[KMBTQ]|e-?\d+)?%?)( .*)?$/;

/** The widths of the parts of the numbers of a column. */
export interface NumberWidths {
  readonly direction: number;
  readonly whole: number;
  readonly fraction: number;
  /** Undefined where units follow their numbers. */
  readonly unit: number | undefined;
  /** Whether letters differ (`470.0M`, `5.842B`): such numbers end below each other, since their points mean nothing. */
  readonly isJoined: boolean;
}

type NumberParts = readonly [direction: string, whole: string, fraction: string, unit: string];

const joinParts = ([direction, whole, fraction, unit]: NumberParts): NumberParts => [
  direction,
  whole + fraction,
  "",
  unit,
];

function splitCell({ text, numeric, role }: Cell): NumberParts | undefined {
  if (role === "missing") return ["", text, "", ""];
  const [, direction = "", whole = "", fraction = "", unit = ""] = (numeric && PARTS.exec(text)) || [];
  return whole === "" ? undefined : [direction, whole, fraction, unit];
}

/** Returns the widths of the parts of the numbers in cells; undefined when there is nothing to align. */
export function measureNumbers(cells: readonly Cell[]): NumberWidths | undefined {
  const split = cells.flatMap((cell): readonly NumberParts[] => {
    const parts = cell.numeric ? splitCell(cell) : undefined;
    return parts ? [parts] : [];
  });
  const letters = new Set(split.map(([, , fraction]) => /[KMBTQ]?%?$/.exec(fraction)?.[0]));
  const isJoined = letters.size > 1;
  const numbers = isJoined ? split.map(joinParts) : split;
  const widest = (size: (parts: NumberParts) => number) => numbers.reduce((most, one) => Math.max(most, size(one)), 0);
  const [direction, whole, fraction, unit] = ([0, 1, 2, 3] as const).map((at) =>
    widest((parts) => textWidth(parts[at])),
  );
  if (!direction && !fraction && !unit && !isJoined) return undefined;
  const isColumn = numbers.every((parts) => parts[3] !== "");
  return {
    ...{ direction: direction ?? 0, whole: whole ?? 0, isJoined },
    fraction: isColumn ? (fraction ?? 0) : widest((parts) => textWidth(parts[2]) + textWidth(parts[3])),
    unit: isColumn ? unit : undefined,
  };
}

/** Returns a cell whose number is padded to the widths of its column. */
export function alignNumber<C extends Cell>(cell: C, widths: NumberWidths | undefined): C {
  const split = widths && splitCell(cell);
  if (!split) return cell;
  const [direction, whole, fraction, unit] = widths.isJoined ? joinParts(split) : split;
  const space = (width: number, text: string) => " ".repeat(Math.max(0, width - textWidth(text)));
  const end =
    widths.unit === undefined
      ? fraction + unit + space(widths.fraction, fraction + unit)
      : fraction + space(widths.fraction, fraction) + unit + space(widths.unit, unit);
  const start = direction + space(widths.direction, direction) + space(widths.whole, whole) + whole;
  return { ...cell, text: start + end };
}

/** The kinds of times and quantities, which say what an object amounts to. */
export const TELLING_KINDS: ReadonlySet<Kind | undefined> = new Set([
  ...(["date", "minute", "unixTime"] as const),
  ...(["lamports", "tokenAmount", "amount", "sol", "usd", "percent", "change"] as const),
]);

/**
 * Summarizes a nested value by the times and quantities of its fields: `1.5 SOL → 205.7 USDC`, or for a list the first
 * and the last item. Returns undefined where nothing is known of its fields, or none of them is of such a kind.
 */
export function summarizeFields(value: Json | undefined, shape: Shape, style: ValueStyle): Cell | undefined {
  if (value === undefined || shape.open) return undefined;
  const items = isArray(value) ? value : [value];
  const [first, last] = [items[0], items.at(-1)].map((item) =>
    isObject(item) ? summarizeObject(item, shape, style) : "",
  );
  if (!first || !last) return undefined;
  const text = items.length === 1 ? first : `${items.length} entries: ${first} … ${last}`;
  return { text, elastic: true };
}

function summarizeObject(object: JsonObject, shape: Shape, style: ValueStyle): string {
  const names = shape.fields.filter(
    (name) => !name.endsWith("_str") && TELLING_KINDS.has(shape.field(name).meta?.kind),
  );
  const texts = names
    .map((name) =>
      formatValue(Object.hasOwn(object, name) ? object[name] : undefined, shape.field(name).meta, object, style),
    )
    .filter(({ role }) => role !== MISSING.role)
    .map(({ text }) => text);
  const isExchange = names.length === 2 && names.every((name) => shape.field(name).meta?.kind === "tokenAmount");
  return texts.join(isExchange ? " → " : " ");
}
