/** Footer: hints of the active keys, or a notice about what just happened. */
import { safeText } from "../../output/index.ts";
import { useActiveBindings, useExplorer } from "./context.ts";
import { type Binding, keyLabel } from "./keys/keymap.ts";
import { FOOT_HEIGHT } from "./layout.ts";
import { Lines } from "./lines.tsx";
import type { Role } from "./theme/text-line.ts";
import { joinEnds, lineWidth, type Span, span, type TextLine, textLine } from "./theme/text-line.ts";

const GAP = 2;

/** Returns the hint of a binding: its key and its label. */
function hintSpans({ keys, label }: Binding, unicode: boolean): TextLine {
  const press = keys[0] ?? "";
  return [
    { ...span(keyLabel(press, unicode), "hotkey"), press },
    { ...span(` ${label}`, "note"), press },
  ];
}

/**
 * Returns the hints that fit, in order of importance, as a line of exactly `width` cells. The hint for help is always
 * shown at the right end, since help lists all other keys.
 */
export function hintLine(bindings: readonly Binding[], width: number, unicode: boolean): TextLine {
  const candidates = bindings.filter(({ hint }) => hint !== undefined).sort((a, b) => (a.hint ?? 0) - (b.hint ?? 0));
  const help = candidates.find(({ name }) => name === "solx.help");
  const right = help === undefined ? [] : hintSpans(help, unicode);
  const left: Span[] = [];
  for (const binding of candidates) {
    if (binding === help) continue;
    const hint = [...hintSpans(binding, unicode), span(" ".repeat(GAP))];
    if (lineWidth([...left, ...hint, ...right]) > width) break;
    left.push(...hint);
  }
  return joinEnds(left, right, width);
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
