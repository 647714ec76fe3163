/** A command line for reading: broken so that a shell that gets the lines reads them as one. */
import { sliceWidth, textWidth } from "../../output/text/width.ts";
import { type TextLine, textLine } from "../app/theme/text-line.ts";
import type { ViewCommand } from "./view-command.ts";

/** A word of a shell line, quotes and all, with the spaces after it. */
const WORD = /(?:\\.|'[^']*'|[^\s'])+\s*/g;
const GOES_ON = "\\";
/** Cells that a line leaves free: for the space after its last word, and the sign that it goes on. */
const FREE = 2;

/** Breaks a command line into lines of at most `width` cells, between words where it can. */
export function brokenCommand(command: string, width: number): readonly string[] {
  const room = Math.max(1, width - FREE);
  const lines: string[] = [""];
  const put = (piece: string) => {
    const last = lines.at(-1) ?? "";
    if (last === "" || textWidth(last + piece.trimEnd()) <= room) lines[lines.length - 1] = last + piece;
    else lines.push(piece);
  };
  for (const word of command.match(WORD) ?? []) {
    let rest = word;
    while (textWidth(rest.trimEnd()) > room) {
      const piece = sliceWidth(rest, room);
      if (piece === "") break;
      if (lines.at(-1) !== "") lines.push("");
      put(piece);
      rest = rest.slice(piece.length);
    }
    put(rest);
  }
  return lines.map((one, index) => (index === lines.length - 1 ? one.trimEnd() : one + GOES_ON));
}

/** What a popup shows of a command: the line as it is copied, and what it leaves to the screen. */
export function commandLines(
  command: string,
  { local, jq }: Omit<ViewCommand, "words">,
  width: number,
): readonly TextLine[] {
  const notes = [
    ...local.map((one) => `# Only on the screen: ${one}`),
    ...(jq === undefined ? [] : [`# The same as JSON: add --jq '${jq}'`]),
  ];
  return [
    ...brokenCommand(command, width).map((text) => textLine(text)),
    ...(notes.length > 0 ? [textLine("")] : []),
    ...notes.map((text) => textLine(text, "note")),
  ];
}
