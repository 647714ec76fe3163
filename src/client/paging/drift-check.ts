/**
 * How many rows newer ones have pushed from one page of a list of events to the next, where the pages alone do not tell:
 * a transaction may hold equal rows, and when some of them end one page and others begin the next, it looks the same.
 *
 * The page before is asked for again. If it is what it was, nothing had moved when the page after it was read. If not,
 * it shows by how many rows it moved, and the page after it is asked for again too, until the page before stands still.
 */
import type { Answer } from "../http/decode.ts";
import { isSameRun, type RowKeys } from "./row-keys.ts";

/** Asks for pages again. */
export interface Refetch {
  /** The page before the last one that was read. */
  readonly before: () => Promise<Answer>;
  /** The last one. */
  readonly page: () => Promise<Answer>;
}

/** Two pages as they were read, with the rows of the first by their keys. */
interface DriftCheck {
  readonly before: RowKeys;
  readonly page: Answer;
  readonly keysOf: (answer: Answer) => RowKeys;
  readonly refetch: Refetch;
}

/** What was found out. */
interface DriftResult {
  readonly answer: Answer;
  readonly moved: number;
  /** Whether the pages came to rest. */
  readonly rests: boolean;
}

/** Times that the pages are asked for again while they move. */
const TRIES = 4;

/**
 * The later page, and the number of its first rows that are the last ones of the page before. Where the pages do not
 * come to rest, all rows count as moved that look like it.
 * @throws what asking throws
 */
export async function checkDrift({ before, page, keysOf, refetch: again }: DriftCheck): Promise<DriftResult> {
  let [head, answer] = [before, page];
  for (let tries = 0; tries < TRIES; tries += 1) {
    const now = keysOf(await again.before());
    if (isSame(now, head)) return { answer, moved: shiftBetween(before, head, keysOf(answer)), rests: true };
    head = now;
    answer = await again.page();
  }
  return { answer, moved: countOverlap(before, keysOf(answer)), rests: false };
}

/** The most rows that end one page and begin the next. */
export function countOverlap(before: RowKeys, keys: RowKeys): number {
  const head = keys.leadingField(0);
  for (let overlap = Math.min(before.length, keys.length); overlap > 0; overlap -= 1) {
    const start = before.length - overlap;
    const other = head === undefined ? undefined : before.leadingField(start);
    // Most rows differ from the next page's first in what they begin with.
    if (other !== undefined && other !== head) continue;
    if (isSameRun([before, start], [keys, 0], overlap)) return overlap;
  }
  return 0;
}

/** Rows by which a page moved on, if the page after it bears that out. */
function shiftBetween(before: RowKeys, now: RowKeys, after: RowKeys): number {
  let shift = 0;
  while (shift < before.length && !isShifted(before, now, shift)) shift += 1;
  const isBorneOut = shift <= after.length && isSameRun([before, before.length - shift], [after, 0], shift);
  return isBorneOut ? shift : countOverlap(before, after);
}

/** Whether a page that was read again has the rows of the page as it was, so many places further down. */
function isShifted(before: RowKeys, now: RowKeys, shift: number): boolean {
  const count = now.length - shift;
  return count >= 0 && count <= before.length && isSameRun([now, shift], [before, 0], count);
}

function isSame(one: RowKeys, other: RowKeys): boolean {
  return one.length === other.length && isSameRun([one, 0], [other, 0], one.length);
}
