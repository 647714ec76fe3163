/** Hints of keys: what the footer and the border of a popup show. */
import { type Binding, keyLabel } from "../navigation/keys/keymap.ts";
import { joinEnds, lineWidth, type Span, span, type TextLine } from "../navigation/theme/text-line.ts";

const GAP = "  ";

function hintSpans({ keys, label }: Binding, unicode: boolean): TextLine {
  const press = keys[0] ?? "";
  return [
    { ...span(keyLabel(press, unicode), "hotkey"), press },
    { ...span(` ${label}`, "note"), press },
  ];
}

/** Returns the hints that fit into `width` cells, in order of importance. */
export function fittingHints(bindings: readonly Binding[], width: number, unicode: boolean): TextLine {
  const hints: Span[] = [];
  const candidates = bindings.filter(({ hint }) => hint !== undefined).sort((a, b) => (a.hint ?? 0) - (b.hint ?? 0));
  for (const binding of candidates) {
    const hint = [...(hints.length === 0 ? [] : [span(GAP)]), ...hintSpans(binding, unicode)];
    if (lineWidth([...hints, ...hint]) > width) break;
    hints.push(...hint);
  }
  return hints;
}

/** The actions that lead to all others: their hints are always at the right end. */
const PINNED: readonly Binding["name"][] = ["go.search", "solx.help"];

/** Returns the hints that fit as a line of exactly `width` cells. */
export function hintLine(bindings: readonly Binding[], width: number, unicode: boolean): TextLine {
  const isPinned = ({ name, hint }: Binding) => hint !== undefined && PINNED.includes(name);
  const right = fittingHints(bindings.filter(isPinned), width, unicode);
  const others = bindings.filter((binding) => !isPinned(binding));
  const left = fittingHints(others, width - (right.length > 0 ? lineWidth(right) + GAP.length : 0), unicode);
  return joinEnds(left, right, width);
}
