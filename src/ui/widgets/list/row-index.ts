/**
 * What is known of all rows of a list: their keys, and which identifiers in them look alike. Rows that are appended to a
 * list are added to its index, so that each page of a long list costs as much as its own rows.
 */

import { isArray, type Json, stringifyJson } from "../../../base/index.ts";
import { NUMERIC_KINDS } from "../../../catalogue/index.ts";
import { createShortener, type Shorten, valueAt } from "../../../output/index.ts";
import type { ListColumn } from "./columns.ts";

/** The index of the rows of a list. */
export interface RowIndex {
  /** Keys that identify the rows, also in other answers. */
  readonly keys: readonly string[];
  readonly shorten: Shorten;
  /** Identifiers with the same ends as another one. */
  readonly lookalikes: ReadonlySet<string>;
}

/** An index that grows with its list. */
interface GrowingIndex {
  readonly keys: string[];
  readonly keyCounts: Map<string, number>;
  readonly shorten: Shorten;
  readonly lookalikes: Set<string>;
  /** The first identifier with the same ends. */
  readonly idsByEnds: Map<string, string>;
  /** The last row, by which a longer list is recognised. */
  last: Json | undefined;
}

/** The latest index by its columns. */
const LATEST = new WeakMap<readonly ListColumn[], GrowingIndex>();

/** Returns the index of rows. Rows of the previous list with the same columns are not read again where it begins alike. */
export function indexRows(
  rows: readonly Json[],
  columns: readonly ListColumn[],
  identity: readonly string[] | undefined,
): RowIndex {
  const latest = LATEST.get(columns);
  const count = latest?.keys.length ?? 0;
  const index = latest && count > 0 && latest.last === rows[count - 1] ? latest : createIndex();
  LATEST.set(columns, index);
  const idColumns = columns.filter(({ sources }) => !ID_FREE_KINDS.has(sources[0]?.meta?.kind ?? "json"));
  for (const row of rows.slice(index.keys.length)) {
    index.keys.push(uniqueKey(row, identity, index));
    for (const column of idColumns) for (const id of readIds(row, column)) addIdentifier(id, index);
    index.last = row;
  }
  // A list that grows later must not change this one.
  return { keys: [...index.keys], shorten: index.shorten, lookalikes: new Set(index.lookalikes) };
}

function createIndex(): GrowingIndex {
  return {
    keys: [],
    keyCounts: new Map(),
    shorten: createShortener(),
    lookalikes: new Set(),
    idsByEnds: new Map(),
    last: undefined,
  };
}

/** Returns the key of a row: the identity fields of the endpoint, otherwise the whole row; duplicates are numbered. */
function uniqueKey(row: Json, identity: readonly string[] | undefined, { keyCounts }: GrowingIndex): string {
  const parts = identity?.map((path) => valueAt(row, path.split(".")) ?? null);
  const key = stringifyJson(parts?.some((part) => part !== null) ? parts : row);
  const count = (keyCounts.get(key) ?? 0) + 1;
  keyCounts.set(key, count);
  return count === 1 ? key : `${key}#${count}`;
}

/** Kinds whose values are never identifiers. */
const ID_FREE_KINDS: ReadonlySet<string> = new Set([...NUMERIC_KINDS, "unixTime", "isoTime", "enum", "status"]);
const IDENTIFIER = /^[0-9A-Za-z]{32,128}$/;

/** Returns the identifiers of a row in a column. */
export function readIds(row: Json, { sources }: ListColumn): readonly string[] {
  const path = sources.find((source) => valueAt(row, source.path) !== undefined)?.path;
  const value = path && valueAt(row, path);
  return (isArray(value) ? value : [value]).filter(
    (item) => typeof item === "string" && IDENTIFIER.test(item),
  ) as string[];
}

/** Number of characters at each end that people compare. */
const END_LENGTH = 4;

/** Adds an identifier. The shortener knows all that look alike before it is used, so that they get longer forms. */
function addIdentifier(id: string, { idsByEnds, lookalikes, shorten }: GrowingIndex): void {
  const ends = id.slice(0, END_LENGTH) + id.slice(-END_LENGTH);
  const first = idsByEnds.get(ends);
  if (first === undefined) idsByEnds.set(ends, id);
  if (first === undefined || first === id) return;
  for (const twin of [first, id]) {
    lookalikes.add(twin);
    shorten(twin);
  }
}
