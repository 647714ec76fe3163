/** The foot of the screen: what the keys do now, or a sentence of what just happened. */
import { useActiveBindings } from "./context.ts";
import { shownKey } from "./keys.ts";
import { type Line, span, widthOf } from "./line.ts";
import { Lines } from "./lines.tsx";
import type { Role } from "./theme.ts";

interface Toast {
  readonly text: string;
  readonly role: Role | undefined;
}

export function Foot({ width, toast }: { width: number; toast: Toast | undefined }) {
  const bindings = useActiveBindings();
  if (toast) return <Lines lines={[[span(toast.text, toast.role)]]} width={width} height={1} />;
  const shown = bindings.filter(({ hint }) => hint !== undefined).sort((a, b) => (a.hint ?? 0) - (b.hint ?? 0));
  const hints: Line[] = [];
  let room = width;
  for (const { keys, label } of shown) {
    const hint = [span(shownKey(keys[0] ?? ""), "hotkey"), span(` ${label}  `, "note")];
    room -= widthOf(hint);
    if (room < 0) break;
    hints.push(hint);
  }
  return <Lines lines={[hints.flat()]} width={width} height={1} />;
}
