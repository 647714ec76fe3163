/** The copy menu. */
import { useState } from "react";
import { pad, textWidth } from "../../output/index.ts";
import { Popup } from "../frame/popup.tsx";
import { useBindings, useExplorer } from "../navigation/context.ts";
import { menuLine, menuMouse } from "../navigation/pointer/menu.ts";
import { span, type TextLine } from "../navigation/theme/text-line.ts";
import { wrapIndex } from "../widgets/viewport.ts";
import { type CopyChoice, listCopyChoices } from "./copy-choices.ts";
import { copyText } from "./copy-text.ts";
import { copySources, currentView } from "./current-view.ts";

/** Returns the lines of the menu: keys and labels, with the cursor line highlighted. */
function menuLines(choices: readonly CopyChoice[], at: number): readonly TextLine[] {
  const width = Math.max(0, ...choices.map(({ label }) => textWidth(label))) + 1;
  return choices.map(({ key, label }, index) =>
    menuLine([span(` ${key}  `, "hotkey"), span(pad(label, width))], index, index === at),
  );
}

/** Lists what can be copied from the view that was on the screen when the menu was opened. */
export function CopyMenu() {
  const explorer = useExplorer();
  const [choices] = useState(() => {
    const view = currentView(explorer);
    return listCopyChoices(view.route, view.subject, copySources(explorer, view));
  });
  const [at, setAt] = useState(0);
  const move = (by: number) => setAt((before) => wrapIndex(before, by, choices.length));
  const copy = (choice: CopyChoice | undefined) => {
    if (choice) void copyText(explorer, choice.description, choice.text);
  };
  useBindings(
    "overlay",
    [
      { keys: ["enter"], label: "copy", group: "data", hint: 1, run: () => copy(choices[at]) },
      { keys: ["down", "ctrl+n"], label: "down", group: "move", run: () => move(1) },
      { keys: ["up", "ctrl+p"], label: "up", group: "move", run: () => move(-1) },
      ...choices.map((choice) => ({
        keys: [choice.key],
        label: choice.label,
        group: "data" as const,
        run: () => copy(choice),
      })),
      { keys: ["esc", "q", "c"], label: "close", group: "go", hint: 2, run: explorer.closePopup },
    ],
    { modal: true },
  );
  const onMouse = menuMouse(move, (index) => copy(choices[index]));
  return <Popup title="Copy" lines={menuLines(choices, at)} onMouse={onMouse} />;
}
