/** The popup with the solx command of a view, wrapped so that a shell reads its lines as one command. */

import { useState } from "react";
import { sliceWidth, textWidth } from "../../output/index.ts";
import { Popup, popupSpace, useBody } from "../frame/popup.tsx";
import { useExplorer, usePopupBindings } from "../navigation/context.ts";
import { type TextLine, textLine } from "../navigation/theme/text-line.ts";
import { commandName, copyText } from "./copy.tsx";
import { commandOf, currentView, type ViewCommand } from "./current-view.ts";

/** A word of a shell command with its quotes and the spaces after it. */
const WORD = /(?:\\.|'[^']*'|[^\s'])+\s*/g;
const CONTINUATION = "\\";
/** Cells left free in a line: for the space after its last word and the backslash. */
const CONTINUATION_WIDTH = 2;

/** Wraps a command into lines of at most `width` cells, between words where possible. */
export function wrapCommand(command: string, width: number): readonly string[] {
  const available = Math.max(1, width - CONTINUATION_WIDTH);
  const lines: string[] = [""];
  const append = (piece: string) => {
    const last = lines.at(-1) ?? "";
    if (last === "" || textWidth(last + piece.trimEnd()) <= available) lines[lines.length - 1] = last + piece;
    else lines.push(piece);
  };
  for (const word of command.match(WORD) ?? []) {
    let rest = word;
    while (textWidth(rest.trimEnd()) > available) {
      const piece = sliceWidth(rest, available);
      if (piece === "") break;
      if (lines.at(-1) !== "") lines.push("");
      append(piece);
      rest = rest.slice(piece.length);
    }
    append(rest);
  }
  return lines.map((one, index) => (index === lines.length - 1 ? one.trimEnd() : one + CONTINUATION));
}

/** Returns the lines of a command in a popup, and notes on what only the screen does. */
function commandLines(command: string, local: ViewCommand["local"], width: number): readonly TextLine[] {
  const notes = local.map((one) => `# only on screen: ${one}`);
  return [
    ...wrapCommand(command, width).map((text) => textLine(text)),
    ...(notes.length > 0 ? [textLine("")] : []),
    ...notes.map((text) => textLine(text, "note")),
  ];
}

/** Shows the command of the view that was on the screen when the popup was opened, and copies it on request. */
export function CommandPopup() {
  const explorer = useExplorer();
  const { services } = explorer;
  const body = useBody();
  const [{ args, local }] = useState(() => commandOf(explorer, currentView(explorer)));
  const text = services.command(args);
  const copy = () => void copyText(explorer, commandName(local), () => text);
  usePopupBindings([
    { keys: ["enter", "c", "!"], label: "copy", hint: 1, run: copy },
    { keys: ["esc", "q"], label: "close", hint: 3, run: explorer.closePopup },
  ]);
  const lines = commandLines(text, local, popupSpace(body).width);
  return <Popup title="solx command of this view" lines={lines} />;
}
