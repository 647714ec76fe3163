/**
 * Members that an object of a JSON text has twice, of which a parser keeps the last one. Finding all would take half as
 * long as parsing; so this is about members on which it depends what an answer says.
 */
import { isObject, type Json } from "./json.ts";

/**
 * Returns the first of some names that an object of a text has twice; undefined when there is none.
 * @param objects the parsed objects that have these names; where others have them too, the search takes longer
 */
export function findRepeatedMember(
  text: string,
  objects: readonly (Json | undefined)[],
  names: readonly string[],
): string | undefined {
  // Nobody escapes letters, but a name may be written so.
  const hasEscapes = text.includes("\\u00") && /\\u00[67]/.test(text);
  const counts = countNames(text, names);
  return names.find((name) => {
    const expected = objects.filter((object) => isObject(object) && Object.hasOwn(object, name)).length;
    return (hasEscapes || (counts.get(name) ?? 0) > expected) && isRepeated(text, name);
  });
}

/** Patterns that find any of some names: to search a text for each of them takes as long as to parse it. */
const patterns = new Map<string, RegExp>();

/** Returns how often a text has names in quotes. */
function countNames(text: string, names: readonly string[]): ReadonlyMap<string, number> {
  const key = names.join("|");
  const pattern = patterns.get(key) ?? new RegExp(`"(${key.replace(/[^\w|]/g, "\\$&")})"`, "g");
  patterns.set(key, pattern);
  const counts = new Map<string, number>();
  for (const [, name = ""] of text.matchAll(pattern)) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

function isRepeated(text: string, name: string): boolean {
  /** Whether the lists and objects around a character have the name. */
  const open: boolean[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === "{" || character === "[") open.push(false);
    else if (character === "}" || character === "]") open.pop();
    else if (character === '"') {
      const start = at;
      at = endOfString(text, start);
      if (!isKey(text.slice(start, at + 1), name) || !/^\s*:/.test(text.slice(at + 1, at + 100))) continue;
      if (open.at(-1)) return true;
      open[open.length - 1] = true;
    }
  }
  return false;
}

const isKey = (string: string, name: string): boolean =>
  string === `"${name}"` || (string.includes("\\u") && JSON.parse(string) === name);

/** Returns the position of the quote that ends a string: there is an even number of backslashes before it. */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); ; at = text.indexOf('"', at + 1)) {
    let first = at;
    while (text[first - 1] === "\\") first -= 1;
    if ((at - first) % 2 === 0) return at;
  }
}
