/** What a list says about its rows: the status line, the messages without rows, and the prompt. */

import { groupThousands, pluralize } from "../../../base/index.ts";
import { type Endpoint, positionalOf } from "../../../catalogue/index.ts";
import { clip, safeText, wrap } from "../../../output/index.ts";
import type { EndpointRequest } from "../../navigation/data-store.ts";
import { formatKeyHints, type KeyLabels } from "../../navigation/keys/bindings.ts";
import type { ListSort } from "../../navigation/list-settings.ts";
import {
  joinEnds,
  joinFitting,
  lineWidth,
  type Span,
  span,
  type TextLine,
  textLine,
} from "../../navigation/theme/text-line.ts";
import { NO_MATCHES, parseFilter } from "../filter.ts";
import { requestChips, valueLabel } from "./filters.ts";
import type { ListLayout } from "./model.ts";
import { isTruncatedExport, pageNumber } from "./paging.ts";
import type { ListState } from "./reducer.ts";
import { symbolsOf } from "./row-lines.ts";
import type { RowsState } from "./rows.ts";
import type { CellTable } from "./table.ts";
import type { List } from "./use-list.ts";

/** A part of the status line, in full and abbreviated. */
export interface StatusPart {
  readonly full: TextLine;
  readonly short?: TextLine;
}

interface ListStatus {
  readonly rows: string;
  /** What applies to the rows, the most important first. */
  readonly parts: readonly StatusPart[];
  /** The number of columns out of view, and the key that shows them; empty for none. */
  readonly hidden: TextLine;
  /** Empty for rows without a request. */
  readonly cost: string;
}

interface StatusOptions {
  readonly unicode: boolean;
  readonly keyOf: KeyLabels;
  readonly autoRefresh: string | undefined;
  /** Whether units are charged, and whether each row costs a call. */
  readonly chargesUnits: boolean;
  readonly isWalk: boolean;
  /** The rows that filters, orders and totals apply to: `this page`, `all 10,000 rows`. */
  readonly scope: string;
  readonly totals: StatusPart | undefined;
}

/** Returns the status of a list. */
export function listStatus(list: List, { columns }: Pick<ListLayout, "columns">, options: StatusOptions): ListStatus {
  const { table, state, load } = list;
  const { answers } = state;
  const hiddenCount = table.rows.length === 0 ? 0 : table.columns.length - columns.visible.length;
  const key = options.keyOf(columns.hasHiddenRight ? "move.right" : "move.left");
  const more = span(`+${pluralize(hiddenCount, "column")}`, "note");
  const requests = (answers?.requests ?? 0) + load.requests;
  const units = (answers?.units ?? 0) + load.units;
  return {
    rows: rowsText(list),
    parts: statusParts(list, options),
    hidden: hiddenCount === 0 ? [] : [more, ...(key === undefined ? [] : [span(` ${key}`, "hotkey")])],
    cost: requests === 0 ? "" : costText({ requests, units }, options),
  };
}

function rowsText({ table, rowsBefore, total, load }: List): string {
  const count = table.rows.length;
  const of = total === undefined ? "" : ` of ${groupThousands(total)}`;
  if (count === 0) return total === undefined || total === 0 ? "no rows" : `no rows on this page${of}`;
  if (load.rows.length > 0) {
    if (load.isComplete) return `all ${pluralize(count, "row")}`;
    return `${groupThousands(count)} loaded${total === undefined ? " rows" : of}`;
  }
  if (rowsBefore === 0 && total === count) return pluralize(count, "row");
  return `rows ${groupThousands(rowsBefore + 1)}–${groupThousands(rowsBefore + count)}${of}`;
}

interface Cost {
  readonly requests: number;
  readonly units: number;
}

/** Returns requests, and their units where these are charged, as text. */
export function spentText({ requests, units }: Cost, chargesUnits: boolean): string {
  return [pluralize(requests, "request"), ...(chargesUnits ? [pluralize(units, "unit")] : [])].join(", ");
}

/** Returns the cost of reading rows, which a node may have to read one by one. */
export function costText(cost: Cost, { chargesUnits, isWalk }: Pick<StatusOptions, "chargesUnits" | "isWalk">): string {
  return isWalk ? "a call for each transaction" : spentText(cost, chargesUnits);
}

function statusParts(list: List, options: StatusOptions): readonly StatusPart[] {
  const { state, sort, displayed, visible, table, nextPage, rowsBefore } = list;
  const { endpoint, params } = displayed.request;
  const { filter, marks } = state.rows;
  const { scope, totals, autoRefresh } = options;
  const hasPages = endpoint.paging === "page" && (nextPage !== undefined || rowsBefore > 0);
  const page = hasPages ? pageNumber(endpoint, params) : undefined;
  const newCount = state.answers?.newKeys.size ?? 0;
  const parts: (StatusPart | false | undefined)[] = [
    isTruncatedExport(endpoint, displayed) && {
      full: [span("API row limit reached: choose a shorter time range", "warning")],
      short: [span("truncated", "warning")],
    },
    displayed.answer?.coverage?.incomplete !== undefined && {
      full: [span(safeText(displayed.answer.coverage.incomplete), "warning")],
      short: [span("rows missing", "warning")],
    },
    (filter !== "" || visible.matches.length < table.rows.length) && filterPart(list, scope),
    sort && sortPart(sort, table, options),
    totals,
    marks.size > 0 && { full: [span(`${groupThousands(marks.size)} marked`, "marked")] },
    newCount > 0 && { full: [span(`${groupThousands(newCount)} new`, "fresh")] },
    page !== undefined && { full: [span(`page ${groupThousands(page)}`, "note")] },
    autoRefresh !== undefined && { full: [span(autoRefresh, "note")] },
  ];
  return parts.filter((part) => part !== false && part !== undefined);
}

function sortPart({ column, isDescending, api }: ListSort, { columns }: CellTable, options: StatusOptions): StatusPart {
  const { up, down } = symbolsOf(options.unicode);
  const head = columns.find(({ key }) => key === column)?.head ?? column;
  const order = [
    span(`${head} ${isDescending ? down : up}`),
    span(api === undefined ? `, ${options.scope}` : ", by the API", "note"),
  ];
  return { full: [span("sorted by ", "note"), ...order], short: order };
}

const MAX_FILTER = 30;

/** Returns the text filter and the number of matches; only the number for filters by cell, which are chips. */
function filterPart({ state, table, visible: { matches, problem } }: List, scope: string): StatusPart {
  const { filter } = state.rows;
  const isFuzzy = parseFilter(filter).kind === "fuzzy";
  const text = span(clip(safeText(isFuzzy ? filter.replace("-f ", "") : filter), MAX_FILTER), "active");
  const label = [span(isFuzzy ? "fuzzy filter " : "filter ", "note"), text];
  if (problem !== undefined) return { full: [...label, span(`: ${problem}`, "warning")] };
  const where = scope.startsWith("all ") ? scope : `${pluralize(table.rows.length, "row")}, ${scope}`;
  const result = `${groupThousands(matches.length)} of ${where}`;
  const role = matches.length > 0 ? "note" : "warning";
  if (filter === "") return { full: [span(result, role)] };
  return { full: [...label, span(`: ${result}`, role)], short: [text, span(`: ${result}`, role)] };
}

/** Between the parts of a line about a list. */
export const SEPARATOR: Span = span(" · ", "note");

/** Returns the status in at most `width` cells: parts are abbreviated, then omitted; the cost is at the right. */
export function statusLine({ rows, parts, hidden, cost }: ListStatus, width: number): TextLine {
  const whole = joinFitting([[span(rows)], ...parts.map(({ full }) => full)], Number.POSITIVE_INFINITY, SEPARATOR);
  const short = [[span(rows)], ...parts.map((part) => part.short ?? part.full)];
  const state = lineWidth(whole) <= width ? whole : joinFitting(short, width, SEPARATOR);
  const end = cost === "" ? [] : [span(cost, "note")];
  const space = width - (cost === "" ? 0 : lineWidth(end) + 2);
  const left = joinFitting([state, hidden], Math.max(space, lineWidth(state)), SEPARATOR);
  return lineWidth(left) + lineWidth(end) + 2 <= width ? joinEnds(left, end, width) : left;
}

/** Returns the status with the notice beside it; only the notice when both do not fit. */
export function topLine(status: ListStatus, notice: TextLine | undefined, width: number): TextLine {
  if (!notice) return statusLine(status, width);
  const space = width - lineWidth(notice) - 2;
  const fits = space >= lineWidth([span(status.rows)]);
  return fits ? joinEnds(statusLine({ ...status, cost: "" }, space), notice, width) : notice;
}

/** Returns the message for a page without rows. */
export function emptyListLines(
  { displayed, presetParams }: List,
  noun: string | undefined,
  width: number,
  keyOf: KeyLabels,
): readonly TextLine[] {
  const page = pageNumber(displayed.request.endpoint, displayed.request.params) ?? 1;
  const { incomplete } = displayed.answer?.coverage ?? {};
  if (page === 1) return noRowsLines(displayed.request, { presetParams, noun, incomplete }, width, keyOf);
  const hints = formatKeyHints(keyOf, [
    ["list.previous-page", "previous page"],
    ["list.jump", "jump to page"],
  ]);
  return [
    textLine(""),
    textLine(`${MARGIN}Page ${page} does not exist: the list ends before it.`),
    textLine(""),
    textLine(MARGIN + hints, "note"),
  ];
}

const MARGIN = "  ";

interface EmptyListOptions {
  readonly presetParams: readonly string[];
  readonly noun: string | undefined;
  /** Why there may be rows after all. */
  readonly incomplete?: string | undefined;
}

/** Returns the message for an answer without rows: `No transfers of EPjF…Dt1v with these filters · F edit filters` */
export function noRowsLines(
  { endpoint, params }: EndpointRequest,
  { presetParams, noun = rowNoun(endpoint), incomplete = "" }: EmptyListOptions,
  width: number,
  keyOf: KeyLabels,
): readonly TextLine[] {
  const [identifier = ""] = positionalOf(endpoint) ?? [];
  const of = params[identifier] == null ? "" : ` of ${valueLabel(params[identifier])}`;
  const hasFilters = requestChips({ endpoint, params }, presetParams).length > 0;
  const hint = formatKeyHints(
    keyOf,
    hasFilters
      ? [
          ["list.unfilter-all", "remove filters"],
          ["list.form", "edit filters"],
        ]
      : [["view.refresh", "refresh"]],
  );
  const message = `No ${noun}${of}${hasFilters ? " with these filters" : ""}`;
  const inner = Math.max(1, width - 2 * MARGIN.length);
  const sentence = safeText(hint === "" ? message : `${message} · ${hint}`);
  return [
    textLine(""),
    ...wrap(sentence, inner).map((part) => textLine(MARGIN + part)),
    ...(incomplete === "" ? [] : wrap(safeText(incomplete), inner).map((part) => textLine(MARGIN + part, "warning"))),
  ];
}

/** The subject of a summary: `Token accounts` of `Token accounts of a wallet`. */
const NOUN =
  /^(?:Latest |Newest |Richest |Top |Several )?([\w' -]+?)(?=$|:|,? (?:of|on|into|out|that|with|by|as|active)\b)/;

function rowNoun({ summary, command }: Endpoint): string {
  const noun = NOUN.exec(summary)?.[1];
  if (noun !== undefined) return noun.replace(/^[A-Z](?=[a-z]*\b)/, (letter) => letter.toLowerCase());
  const last = command.split(" ").at(-1) ?? "";
  return last.endsWith("s") ? last.replaceAll("-", " ") : "rows";
}

/** Returns the message for filters without matches. @param scope the rows that were filtered: `this page` */
export function noMatchLines(
  { filter, cellFilters }: Pick<RowsState, "filter" | "cellFilters">,
  scope: string,
  keyOf: KeyLabels,
  canLoad: boolean,
): readonly TextLine[] {
  const hints = formatKeyHints(keyOf, [
    ...(filter === "" ? [] : [["view.cancel", "clear filter"] as const]),
    ...(cellFilters.length === 0 ? [] : [["list.unfilter-all", "remove filters"] as const]),
    ...(canLoad ? [["list.load", "load more"] as const] : []),
  ]);
  const text = filter === "" ? [] : [span(": "), span(safeText(filter), "active")];
  return [[], [span(`${MARGIN}${NO_MATCHES}`), ...text, span(` (${scope}).`)], textLine(MARGIN + hints, "note")];
}

/** Returns the line in which a filter or a page number is typed. @param scope the rows that are filtered */
export function promptLine({ prompt, rows }: ListState, scope: string): TextLine {
  if (prompt?.kind === "page") {
    return [span("page ", "hotkey"), span(prompt.text), span(" ", "found")];
  }
  return [
    span("/", "hotkey"),
    span(safeText(rows.filter)),
    span(" ", "found"),
    span(`  ${scope}: text, ~regex, !not`, "note"),
  ];
}
