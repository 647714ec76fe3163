/** Recordings of a terminal session in version 2 of the format of asciinema. */
import type { Size } from "./terminal.ts";

/** A screen with its escape sequences, and the seconds for which it is visible. */
export interface CastFrame {
  readonly capture: string;
  readonly seconds: number;
}

/** Returns a recording that shows one screen after another. */
export function castText(frames: readonly CastFrame[], { width, height }: Size, title: string): string {
  const header = { version: 2, width, height, title, env: { TERM: "xterm-256color" } };
  let time = 0;
  const events = frames.map(({ capture, seconds }) => {
    const lines = capture.split("\n").slice(0, height);
    // Each line is erased to its end before it is written, in the plain style.
    const data = `\u001B[H${lines.map((line) => `\u001B[0m\u001B[2K${line}`).join("\r\n")}\u001B[0m`;
    const event = [Math.round(time * 1000) / 1000, "o", data];
    time += seconds;
    return event;
  });
  const last = [Math.round(time * 1000) / 1000, "o", ""];
  return `${[header, ...events, last].map((line) => JSON.stringify(line)).join("\n")}\n`;
}
