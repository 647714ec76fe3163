/**
 * Rows of a list that came before and are left out:
 *  - of events, whose identity two rows may share, a head of the page that repeats the tail of the page before;
 *  - of things, which are in a list once, every row whose identity came before, as far as some pages back;
 *  - of either, a page that is the same as one of the last pages from its first row to its last.
 * Lists that page by cursor are left as they are.
 */
import { isObject, type Json, stringifyJson } from "../base/json.ts";
import type { Endpoint } from "../catalogue/endpoint.ts";

/** What is left of a page. */
export interface Fresh {
  readonly rows: readonly Json[];
  /** Whether the page brought nothing new. */
  readonly isRepeated: boolean;
}

/** Rows remembered to find those that come again. */
const REMEMBERED_ROWS = 2000;
/** Pages remembered to find servers that go round in circles. */
const REMEMBERED_PAGES = 64;

type Filter = (rows: readonly Json[], keys: readonly string[]) => readonly Json[];

/** A filter that is given the pages of a reading in turn. */
export function repeatFilter(endpoint: Endpoint): (rows: readonly Json[]) => Fresh {
  const { identity, paging, query } = endpoint;
  if (paging === "cursor") return (rows) => ({ rows, isRepeated: false });
  const keyOf = (row: Json) => stringifyJson(identity ? identity.map((path) => valueAt(row, path) ?? null) : row);
  const isOfEvents = Object.values(query).some(({ role }) => role === "to");
  const filter: Filter = !identity ? (rows) => rows : isOfEvents ? overlapFilter() : identityFilter();
  const wasSeen = pageMemory();
  return (rows) => {
    const keys = rows.map(keyOf);
    const fresh = filter(rows, keys);
    const isRepeated = wasSeen(keys);
    return isRepeated ? { rows: [], isRepeated } : { rows: fresh, isRepeated: fresh.length === 0 };
  };
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

function overlapFilter(): Filter {
  let before: readonly string[] = [];
  return (rows, keys) => {
    let overlap = Math.min(before.length, keys.length);
    while (overlap > 0 && !before.slice(-overlap).every((key, at) => key === keys[at])) overlap -= 1;
    before = keys;
    return rows.slice(overlap);
  };
}

function identityFilter(): Filter {
  const seen = new Set<string>();
  return (rows, keys) => {
    const fresh = rows.filter((_, at) => !seen.has(keys[at] ?? ""));
    for (const key of keys) seen.add(key);
    forgetOldest(seen, REMEMBERED_ROWS);
    return fresh;
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
