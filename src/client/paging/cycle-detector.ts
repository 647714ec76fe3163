/**
 * Finds repetitions in bounded memory: those of recent keys at once, and cycles of any length eventually (Brent's
 * algorithm: one key is remembered for comparison, and replaced after 1, 2, 4, 8 … others).
 */
import type { JsonObject } from "../../base/index.ts";
import type { RowKey } from "./row-keys.ts";

/** Recent keys that are remembered. */
const REMEMBERED = 64;

/** Whether a key is new, recent, or occurred earlier. */
export type Sighting = "new" | "recent" | "earlier";

/** Remembers keys to find repetitions. */
export interface CycleDetector {
  observe(key: RowKey): Sighting;
  /** Returns plain JSON from which another detector can continue. */
  state(): JsonObject;
}

/** Creates a detector, empty or from a state. */
export function createCycleDetector(saved: JsonObject = {}): CycleDetector {
  let recent = (saved.recent ?? []) as readonly RowKey[];
  let anchor = saved.anchor as RowKey | undefined;
  let [steps, span] = [Number(saved.steps ?? 0), Number(saved.span ?? 1)];
  return {
    observe(key) {
      const isRecent = recent.includes(key);
      const sighting = isRecent ? "recent" : key === anchor ? "earlier" : "new";
      const others = isRecent ? recent.filter((other) => other !== key) : recent.slice(1 - REMEMBERED);
      others.push(key);
      recent = others;
      steps += 1;
      if (steps >= span) [anchor, steps, span] = [key, 0, span * 2];
      return sighting;
    },
    state: () => ({ recent, steps, span, ...(anchor !== undefined && { anchor }) }),
  };
}
