/** Bindings that several views have. */
import { actionBinding } from "./actions.ts";
import type { Binding } from "./keymap.ts";

/** Returns the binding that requests the data of a view again. Lists have their own, so it is inactive beside one. */
export const refreshBinding = (run: () => void, active = true): Binding => ({
  ...actionBinding("view.refresh"),
  label: "refresh",
  group: "data",
  hint: 40,
  active,
  run,
});

/**
 * Returns the binding that switches between a chart and its values.
 * @param label what it switches to
 */
export const valuesBinding = (label: string, run: () => void): Binding => ({
  ...actionBinding("chart.numbers"),
  label,
  group: "view",
  hint: 14,
  run,
});
