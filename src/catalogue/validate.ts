/**
 * Whether a request is one that the API takes, decided on wire values: what a parameter is after it was normalised and
 * before it is sent, and what a server finds in the query. Messages are the API's own (specification §5 and §8).
 */
import { base58 } from "@scure/base";
import { compareDecimals, parseDecimal } from "../base/decimal.ts";
import { validationMessages } from "./api-errors.ts";
import type { Param, ValueType } from "./param.ts";

const ADDRESS_BYTES = 32;
const SIGNATURE_BYTES = 64;

/** The greatest slot: slots are unsigned 64-bit numbers. */
const MAX_SLOT = 2n ** 64n - 1n;

/** The alphabet, and the lengths that 32 bytes can have: decoding is quadratic, so longer texts never get there. */
const ADDRESS_TEXT = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;
/** The same for 64 bytes. */
const SIGNATURE_TEXT = /^[1-9A-HJ-NP-Za-km-z]{64,88}$/;

/** Whether the text is a base58 address: exactly 32 bytes. */
export function isAddress(text: string): boolean {
  return ADDRESS_TEXT.test(text) && base58.decode(text).length === ADDRESS_BYTES;
}

/** Whether the text is a base58 transaction signature: exactly 64 bytes. */
export function isSignature(text: string): boolean {
  return SIGNATURE_TEXT.test(text) && base58.decode(text).length === SIGNATURE_BYTES;
}

/** Whether the text is a day of the calendar in the form YYYYMMDD. */
export function isCalendarDate(text: string): boolean {
  if (!/^\d{8}$/.test(text)) return false;
  const [year, month, day] = [text.slice(0, 4), text.slice(4, 6), text.slice(6)].map(Number) as [
    number,
    number,
    number,
  ];
  const moment = new Date(0);
  moment.setUTCFullYear(year, month - 1, day);
  return moment.getUTCFullYear() === year && moment.getUTCMonth() === month - 1 && moment.getUTCDate() === day;
}

type Check = (name: string, param: Param, value: string) => string | undefined;

/** A whole number within the parameter's limits, or within what the type can hold. */
const whole =
  (least: bigint, greatest: bigint): Check =>
  (name, { min, max }, value) => {
    if (!/^-?\d+$/.test(value)) {
      return /^-?\d+\.\d+$/.test(value) ? validationMessages.integer(name) : validationMessages.number(name);
    }
    const number = BigInt(value);
    const low = min === undefined ? least : BigInt(min);
    const high = max === undefined ? greatest : BigInt(max);
    if (number < low || value.startsWith("-")) return validationMessages.atLeast(name, low);
    return number > high ? validationMessages.atMost(name, high) : undefined;
  };

const SAFE = BigInt(Number.MAX_SAFE_INTEGER);

/** A plain decimal number, not negative: digits with an optional fraction. */
const decimal: Check = (name, { min = 0, max }, value) => {
  const number = /^-?\d+(\.\d+)?$/.test(value) ? parseDecimal(value) : undefined;
  if (!number) return validationMessages.number(name);
  if (number.negative || isLess(value, String(min))) return validationMessages.atLeast(name, min);
  return max !== undefined && isLess(String(max), value) ? validationMessages.atMost(name, max) : undefined;
};

const CHECKS: Record<ValueType, Check> = {
  address: (_name, _param, value) => (isAddress(value) ? undefined : validationMessages.address(value)),
  signature: (_name, _param, value) => (isSignature(value) ? undefined : validationMessages.signature(value)),
  slot: whole(0n, MAX_SLOT),
  integer: whole(0n, SAFE),
  time: whole(0n, SAFE),
  decimal,
  date: (name, _param, value) => (isCalendarDate(value) ? undefined : validationMessages.date(name)),
  boolean: (name, _param, value) =>
    value === "true" || value === "false" ? undefined : validationMessages.boolean(name),
  enum: (name, { values = [], newer = [] }, value) =>
    [...values, ...newer].some((known) => String(known) === value) ? undefined : validationMessages.oneOf(name, values),
  text: () => undefined,
};

/**
 * The message that the API answers a wire value with; undefined when the value is legal. A list or range may come as
 * its entries, or, where the parameter travels with commas, as one text.
 */
export function problemOf(name: string, param: Param, value: string | readonly string[]): string | undefined {
  const entries = entriesOf(param, typeof value === "string" ? [value] : value);
  if (param.arity === "one" && entries.length !== 1) return validationMessages.single(name);
  if (param.arity === "range" && entries.length !== 2) return validationMessages.pair(name);
  if (entries.length === 0) return validationMessages.empty(name);
  if (param.maxItems !== undefined && entries.length > param.maxItems)
    return validationMessages.maxItems(name, param.maxItems);
  for (const entry of entries) {
    const problem = entry === "" ? validationMessages.empty(name) : CHECKS[param.type](name, param, entry);
    if (problem !== undefined) return problem;
  }
  const [first, second] = entries;
  const falling = param.arity === "range" && first !== undefined && second !== undefined && isLess(second, first);
  return falling ? validationMessages.order(name) : undefined;
}

/**
 * The message that the API answers a whole request with: unknown names, missing ones, illegal values, and values that
 * need another parameter. `given` maps a name, without brackets, to its wire values in the order of the query;
 * a name without a value is not given.
 */
export function requestProblem(
  query: Readonly<Record<string, Param>>,
  given: ReadonlyMap<string, readonly string[]>,
): string | undefined {
  const isGiven = (name: string) => (given.get(name)?.length ?? 0) > 0;
  const unknown = [...given.keys()].find((name) => isGiven(name) && !Object.hasOwn(query, name));
  if (unknown !== undefined) return validationMessages.notAllowed(unknown);
  for (const [name, param] of Object.entries(query)) {
    if (!isGiven(name)) {
      if (param.required && param.default === undefined) return validationMessages.required(name);
      continue;
    }
    const problem = problemOf(name, param, given.get(name) ?? []);
    if (problem !== undefined) return problem;
    if (param.needs !== undefined && !isGiven(param.needs)) return validationMessages.needs(name, param.needs);
  }
  return undefined;
}

function entriesOf(param: Param, values: readonly string[]): readonly string[] {
  return param.wire === "comma" ? values.flatMap((value) => value.split(",")) : values;
}

/** Compares two plain decimal numbers; dates and times are whole ones. */
function isLess(a: string, b: string): boolean {
  const [left, right] = [parseDecimal(a), parseDecimal(b)];
  return left !== undefined && right !== undefined && compareDecimals(left, right) < 0;
}
