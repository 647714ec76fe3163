/** The mouse, as terminals report it (SGR, mode 1006). */
import type { MouseEvent } from "../app/keys/keymap.ts";

const REPORT = /^\[<(\d+);(\d+);(\d+)([Mm])$/;
const EVENTS: Readonly<Record<string, MouseEvent["type"]>> = { "0": "click", "64": "up", "65": "down" };

/** Switches the reports on and off. */
export const MOUSE_ON = "\u001B[?1000h\u001B[?1006h";
export const MOUSE_OFF = "\u001B[?1006l\u001B[?1000l";

/** The event of a report, with its place in the body; undefined for keys. A report of no interest is a click nowhere. */
export function parseMouseReport(input: string, bodyTop: number): MouseEvent | undefined {
  const [, button = "", x, y, end] = REPORT.exec(input) ?? [];
  if (end === undefined) return undefined;
  const type = EVENTS[button];
  if (type === undefined || end === "m") return { type: "click", x: -1, y: -1 };
  return { type, x: Number(x) - 1, y: Number(y) - 1 - bodyTop };
}
