/**
 * How a list goes on after each page, and where it ends, in this order:
 *  - an answer that is no list ends it;
 *  - before a total is reached, a page that is not full does not end it, and an empty one is an obstacle. A total below
 *    what was already received is not believed, nor is one that is reached by a page of repeats, nor one that is no
 *    count;
 *  - a total that is reached ends it on a page that is not full. On a full page nothing but the total says that this is
 *    the end, so the next page is looked at;
 *  - without a total that is believed, a page that is not full, or empty, may be the end: the next page is looked at;
 *  - where the next page is looked at, it ends the list if it brings nothing new. Else the list goes on.
 *
 * Nothing is looked at where one page alone is wanted: then a page that is not full ends the list, and so does a total.
 *
 * The page after an empty one is the next by its number, or by the offset of as many rows as a full page has; a cursor is
 * asked for once more, as it is after a page that is not full and repeats what came before.
 *
 * A full page is one of the size asked for. Some servers do not know the parameter: when a greater size than the API's
 * default was asked for and exactly the default number of rows comes on the first page, that number is the size.
 */

import { isObject, type Json, type JsonObject, stringifyJson, toNumber } from "../../base/index.ts";
import { type Endpoint, type Param, type ParameterValues, validateParameter } from "../../catalogue/index.ts";
import type { Answer } from "../http/decode.ts";
import { displayText } from "../text.ts";
import { createCycleDetector } from "./cycle-detector.ts";
import { hashText, valueAt } from "./row-keys.ts";

/** Why reading cannot go on although it should. */
export interface Obstacle {
  readonly code: "STUCK" | "INCOMPLETE_LIST";
  readonly message: string;
}

/** What follows a page. */
export interface PageStep {
  /** Whether rows follow: true and false are certain. */
  readonly more: boolean | undefined;
  /** The parameters of the next page. */
  readonly next: ParameterValues | undefined;
  readonly obstacle?: Obstacle;
  /** Whether the next page is looked at because this one may be the last. */
  readonly isProbe: boolean;
  /** The parameters of the page so many pages after the next one, if those between are full; none where only they tell. */
  readonly later?: (pages: number) => ParameterValues;
  /** Rows of a full page, where pages have a size. */
  readonly full: number | undefined;
  /** Rows that follow, by a total that is believed. */
  readonly remaining: number | undefined;
}

/** How a list goes on: told of each page in turn. */
export interface PageStrategy {
  step(page: ReceivedPage): PageStep;
  /** Plain JSON from which another stepper goes on. */
  state(): JsonObject;
}

/** A page as it came. */
export interface ReceivedPage {
  readonly answer: Answer;
  readonly received: readonly Json[];
  /** Rows that had not come before. */
  readonly fresh: number;
}

/** The parameter that plays a part in paging, with its name. */
export function findParamByRole(
  endpoint: Endpoint,
  role: Param["role"],
): readonly [name: string, param: Param] | undefined {
  return Object.entries(endpoint.query).find(([, param]) => param.role === role);
}

/** A whole number among the parameters, where one is given. */
export function integerParam(params: ParameterValues, name: string | undefined): number | undefined {
  const value = name === undefined ? undefined : params[name];
  const number = value === undefined || value === null || value === "" ? Number.NaN : Number(value);
  return Number.isSafeInteger(number) ? number : undefined;
}

/** What a stepper knows of a reading. */
export interface PageExtent {
  /** Rows asked for per page, where the endpoint has such a parameter. */
  readonly pageSize: number | undefined;
  /** Whether more than one page may be asked for. */
  readonly isMultiPage: boolean;
}

/** Makes a stepper, at the beginning or where another one was. */
export function createPageStrategy(
  endpoint: Endpoint,
  params: ParameterValues,
  { pageSize: size, isMultiPage: isMany }: PageExtent,
  saved?: JsonObject,
): PageStrategy {
  const move = PAGE_MOVES[endpoint.paging](endpoint, params, saved?.move as JsonObject | undefined);
  const standard = Number(findParamByRole(endpoint, "size")?.[1].default);
  let full = saved ? (saved.full as number | undefined) : size;
  let passed = saved?.passed as number | undefined;
  let isProbe = saved?.isLook === true;
  let isFirst = saved === undefined;
  return {
    step({ answer, received, fresh }) {
      if (isFirst && size !== undefined && size > standard && received.length === standard) full = standard;
      const before = isFirst ? move.before(full ?? 0) : passed;
      passed = before === undefined ? undefined : before + received.length;
      isFirst = false;
      const total = credibleTotal(totalRows(answer), passed, { isRepeat: fresh === 0 && received.length > 0 });
      const isFull = received.length > 0 && received.length >= (full ?? 0);
      const left = total === undefined ? undefined : total - (passed ?? 0);
      const isOver = isProbe && fresh === 0;
      const more = moreAfter({ isList: answer.rows !== undefined, left, isFull, isOver, isMany });
      isProbe = isMany && more === undefined && (left !== undefined || !isFull);
      // What is short and brings nothing new is as good as empty.
      const last = fresh === 0 && !isFull ? [] : received;
      const step = { more, next: undefined, isProbe, full, remaining: left };
      return withNextPage(move, { ...step, received: last, obstacle: incompleteList(total, passed) });
    },
    state: () => ({
      move: move.state?.() ?? {},
      ...(full !== undefined && { full }),
      ...(passed !== undefined && { passed }),
      ...(isProbe && { isLook: isProbe }),
    }),
  };
}

/** What a kind of paging makes of a page, whose step is known as far as it is the same for all. */
function withNextPage(
  move: PageMove,
  { received, obstacle, ...step }: PageStep & { readonly received: readonly Json[]; readonly obstacle: Obstacle },
): PageStep {
  const { more, full } = step;
  if (more === true && received.length === 0) return { ...step, more: undefined, obstacle };
  // Without a size parameter, an answer of one page alone is the whole.
  if (!move.next) return { ...step, more: more ?? (full === undefined ? false : undefined) };
  return more === false ? step : { ...step, ...move.next(received, full) };
}

/** A total that does not contradict the rows. */
function credibleTotal(
  total: number | undefined,
  passed: number | undefined,
  { isRepeat }: { readonly isRepeat: boolean },
): number | undefined {
  const isCredible = total !== undefined && passed !== undefined && (total > passed || (total === passed && !isRepeat));
  return isCredible ? total : undefined;
}

interface PageProgress {
  readonly isList: boolean;
  /** Rows that follow, by a total that is believed. */
  readonly left: number | undefined;
  /** Whether the page has as many rows as a page can have; where nobody knows, whether it has any. */
  readonly isFull: boolean;
  /** Whether the page was looked at, and brought nothing new. */
  readonly isOver: boolean;
  readonly isMany: boolean;
}

function moreAfter({ isList, left, isFull, isOver, isMany }: PageProgress): boolean | undefined {
  if (!isList) return false;
  if (left !== undefined && left > 0) return true;
  if (isOver) return false;
  const mayContinue = left === undefined ? isMany || isFull : isMany && isFull;
  return mayContinue ? undefined : false;
}

/** How many rows an answer says there are, where it does; what is no count of rows does not count. */
export function totalRows({ data, request }: Answer): number | undefined {
  const name = request.endpoint?.returns.total;
  const total = name === undefined || !isObject(data) ? undefined : data[name];
  const count = toNumber(total) ?? Number.NaN;
  return Number.isSafeInteger(count) && count >= 0 ? count : undefined;
}

function incompleteList(total: number | undefined, passed: number | undefined): Obstacle {
  return { code: "INCOMPLETE_LIST", message: `The API counts ${total} rows and gave ${passed}.` };
}

/** How a kind of paging moves. */
interface PageMove {
  /** Rows before the first page; undefined where nobody knows. */
  readonly before: (size: number) => number | undefined;
  /** The page after one with these rows; none where there is only one. */
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
        const withNextPage = page;
        return { next: { [name]: page }, later: (pages) => ({ [name]: withNextPage + pages }) };
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
        const withNextPage = offset;
        const later = (pages: number) => ({ [name]: withNextPage + pages * (full ?? 0) });
        // Who gives fewer rows than a page has may do so again.
        return { next: { [name]: offset }, ...(received.length === full ? { later } : {}) };
      },
      state: () => ({ offset }),
    };
  },
  cursor: (endpoint, params, saved) => {
    const [name, param] = findParamByRole(endpoint, "cursor") ?? ["cursor"];
    const field = endpoint.cursorField ?? "";
    const circles = createCycleDetector(saved);
    const start = params[name];
    if (!saved && typeof start === "string") circles.observe(hashText(start));
    let at = (saved?.cursor ?? start) as Json | undefined;
    return {
      before: () => (start === undefined ? 0 : undefined),
      next: (received) => {
        if (received.length === 0) return { next: at === undefined ? {} : { [name]: at } };
        const cursor = valueAt(received.at(-1) ?? null, field);
        const problem = cursorProblem(cursor, field, param);
        if (problem !== undefined) return cursorObstacle(problem);
        if (circles.observe(hashText(String(cursor))) !== "new")
          return cursorObstacle("a last row that was the last before");
        at = cursor;
        return { next: { [name]: cursor } };
      },
      state: () => ({ ...circles.state(), ...(typeof at === "string" && { cursor: at }) }),
    };
  },
};

function cursorProblem(cursor: Json | undefined, field: string, param: Param | undefined): string | undefined {
  if (cursor === undefined || cursor === null || cursor === "") return `a last row without ${field}`;
  const isGood = typeof cursor === "string" && (!param || validateParameter(field, param, cursor) === undefined);
  return isGood
    ? undefined
    : `${displayText(typeof cursor === "string" ? cursor : stringifyJson(cursor))} as the last row's ${field}`;
}

function cursorObstacle(what: string): Pick<PageStep, "next" | "obstacle"> {
  const message = `The list cannot be read on: the API gave ${what}.`;
  return { next: undefined, obstacle: { code: "STUCK", message } };
}
