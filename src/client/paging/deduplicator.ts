/**
 * Rows of a list that came before and are left out:
 *  - of events, whose identity two rows may share, a head of the page that repeats the tail of the page before: rows
 *    that newer ones pushed on. Where only equal rows of one transaction meet at the border, asking again tells whether
 *    any were pushed (`shift.ts`);
 *  - of things, which are in a list once, every row whose identity came before, as far as some pages back;
 *  - of either, a page that is the same as one of the last pages: as long, with the same rows at its head, in its middle
 *    and at its end, or in all places where one transaction fills it;
 *  - where pages go by cursor, a head of the page that repeats the tail of the page before: some servers give the row of
 *    the cursor once more.
 *
 * A page of events that is the same as the page before is data where all of its rows are equal and the page before,
 * asked for again, stands still: a transaction may have more equal rows than a page holds. After a hundred such pages in
 * a row it is taken for a server that gives one page for ever; a page with several kinds of rows is so at once.
 */
import type { Json, JsonObject } from "../../base/index.ts";
import type { Endpoint } from "../../catalogue/index.ts";
import type { Answer } from "../http/decode.ts";
import { createCycleDetector } from "./cycle-detector.ts";
import { checkDrift, countOverlap, type Refetch } from "./drift-check.ts";
import {
  allKeys,
  combineKeys,
  createRowKeyer,
  type RowKey,
  type RowKeyer,
  type RowKeys,
  storedKeys,
} from "./row-keys.ts";

/** What is left of a page. */
export interface FreshRows {
  /** The page, as it was when it was last asked for. */
  readonly answer: Answer;
  /** All of its rows. */
  readonly received: readonly Json[];
  readonly rows: readonly Json[];
  /** Whether the page brought nothing new. */
  readonly isRepeated: boolean;
  /** Whether it is a page of so long ago that the list goes round in a circle. */
  readonly isCircle: boolean;
  /** Whether rows were pushed on since the page before was read. */
  readonly hasMoved: boolean;
}

/** Leaves out what came before. It is given the pages of a reading in turn, and the means to ask for the last two again. */
export interface Deduplicator {
  read(answer: Answer, again: Refetch): Promise<FreshRows>;
  /** What it remembers now, as plain JSON; it is made when it is asked for, from what was known at the call. */
  capture(): () => JsonObject;
}

/** Rows remembered to find those that come again. */
const REMEMBERED_ROWS = 2000;

/** Pages in a row of equal rows that are data. */
export const MAX_ALIKE_PAGES = 100;

interface SievedPage extends Pick<FreshRows, "answer" | "rows"> {
  /** Whether it is data although it looks like the page before. */
  readonly isData?: boolean;
}

/** A way to find rows that came again. */
interface Sieve {
  readonly read: (answer: Answer, again: Refetch) => SievedPage | Promise<SievedPage>;
  readonly capture: () => () => JsonObject;
}

/** The rows of an answer; one that is no list counts as a row. */
export const rowsOf = ({ rows, data }: Answer): readonly Json[] => rows ?? [data];

/** A filter that knows nothing yet, or what another one remembered. */
export function createDeduplicator(endpoint: Endpoint, saved: JsonObject = {}): Deduplicator {
  const { identity, paging } = endpoint;
  const keysOf = createRowKeyer(identity);
  const sieve = sieveOf(endpoint, keysOf, saved.sieve as JsonObject | undefined);
  const pages = createCycleDetector(saved.pages as JsonObject | undefined);
  return {
    async read(first, again) {
      const { answer, rows, isData = false } = await sieve.read(first, again);
      const received = rowsOf(answer);
      if (paging === "cursor") return { answer, received, rows, isRepeated: false, isCircle: false, hasMoved: false };
      // Empty pages are all the same.
      const sighting = received.length === 0 ? "new" : pages.observe(pageKey(keysOf(received), identity));
      const isKnown = sighting !== "new" && !isData;
      return {
        answer,
        received,
        rows: isKnown ? [] : rows,
        isRepeated: isKnown || rows.length === 0,
        isCircle: isKnown && sighting === "long ago",
        hasMoved: isKnown || answer !== first || rows.length < received.length,
      };
    },
    capture() {
      const [ofRows, ofPages] = [sieve.capture(), pages.state()];
      return () => ({ sieve: ofRows(), pages: ofPages });
    },
  };
}

/** The key of a page. */
function pageKey(keys: RowKeys, identity: readonly string[] = []): RowKey {
  const end = keys.length - 1;
  if (end < 0) return combineKeys([]);
  const isAlike = identity.length !== 1 && keys.leadingField(0) === keys.leadingField(end);
  const sample = isAlike ? allKeys(keys) : [keys.at(0), keys.at(end >> 1), keys.at(end)];
  return combineKeys([keys.length, ...sample]);
}

function sieveOf({ identity, paging, query }: Endpoint, keysOf: RowKeyer, saved?: JsonObject): Sieve {
  if (!identity) return { read: (answer) => ({ answer, rows: rowsOf(answer) }), capture: () => () => ({}) };
  if (paging === "cursor") return cursorSieve(keysOf, saved);
  const isOfEvents = Object.values(query).some(({ role }) => role === "to");
  return isOfEvents ? overlapSieve(identity, keysOf, saved) : identitySieve(keysOf, saved);
}

function cursorSieve(keyed: RowKeyer, saved: JsonObject = {}): Sieve {
  let before = storedKeys((saved.before ?? []) as RowKey[]);
  return {
    read(answer) {
      const rows = rowsOf(answer);
      const keys = keyed(rows);
      const again = countOverlap(before, keys);
      // The page after an empty one begins at the same cursor.
      if (keys.length > 0) before = keys;
      return { answer, rows: again === 0 ? rows : rows.slice(again) };
    },
    capture() {
      const now = before;
      return () => ({ before: allKeys(now) });
    },
  };
}

function overlapSieve(identity: readonly string[], keyed: RowKeyer, saved: JsonObject = {}): Sieve {
  const keysOf = (answer: Answer) => keyed(rowsOf(answer));
  let before = storedKeys((saved.before ?? []) as RowKey[]);
  // A list that never rests is not asked for again and again.
  let mayRest = saved.mayRest !== false;
  let alike = Number(saved.alike ?? 0);
  return {
    async read(first, again) {
      const keys = keysOf(first);
      let [answer, moved] = [first, countOverlap(before, keys)];
      const isWhole = moved > 0 && moved === keys.length;
      // An identity of one field is an id: two rows that share it are the same.
      if (mayRest && moved > 0 && identity.length > 1 && isOneTransaction(keys, moved))
        ({ answer, moved, rests: mayRest } = await checkDrift({ before, page: first, keysOf, refetch: again }));
      before = answer === first ? keys : keysOf(answer);
      alike = isWhole && moved === 0 && answer === first && isUniform(keys) ? alike + 1 : 0;
      const isData = alike > 0 && alike <= MAX_ALIKE_PAGES;
      return { answer, isData, rows: moved === 0 ? rowsOf(answer) : rowsOf(answer).slice(moved) };
    },
    capture() {
      const [now, rests, count] = [before, mayRest, alike];
      return () => ({ before: allKeys(now), mayRest: rests, ...(count > 0 && { alike: count }) });
    },
  };
}

function isUniform(keys: RowKeys): boolean {
  return allKeys(keys).every((key) => key === keys.at(0));
}

/** Whether the first rows are all of one transaction. */
function isOneTransaction(keys: RowKeys, count: number): boolean {
  for (let at = 1; at < count; at += 1) if (keys.leadingField(at) !== keys.leadingField(0)) return false;
  return true;
}

function identitySieve(keyed: RowKeyer, saved: JsonObject = {}): Sieve {
  let pages = (saved.pages ?? []) as readonly (readonly RowKey[])[];
  const seen = new Set(pages.flat());
  return {
    read(answer) {
      const all = rowsOf(answer);
      const keys = keyed(all);
      const [rows, fresh]: [Json[], RowKey[]] = [[], []];
      all.forEach((row, at) => {
        const key = keys.at(at);
        if (seen.has(key)) return;
        rows.push(row);
        fresh.push(key);
      });
      for (const key of fresh) seen.add(key);
      pages = [...pages, fresh];
      while (pages.length > 1 && seen.size - (pages[0]?.length ?? 0) >= REMEMBERED_ROWS) {
        for (const key of pages[0] ?? []) seen.delete(key);
        pages = pages.slice(1);
      }
      return { answer, rows };
    },
    capture() {
      const now = pages;
      return () => ({ pages: now });
    },
  };
}
