/**
 * Lists, page after page: one loop for endpoints that page by number, offset or cursor, or not at all.
 *
 * What is asked for: without `limit` or `all`, the one page that the parameters name. With `limit` that many rows: the
 * smallest legal page size that holds them, else the greatest, trimmed at the end. With `all`, pages of the greatest
 * size until the end. A page, offset, cursor or size of the caller's own is where it begins and how it goes on.
 *
 * Where a list ends is decided in `steps.ts`. No end, but an IncompleteError after the rows that came:
 *  - an empty page before the total is reached;
 *  - a cursor that was there before, one that the endpoint itself refuses, or a last row without one;
 *  - three pages in a row that repeat what came before.
 * A first page that is no list is handed on as it is; a later one is a ServerError.
 *
 * While a list is read, rows may arrive and push others to the next page. Lists of events are held still by `to_time`
 * where the endpoint has one and the caller gave none. Rows that came before are left out as `repeats.ts` says.
 */
import { IncompleteError, ServerError, UsageError } from "../base/errors.ts";
import type { Json } from "../base/json.ts";
import type { Endpoint } from "../catalogue/endpoint.ts";
import { messages, VALIDATION_CODE } from "../catalogue/errors.ts";
import type { Answer } from "./decode.ts";
import { repeatFilter } from "./repeats.ts";
import { type Obstacle, stepper, wholeNumber, withRole } from "./steps.ts";

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
  const stepOf = stepper(endpoint, source.params, size);
  const withoutRepeats = repeatFilter(endpoint);
  let left = wanted ?? Number.POSITIVE_INFINITY;
  let repeated = 0;
  let position: Parameters | undefined;
  let last: Parameters | undefined;
  const read = async (at: Parameters | undefined) => {
    const answer = await fetch({ ...fixed, ...at });
    if (at !== undefined) checkList(answer);
    return answer;
  };
  for (;;) {
    const [here, before] = [position, last];
    const again = { before: () => read(before), page: () => read(here) };
    const { answer, received, rows: fresh, isRepeated } = await withoutRepeats(await read(here), again);
    const rows = fresh.slice(0, left);
    left -= rows.length;
    const { more, next, obstacle } = stepOf({ answer, received, fresh: fresh.length });
    const cut = rows.length < fresh.length;
    yield { rows, answer, more: cut || more, cut, dropped: received.length - fresh.length, next };
    if (wanted === undefined || left <= 0) return;
    if (obstacle !== undefined) throw stuck(endpoint, obstacle);
    if (more === false || next === undefined) return;
    repeated = isRepeated ? repeated + 1 : 0;
    if (repeated >= MAX_REPEATED) throw stuck(endpoint, REPETITION);
    [last, position] = [position, next];
  }
}

const REPETITION: Obstacle = {
  code: "STUCK",
  message: "The list cannot be read on: the API gave the same rows again and again.",
};

/** @throws ServerError when the answer to a later page is no list */
function checkList({ rows, data, status }: Answer): void {
  if (rows !== undefined && data !== null) return;
  throw new ServerError("The API answered a later page of the list with something that is no list.", {
    code: "MALFORMED",
    status,
    hint: "Read the rest in parts, or try again later.",
  });
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

/** Rows per page: the caller's, else the legal size for the rows wanted, else the API's default. */
function sizeOf({ endpoint, params }: PageSource, wanted: number | undefined): number | undefined {
  const [name, param] = withRole(endpoint, "size") ?? [];
  if (!param) return undefined;
  const own = wholeNumber(params, name);
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

function stuck({ command }: Endpoint, { code, message }: Obstacle): IncompleteError {
  return new IncompleteError(message, {
    code,
    hint: `Read the rest in parts, or give --limit: solx ${command} --help`,
  });
}
