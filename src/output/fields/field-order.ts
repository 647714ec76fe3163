/** The fields of rows, and the order in which people read them. Loads no formats of values: CSV is written without them. */
import { isObject, type Json } from "../../base/index.ts";
import type { Shape } from "./shape.ts";

/** Returns the names of the fields of rows: those of the entity, then those that only the rows have. */
export function fieldNames(shape: Shape, rows: readonly Json[]): string[] {
  return [...new Set([...shape.fields, ...rows.flatMap((row) => (isObject(row) ? Object.keys(row) : []))])];
}

/** Kinds that take much width and say little: links, and nested values. */
const LATE_KINDS: ReadonlySet<string | undefined> = new Set(["url", "json"]);

/**
 * Returns the fields in the order of their importance: a narrow table drops the last ones. First come those that the
 * catalogue names; decimals (amounts are scaled by them), links and nested values are last. The exact text of a number
 * that is there too (`amount_str`) is left out.
 */
export function orderFields(names: readonly string[], shape: Shape): string[] {
  const distinct = names.filter((name) => !(name.endsWith("_str") && names.includes(name.slice(0, -"_str".length))));
  const isLate = (name: string) => /(^|_)decimals$/.test(name) || LATE_KINDS.has(shape.field(name).meta?.kind);
  const first = Object.keys(shape.meta?.first ?? {}).filter((name) => distinct.includes(name));
  return [...new Set([...first, ...distinct.filter((name) => !isLate(name)), ...distinct.filter(isLate)])];
}
