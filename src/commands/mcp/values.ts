/** Prepares values for models and programs: truncated texts, exact digits, visible control characters. */

import { isArray, isObject, isRawNumber, type Json, pluralize } from "../../base/index.ts";
import { safeLines } from "../../output/index.ts";

/** Maximum length of a text in characters, unless its field is selected. */
const MAX_TEXT_LENGTH = 2000;
/** Maximum number of truncated texts named in a note; the others are counted. */
const MAX_NAMED = 5;

/** Matches paths that are safe to print: names of fields may come from the chain, too. */
const SAFE_PATH = /^[\w.[\]]{1,80}$/;

/** A value with truncated texts, and their paths. */
export interface ShortenedValue {
  readonly value: Json;
  readonly cuts: readonly string[];
}

/** Truncates long texts. */
export function shortenTexts(value: Json): ShortenedValue {
  const cuts: string[] = [];
  const cut = (text: string, path: string) => {
    if (text.length <= MAX_TEXT_LENGTH) return text;
    cuts.push(`${SAFE_PATH.test(path) ? path : "a text"} (${pluralize(text.length, "character")})`);
    return `${text.slice(0, MAX_TEXT_LENGTH).replace(/[\ud800-\udbff]$/, "")}…`;
  };
  return { value: mapTexts(value, cut), cuts };
}

/** Returns a note about truncated texts. */
export function cutNotes(cuts: readonly string[]): readonly string[] {
  if (cuts.length === 0) return [];
  const rest = cuts.length > MAX_NAMED ? ` and ${cuts.length - MAX_NAMED} more` : "";
  const named = cuts.slice(0, MAX_NAMED).join(", ");
  return [
    `Truncated to ${MAX_TEXT_LENGTH} characters: ${named}${rest}. Select fields with "fields" to get them in full.`,
  ];
}

/**
 * Converts a value for programs that parse numbers as doubles and print text unescaped: numbers that a double would
 * change become strings, control characters become `‹U+202E›`.
 */
export function toStructured(value: Json): Json {
  if (isRawNumber(value)) return value.rawJSON;
  if (typeof value === "string") return safeLines(value);
  if (isArray(value)) return value.map(toStructured);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [safeLines(key), toStructured(inner)]));
}

/** Replaces each text of a value; the callback receives its path. */
function mapTexts(value: Json, change: (text: string, path: string) => string, path = ""): Json {
  if (typeof value === "string") return change(value, path);
  if (isArray(value)) return value.map((item, index) => mapTexts(item, change, `${path}[${index}]`));
  if (!isObject(value)) return value;
  const inside = (key: string) => (path === "" ? key : `${path}.${key}`);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, mapTexts(inner, change, inside(key))]));
}
