/** The rows of an answer as cells, computed once per answer. */
import { isArray, isObject, type Json, stringifyJson } from "../../../base/index.ts";
import type { FieldMeta } from "../../../catalogue/index.ts";
import {
  type Cell,
  type Clock,
  clip,
  createShortener,
  detectLookalike,
  formatCell,
  formatValue,
  type Path,
  type Shorten,
  safeText,
  valueAt,
  WARNING_MARK,
} from "../../../output/index.ts";
import { isPlainList, type ListColumn } from "./columns.ts";

/**
 * Describes the error of a failed transaction: `{"InstructionError":[1,{"Custom":6001}]}` is `instruction 2: custom
 * program error 6001`. Undefined for anything else.
 */
export function transactionErrorText(error: Json | undefined): string | undefined {
  if (typeof error === "string") return error === "" ? undefined : spacedWords(error);
  if (!isObject(error)) return undefined;
  const [[name, detail] = ["", null], ...others] = Object.entries(error);
  if (name === "" || others.length > 0) return undefined;
  if (name !== "InstructionError") return spacedWords(name);
  const [index, reason] = isArray(detail) ? detail : [];
  const reasonText = instructionErrorText(reason);
  return reasonText === undefined || !/^\d+$/.test(String(index))
    ? undefined
    : `instruction ${Number(index) + 1}: ${reasonText}`;
}

function instructionErrorText(reason: Json | undefined): string | undefined {
  if (!isObject(reason)) return typeof reason === "string" && reason !== "" ? spacedWords(reason) : undefined;
  const code = reason.Custom;
  return code === undefined ? transactionErrorText(reason) : `custom program error ${safeText(String(code))}`;
}

/** Converts `InsufficientFunds` to `insufficient funds`. */
function spacedWords(name: string): string {
  return safeText(name.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase());
}

/** A cell of a list; an identifier may have a name, which precedes it. */
export interface ListCell extends Cell {
  readonly name?: string;
}

/** The rows of an answer as cells. */
export interface CellTable {
  readonly columns: readonly ListColumn[];
  /** The rows; scalars among objects are wrapped in objects with one field. */
  readonly rows: readonly Json[];
  /** Keys that identify the rows, also in other answers. */
  readonly keys: readonly string[];
  /** Cells by row and column. */
  readonly cells: readonly (readonly ListCell[])[];
  readonly shorten: Shorten;
  /** Identifiers with the same ends as another one on the page. */
  readonly lookalikes: ReadonlySet<string>;
}

/** Number of characters at each end that people compare. */
const END_LENGTH = 4;
/** Maximum width of a name before an identifier in cells. */
const MAX_NAME = 12;

/** Formats all rows; `nameOf` returns the known name of an identifier. */
export function buildTable(
  answer: readonly Json[],
  columns: readonly ListColumn[],
  identity: readonly string[] | undefined,
  clock: Clock,
  nameOf: (id: string) => string | undefined = () => undefined,
): CellTable {
  const rows = isPlainList(answer) ? answer : answer.map(asObject);
  const cells = rows.map((row) =>
    withNames(
      columns.map((column) => errorCell(row, column) ?? formatCell(row, column, { clock })),
      nameOf,
    ),
  );
  const shorten = createShortener();
  const ids = new Set(cells.flatMap((row) => row.flatMap((cell) => cell.ids ?? [])));
  // The shortener must know all identifiers of a page first, so that lookalikes get longer forms.
  for (const id of ids) shorten(id);
  return { columns, rows, keys: rowKeys(rows, identity), cells, shorten, lookalikes: findLookalikes(ids) };
}

/** Adds names before identifiers, unless another cell of the row shows the name. */
function withNames(row: readonly Cell[], nameOf: (id: string) => string | undefined): readonly ListCell[] {
  const isVisible = (name: string) => row.some(({ text }) => text.toLowerCase() === name.toLowerCase());
  return row.map((cell) => {
    const [id, ...rest] = cell.ids ?? [];
    const name = id === undefined || rest.length > 0 ? undefined : nameOf(id);
    if (id === undefined || name === undefined) return cell;
    const warning = detectLookalike(name, id);
    const mark = warning === undefined ? "" : `${WARNING_MARK} `;
    if (isVisible(mark + name)) return cell;
    return { ...cell, name: mark + clip(name, MAX_NAME), ...(warning && { warning }) };
  });
}

/** Formats the error of a failed transaction. */
function errorCell(row: Json, { sources }: ListColumn): Cell | undefined {
  const path = sources[0]?.path;
  const text = path?.at(-1) === "err" ? transactionErrorText(valueAt(row, path)) : undefined;
  return text === undefined ? undefined : { text, elastic: true };
}

function asObject(row: Json): Json {
  if (isObject(row)) return row;
  return row === null ? {} : { value: row };
}

/** Returns keys for rows: the identity fields of the endpoint, otherwise the whole row; duplicates are numbered. */
export function rowKeys(rows: readonly Json[], identity: readonly string[] | undefined): readonly string[] {
  const seen = new Map<string, number>();
  return rows.map((row) => {
    const parts = identity?.map((name) => valueAt(row, [name]) ?? null);
    const key = stringifyJson(parts?.some((part) => part !== null) ? parts : row);
    const count = (seen.get(key) ?? 0) + 1;
    seen.set(key, count);
    return count === 1 ? key : `${key}#${count}`;
  });
}

/** Returns the identifiers that share both ends with another one. */
function findLookalikes(ids: Iterable<string>): ReadonlySet<string> {
  const groups = Map.groupBy(ids, (id) => `${id.slice(0, END_LENGTH)}…${id.slice(-END_LENGTH)}`);
  return new Set([...groups.values()].filter((group) => group.length > 1).flat());
}

/** A value with its position in a row. */
export interface RowValue {
  readonly path: Path;
  readonly value: Json | undefined;
  readonly meta: FieldMeta | undefined;
  /** The enclosing object. */
  readonly parent: Json | undefined;
}

/** Returns the value of a row in a column: that of the first path with a value. */
export function valueOfColumn(row: Json, { sources }: ListColumn): RowValue {
  const source = sources.find(({ path }) => valueAt(row, path) !== undefined) ?? sources[0];
  const path = source?.path ?? [];
  return { path, value: valueAt(row, path), meta: source?.meta, parent: valueAt(row, path.slice(0, -1)) };
}

/** Maximum number of characters of a raw value. */
const MAX_RAW = 500;

const CACHE = new WeakMap<CellTable, readonly string[]>();

/** Returns the search text of each row: its cells as formatted and as received, one per line. */
export function searchTexts(table: CellTable, clock: Clock): readonly string[] {
  const texts = CACHE.get(table) ?? createSearchTexts(table, clock);
  CACHE.set(table, texts);
  return texts;
}

function createSearchTexts(table: CellTable, clock: Clock): readonly string[] {
  const iso: Clock = { ...clock, style: "iso" };
  return table.rows.map((row, index) => {
    const cells = table.cells[index] ?? [];
    const lines = table.columns.flatMap((column, at) => [
      cells[at]?.text ?? "",
      cells[at]?.name ?? "",
      rawText(row, column, iso),
    ]);
    return [...new Set(lines)].join("\n");
  });
}

function rawText(row: Json, column: CellTable["columns"][number], iso: Clock): string {
  const { value, meta, parent } = valueOfColumn(row, column);
  if (value === undefined || value === null) return "";
  if (meta?.kind === "unixTime" || meta?.kind === "isoTime") return formatValue(value, meta, parent, iso).text;
  return formatValue(value, undefined, parent, iso).text.slice(0, MAX_RAW);
}
