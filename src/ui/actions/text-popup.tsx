/** Shows a text over the whole body for manual selection, for when copying fails. */
import { Box } from "ink";
import { useMemo, useState } from "react";
import { safeText, sliceWidth } from "../../output/index.ts";
import { Lines } from "../frame/lines.tsx";
import { useBody } from "../frame/use-body.ts";
import { useBindings, useExplorer } from "../navigation/context.ts";
import type { PopupOf } from "../navigation/popups.ts";
import { textLine } from "../navigation/theme/text-line.ts";

/** Lines of the title and the hint, with the empty lines between. */
const CHROME_LINES = 4;
/** Maximum number of characters in a cell, combining characters included. */
const MAX_CHARACTERS_PER_CELL = 16;

/** Splits a text into safe lines of at most `width` cells, anywhere, so that nothing is added at the breaks. */
export function breakText(text: string, width: number): readonly string[] {
  return text
    .replace(/\n$/, "")
    .split("\n")
    .flatMap((part) => splitLine(safeText(part), Math.max(1, width)));
}

function splitLine(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let at = 0;
  do {
    // Measuring scans its whole input: only as much of a long text as may fit is passed.
    const piece =
      sliceWidth(text.slice(at, at + MAX_CHARACTERS_PER_CELL * width), width) ||
      text.slice(at, at + MAX_CHARACTERS_PER_CELL);
    lines.push(piece);
    at += piece.length;
  } while (at < text.length);
  return lines;
}

/** Shows the text without a border, so that only the text is selected. */
export function TextPopup({ title, text, onCopy }: PopupOf<"text">) {
  const { closePopup } = useExplorer();
  const { width, height } = useBody();
  const [first, setFirst] = useState(0);
  const lines = useMemo(() => breakText(text, width), [text, width]);
  const available = Math.max(1, height - CHROME_LINES);
  const last = Math.max(0, lines.length - available);
  const move = (by: number) => setFirst((at) => Math.max(0, Math.min(last, Math.min(at, last) + by)));
  const from = Math.min(first, last);
  useBindings(
    "overlay",
    [
      { keys: ["esc", "enter", "q", "ctrl+c"], label: "close", group: "go", hint: 2, run: closePopup },
      { keys: ["c"], label: "copy", group: "data", active: onCopy !== undefined, hint: 1, run: () => onCopy?.() },
      { keys: ["down", "j"], label: "down", group: "move", active: last > 0, hint: 3, run: () => move(1) },
      { keys: ["up", "k"], label: "up", group: "move", active: last > 0, hint: 4, run: () => move(-1) },
      { keys: ["pagedown", "space"], label: "page down", group: "move", active: last > 0, run: () => move(available) },
      { keys: ["pageup"], label: "page up", group: "move", active: last > 0, run: () => move(-available) },
    ],
    { modal: true },
  );
  const more = last > 0 ? ` Lines ${from + 1} to ${Math.min(lines.length, from + available)} of ${lines.length}.` : "";
  const content = [
    textLine(title, "warning"),
    textLine(""),
    ...lines.slice(from, from + available).map((one) => textLine(one)),
    textLine(""),
    textLine(`${onCopy ? "c copy, or select" : "Select"} the text with the mouse.${more}`, "note"),
  ];
  return (
    <Box position="absolute">
      <Lines lines={content} width={width} height={height} selectable />
    </Box>
  );
}
