/** What the line above a list tells, of the list. */
import { isCutExport, pageNumber, totalRows } from "./pages.ts";
import type { Status } from "./status.ts";
import type { List } from "./use-list.ts";
import { signsOf } from "./view.ts";

/** The status of a list. */
export function statusOf(list: List, unicode: boolean, auto?: string): Status {
  const { state, shown, chosen, table, before } = list;
  const { sort, arrived } = state;
  const { endpoint, params } = shown.request;
  const column = table.columns.find(({ key }) => key === sort?.column);
  const signs = signsOf(unicode);
  const hasPages = endpoint.paging === "page" && (list.next !== undefined || before > 0);
  return {
    count: table.rows.length,
    before,
    total: totalRows(endpoint, shown, before),
    isCut: isCutExport(endpoint, shown),
    page: hasPages ? pageNumber(endpoint, params) : undefined,
    filter: state.filter,
    matches: chosen.matches.length,
    problem: chosen.problem,
    sort: sort && `${column?.head ?? sort.column} ${sort.isDescending ? signs.down : signs.up}`,
    isPageSort: sort?.api === undefined,
    marked: state.marks.size,
    fresh: arrived?.fresh.size ?? 0,
    auto,
    requests: arrived?.requests ?? 0,
    units: arrived?.units ?? 0,
  };
}
