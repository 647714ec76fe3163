/** Derives what a list displays from its answer and its state. Pure, and memoized per step. */

import type { Endpoint, ParameterValues } from "../../../catalogue/index.ts";
import type { ListSort } from "../../navigation/list-settings.ts";
import { clampIndex, scrollTop } from "../viewport.ts";
import {
  type ColumnLayout,
  type ColumnMeasure,
  type ColumnWidths,
  computeMinWidths,
  layOutColumns,
  withWidths,
} from "./column-layout.ts";
import type { ListColumn } from "./columns.ts";
import type { ListQuery } from "./reducer.ts";
import { type RowsState, selectedRow, type Viewport, type VisibleRows } from "./rows.ts";
import type { CellTable } from "./table.ts";

/** Returns the parameters without the page: those of the panel or of the filter form, in the chosen order. */
export function createQueryParams(
  endpoint: Endpoint,
  params: ParameterValues,
  identifierParams: readonly string[],
  { formParams, loaded, sort }: Pick<ListQuery, "formParams" | "loaded"> & Pick<RowsState, "sort">,
): ParameterValues {
  if (loaded) return loaded.queryParams;
  const identifiers = Object.fromEntries(Object.entries(params).filter(([name]) => identifierParams.includes(name)));
  const base = formParams ? { ...identifiers, ...formParams } : params;
  return sort?.api === undefined ? base : { ...base, ...sortParams(endpoint, sort.api, sort) };
}

/** Returns the sort key and direction; the defaults of the API are omitted. */
function sortParams({ query }: Endpoint, key: string, { isDescending }: ListSort): ParameterValues {
  const direction = isDescending ? "desc" : "asc";
  return {
    sort_by: query.sort_by?.default === key ? undefined : key,
    ...(query.sort_order && { sort_order: query.sort_order.default === direction ? undefined : direction }),
  };
}

/** The visible part of a list and the cursor. */
export interface ListLayout {
  readonly viewport: Viewport;
  readonly columns: ColumnLayout;
  readonly selected: number;
  readonly top: number;
  readonly columnIndex: number;
  readonly column: ListColumn | undefined;
}

/** What the layout of a list depends on besides its state. */
export interface ListContent {
  readonly visible: VisibleRows;
  readonly measure: ColumnMeasure;
  readonly table: CellTable;
  /** The column that the list is sorted by at first. */
  readonly naturalColumn: number;
  /** The widths that the user chose. */
  readonly widths: ColumnWidths;
}

/** Cells to the left of each row for its marks, and to the right for the sign of hidden columns. */
export const GUTTER = 2;
export const MORE_SIGN_WIDTH = 2;

/** Lays out a list for a number of lines and cells. */
export function layOutList(
  state: RowsState,
  { visible, measure: natural, table, naturalColumn, widths }: ListContent,
  size: { readonly width: number; readonly height: number },
): ListLayout {
  const width = Math.max(1, size.width - GUTTER - MORE_SIGN_WIDTH);
  const selected = selectedRow(state, visible.keys);
  const measure = withWidths(natural, table.columns, widths);
  const columns = layOutColumns(measure, width, state.firstScrolled, state.column ?? 0);
  // A cursor that was not moved does not scroll the columns.
  const initialColumn = columns.visible.some(({ index }) => index === naturalColumn) ? naturalColumn : 0;
  const columnIndex = clampIndex(state.column ?? initialColumn, table.columns.length);
  return {
    viewport: {
      keys: visible.keys,
      height: size.height,
      columnIndex,
      minWidths: computeMinWidths(measure, width),
      width,
    },
    columns,
    selected,
    top: scrollTop({ count: visible.keys.length }, size.height, state.top, selected),
    columnIndex,
    column: table.columns[columnIndex],
  };
}
