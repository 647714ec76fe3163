/**
 * JSON that keeps every digit.
 *
 * A number whose text a double would change (`18446744073709551615`, `0.10`, `-0`, a 40-digit decimal) is held as
 * the object that `JSON.rawJSON` makes: `{ rawJSON: "<text>" }`. `JSON.stringify` writes it back as it came, so a
 * value that was parsed here can be printed anywhere without losing a digit. Every other number is a plain number.
 */

/** A JSON number in its own words: the text exactly as it was received. */
export interface RawNumber {
  readonly rawJSON: string;
}

/** A number as it came: a plain one when a double holds its text exactly, its text otherwise. */
export type Numeric = number | RawNumber;

/** Any JSON value, with numbers as {@link Numeric}. */
export type Json = null | boolean | string | Numeric | readonly Json[] | JsonObject;

/** A JSON object. */
export interface JsonObject {
  readonly [key: string]: Json;
}

interface ExactJson {
  rawJSON(text: string): RawNumber;
  isRawJSON(value: unknown): value is RawNumber;
  parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown;
}

const exact = JSON as unknown as ExactJson;

// Elsewhere this would show as answers that cannot be read.
if (typeof exact.rawJSON !== "function") throw new Error("solx needs Node 22.19 or newer.");

/**
 * Parses JSON and keeps the text of every number that a double would rewrite.
 * @throws SyntaxError when the text is not JSON.
 */
export function parseJson(text: string): Json {
  return exact.parse(text, (_key, value, context) =>
    typeof value === "number" && context.source !== undefined && String(value) !== context.source
      ? exact.rawJSON(context.source)
      : value,
  ) as Json;
}

/** Writes a value as JSON; numbers come out with the digits that came in. */
export function stringifyJson(value: Json, indent?: number): string {
  return JSON.stringify(value, null, indent);
}

/** Whether the value is a number kept as text. */
export function isRawNumber(value: unknown): value is RawNumber {
  return exact.isRawJSON(value);
}

/** A number from its JSON text, plain where a double holds it. */
export function numericOf(text: string): Numeric {
  return String(Number(text)) === text ? Number(text) : exact.rawJSON(text);
}

/** Whether the value is a number, plain or kept as text. */
export function isNumeric(value: unknown): value is Numeric {
  return typeof value === "number" || isRawNumber(value);
}

/** The digits of a number as they came, or of a plain number as JSON writes them. */
export function numericText(value: Numeric): string {
  return typeof value === "number" ? String(value) : value.rawJSON;
}

/** Whether the value is a JSON object (not an array, not null, not a number kept as text). */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !isRawNumber(value);
}

/** Whether the value is a JSON array. */
export function isArray(value: unknown): value is readonly Json[] {
  return Array.isArray(value);
}
