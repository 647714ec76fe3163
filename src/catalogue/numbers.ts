/** The forms in which programs get numbers that a double cannot hold, and the fields in which these occur. */
import {
  decimalText,
  isArray,
  isNumeric,
  isObject,
  type Json,
  type Numeric,
  numericText,
  parseDecimal,
  roundDecimal,
} from "../base/index.ts";

/** The names of the number modes. */
export const NUMBER_MODES = ["number", "bigint", "string", "exact"] as const;

/**
 * How a client returns numbers. A *large field* holds whole numbers that can exceed 2^53, such as lamports.
 *
 * - `number`: plain numbers everywhere; digits beyond a double's precision are rounded
 * - `bigint`, `string`: every value of a large field is a bigint, or its digits as text; other numbers are plain
 * - `exact`: plain numbers, except for those that a double would change: these are a {@link RawNumber}, in any field
 */
export type NumberMode = (typeof NUMBER_MODES)[number];

/** The type of a large field in each mode. */
export interface LargeNumbers {
  readonly number: number;
  readonly bigint: bigint;
  readonly string: string;
  readonly exact: Numeric;
}

/** The type of the other numbers in each mode. */
type PlainNumber<N extends NumberMode> = N extends "exact" ? Numeric : number;

/** A type of the catalogue, in which large fields are {@link Numeric}, with its numbers as a mode returns them. */
export type WithNumbers<T, N extends NumberMode> = unknown extends T
  ? T
  : Numeric extends T
    ? LargeNumbers[N] | WithPlainNumbers<Exclude<T, Numeric>, N>
    : WithPlainNumbers<T, N>;

type WithPlainNumbers<T, N extends NumberMode> = T extends string
  ? T
  : T extends number
    ? PlainNumber<N>
    : T extends object
      ? { [K in keyof T]: WithNumbers<T[K], N> }
      : T;

/** Any JSON value with its numbers as a mode returns them. */
export type JsonOf<N extends NumberMode> =
  | null
  | boolean
  | string
  | number
  | LargeNumbers[N]
  | readonly JsonOf<N>[]
  | { readonly [key: string]: JsonOf<N> };

/** What is known of the numbers in a value: of a large field, of another one, of fields by name, or nothing. */
export type NumberShape = "large" | "plain" | "unknown" | { readonly get: (name: string) => NumberShape | undefined };

/** How numbers are converted: those of large fields, and the others. Unknown fields go by the value. */
export interface NumberConversion {
  readonly large: (value: Numeric) => unknown;
  readonly plain: (value: Numeric) => unknown;
}

/** Returns a copy of a value with its numbers converted. The items of a list have the shape of the list. */
export function convertNumbers(value: Json, shape: NumberShape, conversion: NumberConversion): unknown {
  if (isNumeric(value)) {
    const isLarge = shape === "large" || (shape !== "plain" && exceedsDouble(value));
    return isLarge ? conversion.large(value) : conversion.plain(value);
  }
  if (isArray(value)) return value.map((item) => convertNumbers(item, shape, conversion));
  if (!isObject(value)) return value;
  const fields = typeof shape === "string" ? undefined : shape;
  const entries = Object.entries(value).map(
    ([name, field]) => [name, convertNumbers(field, fields?.get(name) ?? "unknown", conversion)] as const,
  );
  return Object.fromEntries(entries);
}

/** Whether a number is whole and beyond what a double holds exactly. */
export function exceedsDouble(value: Numeric): boolean {
  const double = Number(numericText(value));
  return Number.isInteger(double) && !Number.isSafeInteger(double);
}

/** Returns a number as a double. */
export const toDouble = (value: Numeric): number => (typeof value === "number" ? value : Number(value.rawJSON));

/** Returns a number as a bigint; a fraction is rounded. */
export function toBigInt(value: Numeric): bigint {
  const text = numericText(value);
  if (/^-?\d+$/.test(text)) return BigInt(text);
  const decimal = parseDecimal(text);
  if (!decimal) return 0n;
  const { digits, negative } = roundDecimal(decimal, 0).value;
  return negative ? -digits : digits;
}

/** Returns the digits of a number, without an exponent. */
export function toDigits(value: Numeric): string {
  const text = numericText(value);
  const decimal = /e/i.test(text) ? parseDecimal(text) : undefined;
  return decimal ? decimalText(decimal) : text;
}
