/**
 * Finds the new rows at the head of a list that has its newest rows first. Rows are distinguished by their identity and,
 * since several rows may share one, by the number of occurrences: no row is returned twice, and rows that appear late,
 * between known ones, are not lost.
 */
import type { Json, JsonObject } from "../../base/index.ts";
import { countOverlap } from "./deduplicator.ts";
import { allKeys, isSameRun, type RowKey, type RowKeyer, type RowKeys } from "./row-keys.ts";
import { rowSecond } from "./time-windows.ts";

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

/** A row that is new, with a key that the same row has in every run. */
export interface KeyedRow {
  readonly row: Json;
  readonly key: string;
}

/** Result of one poll. */
export interface HeadPoll {
  /** The new rows, oldest first. */
  readonly rows: readonly KeyedRow[];
  /** Whether these are all new rows; false when more arrived since the last poll than were read. */
  readonly isComplete: boolean;
}

/** Maximum number of pages read by one poll. */
export const MAX_PAGES = 100;
/** Maximum number of known rows: twice what one poll reads. */
const MAX_KNOWN_ROWS = 20_000;
/** The newest rows from which a later run continues: more than a page, so that one of them is found again. */
const SAVED_ROWS = 250;
/** Milliseconds in which a row can be removed again, and the number of such rows that are remembered. */
const UNSETTLED_MS = 120_000;
const MAX_UNSETTLED = 1000;

/** Returns those of some rows that were removed for certain, as the chain was reorganised. */
export type FindRemoved = (rows: readonly Json[]) => Promise<readonly Json[]>;

/** A row that may still be removed. */
interface UnsettledRow extends KeyedRow {
  readonly id: RowKey;
  readonly found: number;
}

/** Where a later run continues. */
export interface HeadCursor {
  /** The newest known rows, oldest first: their keys, and how often each occurred. */
  readonly known: readonly (readonly [key: RowKey, count: number])[];
  readonly unsettled: readonly UnsettledRow[];
}

/** How rows are removed: a row that was returned and is gone is returned again, as `retracted`, with the same key. */
export interface Removals {
  readonly findRemoved?: FindRemoved | undefined;
  readonly now: () => number;
}

/** Polls the head of a list. */
export interface HeadPoller {
  /** The first poll returns the newest page, later ones the rows that are new since. A failed poll changes nothing. */
  poll(): Promise<HeadPoll>;
  /** Returns what a later run continues from. */
  cursor(): HeadCursor;
}

/** Creates a poller, which continues after the rows of a cursor. */
export function createHeadPoller(
  keysOf: RowKeyer,
  read: ReadHeadPage,
  cursor?: HeadCursor,
  { findRemoved, now }: Removals = { now: Date.now },
): HeadPoller {
  const known = new Map<RowKey, number>(cursor?.known);
  let unsettled = cursor?.unsettled ?? [];
  let isFirst = cursor === undefined;
  let start: number | undefined;
  return {
    async poll() {
      const maxPages = isFirst ? 1 : MAX_PAGES;
      const head = await readHead(read, { keysOf, known, maxPages, start });
      const { isComplete } = head;
      // Without a known row, those of the first second are older, too.
      const isKnown = head.keys.some((key) => known.has(key));
      const first = isKnown || start === undefined ? start : start + 1;
      const rows = head.rows.filter((row) => !isBefore(row, first));
      const keys = head.keys.filter((_, at) => !isBefore(head.rows[at], first));
      const fresh = findNewRows(rows, keys, known);
      const absent = unsettled.filter(({ id }) => !keys.includes(id));
      const removedRows = new Set(absent.length > 0 ? await findRemoved?.(absent.map(({ row }) => row)) : []);
      const removed = absent.filter(({ row }) => removedRows.has(row));
      start ??= rowSecond(rows[isFirst ? rows.length - 1 : keys.findLastIndex((key) => known.has(key))]);
      addKnown(known, keys);
      for (const { id } of removed) known.delete(id);
      const retractions = removed.map(({ row, key }) => ({ row: { ...(row as JsonObject), retracted: true }, key }));
      const result = {
        rows: [...retractions, ...fresh.map(({ row, key }) => ({ row, key }))],
        isComplete: isFirst || isComplete,
      };
      const found = now();
      const added = findRemoved && !isFirst ? fresh.map((one) => ({ ...one, found })) : [];
      unsettled = [...unsettled.filter((one) => found - one.found < UNSETTLED_MS && !removed.includes(one)), ...added];
      unsettled = unsettled.slice(-MAX_UNSETTLED);
      isFirst = false;
      return result;
    },
    cursor: () => ({ known: [...known].slice(-SAVED_ROWS), unsettled }),
  };
}

interface PollOptions {
  readonly keysOf: RowKeyer;
  readonly known: ReadonlyMap<RowKey, number>;
  readonly maxPages: number;
  /** The time of the oldest row that was known at first, in Unix seconds: a backend that lags shows older ones. */
  readonly start: number | undefined;
}

const isBefore = (row: Json | undefined, start = Number.NEGATIVE_INFINITY): boolean =>
  (rowSecond(row) ?? Number.POSITIVE_INFINITY) < start;

/** Reads pages until one contains a known row or the list ends. */
async function readHead(read: ReadHeadPage, { keysOf, known, maxPages, start }: PollOptions) {
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
    const isOver = head.hasMore === false || isBefore(head.rows.at(-1), start);
    const isComplete = isOver || pageIds.some((key) => known.has(key));
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
 * Returns the new rows, oldest first. Of rows with the same identity, the lower ones are the known ones; rows below all
 * known rows are older than these.
 */
function findNewRows(
  rows: readonly Json[],
  keys: readonly RowKey[],
  known: ReadonlyMap<RowKey, number>,
): readonly Omit<UnsettledRow, "found">[] {
  const end = keys.findLastIndex((key) => known.has(key));
  const remaining = new Map(known);
  const fresh: Omit<UnsettledRow, "found">[] = [];
  for (let at = end < 0 ? keys.length - 1 : end; at >= 0; at -= 1) {
    const key = keys[at] as RowKey;
    const count = remaining.get(key) ?? 0;
    remaining.set(key, count - 1);
    // The counter goes below zero by one for each occurrence that is new.
    const occurrence = (known.get(key) ?? 0) - count + 1;
    if (count <= 0) fresh.push({ id: key, row: rows[at] as Json, key: `${key.toString(36)}.${occurrence}` });
  }
  return fresh;
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
