/** The actions that filter a list by the value of a cell, and that remove filters. */

import type { ParameterValues } from "../../../catalogue/index.ts";
import { clip, safeText } from "../../../output/index.ts";
import type { Explorer } from "../../navigation/context.ts";
import type { Route } from "../../navigation/route.ts";
import {
  type CellFilter,
  type Chip,
  cellChips,
  cellValues,
  FAILED,
  requestChips,
  statusColumn,
  toggleCellFilter,
  withApiFilter,
} from "./filters.ts";
import type { ListLayout } from "./model.ts";
import { withFormParams } from "./reducer.ts";
import { withCellFilters, withFilter } from "./rows.ts";
import type { List } from "./use-list.ts";

/** What the actions apply to. */
export interface FilterContext {
  readonly list: List;
  readonly layout: ListLayout;
  readonly explorer: Explorer;
  readonly route: Route;
}

/** Returns the filters of a list, those of the request first, and the order that it sets. */
export function listChips(list: List, nameOf: (id: string) => string | undefined): readonly Chip[] {
  const { displayed, presetParams, state, queryParams } = list;
  const request = { endpoint: displayed.request.endpoint, params: queryParams };
  const { sort_by: key, sort_order: order } = filterParams(list);
  const isSorted = key !== undefined && key !== null && !presetParams.includes("sort_by");
  const sorted: Chip = {
    subject: "sorted by",
    sign: "",
    value: [key, order].filter(Boolean).join(" ").replaceAll("_", " "),
    params: ["sort_by", "sort_order"],
  };
  return [
    ...requestChips(request, presetParams, nameOf),
    ...(isSorted ? [sorted] : []),
    ...cellChips(state.rows.cellFilters),
  ];
}

/**
 * Replaces the parameters of a list. Where the route is this list, they are in the route, where bookmarks and the command
 * line read them.
 */
export function applyParams({ list, explorer, route }: FilterContext, entered: ParameterValues): void {
  const { source, identifierParams } = list;
  if (route.kind !== "endpoint" || route.endpointRoute !== source.endpoint.route) {
    list.set((before) => withFormParams(before, entered));
    return;
  }
  const identifiers = Object.fromEntries(
    Object.entries(route.params).filter(([name]) => identifierParams.includes(name)),
  );
  explorer.navigation.replace({ ...route, params: { ...identifiers, ...entered } });
  list.set((before) => withFormParams(before, undefined));
}

/** Returns the parameters of a list without its identifiers and without the order that a key chose. */
function filterParams({ queryParams, identifierParams, state }: List): ParameterValues {
  const isOrder = (name: string) => state.rows.sort?.api !== undefined && /^sort_(by|order)$/.test(name);
  return Object.fromEntries(
    Object.entries(queryParams).filter(([name]) => !identifierParams.includes(name) && !isOrder(name)),
  );
}

/** Filters by the value of the cell at the cursor: only the rows with it, or only those without. */
export function filterByCell(context: FilterContext, isExcluded: boolean): void {
  const { list, layout, explorer } = context;
  const { column, selected } = layout;
  const row = list.visible.rows[selected];
  const index = list.visible.matches[selected];
  const [value] = column && row !== undefined ? cellValues(row, column) : [];
  if (!column || index === undefined || value === undefined) {
    explorer.toast("The cell is empty: move to another column first.", "warning");
    return;
  }
  // Where every row is loaded, a filter needs no request.
  const params = list.load.isComplete
    ? undefined
    : withApiFilter(list.source.endpoint, filterParams(list), { column, value, isExcluded });
  if (params) {
    applyParams(context, params);
    return;
  }
  const label = formatLabel(list, index, layout.columnIndex, value);
  list.setRows((before) =>
    withCellFilters(before, toggleCellFilter(before.cellFilters, { column, value, label, isExcluded })),
  );
}

const MAX_LABEL = 32;

function formatLabel({ table }: List, row: number, column: number, value: string): string {
  const cell = table.cellsOf(row)[column];
  const [id] = cell?.ids ?? [];
  if (id === value) return cell?.names?.[0]?.text ?? table.shorten(id);
  return clip(cell?.text ?? safeText(value), MAX_LABEL);
}

function failedFilter({ table, shape }: List): CellFilter | undefined {
  const column = statusColumn(table.columns, shape);
  return column && { column, value: FAILED, label: FAILED, isExcluded: false };
}

/** Returns whether only failed transactions are shown; undefined where rows have no status. */
export function failedOnly(list: List): boolean | undefined {
  const { failedOnly: params } = list.source.endpoint;
  if (params) return Object.entries(params).every(([name, value]) => String(list.queryParams[name]) === String(value));
  const filter = failedFilter(list);
  return (
    filter &&
    list.state.rows.cellFilters.some(({ column, value }) => column.key === filter.column.key && value === FAILED)
  );
}

/** Shows only failed transactions, or all. */
export function toggleFailedOnly(context: FilterContext): void {
  const { list } = context;
  const { failedOnly: params } = list.source.endpoint;
  if (params) {
    const names = Object.keys(params);
    const without = Object.fromEntries(Object.entries(filterParams(list)).filter(([name]) => !names.includes(name)));
    applyParams(context, failedOnly(list) ? without : { ...without, ...params });
    return;
  }
  const filter = failedFilter(list);
  if (filter) list.setRows((before) => withCellFilters(before, toggleCellFilter(before.cellFilters, filter)));
}

/** Removes filters; those of the request with one further request. */
export function removeChips(context: FilterContext, chips: readonly Chip[]): void {
  const { list } = context;
  const { endpoint } = list.source;
  const names = new Set(chips.flatMap(({ params }) => params));
  const cells = chips.map(({ cell }) => cell);
  if (cells.some((cell) => cell)) {
    list.setRows((before) =>
      withCellFilters(
        before,
        before.cellFilters.filter((cell) => !cells.includes(cell)),
      ),
    );
  }
  if (names.size === 0) return;
  const isLeft = ([name]: readonly [string, unknown]) =>
    !names.has(name) && !names.has(endpoint.query[name]?.needs ?? "");
  applyParams(context, Object.fromEntries(Object.entries(filterParams(list)).filter(isLeft)));
}

/** Removes all filters, that of the text too. */
export function removeAllFilters(context: FilterContext, chips: readonly Chip[]): void {
  context.list.setRows((before) => withFilter(before, ""));
  removeChips(context, chips);
}
