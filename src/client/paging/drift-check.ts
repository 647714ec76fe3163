/**
 * Finds how many rows moved from one page of a list of events to the next where the pages do not show it: a transaction
 * may have equal rows, and when some are at the end of one page and others at the start of the next, they resemble
 * rows that moved.
 *
 * The previous page is requested again. If it has not changed, nothing had moved when the page after it was read.
 * Otherwise it shows by how many rows it moved, and the page after it is requested again, too, until the previous page
 * is stable.
 */
import type { Answer } from "../answer.ts";
import { isSameRun, type RowKeys } from "./row-keys.ts";

/** Requests pages again. */
export interface Refetch {
  /** Requests the page before the last one that was read. */
  readonly before: () => Promise<Answer>;
  /** Requests the last page that was read. */
  readonly page: () => Promise<Answer>;
}

/** Two pages as they were read, the first one by the keys of its rows. */
interface DriftCheck {
  readonly before: RowKeys;
  readonly page: Answer;
  readonly keysOf: (answer: Answer) => RowKeys;
  readonly refetch: Refetch;
}

/** The result of a check. */
interface DriftResult {
  readonly answer: Answer;
  readonly moved: number;
  /** Whether the pages stopped changing. */
  readonly isStable: boolean;
}

/** Times that pages are requested again while they change. */
const MAX_ATTEMPTS = 4;

/**
 * Returns the later page, and how many of its first rows are the last ones of the previous page. While the pages
 * change, all rows that may have moved count as moved.
 * @throws what requesting throws
 */
export async function checkDrift({ before, page, keysOf, refetch }: DriftCheck): Promise<DriftResult> {
  let [head, answer] = [before, page];
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const now = keysOf(await refetch.before());
    if (isSame(now, head)) return { answer, moved: shiftBetween(before, head, keysOf(answer)), isStable: true };
    head = now;
    answer = await refetch.page();
  }
  return { answer, moved: countOverlap(before, keysOf(answer)), isStable: false };
}

/** Returns the maximum number of rows that are the end of one page and the start of the next. */
export function countOverlap(before: RowKeys, keys: RowKeys): number {
  const head = keys.leadingField(0);
  for (let overlap = Math.min(before.length, keys.length); overlap > 0; overlap -= 1) {
    const start = before.length - overlap;
    const other = head === undefined ? undefined : before.leadingField(start);
    // Most rows differ in their first field already.
    if (other !== undefined && other !== head) continue;
    if (isSameRun([before, start], [keys, 0], overlap)) return overlap;
  }
  return 0;
}

/** Returns by how many rows a page moved, if the page after it confirms it. */
function shiftBetween(before: RowKeys, now: RowKeys, after: RowKeys): number {
  let shift = 0;
  while (shift < before.length && !isShifted(before, now, shift)) shift += 1;
  const isConfirmed = shift <= after.length && isSameRun([before, before.length - shift], [after, 0], shift);
  return isConfirmed ? shift : countOverlap(before, after);
}

/** Whether a page that was requested again has the previous rows that many places further down. */
function isShifted(before: RowKeys, now: RowKeys, shift: number): boolean {
  const count = now.length - shift;
  return count >= 0 && count <= before.length && isSameRun([now, shift], [before, 0], count);
}

function isSame(one: RowKeys, other: RowKeys): boolean {
  return one.length === other.length && isSameRun([one, 0], [other, 0], one.length);
}
