/**
 * Deep lists of events, read in windows of time: a server finds page 5000 by passing over half a million rows, and the
 * first page of a window at once.
 *
 * After so many pages reading goes on at the second of the last row, inclusive, with the window's first page. Rows of
 * that second which were given already are left out: as many of each identity as there were, so that equal rows keep
 * their number. Where they are more than a tenth of the window, or too many to be remembered, it is paged on instead.
 *
 * Windows are used where the endpoint has a parameter for the end in question (the latest time for the newest first,
 * the earliest for the oldest first), the list is sorted by time, the caller gave no range of times, and the rows so far
 * had their times in order. A window whose first row is of another second shows that the server understands the
 * parameter otherwise: it is put back, and the list is paged on. The list of a window ends as any list does.
 */

import type { Json, JsonObject } from "../../base/index.ts";
import type { Endpoint, ParameterValues } from "../../catalogue/index.ts";
import type { Answer } from "../http/decode.ts";
import { findParamByRole } from "./page-strategy.ts";
import { allKeys, createRowKeyer, type RowKey, type RowKeyer, type RowKeys, storedKeys } from "./row-keys.ts";

/** Pages of a window before the next one begins. */
export const WINDOW_PAGES = 100;

/** Rows of one second that are remembered. */
const MAX_TAIL_ROWS = 1000;

/** The windows of a reading. */
export interface TimeWindows {
  /** The window that is due instead of the next page: its parameters, with its first page. */
  due(): ParameterValues | undefined;
  /** Whether an answer is the first page of the window that is due. */
  accepts(answer: Answer): boolean;
  /** Begins the window that is due. */
  begin(): void;
  /** Uses no windows from here on. */
  end(): void;
  /** Takes the rows of a page in turn and gives those that no earlier window had. */
  filter(rows: readonly Json[]): readonly Json[];
  /** The parameters of the window that is read; none for the first. */
  params(): ParameterValues;
  /** Pages before a window may be due. */
  pagesLeft(): number;
  /** What it knows now, as plain JSON; it is made when it is asked for, from what was known at the call. */
  capture(): () => JsonObject;
}

/** The last rows, all of one second; none where they are too many. */
interface Tail {
  readonly second: number;
  readonly count: number;
  readonly rows: readonly (readonly [keys: RowKeys, start: number])[];
}

/** What changes while reading. */
interface WindowState {
  readonly isOn: boolean;
  /** The second at which the window begins. */
  readonly bound: number | undefined;
  readonly pages: number;
  readonly rows: number;
  readonly last: number | undefined;
  readonly tail: Tail | undefined;
  /** Rows of the bound that an earlier window gave and this one did not have yet. */
  readonly given: ReadonlyMap<RowKey, number>;
}

const START: WindowState = {
  isOn: true,
  bound: undefined,
  pages: 0,
  rows: 0,
  last: undefined,
  tail: undefined,
  given: new Map(),
};

/** The windows of a list; undefined where it has none. */
export function createTimeWindows(
  endpoint: Endpoint,
  params: ParameterValues,
  saved?: JsonObject,
): TimeWindows | undefined {
  const isAscending = params.sort_order === "asc";
  const [name, param] = findParamByRole(endpoint, isAscending ? "from" : "to") ?? [];
  const [paging] = findParamByRole(endpoint, endpoint.paging === "offset" ? "offset" : "page") ?? [];
  if (name === undefined || param?.type !== "time" || paging === undefined) return undefined;
  if (!isByTime(endpoint, params) || hasTimeRange(endpoint, params)) return undefined;
  const first = { [paging]: endpoint.paging === "offset" ? 0 : 1 };
  return createWindows({ name, first, isAscending, keysOf: createRowKeyer(endpoint.identity) }, restoreState(saved));
}

/** Whether a range of times is among the parameters. */
export function hasTimeRange({ query }: Endpoint, params: ParameterValues): boolean {
  return Object.entries(params).some(
    ([name, value]) => value !== undefined && query[name]?.arity === "range" && query[name]?.type === "time",
  );
}

function isByTime({ query }: Endpoint, params: ParameterValues): boolean {
  const by = params.sort_by ?? query.sort_by?.default;
  return by === undefined ? query.sort_by === undefined : by === "block_time";
}

interface WindowOptions {
  /** The parameter that says where a window begins. */
  readonly name: string;
  /** The parameters of a first page. */
  readonly first: ParameterValues;
  readonly isAscending: boolean;
  readonly keysOf: RowKeyer;
}

function createWindows({ name, first, isAscending, keysOf }: WindowOptions, start: WindowState): TimeWindows {
  let now = start;
  const isDue = () => now.isOn && now.pages > 0 && now.pages % WINDOW_PAGES === 0 && isShort(now.tail, now.rows);
  const isInOrder = (rows: readonly Json[]) => {
    let last = now.last;
    for (const row of rows) {
      const second = secondOf(row);
      if (second === undefined || (last !== undefined && (isAscending ? second < last : second > last))) return false;
      last = second;
    }
    return true;
  };
  return {
    due: () => (isDue() ? { [name]: now.tail?.second, ...first } : undefined),
    accepts: ({ rows = [] }) => rows.length > 0 && secondOf(rows[0]) === now.tail?.second,
    begin() {
      const bound = now.tail?.second;
      now = { ...START, bound, last: bound, given: countKeys(keysIn(now.tail)) };
    },
    end() {
      now = { ...now, isOn: false };
    },
    filter(rows) {
      const { rows: newRows, given } = withoutReturned(rows, now, keysOf);
      const isOn = now.isOn && isInOrder(rows);
      const tail = isOn ? tailAfter(now.tail, newRows, keysOf) : undefined;
      now = {
        ...now,
        isOn,
        pages: now.pages + 1,
        rows: now.rows + rows.length,
        last: secondOf(rows.at(-1)) ?? now.last,
        tail,
        given,
      };
      return newRows;
    },
    params: () => (now.bound === undefined ? {} : { [name]: now.bound }),
    pagesLeft: () => (now.isOn ? WINDOW_PAGES - (now.pages % WINDOW_PAGES) : Number.POSITIVE_INFINITY),
    capture() {
      const then = now;
      return () => serializeState(then);
    },
  };
}

/** The Unix seconds of a row. */
function secondOf(row: Json | undefined): number | undefined {
  if (typeof row !== "object" || row === null) return undefined;
  const { block_time, blockTime } = row as JsonObject;
  const second = block_time ?? blockTime;
  return typeof second === "number" && Number.isSafeInteger(second) ? second : undefined;
}

/** The rows that no earlier window gave, and what is still to come of those that one did. */
function withoutReturned(
  rows: readonly Json[],
  { given, bound }: WindowState,
  keysOf: RowKeyer,
): Pick<WindowState, "given"> & { rows: readonly Json[] } {
  if (given.size === 0) return { rows, given };
  const [remaining, keys] = [new Map(given), keysOf(rows)];
  const newRows = rows.filter((row, at) => {
    if (secondOf(row) !== bound) return true;
    const count = remaining.get(keys.at(at)) ?? 0;
    if (count > 1) remaining.set(keys.at(at), count - 1);
    else remaining.delete(keys.at(at));
    return count === 0;
  });
  return { rows: newRows, given: secondOf(rows.at(-1)) === bound ? remaining : new Map() };
}

function tailAfter(tail: Tail | undefined, rows: readonly Json[], keysOf: RowKeyer): Tail | undefined {
  const second = secondOf(rows.at(-1));
  if (second === undefined) return tail;
  let start = rows.length;
  while (start > 0 && secondOf(rows[start - 1]) === second) start -= 1;
  const before = start === 0 && tail?.second === second ? tail : undefined;
  const count = (before?.count ?? 0) + rows.length - start;
  const isTooLong = count > MAX_TAIL_ROWS;
  return { second, count, rows: isTooLong ? [] : [...(before?.rows ?? []), [keysOf(rows), start]] };
}

/** Whether the rows that would come again are few. */
function isShort(tail: Tail | undefined, rows: number): boolean {
  return tail !== undefined && tail.count <= Math.min(MAX_TAIL_ROWS, rows / 10);
}

function keysIn(tail: Tail | undefined): RowKey[] {
  return tail?.rows.flatMap(([keys, start]) => allKeys(keys, start)) ?? [];
}

function countKeys(keys: readonly RowKey[]): ReadonlyMap<RowKey, number> {
  const counts = new Map<RowKey, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

function serializeState({ isOn, bound, pages, rows, last, tail, given }: WindowState): JsonObject {
  return {
    isOn,
    pages,
    rows,
    ...(bound !== undefined && { bound }),
    ...(last !== undefined && { last }),
    ...(tail && { tail: { second: tail.second, count: tail.count, keys: keysIn(tail) } }),
    ...(given.size > 0 && { given: [...given].flatMap(([key, count]) => new Array<RowKey>(count).fill(key)) }),
  };
}

function restoreState(saved: JsonObject | undefined): WindowState {
  if (!saved) return START;
  const tail = saved.tail as
    | { readonly second: number; readonly count: number; readonly keys: readonly RowKey[] }
    | undefined;
  return {
    isOn: saved.isOn === true,
    bound: saved.bound as number | undefined,
    pages: Number(saved.pages),
    rows: Number(saved.rows),
    last: saved.last as number | undefined,
    tail: tail && { second: tail.second, count: tail.count, rows: [[storedKeys(tail.keys), 0]] },
    given: countKeys((saved.given ?? []) as readonly RowKey[]),
  };
}
