/** Sentences about keys: each names the key that the user has for what it tells of. */

import type { Explorer } from "../context.ts";
import { ACTIONS, type ActionName } from "./actions.ts";
import { shownKey } from "./keymap.ts";

/** The key of an action as people read it; undefined where it has none. */
export type KeyNames = (name: ActionName) => string | undefined;

/** What a key does: `["view.refresh", "tries again"]`. */
export type Deed = readonly [name: ActionName, does: string];

/** The keys that actions have until users choose others. */
export const OWN_KEYS: KeyNames = (name) => shownKey(ACTIONS[name].keys[0]);

/** The keys that actions have now. */
export function keyNamesOf({ keys, services }: Pick<Explorer, "keys" | "services">): KeyNames {
  return (name) => {
    const key = keys.keyOf(name);
    return key === undefined ? undefined : shownKey(key, services.unicode);
  };
}

/** `K enters a key · r tries again`; what no key is for is not told. */
export function keyWords(keyOf: KeyNames, deeds: readonly Deed[], separator = " · "): string {
  return deeds
    .flatMap(([name, does]) => {
      const key = keyOf(name);
      return key === undefined ? [] : [`${key} ${does}`];
    })
    .join(separator);
}
