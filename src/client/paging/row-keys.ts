/**
 * Keys that identify rows, short enough to remember: 53-bit numbers computed from the fields of a row's identity.
 * Computing one costs about as much as parsing the row, so keys are computed on demand.
 */
import { fieldAt, isMissing, type Json, type JsonObject, stringifyJson, toNumber } from "../../base/index.ts";
import type { Answer } from "../answer/answer.ts";

/** The key of a row or page. */
export type RowKey = number;

/** The keys of rows in order. */
export interface RowKeys {
  readonly length: number;
  at(index: number): RowKey;
  /** Returns the first field of the identity, if the row is available and the field is text. */
  leadingField(index: number): string | undefined;
}

/** Computes the keys of rows. */
export type RowKeyer = (rows: readonly Json[]) => RowKeys;

/** Creates a keyer for the fields of an identity. A row without any of them is identified by all of its content. */
export function createRowKeyer(identity: readonly string[] = []): RowKeyer {
  const paths = identity.map((path) => path.split("."));
  const first = paths[0] ?? [];
  const leading = (row: Json | undefined) => {
    const value = fieldAt(row, first);
    return typeof value === "string" ? value : undefined;
  };
  const identityOf = (row: Json | undefined) => {
    const values = paths.map((path) => fieldAt(row, path));
    return values.every(isMissing) ? [row] : values;
  };
  const keyOf = (rows: readonly Json[], index: number) => {
    return hashText(identityOf(rows[index]).map(identityText).join("\u0000"));
  };
  return (rows) => {
    const keys: RowKey[] = [];
    return {
      length: rows.length,
      at: (index) => {
        keys[index] ??= keyOf(rows, index);
        return keys[index] as RowKey;
      },
      leadingField: (index) => leading(rows[index]),
    };
  };
}

/** Returns keys that were computed before. */
export function storedKeys(keys: readonly RowKey[]): RowKeys {
  return { length: keys.length, at: (index) => keys[index] as RowKey, leadingField: () => undefined };
}

/**
 * Returns the positions of rows that a page has twice.
 * @param areNeighboursData whether equal rows behind each other are data, as those of one transaction
 */
export function findRepetitions(keys: RowKeys, areNeighboursData: boolean): ReadonlySet<number> {
  const repetitions = new Set<number>();
  // Keys need not be computed where every transaction is in one place.
  if (areNeighboursData && isEachInOnePlace(keys)) return repetitions;
  const runs = new Map<RowKey, number>();
  let run = 0;
  for (let at = 0; at < keys.length; at += 1) {
    if (!areNeighboursData || (at > 0 && leadAt(keys, at) !== leadAt(keys, at - 1))) run += 1;
    const key = keys.at(at);
    const first = runs.get(key);
    if (first === undefined) runs.set(key, run);
    else if (first !== run) repetitions.add(at);
  }
  return repetitions;
}

const leadAt = (keys: RowKeys, at: number): string | RowKey => keys.leadingField(at) ?? keys.at(at);

/**
 * Whether rows with the same first field are all behind each other; false where that is not certain. Called for every
 * page: four characters, which are random in a signature, are compared in place of eighty.
 */
function isEachInOnePlace(keys: RowKeys): boolean {
  const marks = new Set<number>();
  let previous: string | RowKey | undefined;
  for (let at = 0; at < keys.length; at += 1) {
    const lead = leadAt(keys, at);
    if (lead === previous) continue;
    previous = lead;
    const count = marks.size;
    if (marks.add(typeof lead === "number" ? lead : markOf(lead)).size === count) return false;
  }
  return true;
}

const markOf = (text: string): number =>
  text.charCodeAt(6) + 128 * (text.charCodeAt(7) + 128 * (text.charCodeAt(8) + 128 * text.charCodeAt(9)));

/** Characters of a page from which on its rows are not held in memory for their keys. */
const LARGE_PAGE = 1_048_576;

/** Returns keys without holding rows that take much memory. */
export function releaseRows(keys: RowKeys, { body }: Answer): RowKeys {
  return body.length < LARGE_PAGE ? keys : storedKeys(allKeys(keys));
}

/** Returns all keys from an index on. */
export function allKeys(keys: RowKeys, start = 0): RowKey[] {
  return Array.from({ length: keys.length - start }, (_, at) => keys.at(start + at));
}

/** Whether a number of keys from one index equals those from another. */
export function isSameRun(
  [one, start]: readonly [RowKeys, number],
  [other, begin]: readonly [RowKeys, number],
  count: number,
): boolean {
  for (let at = 0; at < count; at += 1) if (!isSameKey(one, start + at, other, begin + at)) return false;
  return true;
}

function isSameKey(one: RowKeys, at: number, other: RowKeys, index: number): boolean {
  const [a, b] = [one.leadingField(at), other.leadingField(index)];
  // Most rows differ in the first field already.
  if (a !== undefined && b !== undefined && a !== b) return false;
  return one.at(at) === other.at(index);
}

/** Returns the key of a text (cyrb53); two texts collide about once in 10^16 pairs. */
export function hashText(text: string): RowKey {
  let [high, low] = SEED;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    low = Math.imul(low ^ code, 2654435761);
    high = Math.imul(high ^ code, 1597334677);
  }
  return finished(high, low);
}

/** Combines several keys in order. */
export function combineKeys(keys: readonly RowKey[]): RowKey {
  let [high, low] = SEED;
  for (const key of keys) {
    low = Math.imul(low ^ (key % 4294967296), 2654435761);
    high = Math.imul(high ^ (key / 4294967296), 1597334677) ^ low;
  }
  return finished(high, low);
}

const SEED: readonly [high: number, low: number] = [0x41c6ce57, 0xdeadbeef];

function finished(high: number, low: number): RowKey {
  const one = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  const other = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(one ^ (one >>> 13), 3266489909);
  return 4294967296 * (2097151 & other) + (one >>> 0);
}

function identityText(value: Json | undefined): string {
  if (typeof value === "string") return value;
  // An exact number may have a fraction of zeros.
  const number = toNumber(value);
  if (Number.isSafeInteger(number)) return String(number);
  return value === undefined ? "null" : stringifyJson(value);
}

/** Recent keys that are remembered. */
const REMEMBERED = 64;

/**
 * Finds repetitions in bounded memory, from the start or from a state: those of recent keys at once, and cycles of any
 * length eventually (Brent's algorithm: one key is remembered for comparison, and replaced after 1, 2, 4, 8 … others).
 */
export function createCycleDetector(saved: JsonObject = {}) {
  let recent = (saved.recent ?? []) as readonly RowKey[];
  let anchor = saved.anchor as RowKey | undefined;
  let [steps, span] = [Number(saved.steps ?? 0), Number(saved.span ?? 1)];
  return {
    observe(key: RowKey): "new" | "recent" | "earlier" {
      const isRecent = recent.includes(key);
      const sighting = isRecent ? "recent" : key === anchor ? "earlier" : "new";
      const others = isRecent ? recent.filter((other) => other !== key) : recent.slice(1 - REMEMBERED);
      others.push(key);
      recent = others;
      steps += 1;
      if (steps >= span) [anchor, steps, span] = [key, 0, span * 2];
      return sighting;
    },
    state: (): JsonObject => ({ recent, steps, span, ...(anchor !== undefined && { anchor }) }),
  };
}
