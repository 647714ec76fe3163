/**
 * Validation of requests by the rules of the API (specification §5 and §8), on wire values: what a client is about to
 * send, and what a server finds in the query. The messages are the API's. The OpenAPI document describes the same rules
 * (`solx openapi`), from the same limits and patterns.
 */
import { compareDecimals, decodeBase58, type InvalidParameter, parseDecimal } from "../base/index.ts";
import type { Param, ValueType } from "./param.ts";

/** The code of a validation error. */
export const VALIDATION_CODE = 1100;

/** The reason phrase of each HTTP status. */
export const STATUSES = {
  400: "Bad Request",
  401: "Authentication failed",
  403: "Forbidden",
  404: "Not Found",
  429: "Too Many Requests",
  500: "Internal Server Error",
} as const;

/** The messages of refusals that have another cause than their status says. */
export const REFUSALS = {
  missingKey: "Token is missing",
  invalidKey: "Token is invalid",
  rate: "Too many requests, please try again later.",
  units: "Compute units limit reached",
} as const;

const validation = (text: string) => `Validation Error: ${text}`;

/** The messages of code 1100 (§8), and further ones in the wording of the API's validator. */
export const validationMessages = {
  address: (value: string) => validation(`Address [${value}] is invalid`),
  signature: (value: string) => validation(`Transaction Signature [${value}] is invalid`),
  number: (name: string) => validation(`${name} must be a number`),
  integer: (name: string) => validation(`"${name}" must be an integer`),
  notAllowed: (name: string) => validation(`${name} is not allowed`),
  required: (name: string) => validation(`"${name}" is required`),
  oneOf: (name: string, values: readonly (string | number)[]) =>
    validation(`"${name}" must be one of [${values.join(", ")}]`),
  atLeast: (name: string, min: number | bigint) => validation(`"${name}" must be greater than or equal to ${min}`),
  atMost: (name: string, max: number | bigint) => validation(`"${name}" must be less than or equal to ${max}`),
  boolean: (name: string) => validation(`"${name}" must be a boolean`),
  maxItems: (name: string, max: number) => validation(`"${name}" must contain less than or equal to ${max} items`),
  single: (name: string) => validation(`"${name}" must be a single value`),
  list: (name: string) => validation(`"${name}" must be an array`),
  pair: (name: string) => validation(`"${name}" must contain 2 items`),
  needs: (name: string, other: string) => validation(`"${name}" needs "${other}"`),
  order: (name: string) => validation(`"${name}" must be given from the smaller to the greater`),
  date: (name: string) => validation(`"${name}" must be a date in the form YYYYMMDD`),
  empty: (name: string) => validation(`"${name}" is not allowed to be empty`),
} as const;

const ADDRESS_BYTES = 32;
const SIGNATURE_BYTES = 64;

/**
 * Texts that a value of a type has to match. Those of addresses and signatures are the alphabet and the possible lengths
 * of 32 and 64 bytes; decoding is quadratic, so longer texts have to fail before. That of dates describes exactly the
 * days of the calendar, as YYYYMMDD.
 */
export const VALUE_PATTERNS = {
  address: /^[1-9A-HJ-NP-Za-km-z]{32,44}$/,
  signature: /^[1-9A-HJ-NP-Za-km-z]{64,88}$/,
  date: /^(?:[0-9]{4}(?:(?:0[13578]|1[02])(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)(?:0[1-9]|[12][0-9]|30)|02(?:0[1-9]|1[0-9]|2[0-8]))|(?:[0-9][0-9](?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)0229)$/,
} as const;

/** Limits of the numeric types: whole numbers that a double represents, and the magnitude of doubles. */
const TYPE_LIMITS: Readonly<Partial<Record<ValueType, { readonly min: number; readonly max: number }>>> = {
  slot: { min: 0, max: Number.MAX_SAFE_INTEGER },
  integer: { min: 0, max: Number.MAX_SAFE_INTEGER },
  time: { min: 0, max: Number.MAX_SAFE_INTEGER },
  decimal: { min: 0, max: 1e308 },
};

/** Returns the limits of a number, those of its type where it has none; undefined for other types. */
export function limitsOf({ type, min, max }: Param): { readonly min: number; readonly max: number } | undefined {
  const limits = TYPE_LIMITS[type];
  return limits && { min: min ?? limits.min, max: max ?? limits.max };
}

/** Whether the text is a base58 address: exactly 32 bytes. */
export function isAddress(text: string): boolean {
  return VALUE_PATTERNS.address.test(text) && decodeBase58(text).length === ADDRESS_BYTES;
}

/** Whether the text is a base58 transaction signature: exactly 64 bytes. */
export function isSignature(text: string): boolean {
  return VALUE_PATTERNS.signature.test(text) && decodeBase58(text).length === SIGNATURE_BYTES;
}

/** Whether the text is an existing day in the form YYYYMMDD. */
export const isCalendarDate = (text: string): boolean => VALUE_PATTERNS.date.test(text);

/** Why the API refuses a value or a request. */
interface ValidationProblem {
  readonly message: string;
  /** The same as data, for messages that name a parameter as the user typed it. */
  readonly invalid: InvalidParameter;
}

/** Returns the API's message for a single value that it refuses. */
type ValueCheck = (name: string, param: Param, value: string) => string | undefined;

/** Checks a whole number: digits, without an exponent. */
const checkWhole: ValueCheck = (name, param, value) => {
  if (!/^-?\d+$/.test(value)) {
    return /^-?\d+\.\d+$/.test(value) ? validationMessages.integer(name) : validationMessages.number(name);
  }
  return checkLimits(name, param, value);
};

/** Checks a number as JSON writes it, also with an exponent. */
const checkDecimal: ValueCheck = (name, param, value) =>
  /^-?\d+(\.\d+)?(e[+-]?\d{1,3})?$/i.test(value) ? checkLimits(name, param, value) : validationMessages.number(name);

/** A whole number that is exact as a double, such as that of a page. */
const SMALL_NUMBER = /^\d{1,15}$/;

/** Checks a number against the limits of its parameter. There is no negative zero. */
function checkLimits(name: string, param: Param, value: string): string | undefined {
  const { min, max } = limitsOf(param) ?? { min: Number.NEGATIVE_INFINITY, max: Number.POSITIVE_INFINITY };
  if (SMALL_NUMBER.test(value) && Number(value) >= min && Number(value) <= max) return undefined;
  if (isLess(value, String(min)) || (min >= 0 && value.startsWith("-"))) return validationMessages.atLeast(name, min);
  return isLess(String(max), value) ? validationMessages.atMost(name, max) : undefined;
}

const CHECKS: Record<ValueType, ValueCheck> = {
  address: (_name, _param, value) => (isAddress(value) ? undefined : validationMessages.address(value)),
  signature: (_name, _param, value) => (isSignature(value) ? undefined : validationMessages.signature(value)),
  slot: checkWhole,
  integer: checkWhole,
  time: checkWhole,
  decimal: checkDecimal,
  date: (name, _param, value) => (isCalendarDate(value) ? undefined : validationMessages.date(name)),
  boolean: (name, _param, value) =>
    value === "true" || value === "false" ? undefined : validationMessages.boolean(name),
  enum: (name, param, value) =>
    allowedValues(param)?.some((known) => String(known) === value)
      ? undefined
      : validationMessages.oneOf(name, param.values ?? []),
  text: () => undefined,
};

/** Accepted values as a person types them, as the end of a sentence. */
const EXPECTED: Record<Exclude<ValueType, "enum">, string> = {
  address: "a Solana address (base58, 32 bytes)",
  signature: "a transaction signature (base58, 64 bytes)",
  slot: "a slot number",
  time: "a duration (7d), a date (2024-07-05) or Unix seconds",
  date: "a date (2024-07-05 or 20240705) or a duration (7d)",
  integer: "a whole number",
  decimal: "a number",
  boolean: "true or false",
  text: "text",
};

/** Returns what a single value of a parameter has to be, as the end of a sentence: `a whole number from 1 to 50`. */
export function expectedValue(param: Pick<Param, "type" | "min" | "max" | "values" | "newer">): string {
  const { type, min, max } = param;
  if (type === "enum") return expectedChoice(allowedValues(param) ?? []);
  if (type === "time" && min !== undefined) return "a time from 1970 on";
  const noun = EXPECTED[type];
  if (min !== undefined && max !== undefined) return `${noun} from ${min} to ${max}`;
  if (max !== undefined) return `${noun} of at most ${max}`;
  return min === undefined ? noun : `${noun} of at least ${min}`;
}

/** Longer sets of values are not listed in messages. */
export const MAX_LISTED_VALUES = 40;

function expectedChoice(values: readonly (string | number)[]): string {
  if (values.length <= MAX_LISTED_VALUES) return `one of ${values.join(", ")}`;
  return `one of ${values.length} values, such as ${values[0]} or ${values.at(-1)}`;
}

/** Returns the fixed set of values of a parameter, with those of newer servers; undefined where there is none. */
export function allowedValues({
  values,
  newer = [],
}: Pick<Param, "values" | "newer">): readonly (string | number)[] | undefined {
  return values && [...values, ...newer];
}

/** Returns a parameter with the limit that a value exceeds, where that is the one of its type. */
function withExceededLimit(name: string, param: Param, message: string): Param {
  const { min, max } = limitsOf(param) ?? {};
  if (min === undefined || max === undefined) return param;
  if (message === validationMessages.atLeast(name, min)) return { ...param, min };
  return message === validationMessages.atMost(name, max) ? { ...param, min, max } : param;
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
  const values = typeof value === "string" ? [value] : value;
  const items = param.wire === "comma" ? values.flatMap((text) => text.split(",")) : values;
  const refuse = (message: string, expected: string, refused = items.join(",")): ValidationProblem => ({
    message,
    invalid: { reason: "value", parameter: name, value: refused, expected },
  });
  if (param.arity === "one" && items.length !== 1) return refuse(validationMessages.single(name), "a single value");
  if (param.arity === "range" && items.length !== 2)
    return refuse(validationMessages.pair(name), "two values (1..100 or 1,100)");
  if (items.length === 0) return refuse(validationMessages.empty(name), expectedValue(param));
  if (param.maxItems !== undefined && items.length > param.maxItems) {
    return refuse(validationMessages.maxItems(name, param.maxItems), `at most ${param.maxItems} values`);
  }
  for (const item of items) {
    const message = item === "" ? validationMessages.empty(name) : CHECKS[param.type](name, param, item);
    if (message === undefined) continue;
    const { invalid } = refuse(message, expectedValue(withExceededLimit(name, param, message)), item);
    const allowed = allowedValues(param);
    return { message, invalid: allowed ? { ...invalid, allowed } : invalid };
  }
  return undefined;
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
    return { message: validationMessages.notAllowed(unknown), invalid: { reason: "unknown", parameter: unknown } };
  }
  for (const [name, param] of Object.entries(query)) {
    if (!isPresent(name)) {
      if (!param.required) continue;
      const expected = expectedValue(param);
      return { message: validationMessages.required(name), invalid: { reason: "missing", parameter: name, expected } };
    }
    const problem = validateParameter(name, param, values.get(name) ?? []);
    if (problem !== undefined) return problem;
    if (param.needs === undefined || isPresent(param.needs)) continue;
    const invalid = { reason: "dependency", parameter: name, requires: param.needs } as const;
    return { message: validationMessages.needs(name, param.needs), invalid };
  }
  return undefined;
}

/** The values of a query string by parameter name, and why its form is refused if it is. */
export interface ParsedQuery {
  readonly values: ReadonlyMap<string, readonly string[]>;
  readonly problem?: ValidationProblem;
}

/**
 * Reads the names and values of a query string. Each parameter has one written form: `x=v` once, `x=a,b` once, or
 * `x[]=a&x[]=b`; with a comma form, two. The values are not checked: {@link validateRequest} does.
 */
function parseQuery(
  query: Readonly<Record<string, Param>>,
  pairs: Iterable<readonly [written: string, value: string]>,
): ParsedQuery {
  const values = new Map<string, readonly string[]>();
  const refuse = (message: string, invalid: InvalidParameter): ParsedQuery => ({
    values,
    problem: { message, invalid },
  });
  for (const [written, value] of pairs) {
    const hasBrackets = written.endsWith("[]");
    const name = hasBrackets ? written.slice(0, -"[]".length) : written;
    const param = Object.hasOwn(query, name) ? query[name] : undefined;
    if (param?.in !== "query" || (hasBrackets && param.wire !== "brackets")) {
      return refuse(validationMessages.notAllowed(name), { reason: "unknown", parameter: written });
    }
    const before = values.get(name);
    if (hasBrackets) {
      values.set(name, [...(before ?? []), value]);
      continue;
    }
    const invalid = { reason: "value", parameter: name, value } as const;
    if (before) return refuse(validationMessages.single(name), { ...invalid, expected: "a single value" });
    if (param.wire === "brackets" && !param.hasCommaForm) {
      return refuse(validationMessages.list(name), { ...invalid, expected: `${name}[]=value for each value` });
    }
    values.set(name, param.arity === "one" ? [value] : value.split(","));
  }
  return { values };
}

/**
 * Returns the values of a request's path and query by parameter name, or why the API refuses the request.
 * @param path the path below the base URL of the family
 */
export function requestValues(
  endpoint: {
    readonly path: string;
    readonly query: Readonly<Record<string, Param>>;
    readonly ignored?: readonly string[];
  },
  path: string,
  pairs: Iterable<readonly [written: string, value: string]>,
): ParsedQuery {
  const { path: template, query, ignored } = endpoint;
  const parsed = parseQuery(query, ignored ? [...pairs].filter(([name]) => !ignored.includes(name)) : pairs);
  const values = template.includes("{") ? new Map([...pathValues(template, path), ...parsed.values]) : parsed.values;
  const problem = parsed.problem ?? validateRequest(query, values);
  return problem ? { values, problem } : { values };
}

function pathValues(template: string, path: string): readonly (readonly [name: string, values: readonly string[]])[] {
  const segments = path.split("/");
  return template
    .split("/")
    .flatMap((part, at) => (part.startsWith("{") ? [[part.slice(1, -1), [decodeSegment(segments[at] ?? "")]]] : []));
}

/** Decodes a path segment; an invalid one is returned unchanged. */
function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** Whether a decimal number is less than another; dates and times are whole ones. */
export function isLess(a: string, b: string): boolean {
  const [left, right] = [parseDecimal(a), parseDecimal(b)];
  return left !== undefined && right !== undefined && compareDecimals(left, right) < 0;
}
