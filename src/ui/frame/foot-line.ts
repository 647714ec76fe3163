/** What the foot says: hints for the keys that do something now. No React here. */

import { type Binding, shownKey } from "./keys.ts";
import { between, type Line, span, widthOf } from "./line.ts";

const GAP = 2;

/** The hint of a binding: its key and what it does. */
function hintOf({ keys, label }: Binding, unicode: boolean): Line {
  return [span(shownKey(keys[0] ?? "", unicode), "hotkey"), span(` ${label}`, "note")];
}

/**
 * Hints that fit, the most important first, in exactly `width` cells. The key for help stays at the right end however
 * little room there is: it lists the others.
 */
export function hintLine(bindings: readonly Binding[], width: number, unicode: boolean): Line {
  const wanted = bindings.filter(({ hint }) => hint !== undefined).sort((a, b) => (a.hint ?? 0) - (b.hint ?? 0));
  const help = wanted.find(({ keys }) => keys.includes("?"));
  const right = help === undefined ? [] : hintOf(help, unicode);
  const left: Line[] = [];
  let room = width - widthOf(right);
  for (const binding of wanted) {
    if (binding === help) continue;
    const hint = hintOf(binding, unicode);
    const size = widthOf(hint) + GAP;
    if (size > room) break;
    room -= size;
    left.push([...hint, span(" ".repeat(GAP))]);
  }
  return between(left.flat(), right, width);
}
