/** Tools of the system that the explorer runs, without a shell: clipboard and browser. */
import { spawn } from "node:child_process";
import { type Env, pluralize } from "../../base/index.ts";
import type { ActionResult } from "../../ui/index.ts";
import type { Io } from "../run/context.ts";

/** Options for running a tool. */
interface ToolOptions {
  readonly input?: string | Uint8Array;
  readonly timeout: number;
  /** Whether a tool that is still running after the timeout succeeded and keeps running; otherwise it is killed. */
  readonly detached?: boolean;
}

/** Runs a tool and returns whether it succeeded. Never rejects. */
type RunTool = (name: string, args: readonly string[], options: ToolOptions) => Promise<boolean>;

/** Returns a function that runs tools as processes. */
export function createToolRunner(env: Io["env"]): RunTool {
  return (name, args, { input, timeout, detached = false }) =>
    new Promise((resolve) => {
      // Output is not read: a tool that stays in the background keeps its streams open.
      const child = spawn(name, args, {
        env: { ...env },
        detached,
        stdio: [input === undefined ? "ignore" : "pipe", "ignore", "ignore"],
        windowsHide: true,
      });
      const settle = (isSuccess: boolean) => {
        clearTimeout(timer);
        resolve(isSuccess);
      };
      const timer = setTimeout(() => {
        if (detached) child.unref();
        else child.kill("SIGKILL");
        settle(detached);
      }, timeout);
      child.on("error", () => settle(false));
      child.on("exit", (code) => settle(code === 0));
      // A tool that exits without reading its input reports it by its exit code.
      child.stdin?.on("error", () => {});
      child.stdin?.end(input);
    });
}

/** System access needed to open a browser; replaceable in tests. */
interface BrowserEnvironment {
  readonly env: Env;
  readonly platform: NodeJS.Platform;
  readonly run?: RunTool;
}

/** A program that opens the URL given as its last argument. */
interface Opener {
  readonly name: string;
  readonly args: readonly string[];
}

/** An opener that has not failed after this time is assumed to show the page. */
const OPEN_TIMEOUT_MS = 1000;

/** Returns the openers of a system, best first; none without a display for a browser, as over SSH. */
export function browserOpeners(env: Env, platform: NodeJS.Platform): readonly Opener[] {
  if (env.SSH_CONNECTION || env.SSH_TTY) return [];
  if (platform === "darwin") return [{ name: "open", args: [] }];
  // `start` is a shell built-in, and the shell would split a URL.
  if (platform === "win32") return [{ name: "rundll32.exe", args: ["url.dll,FileProtocolHandler"] }];
  return [
    ...(env.WSL_DISTRO_NAME ? [{ name: "wslview", args: [] }] : []),
    ...(env.DISPLAY || env.WAYLAND_DISPLAY ? [{ name: "xdg-open", args: [] }] : []),
  ];
}

/** Returns a function that opens a URL; its message contains the URL in any case. */
export function createBrowserOpener(environment: BrowserEnvironment): (url: string) => Promise<ActionResult> {
  const { env, platform, run = createToolRunner(env) } = environment;
  return async (url) => {
    const address = URL.parse(url);
    if (address?.protocol !== "https:") return { ok: false, message: "Only https URLs can be opened." };
    for (const { name, args } of browserOpeners(env, platform)) {
      if (await run(name, [...args, address.href], { timeout: OPEN_TIMEOUT_MS, detached: true }))
        return { ok: true, message: `Opened ${address.href}` };
    }
    return { ok: false, message: `Cannot open a browser here: ${address.href}` };
  };
}

/** System access needed to copy; replaceable in tests. */
interface ClipboardEnvironment {
  readonly env: Env;
  readonly platform: NodeJS.Platform;
  /** Writes to the terminal without changing what is drawn. */
  readonly write: (text: string) => void;
  readonly run?: RunTool;
}

/** A tool that copies its standard input. */
interface ClipboardTool {
  readonly name: string;
  readonly args: readonly string[];
  /** Encoding of the input (default: UTF-8); clip.exe guesses the encoding but recognises UTF-16. */
  readonly encoding?: "utf16le";
}

/** Maximum base64 length of an OSC 52 text; some terminals silently drop longer ones. */
export const MAX_OSC52_BYTES = 74_994;
const TOOL_TIMEOUT_MS = 1000;
/** Maximum length in bytes of a string that GNU screen passes through at once. */
const SCREEN_CHUNK = 76;

const CLIP: ClipboardTool = { name: "clip.exe", args: [], encoding: "utf16le" };

/** Returns the tools for the user's clipboard, best first; none over SSH, where they would use that of the remote host. */
export function clipboardTools(env: Env, platform: NodeJS.Platform): readonly ClipboardTool[] {
  if (env.SSH_CONNECTION || env.SSH_TTY) return [];
  if (platform === "darwin") return [{ name: "pbcopy", args: [] }];
  if (platform === "win32") return [CLIP];
  return [
    ...(env.WAYLAND_DISPLAY ? [{ name: "wl-copy", args: [] }] : []),
    ...(env.DISPLAY
      ? [
          { name: "xclip", args: ["-selection", "clipboard", "-in"] },
          { name: "xsel", args: ["--clipboard", "--input"] },
        ]
      : []),
    ...(env.WSL_DISTRO_NAME ? [CLIP] : []),
  ];
}

/**
 * Returns the sequence that makes the terminal copy text, wrapped for tmux or GNU screen where needed; undefined when the
 * text is too long or the terminal does not support it.
 */
export function osc52(text: string, env: Env): string | undefined {
  const code = Buffer.from(text).toString("base64");
  if (code.length > MAX_OSC52_BYTES || !supportsOsc52(env)) return undefined;
  const sequence = `\u001B]52;c;${code}\u0007`;
  if (env.TMUX) return `\u001BPtmux;${sequence.replaceAll("\u001B", "\u001B\u001B")}\u001B\\`;
  if (!isScreen(env)) return sequence;
  const pieces = sequence.match(new RegExp(`.{1,${SCREEN_CHUNK}}`, "g")) ?? [];
  return pieces.map((piece) => `\u001BP${piece}\u001B\\`).join("");
}

const isScreen = (env: Env) => Boolean(env.STY);

/** Whether the terminal may support OSC 52; unknown terminals and consoles do not. */
function supportsOsc52({ TERM = "" }: Env): boolean {
  return !["", "dumb", "unknown", "linux", "cons25", "vt100"].includes(TERM);
}

/** Returns a function that copies text by the first method that works and reports which. It never rejects. */
export function createCopier(
  environment: ClipboardEnvironment,
): (text: string, subject: string) => Promise<ActionResult> {
  const { env, platform, write, run = createToolRunner(env) } = environment;
  const runTool = (name: string, args: readonly string[], input: string | Uint8Array) =>
    run(name, args, { input, timeout: TOOL_TIMEOUT_MS });

  return async (text, subject) => {
    const success = (method: string): ActionResult => ({
      ok: true,
      message: `Copied ${subject}: ${characterCount(text)}, by ${method}.`,
    });
    for (const { name, args, encoding } of clipboardTools(env, platform)) {
      const input = encoding === undefined ? text : Buffer.from(`\uFEFF${text}`, encoding);
      if (await runTool(name, args, input)) return success(name);
    }
    const inTmux = env.TMUX ? await copyToTmux(runTool, text) : false;
    const sequence = osc52(text, env);
    if (sequence !== undefined) write(sequence);
    if (inTmux) return success(sequence === undefined ? "tmux" : "tmux, OSC 52");
    return sequence === undefined ? { ok: false, message: failureText(text, subject, env) } : success("OSC 52");
  };
}

/** Copies text to a tmux buffer and, with a recent tmux, to the clipboard of its terminal. */
async function copyToTmux(
  runTool: (name: string, args: readonly string[], input: string) => Promise<boolean>,
  text: string,
): Promise<boolean> {
  return (
    (await runTool("tmux", ["load-buffer", "-w", "-"], text)) || (await runTool("tmux", ["load-buffer", "-"], text))
  );
}

function failureText(text: string, subject: string, env: Env): string {
  const reason = supportsOsc52(env)
    ? `${characterCount(text)} exceed what a terminal accepts, and no clipboard tool is available`
    : "this terminal does not support copying, and no clipboard tool is available";
  return `Not copied: ${subject}. ${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`;
}

function characterCount(text: string): string {
  const count = [...text].length;
  return pluralize(count, "character");
}
