/** A window of tmux that runs solx, and its screens. */
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const BIN = fileURLToPath(new URL("../../bin/solx.js", import.meta.url));
const CLOCK = fileURLToPath(new URL("fixed-clock.js", import.meta.url));
const SOCKET = `solx-captures-${process.pid}`;
const POLL_MS = 60;
const TIMEOUT_MS = 60_000;
/** Number of equal captures in a row after which a screen counts as complete. */
const STABLE_CAPTURES = 6;

const tmux = (...args: readonly string[]) => execFileSync("tmux", ["-L", SOCKET, ...args], { encoding: "utf8" });
const quote = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`;

/** The size of a window in cells. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** A running solx. */
export class Terminal {
  static #count = 0;
  readonly #name = `capture${Terminal.#count++}`;

  /** Creates the ledger of the sandbox, so that no picture shows its progress. */
  static prepare(home: string): void {
    execFileSync(process.execPath, [BIN, "chaininfo", "--sandbox"], { env: { SOLX_HOME: home }, stdio: "ignore" });
  }

  /**
   * Starts solx with the sandbox, a fixed clock and separate settings.
   * @param home a folder for settings, caches and the ledger of the sandbox
   */
  constructor(args: readonly string[], { width, height }: Size, home: string) {
    const env = {
      ...{
        PATH: process.env.PATH ?? "",
        TERM: "xterm-256color",
        COLORTERM: "truecolor",
        COLORFGBG: "15;0",
        LANG: "C.UTF-8",
        TZ: "UTC",
      },
      ...{ HOME: home, SOLX_HOME: home, SOLX_SANDBOX: "on" },
    };
    const words = Object.entries(env).map(([key, value]) => `${key}=${value}`);
    const program = ["env", "-i", ...words, process.execPath, "--import", CLOCK, BIN, ...args].map(quote).join(" ");
    const size = ["-x", String(width), "-y", String(height)];
    const options = ["start-server", ";", "set-option", "-g", "status", "off", ";"];
    tmux("-f", "/dev/null", ...options, "new-session", "-d", "-s", this.#name, ...size, `${program}; cat`);
  }

  /** Presses keys by their names in tmux. */
  press(...keys: readonly string[]): void {
    tmux("send-keys", "-t", this.#name, ...keys);
  }

  /** Types a text. */
  type(text: string): void {
    tmux("send-keys", "-t", this.#name, "-l", "--", text);
  }

  /** Returns the screen with its escape sequences. */
  capture(): string {
    return tmux("capture-pane", "-e", "-p", "-t", this.#name);
  }

  /** Waits until the screen contains a text and no longer changes. Throws after a minute. */
  async waitFor(text: string): Promise<string> {
    const end = performance.now() + TIMEOUT_MS;
    let [last, equal] = ["", 0];
    while (performance.now() < end) {
      const screen = this.capture();
      equal = screen === last ? equal + 1 : 0;
      last = screen;
      const plain = tmux("capture-pane", "-p", "-t", this.#name);
      if (equal >= STABLE_CAPTURES && plain.includes(text) && !plain.includes("Loading…")) return screen;
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    throw new Error(`"${text}" did not appear:\n${tmux("capture-pane", "-p", "-t", this.#name)}`);
  }

  /** Closes the window. */
  close(): void {
    tmux("kill-session", "-t", this.#name);
  }
}

/** Closes all windows. */
export function closeTerminals(): void {
  try {
    execFileSync("tmux", ["-L", SOCKET, "kill-server"], { stdio: "ignore" });
  } catch {
    // No window was opened.
  }
}
