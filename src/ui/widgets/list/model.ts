/** What a list shows, made of the answer and of what it remembers. Pure; each step is made anew only when it must. */

import type { Json } from "../../../base/json.ts";
import type { Endpoint } from "../../../catalogue/endpoint.ts";
import type { ParameterValues } from "../../../catalogue/index.ts";
import type { Clock } from "../../../output/values/time.ts";
import { type Filtered, filtered, parseFilter } from "../filter.ts";
import { scrollTop } from "../viewport.ts";
import { type Layout, layoutOf, leastWidths, type Measure } from "./column-layout.ts";
import type { ListColumn } from "./columns.ts";
import { type ListSort, type ListState, type Sight, selectedRow } from "./reducer.ts";
import { sortedOrder } from "./sort.ts";
import { searchTexts, type Table } from "./table.ts";

/** What is asked, without the page: what the panel or the filter form asks, in the order that the user chose. */
export function baseParams(
  endpoint: Endpoint,
  params: ParameterValues,
  fixed: readonly string[],
  { asked, sort }: Pick<ListState, "asked" | "sort">,
): ParameterValues {
  const own = Object.fromEntries(Object.entries(params).filter(([name]) => fixed.includes(name)));
  const base = asked ? { ...own, ...asked } : params;
  return sort?.api === undefined ? base : { ...base, ...sortParams(endpoint, sort.api, sort) };
}

/** The sort key and its direction; what the API does anyway is not said. */
function sortParams({ query }: Endpoint, key: string, { isDescending }: ListSort): ParameterValues {
  const direction = isDescending ? "desc" : "asc";
  return {
    sort_by: query.sort_by?.default === key ? undefined : key,
    ...(query.sort_order && { sort_order: query.sort_order.default === direction ? undefined : direction }),
  };
}

/** The rows on view of a table: what the filter leaves, in order. */
export interface Chosen extends Filtered {
  /** The rows and their identities. */
  readonly rows: readonly Json[];
  readonly keys: readonly string[];
}

/** Filters and sorts a table; the texts are made only where something filters. */
export function chosenRows(table: Table, filter: string, sort: ListSort | undefined, clock: Clock): Chosen {
  const parsed = parseFilter(filter);
  const left = filtered(parsed, parsed.kind === "none" ? table.keys : searchTexts(table, clock));
  const column = sort?.api === undefined ? table.columns.find(({ key }) => key === sort?.column) : undefined;
  const order = sort && column ? sortedOrder(table.rows, column, sort.isDescending) : undefined;
  const kept = new Set(left.matches);
  const matches = order ? order.filter((index) => kept.has(index)) : left.matches;
  return {
    ...left,
    matches,
    rows: matches.map((index) => table.rows[index] ?? null),
    keys: matches.map((index) => table.keys[index] ?? ""),
  };
}

/** What is on view and where the cursor is. */
export interface Stand {
  readonly sight: Sight;
  readonly layout: Layout;
  readonly selected: number;
  readonly first: number;
  readonly columnIndex: number;
  readonly column: ListColumn | undefined;
}

/** Cells at the left of each row for its marks, and at the right for the sign that there are more columns. */
export const GUTTER = 2;
export const RIGHT_SIGN = 2;

/** Where everything is in a body of so many lines for rows. */
export function standOf(
  state: ListState,
  chosen: Chosen,
  measure: Measure,
  table: Table,
  size: { readonly width: number; readonly height: number },
): Stand {
  const width = Math.max(1, size.width - GUTTER - RIGHT_SIGN);
  const selected = selectedRow(state, chosen.keys);
  const columnIndex = Math.max(0, Math.min(state.column, table.columns.length - 1));
  return {
    sight: { keys: chosen.keys, height: size.height, least: leastWidths(measure, width), width },
    layout: layoutOf(measure, width, state.left, columnIndex),
    selected,
    first: scrollTop({ count: chosen.keys.length }, size.height, state.first, selected),
    columnIndex,
    column: table.columns[columnIndex],
  };
}
