/** What the foot says: hints for the keys that do something now. No React here. */

import { type Binding, shownKey } from "./keys/keymap.ts";
import { between, type Line, span, widthOf } from "./theme/text-line.ts";

const GAP = 2;

/** The hint of a binding: its key and what it does. */
function hintOf({ keys, label }: Binding, unicode: boolean): Line {
  return [span(shownKey(keys[0] ?? "", unicode), "hotkey"), span(` ${label}`, "note")];
}

/** A hint at its place in the line. */
interface Placed {
  readonly binding: Binding;
  readonly hint: Line;
  readonly from: number;
}

/**
 * Hints that fit, the most important first. The key for help stays at the right end however little room there is: it
 * lists the others.
 */
function placedHints(bindings: readonly Binding[], width: number, unicode: boolean) {
  const wanted = bindings.filter(({ hint }) => hint !== undefined).sort((a, b) => (a.hint ?? 0) - (b.hint ?? 0));
  const help = wanted.find(({ name }) => name === "solx.help");
  const right = help === undefined ? [] : hintOf(help, unicode);
  const left: Placed[] = [];
  let at = 0;
  for (const binding of wanted) {
    if (binding === help) continue;
    const hint = hintOf(binding, unicode);
    const size = widthOf(hint) + GAP;
    if (size > width - widthOf(right) - at) break;
    left.push({ binding, hint, from: at });
    at += size;
  }
  return { left, right: help && { binding: help, hint: right, from: width - widthOf(right) } };
}

/** The hints in exactly `width` cells. */
export function hintLine(bindings: readonly Binding[], width: number, unicode: boolean): Line {
  const { left, right } = placedHints(bindings, width, unicode);
  const spans = left.flatMap(({ hint }): Line => [...hint, span(" ".repeat(GAP))]);
  return between(spans, right?.hint ?? [], width);
}

/** The binding whose hint is at a cell of the line. */
export function hintAt(bindings: readonly Binding[], width: number, unicode: boolean, x: number): Binding | undefined {
  const { left, right } = placedHints(bindings, width, unicode);
  const all = right ? [...left, right] : left;
  return all.find(({ hint, from }) => x >= from && x < from + widthOf(hint))?.binding;
}
