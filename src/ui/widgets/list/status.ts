/** The status line above a list: the displayed rows, filters and order, and the cost. */

import { groupThousands, pluralize } from "../../../base/index.ts";
import { clip, safeText } from "../../../output/index.ts";
import type { KeyLabels } from "../../navigation/keys/key-hints.ts";
import { joinEnds, lineWidth, type Span, span, type TextLine } from "../../navigation/theme/text-line.ts";
import { parseFilter } from "../filter.ts";
import { noRowsLines, noSuchPageLines } from "./messages.ts";
import type { ListLayout } from "./model.ts";
import { isTruncatedExport, pageNumber } from "./pages/paging.ts";
import { symbolsOf } from "./row-lines.ts";
import type { List } from "./use-list.ts";

/** Options of the status besides the list. */
interface StatusOptions {
  readonly unicode: boolean;
  readonly keyOf: KeyLabels;
  readonly autoRefresh: string | undefined;
  /** Whether units are charged, and whether each row costs a call. */
  readonly chargesUnits: boolean;
  readonly isWalk: boolean;
  /** The rows that filters, orders and totals apply to. */
  readonly scope: string;
  /** The totals of the column at the cursor: in full, and of one unit only. */
  readonly totals: StatusPart | undefined;
}

/** Returns the status of a list. */
export function listStatus(
  list: List,
  { columns }: Pick<ListLayout, "columns">,
  { unicode, keyOf, autoRefresh, chargesUnits, isWalk, scope, totals }: StatusOptions,
): ListStatus {
  const { state, displayed, visible, table, rowsBefore, load } = list;
  const { rows, answers } = state;
  const { sort } = rows;
  const { endpoint, params } = displayed.request;
  const column = table.columns.find(({ key }) => key === sort?.column);
  const signs = symbolsOf(unicode);
  const hasPages = endpoint.paging === "page" && (list.nextPage !== undefined || rowsBefore > 0);
  return {
    rowCount: table.rows.length,
    rowsBefore,
    total: list.total,
    loaded: load.rows.length > 0 ? { isComplete: load.isComplete } : undefined,
    scope,
    totals,
    isTruncated: isTruncatedExport(endpoint, displayed),
    page: hasPages ? pageNumber(endpoint, params) : undefined,
    filter: rows.filter,
    matches: visible.matches.length,
    problem: visible.problem,
    sort: sort && `${column?.head ?? sort.column} ${sort.isDescending ? signs.down : signs.up}`,
    isApiSort: sort?.api !== undefined,
    markedCount: rows.marks.size,
    newCount: answers?.newKeys.size ?? 0,
    autoRefresh,
    hiddenColumns: table.rows.length === 0 ? 0 : table.columns.length - columns.visible.length,
    scrollKey: keyOf(columns.hasHiddenRight ? "move.right" : "move.left"),
    requests: (answers?.requests ?? 0) + load.requests,
    units: chargesUnits ? (answers?.units ?? 0) + load.units : undefined,
    isWalk,
  };
}

/** Returns the message for a page without rows. */
export function emptyListLines(
  { displayed, presetParams }: List,
  noun: string | undefined,
  width: number,
  keyOf: KeyLabels,
): readonly TextLine[] {
  const page = pageNumber(displayed.request.endpoint, displayed.request.params) ?? 1;
  return page > 1 ? noSuchPageLines(page, keyOf) : noRowsLines(displayed.request, { presetParams, noun }, width, keyOf);
}

/** The content of the status line. */
export interface ListStatus {
  /** Number of rows on this page, before it, and in total when known. */
  readonly rowCount: number;
  readonly rowsBefore: number;
  readonly total: number | undefined;
  /** Whether the rows are all of the list, for lists that are loaded beyond one page. */
  readonly loaded?: { readonly isComplete: boolean } | undefined;
  /** The rows that filters, orders and totals apply to: `this page`, `all 10,000 rows`. */
  readonly scope: string;
  readonly totals?: StatusPart | undefined;
  /** Whether the API truncated the rows at its limit. */
  readonly isTruncated: boolean;
  /** The page number, when pages have one. */
  readonly page: number | undefined;
  /** The local filter, the number of matches, and why it could not be applied. */
  readonly filter: string;
  readonly matches: number;
  readonly problem: string | undefined;
  /** `VALUE ↓`, and whether the API sorted the whole list. */
  readonly sort: string | undefined;
  readonly isApiSort: boolean;
  readonly markedCount: number;
  readonly newCount: number;
  /** `every 30s · 12,000 units/h`. */
  readonly autoRefresh: string | undefined;
  /** Number of columns scrolled out of view, and the key that shows them. */
  readonly hiddenColumns: number;
  readonly scrollKey: string | undefined;
  readonly requests: number;
  /** Undefined with a node, which charges none. */
  readonly units: number | undefined;
  /** Whether the rows come from the transactions of the account, a call each. */
  readonly isWalk?: boolean;
}

const MAX_FILTER = 30;

/** A part of the line, in full and abbreviated. */
export interface StatusPart {
  readonly full: TextLine;
  readonly short?: TextLine;
}

/** Returns the parts after the number of rows, the most important first. */
function statusParts(status: ListStatus): readonly StatusPart[] {
  const { isTruncated, sort, isApiSort, scope, totals, markedCount, newCount, autoRefresh, page } = status;
  const sortScope = span(isApiSort ? ", by the API" : `, ${scope}`, "note");
  const parts: (StatusPart | false)[] = [
    isTruncated && {
      full: [span("API row limit reached: choose a shorter time range", "warning")],
      short: [span("truncated", "warning")],
    },
    (status.filter !== "" || status.matches < status.rowCount) && filterPart(status),
    sort !== undefined && {
      full: [span("sorted by ", "note"), span(sort), sortScope],
      short: [span(sort), sortScope],
    },
    totals !== undefined && totals,
    markedCount > 0 && { full: [span(`${groupThousands(markedCount)} marked`, "marked")] },
    newCount > 0 && { full: [span(`${groupThousands(newCount)} new`, "fresh")] },
    page !== undefined && { full: [span(`page ${groupThousands(page)}`, "note")] },
    autoRefresh !== undefined && { full: [span(autoRefresh, "note")] },
  ];
  return parts.filter((part) => part !== false);
}

/** Returns the text filter and the number of matches; only the number for filters by cell, which are chips. */
function filterPart({ filter, matches, problem, rowCount, scope }: ListStatus): StatusPart {
  const parsed = parseFilter(filter);
  const isFuzzy = parsed.kind === "fuzzy";
  const text = span(clip(safeText(isFuzzy ? filter.replace("-f ", "") : filter), MAX_FILTER), "active");
  const label = [span(isFuzzy ? "fuzzy filter " : "filter ", "note"), text];
  if (problem !== undefined) return { full: [...label, span(`: ${problem}`, "warning")] };
  const where = scope.startsWith("all ") ? scope : `${pluralize(rowCount, "row")}, ${scope}`;
  const result = `${groupThousands(matches)} of ${where}`;
  const role = matches > 0 ? "note" : "warning";
  if (filter === "") return { full: [span(result, role)] };
  return { full: [...label, span(`: ${result}`, role)], short: [text, span(`: ${result}`, role)] };
}

function rowsText({ rowCount, rowsBefore, total, loaded }: ListStatus): string {
  if (rowCount === 0)
    return total === undefined || total === 0 ? "no rows" : `no rows on this page of ${groupThousands(total)}`;
  if (loaded?.isComplete) return `all ${pluralize(rowCount, "row")}`;
  if (loaded)
    return `${groupThousands(rowCount)} loaded${total === undefined ? " rows" : ` of ${groupThousands(total)}`}`;
  if (rowsBefore === 0 && total === rowCount) return pluralize(rowCount, "row");
  const of = total === undefined ? "" : ` of ${groupThousands(total)}`;
  return `rows ${groupThousands(rowsBefore + 1)}–${groupThousands(rowsBefore + rowCount)}${of}`;
}

const SEPARATOR: Span = span(" · ", "note");

/** Returns the status in at most `width` cells: parts are abbreviated, then omitted; the cost is at the right. */
export function statusLine(status: ListStatus, width: number): TextLine {
  const { requests } = status;
  const changes = statusParts(status);
  const whole = joinParts([[span(rowsText(status))], ...changes.map(({ full }) => full)], Number.POSITIVE_INFINITY);
  const short = [[span(rowsText(status))], ...changes.map((part) => part.short ?? part.full)];
  const state = lineWidth(whole) <= width ? whole : joinParts(short, width);
  const cost = requests === 0 ? [] : [span(costText(status), "note")];
  const left = withHiddenColumns(state, status, width - (cost.length === 0 ? 0 : lineWidth(cost) + 2));
  return lineWidth(left) + lineWidth(cost) + 2 <= width ? joinEnds(left, cost, width) : left;
}

function costText({ requests, units, isWalk: walks }: ListStatus): string {
  if (units !== undefined) return `${pluralize(requests, "request")}, ${pluralize(units, "unit")}`;
  return walks ? "a call for each transaction" : pluralize(requests, "request");
}

/** Appends the number of hidden columns where there is space left. */
function withHiddenColumns(state: TextLine, { hiddenColumns, scrollKey }: ListStatus, space: number): TextLine {
  if (hiddenColumns === 0) return state;
  const more = span(`+${pluralize(hiddenColumns, "column")}`, "note");
  const key = scrollKey === undefined ? [] : [span(` ${scrollKey}`, "hotkey")];
  return joinParts([state, [more, ...key]], space);
}

/** Joins parts with a separator; those that do not fit are omitted. */
function joinParts(parts: readonly TextLine[], width: number): TextLine {
  const [first = [], ...others] = parts;
  const line = [...first];
  for (const part of others) {
    if (lineWidth(line) + lineWidth([SEPARATOR, ...part]) <= width) line.push(SEPARATOR, ...part);
  }
  return line;
}

/** Returns the status with the notice beside it; only the notice when both do not fit. */
export function topLine(status: ListStatus, state: TextLine | undefined, width: number): TextLine {
  if (!state) return statusLine(status, width);
  const space = width - lineWidth(state) - 2;
  const rows = [span(rowsText(status))];
  return space >= lineWidth(rows) ? joinEnds(statusLine({ ...status, requests: 0 }, space), state, width) : state;
}
