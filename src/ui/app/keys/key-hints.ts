/** Sentences about keys: each names the key that the user has for what it tells of. */

import type { Explorer } from "../context.ts";
import { ACTIONS, type ActionName } from "./actions.ts";
import { keyLabel } from "./keymap.ts";

/** The key of an action as people read it; undefined where it has none. */
export type KeyLabels = (name: ActionName) => string | undefined;

/** What a key does: `["view.refresh", "tries again"]`. */
export type KeyHint = readonly [name: ActionName, does: string];

/** The keys that actions have until users choose others. */
export const DEFAULT_KEY_LABELS: KeyLabels = (name) => keyLabel(ACTIONS[name].keys[0]);

/** The keys that actions have now. */
export function keyLabelsOf({ keys, services }: Pick<Explorer, "keys" | "services">): KeyLabels {
  return (name) => {
    const key = keys.keyOf(name);
    return key === undefined ? undefined : keyLabel(key, services.unicode);
  };
}

/** `K enters a key · r tries again`; what no key is for is not told. */
export function formatKeyHints(keyOf: KeyLabels, hints: readonly KeyHint[], separator = " · "): string {
  return hints
    .flatMap(([name, does]) => {
      const key = keyOf(name);
      return key === undefined ? [] : [`${key} ${does}`];
    })
    .join(separator);
}
