/** Runs the explorer in a window of tmux, and captures and checks its screens. */
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { BIN, cleanEnv } from "./solx.ts";
import { endTmux, TMUX_OPTIONS } from "./terminal.ts";
import { WAIT } from "./wait-for.ts";

const SOCKET = `solx-tour-${process.pid}`;
const POLL_MS = 40;
const PALETTE = /─ go to ─/;
/** Number of cells at the end of a text that are visible in an input field of any width. */
const VISIBLE_TAIL = 20;
/** Tabs after these are opened with Tab. */
const MAX_TAB_NUMBER = 9;
/** Separates the parts of the output of one tmux call. */
const MARK = "\u241E";
/** Folder in which screens are saved for inspection, if set. */
const SCREENSHOT_FOLDER = process.env.SOLX_TOUR_SCREENS;

/** The size of a window in cells. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The content and state of a window at one time. */
export interface Screenshot extends Size {
  /** Lines of the screen without trailing spaces. */
  readonly lines: readonly string[];
  /** The screen as one text. */
  readonly text: string;
  /** The screen with escape sequences for colors. */
  readonly styled: string;
  /** Number of lines, with lines wrapped by the terminal counted once. */
  readonly joined: number;
  readonly alternate: boolean;
  /** Number of lines scrolled out of the window. */
  readonly history: number;
  readonly title: string;
  readonly bell: boolean;
}

const tmux = (...args: string[]) => execFileSync("tmux", ["-L", SOCKET, ...args], { encoding: "utf8" });

/** Environment variables of a window. */
type TourEnvironment = Readonly<Record<string, string | undefined>>;

/** A window that runs the explorer. */
export class Tour {
  static #count = 0;
  readonly #name = `tour${Tour.#count++}`;
  #shots = 0;

  /** @param folder the working directory */
  constructor(args: readonly string[], { width, height }: Size, env: TourEnvironment = {}, folder = ".") {
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
      "-c",
      resolve(folder),
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

  /** Pastes a text, as a terminal does. */
  paste(text: string): void {
    tmux("set-buffer", "-b", this.#name, "--", text);
    tmux("paste-buffer", "-p", "-b", this.#name, "-t", this.#name);
  }

  /** Opens a page through the palette. */
  async open(text: string, waitFor: RegExp): Promise<Screenshot> {
    await this.palette(text);
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

  /** Opens the palette and types a text. */
  async palette(text: string): Promise<void> {
    this.press(":");
    await this.waitFor(PALETTE);
    this.write(text);
    await this.waitFor(typed(text));
  }

  /** Opens a tab and waits for its content; a tab without a number follows the open one. */
  async tab(number: number, name: string, waitFor?: RegExp): Promise<Screenshot> {
    const hasNumber = number <= MAX_TAB_NUMBER;
    this.press(hasNumber ? String(number) : "Tab");
    return this.until(
      (capture) => [
        // The number of an inactive tab has a different color.
        ...(!hasNumber || capture.styled.includes(`${number} ${name}`) ? [] : [`tab ${name} is not open`]),
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

  /** Captures the window until no problems are found; otherwise fails with the last screen and its problems. */
  async until(findProblems: (capture: Screenshot) => readonly string[], name: string): Promise<Screenshot> {
    const end = Date.now() + WAIT / 2;
    for (;;) {
      const capture = this.capture();
      const problems = findProblems(capture);
      if (problems.length === 0) return this.#save(capture, name);
      if (Date.now() > end) throw new Error([`${name}: ${problems.join("; ")}`, capture.text].join("\n"));
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }

  /** Waits until the screen matches a pattern and has no layout problems. */
  waitFor(pattern: RegExp, name = String(pattern)): Promise<Screenshot> {
    return this.until((capture) => [...missingPattern(capture, pattern), ...findLayoutProblems(capture)], name);
  }

  /** Waits until the screen no longer matches a pattern. */
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

  #save(capture: Screenshot, name: string): Screenshot {
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

/** Returns a pattern for the input line of the palette with a text. */
const typed = (text: string) => new RegExp(`│ .*[›▸].*${text.slice(-VISIBLE_TAIL)} *│`);

const linesOf = (text: string) => text.replace(/\n$/, "").split("\n");

const missingPattern = ({ text }: Screenshot, pattern: RegExp) =>
  pattern.test(text) ? [] : [`${pattern} is not there`];

/** Text that no screen may contain: unformatted values and replacement characters. */
const FORBIDDEN_TEXT = /\bundefined\b|(?<!!= )\bnull\b|\bNaN\b|\[object \w+\]|\uFFFD/;
/** Text of screens that are still loading. */
const PENDING = /Loading…|Refreshing…/;

/** Returns the layout rules that a screen violates. */
export function findLayoutProblems(screenshot: Screenshot): readonly string[] {
  const { lines, text, joined, width, height } = screenshot;
  const foot = lines.findLastIndex((line) => line.trim() !== "");
  const check = (isMet: boolean, words: string) => (isMet ? [] : [words]);
  // A program of jq compares with null.
  const values = text.replace(/--jq .*/g, "");
  return [
    ...check(/^solx /.test(lines[0] ?? ""), "the first line is not the header"),
    ...check(foot >= height - 2, "the screen does not reach the bottom of the window"),
    ...check(/(^| )(Enter|Esc|\?|Space|Tab) [a-z]/.test(lines[foot] ?? ""), "the last line contains no key"),
    ...check(
      lines.length === height && joined === height,
      `${joined} lines in a window of ${width}×${height}: wrapped`,
    ),
    ...check(screenshot.alternate, "it is not on the alternate screen"),
    ...check(screenshot.history === 0, `${screenshot.history} lines were scrolled out of the window`),
    ...check(!FORBIDDEN_TEXT.test(values), `it shows ${FORBIDDEN_TEXT.exec(values)?.[0]}`),
    ...check(!PENDING.test(text), "it is still loading"),
    ...check(!screenshot.bell, "it rang the bell"),
  ];
}

/** Closes the windows of a test file. */
export const closeTours = () => endTmux(SOCKET);
