/**
 * Decides how a list continues after each page and where it ends, in this order:
 *  - an answer that is not a list ends it;
 *  - a credible total ends it when as many different rows were received, on a page that is not full. On a full page only
 *    the total indicates the end, so the next page is requested as a probe, as it is after the first page of a list that
 *    starts in its middle: a server may ignore where it starts. Before that, two empty pages are an obstacle.
 *    Rows that were pushed to a later page by new ones explain why a total grew. A total is ignored if it is less than
 *    the rows received, or if it is not a count;
 *  - without a credible total, it ends at a page that is empty twice. Where the page before was full, the page after it is
 *    requested, too: a server may leave out a page. Such an end is an obstacle if an earlier total was higher and no total
 *    remains, or if a round number of full pages precedes it without a total;
 *  - a page of known rows is no end: an earlier page is requested again, and then the next one.
 *
 * Where the server returns a cursor beside the rows, an answer with rows and without a cursor ends the list; one without
 * either is requested again. A page without new rows and with the same cursor ends it, too: some servers return the row
 * of the cursor again and nothing else. So do two empty pages with new cursors.
 *
 * When the page that the parameters name was requested, a page that is not full ends the list, and so does a total. With
 * a limit that a single page can hold, so does a page with fewer rows than the default size; after any other page that
 * is not full, the next one is requested: the server may limit pages.
 *
 * A full page has the requested size. Some servers have another maximum. After a first page that is not full, pages
 * are requested with the largest valid size that it shows the server to return, from the page on that has the next row.
 * That page starts with the last rows of the first one, unless their number is a multiple of the size: if it has no others
 * and is not full, the list has ended. A list that starts in its middle is then read from a page on that starts with
 * known rows in any case: without them, the page numbers count something else.
 */

import {
  fieldAt,
  isNumeric,
  isObject,
  type Json,
  type JsonObject,
  numericText,
  stringifyJson,
  toNumber,
} from "../../base/index.ts";
import {
  type Endpoint,
  findParamByRole,
  type Param,
  type ParameterValues,
  validateParameter,
} from "../../catalogue/index.ts";
import type { Answer } from "../answer/answer.ts";
import { displayText } from "../text.ts";
import { createTotals, PageCounts } from "./page-counts.ts";
import { createCycleDetector, hashText } from "./row-keys.ts";

/** Why reading cannot continue although the list has not ended. */
export interface Obstacle {
  readonly code: "STUCK" | "INCOMPLETE_LIST";
  readonly message: string;
}

/** What follows a page. */
export interface PageStep {
  readonly hasMore: boolean | undefined;
  readonly next: ParameterValues | undefined;
  readonly obstacle?: Obstacle;
  /** Whether the next page is a probe, because this one may be the last. */
  readonly isProbe: boolean;
  /**
   * Returns the parameters of the page that many pages after the next one, if those between are full; undefined where
   * they cannot be known.
   */
  readonly later?: (pages: number) => ParameterValues;
  /** Rows of a full page, where pages have a size. */
  readonly full: number | undefined;
  /** Rows that follow, by a credible total. */
  readonly remaining: number | undefined;
  /** Whether the last page with rows was full: nothing but an empty page says that it is the last one. */
  readonly afterFull?: boolean;
  /** Whether the total proves that all rows were received. */
  readonly isProved?: boolean;
  /** Rows of the largest page so far. */
  readonly largest?: number;
  /** Whether the next page is this one again. */
  readonly isAgain?: boolean;
}

/** Decides how a list continues, page by page. */
export interface PageStrategy {
  /** Rows at the start of the next page that were received before. */
  readonly overlap: number;
  step(page: ReceivedPage): PageStep;
  /**
   * Returns plain JSON from which another strategy can continue. Its names are older than those of the code, because
   * checkpoints on disk contain them.
   */
  state(): JsonObject;
}

/** A page as it was received. */
export interface ReceivedPage {
  readonly answer: Answer;
  readonly received: readonly Json[];
  /** Rows that were not received before. */
  readonly fresh: number;
  /** Rows of earlier pages that were found besides. */
  readonly found?: number;
  /** Whether the page is an earlier one again. */
  readonly isRepeated: boolean;
  /** Whether known rows are not those that were read last. */
  readonly isJumbled?: boolean | undefined;
}

/** Returns a parameter as an integer, where it is one. */
export function integerParam(params: ParameterValues, name: string | undefined): number | undefined {
  const value = name === undefined ? undefined : params[name];
  const number = value === undefined || value === null || value === "" ? Number.NaN : Number(value);
  return Number.isSafeInteger(number) ? number : undefined;
}

/** What a strategy knows of a reading. */
export interface PageExtent {
  /** Rows requested per page, where the endpoint has such a parameter. */
  readonly pageSize: number | undefined;
  readonly isMultiPage: boolean;
  /** Number of rows to read; undefined for the page that the parameters name. */
  readonly rowLimit: number | undefined;
  /** Whether the list starts in its middle. */
  readonly isContinued: boolean;
}

/** Creates a strategy, from the start or from a state. */
export function createPageStrategy(
  endpoint: Endpoint,
  params: ParameterValues,
  extent: PageExtent,
  saved?: JsonObject,
): PageStrategy {
  if (endpoint.cursorAt !== undefined) return createCursorStrategy(endpoint, params, extent, saved);
  const { pageSize, isMultiPage, rowLimit, isContinued } = extent;
  const move = PAGE_MOVES[endpoint.paging](endpoint, params, saved?.move as JsonObject | undefined);
  const [sizeName, { default: standard, values = [] } = {}] = findParamByRole(endpoint, "size") ?? [];
  const sizes = [standard, ...values].map(Number);
  const mayOverlap = rowLimit !== undefined && endpoint.paging === "page" && endpoint.identity !== undefined;
  const sizeAfter = (count: number, rows = 0) => {
    const full = sizes.filter((size) => (mayOverlap ? size <= count : size === count)).toSorted((a, b) => b - a)[0];
    const overlap = mayOverlap && full ? rows % full || (rows === count ? 0 : full) : 0;
    return full === undefined ? undefined : { full, overlap };
  };
  const [totals, counts] = [createTotals(saved), new PageCounts(sizeAfter, pageSize, saved)];
  // Of a page with fewer rows, no server has a limit.
  const least = rowLimit === undefined || isMultiPage || !move.next ? Number.POSITIVE_INFINITY : Number(standard);
  const isFullPage = (count: number) => count > 0 && count >= Math.min(counts.full ?? 0, least);
  /** Returns the parameters of the page that follows, with the size of pages where it is not the planned one. */
  const following = (rows: readonly Json[]): Pick<PageStep, "next" | "obstacle" | "later" | "isAgain"> => {
    const isAgain = isMultiPage && counts.isAgain;
    const { next, later, obstacle } = isAgain ? { next: move.here?.() } : (move.next?.(rows, counts) ?? {});
    const size = sizeName === undefined || counts.full === pageSize ? {} : { [sizeName]: counts.full };
    return {
      isAgain,
      next: next && { ...next, ...size },
      ...(obstacle && { obstacle }),
      ...(later && { later: (pages: number) => ({ ...later(pages), ...size }) }),
    };
  };
  /** Returns why the list cannot continue, or ends too early. */
  const obstacleOf = (step: PageStep, reported: number | undefined, isEmptyEnd: boolean): Obstacle | undefined => {
    if (!isEmptyEnd) return undefined;
    if (step.hasMore === true) return incompleteList(totals.last(), counts.rows);
    if (!isMultiPage) return undefined;
    return doubtfulEnd(endpoint, { reported, lastTotal: totals.last(), receivedRows: counts.rows, full: counts.full });
  };
  const isStartOfPart = () => isContinued && counts.isFirst;
  const isEmptyPage = (rows: readonly Json[], fresh: number) =>
    rows.length === 0 || (fresh === 0 && counts.largest > 1 && move.isCursorOnly?.(rows) === true);
  return {
    get overlap() {
      return counts.overlap;
    },
    step({ answer, received, fresh, found = 0, isRepeated, isJumbled }) {
      const rows = isEmptyPage(received, fresh) ? [] : received;
      const isStart = isStartOfPart();
      const isKnownEnd = fresh + found === 0 && !isJumbled && counts.isOverlapOnly(rows.length);
      counts.receive(rows.length, { fresh: fresh + found, isRepeated, before: move.before });
      const reported = totalRows(answer);
      const remaining = totals.remaining(reported, counts.rows, isRepeated ? 0 : rows.length - fresh);
      const { full, afterFull, largest } = counts;
      const isFull = isFullPage(rows.length);
      const isEmptyEnd =
        isKnownEnd || counts.isEmptyEnd({ isMultiPage, canPass: move.canPass && remaining === undefined });
      const isList = answer.rows !== undefined;
      const more = moreAfter({ isList, remaining, isFull, isStart, isNew: fresh > 0, isEmptyEnd, isMultiPage });
      const isProbe = isMultiPage && more === undefined && (remaining !== undefined || !isFull);
      // Where a list starts in its middle, the rows before it were not received.
      const isProved = !isContinued && totals.isProof(counts.rows);
      const step: PageStep = { hasMore: more, next: undefined, isProbe, full, remaining, afterFull, isProved, largest };
      const obstacle = obstacleOf(step, reported, isEmptyEnd);
      if (obstacle) return { ...step, hasMore: undefined, obstacle };
      // Without a size parameter, a single page is the complete list.
      if (!move.next) return { ...step, hasMore: more ?? (full === undefined ? false : undefined) };
      return more === false ? step : { ...step, ...following(rows) };
    },
    state: () => ({ move: move.state?.() ?? {}, ...counts.state(), ...totals.state() }),
  };
}

/** Servers limit lists to multiples of these numbers of pages or rows. */
const CAP = { pages: 50, rows: 5000 } as const;

interface ListEnd {
  readonly reported: number | undefined;
  readonly lastTotal: number | undefined;
  readonly receivedRows: number | undefined;
  readonly full: number | undefined;
}

/**
 * Returns why an empty page without a total may not be the end: an earlier page reported more rows, or the rows end
 * after a round number of full pages.
 */
function doubtfulEnd(
  { paging }: Endpoint,
  { reported = 0, lastTotal, receivedRows = 0, full }: ListEnd,
): Obstacle | undefined {
  if (reported > 0) return undefined;
  if (lastTotal !== undefined) return lastTotal > receivedRows ? incompleteList(lastTotal, receivedRows) : undefined;
  const pages = receivedRows / (full ?? Number.POSITIVE_INFINITY);
  const isRound = pages > 0 && (pages % CAP.pages === 0 || (receivedRows % CAP.rows === 0 && Number.isInteger(pages)));
  if (!isRound || paging === "cursor") return undefined;
  const message = `The API returned no more rows after ${pages} full pages (${receivedRows} rows): it may limit the length of lists.`;
  return { code: "INCOMPLETE_LIST", message };
}

interface PageProgress {
  readonly isList: boolean;
  /** Rows that follow, by a credible total. */
  readonly remaining: number | undefined;
  /** Whether the page has the maximum number of rows; where that is unknown, whether it has any. */
  readonly isFull: boolean;
  /** Whether it is the first page of a list that starts in its middle. */
  readonly isStart: boolean;
  /** Whether the page has new rows. */
  readonly isNew: boolean;
  /** Whether enough pages were empty. */
  readonly isEmptyEnd: boolean;
  readonly isMultiPage: boolean;
}

function moreAfter(page: PageProgress): boolean | undefined {
  const { isList, remaining, isFull, isStart, isNew, isEmptyEnd, isMultiPage } = page;
  if (!isList) return false;
  if (remaining !== undefined && remaining > 0) return true;
  if (remaining !== undefined) return isMultiPage && isNew && (isFull || isStart) ? undefined : false;
  return isEmptyEnd || (!isMultiPage && !isFull) ? false : undefined;
}

/** Returns the number of rows in a list according to the answer, where it is a valid count. */
export function totalRows({ data, request }: Answer): number | undefined {
  const name = request.endpoint?.returns.total;
  const total = name === undefined || !isObject(data) ? undefined : data[name];
  const count = toNumber(total) ?? Number.NaN;
  return Number.isSafeInteger(count) && count >= 0 ? count : undefined;
}

function incompleteList(total: number | undefined, receivedRows: number | undefined): Obstacle {
  return { code: "INCOMPLETE_LIST", message: `The API reports ${total} rows and returned ${receivedRows}.` };
}

interface PageMove {
  /** Rows before the first page; undefined where that is unknown. */
  readonly before: (size: number) => number | undefined;
  /** Returns the page after one with these rows; undefined for a single page. */
  readonly next?: (
    received: readonly Json[],
    counts: Pick<PageCounts, "full" | "rows" | "overlap">,
  ) => Pick<PageStep, "next" | "obstacle" | "later">;
  /** Returns the same page again. */
  readonly here?: () => ParameterValues;
  /** Whether the page after one that stays empty can be requested. */
  readonly canPass?: boolean;
  /** Whether the page has the row of its cursor and no other. */
  readonly isCursorOnly?: (received: readonly Json[]) => boolean;
  readonly state?: () => JsonObject;
}

const ONE_PAGE: PageMove = { before: () => 0 };

const PAGE_MOVES: Readonly<
  Record<Endpoint["paging"], (endpoint: Endpoint, params: ParameterValues, saved?: JsonObject) => PageMove>
> = {
  none: () => ONE_PAGE,
  limit: () => ONE_PAGE,
  page: (endpoint, params, saved) => {
    const name = findParamByRole(endpoint, "page")?.[0] ?? "page";
    let page = Number(saved?.page ?? integerParam(params, name) ?? 1);
    return {
      before: (size) => (page - 1) * size,
      next: (_, { full = 1, rows = 0, overlap }) => {
        page = overlap > 0 ? (rows - overlap) / full + 1 : page + 1;
        const nextPage = page;
        return { next: { [name]: page }, later: (pages) => ({ [name]: nextPage + pages }) };
      },
      here: () => ({ [name]: page }),
      canPass: true,
      state: () => ({ page }),
    };
  },
  offset: (endpoint, params, saved) => {
    const name = findParamByRole(endpoint, "offset")?.[0] ?? "offset";
    let offset = Number(saved?.offset ?? integerParam(params, name) ?? 0);
    return {
      before: () => offset,
      next: (received, { full }) => {
        offset += received.length || (full ?? 0);
        const nextOffset = offset;
        const later = (pages: number) => ({ [name]: nextOffset + pages * (full ?? 0) });
        // A server that returns fewer rows than a page has may do so again.
        return { next: { [name]: offset }, ...(received.length === full ? { later } : {}) };
      },
      here: () => ({ [name]: offset }),
      canPass: true,
      state: () => ({ offset }),
    };
  },
  cursor: (endpoint, params, saved) => {
    const [name, param] = findParamByRole(endpoint, "cursor") ?? ["cursor"];
    const field = endpoint.cursorField ?? "";
    const cycles = createCycleDetector(saved);
    const start = params[name];
    if (!saved && typeof start === "string") cycles.observe(hashText(start));
    let at = (saved?.cursor ?? start) as Json | undefined;
    // Where one page did not begin with the row of its cursor, one with that row only is stale, and no end.
    let isExclusive = saved?.isExclusive === true;
    const cursorOf = (row: Json | undefined) => fieldAt(row, field.split("."));
    const here = (): ParameterValues => (at === undefined ? {} : { [name]: at });
    return {
      before: () => (start === undefined ? 0 : undefined),
      next: (received) => {
        if (received.length === 0) return { next: here() };
        isExclusive ||= at !== undefined && cursorOf(received[0]) !== at;
        const cursor = cursorOf(received.at(-1));
        const problem = cursorProblem(cursor, field, param);
        if (problem !== undefined) return cursorObstacle(problem);
        if (cycles.observe(hashText(String(cursor))) !== "new") return cursorObstacle("the same last row as before");
        at = cursor;
        return { next: here() };
      },
      here,
      isCursorOnly: (received) =>
        received.length === 1 && !isExclusive && at !== undefined && cursorOf(received[0]) === at,
      state: () => ({ ...cycles.state(), isExclusive, ...(typeof at === "string" && { cursor: at }) }),
    };
  },
};

function createCursorStrategy(
  endpoint: Endpoint,
  params: ParameterValues,
  { pageSize: full, isMultiPage }: PageExtent,
  saved?: JsonObject,
): PageStrategy {
  const [name, param] = findParamByRole(endpoint, "cursor") ?? ["cursor"];
  const field = endpoint.cursorAt ?? "";
  const cycles = createCycleDetector(saved?.move as JsonObject | undefined);
  if (!saved && params[name] !== undefined) cycles.observe(hashText(String(params[name])));
  const end: PageStep = { hasMore: false, next: undefined, isProbe: false, full, remaining: undefined };
  let isProbe = saved?.isLook === true;
  let at = (saved?.cursor ?? params[name]) as Json | undefined;
  const followingStep = ({ answer, received, fresh }: ReceivedPage): PageStep => {
    const cursor = answer.rows === undefined ? undefined : cursorBeside(answer, field);
    const isEmpty = answer.rows !== undefined && received.length === 0;
    if (cursor === undefined && isEmpty && isMultiPage && !isProbe && at !== undefined)
      return { ...end, hasMore: undefined, isProbe: true, isAgain: true, next: { [name]: at } };
    if (cursor === undefined || (isProbe && isEmpty)) return end;
    const problem = cursorProblem(cursor, field, param);
    if (problem !== undefined) return { ...end, hasMore: undefined, ...cursorObstacle(problem) };
    const text = cursorText(cursor);
    if (cycles.observe(hashText(text)) === "new")
      return { ...end, hasMore: undefined, isProbe: fresh === 0, next: { [name]: text } };
    // A full page without new rows is too small: it contains the row of the cursor only.
    const isEnd = fresh === 0 && (full === undefined || received.length < full);
    return isEnd ? end : { ...end, hasMore: undefined, ...cursorObstacle(`the same ${field} as before`) };
  };
  return {
    overlap: 0,
    step(page) {
      const step = followingStep(page);
      isProbe = step.isProbe;
      at = (step.next?.[name] ?? at) as Json | undefined;
      return step;
    },
    state: () => ({
      move: cycles.state(),
      ...(isProbe && { isLook: isProbe }),
      ...(at !== undefined && { cursor: at }),
    }),
  };
}

/** Returns the cursor of an answer: in `data`, in `metadata`, or beside them. Empty ones count as missing. */
function cursorBeside({ data, envelope }: Answer, field: string): Json | undefined {
  for (const place of [data, envelope?.metadata, envelope]) {
    const cursor = isObject(place) ? place[field] : undefined;
    if (cursor !== undefined && cursor !== null && cursor !== "") return cursor;
  }
  return undefined;
}

const cursorText = (cursor: Json): string =>
  isNumeric(cursor) ? numericText(cursor) : typeof cursor === "string" ? cursor : stringifyJson(cursor);

/** Returns why the value of a field cannot be a cursor, as the object of "the API returned". */
function cursorProblem(cursor: Json | undefined, field: string, param: Param | undefined): string | undefined {
  if (cursor === undefined || cursor === null || cursor === "") return `a last row without ${field}`;
  const isText = typeof cursor === "string" || (param?.type === "integer" && isNumeric(cursor));
  if (isText && (!param || validateParameter(field, param, cursorText(cursor)) === undefined)) return undefined;
  return `${displayText(cursorText(cursor))} as ${param?.type === "signature" ? "the last row's " : ""}${field}`;
}

function cursorObstacle(what: string): Pick<PageStep, "next" | "obstacle"> {
  const message = `Reading cannot continue: the API returned ${what}.`;
  return { next: undefined, obstacle: { code: "STUCK", message } };
}
