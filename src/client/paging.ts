/**
 * Lists, page after page: one loop for endpoints that page by number, offset or cursor, or not at all.
 *
 * What is asked for: without `limit` or `all`, the one page that the parameters name. With `limit` that many rows: the
 * smallest legal page size that holds them, else the greatest, trimmed at the end. With `all`, pages of the greatest
 * size until the end. A page, offset, cursor or size of the caller's own is where it begins and how it goes on.
 *
 * Where a list ends, in this order:
 *  - an empty page ends it;
 *  - where the answer has a total, it ends when that many rows have gone by, also on a page that is not full; a page
 *    that is not full before that does not end it;
 *  - without a total, a page that is not full ends it;
 *  - a cursor that was there before, or a last row without one, is no end: an IncompleteError;
 *  - so are three pages in a row that repeat what came before.
 *
 * While a list is read, rows may arrive and push others to the next page. Lists of events are held still by `to_time`
 * where the endpoint has one and the caller gave none; rows at the head of a page that repeat the tail of the page
 * before are dropped. In other lists a row is dropped when its identity came before, as far as some pages back.
 */
import { IncompleteError, UsageError } from "../base/errors.ts";
import { isNumeric, isObject, type Json, numericText, stringifyJson } from "../base/json.ts";
import type { Endpoint } from "../catalogue/endpoint.ts";
import { messages, VALIDATION_CODE } from "../catalogue/errors.ts";
import type { Param } from "../catalogue/param.ts";
import type { Answer } from "./decode.ts";

/** How much of a list is wanted. */
export interface PagingOptions {
  /** Rows, over as many pages as it takes. */
  readonly limit?: number | undefined;
  /** Every row. */
  readonly all?: boolean | undefined;
}

/** A page of a list. */
export interface Page<Row = Json> {
  readonly rows: readonly Row[];
  readonly answer: Answer;
  /** Whether rows follow that were not read: true and false are certain, undefined means that only asking would tell. */
  readonly more: boolean | undefined;
  /** Whether rows of this page were left out because of `limit`. */
  readonly cut: boolean;
  /** Rows left out because they had come before. */
  readonly dropped: number;
  /** The parameters of the page after this one, where there may be one. */
  readonly next: Parameters | undefined;
}

type Parameters = Readonly<Record<string, unknown>>;

/** A list that can be asked for. */
export interface PageSource {
  readonly endpoint: Endpoint;
  readonly params: Parameters;
  readonly fetch: (params: Parameters) => Promise<Answer>;
  /** Milliseconds since the epoch when reading begins. */
  readonly now: number;
}

/** Pages in a row that bring nothing new before reading is given up. */
const MAX_REPEATED = 3;

/**
 * Reads a list.
 * @throws what fetching throws; UsageError for a limit below 1; IncompleteError when reading cannot go on
 */
export async function* pages(source: PageSource, options: PagingOptions = {}): AsyncGenerator<Page, void> {
  const { endpoint, fetch } = source;
  const { size, fixed, wanted } = planOf(source, options);
  const stepOf = STEPS[endpoint.paging](source, size);
  const withoutRepeats = repeatFilter(endpoint);
  let left = wanted ?? Number.POSITIVE_INFINITY;
  let repeated = 0;
  let position: Parameters = {};
  for (;;) {
    const answer = await fetch({ ...fixed, ...position });
    const received = answer.rows ?? [answer.data];
    const fresh = withoutRepeats(received);
    const rows = fresh.slice(0, left);
    left -= rows.length;
    const { more, next, obstacle } = stepOf(answer, received);
    const cut = rows.length < fresh.length;
    yield { rows, answer, more: cut || more, cut, dropped: received.length - fresh.length, next };
    if (wanted === undefined || left <= 0 || more === false) return;
    repeated = fresh.length === 0 ? repeated + 1 : 0;
    if (obstacle !== undefined) throw stuck(endpoint, obstacle);
    if (repeated >= MAX_REPEATED) throw stuck(endpoint, "the same rows again and again");
    if (next === undefined) return;
    position = next;
  }
}

/** Rows wanted (infinitely many for all, undefined for the page asked for), the page size, and what all requests share. */
function planOf(source: PageSource, { limit, all = false }: PagingOptions) {
  if (limit !== undefined && !(Number.isSafeInteger(limit) && limit >= 1)) {
    throw new UsageError(messages.atLeast("limit", 1), { code: VALIDATION_CODE });
  }
  const wanted = limit ?? (all ? Number.POSITIVE_INFINITY : undefined);
  const size = sizeOf(source, wanted);
  const isMany = wanted !== undefined && (size === undefined || wanted > size);
  const fixed = { ...source.params, ...sizeParams(source.endpoint, size), ...(isMany ? pin(source) : {}) };
  return { wanted, size, fixed };
}

/** The parameter that plays a part in paging, with its name. */
function withRole(endpoint: Endpoint, role: Param["role"]): readonly [name: string, param: Param] | undefined {
  return Object.entries(endpoint.query).find(([, param]) => param.role === role);
}

/** A whole number among the parameters, where one is given. */
function given(params: Parameters, name: string | undefined): number | undefined {
  const value = name === undefined ? undefined : params[name];
  const number = value === undefined || value === null || value === "" ? Number.NaN : Number(value);
  return Number.isSafeInteger(number) ? number : undefined;
}

/** Rows per page: the caller's, else the legal size for the rows wanted, else the API's default. */
function sizeOf({ endpoint, params }: PageSource, wanted: number | undefined): number | undefined {
  const [name, param] = withRole(endpoint, "size") ?? [];
  if (!param) return undefined;
  const own = given(params, name);
  if (own !== undefined) return own;
  if (wanted === undefined) return param.default === undefined ? undefined : Number(param.default);
  const sizes = param.values?.map(Number).toSorted((a, b) => a - b);
  if (sizes) return sizes.find((size) => size >= wanted) ?? sizes.at(-1);
  return Math.max(param.min ?? 1, Math.min(wanted, param.max ?? Number(param.default ?? 1)));
}

/** The size as a parameter, unless it is the API's default anyway. */
function sizeParams(endpoint: Endpoint, size: number | undefined): Parameters {
  const [name, param] = withRole(endpoint, "size") ?? [];
  return name === undefined || size === undefined || size === param?.default ? {} : { [name]: size };
}

/** Holds a list of events still: what happens after reading began is not in it. */
function pin({ endpoint, params, now }: PageSource): Parameters {
  const [name, param] = withRole(endpoint, "to") ?? [];
  if (name === undefined || param?.type !== "time" || endpoint.paging === "cursor") return {};
  const isGiven = Object.entries(params).some(
    ([key, value]) =>
      value !== undefined && (key === name || endpoint.query[key]?.arity === "range") && isTime(endpoint, key),
  );
  return isGiven || params.sort_order === "asc" ? {} : { [name]: Math.floor(now / 1000) };
}

function isTime(endpoint: Endpoint, name: string): boolean {
  return endpoint.query[name]?.type === "time";
}

interface Step {
  readonly more: boolean | undefined;
  readonly next: Parameters | undefined;
  /** Why reading cannot go on although it should. */
  readonly obstacle?: string;
}

const step = (more: Step["more"], next?: Parameters): Step => ({ more, next: more === false ? undefined : next });

type Steps = (answer: Answer, received: readonly Json[]) => Step;

const single =
  (size: number | undefined): Steps =>
  (answer, received) => {
    const total = totalOf(answer);
    if (total !== undefined) return step(received.length < total);
    return step(size !== undefined && received.length >= size ? undefined : false);
  };

/** How each kind of paging goes on: a function that is told each answer in turn. */
const STEPS: Readonly<Record<Endpoint["paging"], (source: PageSource, size: number | undefined) => Steps>> = {
  none: () => single(undefined),
  limit: (_source, size) => single(size),
  page: ({ endpoint, params }, size) => {
    const name = withRole(endpoint, "page")?.[0] ?? "page";
    let page = given(params, name) ?? 1;
    return (answer, received) => {
      const passed = (page - 1) * (size ?? 0) + received.length;
      page += 1;
      return step(moreAfter(answer, received, passed, size), { [name]: page });
    };
  },
  offset: ({ endpoint, params }, size) => {
    const name = withRole(endpoint, "offset")?.[0] ?? "offset";
    let offset = given(params, name) ?? 0;
    return (answer, received) => {
      offset += received.length;
      return step(moreAfter(answer, received, offset, size), { [name]: offset });
    };
  },
  cursor: ({ endpoint, params }, size) => {
    const name = withRole(endpoint, "cursor")?.[0] ?? "cursor";
    const seen = new Set<unknown>([params[name]]);
    return (answer, received) => {
      const more = moreAfter(answer, received, 0, size);
      if (more === false) return step(more);
      const cursor = valueAt(received.at(-1) ?? null, endpoint.cursorField ?? "");
      if (typeof cursor !== "string" || cursor === "")
        throw stuck(endpoint, `a last row without ${endpoint.cursorField}`);
      if (seen.has(cursor)) throw stuck(endpoint, "a last row that was the last before");
      seen.add(cursor);
      return { more, next: { [name]: cursor } };
    };
  },
};

/** Whether rows follow: see the rules at the head of this file. */
function moreAfter(
  answer: Answer,
  received: readonly Json[],
  passed: number,
  size: number | undefined,
): boolean | undefined {
  if (answer.rows === undefined || received.length === 0) return false;
  const total = totalOf(answer);
  if (total !== undefined) return passed < total;
  return size !== undefined && received.length < size ? false : undefined;
}

function totalOf({ data, request }: Answer): number | undefined {
  const name = request.endpoint?.returns.total;
  const total = name === undefined || !isObject(data) ? undefined : data[name];
  return total !== undefined && isNumeric(total) ? Number(numericText(total)) : undefined;
}

function stuck({ command }: Endpoint, what: string): IncompleteError {
  return new IncompleteError(`The list cannot be read on: the API gave ${what}.`, {
    code: "STUCK",
    hint: `Read the rest in parts, or give --limit: solx ${command} --help`,
  });
}

/** Rows remembered to find those that come again. */
const REMEMBERED = 2000;

/** Leaves out rows that came before; a list without identity is left as it is. */
function repeatFilter(endpoint: Endpoint): (rows: readonly Json[]) => readonly Json[] {
  const { identity, paging } = endpoint;
  if (!identity || paging === "cursor") return (rows) => rows;
  const keyOf = (row: Json) => stringifyJson(identity.map((path) => valueAt(row, path) ?? null));
  return withRole(endpoint, "to") ? overlapFilter(keyOf) : identityFilter(keyOf);
}

/**
 * For events, whose identity two rows may share: only a head that repeats the tail of the page before is dropped.
 */
function overlapFilter(keyOf: (row: Json) => string): (rows: readonly Json[]) => readonly Json[] {
  let before: readonly string[] = [];
  return (rows) => {
    const keys = rows.map(keyOf);
    let overlap = Math.min(before.length, keys.length);
    while (overlap > 0 && !before.slice(-overlap).every((key, at) => key === keys[at])) overlap -= 1;
    before = keys;
    return rows.slice(overlap);
  };
}

/** For things, which are in a list once. */
function identityFilter(keyOf: (row: Json) => string): (rows: readonly Json[]) => readonly Json[] {
  const seen = new Set<string>();
  return (rows) => {
    const keys = rows.map(keyOf);
    const fresh = rows.filter((_, at) => !seen.has(keys[at] ?? ""));
    for (const key of keys) seen.add(key);
    for (const key of seen) {
      if (seen.size <= REMEMBERED) break;
      seen.delete(key);
    }
    return fresh;
  };
}

/** The value at a dotted path. */
export function valueAt(row: Json, path: string): Json | undefined {
  let value: Json | undefined = row;
  for (const name of path.split(".")) {
    value = value !== undefined && isObject(value) ? value[name] : undefined;
  }
  return value;
}
