/** Key hints in sentences, with the keys that the user has for the actions. */

import type { Explorer } from "../context.ts";
import { ACTIONS, type ActionName } from "./actions.ts";
import { keyLabel } from "./keymap.ts";

/** Returns the label of the key of an action; undefined when it has none. */
export type KeyLabels = (name: ActionName) => string | undefined;

/** An action and what its key does: `["view.refresh", "retry"]`. */
export type KeyHint = readonly [name: ActionName, does: string];

/** The labels of the default keys. */
export const DEFAULT_KEY_LABELS: KeyLabels = (name) => keyLabel(ACTIONS[name].keys[0]);

/** Returns the labels of the keys in use. */
export function keyLabelsOf({ keys, services }: Pick<Explorer, "keys" | "services">): KeyLabels {
  return (name) => {
    const key = keys.keyOf(name);
    return key === undefined ? undefined : keyLabel(key, services.unicode);
  };
}

/** Formats hints as `K enter a key · r retry`; actions without a key are omitted. */
export function formatKeyHints(keyOf: KeyLabels, hints: readonly KeyHint[], separator = " · "): string {
  return hints
    .flatMap(([name, does]) => {
      const key = keyOf(name);
      return key === undefined ? [] : [`${key} ${does}`];
    })
    .join(separator);
}
