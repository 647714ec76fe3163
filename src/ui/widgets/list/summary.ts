/** What the line above a list tells, of the list. */
import type { KeyNames } from "../../app/keys/key-hints.ts";
import type { Line } from "../../app/theme/text-line.ts";
import { askedWords, beyondWords, emptyWords } from "./messages.ts";
import type { Stand } from "./model.ts";
import { isCutExport, pageNumber, totalRows } from "./paging.ts";
import { signsOf } from "./row-lines.ts";
import type { Status } from "./status.ts";
import type { List } from "./use-list.ts";

/** What the words depend on beside the list. */
interface Telling {
  readonly unicode: boolean;
  readonly keyOf: KeyNames;
  readonly auto: string | undefined;
}

/** The status of a list. */
export function statusOf(list: List, { layout }: Pick<Stand, "layout">, { unicode, keyOf, auto }: Telling): Status {
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
    asked: askedWords(shown.request, list.given),
    filter: state.filter,
    matches: chosen.matches.length,
    problem: chosen.problem,
    sort: sort && `${column?.head ?? sort.column} ${sort.isDescending ? signs.down : signs.up}`,
    isPageSort: sort?.api === undefined,
    marked: state.marks.size,
    fresh: arrived?.fresh.size ?? 0,
    auto,
    hidden: table.rows.length === 0 ? 0 : table.columns.length - layout.shown.length,
    sideKey: keyOf(layout.hasBehind ? "move.right" : "move.left"),
    requests: arrived?.requests ?? 0,
    units: arrived?.units ?? 0,
  };
}

/** What is said in place of rows where a page has none. */
export function nothingWords(
  { shown, given }: List,
  noun: string | undefined,
  width: number,
  keyOf: KeyNames,
): readonly Line[] {
  const page = pageNumber(shown.request.endpoint, shown.request.params) ?? 1;
  return page > 1 ? beyondWords(page, keyOf) : emptyWords(shown.request, { given, noun }, width, keyOf);
}
