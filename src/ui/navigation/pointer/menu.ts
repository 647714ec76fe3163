/** Rows that are chosen with the mouse, as in menus and forms. */
import type { MouseEvent } from "../../terminal/mouse.ts";
import type { Span, TextLine } from "../theme/text-line.ts";
import type { MouseHandler } from "./pointer.ts";

/** Returns the line of a choice: it stands for its index, and is highlighted when it is selected. */
export function menuLine(line: TextLine, index: number, isSelected: boolean): TextLine {
  return line.map((one): Span => ({ ...one, hit: index, ...(isSelected && { cursor: "row" as const }) }));
}

/** Returns the mouse handler of choices: the wheel moves the cursor, a click chooses what it hits. */
export function menuMouse<Hit extends string | number = number>(
  move: (by: 1 | -1) => void,
  choose: (hit: Hit) => void,
): MouseHandler {
  return ({ type, hit }: MouseEvent) => {
    if (type === "up" || type === "down") move(type === "down" ? 1 : -1);
    else if (type === "click" && hit !== undefined) choose(hit as Hit);
  };
}
