/** The rows of a short table, filtered, sorted and marked by the engine of lists. */

import { useMemo } from "react";
import { type JsonObject, scalarText } from "../../../base/index.ts";
import type { Shape } from "../../../catalogue/index.ts";
import { clip } from "../../../output/index.ts";
import type { Resource } from "../../data/hooks.ts";
import { type Subject, useExplorer, useViewState } from "../../navigation/context.ts";
import { keyLabelsOf } from "../../navigation/keys/bindings.ts";
import type { ListSort } from "../../navigation/list-settings.ts";
import type { Route } from "../../navigation/route.ts";
import { span, type TextLine } from "../../navigation/theme/text-line.ts";
import type { ListColumn } from "../list/columns.ts";
import { type CellFilter, cellChips, cellValues, chipText } from "../list/filters.ts";
import { rowsFormat } from "../list/kept.ts";
import { symbolsOf } from "../list/row-lines.ts";
import { INITIAL_ROWS, markedRows, naturalColumn, selectedRow, selectVisibleRows } from "../list/rows.ts";
import { filterLine, useFilterInput } from "../text-input.ts";
import type { ShortTableColumn } from "./layout.ts";

/** The rows of a short table, and what they are about. */
export interface TableSource {
  /** The query that the rows came from. */
  readonly resource: Resource;
  /** Must be the same array until something changes, since it is memoized. */
  readonly rows: readonly JsonObject[];
  readonly columns: readonly ShortTableColumn[];
  /** The message for an answer without rows. */
  readonly empty: string;
  readonly target: (row: JsonObject | undefined) => Route | undefined;
  readonly cell: (row: JsonObject | undefined) => Subject["cell"];
  readonly identity: RowIdentity;
}

/** Returns the visible rows of a table, its columns and its filters. */
export function useTable(source: TableSource, part: string, active: boolean) {
  const explorer = useExplorer();
  const { unicode } = explorer.services;
  const { rows: all, columns: base, identity } = source;
  const { shape } = identity;
  const [state, set] = useViewState(`${part} rows`, INITIAL_ROWS, rowsFormat(shape));
  const { input, bindings: filterBindings } = useFilterInput(part, all.length > 1, active);
  const content = useMemo(() => {
    const keys = all.map((row, at) => identity.idOf(row) ?? String(at));
    return { rows: all, keys, columns: sortableColumns(base).map((column) => toListColumn(column, shape)) };
  }, [all, base, identity, shape]);
  const { cellFilters, sort } = state;
  const visible = useMemo(
    () => selectVisibleRows(content, { filter: input.text, cellFilters, sort }, () => rowTexts(all, base)),
    [content, all, base, input.text, cellFilters, sort],
  );
  const columnIndex = state.column ?? naturalColumn(content.columns);
  const columns = useMemo(
    () => withSortArrows(base, sort, active ? columnIndex : -1, unicode),
    [base, sort, active, columnIndex, unicode],
  );
  const chips = cellChips(cellFilters);
  const sorted = content.columns.find(({ key }) => key === sort?.column);
  return {
    state,
    set,
    shape,
    visible,
    columns,
    columnIndex,
    selected: selectedRow(state, visible.keys),
    marked: useMemo(() => markedRows(state, content), [state, content]),
    chips,
    filterLine: filterLine(input, { problem: undefined, ...visible }, all.length, keyLabelsOf(explorer)),
    filterBindings,
    local: [
      ...(input.text === "" ? [] : [`filter /${input.text}/`]),
      ...chips.map((chip) => `filter ${chipText(chip)}`),
      ...(sort && sorted
        ? [`sorted by ${sorted.head}, ${sort.isDescending ? "highest" : "lowest"} first, these rows`]
        : []),
    ],
  };
}

/** The result of {@link useTable}. */
export type Table = ReturnType<typeof useTable>;

/** The identity and the shape of rows. */
export interface RowIdentity {
  readonly shape: Shape;
  /** Returns an identifier that is stable across answers; undefined for a row without one. */
  readonly idOf: (row: JsonObject) => string | undefined;
}

/** Returns the columns that can be sorted by: those with text. */
export function sortableColumns(columns: readonly ShortTableColumn[]): readonly ShortTableColumn[] {
  return columns.filter(({ drawing }) => drawing === undefined);
}

function toListColumn({ head, path }: Pick<ShortTableColumn, "head" | "path">, shape: Shape): ListColumn {
  return { key: path, head, sources: [{ path: [path], meta: shape.field(path).meta }] };
}

function withSortArrows(
  columns: readonly ShortTableColumn[],
  sort: ListSort | undefined,
  selected: number,
  unicode: boolean,
): readonly ShortTableColumn[] {
  const symbols = symbolsOf(unicode);
  const active = sortableColumns(columns)[selected];
  return columns.map((column) => {
    const isSorted = column.drawing === undefined && sort?.column === column.path;
    const arrow = isSorted ? (sort?.isDescending ? symbols.down : symbols.up) : "";
    return { ...column, head: column.head + arrow, isActive: column === active };
  });
}

const MAX_LABEL = 32;

/** Returns the filter for the value of a cell; undefined for an empty one. */
export function findCellFilter(
  row: JsonObject | undefined,
  column: ShortTableColumn | undefined,
  shape: Shape,
  isExcluded: boolean,
): CellFilter | undefined {
  if (!row || !column) return undefined;
  const listColumn = toListColumn(column, shape);
  const [value] = cellValues(row, listColumn);
  if (value === undefined) return undefined;
  return { column: listColumn, value, label: clip(column.cell(row).text, MAX_LABEL), isExcluded };
}

/** Cells to the left of each row for its mark. */
export const MARK_WIDTH = 2;

/** Adds the column of marks to a line; the cursor reaches it. */
export function withMarkColumn(line: TextLine, isMarked: boolean, unicode: boolean): TextLine {
  const mark = isMarked ? span(`${symbolsOf(unicode).marked} `, "marked") : span(" ".repeat(MARK_WIDTH));
  return [{ ...mark, cursor: line[0]?.cursor }, ...line];
}

/** Returns the search text of each row: its formatted cells and its raw values, without the names of fields. */
export function rowTexts(rows: readonly JsonObject[], columns: readonly ShortTableColumn[]): readonly string[] {
  return rows.map((row) =>
    [
      ...columns.map(({ cell }) => cell(row).text),
      ...Object.values(row).flatMap((value) => scalarText(value) ?? []),
    ].join("\n"),
  );
}
