/**
 * JSON that keeps every digit.
 *
 * A number whose text a double would change (`18446744073709551615`, `0.10`, `-0`, a 40-digit decimal) is stored as
 * the object that `JSON.rawJSON` returns: `{ rawJSON: "<text>" }`. `JSON.stringify` writes its text back, so a value
 * that was parsed here can be printed anywhere without losing a digit. Every other number is a plain number.
 */

/** A JSON number as the text that was received. */
export interface RawNumber {
  readonly rawJSON: string;
}

/** A JSON number: plain when a double represents its text exactly, its text otherwise. */
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

// Without this check an old runtime would fail later, with answers that cannot be parsed.
if (typeof exact.rawJSON !== "function") throw new Error("solx needs Node 22.19 or newer.");

/**
 * Values in a JSON text at most: each takes up to a hundred bytes, however short it is written, and up to a microsecond.
 * A value of a transaction is 30 characters long on average.
 */
const MAX_VALUES = 1_000_000;

/** @throws RangeError when a text has so many values that they would fill the memory */
function checkValueCount(text: string): void {
  let count = 0;
  for (const mark of ",{[") {
    for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + 1)) count += 1;
    if (count > MAX_VALUES) throw new RangeError("The JSON has more than a million values.");
  }
}

/**
 * Parses JSON and preserves the text of every number that a double would change.
 *
 * A reviver that receives the text of each number would do, but takes six times as long as a plain `JSON.parse`. So the
 * numbers that need it are found first by a regular expression, parsed as marked strings and then restored.
 * @throws SyntaxError when the text is not JSON or nested too deeply; RangeError when it has too many values
 */
export function parseJson(text: string): Json {
  if (text.length > MAX_VALUES) checkValueCount(text);
  const value = parseExactly(text);
  if (mayBeDeep(text) && isDeep(value)) throw new SyntaxError(`JSON is nested deeper than ${MAX_DEPTH} levels.`);
  return value;
}

/** Levels that every recursive function over values can handle. */
const MAX_DEPTH = 2000;

/** Whether the text has enough brackets to be too deep. */
function mayBeDeep(text: string): boolean {
  let count = 0;
  for (const bracket of "{[") {
    for (let at = text.indexOf(bracket); at >= 0 && count <= MAX_DEPTH; at = text.indexOf(bracket, at + 1)) count += 1;
  }
  return count > MAX_DEPTH;
}

function isDeep(root: Json): boolean {
  let level: readonly unknown[] = [root];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) return true;
    level = level.flatMap((value) => (typeof value === "object" && value !== null ? Object.values(value) : []));
  }
  return false;
}

function parseExactly(text: string): Json {
  // NUMBER finds only numbers inside a list or an object.
  if (!/^\s*[{[]/.test(text)) return parseEach(text);
  const { marked, count, keys } = markNumbers(text);
  if (count === 0) return JSON.parse(text);
  // A marked string is certainly a number only if the mark occurs nowhere else, not even escaped.
  if (text.includes(MARK) || text.includes(ESCAPED_MARK)) return parseEach(text);
  const value = tryParse(marked);
  if (value === undefined) return parseEach(text);
  const restored = restoreInRows(value, keys);
  return restored === count || restored + restoreNumbers(value) === count ? value : parseEach(text);
}

/** Checks each number by a reviver: correct for every text, and slow. */
function parseEach(text: string): Json {
  return exact.parse(text, (_key, value, context) =>
    typeof value === "number" && context.source !== undefined && String(value) !== context.source
      ? exact.rawJSON(context.source)
      : value,
  ) as Json;
}

/** A character that JSON allows in strings unescaped and that hardly any text contains. */
const MARK = "\u007f";
/** The start of its escape sequence. */
const ESCAPED_MARK = "\\u007";

/**
 * A number inside a list or an object, with the character before it. Skips most numbers that a double represents: those
 * of up to 15 digits without an exponent and without zeros at the end of a fraction, unless JavaScript would write them
 * with an exponent. Text inside a string may match too.
 */
const NUMBER =
  /[:,[ \t\r\n](?!(?:0|[1-9]\d{0,14}|(?:0|[1-9]\d{0,8})\.\d{0,5}[1-9]|0\.(?!0{6})\d{0,14}[1-9])[,}\] \t\r\n])(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?=[,}\] \t\r\n])/g;

interface Marked {
  /** The text, with every number that a double would change replaced by a marked string. */
  readonly marked: string;
  /** The number of marked strings. */
  readonly count: number;
  /** The keys of some of them, as far as they can be found without parsing the text. */
  readonly keys: ReadonlySet<string>;
}

/** Keys that are checked in each row. */
const MAX_KEYS = 8;

function markNumbers(text: string): Marked {
  let [marked, end, count] = ["", 0, 0];
  const keys = new Set<string>();
  for (const match of text.matchAll(NUMBER)) {
    const number = match[1] as string;
    if (String(Number(number)) === number) continue;
    const start = match.index + 1;
    marked += `${text.slice(end, start)}"${MARK}${number}"`;
    end = start + number.length;
    count += 1;
    const quote = match.index - 1;
    if (keys.size < MAX_KEYS && text.startsWith('":', quote)) {
      keys.add(text.slice(text.lastIndexOf('"', quote - 1) + 1, quote));
    }
  }
  return { marked: marked + text.slice(end), count, keys };
}

/** Parses a marked text; undefined when it is not JSON, as when part of a string was taken for a number. */
function tryParse(text: string): Json | undefined {
  try {
    return JSON.parse(text);
  } catch {
    // Parsing the original text will show whether the marks or the text caused it.
    return undefined;
  }
}

/**
 * Restores marked numbers where nearly all of them are: in the rows of a list, under the keys that were collected.
 * Returns how many it restored. A search of the whole value takes half as long as parsing all rows.
 */
function restoreInRows(root: Json, keys: ReadonlySet<string>): number {
  let count = 0;
  for (const list of isArray(root) ? [root] : Object.values(root as JsonObject)) {
    if (!isArray(list)) continue;
    for (const row of list) {
      if (typeof row !== "object" || row === null) continue;
      for (const key of keys) if (restoreAt(row as JsonObject, key)) count += 1;
    }
  }
  return count;
}

/** Restores all marked numbers and returns their count, which is lower where a mark became a key or was lost. */
function restoreNumbers(root: Json): number {
  const open: Json[] = [root];
  let count = 0;
  for (let holder = open.pop(); holder !== undefined; holder = open.pop()) {
    let marked = false;
    // V8 reads all values of an object at once faster than each by its key.
    for (const value of Object.values(holder as JsonObject)) {
      if (typeof value === "object" && value !== null) open.push(value);
      else if (isMarked(value)) marked = true;
    }
    if (marked) count += Object.keys(holder as JsonObject).filter((key) => restoreAt(holder as JsonObject, key)).length;
  }
  return count;
}

function isMarked(value: Json | undefined): value is string {
  return typeof value === "string" && value.startsWith(MARK);
}

/** Restores a marked number; returns false where there is none. */
function restoreAt(holder: JsonObject, key: string): boolean {
  const value = holder[key];
  if (!isMarked(value)) return false;
  (holder as Record<string, Json>)[key] = exact.rawJSON(value.slice(MARK.length));
  return true;
}

/** Writes a value as JSON; numbers have the digits that were received. */
export function stringifyJson(value: Json, indent?: number): string {
  // V8 is twice as fast when it gets nothing but the value.
  return indent === undefined ? JSON.stringify(value) : JSON.stringify(value, null, indent);
}

/** Whether the value is a number stored as text. */
export function isRawNumber(value: unknown): value is RawNumber {
  return exact.isRawJSON(value);
}

/** Returns a number from its JSON text: plain where a double represents it. */
export function toNumeric(text: string): Numeric {
  return String(Number(text)) === text ? Number(text) : exact.rawJSON(text);
}

/** Whether the value is a number, plain or stored as text. */
export function isNumeric(value: unknown): value is Numeric {
  return typeof value === "number" || isRawNumber(value);
}

/** Returns the text of a number: as received, or as JSON writes a plain number. */
export function numericText(value: Numeric): string {
  return typeof value === "number" ? String(value) : value.rawJSON;
}

/** Returns a number as a double; undefined for anything else. */
export function toNumber(value: Json | undefined): number | undefined {
  return isNumeric(value) ? Number(numericText(value)) : undefined;
}

/** Whether the value is a JSON object (not an array, null or a number stored as text). */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !isRawNumber(value);
}

/** Whether the value is a JSON array. */
export function isArray(value: unknown): value is readonly Json[] {
  return Array.isArray(value);
}

/** Whether a value is absent: undefined or null. */
export function isMissing(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}

/** Returns the value at a path of fields; undefined where there is none. */
export function fieldAt(value: Json | undefined, path: readonly string[]): Json | undefined {
  let inner = value;
  for (const name of path) {
    // An exact number is an object, too, but has no such field. Asking whether it is one would slow down every row.
    if (typeof inner !== "object" || inner === null || Array.isArray(inner)) return undefined;
    inner = (inner as JsonObject)[name];
  }
  return inner;
}
