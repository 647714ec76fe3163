/** The last line of the watch. */
import { fitted, type Line, line, span, widthOf } from "../app/theme/text-line.ts";
import type { View } from "./watch-lines.ts";

/** Between two hints. */
const GAP = "  ";

/** Keys, the most important first. */
const HINTS: readonly (readonly [key: string, label: string])[] = [
  ["q", "quit"],
  ["?", "help"],
  ["r", "look now"],
  ["+ -", "interval"],
  ["t", "time of chart"],
];

/** As many keys as have room, or a sentence in their place. */
export function hintLine({ toast, width }: Pick<View, "toast" | "width">): Line {
  if (toast !== undefined) return fitted(line(toast, "title"), width);
  const hints = HINTS.map(([key, label], at): Line => {
    return [span(at === 0 ? "" : GAP), span(key, "hotkey"), span(` ${label}`, "note")];
  });
  let room = width;
  const fitting = hints.filter((hint) => {
    room -= widthOf(hint);
    return room >= 0;
  });
  return fitting.flat();
}
