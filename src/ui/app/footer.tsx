/** Footer: hints of the active keys, or a notice about what just happened. */
import { safeText } from "../../output/index.ts";
import { hintLine } from "../frame/hints.ts";
import { FOOT_HEIGHT } from "../frame/layout.ts";
import { Lines } from "../frame/lines.tsx";
import { useActiveBindings, useExplorer } from "../navigation/context.ts";
import { type Role, textLine } from "../navigation/theme/text-line.ts";

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
