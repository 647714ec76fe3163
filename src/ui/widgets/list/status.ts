/** The line above a list: what is on view of how much, what was done to it here, what it cost. */

import { parseDecimal } from "../../../base/decimal.ts";
import { pluralize } from "../../../base/text.ts";
import { safeText } from "../../../output/text/safe.ts";
import { clip } from "../../../output/text/width.ts";
import { groupDigits } from "../../../output/values/number.ts";
import type { KeyLabels } from "../../app/keys/key-hints.ts";
import { joinEnds, lineWidth, type Span, span, type TextLine } from "../../app/theme/text-line.ts";

import { askedWords, beyondWords, emptyWords } from "./messages.ts";
import type { ListLayout } from "./model.ts";
import { isTruncatedExport, pageNumber, totalRows } from "./paging.ts";
import { signsOf } from "./row-lines.ts";
import type { List } from "./use-list.ts";

/** What the words depend on beside the list. */
interface Telling {
  readonly unicode: boolean;
  readonly keyOf: KeyLabels;
  readonly auto: string | undefined;
}

/** The status of a list. */
export function statusOf(
  list: List,
  { layout }: Pick<ListLayout, "layout">,
  { unicode, keyOf, auto }: Telling,
): Status {
  const { state, shown, chosen, table, before } = list;
  const { sort, answers: arrived } = state;
  const { endpoint, params } = shown.request;
  const column = table.columns.find(({ key }) => key === sort?.column);
  const signs = signsOf(unicode);
  const hasPages = endpoint.paging === "page" && (list.next !== undefined || before > 0);
  return {
    count: table.rows.length,
    before,
    total: totalRows(endpoint, shown, before),
    isCut: isTruncatedExport(endpoint, shown),
    page: hasPages ? pageNumber(endpoint, params) : undefined,
    asked: askedWords(shown.request, list.given),
    filter: state.filter,
    matches: chosen.matches.length,
    problem: chosen.problem,
    sort: sort && `${column?.head ?? sort.column} ${sort.isDescending ? signs.down : signs.up}`,
    isPageSort: sort?.api === undefined,
    marked: state.marks.size,
    fresh: arrived?.newKeys.size ?? 0,
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
  keyOf: KeyLabels,
): readonly TextLine[] {
  const page = pageNumber(shown.request.endpoint, shown.request.params) ?? 1;
  return page > 1 ? beyondWords(page, keyOf) : emptyWords(shown.request, { given, noun }, width, keyOf);
}

/** What the line tells. */
export interface Status {
  /** Rows on this page and on the pages before it, and in all where that is known. */
  readonly count: number;
  readonly before: number;
  readonly total: number | undefined;
  /** Whether the API cut the rows at the most that it gives. */
  readonly isCut: boolean;
  /** The number of the page, where pages have one. */
  readonly page: number | undefined;
  /** What the API was asked for: `flow in`. */
  readonly asked: readonly string[];
  /** What was typed as a filter, and how many rows it leaves or why it cannot be tried. */
  readonly filter: string;
  readonly matches: number;
  readonly problem: string | undefined;
  /** `VALUE ↓`, and whether only this page is sorted. */
  readonly sort: string | undefined;
  readonly isPageSort: boolean;
  readonly marked: number;
  readonly fresh: number;
  /** `every 30s · 12,000 units/h`. */
  readonly auto: string | undefined;
  /** Columns that are off to a side, and the key that goes there. */
  readonly hidden: number;
  readonly sideKey: string | undefined;
  readonly requests: number;
  readonly units: number;
}

const LONGEST_FILTER = 30;

/** A number with thousands separators. */
export function count(number: number): string {
  const decimal = parseDecimal(String(number));
  return decimal ? groupDigits(decimal) : String(number);
}

/** A part of the line, in full and in short. */
interface Part {
  readonly full: TextLine;
  readonly short?: TextLine;
}

/** What was done to the rows here, the most telling first. */
function parts(status: Status): readonly Part[] {
  const { asked, isCut, sort, isPageSort, marked, fresh, auto, page } = status;
  const parts: (Part | false)[] = [
    isCut && {
      full: [span("the most that the API gives: ask for less time", "warning")],
      short: [span("cut", "warning")],
    },
    asked.length > 0 && { full: [span(asked.join(", "), "active")], short: [span(askedShort(asked), "active")] },
    status.filter !== "" && filterPart(status),
    sort !== undefined && {
      full: [span("sorted by ", "note"), span(sort), span(isPageSort ? ", this page" : ", by the API", "note")],
      short: [span(sort), span(isPageSort ? ", this page" : ", by the API", "note")],
    },
    marked > 0 && { full: [span(`${count(marked)} marked`, "marked")] },
    fresh > 0 && { full: [span(`${count(fresh)} new`, "fresh")] },
    page !== undefined && { full: [span(`page ${count(page)}`, "note")] },
    auto !== undefined && { full: [span(auto, "note")] },
  ];
  return parts.filter((part) => part !== false);
}

function askedShort(asked: readonly string[]): string {
  return asked.length === 1 ? clip(asked.join(), LONGEST_FILTER) : `${count(asked.length)} filters`;
}

function filterPart({ filter, matches, problem, count: rows }: Status): Part {
  const typed = [span("filter ", "note"), span(clip(safeText(filter), LONGEST_FILTER), "active")];
  if (problem !== undefined) return { full: [...typed, span(`: ${problem}`, "warning")] };
  const role = matches > 0 ? "note" : "warning";
  return {
    full: [...typed, span(`: ${count(matches)} of ${pluralize(rows, "row")}, this page`, role)],
    short: [...typed.slice(1), span(`: ${count(matches)} of ${count(rows)}, this page`, role)],
  };
}

function rowsText({ count: rows, before, total }: Status): string {
  if (rows === 0) return total === undefined || total === 0 ? "no rows" : `no rows here of ${count(total)}`;
  if (before === 0 && total === rows) return pluralize(rows, "row");
  const of = total === undefined ? "" : ` of ${count(total)}`;
  return `rows ${count(before + 1)}–${count(before + rows)}${of}`;
}

const SEPARATOR: Span = span(" · ", "note");

/** The status in at most `width` cells: what does not fit is told in short, then left out; the cost is at the right. */
export function statusLine(status: Status, width: number): TextLine {
  const { requests, units } = status;
  const own = parts(status);
  const whole = joined([[span(rowsText(status))], ...own.map(({ full }) => full)], Number.POSITIVE_INFINITY);
  const short = [[span(rowsText(status))], ...own.map((part) => part.short ?? part.full)];
  const told = lineWidth(whole) <= width ? whole : joined(short, width);
  const cost = requests === 0 ? [] : [span(`${pluralize(requests, "request")}, ${pluralize(units, "unit")}`, "note")];
  const left = withHidden(told, status, width - (cost.length === 0 ? 0 : lineWidth(cost) + 2));
  return lineWidth(left) + lineWidth(cost) + 2 <= width ? joinEnds(left, cost, width) : left;
}

/** Columns that are not on view are told of where nothing else has to give way for it. */
function withHidden(told: TextLine, { hidden, sideKey }: Status, room: number): TextLine {
  if (hidden === 0) return told;
  const more = span(`+${pluralize(hidden, "column")}`, "note");
  const key = sideKey === undefined ? [] : [span(` ${sideKey}`, "hotkey")];
  return joined([told, [more, ...key]], room);
}

/** Parts with a separator between them; what would go beyond `width` is left out. */
function joined(parts: readonly TextLine[], width: number): TextLine {
  const [first = [], ...others] = parts;
  const line = [...first];
  for (const part of others) {
    if (lineWidth(line) + lineWidth([SEPARATOR, ...part]) <= width) line.push(SEPARATOR, ...part);
  }
  return line;
}

/** The status, and beside it what is going on; where both do not fit, only that. */
export function topLine(status: Status, told: TextLine | undefined, width: number): TextLine {
  if (!told) return statusLine(status, width);
  const room = width - lineWidth(told) - 2;
  const rows = [span(rowsText(status))];
  return room >= lineWidth(rows) ? joinEnds(statusLine({ ...status, requests: 0 }, room), told, width) : told;
}
