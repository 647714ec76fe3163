/**
 * Finds the new rows at the head of a list that has its newest rows first. Rows are distinguished by their identity and,
 * since several rows may share one, by the number of occurrences: no row is returned twice, and rows that appear late,
 * between known ones, are not lost.
 */
import type { Json } from "../../base/index.ts";
import { allKeys, countOverlap, isSameRun, type RowKey, type RowKeyer, type RowKeys } from "../../client/index.ts";

/** A page of the list, with the newest row first. */
export interface HeadPage {
  readonly rows: readonly Json[];
  /** Whether older rows follow; undefined when unknown without another request. */
  readonly hasMore: boolean | undefined;
  /** Parameters of the next page. */
  readonly next: Readonly<Record<string, unknown>> | undefined;
}

/** Reads a page: the newest, or the one at `next` of a previous page. */
export type ReadHeadPage = (at?: HeadPage["next"]) => Promise<HeadPage>;

/** Result of one poll. */
export interface PollResult {
  /** The new rows, oldest first. */
  readonly rows: readonly Json[];
  /** Whether these are all new rows; false when more arrived since the last poll than were read. */
  readonly isComplete: boolean;
}

/** Maximum number of pages read by one poll. */
export const MAX_PAGES = 10;
/** Maximum number of known rows: many times what one poll reads. */
const MAX_KNOWN_ROWS = 20_000;

/**
 * Creates a function that polls the list. The first poll returns the newest page, each later one the rows that are new
 * since. A failed poll changes nothing.
 */
export function createPoller(keysOf: RowKeyer, read: ReadHeadPage): () => Promise<PollResult> {
  const known = new Map<RowKey, number>();
  let isFirst = true;
  return async () => {
    const { rows, keys, isComplete } = await readHead(read, { keysOf, known, maxPages: isFirst ? 1 : MAX_PAGES });
    const fresh = rows.filter(newRowFilter(keys, known)).toReversed();
    addKnown(known, keys);
    const result = { rows: fresh, isComplete: isFirst || isComplete };
    isFirst = false;
    return result;
  };
}

interface PollOptions {
  readonly keysOf: RowKeyer;
  readonly known: ReadonlyMap<RowKey, number>;
  readonly maxPages: number;
}

/** Reads pages until one contains a known row or the list ends. */
async function readHead(read: ReadHeadPage, { keysOf, known, maxPages }: PollOptions) {
  const rows: Json[] = [];
  const keys: RowKey[] = [];
  let before: RowKeys | undefined;
  let [at, next]: HeadPage["next"][] = [];
  for (let page = 1; ; page += 1) {
    const currentAt = at;
    at = next;
    const head = await read(at);
    const pageKeys = keysOf(head.rows);
    const shifted = before
      ? await countShiftedRows(before, pageKeys, async () => keysOf((await read(currentAt)).rows))
      : 0;
    const pageIds = allKeys(pageKeys, shifted);
    rows.push(...head.rows.slice(shifted));
    keys.push(...pageIds);
    const isComplete = head.hasMore === false || pageIds.some((key) => known.has(key));
    if (isComplete || page >= maxPages || head.next === undefined) return { rows, keys, isComplete };
    before = pageKeys;
    next = head.next;
  }
}

/**
 * Returns how many rows at the start of a page repeat those at the end of the previous page, shifted by rows that arrived
 * between the two requests. If these could also be equal rows of one transaction, the previous page is read again to find
 * out whether anything arrived.
 */
async function countShiftedRows(
  before: RowKeys,
  keys: RowKeys,
  rereadPrevious: () => Promise<RowKeys>,
): Promise<number> {
  const shifted = countOverlap(before, keys);
  const transactions = new Set(Array.from({ length: shifted }, (_, at) => keys.leadingField(at) ?? keys.at(at)));
  if (transactions.size !== 1) return shifted;
  const now = await rereadPrevious();
  const isSame = now.length === before.length && isSameRun([now, 0], [before, 0], now.length);
  return isSame ? 0 : shifted;
}

/**
 * Returns a filter that selects the new rows by position. Of rows with the same identity, the lower ones are the known
 * ones; rows below all known rows are older than these.
 */
function newRowFilter(keys: readonly RowKey[], known: ReadonlyMap<RowKey, number>): (row: Json, at: number) => boolean {
  const end = keys.findLastIndex((key) => known.has(key));
  const remaining = new Map(known);
  const fresh = keys.map(() => false);
  for (let at = end < 0 ? keys.length - 1 : end; at >= 0; at -= 1) {
    const key = keys[at] as RowKey;
    const count = remaining.get(key) ?? 0;
    remaining.set(key, count - 1);
    fresh[at] = count <= 0;
  }
  return (_, at) => fresh[at] === true;
}

/** Updates the counts of known rows and removes those that have not appeared for the longest time. */
function addKnown(known: Map<RowKey, number>, keys: readonly RowKey[]): void {
  const occurrences = new Map<RowKey, number>();
  for (const key of keys.toReversed()) occurrences.set(key, (occurrences.get(key) ?? 0) + 1);
  for (const [key, count] of occurrences) {
    const before = known.get(key) ?? 0;
    known.delete(key);
    known.set(key, Math.max(before, count));
  }
  for (const key of known.keys()) {
    if (known.size <= MAX_KNOWN_ROWS) break;
    known.delete(key);
  }
}
