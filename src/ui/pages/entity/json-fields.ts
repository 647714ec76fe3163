/** Tolerant access to JSON of any shape: values of an unexpected type count as missing. */
import { isArray, isNumeric, isObject, type Json, numericText } from "../../../base/index.ts";

/** Returns a field of an object; undefined when it is missing or null. */
export function fieldOf(value: Json | undefined, name: string): Json | undefined {
  return isObject(value) && Object.hasOwn(value, name) ? (value[name] ?? undefined) : undefined;
}

/** Returns a non-empty text. */
export function textOf(value: Json | undefined): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Returns the items of an array; none for anything else. */
export function listOf(value: Json | undefined): readonly Json[] {
  return isArray(value) ? value : [];
}

/** Returns a non-negative safe integer. */
export function countOf(value: Json | undefined): number | undefined {
  const number = isNumeric(value) ? Number(numericText(value)) : Number.NaN;
  return Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}
