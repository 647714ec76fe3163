/**
 * Validation of requests by the rules of the API (specification §5 and §8), on wire values: what a client is about to
 * send, and what a server finds in the query. The messages are the API's.
 */
import { base58 } from "@scure/base";
import { compareDecimals, type InvalidParameter, parseDecimal } from "../base/index.ts";
import { validationMessages as messages } from "./api-errors.ts";
import type { Param, ValueType } from "./param.ts";

const ADDRESS_BYTES = 32;
const SIGNATURE_BYTES = 64;

/** Slots are unsigned 64-bit numbers. */
const MAX_SLOT = 2n ** 64n - 1n;

/** The alphabet and the possible lengths of 32 bytes. Decoding is quadratic, so longer texts have to fail before. */
const ADDRESS_TEXT = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;
/** As {@link ADDRESS_TEXT}, for 64 bytes. */
const SIGNATURE_TEXT = /^[1-9A-HJ-NP-Za-km-z]{64,88}$/;

/** Whether the text is a base58 address: exactly 32 bytes. */
export function isAddress(text: string): boolean {
  return ADDRESS_TEXT.test(text) && base58.decode(text).length === ADDRESS_BYTES;
}

/** Whether the text is a base58 transaction signature: exactly 64 bytes. */
export function isSignature(text: string): boolean {
  return SIGNATURE_TEXT.test(text) && base58.decode(text).length === SIGNATURE_BYTES;
}

/** Whether the text is an existing day in the form YYYYMMDD. */
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

/** Why the API refuses a value or a request. */
export interface ValidationProblem {
  /** The API's sentence. */
  readonly message: string;
  /** The same as data, for messages that name a parameter as the user typed it. */
  readonly invalid: InvalidParameter;
}

/** Returns the API's message for a single value that it refuses. */
type ValueCheck = (name: string, param: Param, value: string) => string | undefined;

/** Checks a whole number against the parameter's limits, or else against those of its type. */
const checkWhole =
  (typeMin: bigint, typeMax: bigint): ValueCheck =>
  (name, { min, max }, value) => {
    if (!/^-?\d+$/.test(value)) {
      return /^-?\d+\.\d+$/.test(value) ? messages.integer(name) : messages.number(name);
    }
    const number = BigInt(value);
    const low = min === undefined ? typeMin : BigInt(min);
    const high = max === undefined ? typeMax : BigInt(max);
    if (number < low || value.startsWith("-")) return messages.atLeast(name, low);
    return number > high ? messages.atMost(name, high) : undefined;
  };

const MAX_SAFE = BigInt(Number.MAX_SAFE_INTEGER);

/** Checks a plain decimal number that is not negative: digits with an optional fraction. */
const checkDecimal: ValueCheck = (name, { min = 0, max }, value) => {
  const number = /^-?\d+(\.\d+)?$/.test(value) ? parseDecimal(value) : undefined;
  if (!number) return messages.number(name);
  if (number.negative || isLess(value, String(min))) return messages.atLeast(name, min);
  return max !== undefined && isLess(String(max), value) ? messages.atMost(name, max) : undefined;
};

const CHECKS: Record<ValueType, ValueCheck> = {
  address: (_name, _param, value) => (isAddress(value) ? undefined : messages.address(value)),
  signature: (_name, _param, value) => (isSignature(value) ? undefined : messages.signature(value)),
  slot: checkWhole(0n, MAX_SLOT),
  integer: checkWhole(0n, MAX_SAFE),
  time: checkWhole(0n, MAX_SAFE),
  decimal: checkDecimal,
  date: (name, _param, value) => (isCalendarDate(value) ? undefined : messages.date(name)),
  boolean: (name, _param, value) => (value === "true" || value === "false" ? undefined : messages.boolean(name)),
  enum: (name, param, value) =>
    allowedValues(param)?.some((known) => String(known) === value)
      ? undefined
      : messages.oneOf(name, param.values ?? []),
  text: () => undefined,
};

/** Accepted values as a person types them, as the end of a sentence. */
const EXPECTED: Record<Exclude<ValueType, "enum" | "integer" | "decimal">, string> = {
  address: "a Solana address (base58, 32 bytes)",
  signature: "a transaction signature (base58, 64 bytes)",
  slot: "a slot number",
  time: "a duration (7d), a date (2024-07-05) or Unix seconds",
  date: "a date (2024-07-05) or a duration (7d)",
  boolean: "true or false",
  text: "text",
};

/** Returns what a single value of a parameter has to be, as the end of a sentence: `a whole number from 1 to 50`. */
export function expectedValue(param: Param): string {
  const { type, min, max } = param;
  if (type === "enum") return `one of ${(allowedValues(param) ?? []).join(", ")}`;
  if (type !== "integer" && type !== "decimal") return EXPECTED[type];
  const noun = type === "integer" ? "a whole number" : "a number";
  if (min !== undefined && max !== undefined) return `${noun} from ${min} to ${max}`;
  if (max !== undefined) return `${noun} of at most ${max}`;
  return min === undefined ? noun : `${noun} of at least ${min}`;
}

/** Returns the fixed set of values of a parameter, with those of newer servers; undefined where there is none. */
export function allowedValues({ values, newer = [] }: Param): readonly (string | number)[] | undefined {
  return values && [...values, ...newer];
}

/**
 * Checks the wire value of a parameter; undefined when it is valid. A list or range may be given as its items or, where
 * the parameter travels with commas, as one text.
 */
export function validateParameter(
  name: string,
  param: Param,
  value: string | readonly string[],
): ValidationProblem | undefined {
  const items = itemsOf(param, typeof value === "string" ? [value] : value);
  const refuse = (message: string, expected: string, refused = items.join(",")): ValidationProblem => ({
    message,
    invalid: { reason: "value", parameter: name, value: refused, expected },
  });
  if (param.arity === "one" && items.length !== 1) return refuse(messages.single(name), "a single value");
  if (param.arity === "range" && items.length !== 2) return refuse(messages.pair(name), "two values (1..100 or 1,100)");
  if (items.length === 0) return refuse(messages.empty(name), expectedValue(param));
  if (param.maxItems !== undefined && items.length > param.maxItems) {
    return refuse(messages.maxItems(name, param.maxItems), `at most ${param.maxItems} values`);
  }
  for (const item of items) {
    const message = item === "" ? messages.empty(name) : CHECKS[param.type](name, param, item);
    if (message === undefined) continue;
    const { invalid } = refuse(message, expectedValue(param), item);
    const allowed = allowedValues(param);
    return { message, invalid: allowed ? { ...invalid, allowed } : invalid };
  }
  const [first, second] = items;
  const isFalling = param.arity === "range" && first !== undefined && second !== undefined && isLess(second, first);
  return isFalling ? refuse(messages.order(name), "the smaller value first") : undefined;
}

/**
 * Checks a whole request: unknown names, missing parameters, invalid values, and values that need another parameter;
 * undefined when it is valid. `values` maps a name, without brackets, to its wire values in the order of the query; a
 * name without values counts as missing.
 */
export function validateRequest(
  query: Readonly<Record<string, Param>>,
  values: ReadonlyMap<string, readonly string[]>,
): ValidationProblem | undefined {
  const isPresent = (name: string) => (values.get(name)?.length ?? 0) > 0;
  const unknown = [...values.keys()].find((name) => isPresent(name) && !Object.hasOwn(query, name));
  if (unknown !== undefined) {
    return { message: messages.notAllowed(unknown), invalid: { reason: "unknown", parameter: unknown } };
  }
  for (const [name, param] of Object.entries(query)) {
    if (!isPresent(name)) {
      if (!param.required || param.default !== undefined) continue;
      const expected = expectedValue(param);
      return { message: messages.required(name), invalid: { reason: "missing", parameter: name, expected } };
    }
    const problem = validateParameter(name, param, values.get(name) ?? []);
    if (problem !== undefined) return problem;
    if (param.needs === undefined || isPresent(param.needs)) continue;
    const invalid = { reason: "dependency", parameter: name, requires: param.needs } as const;
    return { message: messages.needs(name, param.needs), invalid };
  }
  return undefined;
}

function itemsOf(param: Param, values: readonly string[]): readonly string[] {
  return param.wire === "comma" ? values.flatMap((value) => value.split(",")) : values;
}

/** Compares two plain decimal numbers; dates and times are whole ones. */
function isLess(a: string, b: string): boolean {
  const [left, right] = [parseDecimal(a), parseDecimal(b)];
  return left !== undefined && right !== undefined && compareDecimals(left, right) < 0;
}
