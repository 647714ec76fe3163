/** The explorer in a window of tmux, looked at closely: the screen as drawn, as the terminal joined it, and its state. */
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BIN, cleanEnv } from "./solx.ts";
import { TMUX_OPTIONS } from "./terminal.ts";

const SOCKET = `solx-tour-${process.pid}`;
const WAIT_MS = 40_000;
const POLL_MS = 40;
const PALETTE = /─ go to ─/;
/** Cells of a text that are in sight at the end of any line. */
const VISIBLE_TAIL = 20;
/** Divides the parts of what one call of tmux prints. */
const MARK = "\u241E";
/** Where the screens are written for a person to read; nowhere unless it is set. */
const SCREENSHOT_FOLDER = process.env.SOLX_TOUR_SCREENS;

/** A size of a window in cells. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** One look at a window: everything at the same moment. */
export interface Screenshot extends Size {
  /** The lines of the screen, without the spaces at their ends. */
  readonly lines: readonly string[];
  /** The screen in one text. */
  readonly text: string;
  /** The screen with its colours as escape sequences. */
  readonly styled: string;
  /** Lines where those that the terminal wrapped count as one. */
  readonly joined: number;
  readonly alternate: boolean;
  /** Lines that were scrolled out of the window. */
  readonly history: number;
  readonly title: string;
  readonly bell: boolean;
}

const tmux = (...args: string[]) => execFileSync("tmux", ["-L", SOCKET, ...args], { encoding: "utf8" });

/** A window with the explorer in it. */
export class Tour {
  static #count = 0;
  readonly #name = `tour${Tour.#count++}`;
  #shots = 0;

  constructor(args: readonly string[], { width, height }: Size, env: Record<string, string | undefined> = {}) {
    const words = Object.entries({ TERM: "xterm-256color", LANG: "C.UTF-8", ...cleanEnv(env) });
    const quoted = [...words.map(([key, value]) => `${key}=${value}`), process.execPath, BIN, ...args]
      .map((word) => `'${word}'`)
      .join(" ");
    const size = ["-x", String(width), "-y", String(height)];
    tmux(
      "-f",
      "/dev/null",
      ...TMUX_OPTIONS,
      "new-session",
      "-d",
      "-s",
      this.#name,
      ...size,
      `env -i ${quoted}; echo "exit $?"; cat`,
    );
  }

  /** Presses keys by their names in tmux. */
  press(...keys: string[]): void {
    tmux("send-keys", "-t", this.#name, ...keys);
  }

  /** Types a text. */
  write(text: string): void {
    tmux("send-keys", "-t", this.#name, "-l", "--", text);
  }

  /** Opens what a text means through the palette. */
  async open(text: string, waitFor: RegExp): Promise<Screenshot> {
    await this.palette(text);
    return this.#entered(waitFor, text);
  }

  /** Opens through the palette what asks for an identifier. */
  async openWithId(text: string, id: string, waitFor: RegExp): Promise<Screenshot> {
    await this.palette(text);
    this.press("Enter");
    await this.waitFor(new RegExp(`│ ${text} ▸ \\w+`));
    // An identifier that is at hand may stand in the line.
    this.press("C-u");
    this.write(id);
    await this.waitFor(typed(id));
    return this.#entered(waitFor, text);
  }

  #entered(waitFor: RegExp, name: string): Promise<Screenshot> {
    this.press("Enter");
    return this.until(
      (capture) => [
        ...(PALETTE.test(capture.text) ? ["the palette is still there"] : []),
        ...missingPattern(capture, waitFor),
        ...findLayoutProblems(capture),
      ],
      name,
    );
  }

  /** Opens the palette and writes a text into it. */
  async palette(text: string): Promise<void> {
    this.press(":");
    await this.waitFor(PALETTE);
    this.write(text);
    await this.waitFor(typed(text));
  }

  /** The tab of a number and name, once it is the open one and its content is there. */
  async tab(number: number, name: string, waitFor?: RegExp): Promise<Screenshot> {
    this.press(String(number));
    return this.until(
      (capture) => [
        // The number of a closed tab has a colour of its own.
        ...(capture.styled.includes(`${number} ${name}`) ? [] : [`tab ${name} is not open`]),
        ...(waitFor ? missingPattern(capture, waitFor) : []),
        ...findLayoutProblems(capture),
      ],
      name,
    );
  }

  resize({ width, height }: Size): void {
    tmux("resize-window", "-t", this.#name, "-x", String(width), "-y", String(height));
  }

  capture(): Screenshot {
    const pane = ["-t", this.#name];
    const flags = "#{alternate_on} #{history_size} #{pane_width} #{pane_height} #{window_bell_flag} #{pane_title}";
    const mark = [";", "display-message", "-p", ...pane, MARK, ";"];
    const [text = "", joined = "", styled = "", state = ""] = tmux(
      ...["capture-pane", "-p", ...pane, ...mark],
      ...["capture-pane", "-pJ", ...pane, ...mark],
      ...["capture-pane", "-pe", ...pane, ...mark],
      ...["display-message", "-p", ...pane, flags],
    ).split(`${MARK}\n`);
    const [alternate, history, width, height, bell, ...title] = state.trim().split(" ");
    return {
      text,
      styled,
      lines: linesOf(text),
      joined: linesOf(joined).length,
      alternate: alternate === "1",
      history: Number(history),
      width: Number(width),
      height: Number(height),
      bell: bell === "1",
      title: title.join(" "),
    };
  }

  /** The first look that has everything that is waited for; fails with the last one and what it lacks. */
  async until(findProblems: (capture: Screenshot) => readonly string[], name: string): Promise<Screenshot> {
    const end = Date.now() + WAIT_MS;
    for (;;) {
      const capture = this.capture();
      const problems = findProblems(capture);
      if (problems.length === 0) return this.#kept(capture, name);
      if (Date.now() > end) throw new Error([`${name}: ${problems.join("; ")}`, capture.text].join("\n"));
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }

  /** The screen once it shows what is waited for and keeps the laws of every screen. */
  waitFor(pattern: RegExp, name = String(pattern)): Promise<Screenshot> {
    return this.until((capture) => [...missingPattern(capture, pattern), ...findLayoutProblems(capture)], name);
  }

  /** The screen once it no longer shows something. */
  waitUntilGone(pattern: RegExp): Promise<Screenshot> {
    return this.until(
      (capture) => [
        ...(pattern.test(capture.text) ? [`${pattern} is still there`] : []),
        ...findLayoutProblems(capture),
      ],
      `without ${pattern}`,
    );
  }

  close(): void {
    tmux("kill-session", "-t", this.#name);
  }

  #kept(capture: Screenshot, name: string): Screenshot {
    if (SCREENSHOT_FOLDER !== undefined) {
      const folder = join(SCREENSHOT_FOLDER, this.#name);
      mkdirSync(folder, { recursive: true });
      const number = String(this.#shots++).padStart(2, "0");
      writeFileSync(
        join(folder, `${number}-${capture.width}x${capture.height}-${name.replace(/\W+/g, "-")}.txt`),
        capture.text,
      );
    }
    return capture;
  }
}

/** The line of the palette when a text is in it. */
const typed = (text: string) => new RegExp(`│ .*[›▸].*${text.slice(-VISIBLE_TAIL)} *│`);

const linesOf = (text: string) => text.replace(/\n$/, "").split("\n");

const missingPattern = ({ text }: Screenshot, pattern: RegExp) =>
  pattern.test(text) ? [] : [`${pattern} is not there`];

/** What no screen may show: values that were never meant for people, and signs for bytes that could not be read. */
const FORBIDDEN_TEXT = /\bundefined\b|(?<!!= )\bnull\b|\bNaN\b|\[object \w+\]|\uFFFD/;
/** What is on the way: a screen that still has it is not yet looked at. */
const PENDING = /Loading…|Asking again…/;

/** The laws of every screen that this one breaks. */
export function findLayoutProblems(screenshot: Screenshot): readonly string[] {
  const { lines, text, joined, width, height } = screenshot;
  const foot = lines.findLastIndex((line) => line.trim() !== "");
  const check = (isMet: boolean, words: string) => (isMet ? [] : [words]);
  return [
    ...check(/^solx /.test(lines[0] ?? ""), "the first line is not the head"),
    ...check(foot >= height - 2, "the frame does not reach the foot of the window"),
    ...check(/(^| )(Enter|Esc|\?|Space|Tab) [a-z]/.test(lines[foot] ?? ""), "the last line tells no key"),
    ...check(
      lines.length === height && joined === height,
      `${joined} lines in a window of ${width}×${height}: wrapped`,
    ),
    ...check(screenshot.alternate, "it is not on the alternate screen"),
    ...check(screenshot.history === 0, `${screenshot.history} lines were scrolled out of the window`),
    ...check(!FORBIDDEN_TEXT.test(text), `it shows ${FORBIDDEN_TEXT.exec(text)?.[0]}`),
    ...check(!PENDING.test(text), "it is still loading"),
    ...check(!screenshot.bell, "it rang the bell"),
  ];
}

/** Ends the windows of a test file. */
export function closeTours(): void {
  try {
    tmux("kill-server");
  } catch {
    // No test started it.
  }
}
