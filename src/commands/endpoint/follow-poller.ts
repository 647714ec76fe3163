/**
 * What is new at the head of a list that has its newest rows first. Rows are told apart by their identity, and since two
 * rows may share it, by how often it is there: what was printed is not printed again, and what comes late, between rows
 * that are known, is not lost.
 */
import type { Json } from "../../base/json.ts";
import { countOverlap } from "../../client/paging/drift-check.ts";
import { allKeys, isSameRun, type RowKey, type RowKeyer, type RowKeys } from "../../client/paging/row-keys.ts";

/** A page of the list, newest row first. */
export interface HeadPage {
  readonly rows: readonly Json[];
  /** Whether older rows follow; undefined when only asking would tell. */
  readonly more: boolean | undefined;
  /** Where the page after it is. */
  readonly next: Readonly<Record<string, unknown>> | undefined;
}

/** Asks for a page: the newest, or the one that a page before it named. */
export type ReadHeadPage = (at?: HeadPage["next"]) => Promise<HeadPage>;

/** What one look at the list brought. */
export interface PollResult {
  /** The new rows, the oldest first. */
  readonly rows: readonly Json[];
  /** Whether these are all; false when more came since the last look than was read. */
  readonly isComplete: boolean;
}

/** The most pages that one look reads. */
export const MAX_PAGES = 10;
/** Rows remembered: many times what one look reads. */
const MAX_KNOWN_ROWS = 20_000;

/**
 * Makes a function that looks at the list. The first look gives the newest page, each later one what is new since. A
 * look that fails has changed nothing.
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
  /** Pages. */
  readonly maxPages: number;
}

/** Reads pages until one has a row that is known, or the list ends. */
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
    const isComplete = head.more === false || pageIds.some((key) => known.has(key));
    if (isComplete || page >= maxPages || head.next === undefined) return { rows, keys, isComplete };
    before = pageKeys;
    next = head.next;
  }
}

/**
 * How many rows at the beginning of a page are those at the end of the page before, pushed on by rows that came between
 * the two requests. Where they may as well be equal rows of one transaction, reading the page before again tells
 * whether anything came.
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
 * Tells by their places which rows are new. Of rows that share an identity the lower ones are those that were there;
 * and what is below every row that is known is older than all of them.
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

/** Counts what is there; what was not seen for long is forgotten. */
function addKnown(known: Map<RowKey, number>, keys: readonly RowKey[]): void {
  const counts = new Map<RowKey, number>();
  for (const key of keys.toReversed()) counts.set(key, (counts.get(key) ?? 0) + 1);
  for (const [key, count] of counts) {
    const before = known.get(key) ?? 0;
    known.delete(key);
    known.set(key, Math.max(before, count));
  }
  for (const key of known.keys()) {
    if (known.size <= MAX_KNOWN_ROWS) break;
    known.delete(key);
  }
}
