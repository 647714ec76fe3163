/** What has changed in an object, or in the rows of a list that has no new rows at its head. */
import {
  decimalText,
  isObject,
  type Json,
  type JsonObject,
  percentChange,
  stringifyJson,
  subtractDecimals,
  toDecimal,
  toNumeric,
} from "../../base/index.ts";

/** Rows by their keys, each with its fields by their paths; rows whose keys repeat are numbered. */
export type Snapshot = ReadonlyMap<string, Readonly<Record<string, Json>>>;

/** Takes a snapshot of rows. @param keyOf returns what identifies a row in the output */
export function takeSnapshot(rows: readonly Json[], keyOf: (row: Json, at: number) => string): Snapshot {
  const snapshot = new Map<string, Readonly<Record<string, Json>>>();
  for (const [at, row] of rows.entries()) {
    const key = keyOf(row, at);
    let unique = key;
    for (let count = 2; snapshot.has(unique); count += 1) unique = `${key} (${count})`;
    snapshot.set(unique, Object.fromEntries(leavesOf(row)));
  }
  return snapshot;
}

/** Yields the values of an object by their paths; a list is one value. */
function* leavesOf(value: Json, path = ""): Generator<readonly [path: string, value: Json]> {
  if (!isObject(value)) return void (yield [path || "value", value]);
  for (const [name, inner] of Object.entries(value)) yield* leavesOf(inner, path === "" ? name : `${path}.${name}`);
}

/**
 * Returns the changes from one snapshot to another as rows: `key`, `change`, `field`, `old`, `new`, and of numbers the
 * exact `difference` and `change_pct`. A row that came or went is one change, without a field.
 */
export function compareSnapshots(before: Snapshot, after: Snapshot): readonly JsonObject[] {
  const changes: JsonObject[] = [];
  for (const [key, row] of after) {
    const earlier = before.get(key);
    if (earlier === undefined) changes.push(changeRow(key, "added"));
    else
      for (const path of new Set([...Object.keys(row), ...Object.keys(earlier)])) {
        const [old = null, current = null] = [earlier[path], row[path]];
        if (!isEqual(old, current)) changes.push(changeRow(key, "changed", path, old, current));
      }
  }
  for (const key of before.keys()) if (!after.has(key)) changes.push(changeRow(key, "removed"));
  return changes;
}

const isEqual = (a: Json, b: Json): boolean => a === b || stringifyJson(a) === stringifyJson(b);

function changeRow(key: string, change: string, field: string | null = null, old: Json = null, current: Json = null) {
  const [from, to] = [toDecimal(old), toDecimal(current)];
  const numbers = from && to;
  const percent = numbers && percentChange(from, to);
  return {
    ...{ key, change, field, old, new: current },
    difference: numbers ? toNumeric(decimalText(subtractDecimals(to, from))) : null,
    change_pct: percent ? toNumeric(decimalText(percent)) : null,
  };
}
