/**
 * Reads deep lists of events in time windows: to find page 5000 a server skips half a million rows, but it finds the
 * first page of a window at once.
 *
 * After a number of pages, reading continues at the second of the last row, inclusive, with the first page of a new
 * window. Rows of that second that were returned already are left out: as many of each identity as there were, so that
 * the number of equal rows is preserved. If they are more than a tenth of the window, or too many to remember, paging
 * continues instead.
 *
 * Windows require that the endpoint has a parameter for the bound in question (the latest time for newest first, the
 * earliest for oldest first), that the list is sorted by time, that the caller set no time range, and that the rows so
 * far were in order of time. A window whose first row is of another second shows that the server interprets the
 * parameter differently: the answer is discarded, and paging continues. The list of a window ends as any list does.
 *
 * An empty page after a full one may be the limit of a server instead of the end: unless the total is reached, a window
 * then shows which it is.
 */
import type { Json, JsonObject } from "../../base/index.ts";
import { type Coverage, type Endpoint, findParamByRole, type ParameterValues } from "../../catalogue/index.ts";
import { type Answer, serverTime } from "../answer/answer.ts";
import {
  allKeys,
  createRowKeyer,
  type RowKey,
  type RowKeyer,
  type RowKeys,
  releaseRows,
  storedKeys,
} from "./row-keys.ts";

const WINDOW_PAGES = 100;

/** Rows of one second that are remembered. */
const MAX_TAIL_ROWS = 1000;

/** The time windows of a reading. */
export type TimeWindows = ReturnType<typeof createWindows>;

/** The last rows, all of one second; without their keys when there are too many. */
interface Tail {
  readonly second: number;
  readonly count: number;
  readonly rows: readonly (readonly [keys: RowKeys, start: number])[];
}

interface WindowState {
  readonly isActive: boolean;
  /** The second at which the window starts. */
  readonly bound: number | undefined;
  readonly pages: number;
  readonly rows: number;
  readonly last: number | undefined;
  readonly tail: Tail | undefined;
  /** Number of rows of the bound by key that an earlier window returned and this one has not yet had. */
  readonly returned: ReadonlyMap<RowKey, number>;
}

const START: WindowState = {
  isActive: true,
  bound: undefined,
  pages: 0,
  rows: 0,
  last: undefined,
  tail: undefined,
  returned: new Map(),
};

/** Creates the windows of a list; returns undefined where they cannot be used. */
export function createTimeWindows(
  endpoint: Endpoint,
  params: ParameterValues,
  saved?: JsonObject,
): TimeWindows | undefined {
  const isAscending = params.sort_order === "asc";
  const [name, param] = findParamByRole(endpoint, isAscending ? "from" : "to") ?? [];
  const [paging] = findParamByRole(endpoint, endpoint.paging === "offset" ? "offset" : "page") ?? [];
  if (name === undefined || param?.type !== "time" || paging === undefined) return undefined;
  if (!isSortedByTime(endpoint, params) || hasTimeRange(endpoint, params)) return undefined;
  const first = { [paging]: endpoint.paging === "offset" ? 0 : 1 };
  return createWindows({ name, first, isAscending, keysOf: createRowKeyer(endpoint.identity) }, restoreState(saved));
}

/** Whether the parameters contain a time range. */
function hasTimeRange({ query }: Endpoint, params: ParameterValues): boolean {
  return Object.entries(params).some(
    ([name, value]) => value !== undefined && query[name]?.arity === "range" && query[name]?.type === "time",
  );
}

/** Whether a list is sorted by the times of its rows. */
export function isSortedByTime({ query }: Endpoint, params: ParameterValues): boolean {
  const by = params.sort_by ?? query.sort_by?.default;
  return by === undefined ? query.sort_by === undefined : by === "block_time";
}

interface WindowOptions {
  /** The parameter with the bound of a window. */
  readonly name: string;
  /** The parameters of a first page. */
  readonly first: ParameterValues;
  readonly isAscending: boolean;
  readonly keysOf: RowKeyer;
}

function createWindows({ name, first, isAscending, keysOf }: WindowOptions, start: WindowState) {
  let state = start;
  const isDue = () =>
    state.isActive && state.pages > 0 && state.pages % WINDOW_PAGES === 0 && isShort(state.tail, state.rows);
  const isInOrder = (rows: readonly Json[]) => {
    let last = state.last;
    for (const row of rows) {
      const second = rowSecond(row);
      if (second === undefined || (last !== undefined && (isAscending ? second < last : second > last))) return false;
      last = second;
    }
    return true;
  };
  /**
   * Returns the parameters of a new window, which starts at the last row, and of its first page; undefined where it would
   * be the same window again, because all rows are of one second.
   */
  const restart = (): ParameterValues | undefined => {
    const { isActive, tail, bound, rows } = state;
    const isUsable = isActive && tail && tail.second !== bound && tail.count < rows && tail.count <= MAX_TAIL_ROWS;
    return isUsable ? { [name]: tail.second, ...first } : undefined;
  };
  return {
    /** Returns what `restart` does, if a window is due instead of the next page. */
    due: () => (isDue() ? restart() : undefined),
    restart,
    /** Whether an answer is the first page of the window that is due. */
    accepts: ({ rows = [] }: Answer) => rows.length > 0 && rowSecond(rows[0]) === state.tail?.second,
    begin() {
      const bound = state.tail?.second;
      state = { ...START, bound, last: bound, returned: countKeys(tailKeys(state.tail)) };
    },
    /** Uses no further windows. */
    end() {
      state = { ...state, isActive: false };
    },
    /** Receives the rows of each page, with its answer, and returns those that no earlier window had. */
    filter(rows: readonly Json[], answer: Answer): readonly Json[] {
      const { rows: newRows, returned } = withoutReturned(rows, state, keysOf);
      const isActive = state.isActive && isInOrder(rows);
      const tail = isActive ? tailAfter(state.tail, newRows, () => releaseRows(keysOf(newRows), answer)) : undefined;
      state = {
        ...state,
        isActive,
        pages: state.pages + 1,
        rows: state.rows + rows.length,
        last: rowSecond(rows.at(-1)) ?? state.last,
        tail,
        returned,
      };
      return newRows;
    },
    /** Returns the parameters of the current window; none for the first. */
    params: (): ParameterValues => (state.bound === undefined ? {} : { [name]: state.bound }),
    /** Returns the number of pages before a window may be due. */
    pagesLeft: () => (state.isActive ? WINDOW_PAGES - (state.pages % WINDOW_PAGES) : Number.POSITIVE_INFINITY),
    /** Records the current state; the returned function converts it to plain JSON on demand. */
    capture() {
      const current = state;
      return () => serializeState(current);
    },
  };
}

/** Returns the time of a row in Unix seconds. */
export function rowSecond(row: Json | undefined): number | undefined {
  if (typeof row !== "object" || row === null) return undefined;
  const { block_time, blockTime } = row as JsonObject;
  const second = block_time ?? blockTime;
  return typeof second === "number" && Number.isSafeInteger(second) ? second : undefined;
}

/** Returns the rows that no earlier window returned, and the number of those that are still expected to repeat. */
function withoutReturned(
  rows: readonly Json[],
  { returned, bound }: WindowState,
  keysOf: RowKeyer,
): Pick<WindowState, "returned"> & { rows: readonly Json[] } {
  if (returned.size === 0) return { rows, returned };
  const [remaining, keys] = [new Map(returned), keysOf(rows)];
  const newRows = rows.filter((row, at) => {
    if (rowSecond(row) !== bound) return true;
    const count = remaining.get(keys.at(at)) ?? 0;
    if (count > 1) remaining.set(keys.at(at), count - 1);
    else remaining.delete(keys.at(at));
    return count === 0;
  });
  return { rows: newRows, returned: rowSecond(rows.at(-1)) === bound ? remaining : new Map() };
}

/** Returns the last rows after a page. Keys of rows are computed when they are needed, which is once in many pages. */
function tailAfter(tail: Tail | undefined, rows: readonly Json[], keysOf: () => RowKeys): Tail | undefined {
  const second = rowSecond(rows.at(-1));
  if (second === undefined) return tail;
  let start = rows.length;
  while (start > 0 && rowSecond(rows[start - 1]) === second) start -= 1;
  const before = start === 0 && tail?.second === second ? tail : undefined;
  const count = (before?.count ?? 0) + rows.length - start;
  if (count > MAX_TAIL_ROWS) return { second, count, rows: [] };
  // The rows of earlier pages are not held in memory.
  return { second, count, rows: [...(before ? [[storedKeys(tailKeys(before)), 0] as const] : []), [keysOf(), start]] };
}

/** Whether few rows would be repeated. */
function isShort(tail: Tail | undefined, rows: number): boolean {
  return tail !== undefined && tail.count <= Math.min(MAX_TAIL_ROWS, rows / 10);
}

function tailKeys(tail: Tail | undefined): RowKey[] {
  return tail?.rows.flatMap(([keys, start]) => allKeys(keys, start)) ?? [];
}

function countKeys(keys: readonly RowKey[]): ReadonlyMap<RowKey, number> {
  const counts = new Map<RowKey, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

function serializeState({ isActive, bound, pages, rows, last, tail, returned }: WindowState): JsonObject {
  return {
    isOn: isActive,
    pages,
    rows,
    ...(bound !== undefined && { bound }),
    ...(last !== undefined && { last }),
    ...(tail && { tail: { second: tail.second, count: tail.count, keys: tailKeys(tail) } }),
    ...(returned.size > 0 && { given: [...returned].flatMap(([key, count]) => new Array<RowKey>(count).fill(key)) }),
  };
}

function restoreState(saved: JsonObject | undefined): WindowState {
  if (!saved) return START;
  const tail = saved.tail as
    | { readonly second: number; readonly count: number; readonly keys: readonly RowKey[] }
    | undefined;
  return {
    isActive: saved.isOn === true,
    bound: saved.bound as number | undefined,
    pages: Number(saved.pages),
    rows: Number(saved.rows),
    last: saved.last as number | undefined,
    tail: tail && { second: tail.second, count: tail.count, rows: [[storedKeys(tail.keys), 0]] },
    returned: countKeys((saved.given ?? []) as readonly RowKey[]),
  };
}

/** The end of a list. */
export type EndTime = NonNullable<ReturnType<typeof createEndTime>>;

/**
 * Returns the end of a list in Unix seconds: the time of the server when it answered the first page, because the local
 * clock may be slow, and then the newest rows would be left out; never before the newest row of that page. Only where a
 * server sends no `Date`, the local clock counts.
 * @param now the local time in milliseconds since the epoch
 * @param rowTimes the times of rows in Unix seconds, where they have one
 */
export function findEndTime({ headers }: Answer, now: number, rowTimes: Iterable<number | undefined>): number {
  let end = Math.floor((serverTime(headers) ?? now) / 1000);
  for (const time of rowTimes) if (time !== undefined && time > end) end = time;
  return end;
}

/**
 * Creates the end of a list of events: rows later than its first page are excluded, so that rows that arrive while the
 * list is read do not move the others; undefined where the list has no bound that is a time, or the caller set it.
 * @param now the local time in milliseconds since the epoch
 * @param saved the end in Unix seconds, as it was fixed before
 */
export function createEndTime(
  endpoint: Endpoint,
  params: ParameterValues,
  { now, saved }: { readonly now: number; readonly saved: number | undefined },
) {
  const [name, param] = findParamByRole(endpoint, "to") ?? [];
  if (name === undefined || param?.type !== "time" || endpoint.paging === "cursor") return undefined;
  if (params[name] !== undefined || hasTimeRange(endpoint, params)) return undefined;
  let second = saved;
  return {
    /** Fixes the end by the first answer. */
    fix(answer: Answer) {
      const { rows = [] } = answer;
      // An empty list may be one that starts in the future.
      if (rows.length > 0) second ??= findEndTime(answer, now, rows.map(rowSecond));
    },
    /** Returns the end as a parameter; none before it is fixed. */
    params: (): ParameterValues => (second === undefined ? {} : { [name]: second }),
    second: () => second,
  };
}

/** Removes from the coverage of a page why rows are missing, where only rows after its last one may be missing. */
export function limitCoverage({ rows, answer }: { readonly rows: readonly Json[]; readonly answer: Answer }): void {
  const { incomplete, completeSince, ...coverage } = answer.coverage ?? { missing: [] };
  const second = rowSecond(rows.at(-1) ?? null);
  if (incomplete === undefined || completeSince === undefined || second === undefined || second < completeSince) return;
  // In place: a page is large, and whoever reads it empties it.
  Object.assign(answer, { coverage } satisfies { coverage: Coverage });
}
