/**
 * How a list goes on after each page, and where it ends, in this order:
 *  - an answer that is no list ends it;
 *  - a total ends it when that many rows have been received, also on a page that is not full; a page that is not full
 *    before that does not end it, and an empty one then is an obstacle. A total below what was already received is not
 *    believed, nor is one that is reached by a page of repeats;
 *  - without a total that is believed, an empty page and a page that is not full end it.
 *
 * A full page is one of the size asked for. Some servers do not know the parameter: when a greater size than the API's
 * default was asked for and exactly the default number of rows comes on the first page, that number is the size.
 */
import { isNumeric, isObject, type Json, type JsonObject, numericText, stringifyJson } from "../base/json.ts";
import type { Endpoint } from "../catalogue/endpoint.ts";
import type { Param } from "../catalogue/param.ts";
import { problemOf } from "../catalogue/validate.ts";
import { createCircles } from "./circles.ts";
import type { Answer } from "./decode.ts";
import { hashed, valueAt } from "./keys.ts";
import { shown } from "./text.ts";

type Parameters = Readonly<Record<string, unknown>>;

/** Why reading cannot go on although it should. */
export interface Obstacle {
  readonly code: "STUCK" | "INCOMPLETE_LIST";
  readonly message: string;
}

/** What follows a page. */
export interface Step {
  /** Whether rows follow: true and false are certain. */
  readonly more: boolean | undefined;
  /** The parameters of the next page. */
  readonly next: Parameters | undefined;
  readonly obstacle?: Obstacle;
  /** The parameters of the page so many pages after the next one, if those between are full; none where only they tell. */
  readonly later?: (pages: number) => Parameters;
  /** Rows of a full page, where pages have a size. */
  readonly full: number | undefined;
  /** Rows that follow, by a total that is believed. */
  readonly left: number | undefined;
}

/** How a list goes on: told of each page in turn. */
export interface Stepper {
  step(page: Received): Step;
  /** Plain JSON from which another stepper goes on. */
  state(): JsonObject;
}

/** A page as it came. */
export interface Received {
  readonly answer: Answer;
  readonly received: readonly Json[];
  /** Rows that had not come before. */
  readonly fresh: number;
}

/** The parameter that plays a part in paging, with its name. */
export function withRole(endpoint: Endpoint, role: Param["role"]): readonly [name: string, param: Param] | undefined {
  return Object.entries(endpoint.query).find(([, param]) => param.role === role);
}

/** A whole number among the parameters, where one is given. */
export function wholeNumber(params: Parameters, name: string | undefined): number | undefined {
  const value = name === undefined ? undefined : params[name];
  const number = value === undefined || value === null || value === "" ? Number.NaN : Number(value);
  return Number.isSafeInteger(number) ? number : undefined;
}

/**
 * Makes a stepper, at the beginning or where another one was.
 * @param size rows asked for per page, where the endpoint has such a parameter
 */
export function stepper(endpoint: Endpoint, params: Parameters, size: number | undefined, saved?: JsonObject): Stepper {
  const move = MOVES[endpoint.paging](endpoint, params, saved?.move as JsonObject | undefined);
  const standard = Number(withRole(endpoint, "size")?.[1].default);
  let full = saved ? (saved.full as number | undefined) : size;
  let passed = saved?.passed as number | undefined;
  let isFirst = saved === undefined;
  return {
    step({ answer, received, fresh }) {
      if (isFirst && size !== undefined && size > standard && received.length === standard) full = standard;
      const before = isFirst ? move.before(full ?? 0) : passed;
      passed = before === undefined ? undefined : before + received.length;
      isFirst = false;
      const total = believed(totalOf(answer), passed, { isRepeat: fresh === 0 && received.length > 0 });
      const more = moreAfter(answer, received.length, { total, passed, full });
      const step = { more, next: undefined, full, left: total === undefined ? undefined : total - (passed ?? 0) };
      return following(move, { ...step, received, obstacle: gap(total, passed) });
    },
    state: () => ({
      move: move.state?.() ?? {},
      ...(full !== undefined && { full }),
      ...(passed !== undefined && { passed }),
    }),
  };
}

/** What a kind of paging makes of a page, whose step is known as far as it is the same for all. */
function following(
  move: Move,
  { received, obstacle, ...step }: Step & { readonly received: readonly Json[]; readonly obstacle: Obstacle },
): Step {
  const { more, full } = step;
  if (more === true && received.length === 0) return { ...step, more: undefined, obstacle };
  // Without a size parameter, an answer of one page alone is the whole.
  if (!move.next) return { ...step, more: more ?? (full === undefined ? false : undefined) };
  return more === false ? step : { ...step, ...move.next(received, full) };
}

/** A total that does not contradict the rows. */
function believed(
  total: number | undefined,
  passed: number | undefined,
  { isRepeat }: { readonly isRepeat: boolean },
): number | undefined {
  const isCredible = total !== undefined && passed !== undefined && (total > passed || (total === passed && !isRepeat));
  return isCredible ? total : undefined;
}

interface Progress {
  readonly total: number | undefined;
  /** Rows from the head of the list to the end of the page; unknown where the caller began at a cursor. */
  readonly passed: number | undefined;
  /** Rows of a full page. */
  readonly full: number | undefined;
}

function moreAfter({ rows }: Answer, count: number, { total, passed = 0, full }: Progress): boolean | undefined {
  if (rows === undefined) return false;
  if (total !== undefined) return passed < total;
  return count === 0 || (full !== undefined && count < full) ? false : undefined;
}

/** How many rows an answer says there are, where it does. */
export function totalOf({ data, request }: Answer): number | undefined {
  const name = request.endpoint?.returns.total;
  const total = name === undefined || !isObject(data) ? undefined : data[name];
  return total !== undefined && isNumeric(total) ? Number(numericText(total)) : undefined;
}

function gap(total: number | undefined, passed: number | undefined): Obstacle {
  return { code: "INCOMPLETE_LIST", message: `The API counts ${total} rows and gave ${passed}.` };
}

/** How a kind of paging moves. */
interface Move {
  /** Rows before the first page; undefined where nobody knows. */
  readonly before: (size: number) => number | undefined;
  /** The next page; none where there is only one. */
  readonly next?: (received: readonly Json[], full: number | undefined) => Pick<Step, "next" | "obstacle" | "later">;
  readonly state?: () => JsonObject;
}

const ONE_PAGE: Move = { before: () => 0 };

const MOVES: Readonly<
  Record<Endpoint["paging"], (endpoint: Endpoint, params: Parameters, saved?: JsonObject) => Move>
> = {
  none: () => ONE_PAGE,
  limit: () => ONE_PAGE,
  page: (endpoint, params, saved) => {
    const name = withRole(endpoint, "page")?.[0] ?? "page";
    let page = Number(saved?.page ?? wholeNumber(params, name) ?? 1);
    return {
      before: (size) => (page - 1) * size,
      next: () => {
        page += 1;
        const following = page;
        return { next: { [name]: page }, later: (pages) => ({ [name]: following + pages }) };
      },
      state: () => ({ page }),
    };
  },
  offset: (endpoint, params, saved) => {
    const name = withRole(endpoint, "offset")?.[0] ?? "offset";
    let offset = Number(saved?.offset ?? wholeNumber(params, name) ?? 0);
    return {
      before: () => offset,
      next: (received, full) => {
        offset += received.length;
        const following = offset;
        const later = (pages: number) => ({ [name]: following + pages * (full ?? 0) });
        return { next: { [name]: offset }, ...(full === undefined ? {} : { later }) };
      },
      state: () => ({ offset }),
    };
  },
  cursor: (endpoint, params, saved) => {
    const [name, param] = withRole(endpoint, "cursor") ?? ["cursor"];
    const field = endpoint.cursorField ?? "";
    const circles = createCircles(saved);
    const start = params[name];
    if (!saved && typeof start === "string") circles.see(hashed(start));
    return {
      before: () => (start === undefined ? 0 : undefined),
      next: (received) => {
        const cursor = valueAt(received.at(-1) ?? null, field);
        const problem = cursorProblem(cursor, field, param);
        if (problem !== undefined) return noCursor(problem);
        if (circles.see(hashed(String(cursor))) !== "new") return noCursor("a last row that was the last before");
        return { next: { [name]: cursor } };
      },
      state: () => circles.state(),
    };
  },
};

function cursorProblem(cursor: Json | undefined, field: string, param: Param | undefined): string | undefined {
  if (cursor === undefined || cursor === null || cursor === "") return `a last row without ${field}`;
  const isGood = typeof cursor === "string" && (!param || problemOf(field, param, cursor) === undefined);
  return isGood
    ? undefined
    : `${shown(typeof cursor === "string" ? cursor : stringifyJson(cursor))} as the last row's ${field}`;
}

function noCursor(what: string): Pick<Step, "next" | "obstacle"> {
  const message = `The list cannot be read on: the API gave ${what}.`;
  return { next: undefined, obstacle: { code: "STUCK", message } };
}
