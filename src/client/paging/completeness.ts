/**
 * Records what is not proved of a list that is read: that no page is without some of its rows, and that rows are in order.
 *
 * Detects that rows disappeared while a list was read by page numbers: the rows behind them move to earlier pages, and
 * those at the start of the next page are never returned.
 *
 * Of a list of events, the first page is requested again after the last one: where rows disappeared, the others moved up.
 * Of other lists only the total shows it; then the previous page, requested again, has the rows that were passed over.
 */
import { IncompleteError, type Json, type JsonObject, pluralize } from "../../base/index.ts";
import { type Endpoint, findParamByRole, type ParameterValues } from "../../catalogue/index.ts";
import type { Answer } from "../answer/answer.ts";
import { rowsOf } from "./deduplicator.ts";
import { totalRows } from "./page-strategy.ts";
import { allKeys, createRowKeyer, type RowKey, type RowKeys } from "./row-keys.ts";
import { isSortedByTime, rowSecond } from "./time-windows.ts";

/** Pages from which on a list is checked: shorter ones are read within a moment. */
const MIN_PAGES = 3;

const isNumbered = ({ paging }: Endpoint) => paging === "page" || paging === "offset";
const isOfEvents = (endpoint: Endpoint) => findParamByRole(endpoint, "to")?.[1].type === "time";
const isComparable = (endpoint: Endpoint) => isNumbered(endpoint) && endpoint.identity !== undefined;

/**
 * Returns the number of requests that check a list of some pages: one for lists of events, unless they are short, and two
 * for an end that no total shows.
 */
export function checkRequests(endpoint: Endpoint, pages: number, isToEnd: boolean): number {
  const isVerified = pages >= MIN_PAGES && isComparable(endpoint) && isOfEvents(endpoint);
  const hasPlainEnd = isToEnd && endpoint.returns.total === undefined && endpoint.cursorAt === undefined;
  return (isVerified ? 1 : 0) + (hasPlainEnd ? 2 : 0);
}

/** Why a list is not proved to be complete or in order. A total can prove that a gap is none. */
const DOUBTS = {
  gap: "A page of the list had fewer rows than its size, or those of another page: rows may be missing.",
  repetition: "A page of the list had the same rows twice: as many others may be missing.",
  order: "Rows of the list moved while it was read: the order is not proved, and rows may be missing.",
} as const;

/** Checks a list that is read. */
export type CompletenessCheck = ReturnType<typeof createCompletenessCheck>;

/** Creates a check, from the start or from a state. */
export function createCompletenessCheck(endpoint: Endpoint, params: ParameterValues, saved: JsonObject = {}) {
  const [comparable, ofEvents] = [isComparable(endpoint), isOfEvents(endpoint)];
  const keysOf = createRowKeyer(endpoint.identity);
  let head = saved.head as Head | undefined;
  let pages = Number(saved.pages ?? 0);
  let total = saved.total as number | undefined;
  let lost = Number(saved.lost ?? 0);
  let lastSecond = saved.second as number | undefined;
  const sorted = ofEvents && isSortedByTime(endpoint, params);
  const isFollowing = (second: number, before: number | undefined) =>
    before === undefined || (params.sort_order === "asc" ? second >= before : second <= before);
  const doubts = new Set((saved.doubts ?? []) as readonly (keyof typeof DOUBTS)[]);
  return {
    /** Receives each page, with the parameters of its request; `isStart` for the first one of the list or of a window. */
    observe(answer: Answer, at: ParameterValues, isStart: boolean) {
      total = totalRows(answer);
      if (!comparable || !ofEvents) return;
      if (rowsOf(answer).length > 0) pages = isStart ? 1 : pages + 1;
      if (!isStart) return;
      const rows = rowsOf(answer);
      head = { at, keys: allKeys(keysOf(rows)), first: rowSecond(rows[0]), last: rowSecond(rows.at(-1)) };
    },
    /** Whether the previous page has to be requested again, because the total fell. */
    hasFallen(answer: Answer) {
      const now = totalRows(answer);
      return comparable && !ofEvents && total !== undefined && now !== undefined && now > 0 && now < total;
    },
    /** Returns the parameters of the first page, if `verify` requests it. */
    pageToVerify: () => (pages < MIN_PAGES ? undefined : head?.at),
    /** Requests the first page again and compares it. */
    async verify(refetch: (at: ParameterValues) => Promise<Answer>) {
      if (!head || pages < MIN_PAGES) return;
      const rows = rowsOf(await refetch(head.at));
      lost += countDisappeared(head, rowSecond(rows[0]), keysOf(rows));
      head = undefined;
    },
    /** Records rows that disappeared. */
    record(count: number) {
      lost += count;
    },
    /** Receives the new rows of each page. Returns whether they follow the rows before them in time. */
    observeOrder(rows: readonly Json[]): boolean {
      if (!sorted) return true;
      const seconds = rows.map(rowSecond).filter((second) => second !== undefined);
      const isInOrder = seconds.every((second, at) => isFollowing(second, seconds[at - 1] ?? lastSecond));
      if (!isInOrder) doubts.add("order");
      lastSecond = seconds.at(-1) ?? lastSecond;
      return isInOrder;
    },
    doubt: (what: keyof typeof DOUBTS) => doubts.add(what),
    hasGap: () => doubts.has("gap"),
    hasRepetition: () => doubts.has("repetition"),
    /** Forgets gaps, because the total was reached. */
    closeGaps() {
      doubts.delete("gap");
      doubts.delete("repetition");
    },
    /** @throws IncompleteError when rows disappeared, or may be missing */
    assertComplete() {
      if (lost > 0) throw shrunkError(lost);
      for (const what of doubts)
        throw new IncompleteError(DOUBTS[what], { code: "INCOMPLETE_LIST", hint: "Read it again, or in parts." });
    },
    state: (): JsonObject => ({
      pages,
      ...(head && { head: toJson(head) }),
      ...(total !== undefined && { total }),
      ...(lost > 0 && { lost }),
      ...(lastSecond !== undefined && { second: lastSecond }),
      ...(doubts.size > 0 && { doubts: [...doubts] }),
    }),
  };
}

interface Head {
  readonly at: ParameterValues;
  readonly keys: readonly RowKey[];
  /** The times of its first and last row in Unix seconds. */
  readonly first: number | undefined;
  readonly last: number | undefined;
}

function toJson({ at, keys, first, last }: Head): JsonObject {
  return { at: at as JsonObject, keys, ...(first !== undefined && { first }), ...(last !== undefined && { last }) };
}

/**
 * Returns how many rows of a page disappeared: those that are before a row that is still there. Rows behind the last
 * such row moved to the next page. If none is there, the rows that are show by their time whether they were behind them.
 */
function countDisappeared({ keys, first = 0, last = 0 }: Head, start: number | undefined, now: RowKeys): number {
  const counts = new Map<RowKey, number>();
  for (const key of allKeys(now)) counts.set(key, (counts.get(key) ?? 0) + 1);
  let [absent, disappeared, isPresent] = [0, 0, false];
  for (const key of keys) {
    const count = counts.get(key) ?? 0;
    counts.set(key, count - 1);
    if (count <= 0) absent += 1;
    else [disappeared, isPresent] = [absent, true];
  }
  const isBehind = start !== undefined && (first > last ? start < last : start > last);
  return isPresent ? disappeared : isBehind && first !== last ? absent : 0;
}

function shrunkError(count: number): IncompleteError {
  const rows = pluralize(count, "row");
  return new IncompleteError(
    `The list shrank while it was read: ${rows} disappeared from it, and as many may be missing behind them.`,
    { code: "LIST_SHRANK", hint: "Read it again. Shorter time ranges are read faster." },
  );
}
