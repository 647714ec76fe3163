/** Bindings of actions. */
import { ACTIONS, type ActionName } from "./actions.ts";
import type { Binding } from "./keymap.ts";

/** What a binding says besides its action. */
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
