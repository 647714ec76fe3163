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
import { isNumeric, isObject, type Json, numericText, stringifyJson } from "../base/json.ts";
import type { Endpoint } from "../catalogue/endpoint.ts";
import type { Param } from "../catalogue/param.ts";
import { problemOf } from "../catalogue/validate.ts";
import type { Answer } from "./decode.ts";
import { valueAt } from "./repeats.ts";
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
 * A function that is told each page of a reading in turn.
 * @param size rows asked for per page, where the endpoint has such a parameter
 */
export function stepper(endpoint: Endpoint, params: Parameters, size: number | undefined): (page: Received) => Step {
  const move = MOVES[endpoint.paging](endpoint, params);
  const standard = Number(withRole(endpoint, "size")?.[1].default);
  let full = size;
  let passed: number | undefined;
  let isFirst = true;
  return ({ answer, received, fresh }) => {
    if (isFirst && size !== undefined && size > standard && received.length === standard) full = standard;
    passed = isFirst ? move.before(full ?? 0) : passed;
    passed = passed === undefined ? undefined : passed + received.length;
    isFirst = false;
    const total = believed(totalOf(answer), passed, { isRepeat: fresh === 0 && received.length > 0 });
    const more = moreAfter(answer, received.length, { total, passed, full });
    if (more === true && received.length === 0)
      return { more: undefined, next: undefined, obstacle: gap(total, passed) };
    // Without a size parameter, an answer of one page alone is the whole.
    if (!move.next) return { more: more ?? (full === undefined ? false : undefined), next: undefined };
    return more === false ? { more, next: undefined } : { more, ...move.next(received) };
  };
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

function totalOf({ data, request }: Answer): number | undefined {
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
  readonly next?: (received: readonly Json[]) => Pick<Step, "next" | "obstacle">;
}

const ONE_PAGE: Move = { before: () => 0 };

const MOVES: Readonly<Record<Endpoint["paging"], (endpoint: Endpoint, params: Parameters) => Move>> = {
  none: () => ONE_PAGE,
  limit: () => ONE_PAGE,
  page: (endpoint, params) => {
    const name = withRole(endpoint, "page")?.[0] ?? "page";
    let page = wholeNumber(params, name) ?? 1;
    return {
      before: (size) => (page - 1) * size,
      next: () => {
        page += 1;
        return { next: { [name]: page } };
      },
    };
  },
  offset: (endpoint, params) => {
    const name = withRole(endpoint, "offset")?.[0] ?? "offset";
    let offset = wholeNumber(params, name) ?? 0;
    return {
      before: () => offset,
      next: (received) => {
        offset += received.length;
        return { next: { [name]: offset } };
      },
    };
  },
  cursor: (endpoint, params) => {
    const [name, param] = withRole(endpoint, "cursor") ?? ["cursor"];
    const field = endpoint.cursorField ?? "";
    const seen = new Set<unknown>([params[name]]);
    return {
      before: () => (params[name] === undefined ? 0 : undefined),
      next: (received) => {
        const cursor = valueAt(received.at(-1) ?? null, field);
        const problem = cursorProblem(cursor, field, param);
        if (problem !== undefined) return noCursor(problem);
        if (seen.has(cursor)) return noCursor("a last row that was the last before");
        seen.add(cursor);
        return { next: { [name]: cursor } };
      },
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
