/** Reading answers that may hold anything: what is not what it should be counts as missing. */
import { isArray, isNumeric, isObject, type Json, numericText } from "../../../base/json.ts";

/** A field of an object; undefined where there is none, or null. */
export function fieldOf(value: Json | undefined, name: string): Json | undefined {
  return isObject(value) && Object.hasOwn(value, name) ? (value[name] ?? undefined) : undefined;
}

/** A text that is not empty. */
export function textOf(value: Json | undefined): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** The items of a list; none where it is no list. */
export function listOf(value: Json | undefined): readonly Json[] {
  return isArray(value) ? value : [];
}

/** A whole number from 0 on that a double holds. */
export function countOf(value: Json | undefined): number | undefined {
  const number = isNumeric(value) ? Number(numericText(value)) : Number.NaN;
  return Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}
