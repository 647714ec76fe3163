/** The name that was probably meant. */
import { distance } from "fastest-levenshtein";

/** The nearest of the known names, if it is near enough to be a typing mistake. */
export function nearest(wanted: string, known: readonly string[]): string | undefined {
  const ranked = known
    .map((name) => ({ name, steps: distance(wanted.toLowerCase(), name.toLowerCase()) }))
    .sort((a, b) => a.steps - b.steps);
  const best = ranked[0];
  return best && best.steps <= Math.max(2, wanted.length / 3) ? best.name : undefined;
}
