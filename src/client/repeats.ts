/**
 * Rows of a list that came before and are left out:
 *  - of events, whose identity two rows may share, a head of the page that repeats the tail of the page before: rows
 *    that newer ones pushed on. Where only equal rows of one transaction meet at the border, asking again tells whether
 *    any were pushed (`shift.ts`);
 *  - of things, which are in a list once, every row whose identity came before, as far as some pages back;
 *  - of either, a page that is the same as one of the last pages: as long, with the same rows at its head, in its middle
 *    and at its end, or in all places where one transaction fills it.
 * Lists that page by cursor are left as they are.
 */
import type { Json, JsonObject } from "../base/json.ts";
import type { Endpoint } from "../catalogue/endpoint.ts";
import { createCircles } from "./circles.ts";
import type { Answer } from "./decode.ts";
import { allKeys, combined, type Key, type Keyer, type Keys, keyer, knownKeys } from "./keys.ts";
import { type Again, movedRows, overlapOf } from "./shift.ts";

/** What is left of a page. */
export interface Fresh {
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
export interface RepeatFilter {
  read(answer: Answer, again: Again): Promise<Fresh>;
  /** What it remembers now, as plain JSON; it is made when it is asked for, from what was known at the call. */
  capture(): () => JsonObject;
}

/** Rows remembered to find those that come again. */
const REMEMBERED_ROWS = 2000;

type Left = Pick<Fresh, "answer" | "rows">;

/** A way to find rows that came again. */
interface Sieve {
  readonly read: (answer: Answer, again: Again) => Left | Promise<Left>;
  readonly capture: () => () => JsonObject;
}

/** The rows of an answer; one that is no list counts as a row. */
export const rowsOf = ({ rows, data }: Answer): readonly Json[] => rows ?? [data];

/** A filter that knows nothing yet, or what another one remembered. */
export function repeatFilter(endpoint: Endpoint, saved: JsonObject = {}): RepeatFilter {
  const { identity, paging } = endpoint;
  const keysOf = keyer(identity);
  const sieve = sieveOf(endpoint, keysOf, saved.sieve as JsonObject | undefined);
  const pages = createCircles(saved.pages as JsonObject | undefined);
  return {
    async read(first, again) {
      const { answer, rows } = await sieve.read(first, again);
      const received = rowsOf(answer);
      if (paging === "cursor") return { answer, received, rows, isRepeated: false, isCircle: false, hasMoved: false };
      const sighting = pages.see(pageKey(keysOf(received), identity));
      const isKnown = sighting !== "new";
      return {
        answer,
        received,
        rows: isKnown ? [] : rows,
        isRepeated: isKnown || rows.length === 0,
        isCircle: sighting === "long ago",
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
function pageKey(keys: Keys, identity: readonly string[] = []): Key {
  const end = keys.length - 1;
  if (end < 0) return combined([]);
  const isAlike = identity.length !== 1 && keys.leading(0) === keys.leading(end);
  const sample = isAlike ? allKeys(keys) : [keys.at(0), keys.at(end >> 1), keys.at(end)];
  return combined([keys.length, ...sample]);
}

function sieveOf({ identity, paging, query }: Endpoint, keysOf: Keyer, saved?: JsonObject): Sieve {
  if (!identity || paging === "cursor") {
    return { read: (answer) => ({ answer, rows: rowsOf(answer) }), capture: () => () => ({}) };
  }
  const isOfEvents = Object.values(query).some(({ role }) => role === "to");
  return isOfEvents ? overlapSieve(identity, keysOf, saved) : identitySieve(keysOf, saved);
}

function overlapSieve(identity: readonly string[], keyed: Keyer, saved: JsonObject = {}): Sieve {
  const keysOf = (answer: Answer) => keyed(rowsOf(answer));
  let before = knownKeys((saved.before ?? []) as Key[]);
  // A list that never rests is not asked for again and again.
  let mayRest = saved.mayRest !== false;
  return {
    async read(first, again) {
      const keys = keysOf(first);
      let [answer, moved] = [first, overlapOf(before, keys)];
      // An identity of one field is an id: two rows that share it are the same.
      if (mayRest && moved > 0 && identity.length > 1 && isOneTransaction(keys, moved))
        ({ answer, moved, rests: mayRest } = await movedRows({ before, page: first, keysOf, again }));
      before = answer === first ? keys : keysOf(answer);
      return { answer, rows: moved === 0 ? rowsOf(answer) : rowsOf(answer).slice(moved) };
    },
    capture() {
      const [now, rests] = [before, mayRest];
      return () => ({ before: allKeys(now), mayRest: rests });
    },
  };
}

/** Whether the first rows are all of one transaction. */
function isOneTransaction(keys: Keys, count: number): boolean {
  for (let at = 1; at < count; at += 1) if (keys.leading(at) !== keys.leading(0)) return false;
  return true;
}

function identitySieve(keyed: Keyer, saved: JsonObject = {}): Sieve {
  let pages = (saved.pages ?? []) as readonly (readonly Key[])[];
  const seen = new Set(pages.flat());
  return {
    read(answer) {
      const all = rowsOf(answer);
      const keys = keyed(all);
      const [rows, fresh]: [Json[], Key[]] = [[], []];
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
