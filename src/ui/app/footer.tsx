/** Footer: hints of the active keys, or a notice about what just happened. */
import { safeText } from "../../output/index.ts";
import { useActiveBindings, useExplorer } from "./context.ts";
import { type Binding, keyLabel } from "./keys/keymap.ts";
import { FOOT_HEIGHT } from "./layout.ts";
import { Lines } from "./lines.tsx";
import type { Role } from "./theme/text-line.ts";
import { joinEnds, lineWidth, span, type TextLine, textLine } from "./theme/text-line.ts";

const GAP = 2;

/** Returns the hint of a binding: its key and its label. */
function hintSpans({ keys, label }: Binding, unicode: boolean): TextLine {
  return [span(keyLabel(keys[0] ?? "", unicode), "hotkey"), span(` ${label}`, "note")];
}

/** A hint with its column in the line. */
interface PlacedHint {
  readonly binding: Binding;
  readonly hint: TextLine;
  readonly from: number;
}

/**
 * Returns the hints that fit, in order of importance. The hint for help is always shown at the right end, since help
 * lists all other keys.
 */
function placeHints(bindings: readonly Binding[], width: number, unicode: boolean) {
  const candidates = bindings.filter(({ hint }) => hint !== undefined).sort((a, b) => (a.hint ?? 0) - (b.hint ?? 0));
  const help = candidates.find(({ name }) => name === "solx.help");
  const right = help === undefined ? [] : hintSpans(help, unicode);
  const left: PlacedHint[] = [];
  let at = 0;
  for (const binding of candidates) {
    if (binding === help) continue;
    const hint = hintSpans(binding, unicode);
    const size = lineWidth(hint) + GAP;
    if (size > width - lineWidth(right) - at) break;
    left.push({ binding, hint, from: at });
    at += size;
  }
  return { left, right: help && { binding: help, hint: right, from: width - lineWidth(right) } };
}

/** Returns the hints as a line of exactly `width` cells. */
export function hintLine(bindings: readonly Binding[], width: number, unicode: boolean): TextLine {
  const { left, right } = placeHints(bindings, width, unicode);
  const spans = left.flatMap(({ hint }): TextLine => [...hint, span(" ".repeat(GAP))]);
  return joinEnds(spans, right?.hint ?? [], width);
}

/** Returns the binding whose hint is at column `x`. */
export function hintAt(bindings: readonly Binding[], width: number, unicode: boolean, x: number): Binding | undefined {
  const { left, right } = placeHints(bindings, width, unicode);
  const all = right ? [...left, right] : left;
  return all.find(({ hint, from }) => x >= from && x < from + lineWidth(hint))?.binding;
}

/** A notice in the footer. */
export interface Toast {
  readonly text: string;
  readonly role: Role | undefined;
}

/** The footer: key hints, or a notice. */
export function Footer({ width, toast }: { width: number; toast: Toast | undefined }) {
  const { services } = useExplorer();
  const bindings = useActiveBindings();
  const content = toast ? textLine(safeText(toast.text), toast.role) : hintLine(bindings, width, services.unicode);
  return <Lines lines={[content]} width={width} height={FOOT_HEIGHT} />;
}
