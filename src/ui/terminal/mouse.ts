/** Mouse reports of terminals (SGR, mode 1006). */
import { interceptInput, type Readable } from "./input.ts";

/** A mouse event: a click with the left button, a turn of the wheel, a movement, or the end of movements. */
export interface MouseEvent {
  readonly type: "click" | "up" | "down" | "move" | "leave";
  /** The cell, counted from the first one of the lines that receive the event. */
  readonly x: number;
  readonly y: number;
  /** The `hit` of the span at the cell. */
  readonly hit?: string | number | undefined;
  /** Whether the left button is held during a movement. */
  readonly isDragging?: boolean | undefined;
  readonly shift?: boolean | undefined;
  readonly alt?: boolean | undefined;
  readonly ctrl?: boolean | undefined;
}

const REPORTS = /\u001B\[(<\d{1,6};\d{1,6};\d{1,6}[Mm])/g;
const INCOMPLETE = /\u001B(\[(<[\d;]{0,20})?)?$/;
const PASTE = /\u001B\[20([01])~/g;

/**
 * Calls `onReport` with each mouse report, without its escape; ignores pasted text. Returns the function that ends
 * it. Reads the stream before Ink, which drops every escape sequence that is not a key.
 */
export function listenForMouse(stdin: Readable, onReport: (report: string) => void): () => void {
  let incomplete = "";
  let isPasted = false;
  return interceptInput(stdin, (chunk) => {
    const text = incomplete + chunk;
    incomplete = INCOMPLETE.exec(text)?.[0] ?? "";
    // Splitting at the paste markers yields typed and pasted pieces alternately, with the marker's digit between them.
    for (const [at, piece] of text.split(PASTE).entries()) {
      if (at % 2 === 1) isPasted = piece === "0";
      else if (!isPasted) for (const [, report = ""] of piece.matchAll(REPORTS)) onReport(`[${report}`);
    }
    return chunk;
  });
}

const REPORT = /^\[<(\d+);(\d+);(\d+)([Mm])$/;

/** A mouse report with its cell in the window, counted from 0. */
export interface MouseReport extends Omit<MouseEvent, "type" | "hit"> {
  /** `left` and `right` are of a horizontal wheel, `back` and `forward` of the buttons at the side. */
  readonly type: Exclude<MouseEvent["type"], "leave"> | "left" | "right" | "back" | "forward" | "release" | "other";
}

/** Bits of the first number of a report; the others are the button. */
const [SHIFT, ALT, CTRL, MOTION] = [4, 8, 16, 32];
const BUTTONS: Readonly<Record<number, MouseReport["type"]>> = {
  0: "click",
  64: "up",
  65: "down",
  66: "left",
  67: "right",
  128: "back",
  129: "forward",
};

/** How much the terminal reports: nothing, buttons and the wheel, or every movement too. */
export type MouseMode = "off" | "buttons" | "motion";

const ENABLE = "\u001B[?1006h";
/** Escape sequences that switch the reports; each mode ends the previous one. */
export const MOUSE_MODES: Readonly<Record<MouseMode, string>> = {
  off: "\u001B[?1006l\u001B[?1003l\u001B[?1000l",
  buttons: `\u001B[?1003l\u001B[?1000h${ENABLE}`,
  motion: `\u001B[?1000l\u001B[?1003h${ENABLE}`,
};

/** Parses a report; undefined when it is none. Other buttons have the type `other`. */
export function parseMouseReport(input: string): MouseReport | undefined {
  const [, bits = "", x, y, end] = REPORT.exec(input) ?? [];
  if (end === undefined) return undefined;
  const code = Number(bits);
  const button = code & ~(SHIFT | ALT | CTRL | MOTION);
  const isMotion = (code & MOTION) !== 0;
  const type = end === "m" ? "release" : isMotion ? "move" : (BUTTONS[button] ?? "other");
  return {
    type,
    x: Number(x) - 1,
    y: Number(y) - 1,
    ...(isMotion && button === 0 && { isDragging: true }),
    ...((code & SHIFT) !== 0 && { shift: true }),
    ...((code & ALT) !== 0 && { alt: true }),
    ...((code & CTRL) !== 0 && { ctrl: true }),
  };
}
