/**
 * Reads JSON whose shape is not certain: a value of an unexpected type counts as missing. Where the shape is certain,
 * read the value; where an error has to name the member, use `Member` of `chain/solana`.
 */
import { isArray, isNumeric, isObject, type Json, type JsonObject, numericText, parseJson } from "./json.ts";

/** Returns a field of an object; undefined when it is missing or null. */
export function fieldOf(value: Json | undefined, name: string): Json | undefined {
  return isObject(value) && Object.hasOwn(value, name) ? (value[name] ?? undefined) : undefined;
}

/** Returns a text; undefined when it is empty. */
export function textOf(value: Json | undefined): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Returns a text, or a number with all its digits; undefined for anything else. */
export function scalarText(value: Json | undefined): string | undefined {
  if (isNumeric(value)) return numericText(value);
  return typeof value === "string" ? value : undefined;
}

/** Returns a non-negative safe integer. */
export function countOf(value: Json | undefined): number | undefined {
  const number = isNumeric(value) ? Number(numericText(value)) : Number.NaN;
  return Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}

/** Returns the items of an array; none for anything else. */
export function listOf(value: Json | undefined): readonly Json[] {
  return isArray(value) ? value : [];
}

/** Returns the objects of an array; none for anything else. */
export function objectsOf(value: Json | undefined): readonly JsonObject[] {
  return listOf(value).filter(isObject);
}

/** Returns an object without its undefined fields. */
export function omitUndefined<T>(fields: Readonly<Record<string, T | undefined>>): Record<string, T> {
  return Object.fromEntries(Object.entries(fields).filter((entry): entry is [string, T] => entry[1] !== undefined));
}

/** Returns an object without its undefined fields and those that are null. */
export function omitMissing<T>(fields: Readonly<Record<string, T>>): Record<string, NonNullable<T>> {
  const known: Record<string, NonNullable<T>> = {};
  // Rows of a ledger pass here: a loop takes a quarter of the time of entries.
  for (const name in fields) {
    const value = fields[name];
    if (value !== null && value !== undefined) known[name] = value;
  }
  return known;
}

/** Returns the value of a JSON text; undefined when it is not JSON. */
export function tryParseJson(text: string): Json | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
