/**
 * The rows of an answer as cells, computed once per answer, with their keys and search texts. Rows that are appended to a
 * list are added to its index, so that each page of a long list costs as much as its own rows.
 */

import { isArray, isObject, type Json, stringifyJson } from "../../../base/index.ts";
import { type FieldMeta, NUMERIC_KINDS } from "../../../catalogue/index.ts";
import {
  type Cell,
  type Clock,
  cellStyles,
  createNamer,
  createShortener,
  formatCell,
  formatValue,
  type NameOf,
  nameCells,
  type Path,
  type Shorten,
  type ValueStyle,
  valueAt,
  WARNING_MARK,
} from "../../../output/index.ts";
import { transactionCell } from "../transaction-cells.ts";
import { isPlainList, isTrendColumn, type ListColumn } from "./columns.ts";

/** The rows of an answer as cells. */
export interface CellTable {
  readonly columns: readonly ListColumn[];
  /** The rows; scalars among objects are wrapped in objects with one field. */
  readonly rows: readonly Json[];
  /** Keys that identify the rows, also in other answers. */
  readonly keys: readonly string[];
  /** Returns the cells of a row, which are formatted when they are first needed. */
  readonly cellsOf: (row: number) => readonly Cell[];
  /** Formats a row without remembering its cells. */
  readonly format: (row: Json) => readonly Cell[];
  readonly shorten: Shorten;
  /** Identifiers with the same ends as another one in the list. */
  readonly lookalikes: ReadonlySet<string>;
}

/** The cell of a column that is drawn. */
const DRAWN_CELL: Cell = { text: "" };

/** Rows whose cells are remembered: more than any window shows. */
const MAX_FORMATTED = 1000;

/** Rows whose identifiers are named first, so that a name that two of them share is ambiguous in both. */
const NAMED_FIRST = 200;

/** Creates a table; `nameOf` returns the known name of an identifier. */
export function buildTable(
  answer: readonly Json[],
  columns: readonly ListColumn[],
  identity: readonly string[] | undefined,
  clock: Clock,
  nameOf: NameOf = () => undefined,
): CellTable {
  const rows = isPlainList(answer) || answer.every(isObject) ? answer : answer.map(asObject);
  const { keys, shorten, lookalikes } = indexRows(rows, columns, identity);
  const formatted = new Map<number, readonly Cell[]>();
  const namer = createNamer(nameOf);
  for (const row of rows.slice(0, NAMED_FIRST)) for (const column of columns) readIds(row, column).forEach(namer);
  const symbolOf: ValueStyle["symbolOf"] = (mint) => nameOf(mint) ?? { name: shorten(mint) };
  const styleOf = cellStyles(columns, { ...clock, numbers: "brief", symbolOf });
  const format = (row: Json) =>
    nameCells(
      columns.map((column) =>
        isTrendColumn(column)
          ? DRAWN_CELL
          : (actionCell(row, column, nameOf) ?? formatCell(row, column, { clock: styleOf(column) })),
      ),
      namer,
    );
  const cellsOf = (index: number) => {
    const cells = formatted.get(index) ?? format(rows[index] ?? null);
    if (formatted.size >= MAX_FORMATTED) formatted.clear();
    formatted.set(index, cells);
    return cells;
  };
  return { columns, rows, keys, cellsOf, format, shorten, lookalikes };
}

function actionCell(row: Json, column: ListColumn, nameOf: NameOf): Cell | undefined {
  const { path, value, meta } = valueOfColumn(row, column);
  const field = path.at(-1);
  return transactionCell(row, typeof field === "string" ? field : undefined, value, meta, nameOf);
}

function asObject(row: Json): Json {
  if (isObject(row)) return row;
  return row === null ? {} : { value: row };
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

const MAX_RAW = 500;

const TEXTS = new WeakMap<CellTable, readonly string[]>();

/** Returns the search text of each row: its cells as formatted, with numbers in full, and as received, one per line. */
export function searchTexts(table: CellTable, clock: Clock): readonly string[] {
  const texts = TEXTS.get(table) ?? createSearchTexts(table, clock);
  TEXTS.set(table, texts);
  return texts;
}

/** Of a long list, only the rows that were added since the last call are formatted. */
function createSearchTexts({ rows, columns, format }: CellTable, clock: Clock): readonly string[] {
  const iso: Clock = { ...clock, style: "iso" };
  const joinTexts = (row: Json) => {
    const cells = format(row);
    const lines = columns.flatMap((column, at) => [
      cells[at]?.text ?? "",
      ...(cells[at]?.names ?? []).map((name) => name?.text ?? ""),
      ...(cells[at]?.warning === undefined ? [] : [WARNING_MARK]),
      ...(cells[at]?.numeric ? [fullText(row, column, iso)] : []),
      rawText(row, column, iso),
    ]);
    return [...new Set(lines)].join("\n");
  };
  const index = LATEST.get(columns);
  const isIndexed = index !== undefined && index.keys.length === rows.length && index.last === rows.at(-1);
  if (rows.length <= MAX_FORMATTED || !isIndexed) return rows.map(joinTexts);
  for (const row of rows.slice(index.texts.length)) index.texts.push(joinTexts(row));
  return [...index.texts];
}

/** Returns a number in full where its cell is brief. */
function fullText(row: Json, column: ListColumn, iso: Clock): string {
  const { value, meta, parent } = valueOfColumn(row, column);
  return value === undefined ? "" : formatValue(value, meta, parent, iso).text;
}

function rawText(row: Json, column: CellTable["columns"][number], iso: Clock): string {
  const { value, meta, parent } = valueOfColumn(row, column);
  if (value === undefined || value === null) return "";
  if (meta?.kind === "unixTime" || meta?.kind === "isoTime") return formatValue(value, meta, parent, iso).text;
  return formatValue(value, undefined, parent, iso).text.slice(0, MAX_RAW);
}

interface GrowingIndex {
  /** Keys that identify the rows, also in other answers. */
  readonly keys: string[];
  /** The search texts of the first rows, once they were needed. */
  readonly texts: string[];
  readonly keyCounts: Map<string, number>;
  readonly shorten: Shorten;
  /** Identifiers with the same ends as another one. */
  readonly lookalikes: Set<string>;
  /** The first identifier with the same ends. */
  readonly idsByEnds: Map<string, string>;
  /** The last row, by which a longer list is recognised. */
  last: Json | undefined;
}

/** The latest index by its columns. */
const LATEST = new WeakMap<readonly ListColumn[], GrowingIndex>();

/** Returns the index of rows. Rows of the previous list with the same columns are not read again where it begins alike. */
function indexRows(
  rows: readonly Json[],
  columns: readonly ListColumn[],
  identity: readonly string[] | undefined,
): Pick<CellTable, "keys" | "shorten" | "lookalikes"> {
  const latest = LATEST.get(columns);
  const count = latest?.keys.length ?? 0;
  const index = latest && count > 0 && latest.last === rows[count - 1] ? latest : createIndex();
  LATEST.set(columns, index);
  const idColumns = columns.filter(({ sources }) => !ID_FREE_KINDS.has(sources[0]?.meta?.kind ?? "json"));
  for (const row of rows.slice(index.keys.length)) {
    index.keys.push(uniqueKey(row, identity, index));
    for (const column of idColumns) for (const id of readIds(row, column)) addIdentifier(id, index);
    index.last = row;
  }
  // A list that grows later must not change this one.
  return { keys: [...index.keys], shorten: index.shorten, lookalikes: new Set(index.lookalikes) };
}

function createIndex(): GrowingIndex {
  return {
    keys: [],
    texts: [],
    keyCounts: new Map(),
    shorten: createShortener(),
    lookalikes: new Set(),
    idsByEnds: new Map(),
    last: undefined,
  };
}

/** Returns the key of a row: the identity fields of the endpoint, otherwise the whole row; duplicates are numbered. */
function uniqueKey(row: Json, identity: readonly string[] | undefined, { keyCounts }: GrowingIndex): string {
  const parts = identity?.map((path) => valueAt(row, path.split(".")) ?? null);
  const key = stringifyJson(parts?.some((part) => part !== null) ? parts : row);
  const count = (keyCounts.get(key) ?? 0) + 1;
  keyCounts.set(key, count);
  return count === 1 ? key : `${key}#${count}`;
}

/** Kinds whose values are never identifiers. */
const ID_FREE_KINDS: ReadonlySet<string> = new Set([...NUMERIC_KINDS, "unixTime", "isoTime", "enum", "status"]);
const IDENTIFIER = /^[0-9A-Za-z]{32,128}$/;

function readIds(row: Json, { sources }: ListColumn): readonly string[] {
  const path = sources.find((source) => valueAt(row, source.path) !== undefined)?.path;
  const value = path && valueAt(row, path);
  return (isArray(value) ? value : [value]).filter(
    (item) => typeof item === "string" && IDENTIFIER.test(item),
  ) as string[];
}

/** Number of characters at each end that people compare. */
const END_LENGTH = 4;

/** Adds an identifier. The shortener knows all that look alike before it is used, so that they get longer forms. */
function addIdentifier(id: string, { idsByEnds, lookalikes, shorten }: GrowingIndex): void {
  const ends = id.slice(0, END_LENGTH) + id.slice(-END_LENGTH);
  const first = idsByEnds.get(ends);
  if (first === undefined) idsByEnds.set(ends, id);
  if (first === undefined || first === id) return;
  for (const twin of [first, id]) {
    lookalikes.add(twin);
    shorten(twin);
  }
}
