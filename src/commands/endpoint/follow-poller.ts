/**
 * What is new at the head of a list that has its newest rows first. Rows are told apart by their identity, and since two
 * rows may share it, by how often it is there: what was printed is not printed again, and what comes late, between rows
 * that are known, is not lost.
 */
import type { Json } from "../../base/json.ts";
import { countOverlap } from "../../client/paging/drift-check.ts";
import { allKeys, isSameRun, type RowKey, type RowKeyer, type RowKeys } from "../../client/paging/row-keys.ts";

/** A page of the list, newest row first. */
export interface Head {
  readonly rows: readonly Json[];
  /** Whether older rows follow; undefined when only asking would tell. */
  readonly more: boolean | undefined;
  /** Where the page after it is. */
  readonly next: Readonly<Record<string, unknown>> | undefined;
}

/** Asks for a page: the newest, or the one that a page before it named. */
export type ReadHead = (at?: Head["next"]) => Promise<Head>;

/** What one look at the list brought. */
export interface Round {
  /** The new rows, the oldest first. */
  readonly rows: readonly Json[];
  /** Whether these are all; false when more came since the last look than was read. */
  readonly isWhole: boolean;
}

/** The most pages that one look reads. */
export const MAX_PAGES = 10;
/** Rows remembered: many times what one look reads. */
const REMEMBERED = 20_000;

/**
 * Makes a function that looks at the list. The first look gives the newest page, each later one what is new since. A
 * look that fails has changed nothing.
 */
export function watcher(keysOf: RowKeyer, read: ReadHead): () => Promise<Round> {
  const known = new Map<RowKey, number>();
  let isFirst = true;
  return async () => {
    const { rows, keys, isWhole } = await look(read, { keysOf, known, most: isFirst ? 1 : MAX_PAGES });
    const fresh = rows.filter(unknownAmong(keys, known)).toReversed();
    remember(known, keys);
    const round = { rows: fresh, isWhole: isFirst || isWhole };
    isFirst = false;
    return round;
  };
}

interface Looking {
  readonly keysOf: RowKeyer;
  readonly known: ReadonlyMap<RowKey, number>;
  /** Pages. */
  readonly most: number;
}

/** Reads pages until one has a row that is known, or the list ends. */
async function look(read: ReadHead, { keysOf, known, most }: Looking) {
  const rows: Json[] = [];
  const keys: RowKey[] = [];
  let before: RowKeys | undefined;
  let [at, next]: Head["next"][] = [];
  for (let page = 1; ; page += 1) {
    const last = at;
    at = next;
    const head = await read(at);
    const pageKeys = keysOf(head.rows);
    const moved = before ? await movedRows(before, pageKeys, async () => keysOf((await read(last)).rows)) : 0;
    const own = allKeys(pageKeys, moved);
    rows.push(...head.rows.slice(moved));
    keys.push(...own);
    const isWhole = head.more === false || own.some((key) => known.has(key));
    if (isWhole || page >= most || head.next === undefined) return { rows, keys, isWhole };
    before = pageKeys;
    next = head.next;
  }
}

/**
 * How many rows at the beginning of a page are those at the end of the page before, pushed on by rows that came between
 * the two requests. Where they may as well be equal rows of one transaction, reading the page before again tells
 * whether anything came.
 */
async function movedRows(before: RowKeys, keys: RowKeys, again: () => Promise<RowKeys>): Promise<number> {
  const moved = countOverlap(before, keys);
  const transactions = new Set(Array.from({ length: moved }, (_, at) => keys.leadingField(at) ?? keys.at(at)));
  if (transactions.size !== 1) return moved;
  const now = await again();
  const isSame = now.length === before.length && isSameRun([now, 0], [before, 0], now.length);
  return isSame ? 0 : moved;
}

/**
 * Tells by their places which rows are new. Of rows that share an identity the lower ones are those that were there;
 * and what is below every row that is known is older than all of them.
 */
function unknownAmong(keys: readonly RowKey[], known: ReadonlyMap<RowKey, number>): (row: Json, at: number) => boolean {
  const end = keys.findLastIndex((key) => known.has(key));
  const left = new Map(known);
  const fresh = keys.map(() => false);
  for (let at = end < 0 ? keys.length - 1 : end; at >= 0; at -= 1) {
    const key = keys[at] as RowKey;
    const count = left.get(key) ?? 0;
    left.set(key, count - 1);
    fresh[at] = count <= 0;
  }
  return (_, at) => fresh[at] === true;
}

/** Counts what is there; what was not seen for long is forgotten. */
function remember(known: Map<RowKey, number>, keys: readonly RowKey[]): void {
  const counts = new Map<RowKey, number>();
  for (const key of keys.toReversed()) counts.set(key, (counts.get(key) ?? 0) + 1);
  for (const [key, count] of counts) {
    const before = known.get(key) ?? 0;
    known.delete(key);
    known.set(key, Math.max(before, count));
  }
  for (const key of known.keys()) {
    if (known.size <= REMEMBERED) break;
    known.delete(key);
  }
}
