/** Numbers and nouns in sentences, and suggestions for mistyped names. */
import { distance } from "fastest-levenshtein";
import { groupThousands } from "./decimal.ts";

/** Returns a count with its noun: `1 row`, `1,234 rows`. */
export function pluralize(count: number, singular: string, plural = `${singular}s`): string {
  return `${groupThousands(count)} ${count === 1 ? singular : plural}`;
}

/** Returns a text with a capital as its first letter. */
export const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Returns a name such as `swapBaseIn` with underscores: `swap_base_in`. */
export const toSnakeCase = (name: string): string =>
  name.replace(/(?<=[a-z0-9])[A-Z]/g, (letter) => `_${letter}`).toLowerCase();

/** Returns words as the end of a sentence: `json, csv or table`. */
export function listWords(words: readonly string[], conjunction: "and" | "or" = "or"): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} ${conjunction} ${words.at(-1) ?? ""}`;
}

/** Names of up to this length resemble too many others for two mistakes. */
const SHORT_LENGTH = 4;

/** Returns the known name that is nearest to a text; undefined when none is near enough to be a typing mistake. */
export function nearestName(text: string, names: readonly string[]): string | undefined {
  const ranked = names
    .map((name) => ({ name, mistakes: countMistakes(text.toLowerCase(), name.toLowerCase()) }))
    .sort((a, b) => a.mistakes - b.mistakes);
  const best = ranked[0];
  const maxMistakes = text.length <= SHORT_LENGTH ? 1 : Math.max(2, Math.round(text.length / 3));
  return best && best.mistakes <= maxMistakes ? best.name : undefined;
}

/** Returns the hint whether the nearest known name was meant; undefined when none is near enough. */
export function suggestName(text: string, names: Iterable<string>): string | undefined {
  const near = nearestName(text, [...names]);
  return near && `Did you mean ${near}?`;
}

/** Edits between two texts; two letters that changed places count as one. */
function countMistakes(text: string, name: string): number {
  const edits = distance(text, name);
  return edits === 2 && sortLetters(text) === sortLetters(name) ? 1 : edits;
}

const sortLetters = (text: string) => [...text].sort().join("");
