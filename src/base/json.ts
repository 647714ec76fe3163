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
 *
 * A reviver that sees the text of each number would be enough, and takes six times as long as a plain `JSON.parse`. So
 * the numbers that need it are looked for first; they are parsed as strings with a mark and then put in their place.
 * @throws SyntaxError when the text is not JSON, or nested too deeply.
 */
export function parseJson(text: string): Json {
  const value = parseExactly(text);
  if (mayBeDeep(text) && isDeep(value)) throw new SyntaxError(`JSON that is nested deeper than ${MAX_DEPTH} levels.`);
  return value;
}

/** Levels up to which everything that looks into a value can follow. */
const MAX_DEPTH = 2000;

/** Whether the text has as many brackets as it takes. */
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
  // A value alone has nothing around it that a number is found by.
  if (!/^\s*[{[]/.test(text)) return parseEach(text);
  const { marked, count, keys } = markNumbers(text);
  if (count === 0) return JSON.parse(text);
  // Only where the mark stands nowhere else, not even escaped, is a marked string certainly a number.
  if (text.includes(MARK) || text.includes(ESCAPED_MARK)) return parseEach(text);
  const value = tryParse(marked);
  if (value === undefined) return parseEach(text);
  const found = restoreInRows(value, keys);
  return found === count || found + restoreNumbers(value) === count ? value : parseEach(text);
}

/** Asks of each number whether a double rewrites it: right for every text, and slow. */
function parseEach(text: string): Json {
  return exact.parse(text, (_key, value, context) =>
    typeof value === "number" && context.source !== undefined && String(value) !== context.source
      ? exact.rawJSON(context.source)
      : value,
  ) as Json;
}

/** A character that JSON allows in strings as it is, and that hardly any text has. */
const MARK = "\u007f";
/** How its escape begins. */
const ESCAPED_MARK = "\\u007";

/**
 * A number inside a list or an object, with the character before it; whole ones of up to 15 digits, which a double
 * always holds, are passed over. A string may hold something that looks like it.
 */
const NUMBER =
  /[:,[ \t\r\n](?!(?:0|[1-9]\d{0,14})[,}\] \t\r\n])(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?=[,}\] \t\r\n])/g;

interface Marked {
  /** The text with every number that a double would rewrite as a marked string. */
  readonly marked: string;
  /** How many these are. */
  readonly count: number;
  /** The names of some of them, as far as they can be told without reading the text. */
  readonly keys: ReadonlySet<string>;
}

/** Names of marked numbers that each row is asked for. */
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

/** Parses a marked text; undefined when it is none, as where a string was taken for a number. */
function tryParse(text: string): Json | undefined {
  try {
    return JSON.parse(text);
  } catch {
    // Whether it is the fault of the marks or of the text shows when the text itself is parsed.
    return undefined;
  }
}

/**
 * Puts marked numbers in their place where nearly all are: in the rows of a list, under names that were seen. Tells how
 * many it found. Looking everywhere for them takes half as long as reading all rows.
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

/** Puts the marked numbers in their place and tells how many there were: fewer, where a mark became a key or was lost. */
function restoreNumbers(root: Json): number {
  const open: Json[] = [root];
  let count = 0;
  for (let holder = open.pop(); holder !== undefined; holder = open.pop()) {
    let marked = false;
    // V8 has a short way to all values of an object at once, and none to each by its name.
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

/** Puts a marked number in its place; false where there is none. */
function restoreAt(holder: JsonObject, key: string): boolean {
  const value = holder[key];
  if (!isMarked(value)) return false;
  (holder as Record<string, Json>)[key] = exact.rawJSON(value.slice(MARK.length));
  return true;
}

/** Writes a value as JSON; numbers come out with the digits that came in. */
export function stringifyJson(value: Json, indent?: number): string {
  // With nothing but the value V8 takes a way that is twice as fast.
  return indent === undefined ? JSON.stringify(value) : JSON.stringify(value, null, indent);
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

/** A number as a double; undefined for anything else. */
export function toNumber(value: Json | undefined): number | undefined {
  return isNumeric(value) ? Number(numericText(value)) : undefined;
}

/** Whether the value is a JSON object (not an array, not null, not a number kept as text). */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !isRawNumber(value);
}

/** Whether the value is a JSON array. */
export function isArray(value: unknown): value is readonly Json[] {
  return Array.isArray(value);
}
