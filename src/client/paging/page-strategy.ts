/**
 * Decides how a list continues after each page and where it ends, in this order:
 *  - an answer that is not a list ends it;
 *  - before the total is reached, a page that is not full does not end it, and an empty page is an obstacle. A total is
 *    ignored if it is less than the rows received, if it is reached by repeated rows, or if it is not a count;
 *  - a reached total ends it on a page that is not full. On a full page only the total indicates the end, so the next
 *    page is requested as a probe;
 *  - without a credible total, a page that is not full may be the end, so the next page is requested as a probe;
 *  - a probe ends the list if it has no new rows. Otherwise the list continues. An end is an obstacle if an earlier
 *    total was higher and no total remains, or if a round number of full pages precedes it without a total.
 *
 * Where the server returns a cursor beside the rows, an answer without one ends the list. So does a page without new
 * rows and with the same cursor: some servers return the row of the cursor again and nothing else. A page without new
 * rows but with a new cursor is followed by a probe.
 *
 * There are no probes when a single page was requested: then a page that is not full ends the list, and so does a
 * total.
 *
 * After an empty page, the page number increases, and the offset increases by a full page; a cursor is used again, as
 * it is after a short page that repeats earlier rows.
 *
 * A full page has the requested size. Some servers ignore that parameter: when a size above the API's default was
 * requested and the first page has exactly the default number of rows, that number is the size.
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
import { type Endpoint, type Param, type ParameterValues, validateParameter } from "../../catalogue/index.ts";
import type { Answer } from "../answer/answer.ts";
import { displayText } from "../text.ts";
import { createCycleDetector, hashText } from "./row-keys.ts";

/** Why reading cannot continue although the list has not ended. */
export interface Obstacle {
  readonly code: "STUCK" | "INCOMPLETE_LIST";
  readonly message: string;
}

/** What follows a page. */
export interface PageStep {
  readonly more: boolean | undefined;
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
}

/** Decides how a list continues, page by page. */
export interface PageStrategy {
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
  readonly fresh: number;
}

/** Returns the parameter with a role in paging, and its name. */
export function findParamByRole(
  endpoint: Endpoint,
  role: Param["role"],
): readonly [name: string, param: Param] | undefined {
  return Object.entries(endpoint.query).find(([, param]) => param.role === role);
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
}

/** Creates a strategy, from the start or from a state. */
export function createPageStrategy(
  endpoint: Endpoint,
  params: ParameterValues,
  { pageSize, isMultiPage }: PageExtent,
  saved?: JsonObject,
): PageStrategy {
  if (endpoint.cursorAt !== undefined) return createCursorStrategy(endpoint, params, pageSize, saved);
  const move = PAGE_MOVES[endpoint.paging](endpoint, params, saved?.move as JsonObject | undefined);
  const standard = Number(findParamByRole(endpoint, "size")?.[1].default);
  let full = saved ? (saved.full as number | undefined) : pageSize;
  let receivedRows = saved?.passed as number | undefined;
  let isProbe = saved?.isLook === true;
  let isFirst = saved === undefined;
  let lastTotal = saved?.total as number | undefined;
  const receive = (count: number) => {
    if (isFirst && pageSize !== undefined && pageSize > standard && count === standard) full = standard;
    const before = isFirst ? move.before(full ?? 0) : receivedRows;
    receivedRows = before === undefined ? undefined : before + count;
    isFirst = false;
  };
  return {
    step({ answer, received, fresh }) {
      receive(received.length);
      const reported = totalRows(answer);
      const total = credibleTotal(reported, receivedRows, { isRepeat: fresh === 0 && received.length > 0 });
      lastTotal = total ?? lastTotal;
      const isFull = received.length > 0 && received.length >= (full ?? 0);
      const remaining = total === undefined ? undefined : total - (receivedRows ?? 0);
      const isOver = isProbe && fresh === 0;
      const more = moreAfter({ isList: answer.rows !== undefined, remaining, isFull, isOver, isMultiPage });
      const isEmptyEnd = more === false && isOver && received.length === 0;
      const doubt = isEmptyEnd ? doubtfulEnd(endpoint, { reported, lastTotal, receivedRows, full }) : undefined;
      isProbe = isMultiPage && more === undefined && (remaining !== undefined || !isFull);
      // A short page without new rows counts as empty.
      const last = fresh === 0 && !isFull ? [] : received;
      const step = { more, next: undefined, isProbe, full, remaining };
      if (doubt) return { ...step, more: undefined, obstacle: doubt };
      return withNextPage(move, { ...step, received: last, obstacle: incompleteList(total, receivedRows) });
    },
    state: () => ({
      move: move.state?.() ?? {},
      ...(full !== undefined && { full }),
      ...(receivedRows !== undefined && { passed: receivedRows }),
      ...(isProbe && { isLook: isProbe }),
      ...(lastTotal !== undefined && { total: lastTotal }),
    }),
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

function withNextPage(
  move: PageMove,
  { received, obstacle, ...step }: PageStep & { readonly received: readonly Json[]; readonly obstacle: Obstacle },
): PageStep {
  const { more, full } = step;
  if (more === true && received.length === 0) return { ...step, more: undefined, obstacle };
  // Without a size parameter, a single page is the complete list.
  if (!move.next) return { ...step, more: more ?? (full === undefined ? false : undefined) };
  return more === false ? step : { ...step, ...move.next(received, full) };
}

/** Returns a total that does not contradict the rows. */
function credibleTotal(
  total: number | undefined,
  receivedRows: number | undefined,
  { isRepeat }: { readonly isRepeat: boolean },
): number | undefined {
  const isCredible =
    total !== undefined &&
    receivedRows !== undefined &&
    (total > receivedRows || (total === receivedRows && !isRepeat));
  return isCredible ? total : undefined;
}

interface PageProgress {
  readonly isList: boolean;
  /** Rows that follow, by a credible total. */
  readonly remaining: number | undefined;
  /** Whether the page has the maximum number of rows; where that is unknown, whether it has any. */
  readonly isFull: boolean;
  /** Whether the page was a probe without new rows. */
  readonly isOver: boolean;
  readonly isMultiPage: boolean;
}

function moreAfter({ isList, remaining, isFull, isOver, isMultiPage }: PageProgress): boolean | undefined {
  if (!isList) return false;
  if (remaining !== undefined && remaining > 0) return true;
  if (isOver) return false;
  const mayContinue = remaining === undefined ? isMultiPage || isFull : isMultiPage && isFull;
  return mayContinue ? undefined : false;
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
    full: number | undefined,
  ) => Pick<PageStep, "next" | "obstacle" | "later">;
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
      next: () => {
        page += 1;
        const nextPage = page;
        return { next: { [name]: page }, later: (pages) => ({ [name]: nextPage + pages }) };
      },
      state: () => ({ page }),
    };
  },
  offset: (endpoint, params, saved) => {
    const name = findParamByRole(endpoint, "offset")?.[0] ?? "offset";
    let offset = Number(saved?.offset ?? integerParam(params, name) ?? 0);
    return {
      before: () => offset,
      next: (received, full) => {
        offset += received.length || (full ?? 0);
        const nextOffset = offset;
        const later = (pages: number) => ({ [name]: nextOffset + pages * (full ?? 0) });
        // A server that returns fewer rows than a page has may do so again.
        return { next: { [name]: offset }, ...(received.length === full ? { later } : {}) };
      },
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
    return {
      before: () => (start === undefined ? 0 : undefined),
      next: (received) => {
        if (received.length === 0) return { next: at === undefined ? {} : { [name]: at } };
        const cursor = fieldAt(received.at(-1), field.split("."));
        const problem = cursorProblem(cursor, field, param);
        if (problem !== undefined) return cursorObstacle(problem);
        if (cycles.observe(hashText(String(cursor))) !== "new") return cursorObstacle("the same last row as before");
        at = cursor;
        return { next: { [name]: cursor } };
      },
      state: () => ({ ...cycles.state(), ...(typeof at === "string" && { cursor: at }) }),
    };
  },
};

function createCursorStrategy(
  endpoint: Endpoint,
  params: ParameterValues,
  full: number | undefined,
  saved?: JsonObject,
): PageStrategy {
  const [name, param] = findParamByRole(endpoint, "cursor") ?? ["cursor"];
  const field = endpoint.cursorAt ?? "";
  const cycles = createCycleDetector(saved?.move as JsonObject | undefined);
  if (!saved && params[name] !== undefined) cycles.observe(hashText(String(params[name])));
  const end: PageStep = { more: false, next: undefined, isProbe: false, full, remaining: undefined };
  let isProbe = saved?.isLook === true;
  const followingStep = ({ answer, received, fresh }: ReceivedPage): PageStep => {
    const cursor = answer.rows === undefined ? undefined : cursorBeside(answer, field);
    if (cursor === undefined || (isProbe && fresh === 0)) return end;
    const problem = cursorProblem(cursor, field, param);
    if (problem !== undefined) return { ...end, more: undefined, ...cursorObstacle(problem) };
    const text = cursorText(cursor);
    if (cycles.observe(hashText(text)) === "new")
      return { ...end, more: undefined, isProbe: fresh === 0, next: { [name]: text } };
    // A full page without new rows is too small: it contains the row of the cursor only.
    const isEnd = fresh === 0 && (full === undefined || received.length < full);
    return isEnd ? end : { ...end, more: undefined, ...cursorObstacle(`the same ${field} as before`) };
  };
  return {
    step(page) {
      const step = followingStep(page);
      isProbe = step.isProbe;
      return step;
    },
    state: () => ({ move: cycles.state(), ...(isProbe && { isLook: isProbe }) }),
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
