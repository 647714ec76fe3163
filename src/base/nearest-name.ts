/** The name that was probably meant. */
import { distance } from "fastest-levenshtein";

/** Words of no more letters resemble too many others for two mistakes. */
const SHORT = 4;

/** The nearest of the known names, if it is near enough to be a typing mistake. */
export function nearestName(wanted: string, known: readonly string[]): string | undefined {
  const ranked = known
    .map((name) => ({ name, steps: stepsBetween(wanted.toLowerCase(), name.toLowerCase()) }))
    .sort((a, b) => a.steps - b.steps);
  const best = ranked[0];
  const reach = wanted.length <= SHORT ? 1 : Math.max(2, Math.round(wanted.length / 3));
  return best && best.steps <= reach ? best.name : undefined;
}

/** Mistakes between two words; the same letters in another order, as two that changed places, are one. */
function stepsBetween(wanted: string, name: string): number {
  const steps = distance(wanted, name);
  return steps === 2 && lettersOf(wanted) === lettersOf(name) ? 1 : steps;
}

const lettersOf = (word: string) => [...word].sort().join("");
