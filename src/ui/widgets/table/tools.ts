/** What a short list may do with its rows beyond following them: sort, mark, compare, preview. Pure. */
import { isNumeric, type Json, type JsonObject, numericText } from "../../../base/json.ts";
import type { Shape } from "../../../output/index.ts";
import { span, type TextLine } from "../../app/theme/text-line.ts";
import { applyFilter, parseFilter } from "../filter.ts";
import type { FilteredRows } from "../filter-input.ts";
import { symbolsOf } from "../list/row-lines.ts";
import { sortOrder } from "../list/sort.ts";
import type { TableColumn } from "./layout.ts";

/** What the rows of a list with tools are. */
export interface RowIdentity {
  /** What is known of their fields. */
  readonly shape: Shape;
  /** Tells a row apart, also in the next answer. */
  readonly idOf: (row: JsonObject) => string;
}

/** What a list with tools remembers. */
export interface RowToolsState {
  /** The column that is sorted by, of those that have a heading. */
  readonly column: number;
  readonly sort: { readonly path: string; readonly isDescending: boolean } | undefined;
  readonly marks: ReadonlyMap<string, JsonObject>;
  readonly hasPreview: boolean;
}

/** Where it begins. */
export const INITIAL_ROW_TOOLS: RowToolsState = { column: 0, sort: undefined, marks: new Map(), hasPreview: false };

/** Cells at the left of each row for its mark. */
export const MARK_WIDTH = 2;

/** The columns that can be sorted by: those that are text. */
export function sortableColumns(columns: readonly TableColumn[]): readonly TableColumn[] {
  return columns.filter(({ drawing }) => drawing === undefined);
}

/** The next order by the column of the cursor: quantities from the greatest, then the other way, then as it came. */
export function nextSort(
  state: RowToolsState,
  columns: readonly TableColumn[],
  rows: readonly JsonObject[],
): RowToolsState["sort"] {
  const column = sortableColumns(columns)[state.column];
  if (column === undefined) return state.sort;
  const { path, cell } = column;
  const first = rows.some((row) => cell(row).numeric);
  if (state.sort?.path !== path) return { path, isDescending: first };
  return state.sort.isDescending === first ? { path, isDescending: !first } : undefined;
}

/** The rows in the order that was chosen. */
export function sortRows(rows: readonly JsonObject[], { sort }: RowToolsState, shape: Shape): readonly JsonObject[] {
  if (sort === undefined) return rows;
  const { path, isDescending } = sort;
  const column = { key: path, head: path, sources: [{ path: [path], meta: shape.field(path).meta }] };
  return sortOrder(rows, column, isDescending)
    .map((at) => rows[at])
    .filter((row) => row !== undefined);
}

/** The columns with the sign of the order, and the one of the cursor. */
export function withSortArrows(
  columns: readonly TableColumn[],
  state: RowToolsState,
  unicode: boolean,
): readonly TableColumn[] {
  const symbols = symbolsOf(unicode);
  const active = sortableColumns(columns)[state.column];
  return columns.map((column) => {
    const isSorted = column.drawing === undefined && state.sort?.path === column.path;
    const arrow = isSorted ? (state.sort?.isDescending ? symbols.down : symbols.up) : "";
    return { ...column, head: column.head + arrow, isActive: column === active };
  });
}

/** The order in the words of all lists. */
export function describeSort({ sort }: RowToolsState, columns: readonly TableColumn[]): readonly string[] {
  const column = columns.find(({ path }) => path === sort?.path);
  if (sort === undefined || column === undefined) return [];
  return [`sorted by ${column.head} on this page, ${sort.isDescending ? "greatest" : "least"} first`];
}

/** Marks a row, or takes its mark away. */
export function toggleMark(state: RowToolsState, row: JsonObject, idOf: RowIdentity["idOf"]): RowToolsState {
  const marks = new Map(state.marks);
  const id = idOf(row);
  if (!marks.delete(id)) marks.set(id, row);
  return { ...state, marks };
}

/** A line with room for its mark. */
export function withMarkColumn(line: TextLine, isMarked: boolean, unicode: boolean): TextLine {
  return [isMarked ? span(`${symbolsOf(unicode).marked} `, "marked") : span(" ".repeat(MARK_WIDTH)), ...line];
}

/** The rows that are marked, as they are now where they are still there. */
export function markedRows(
  { marks }: RowToolsState,
  rows: readonly JsonObject[],
  idOf: RowIdentity["idOf"],
): readonly Json[] {
  const current = new Map(rows.map((row) => [idOf(row), row]));
  return [...marks].map(([id, row]) => current.get(id) ?? row);
}

/** Filters rows by what their cells show and by what the API gave. */
export function filterTableRows(
  text: string,
  rows: readonly JsonObject[],
  columns: readonly TableColumn[],
): FilteredRows {
  if (text === "") return { rows, problem: undefined };
  const texts = rows.map((row) => [...columns.map(({ cell }) => cell(row).text), ...rawValues(row)].join("\n"));
  const { matches, problem } = applyFilter(parseFilter(text), texts);
  return { rows: matches.map((at) => rows[at]).filter((row) => row !== undefined), problem };
}

/** The values of a row as they came; the names of its fields are in every row, and no use in a filter. */
function rawValues(row: JsonObject): readonly string[] {
  return Object.values(row).flatMap((value) =>
    isNumeric(value) ? [numericText(value)] : typeof value === "string" ? [value] : [],
  );
}
