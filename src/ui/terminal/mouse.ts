/** Mouse reports of terminals (SGR, mode 1006). */
import type { MouseEvent } from "../app/keys/keymap.ts";

/** An input stream that is read in chunks. */
export interface Readable {
  read: (size?: number) => string | Buffer | null;
}

const REPORTS = /\u001B\[(<\d{1,6};\d{1,6};\d{1,6}[Mm])/g;
const INCOMPLETE = /\u001B(\[(<[\d;]{0,20})?)?$/;
const PASTE = /\u001B\[20([01])~/g;

/**
 * Calls `onReport` with each mouse report, without its escape; ignores pasted text. Returns the function that ends
 * it. Reads the stream before Ink, which drops every escape sequence that is not a key.
 */
export function listenForMouse(stdin: Readable, onReport: (report: string) => void): () => void {
  const { read } = stdin;
  let incomplete = "";
  let isPasted = false;
  const scan = (chunk: string) => {
    const text = incomplete + chunk;
    incomplete = INCOMPLETE.exec(text)?.[0] ?? "";
    // Splitting at the paste markers yields typed and pasted pieces alternately, with the marker's digit between them.
    for (const [at, piece] of text.split(PASTE).entries()) {
      if (at % 2 === 1) isPasted = piece === "0";
      else if (!isPasted) for (const [, report = ""] of piece.matchAll(REPORTS)) onReport(`[${report}`);
    }
  };
  stdin.read = (size?: number) => {
    const chunk: string | Buffer | null = read.call(stdin, size);
    if (chunk !== null) scan(String(chunk));
    return chunk;
  };
  return () => {
    stdin.read = read;
  };
}

const REPORT = /^\[<(\d+);(\d+);(\d+)([Mm])$/;
const EVENTS: Readonly<Record<string, MouseEvent["type"]>> = { "0": "click", "64": "up", "65": "down" };

/** Escape sequence that turns mouse reports on. */
export const MOUSE_ON = "\u001B[?1000h\u001B[?1006h";
/** Escape sequence that turns mouse reports off. */
export const MOUSE_OFF = "\u001B[?1006l\u001B[?1000l";

/** Parses a report; undefined when it is none. Other mouse events are returned as a click outside of the window. */
export function parseMouseReport(input: string, bodyTop: number): MouseEvent | undefined {
  const [, button = "", x, y, end] = REPORT.exec(input) ?? [];
  if (end === undefined) return undefined;
  const type = EVENTS[button];
  if (type === undefined || end === "m") return { type: "click", x: -1, y: -1 };
  return { type, x: Number(x) - 1, y: Number(y) - 1 - bodyTop };
}
