/** Suggestions for names that were mistyped. */
import { distance } from "fastest-levenshtein";

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

/** Edits between two texts; two letters that changed places count as one. */
function countMistakes(text: string, name: string): number {
  const edits = distance(text, name);
  return edits === 2 && sortLetters(text) === sortLetters(name) ? 1 : edits;
}

const sortLetters = (text: string) => [...text].sort().join("");
