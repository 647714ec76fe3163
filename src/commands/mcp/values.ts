/** What answers hold, as models and programs get it: long texts cut, digits kept, hidden characters shown. */

import { isArray, isObject, isRawNumber, type Json, type JsonObject } from "../../base/json.ts";
import { pluralize } from "../../base/text.ts";
import { safeLines } from "../../output/index.ts";

/** Characters of a text that are shown where it was not asked for by name. */
const LONGEST_TEXT = 2000;
/** Texts that were cut and are named; the others are counted. */
const NAMED = 5;

/** Names of fields may be somebody's words too: only what looks like a path is told as one. */
const PATH = /^[\w.[\]]{1,80}$/;

/** A value whose long texts were cut, and which they are. */
export interface Shortened {
  readonly value: Json;
  readonly cuts: readonly string[];
}

/** Cuts texts that are longer than a model should read unasked; nothing else is changed. */
export function shortened(value: Json): Shortened {
  const cuts: string[] = [];
  const cut = (text: string, path: string) => {
    if (text.length <= LONGEST_TEXT) return text;
    cuts.push(`${PATH.test(path) ? path : "a text"} (${pluralize(text.length, "character")})`);
    return `${text.slice(0, LONGEST_TEXT).replace(/[\ud800-\udbff]$/, "")}…`;
  };
  return { value: mapped(value, cut), cuts };
}

/** What is to be said about texts that were cut. */
export function cutNotes(cuts: readonly string[]): readonly string[] {
  if (cuts.length === 0) return [];
  const rest = cuts.length > NAMED ? ` and ${cuts.length - NAMED} more` : "";
  const named = cuts.slice(0, NAMED).join(", ");
  return [`Cut after ${LONGEST_TEXT} characters: ${named}${rest}. A field that "fields" names is not cut.`];
}

/**
 * A value for a program that reads JSON with doubles and shows text as it is: numbers that a double would change are
 * strings with their digits, hidden characters are written like `‹U+202E›`.
 */
export function forPrograms(value: Json): Json {
  if (isRawNumber(value)) return value.rawJSON;
  if (typeof value === "string") return safeLines(value);
  if (isArray(value)) return value.map(forPrograms);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [safeLines(key), forPrograms(inner)]));
}

/** The value with each of its texts replaced; the path tells where it is. */
function mapped(value: Json, change: (text: string, path: string) => string, path = ""): Json {
  if (typeof value === "string") return change(value, path);
  if (isArray(value)) return value.map((item, index) => mapped(item, change, `${path}[${index}]`));
  if (!isObject(value)) return value;
  const inside = (key: string) => (path === "" ? key : `${path}.${key}`);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, mapped(inner, change, inside(key))]));
}

/** An object without the fields that have no value. */
export function compact(object: Readonly<Record<string, Json | undefined>>): JsonObject {
  return Object.fromEntries(Object.entries(object).filter((entry): entry is [string, Json] => entry[1] !== undefined));
}
