/** A command line for reading: broken so that a shell that gets the lines reads them as one. */
import { sliceWidth, textWidth } from "../../output/text/width.ts";
import { type TextLine, textLine } from "../app/theme/text-line.ts";
import type { ViewCommand } from "./view-command.ts";

/** A word of a shell line, quotes and all, with the spaces after it. */
const WORD = /(?:\\.|'[^']*'|[^\s'])+\s*/g;
const CONTINUATION = "\\";
/** Cells that a line leaves free: for the space after its last word, and the sign that it goes on. */
const CONTINUATION_WIDTH = 2;

/** Breaks a command line into lines of at most `width` cells, between words where it can. */
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

/** What a popup shows of a command: the line as it is copied, and what it leaves to the screen. */
export function commandLines(
  command: string,
  { local, jq }: Omit<ViewCommand, "args">,
  width: number,
): readonly TextLine[] {
  const notes = [
    ...local.map((one) => `# Only on the screen: ${one}`),
    ...(jq === undefined ? [] : [`# The same as JSON: add --jq '${jq}'`]),
  ];
  return [
    ...wrapCommand(command, width).map((text) => textLine(text)),
    ...(notes.length > 0 ? [textLine("")] : []),
    ...notes.map((text) => textLine(text, "note")),
  ];
}
