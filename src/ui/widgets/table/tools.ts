/** Sorting, marking, comparing and previewing rows of a short table. Pure. */
import { isNumeric, type Json, type JsonObject, numericText } from "../../../base/index.ts";
import type { Shape } from "../../../output/index.ts";
import type { Subject } from "../../navigation/context.ts";
import { span, type TextLine } from "../../navigation/theme/text-line.ts";
import { applyFilter, parseFilter } from "../filter.ts";
import type { FilteredRows } from "../filter-input.ts";
import type { ListColumn } from "../list/columns.ts";
import type { CellFilter } from "../list/filters/cell-filter.ts";
import { symbolsOf } from "../list/row-lines.ts";
import { describeSort, naturalColumn, sortOrder } from "../list/sort.ts";
import type { ShortTableColumn } from "./layout.ts";

/** The identity and the shape of rows. */
export interface RowIdentity {
  /** The shape of their fields. */
  readonly shape: Shape;
  /** Returns an identifier that is stable across answers. */
  readonly idOf: (row: JsonObject) => string;
}

/** The state of the tools. */
export interface RowToolsState {
  /** The selected column, among those with text; undefined until it is moved. */
  readonly column: number | undefined;
  /** The values that the rows are filtered by. */
  readonly cellFilters: readonly CellFilter[];
  readonly sort: { readonly path: string; readonly isDescending: boolean } | undefined;
  readonly marks: ReadonlyMap<string, JsonObject>;
  /** Whether the user opened or closed the preview; undefined for the default. */
  readonly hasPreview: boolean | undefined;
}

/** The initial state. */
export const INITIAL_ROW_TOOLS: RowToolsState = {
  column: undefined,
  cellFilters: [],
  sort: undefined,
  marks: new Map(),
  hasPreview: undefined,
};

/** Cells to the left of each row for its mark. */
export const MARK_WIDTH = 2;

/** Returns the columns that can be sorted by: those with text. */
export function sortableColumns(columns: readonly ShortTableColumn[]): readonly ShortTableColumn[] {
  return columns.filter(({ drawing }) => drawing === undefined);
}

/** Returns a column as lists have it. */
export function listColumnOf({ head, path }: Pick<ShortTableColumn, "head" | "path">, shape: Shape): ListColumn {
  return { key: path, head, sources: [{ path: [path], meta: shape.field(path).meta }] };
}

/** Returns the column of the cursor, among those with text: that of the order that people expect, until it is moved. */
export function columnIndex({ column }: RowToolsState, columns: readonly ShortTableColumn[], shape: Shape): number {
  const sortable = sortableColumns(columns);
  return column ?? naturalColumn(sortable.map((one) => listColumnOf(one, shape)));
}

/** Cycles the order of the selected column: quantities from the highest first, then reversed, then unsorted. */
export function nextSort(
  state: RowToolsState,
  columns: readonly ShortTableColumn[],
  rows: readonly JsonObject[],
  selected = state.column ?? 0,
): RowToolsState["sort"] {
  const column = sortableColumns(columns)[selected];
  if (column === undefined) return state.sort;
  const { path, cell } = column;
  const first = rows.some((row) => cell(row).numeric);
  if (state.sort?.path !== path) return { path, isDescending: first };
  return state.sort.isDescending === first ? { path, isDescending: !first } : undefined;
}

/** Sorts rows. */
export function sortRows(rows: readonly JsonObject[], { sort }: RowToolsState, shape: Shape): readonly JsonObject[] {
  if (sort === undefined) return rows;
  const { path, isDescending } = sort;
  return sortOrder(rows, listColumnOf({ head: path, path }, shape), isDescending)
    .map((at) => rows[at])
    .filter((row) => row !== undefined);
}

/** Adds the arrow of the order and marks the selected column. */
export function withSortArrows(
  columns: readonly ShortTableColumn[],
  { sort }: Pick<RowToolsState, "sort">,
  selected: number,
  unicode: boolean,
): readonly ShortTableColumn[] {
  const symbols = symbolsOf(unicode);
  const active = sortableColumns(columns)[selected];
  return columns.map((column) => {
    const isSorted = column.drawing === undefined && sort?.path === column.path;
    const arrow = isSorted ? (sort?.isDescending ? symbols.down : symbols.up) : "";
    return { ...column, head: column.head + arrow, isActive: column === active };
  });
}

/** Returns the order by one of the columns and its description; none without such an order. */
export function localOrder(
  { sort }: RowToolsState,
  columns: readonly ShortTableColumn[],
  shape: Shape,
): { readonly descriptions: readonly string[]; readonly sort: Subject["sort"] } {
  const column = columns.find(({ path }) => path === sort?.path);
  if (sort === undefined || column === undefined) return { descriptions: [], sort: undefined };
  const { isDescending } = sort;
  return {
    descriptions: [describeSort(column.head, isDescending, "these rows")],
    sort: { sources: listColumnOf(column, shape).sources, isDescending },
  };
}

/** Marks or unmarks a row. */
export function toggleMark(state: RowToolsState, row: JsonObject, idOf: RowIdentity["idOf"]): RowToolsState {
  const marks = new Map(state.marks);
  const id = idOf(row);
  if (!marks.delete(id)) marks.set(id, row);
  return { ...state, marks };
}

/** Adds the column of marks to a line; the cursor reaches it. */
export function withMarkColumn(line: TextLine, isMarked: boolean, unicode: boolean): TextLine {
  const mark = isMarked ? span(`${symbolsOf(unicode).marked} `, "marked") : span(" ".repeat(MARK_WIDTH));
  return [{ ...mark, cursor: line[0]?.cursor }, ...line];
}

/** Returns the marked rows, updated from the current answer where they still exist. */
export function markedRows(
  { marks }: RowToolsState,
  rows: readonly JsonObject[],
  idOf: RowIdentity["idOf"],
): readonly Json[] {
  const current = new Map(rows.map((row) => [idOf(row), row]));
  return [...marks].map(([id, row]) => current.get(id) ?? row);
}

/** Filters rows by their formatted cells and their raw values. */
export function filterTableRows(
  text: string,
  rows: readonly JsonObject[],
  columns: readonly ShortTableColumn[],
): FilteredRows {
  if (text === "") return { rows, problem: undefined };
  const texts = rows.map((row) => [...columns.map(({ cell }) => cell(row).text), ...rawValues(row)].join("\n"));
  const { matches, problem } = applyFilter(parseFilter(text), texts);
  return { rows: matches.map((at) => rows[at]).filter((row) => row !== undefined), problem };
}

/** Returns the raw values of a row; field names are in every row and useless in a filter. */
function rawValues(row: JsonObject): readonly string[] {
  return Object.values(row).flatMap((value) =>
    isNumeric(value) ? [numericText(value)] : typeof value === "string" ? [value] : [],
  );
}
