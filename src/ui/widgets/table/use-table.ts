/** The hook of a short table: its rows, filtered and sorted by the engine of lists. */
import { useMemo } from "react";
import type { JsonObject } from "../../../base/index.ts";
import { UNKNOWN_SHAPE } from "../../../output/index.ts";
import type { Resource } from "../../data/hooks.ts";
import { type Subject, useExplorer, useViewState } from "../../navigation/context.ts";
import { keyLabelsOf } from "../../navigation/keys/key-hints.ts";
import type { Route } from "../../navigation/route.ts";
import { filterLine, useFilterInput } from "../filter-input.ts";
import { cellChips, chipText } from "../list/filters/chips.ts";
import { INITIAL_ROWS, markedRows, selectedRow, selectVisibleRows } from "../list/rows.ts";
import { describeSort, naturalColumn } from "../list/sort.ts";
import type { ShortTableColumn } from "./layout.ts";
import { listColumnOf, type RowIdentity, rowTexts, sortableColumns, withSortArrows } from "./rows.ts";

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
  /** With the identity of rows, they can be sorted, marked, compared and previewed. */
  readonly identity?: RowIdentity | undefined;
  /** The field that identifies a row, for rows without these tools. */
  readonly idField?: string | undefined;
}

/** Returns the visible rows of a table, its columns and its filters. */
export function useTable(source: TableSource, part: string, active: boolean) {
  const explorer = useExplorer();
  const { unicode } = explorer.services;
  const { rows: all, columns: base, identity, idField } = source;
  const [state, set] = useViewState(`${part} rows`, INITIAL_ROWS);
  const { input, bindings: filterBindings } = useFilterInput(part, all.length > 1, active);
  const shape = identity?.shape ?? UNKNOWN_SHAPE;
  const content = useMemo(() => {
    const idOf = identity?.idOf ?? ((row: JsonObject) => (idField === undefined ? undefined : row[idField]));
    const keys = all.map((row, at) => String(idOf(row) ?? at));
    return { rows: all, keys, columns: sortableColumns(base).map((column) => listColumnOf(column, shape)) };
  }, [all, base, identity, idField, shape]);
  const { cellFilters, sort } = state;
  const visible = useMemo(
    () => selectVisibleRows(content, { filter: input.text, cellFilters, sort }, () => rowTexts(all, base)),
    [content, all, base, input.text, cellFilters, sort],
  );
  const columnIndex = identity ? (state.column ?? naturalColumn(content.columns)) : 0;
  const columns = useMemo(
    () => (identity ? withSortArrows(base, sort, columnIndex, unicode) : base),
    [base, sort, columnIndex, identity, unicode],
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
      ...(sort && sorted ? [describeSort(sorted.head, sort.isDescending, "these rows")] : []),
    ],
    sort: sort && sorted && { sources: sorted.sources, isDescending: sort.isDescending },
  };
}

/** The result of {@link useTable}. */
export type Table = ReturnType<typeof useTable>;
