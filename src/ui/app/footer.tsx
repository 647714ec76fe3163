/** The foot of the screen: what the keys do now, or a sentence of what just happened. */
import { safeText } from "../../output/text/safe.ts";
import { useActiveBindings, useExplorer } from "./context.ts";
import { hintLine } from "./footer-line.ts";
import { FOOT_HEIGHT } from "./layout.ts";
import { Lines } from "./lines.tsx";
import { line } from "./theme/text-line.ts";
import type { Role } from "./theme/theme.ts";

/** A sentence at the foot. */
export interface Toast {
  readonly text: string;
  readonly role: Role | undefined;
}

export function Foot({ width, toast }: { width: number; toast: Toast | undefined }) {
  const { services } = useExplorer();
  const bindings = useActiveBindings();
  const shown = toast ? line(safeText(toast.text), toast.role) : hintLine(bindings, width, services.unicode);
  return <Lines lines={[shown]} width={width} height={FOOT_HEIGHT} />;
}
