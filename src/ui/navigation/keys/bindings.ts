/** Bindings of actions, and hints of their keys in sentences. */

import type { Explorer } from "../context.ts";
import { ACTIONS, type ActionName } from "./actions.ts";
import { type Binding, keyLabel } from "./keymap.ts";

type BindingOptions = Pick<Binding, "hint" | "active">;

/** Returns the binding of an action: what its keys do where it is active. */
export function bindAction(
  name: ActionName,
  label: string,
  run: Binding["run"],
  options: BindingOptions = {},
): Binding & { readonly name: ActionName } {
  const { group, keys } = ACTIONS[name];
  return { name, group, keys, label, run, ...options };
}

/** Returns the binding that requests the data of a view again. Lists have their own, so it is inactive beside one. */
export const refreshBinding = (run: () => void, active = true): Binding =>
  bindAction("view.refresh", "refresh", run, { hint: 40, active });

/**
 * Returns the binding that switches between a chart and its values.
 * @param label what it switches to
 */
export const valuesBinding = (label: string, run: () => void): Binding =>
  bindAction("chart.numbers", label, run, { hint: 14 });

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
