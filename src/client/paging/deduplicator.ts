/**
 * Removes rows that a page has twice, unless they are events, and rows that were on earlier pages:
 *  - of events, where two rows may share an identity of several fields: rows at the head of a page that repeat the tail
 *    of the previous page, because newer rows pushed them. Where only equal rows of one transaction meet at the
 *    boundary, requesting both pages again shows whether any moved (`checkDrift`);
 *  - of objects, which occur once in a list: every row whose identity occurred within some earlier pages;
 *  - of both: a page that is the same as one of the last pages, which means that its length and its first, middle and
 *    last row are the same, or all rows where one transaction fills it;
 *  - of lists with a cursor: every row whose identity occurred, because some servers return the row of the cursor again.
 *    The others must be newest first where they have slots: a cursor that a server ignores leads back to newer rows.
 *
 * A page of events that is the same as the previous page is data if all of its rows are equal and the previous page,
 * requested again, has not changed: a transaction may have more equal rows than a page holds. After a hundred such
 * pages in a row the server is taken to return one page forever; with a page of different rows, it is at once.
 */
import { IncompleteError, isObject, type Json, type JsonObject, toNumber } from "../../base/index.ts";
import type { Endpoint } from "../../catalogue/index.ts";
import type { Answer } from "../answer/answer.ts";
import {
  allKeys,
  combineKeys,
  createCycleDetector,
  createRowKeyer,
  findRepetitions,
  isSameRun,
  type RowKey,
  type RowKeys,
  releaseRows,
  storedKeys,
} from "./row-keys.ts";

/** A page, each of its rows once, and their keys. */
export interface KeyedPage {
  readonly answer: Answer;
  readonly keys: RowKeys;
}

/** A page without rows of earlier pages; its answer is the one that was last received. */
export interface FreshRows extends KeyedPage {
  readonly received: readonly Json[];
  readonly rows: readonly Json[];
  /** Whether it is one of the last pages again. */
  readonly isRepeated: boolean;
  readonly isCycle: boolean;
  /** Whether rows moved since the previous page was read. */
  readonly hasMoved: boolean;
  /** Whether its first rows count as data although they equal the last ones of the previous page. */
  readonly isAlike?: boolean;
  /** New rows in front of known ones. */
  readonly misplaced: number;
  /** Whether known rows are not those that were read last, as if new ones had pushed them. */
  readonly isJumbled?: boolean;
}

/** Removes rows of earlier pages. Receives the pages in order, and can request the last two again. */
export type Deduplicator = ReturnType<typeof createDeduplicator>;

/** Rows remembered for comparison. */
const REMEMBERED_ROWS = 2000;

/** Consecutive pages of equal rows that count as data. */
export const MAX_ALIKE_PAGES = 100;

interface FilteredPage extends KeyedPage, Pick<FreshRows, "rows" | "isAlike" | "isJumbled"> {
  /** Whether it is data although it equals the previous page. */
  readonly isData?: boolean;
  readonly misplaced?: number;
}

interface RowFilter {
  /** Returns the new rows of an earlier page; without it, all are new. */
  readonly late?: (page: KeyedPage) => readonly Json[];
  readonly read: (page: KeyedPage, refetch: Refetch) => FilteredPage | Promise<FilteredPage>;
  readonly capture: () => () => JsonObject;
}

/** Returns the rows of an answer; an answer that is not a list counts as one row. */
export const rowsOf = ({ rows, data }: Answer): readonly Json[] => rows ?? [data];

/** Whether rows with the same identity may be different ones: an identity of one field is an id. */
const mayRecur = ({ identity = [], query }: Endpoint) =>
  identity.length > 1 && Object.values(query).some(({ role }) => role === "to");

/**
 * Returns a function that leaves out rows that a page has twice, and says whether there were any. Those of events stay:
 * they may be data of a transaction that others interrupt.
 */
export function createPageKeyer(endpoint: Endpoint) {
  const keysOf = createRowKeyer(endpoint.identity);
  const isOfEvents = mayRecur(endpoint);
  // The current candle of a chart follows its earlier state.
  const areNeighboursData = isOfEvents || endpoint.ascendingPages === true;
  return (answer: Answer): KeyedPage & { readonly hasRepetitions: boolean } => {
    const keys = keysOf(rowsOf(answer));
    const repetitions = endpoint.identity ? findRepetitions(keys, areNeighboursData) : new Set();
    const hasRepetitions = repetitions.size > 0;
    if (isOfEvents || !hasRepetitions) return { answer, keys, hasRepetitions };
    const rows = rowsOf(answer).filter((_, at) => !repetitions.has(at));
    return { answer: { ...answer, rows }, keys: keysOf(rows), hasRepetitions };
  };
}

/** Creates a deduplicator, empty or from a state. */
export function createDeduplicator(endpoint: Endpoint, saved: JsonObject = {}) {
  const { identity, paging } = endpoint;
  const filter = createRowFilter(endpoint, saved.sieve as JsonObject | undefined);
  const pages = createCycleDetector(saved.pages as JsonObject | undefined);
  return {
    async read(first: KeyedPage, refetch: Refetch): Promise<FreshRows> {
      const {
        answer,
        keys,
        rows,
        isData = false,
        misplaced = 0,
        isAlike,
        isJumbled,
      } = await filter.read(first, refetch);
      const received = rowsOf(answer);
      const isStale = rows.length === 0 && received.length > 0;
      if (paging === "cursor")
        return { answer, keys, received, rows, isRepeated: isStale, isCycle: false, hasMoved: false, misplaced: 0 };
      // Empty pages are all equal.
      const sighting = received.length === 0 ? "new" : pages.observe(pageKey(keys, identity));
      const isKnown = sighting !== "new" && !isData && received.length !== refetch.overlap;
      const moved = received.length - rows.length - (refetch.overlap ?? 0);
      return {
        answer,
        keys,
        received,
        rows: isKnown ? [] : rows,
        isRepeated: isKnown,
        isCycle: isKnown && sighting === "earlier",
        hasMoved: isKnown || answer !== first.answer || moved > 0,
        ...(isAlike && { isAlike }),
        ...(isJumbled && { isJumbled }),
        misplaced: isKnown ? 0 : misplaced,
      };
    },
    /** Receives the rest of an earlier page. Returns the rows that are new. */
    readLate: (page: KeyedPage): readonly Json[] => filter.late?.(page) ?? rowsOf(page.answer),
    /** Records what it remembers; the returned function converts it to plain JSON on demand. */
    capture(): () => JsonObject {
      const [filterState, pageState] = [filter.capture(), pages.state()];
      return () => ({ sieve: filterState(), pages: pageState });
    },
  };
}

function pageKey(keys: RowKeys, identity: readonly string[] = []): RowKey {
  const end = keys.length - 1;
  if (end < 0) return combineKeys([]);
  const isUniformTransaction = identity.length !== 1 && keys.leadingField(0) === keys.leadingField(end);
  const sample = isUniformTransaction ? allKeys(keys) : [keys.at(0), keys.at(end >> 1), keys.at(end)];
  return combineKeys([keys.length, ...sample]);
}

function createRowFilter(endpoint: Endpoint, saved?: JsonObject): RowFilter {
  if (!endpoint.identity)
    return { read: (page) => ({ ...page, rows: rowsOf(page.answer) }), capture: () => () => ({}) };
  if (endpoint.paging === "cursor") return cursorFilter(saved);
  return mayRecur(endpoint) ? overlapFilter(saved) : identityFilter(saved);
}

function cursorFilter(saved: JsonObject = {}): RowFilter {
  // Earlier versions remembered the previous page only.
  const filter = identityFilter({ pages: [saved.before ?? []], ...saved });
  let slot = Number(saved.slot ?? Number.POSITIVE_INFINITY);
  return {
    async read(keyed, refetch) {
      const page = await filter.read(keyed, refetch);
      for (const row of page.rows) {
        const next = isObject(row) ? toNumber(row.slot) : undefined;
        if (next === undefined) continue;
        if (next > slot) throw orderError(next, slot);
        slot = next;
      }
      return page;
    },
    capture() {
      const [state, last] = [filter.capture(), slot];
      return () => ({ ...state(), ...(Number.isFinite(last) && { slot: last }) });
    },
  };
}

const orderError = (slot: number, previous: number) =>
  new IncompleteError(`The list is not newest first: slot ${slot} follows slot ${previous}, and rows may be missing.`, {
    code: "INCOMPLETE_LIST",
    hint: "Read it again later, or from another source.",
  });

function overlapFilter(saved: JsonObject = {}): RowFilter {
  let previous = storedKeys((saved.before ?? []) as RowKey[]);
  // A list that changes constantly is not requested again and again.
  let isStable = saved.mayRest !== false;
  let alikePages = Number(saved.alike ?? 0);
  const readOverlapping = (first: KeyedPage, overlap: number): FilteredPage => {
    const page = removeOverlap(first, { before: previous, overlap });
    if (first.keys.length > 0) previous = releaseRows(first.keys, first.answer);
    return page;
  };
  return {
    async read(first, refetch) {
      if (refetch.overlap) return readOverlapping(first, refetch.overlap);
      let [page, moved] = [first, countOverlap(previous, first.keys)];
      const [hasOverlap, isWholePage] = [moved > 0, moved > 0 && moved === first.keys.length];
      if (isStable && moved > 0 && isOneTransaction(first.keys, moved))
        ({ page, moved, isStable } = await checkDrift({ before: previous, page: first, refetch }));
      if (page.keys.length > 0) previous = releaseRows(page.keys, page.answer);
      alikePages = isWholePage && moved === 0 && page === first && isUniform(first.keys) ? alikePages + 1 : 0;
      const isData = alikePages > 0 && alikePages <= MAX_ALIKE_PAGES;
      const rows = rowsOf(page.answer);
      return {
        ...page,
        isData,
        isAlike: hasOverlap && moved === 0,
        rows: moved === 0 ? rows : rows.slice(moved),
      };
    },
    capture() {
      const [keys, stable, count] = [previous, isStable, alikePages];
      return () => ({ before: allKeys(keys), mayRest: stable, ...(count > 0 && { alike: count }) });
    },
  };
}

/** Removes the rows of a page that are the last ones of a larger page before it; without these, all that it has, too. */
function removeOverlap(
  { answer, keys }: KeyedPage,
  { before, overlap }: { readonly before: RowKeys; readonly overlap: number },
): FilteredPage {
  const rows = rowsOf(answer);
  const isExpected = keys.length >= overlap && isSameRun([before, before.length - overlap], [keys, 0], overlap);
  const count = isExpected ? overlap : countOverlap(before, keys);
  if (count > 0) return { answer, keys, rows: rows.slice(count) };
  const known = new Set(allKeys(before));
  const others = rows.filter((_, at) => !known.has(keys.at(at)));
  return { answer, keys, rows: others, isJumbled: others.length < rows.length };
}

function isUniform(keys: RowKeys): boolean {
  return allKeys(keys).every((key) => key === keys.at(0));
}

function isOneTransaction(keys: RowKeys, count: number): boolean {
  for (let index = 1; index < count; index += 1) if (keys.leadingField(index) !== keys.leadingField(0)) return false;
  return true;
}

function identityFilter(saved: JsonObject = {}): RowFilter {
  let pages = (saved.pages ?? []) as readonly (readonly RowKey[])[];
  const seen = new Set(pages.flat());
  const read = ({ answer, keys }: KeyedPage): FilteredPage => {
    const all = rowsOf(answer);
    const [rows, fresh, known]: [Json[], RowKey[], RowKey[]] = [[], [], []];
    let misplaced = 0;
    all.forEach((row, index) => {
      const key = keys.at(index);
      if (seen.has(key)) {
        known.push(key);
        misplaced = rows.length;
        return;
      }
      rows.push(row);
      fresh.push(key);
    });
    const isJumbled = misplaced > 0 || !isTail(known, pages);
    for (const key of fresh) seen.add(key);
    pages = [...pages, fresh];
    while (pages.length > 1 && seen.size - (pages[0]?.length ?? 0) >= REMEMBERED_ROWS) {
      for (const key of pages[0] ?? []) seen.delete(key);
      pages = pages.slice(1);
    }
    return { answer, keys, rows: rows.length === all.length ? all : rows, misplaced, isJumbled };
  };
  return {
    read,
    late: (page) => read(page).rows,
    capture() {
      const current = pages;
      return () => ({ pages: current });
    },
  };
}

/** Whether keys are the last ones of some pages. */
function isTail(keys: readonly RowKey[], pages: readonly (readonly RowKey[])[]): boolean {
  let [remaining, page] = [keys.length, pages.length - 1];
  while (remaining > 0 && page >= 0) {
    const last = pages[page--] ?? [];
    const count = Math.min(remaining, last.length);
    for (let at = 1; at <= count; at += 1) if (last.at(-at) !== keys[remaining - at]) return false;
    remaining -= count;
  }
  return remaining === 0;
}

interface Refetch {
  readonly before: () => Promise<KeyedPage>;
  readonly page: () => Promise<KeyedPage>;
  /** Rows at the start of the page that the page before has, too, because they have other sizes (default: 0). */
  readonly overlap?: number;
}

/** Two pages as they were read, the first one by the keys of its rows. */
interface DriftCheck {
  readonly before: RowKeys;
  readonly page: KeyedPage;
  readonly refetch: Refetch;
}

/** Times that pages are requested again while they change. */
const MAX_ATTEMPTS = 4;

/**
 * Returns the later page, and how many of its first rows are the last ones of the previous page. The pages do not show
 * it: a transaction may have equal rows, and when some are at the end of one page and others at the start of the next,
 * they resemble rows that moved.
 *
 * The previous page is requested again. If it has not changed, nothing had moved when the page after it was read.
 * Otherwise it shows by how many rows it moved, and the page after it is requested again, too, until the previous page
 * is stable. While the pages change, all rows that may have moved count as moved.
 * @throws what requesting throws
 */
async function checkDrift({ before, page: first, refetch }: DriftCheck) {
  let [head, page] = [before, first];
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const now = (await refetch.before()).keys;
    if (isSame(now, head)) return { page, moved: shiftBetween(before, head, page.keys), isStable: true };
    head = now;
    page = await refetch.page();
  }
  return { page, moved: countOverlap(before, page.keys), isStable: false };
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
