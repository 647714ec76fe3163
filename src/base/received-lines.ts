/**
 * The rows of a list as they were received. APIs send pages as compact JSON with a single list of flat objects; its text
 * is recognised by searches for a few characters, which take a fraction of the time of writing the rows again.
 *
 * Rows that are only printed like this need no exact numbers, whose search takes as long as half of the parsing: their
 * list is remembered with the positions of its items, from which the exact rows can be parsed where they are needed.
 */
import { type Json, parseJson } from "./json.ts";

/** Where the items of a list are in its text. */
export interface Items {
  /** The number of items. */
  readonly count: number;
  /** The position of the first character of the first item, and that after the last item. */
  readonly start: number;
  readonly end: number;
  /** The positions between the items: of the closing brace before each comma, from the start. */
  readonly separators: readonly number[];
}

interface Received {
  /** The JSON text that contains the list. */
  readonly text: string;
  /** For rows with doubles in place of exact numbers; null where their positions are not certain. */
  readonly items: Items | null | undefined;
}

/**
 * The property of a list with its text. Entries of a WeakMap would keep the texts of young lists for another collection
 * of new objects, which then moves them to the old space: half of them, where rows are written to a file.
 */
const RECEIVED = Symbol("received");

/** A list that may have the property, which no enumeration, comparison or copy of a list shows. */
type List = readonly Json[] & { [RECEIVED]?: Received | undefined };

const receivedOf = (list: List): Partial<Received> => list[RECEIVED] ?? {};

/**
 * Remembers the JSON text that contains a list, until it is forgotten or the list does not exist anymore.
 * @param items where its items are, if they were parsed with doubles in place of exact numbers; null if {@link findItems}
 * does not find them
 */
export function rememberText(list: readonly Json[], text: string, items?: Items | null): void {
  Object.defineProperty(list, RECEIVED, { value: { text, items }, writable: true });
}

/** Releases the JSON text that contains a list, unless it has the exact numbers of the rows. */
export function forgetText(list: List): void {
  if (RECEIVED in list && !hasDoubles(list)) list[RECEIVED] = undefined;
}

/** Returns the length of the JSON text that contains a list; undefined where it is not known. */
export function receivedLength(list: readonly Json[]): number | undefined {
  return receivedOf(list).text?.length;
}

/**
 * Returns the items of a list as lines of JSON, as they were received; undefined where these are not certain, or not
 * ASCII.
 */
export function receivedLines(list: readonly Json[]): Uint8Array | undefined {
  const { text = "", items = findItems(text) } = receivedOf(list);
  if (items?.count !== list.length) return undefined;
  const { start, end, separators } = items;
  // The comma of each separator and the closing bracket become line breaks, without another copy of the text.
  const lines = Buffer.from(text).subarray(start, end + 1);
  for (const at of separators) lines[at + 1] = LINE_BREAK;
  lines[end - start] = LINE_BREAK;
  return lines;
}

/** Whether the rows of a list have doubles in place of exact numbers. */
export function hasDoubles(list: readonly Json[]): boolean {
  return Boolean(receivedOf(list).items);
}

/** Returns a row of a list with exact numbers. */
export function exactRow(list: readonly Json[], index: number): Json | undefined {
  const { text = "", items } = receivedOf(list);
  if (!items || index >= items.count) return list[index];
  const { start, separators, end } = items;
  const from = index === 0 ? start : start + (separators[index - 1] as number) + SEPARATOR.length - 1;
  const to = index === items.count - 1 ? end : start + (separators[index] as number) + 1;
  return parseJson(text.slice(from, to));
}

/**
 * Returns rows that were selected from a list, with exact numbers, because only the list as a whole has its lines. Rows
 * that are not of the list stay as they are.
 */
export function exactRows(rows: readonly Json[], list: readonly Json[]): readonly Json[] {
  const { text = "", items } = receivedOf(list);
  if (!items) return rows;
  const exact = parseJson(text.slice(items.start - 1, items.end + 1)) as readonly Json[];
  const exactOf = new Map(list.map((row, index) => [row, exact[index]]));
  return rows.map((row) => exactOf.get(row) ?? row);
}

/** Escape sequences, which may be written in other ways, white space outside of strings, and DEL. */
const UNUSUAL = /[\\\n\r\t\u007f]/;
/** Spaces outside of strings, or what looks like them. */
const SPACES = /" :|": | ,"|, "|\{ "| \}/;
/** What is between two objects of a compact list. */
const SEPARATOR = "},{";
const LINE_BREAK = 10;

/**
 * Finds the items of the only list of a JSON text, if they are flat objects in compact JSON; null otherwise. Whether the
 * list has so many items remains to be checked.
 *
 * Between the only pair of brackets, every object has an opening brace, and a string may contain others. If there are as
 * many as items, and one separator less, the items are objects, nothing else is between them, and no string contains
 * what looks like a separator.
 */
export function findItems(text: string): Items | null {
  const [start, end] = [text.indexOf("[") + 1, text.indexOf("]")];
  if (start === 0 || text.indexOf("[", start) >= 0 || text.indexOf("]", end + 1) >= 0) return null;
  if (text[start] !== "{" || text[end - 1] !== "}" || Buffer.byteLength(text) !== text.length) return null;
  if (UNUSUAL.test(text) || (text.includes(" ") && SPACES.test(text))) return null;
  const items = text.slice(start, end);
  const separators = positionsOf(SEPARATOR, items);
  const count = separators.length + 1;
  return positionsOf("{", items).length === count ? { count, start, end, separators } : null;
}

function positionsOf(part: string, text: string): readonly number[] {
  const positions: number[] = [];
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) positions.push(at);
  return positions;
}
