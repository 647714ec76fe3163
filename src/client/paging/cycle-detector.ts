/**
 * Finds what comes again, in bounded memory: among the last ones at once, and in a circle of any length sooner or later
 * (Brent's algorithm: one thing is kept for comparison, and replaced after 1, 2, 4, 8 … others).
 */
import type { JsonObject } from "../../base/index.ts";
import type { RowKey } from "./row-keys.ts";

/** Things remembered to find at once what comes again. */
const REMEMBERED = 64;

/** Whether something is new, was among the last ones, or came longer ago. */
export type Sighting = "new" | "lately" | "long ago";

/** A memory for what comes again. */
export interface CycleDetector {
  observe(key: RowKey): Sighting;
  /** Plain JSON from which another memory goes on. */
  state(): JsonObject;
}

/** Makes a memory, empty or as it was. */
export function createCycleDetector(saved: JsonObject = {}): CycleDetector {
  let recent = (saved.recent ?? []) as readonly RowKey[];
  let anchor = saved.anchor as RowKey | undefined;
  let [steps, span] = [Number(saved.steps ?? 0), Number(saved.span ?? 1)];
  return {
    observe(key) {
      const isRecent = recent.includes(key);
      const sighting = isRecent ? "lately" : key === anchor ? "long ago" : "new";
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
