/** The clipboard of whoever sits at the terminal: the system's own tool, tmux, or the terminal itself (OSC 52). */
import { pluralize } from "../../base/text.ts";
import type { ActionResult } from "../../ui/app/services.ts";
import type { Io } from "../run/io.ts";
import { createToolRunner, type RunTool } from "./run-tool.ts";

type Env = Io["env"];

/** What copying needs of the world. */
export interface ClipboardEnvironment {
  readonly env: Env;
  readonly platform: NodeJS.Platform;
  /** Writes to the terminal past what is drawn there. */
  readonly write: (text: string) => void;
  /** Runs a tool with an input; the default is a process. */
  readonly run?: RunTool;
}

/** A tool that takes text from its standard input. */
export interface ClipboardTool {
  readonly name: string;
  readonly args: readonly string[];
  /** Windows' own tool guesses the encoding of bytes, but knows this one. */
  readonly encoding?: "utf16le";
}

/** What a terminal takes: more of it is dropped by some, in silence. In bytes of base64. */
export const MAX_OSC52_BYTES = 74_994;
/** A tool that has not taken the text after so many milliseconds never will. */
const TOOL_TIMEOUT_MS = 1000;
/** Bytes of a string that GNU screen passes on at once. */
const SCREEN_CHUNK = 76;

const CLIP: ClipboardTool = { name: "clip.exe", args: [], encoding: "utf16le" };

/** The tools that reach the clipboard of this user, the best first: none over SSH, where they reach another one. */
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
 * The sequence that asks the terminal to put text on its clipboard, wrapped for tmux or GNU screen where one of them
 * stands between; undefined where it is too long or the terminal obeys no such thing.
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

/** Whether the terminal may be written such a sequence: those of which nothing is known, and consoles, may not. */
function supportsOsc52({ TERM = "" }: Env): boolean {
  return !["", "dumb", "unknown", "linux", "cons25", "vt100"].includes(TERM);
}

/** Makes the function that copies and says how: it tries one way after another, and never fails otherwise. */
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

/** Puts text into tmux's newest buffer, and with a tmux that can, from there on the clipboard of its terminal. */
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
    ? `${characterCount(text)} are more than a terminal takes, and no clipboard tool works here`
    : "this terminal takes no text for a clipboard, and no clipboard tool works here";
  return `Not copied: ${subject}. ${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`;
}

/** How much text it is, for people. */
function characterCount(text: string): string {
  const count = [...text].length;
  return pluralize(count, "character");
}
