/** Recordings of a terminal session in version 2 of the format of asciinema. */
import { PAGE, type Run, type Scene, type Screen } from "./screen.ts";
import type { Size } from "./terminal.ts";

const ESC = "\u001B[";

/** Returns the parameters of a colour in an SGR sequence. */
const rgb = (kind: 38 | 48, color: string) =>
  `;${kind};2;${[1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16)).join(";")}`;

function drawRun({ column, text, color, background, bold, italic, underline }: Run): string {
  const flags = `${bold ? ";1" : ""}${italic ? ";3" : ""}${underline ? ";4" : ""}`;
  const colors = `${color === PAGE.color ? "" : rgb(38, color)}${background === undefined ? "" : rgb(48, background)}`;
  return `${ESC}${column + 1}G${ESC}0${flags}${colors}m${text}`;
}

/** Returns what draws a screen: each line is erased before it is written. */
export function drawScreen(screen: Screen): string {
  const lines = screen.map((runs, at) => `${ESC}${at + 1};1H${ESC}0m${ESC}2K${runs.map(drawRun).join("")}`);
  return `${lines.join("")}${ESC}0m`;
}

/** Returns a recording that shows one screen after another. */
export function castText(scenes: readonly Scene[], size: Size, title: string): string {
  const header = { version: 2, ...size, title, env: { TERM: "xterm-256color" } };
  let time = 0;
  const events = scenes.map(({ screen, seconds }) => {
    const event = [Math.round(time * 1000) / 1000, "o", drawScreen(screen)];
    time += seconds;
    return event;
  });
  const last = [Math.round(time * 1000) / 1000, "o", ""];
  return `${[header, ...events, last].map((line) => JSON.stringify(line)).join("\n")}\n`;
}

/** Returns what a recording draws, screen by screen. */
export function readCast(text: string): readonly string[] {
  const events = text.trim().split("\n").slice(1);
  return events.map((event) => JSON.parse(event)[2]);
}
