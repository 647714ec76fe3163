/**
 * Rows on the screen, of a list or of a short table: the cursor, their filters, marks and order. Transitions are
 * pure: each key builds on the latest state, however fast keys arrive.
 */

import type { Json } from "../../../base/index.ts";
import type { Kind } from "../../../catalogue/index.ts";
import { compareInDirection, type SortKey, toSortKey } from "../../../output/index.ts";
import type { ListSort } from "../../navigation/list-settings.ts";
import { applyFilter, type FilterResult, parseFilter } from "../filter.ts";
import { clampIndex, itemAfter, type Movement, scrollTop } from "../viewport.ts";
import { firstScrolledColumn } from "./column-layout.ts";
import type { ListColumn } from "./columns.ts";
import { type CellFilter, passesFilters } from "./filters.ts";
import { valueOfColumn } from "./table.ts";

/** The state of rows. */
export interface RowsState {
  /** The key of the row at the cursor, and its index when that row is gone. In the first row, the cursor stays there. */
  readonly rowKey: string | undefined;
  readonly row: number;
  /** The first visible row and the first visible column after the frozen one. */
  readonly top: number;
  readonly firstScrolled: number;
  /** The column of the cursor; undefined until it is moved, when it is in the column that rows are sorted by at first. */
  readonly column: number | undefined;
  readonly filter: string;
  /** The values that the rows on the screen are filtered by. */
  readonly cellFilters: readonly CellFilter[];
  readonly sort: ListSort | undefined;
  /** Marked rows by key, of all pages. */
  readonly marks: ReadonlyMap<string, Json>;
  /** Whether the user opened or closed the preview; undefined for the default. */
  readonly hasPreview: boolean | undefined;
}

/** A transition, applied to the latest state. */
export type SetRows = (change: (before: RowsState) => RowsState) => void;

/** The initial state. */
export const INITIAL_ROWS: RowsState = {
  rowKey: undefined,
  row: 0,
  top: 0,
  firstScrolled: 1,
  column: undefined,
  filter: "",
  cellFilters: [],
  sort: undefined,
  marks: new Map(),
  hasPreview: undefined,
};

/** The visible rows and columns while a key is pressed. */
export interface Viewport {
  /** The keys of the rows, filtered and sorted. */
  readonly keys: readonly string[];
  readonly height: number;
  readonly columnIndex: number;
  /** Minimum widths of the columns, and the width for them. */
  readonly minWidths: readonly number[];
  readonly width: number;
}

/** Returns the index of the row at the cursor, by its key when that still exists. */
export function selectedRow({ rowKey, row }: RowsState, keys: readonly string[]): number {
  const ofKey = rowKey === undefined ? -1 : keys.indexOf(rowKey);
  return ofKey >= 0 ? ofKey : clampIndex(row, keys.length);
}

/** Moves the cursor to a row. */
export function moveToRow(state: RowsState, row: number, { keys, height }: Viewport): RowsState {
  const to = clampIndex(row, keys.length);
  const rowKey = to === 0 ? undefined : keys[to];
  return { ...state, row: to, rowKey, top: scrollTop({ count: keys.length }, height, state.top, to) };
}

/** Moves the cursor by a number of rows. */
export function moveByRows(state: RowsState, rows: number, viewport: Viewport): RowsState {
  return moveToRow(state, selectedRow(state, viewport.keys) + rows, viewport);
}

/** Moves the cursor by keys and the mouse wheel. */
export function moveCursor(state: RowsState, movement: Movement, viewport: Viewport): RowsState {
  const { keys, height } = viewport;
  return moveToRow(state, itemAfter({ count: keys.length }, height, selectedRow(state, keys), movement), viewport);
}

/** Moves the cursor by a number of columns. */
export function moveByColumns(
  state: RowsState,
  columns: number,
  { minWidths, width, columnIndex }: Viewport,
): RowsState {
  const { length } = minWidths;
  const column = clampIndex(clampIndex(state.column ?? columnIndex, length) + columns, length);
  return { ...state, column, firstScrolled: firstScrolledColumn(minWidths, width, state.firstScrolled, column) };
}

/** Moves the cursor to a column. */
export function moveToColumn(state: RowsState, column: number, viewport: Viewport): RowsState {
  return moveByColumns({ ...state, column }, 0, viewport);
}

/** Moves the cursor to the first of other rows. */
export function toFirstRow(state: RowsState): RowsState {
  return { ...state, row: 0, rowKey: undefined, top: 0 };
}

/** A column that can be sorted by. */
export interface SortChoice {
  readonly column: string;
  /** Whether the first order is from highest to lowest. */
  readonly highestFirst: boolean;
  /** The sort key of the API, and whether the API sorts in ascending order as well. */
  readonly api?: string | undefined;
  readonly apiAscends?: boolean;
}

/** Cycles the order of a column: first direction, other direction, unsorted. */
export function sortBy(state: RowsState, { column, highestFirst, api, apiAscends = false }: SortChoice): RowsState {
  const { sort } = state;
  const isSame = sort?.column === column;
  const first = highestFirst || api !== undefined;
  if (isSame && sort.isDescending !== first) return { ...toFirstRow(state), sort: undefined };
  const isDescending = isSame ? !first : first;
  const isOfApi = api !== undefined && (isDescending || apiAscends);
  return { ...toFirstRow(state), sort: { column, isDescending, ...(isOfApi && { api }) } };
}

/** Replaces the filter by text. */
export function withFilter(state: RowsState, filter: string): RowsState {
  return { ...state, filter, top: 0 };
}

/** Replaces the filters by values. */
export function withCellFilters(state: RowsState, cellFilters: readonly CellFilter[]): RowsState {
  return { ...state, cellFilters, row: 0, top: 0 };
}

/** Marks or unmarks the row at the cursor and moves to the next one. */
export function toggleMark(state: RowsState, row: Json, viewport: Viewport): RowsState {
  const key = viewport.keys[selectedRow(state, viewport.keys)];
  if (key === undefined) return state;
  const marks = new Map(state.marks);
  if (!marks.delete(key)) marks.set(key, row);
  return moveByRows({ ...state, marks }, 1, viewport);
}

/** Rows with the keys that identify them, also in other answers. */
interface KeyedRows<R extends Json = Json> {
  readonly rows: readonly R[];
  readonly keys: readonly string[];
}

/** Returns the marked rows, updated from the current ones where they are among them. */
export function markedRows({ marks }: Pick<RowsState, "marks">, { rows, keys }: KeyedRows): readonly Json[] {
  if (marks.size === 0) return [];
  const current = new Map(keys.map((key, at) => [key, rows[at]]));
  return [...marks].map(([key, row]) => current.get(key) ?? row);
}

/** The rows that match the filters, in order. */
export interface VisibleRows<R extends Json = Json> extends FilterResult, KeyedRows<R> {}

/**
 * Filters and sorts rows.
 * @param texts returns the search text of each row; called only for a filter
 */
export function selectVisibleRows<R extends Json>(
  { rows, keys, columns }: KeyedRows<R> & { readonly columns: readonly ListColumn[] },
  { filter, cellFilters, sort }: Pick<RowsState, "filter" | "cellFilters" | "sort">,
  texts: () => readonly string[],
): VisibleRows<R> {
  const parsed = parseFilter(filter);
  const result = applyFilter(parsed, parsed.kind === "none" ? keys : texts());
  const column = sort?.api === undefined ? columns.find(({ key }) => key === sort?.column) : undefined;
  const order = sort && column ? sortOrder(rows, column, sort.isDescending) : undefined;
  const matching = new Set(result.matches.filter((index) => passesFilters(rows[index] ?? null, cellFilters)));
  const matches = (order ?? result.matches).filter((index) => matching.has(index));
  return {
    ...result,
    matches,
    rows: matches.map((index) => rows[index] as R),
    keys: matches.map((index) => keys[index] ?? ""),
  };
}

/** The keys of rows by column, since reversing an order needs the same ones. */
const KEYS = new WeakMap<readonly Json[], Map<string, readonly (SortKey | undefined)[]>>();

function readSortKeys(rows: readonly Json[], column: ListColumn): readonly (SortKey | undefined)[] {
  const byColumn = KEYS.get(rows) ?? new Map<string, readonly (SortKey | undefined)[]>();
  KEYS.set(rows, byColumn);
  const keys = byColumn.get(column.key) ?? rows.map((row) => toSortKey(valueOfColumn(row, column)));
  byColumn.set(column.key, keys);
  return keys;
}

/**
 * Returns the indices of the rows in the order of a column. The sort is stable, and empty values come last in both
 * directions.
 */
export function sortOrder(rows: readonly Json[], column: ListColumn, isDescending: boolean): readonly number[] {
  const keys = readSortKeys(rows, column);
  return rows
    .map((_row, index) => index)
    .sort((one, other) => compareInDirection(keys[one], keys[other], isDescending) || one - other);
}

/** Kinds of amounts, by which people sort before anything else, and of times. */
const AMOUNT_KINDS: ReadonlySet<Kind | undefined> = new Set<Kind>(["usd", "tokenAmount", "lamports", "sol", "amount"]);
const TIME_KINDS: ReadonlySet<Kind | undefined> = new Set<Kind>(["unixTime", "isoTime", "date", "minute"]);
/** Returns whether a column has the times of the rows. */
export const isTimeColumn = ({ sources }: ListColumn) => TIME_KINDS.has(sources[0]?.meta?.kind);

/** Amounts for one unit and fees, which say little about a row; prices in tokens are those of whole items. */
const UNIT_PRICE = /price/i;
const FEE = /^fee$/;

/**
 * Returns the index of the column that the rows are sorted by at first: an amount that the API sorts by, or else a value
 * in US dollars, another amount, another column that the API sorts by, a fee, a time.
 */
export function naturalColumn(
  columns: readonly ListColumn[],
  canSort: (column: ListColumn) => boolean = () => false,
): number {
  const readKind = ({ sources }: ListColumn) => sources[0]?.meta?.kind;
  const readField = ({ sources }: ListColumn) => String(sources[0]?.path.at(-1) ?? "");
  const isFee = (column: ListColumn) => AMOUNT_KINDS.has(readKind(column)) && FEE.test(readField(column));
  const isUnitPrice = (column: ListColumn) => readKind(column) !== "tokenAmount" && UNIT_PRICE.test(readField(column));
  const isAmount = (column: ListColumn) => AMOUNT_KINDS.has(readKind(column)) && !isFee(column) && !isUnitPrice(column);
  const choices: readonly ((column: ListColumn) => boolean)[] = [
    (column) => isAmount(column) && canSort(column),
    (column) => isAmount(column) && readKind(column) === "usd",
    isAmount,
    canSort,
    isFee,
    isTimeColumn,
  ];
  return Math.max(0, choices.map((choice) => columns.findIndex(choice)).find((index) => index >= 0) ?? 0);
}
