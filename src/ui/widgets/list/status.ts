/** The status line above a list: the displayed rows, filters and order, and the cost. */

import { groupThousands, pluralize } from "../../../base/index.ts";
import { clip, safeText } from "../../../output/index.ts";
import type { KeyLabels } from "../../app/keys/key-hints.ts";
import { joinEnds, lineWidth, type Span, span, type TextLine } from "../../app/theme/text-line.ts";
import { describeFilters, noRowsLines, noSuchPageLines } from "./messages.ts";
import type { ListLayout } from "./model.ts";
import { isTruncatedExport, pageNumber, totalRows } from "./paging.ts";
import { symbolsOf } from "./row-lines.ts";
import type { List } from "./use-list.ts";

/** Options of the status besides the list. */
interface StatusOptions {
  readonly unicode: boolean;
  readonly keyOf: KeyLabels;
  readonly autoRefresh: string | undefined;
}

/** Returns the status of a list. */
export function listStatus(
  list: List,
  { columns }: Pick<ListLayout, "columns">,
  { unicode, keyOf, autoRefresh }: StatusOptions,
): ListStatus {
  const { state, displayed, visible, table, rowsBefore } = list;
  const { sort, answers } = state;
  const { endpoint, params } = displayed.request;
  const column = table.columns.find(({ key }) => key === sort?.column);
  const signs = symbolsOf(unicode);
  const hasPages = endpoint.paging === "page" && (list.nextPage !== undefined || rowsBefore > 0);
  return {
    rowCount: table.rows.length,
    rowsBefore,
    total: totalRows(endpoint, displayed, rowsBefore),
    isTruncated: isTruncatedExport(endpoint, displayed),
    page: hasPages ? pageNumber(endpoint, params) : undefined,
    filters: describeFilters(displayed.request, list.presetParams),
    filter: state.filter,
    matches: visible.matches.length,
    problem: visible.problem,
    sort: sort && `${column?.head ?? sort.column} ${sort.isDescending ? signs.down : signs.up}`,
    isPageSort: sort?.api === undefined,
    markedCount: state.marks.size,
    newCount: answers?.newKeys.size ?? 0,
    autoRefresh,
    hiddenColumns: table.rows.length === 0 ? 0 : table.columns.length - columns.visible.length,
    scrollKey: keyOf(columns.hasHiddenRight ? "move.right" : "move.left"),
    requests: answers?.requests ?? 0,
    units: answers?.units ?? 0,
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
  /** Whether the API truncated the rows at its limit. */
  readonly isTruncated: boolean;
  /** The page number, when pages have one. */
  readonly page: number | undefined;
  /** The filters of the request: `flow in`. */
  readonly filters: readonly string[];
  /** The local filter, the number of matches, and why it could not be applied. */
  readonly filter: string;
  readonly matches: number;
  readonly problem: string | undefined;
  /** `VALUE ↓`, and whether only this page is sorted. */
  readonly sort: string | undefined;
  readonly isPageSort: boolean;
  readonly markedCount: number;
  readonly newCount: number;
  /** `every 30s · 12,000 units/h`. */
  readonly autoRefresh: string | undefined;
  /** Number of columns scrolled out of view, and the key that shows them. */
  readonly hiddenColumns: number;
  readonly scrollKey: string | undefined;
  readonly requests: number;
  readonly units: number;
}

const MAX_FILTER = 30;

/** A part of the line, in full and abbreviated. */
interface StatusPart {
  readonly full: TextLine;
  readonly short?: TextLine;
}

/** Returns the parts after the number of rows, the most important first. */
function statusParts(status: ListStatus): readonly StatusPart[] {
  const { filters, isTruncated, sort, isPageSort, markedCount, newCount, autoRefresh, page } = status;
  const statusParts: (StatusPart | false)[] = [
    isTruncated && {
      full: [span("API row limit reached: choose a shorter time range", "warning")],
      short: [span("truncated", "warning")],
    },
    filters.length > 0 && {
      full: [span(filters.join(", "), "active")],
      short: [span(shortFilters(filters), "active")],
    },
    status.filter !== "" && filterPart(status),
    sort !== undefined && {
      full: [span("sorted by ", "note"), span(sort), span(isPageSort ? ", this page" : ", by the API", "note")],
      short: [span(sort), span(isPageSort ? ", this page" : ", by the API", "note")],
    },
    markedCount > 0 && { full: [span(`${groupThousands(markedCount)} marked`, "marked")] },
    newCount > 0 && { full: [span(`${groupThousands(newCount)} new`, "fresh")] },
    page !== undefined && { full: [span(`page ${groupThousands(page)}`, "note")] },
    autoRefresh !== undefined && { full: [span(autoRefresh, "note")] },
  ];
  return statusParts.filter((part) => part !== false);
}

function shortFilters(filters: readonly string[]): string {
  return filters.length === 1 ? clip(filters.join(), MAX_FILTER) : `${groupThousands(filters.length)} filters`;
}

function filterPart({ filter, matches, problem, rowCount }: ListStatus): StatusPart {
  const label = [span("filter ", "note"), span(clip(safeText(filter), MAX_FILTER), "active")];
  if (problem !== undefined) return { full: [...label, span(`: ${problem}`, "warning")] };
  const role = matches > 0 ? "note" : "warning";
  return {
    full: [...label, span(`: ${groupThousands(matches)} of ${pluralize(rowCount, "row")}, this page`, role)],
    short: [...label.slice(1), span(`: ${groupThousands(matches)} of ${groupThousands(rowCount)}, this page`, role)],
  };
}

function rowsText({ rowCount, rowsBefore, total }: ListStatus): string {
  if (rowCount === 0)
    return total === undefined || total === 0 ? "no rows" : `no rows on this page of ${groupThousands(total)}`;
  if (rowsBefore === 0 && total === rowCount) return pluralize(rowCount, "row");
  const of = total === undefined ? "" : ` of ${groupThousands(total)}`;
  return `rows ${groupThousands(rowsBefore + 1)}–${groupThousands(rowsBefore + rowCount)}${of}`;
}

const SEPARATOR: Span = span(" · ", "note");

/** Returns the status in at most `width` cells: parts are abbreviated, then omitted; the cost is at the right. */
export function statusLine(status: ListStatus, width: number): TextLine {
  const { requests, units } = status;
  const changes = statusParts(status);
  const whole = joinParts([[span(rowsText(status))], ...changes.map(({ full }) => full)], Number.POSITIVE_INFINITY);
  const short = [[span(rowsText(status))], ...changes.map((part) => part.short ?? part.full)];
  const state = lineWidth(whole) <= width ? whole : joinParts(short, width);
  const cost = requests === 0 ? [] : [span(`${pluralize(requests, "request")}, ${pluralize(units, "unit")}`, "note")];
  const left = withHiddenColumns(state, status, width - (cost.length === 0 ? 0 : lineWidth(cost) + 2));
  return lineWidth(left) + lineWidth(cost) + 2 <= width ? joinEnds(left, cost, width) : left;
}

/** Appends the number of hidden columns where there is space left. */
function withHiddenColumns(state: TextLine, { hiddenColumns, scrollKey }: ListStatus, space: number): TextLine {
  if (hiddenColumns === 0) return state;
  const more = span(`+${pluralize(hiddenColumns, "column")}`, "note");
  const key = scrollKey === undefined ? [] : [span(` ${scrollKey}`, "hotkey")];
  return joinParts([state, [more, ...key]], space);
}

/** Joins parts with a separator; those that do not fit are omitted. */
function joinParts(statusParts: readonly TextLine[], width: number): TextLine {
  const [first = [], ...others] = statusParts;
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
