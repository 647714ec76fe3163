/** Runs solx in a real terminal: a window of tmux. */
import { execFileSync, spawnSync } from "node:child_process";
import { expect } from "vitest";
import { BIN, cleanEnv, splitAssignments } from "./solx.ts";
import { waitFor } from "./wait-for.ts";

const SOCKET = `solx-test-${process.pid}`;

/** Keeps the tmux server running without windows; otherwise it might exit just as the next window is opened. */
export const TMUX_OPTIONS = ["start-server", ";", "set-option", "-s", "exit-empty", "off", ";"];

const tmux = (...args: string[]) => execFileSync("tmux", ["-L", SOCKET, ...args], { encoding: "utf8" });

/** The state of a terminal. */
export interface TerminalState {
  readonly alternate: boolean;
  readonly cursor: boolean;
  readonly mouse: boolean;
}

/**
 * A terminal of a given size that runs one command and stays open, with standard output in a file if one is given; or a
 * shell with job control in which the command is typed.
 */
export class Terminal {
  static #count = 0;
  readonly #name = `t${Terminal.#count++}`;

  constructor(
    args: readonly string[],
    {
      width = 100,
      height = 30,
      env = {},
      stdout,
      shell = false,
      program,
    }: {
      width?: number;
      height?: number;
      env?: Record<string, string | undefined>;
      stdout?: string;
      shell?: boolean;
      /** A program to run in place of solx. */
      program?: readonly string[];
    } = {},
  ) {
    const split = splitAssignments(args, env);
    const words = Object.entries({ TERM: "xterm-256color", ...cleanEnv(split.env) }).map(
      ([key, value]) => `${key}=${value}`,
    );
    const quoted = (all: readonly string[]) => all.map((word) => `'${word}'`).join(" ");
    const command = quoted(program ?? [process.execPath, BIN, ...split.args]);
    const redirect = stdout === undefined ? "" : ` > '${stdout}'`;
    const size = ["-x", String(width), "-y", String(height)];
    const clean = quoted(["env", "-i", ...words]);
    const line = shell
      ? `${clean} PS1='$ ' bash --norc --noprofile -i`
      : `${clean} ${command}${redirect}; echo "exit $?"; cat`;
    tmux("-f", "/dev/null", ...TMUX_OPTIONS, "new-session", "-d", "-s", this.#name, ...size, line);
    // Input typed before the prompt appears is buffered.
    if (shell) this.type(`${command}; echo "exit $?"`, "Enter");
  }

  /** Waits until the screen matches a pattern, and returns it. */
  async waitFor(pattern: RegExp): Promise<string> {
    let text = "";
    await expect
      .poll(() => {
        text = tmux("capture-pane", "-p", "-t", this.#name);
        return text;
      })
      .toMatch(pattern);
    return text;
  }

  type(...keys: string[]): void {
    tmux("send-keys", "-t", this.#name, ...keys);
  }

  /** Waits until a text is on the screen, and clicks its first character. */
  async click(text: string): Promise<void> {
    const lines = (await this.waitFor(new RegExp(text.replace(/\W/gu, "\\$&")))).split("\n");
    const row = lines.findIndex((line) => line.includes(text));
    const at = `0;${(lines[row] ?? "").indexOf(text) + 1};${row + 1}`;
    this.type("-l", `\u001B[<${at}M\u001B[<${at}m`);
  }

  /** Pastes a text, with bracketed paste if the program enabled it. */
  paste(text: string): void {
    tmux("set-buffer", "-b", this.#name, "--", text);
    tmux("paste-buffer", "-p", "-b", this.#name, "-t", this.#name);
  }

  resize(width: number, height: number): void {
    tmux("resize-window", "-t", this.#name, "-x", String(width), "-y", String(height));
  }

  /** Returns the current screen. */
  screen(): string {
    return tmux("capture-pane", "-p", "-t", this.#name);
  }

  state(): TerminalState {
    const format = "#{alternate_on} #{cursor_flag} #{mouse_standard_flag}";
    const [alternate, cursor, mouse] = tmux("display-message", "-p", "-t", this.#name, format)
      .trim()
      .split(" ")
      .map((flag) => flag === "1");
    return { alternate: alternate === true, cursor: cursor === true, mouse: mouse === true };
  }

  /** Returns the process id of solx, a child of the shell of the window. */
  pid(): number {
    const shell = tmux("display-message", "-p", "-t", this.#name, "#{pane_pid}").trim();
    return Number(execFileSync("pgrep", ["-P", shell], { encoding: "utf8" }).trim().split("\n")[0]);
  }

  /** Closes the window, as its close button does. */
  close(): void {
    tmux("kill-session", "-t", this.#name);
  }
}

/** Ends a tmux server, if it runs, and waits until what ran in its windows has ended and writes no files any more. */
export async function endTmux(socket: string): Promise<void> {
  // Without tmux, whose tests were skipped, there is no output.
  const run = (...args: string[]) => spawnSync("tmux", ["-L", socket, ...args], { encoding: "utf8" }).stdout ?? "";
  const sessions = run("list-panes", "-a", "-F", "#{pane_pid}").trim().replaceAll("\n", ",");
  run("kill-server");
  if (sessions === "") return;
  await waitFor(() => {
    // The status of pgrep is 1 when no process matches.
    if (spawnSync("pgrep", ["-s", sessions]).status !== 1)
      throw new Error(`Processes of the sessions ${sessions} run.`);
  });
}

/** Closes the windows of a test file. */
export const closeTerminals = () => endTmux(SOCKET);
