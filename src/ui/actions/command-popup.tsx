/** Popup with the solx command of a view. */

import { useState } from "react";
import { Popup, popupSpace } from "../frame/popup.tsx";
import { useBody } from "../frame/use-body.ts";
import { useBindings, useExplorer } from "../navigation/context.ts";
import { commandLines } from "./command-lines.ts";
import { commandName } from "./copy-choices.ts";
import { copyText } from "./copy-text.ts";
import { commandOf, currentView } from "./current-view.ts";

/** Shows the command of the view that was on the screen when the popup was opened, and copies it on request. */
export function CommandPopup() {
  const explorer = useExplorer();
  const { services } = explorer;
  const body = useBody();
  const [{ args, local, jq }] = useState(() => commandOf(explorer, currentView(explorer)));
  const text = services.command(args);
  const copy = (what: string, command: string) => void copyText(explorer, what, () => command);
  useBindings(
    "overlay",
    [
      {
        keys: ["enter", "c", "!"],
        label: "copy",
        group: "data",
        hint: 1,
        run: () => copy(commandName(local), text),
      },
      {
        keys: ["j"],
        label: "copy with jq",
        group: "data",
        hint: 2,
        active: jq !== undefined,
        run: () => copy("the solx command with jq", services.command([...args, "--jq", jq ?? "."])),
      },
      { keys: ["esc", "q"], label: "close", group: "go", hint: 3, run: explorer.closePopup },
    ],
    { modal: true },
  );
  const lines = commandLines(text, { local, jq }, popupSpace(body).width);
  return <Popup title="solx command of this view" lines={lines} />;
}
