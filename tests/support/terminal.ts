/** A real terminal: solx in a window of tmux. */
import { execFileSync } from "node:child_process";
import { expect } from "vitest";
import { BIN, cleanEnv } from "./solx.ts";

const SOCKET = `solx-test-${process.pid}`;

const tmux = (...args: string[]) => execFileSync("tmux", ["-L", SOCKET, ...args], { encoding: "utf8" });
/** Whether there is a tmux on this machine. */
export const hasTmux = (() => {
  try {
    execFileSync("tmux", ["-V"]);
    return true;
  } catch {
    return false;
  }
})();

/** A terminal of a given size that runs one command, its output in a file where one is named, and stays. */
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
    }: { width?: number; height?: number; env?: Record<string, string | undefined>; stdout?: string } = {},
  ) {
    const words = Object.entries({ ...cleanEnv(env), TERM: "xterm-256color" }).map(([key, value]) => `${key}=${value}`);
    const line = ["env", "-i", ...words, process.execPath, BIN, ...args].map((word) => `'${word}'`).join(" ");
    const into = stdout === undefined ? "" : ` > '${stdout}'`;
    const size = ["-x", String(width), "-y", String(height)];
    tmux("-f", "/dev/null", "new-session", "-d", "-s", this.#name, ...size, `${line}${into}; echo "exit $?"; cat`);
  }

  /** The screen, once it shows what is waited for. */
  async shows(pattern: RegExp): Promise<string> {
    let text = "";
    await expect
      .poll(
        () => {
          text = tmux("capture-pane", "-p", "-t", this.#name);
          return text;
        },
        { timeout: 20_000 },
      )
      .toMatch(pattern);
    return text;
  }

  type(...keys: string[]): void {
    tmux("send-keys", "-t", this.#name, ...keys);
  }
}

/** Ends the windows of a test file. */
export function endTerminals(): void {
  try {
    tmux("kill-server");
  } catch {
    // No test started it.
  }
}
