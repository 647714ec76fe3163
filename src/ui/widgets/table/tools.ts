/** What a short list may do with its rows beyond following them: sort, mark, compare, preview. Pure. */
import { isNumeric, type Json, type JsonObject, numericText } from "../../../base/json.ts";
import type { Shape } from "../../../output/fields/shape.ts";
import { span, type TextLine } from "../../app/theme/text-line.ts";
import { applyFilter, parseFilter } from "../filter.ts";
import type { FilteredRows } from "../filter-input.ts";
import { symbolsOf } from "../list/row-lines.ts";
import { sortOrder } from "../list/sort.ts";
import type { TableColumn } from "./layout.ts";

/** What the rows of a list with tools are. */
export interface ToolRows {
  /** What is known of their fields. */
  readonly shape: Shape;
  /** Tells a row apart, also in the next answer. */
  readonly idOf: (row: JsonObject) => string;
}

/** What a list with tools remembers. */
export interface ToolState {
  /** The column that is sorted by, of those that have a heading. */
  readonly column: number;
  readonly sort: { readonly path: string; readonly isDescending: boolean } | undefined;
  readonly marks: ReadonlyMap<string, JsonObject>;
  readonly hasPreview: boolean;
}

/** Where it begins. */
export const NO_TOOLS_USED: ToolState = { column: 0, sort: undefined, marks: new Map(), hasPreview: false };

/** Cells at the left of each row for its mark. */
export const MARK_WIDTH = 2;

/** The columns that can be sorted by: those that are text. */
export function sortable(columns: readonly TableColumn[]): readonly TableColumn[] {
  return columns.filter(({ drawn }) => drawn === undefined);
}

/** The next order by the column of the cursor: quantities from the greatest, then the other way, then as it came. */
export function sortedNext(
  state: ToolState,
  columns: readonly TableColumn[],
  rows: readonly JsonObject[],
): ToolState["sort"] {
  const column = sortable(columns)[state.column];
  if (column === undefined) return state.sort;
  const { path, cell } = column;
  const first = rows.some((row) => cell(row).numeric);
  if (state.sort?.path !== path) return { path, isDescending: first };
  return state.sort.isDescending === first ? { path, isDescending: !first } : undefined;
}

/** The rows in the order that was chosen. */
export function inOrder(rows: readonly JsonObject[], { sort }: ToolState, shape: Shape): readonly JsonObject[] {
  if (sort === undefined) return rows;
  const { path, isDescending } = sort;
  const column = { key: path, head: path, sources: [{ path: [path], meta: shape.field(path).meta }] };
  return sortOrder(rows, column, isDescending)
    .map((at) => rows[at])
    .filter((row) => row !== undefined);
}

/** The columns with the sign of the order, and the one of the cursor. */
export function headed(columns: readonly TableColumn[], state: ToolState, unicode: boolean): readonly TableColumn[] {
  const signs = symbolsOf(unicode);
  const here = sortable(columns)[state.column];
  return columns.map((column) => {
    const isSorted = column.drawn === undefined && state.sort?.path === column.path;
    const arrow = isSorted ? (state.sort?.isDescending ? signs.down : signs.up) : "";
    return { ...column, head: column.head + arrow, isHere: column === here };
  });
}

/** The order in the words of all lists. */
export function orderWords({ sort }: ToolState, columns: readonly TableColumn[]): readonly string[] {
  const column = columns.find(({ path }) => path === sort?.path);
  if (sort === undefined || column === undefined) return [];
  return [`sorted by ${column.head} on this page, ${sort.isDescending ? "greatest" : "least"} first`];
}

/** Marks a row, or takes its mark away. */
export function markToggled(state: ToolState, row: JsonObject, idOf: ToolRows["idOf"]): ToolState {
  const marks = new Map(state.marks);
  const id = idOf(row);
  if (!marks.delete(id)) marks.set(id, row);
  return { ...state, marks };
}

/** A line with room for its mark. */
export function withMark(line: TextLine, isMarked: boolean, unicode: boolean): TextLine {
  return [isMarked ? span(`${symbolsOf(unicode).marked} `, "marked") : span(" ".repeat(MARK_WIDTH)), ...line];
}

/** The rows that are marked, as they are now where they are still there. */
export function markedRows({ marks }: ToolState, rows: readonly JsonObject[], idOf: ToolRows["idOf"]): readonly Json[] {
  const now = new Map(rows.map((row) => [idOf(row), row]));
  return [...marks].map(([id, row]) => now.get(id) ?? row);
}

/** Filters rows by what their cells show and by what the API gave. */
export function leftOf(text: string, rows: readonly JsonObject[], columns: readonly TableColumn[]): FilteredRows {
  if (text === "") return { rows, problem: undefined };
  const texts = rows.map((row) => [...columns.map(({ cell }) => cell(row).text), ...plainValues(row)].join("\n"));
  const { matches, problem } = applyFilter(parseFilter(text), texts);
  return { rows: matches.map((at) => rows[at]).filter((row) => row !== undefined), problem };
}

/** The values of a row as they came; the names of its fields are in every row, and no use in a filter. */
function plainValues(row: JsonObject): readonly string[] {
  return Object.values(row).flatMap((value) =>
    isNumeric(value) ? [numericText(value)] : typeof value === "string" ? [value] : [],
  );
}
