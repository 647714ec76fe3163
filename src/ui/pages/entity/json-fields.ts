/** Reading answers that may hold anything: what is not what it should be counts as missing. */
import type { Decimal } from "../../../base/decimal.ts";
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

/** The difference of two numbers, exactly. */
export function differenceOf(a: Decimal, b: Decimal): Decimal {
  return sumOf([a, { ...b, negative: !b.negative }]);
}

/** The sum of numbers, exactly. */
export function sumOf(values: readonly Decimal[]): Decimal {
  const scale = Math.max(0, ...values.map((value) => value.scale));
  const total = values.reduce(
    (sum, { negative, digits, scale: own }) => sum + (negative ? -digits : digits) * 10n ** BigInt(scale - own),
    0n,
  );
  return { negative: total < 0n, digits: total < 0n ? -total : total, scale };
}
