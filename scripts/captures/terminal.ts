/** A window of tmux that runs solx, and its screens. */
import { execFileSync } from "node:child_process";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";

const BIN = fileURLToPath(new URL("../../bin/solx.js", import.meta.url));
const CLOCK = fileURLToPath(new URL("fixed-clock.js", import.meta.url));
/** The time in solx, in milliseconds since the epoch. */
export const NOW = Date.UTC(2026, 0, 15, 12);
/** The environment of a sandbox without new blocks: sums of transfers depend on the seconds that a machine takes else. */
export const STILL_CHAIN = { SOLX_SANDBOX_NOW: String(NOW / 1000) } as const;
/** Arguments of Node that run solx with this time. */
const SOLX = ["--import", CLOCK, BIN];
const SOCKET = `solx-captures-${process.pid}`;
const POLL_MS = 50;
const TIMEOUT_MS = 180_000;
/** Characters at the end of a text that are visible in an input of any width; milliseconds until it has results. */
const VISIBLE_TAIL = 20;
const OPEN_SETTLE_MS = 300;
/** The texts of pages that are not complete. */
const LOADING = /Loading…|reading/;

// Without -u, tmux replaces signs where the locale of the caller is not UTF-8.
const tmux = (...args: readonly string[]) => execFileSync("tmux", ["-u", "-L", SOCKET, ...args], { encoding: "utf8" });
const quote = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`;

/** The size of a window in cells. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** What runs in a window. */
export interface Session {
  /** Command lines, such as `solx explore`. */
  readonly lines: readonly string[];
  /** Whether each line is printed behind a prompt before it runs. */
  readonly hasPrompt?: boolean;
  /** Further environment variables. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Returns the environment of solx: the sandbox and a fixed look, whatever the environment of the caller. */
function captureEnv(home: string): Record<string, string> {
  return {
    ...{ PATH: "", CAPTURE_TIME: String(NOW) },
    ...{ TERM: "xterm-256color", COLORTERM: "truecolor", LANG: "C.UTF-8", TZ: "UTC" },
    // Written when solx ends, into the folder that is removed then.
    NODE_DISABLE_COMPILE_CACHE: "1",
    ...{ HOME: home, SOLX_HOME: home, SOLX_THEME: "dark", SOLX_SANDBOX: "on", SOLX_SANDBOX_SIZE: "0.5" },
  };
}

/** Creates the ledger of the sandbox in a folder. */
export function createLedger(home: string): void {
  execFileSync(process.execPath, [...SOLX, "chaininfo"], { env: captureEnv(home), stdio: "ignore" });
}

/** When a screen counts as complete. */
export interface ScreenCondition {
  /** A text that it contains. */
  readonly text: string;
  /** Milliseconds without a change. */
  readonly settleMs: number;
  /** Whether it is the expected one; it is then complete at once. */
  readonly isExpected?: ((capture: string) => Promise<boolean>) | undefined;
}

/** A running window. */
export class Terminal {
  static #count = 0;
  readonly #name = `capture${Terminal.#count++}`;

  /** @param home a folder for settings, caches and the ledger of the sandbox */
  constructor({ lines, hasPrompt = false, env = {} }: Session, { width, height }: Size, home: string) {
    const words = Object.entries({ ...captureEnv(home), ...env }).map(([key, value]) => `${key}=${value}`);
    const program = ["env", "-i", ...words, process.execPath, ...SOLX].map(quote).join(" ");
    const commands = lines.flatMap((line, at) =>
      hasPrompt ? [`printf '%s$ %s\\n' "${at > 0 ? "\n" : ""}" ${quote(line)}`, line] : [line],
    );
    const script = [`solx() { ${program} "$@"; }`, ...commands, "exec cat"].join("\n");
    const size = ["-x", String(width), "-y", String(height)];
    const options = ["start-server", ";", "set-option", "-g", "status", "off", ";", "set-option", "-s"];
    const stayOpen = ["exit-empty", "off", ";"];
    tmux(
      ...["-f", "/dev/null"],
      ...options,
      ...stayOpen,
      "new-session",
      "-d",
      "-s",
      this.#name,
      ...size,
      "sh",
      "-c",
      script,
    );
  }

  /** Presses keys by their names in tmux. */
  press(...keys: readonly string[]): void {
    tmux("send-keys", "-t", this.#name, ...keys);
  }

  /** Types a text. */
  type(text: string): void {
    tmux("send-keys", "-t", this.#name, "-l", "--", text);
  }

  /** Opens what words in the palette of the explorer name. */
  async open(words: string): Promise<void> {
    this.type(":");
    await this.waitFor({ text: "go to", settleMs: 0 });
    this.type(words);
    await this.waitFor({ text: words.slice(-VISIBLE_TAIL), settleMs: OPEN_SETTLE_MS });
    this.press("Enter");
  }

  /** Returns the complete screen with its escape sequences. Throws when it does not appear within three minutes. */
  async waitFor({ text, settleMs, isExpected }: ScreenCondition): Promise<string> {
    const end = performance.now() + TIMEOUT_MS;
    let [last, since] = ["", performance.now()];
    while (performance.now() < end) {
      const screen = tmux("capture-pane", "-e", "-N", "-p", "-t", this.#name);
      if (await isExpected?.(screen)) return screen;
      if (screen !== last) [last, since] = [screen, performance.now()];
      const plain = stripVTControlCharacters(screen);
      const isComplete = plain.includes(text) && !LOADING.test(plain);
      if (isComplete && performance.now() - since >= settleMs) return screen;
      await setTimeout(POLL_MS);
    }
    throw new Error(`"${text}" did not appear:\n${stripVTControlCharacters(last)}`);
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
