/**
 * The rows of a list as they were received. APIs send pages as compact JSON with a single list of flat objects; its text
 * is recognised by searches for a few characters, which take a fraction of the time of writing the rows again.
 */
import type { Json } from "./json.ts";

/** The JSON text that contains each list. */
const texts = new WeakMap<readonly Json[], string>();

/** Remembers the JSON text that contains a list, until it is forgotten or the list does not exist anymore. */
export function rememberText(list: readonly Json[], text: string): void {
  texts.set(list, text);
}

/** Releases the JSON text that contains a list. */
export function forgetText(list: readonly Json[]): void {
  texts.delete(list);
}

/** Returns the length of the JSON text that contains a list; undefined where it is not known. */
export function receivedLength(list: readonly Json[]): number | undefined {
  return texts.get(list)?.length;
}

/**
 * Returns the items of a list as lines of JSON, as they were received; undefined where these are not certain, or not
 * ASCII.
 */
export function receivedLines(list: readonly Json[]): Uint8Array | undefined {
  const text = texts.get(list);
  return text === undefined ? undefined : findLines(text, list.length);
}

/** Escape sequences, which may be written in other ways, white space outside of strings, and DEL. */
const UNUSUAL = /[\\\n\r\t\u007f]/;
/** Spaces outside of strings, or what looks like them. */
const SPACES = /" :|": | ,"|, "|\{ "| \}/;
/** What is between two objects of a compact list. */
const SEPARATOR = "},{";
const LINE_BREAK = 10;

/**
 * Returns the items of the only list of a JSON text as lines, if they are flat objects in compact JSON.
 *
 * Between the only pair of brackets, every object has an opening brace, and a string may contain others. If there are as
 * many as items, and one separator less, the items are objects, nothing else is between them, and no string contains
 * what looks like a separator.
 */
function findLines(text: string, length: number): Uint8Array | undefined {
  const [start, end] = [text.indexOf("[") + 1, text.indexOf("]")];
  if (start === 0 || text.indexOf("[", start) >= 0 || text.indexOf("]", end + 1) >= 0) return undefined;
  if (text[start] !== "{" || text[end - 1] !== "}" || Buffer.byteLength(text) !== text.length) return undefined;
  if (UNUSUAL.test(text) || (text.includes(" ") && SPACES.test(text))) return undefined;
  const items = text.slice(start, end);
  const separators = positionsOf(SEPARATOR, items);
  if (separators.length !== length - 1 || positionsOf("{", items).length !== length) return undefined;
  // The comma of each separator and the closing bracket become line breaks, without another copy of the text.
  const lines = Buffer.from(text).subarray(start, end + 1);
  for (const at of separators) lines[at + 1] = LINE_BREAK;
  lines[end - start] = LINE_BREAK;
  return lines;
}

function positionsOf(part: string, text: string): readonly number[] {
  const positions: number[] = [];
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) positions.push(at);
  return positions;
}
