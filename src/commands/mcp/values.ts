/** What answers hold, as models and programs get it: long texts cut, digits kept, hidden characters shown. */

import { isArray, isObject, isRawNumber, type Json, type JsonObject, pluralize } from "../../base/index.ts";

import { safeLines } from "../../output/index.ts";

/** Characters of a text that are shown where it was not asked for by name. */
const MAX_TEXT_LENGTH = 2000;
/** Texts that were cut and are named; the others are counted. */
const MAX_NAMED = 5;

/** Names of fields may be somebody's words too: only what looks like a path is told as one. */
const SAFE_PATH = /^[\w.[\]]{1,80}$/;

/** A value whose long texts were cut, and which they are. */
export interface ShortenedValue {
  readonly value: Json;
  readonly cuts: readonly string[];
}

/** Cuts texts that are longer than a model should read unasked; nothing else is changed. */
export function shortenTexts(value: Json): ShortenedValue {
  const cuts: string[] = [];
  const cut = (text: string, path: string) => {
    if (text.length <= MAX_TEXT_LENGTH) return text;
    cuts.push(`${SAFE_PATH.test(path) ? path : "a text"} (${pluralize(text.length, "character")})`);
    return `${text.slice(0, MAX_TEXT_LENGTH).replace(/[\ud800-\udbff]$/, "")}…`;
  };
  return { value: mapTexts(value, cut), cuts };
}

/** What is to be said about texts that were cut. */
export function cutNotes(cuts: readonly string[]): readonly string[] {
  if (cuts.length === 0) return [];
  const rest = cuts.length > MAX_NAMED ? ` and ${cuts.length - MAX_NAMED} more` : "";
  const named = cuts.slice(0, MAX_NAMED).join(", ");
  return [`Cut after ${MAX_TEXT_LENGTH} characters: ${named}${rest}. A field that "fields" names is not cut.`];
}

/**
 * A value for a program that reads JSON with doubles and shows text as it is: numbers that a double would change are
 * strings with their digits, hidden characters are written like `‹U+202E›`.
 */
export function toStructured(value: Json): Json {
  if (isRawNumber(value)) return value.rawJSON;
  if (typeof value === "string") return safeLines(value);
  if (isArray(value)) return value.map(toStructured);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [safeLines(key), toStructured(inner)]));
}

/** The value with each of its texts replaced; the path tells where it is. */
function mapTexts(value: Json, change: (text: string, path: string) => string, path = ""): Json {
  if (typeof value === "string") return change(value, path);
  if (isArray(value)) return value.map((item, index) => mapTexts(item, change, `${path}[${index}]`));
  if (!isObject(value)) return value;
  const inside = (key: string) => (path === "" ? key : `${path}.${key}`);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, mapTexts(inner, change, inside(key))]));
}

/** An object without the fields that have no value. */
export function compact(object: Readonly<Record<string, Json | undefined>>): JsonObject {
  return Object.fromEntries(Object.entries(object).filter((entry): entry is [string, Json] => entry[1] !== undefined));
}
