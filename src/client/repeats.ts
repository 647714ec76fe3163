/**
 * Rows of a list that came before and are left out:
 *  - of events, whose identity two rows may share, a head of the page that repeats the tail of the page before: rows
 *    that newer ones pushed on. Where only equal rows of one transaction meet at the border, asking again tells whether
 *    any were pushed (`shift.ts`);
 *  - of things, which are in a list once, every row whose identity came before, as far as some pages back;
 *  - of either, a page that is the same as one of the last pages from its first row to its last.
 * Lists that page by cursor are left as they are.
 */
import { isObject, type Json, stringifyJson } from "../base/json.ts";
import type { Endpoint } from "../catalogue/endpoint.ts";
import type { Answer } from "./decode.ts";
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
}

/** Rows remembered to find those that come again. */
const REMEMBERED_ROWS = 2000;
/** Pages remembered to find servers that go round in circles. */
const REMEMBERED_PAGES = 64;

type Left = Pick<Fresh, "answer" | "rows">;
type Filter = (answer: Answer, again: Again) => Left | Promise<Left>;

/** The rows of an answer; one that is no list counts as a row. */
const rowsOf = ({ rows, data }: Answer): readonly Json[] => rows ?? [data];

/** A filter that is given the pages of a reading in turn, and the means to ask for the last two of them again. */
export function repeatFilter(endpoint: Endpoint): (answer: Answer, again: Again) => Promise<Fresh> {
  const keysOf = (answer: Answer) => rowsOf(answer).map((row) => keyOf(row, endpoint.identity));
  const filter = filterOf(endpoint, keysOf);
  const wasSeen = endpoint.paging === "cursor" ? () => false : pageMemory();
  return async (first, again) => {
    const { answer, rows } = await filter(first, again);
    const received = rowsOf(answer);
    const isKnown = wasSeen(keysOf(answer));
    const isRepeated = endpoint.paging !== "cursor" && (isKnown || rows.length === 0);
    return { answer, received, rows: isKnown ? [] : rows, isRepeated };
  };
}

function filterOf({ identity, paging, query }: Endpoint, keysOf: (answer: Answer) => readonly string[]): Filter {
  if (!identity || paging === "cursor") return (answer) => ({ answer, rows: rowsOf(answer) });
  const isOfEvents = Object.values(query).some(({ role }) => role === "to");
  return isOfEvents ? overlapFilter(identity, keysOf) : identityFilter(keysOf);
}

/** What tells a row from others: its identity, or all of it where the server does not give that. */
function keyOf(row: Json, identity: readonly string[] = []): string {
  const values = identity.map((path) => valueAt(row, path) ?? null);
  return stringifyJson(values.every((value) => value === null) ? row : values);
}

/** Whether a page is one of the last ones again. */
function pageMemory(): (keys: readonly string[]) => boolean {
  const seen = new Set<string>();
  return (keys) => {
    const page = keys.join("\n");
    const isKnown = seen.delete(page);
    seen.add(page);
    forgetOldest(seen, REMEMBERED_PAGES);
    return isKnown;
  };
}

function overlapFilter(identity: readonly string[], keysOf: (answer: Answer) => readonly string[]): Filter {
  const [transaction = ""] = identity;
  // An identity of one field is an id: two rows that share it are the same.
  const isDoubtful = (rows: readonly Json[]) =>
    identity.length > 1 && new Set(rows.map((row) => stringifyJson(valueAt(row, transaction) ?? null))).size === 1;
  let before: readonly string[] = [];
  // A list that never rests is not asked for again and again.
  let mayRest = true;
  return async (first, again) => {
    let [answer, moved] = [first, overlapOf(before, keysOf(first))];
    if (mayRest && isDoubtful(rowsOf(first).slice(0, moved)))
      ({ answer, moved, rests: mayRest } = await movedRows({ before, page: first, keysOf, again }));
    before = keysOf(answer);
    return { answer, rows: rowsOf(answer).slice(moved) };
  };
}

function identityFilter(keysOf: (answer: Answer) => readonly string[]): Filter {
  const seen = new Set<string>();
  return (answer) => {
    const keys = keysOf(answer);
    const rows = rowsOf(answer).filter((_, at) => !seen.has(keys[at] ?? ""));
    for (const key of keys) seen.add(key);
    forgetOldest(seen, REMEMBERED_ROWS);
    return { answer, rows };
  };
}

function forgetOldest(seen: Set<string>, size: number): void {
  for (const key of seen) {
    if (seen.size <= size) break;
    seen.delete(key);
  }
}

/** The value at a dotted path. */
export function valueAt(row: Json, path: string): Json | undefined {
  let value: Json | undefined = row;
  for (const name of path.split(".")) {
    value = value !== undefined && isObject(value) ? value[name] : undefined;
  }
  return value;
}
