/**
 * What tells rows apart, short enough to be remembered: a number of 53 bits made of the fields of a row's identity.
 * Making one costs about as much as reading the row's fields, so keys are made when they are asked for.
 */
import { type Json, type JsonObject, stringifyJson } from "../../base/index.ts";

/** A row, or a page, as a number. */
export type RowKey = number;

/** The keys of rows in their order. */
export interface RowKeys {
  readonly length: number;
  at(index: number): RowKey;
  /** What the first field of the identity says, where the row is at hand and it is a text. */
  leadingField(index: number): string | undefined;
}

/** How the rows of an endpoint become keys. */
export type RowKeyer = (rows: readonly Json[]) => RowKeys;

/** Keys by the fields of an identity; where a row has none of them, and without an identity, by all of it. */
export function createRowKeyer(identity: readonly string[] = []): RowKeyer {
  const paths = identity.map((path) => path.split("."));
  const first = paths[0] ?? [];
  const leading = (row: Json | undefined) => {
    const value = valueIn(row, first);
    return typeof value === "string" ? value : undefined;
  };
  const keyOf = (row: Json | undefined) => {
    const values = paths.map((path) => valueIn(row, path));
    const isNothing = values.every((value) => value === undefined || value === null);
    return hashText(isNothing ? stringifyJson(row ?? null) : values.map(textOf).join("\u0000"));
  };
  return (rows) => {
    const keys: RowKey[] = [];
    return {
      length: rows.length,
      at: (index) => {
        keys[index] ??= keyOf(rows[index]);
        return keys[index] as RowKey;
      },
      leadingField: (index) => leading(rows[index]),
    };
  };
}

/** Keys that were made before. */
export function storedKeys(keys: readonly RowKey[]): RowKeys {
  return { length: keys.length, at: (index) => keys[index] as RowKey, leadingField: () => undefined };
}

/** All keys from a place on. */
export function allKeys(keys: RowKeys, start = 0): RowKey[] {
  return Array.from({ length: keys.length - start }, (_, at) => keys.at(start + at));
}

/** Whether as many keys are the same from one place and from another. */
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

/** The key of a text (cyrb53): two texts have the same one about once in 10^16 pairs. */
export function hashText(text: string): RowKey {
  let [high, low] = SEED;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    low = Math.imul(low ^ code, 2654435761);
    high = Math.imul(high ^ code, 1597334677);
  }
  return finished(high, low);
}

/** The key of several keys in their order. */
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

function textOf(value: Json | undefined): string {
  if (typeof value === "string") return value;
  return value === undefined ? "null" : stringifyJson(value);
}

/** The value at a dotted path. */
export function valueAt(row: Json, path: string): Json | undefined {
  return valueIn(row, path.split("."));
}

function valueIn(row: Json | undefined, path: readonly string[]): Json | undefined {
  let value = row;
  for (const name of path) {
    // A number that is held as text is an object too; it has no field of an identity.
    value =
      typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject)[name] : undefined;
  }
  return value;
}
