/**
 * Opens a text in the user's pager or editor, which takes over the terminal until it exits. Does not use a shell, except
 * on Windows for a program that is a batch file, such as `code.cmd`: nothing else can run one.
 */

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { type Env, splitWords } from "../../base/index.ts";
import type { OpenExternally } from "../../ui/index.ts";
import { errorCode, failureText, type ProgramResult, runInTerminal } from "../run/programs.ts";

/** System access needed to open a viewer; replaceable in tests. */
export interface ViewerEnvironment {
  readonly env: Env;
  readonly platform: NodeJS.Platform;
  readonly signal: AbortSignal;
  readonly run?: (program: string, args: readonly string[], signal: AbortSignal) => Promise<ProgramResult>;
}

/** A program with its arguments, and the source of its name. */
export interface ViewerCommand {
  readonly words: readonly string[];
  /** The environment variable that names it; undefined for a default of solx. */
  readonly variable: string | undefined;
}

const VARIABLES = { pager: ["PAGER"], editor: ["VISUAL", "EDITOR"] } as const;
const DEFAULT_COMMANDS = {
  pager: { unix: [["less", "-R"], ["more"]], windows: [["more.com"]] },
  editor: { unix: [["vi"], ["nano"]], windows: [["notepad.exe"]] },
} as const;

/**
 * Returns the programs to try, best first; if the environment names one, only that. None if a variable is empty: its
 * user wants no such program.
 */
export function viewerCommands(to: "pager" | "editor", env: Env, platform: NodeJS.Platform): readonly ViewerCommand[] {
  const isWindows = platform === "win32";
  const variable = VARIABLES[to].find((name) => env[name]?.trim());
  if (variable === undefined) {
    if (emptyVariable(to, env) !== undefined) return [];
    return DEFAULT_COMMANDS[to][isWindows ? "windows" : "unix"].map((words) => ({ words, variable: undefined }));
  }
  return [{ words: splitWords(env[variable] ?? "", !isWindows), variable }];
}

const emptyVariable = (to: "pager" | "editor", env: Env) => VARIABLES[to].find((name) => env[name] !== undefined);

/** Returns a function that opens a text and reports the result. It never rejects. */
export function createExternalViewer({
  env,
  platform,
  signal,
  run = runInTerminal,
}: ViewerEnvironment): OpenExternally {
  return async (to, name, text) => {
    let folder: string | undefined;
    try {
      folder = await mkdtemp(join(tmpdir(), "solx-view-"));
      const path = join(folder, name);
      // Read-only, for this user only: changes to it would be lost.
      await writeFile(path, text, { mode: platform === "win32" ? 0o600 : 0o400 });
      return await openWith(to, path);
    } catch (error) {
      return { ok: false, message: `Cannot create a file for the ${to}: ${errorCode(error)}.` };
    } finally {
      if (folder !== undefined) await rm(folder, { recursive: true, force: true }).catch(() => {});
    }
  };

  async function openWith(to: "pager" | "editor", path: string): ReturnType<OpenExternally> {
    const programs = viewerCommands(to, env, platform);
    if (programs.length === 0)
      return { ok: false, message: `${emptyVariable(to, env)} is empty: set it to your ${to}.` };
    for (const { words, variable } of programs) {
      const [program = "", ...args] = words;
      const result = await run(program, [...args, ...extraArguments(program), path], signal);
      if ("failed" in result && variable === undefined) continue;
      const problem = failureText(result);
      if (problem === undefined) return { ok: true, message: "" };
      const label = variable === undefined ? program : `${program} (${variable})`;
      return { ok: false, message: `The ${to} ${label} ${problem}.` };
    }
    const names = programs.map(({ words }) => words[0]).join(" or ");
    return { ok: false, message: `${names} not found: set ${VARIABLES[to][0]} to your ${to}.` };
  }
}

/** Disables the option of less to exit at once after short texts, which would not be visible. */
function extraArguments(program: string): readonly string[] {
  return /^less(\.exe)?$/.test(basename(program)) ? ["-+F"] : [];
}
