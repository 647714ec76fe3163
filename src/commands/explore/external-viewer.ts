/** Hands a text to the user's own pager or editor, which has the terminal until it ends. Never through a shell. */
import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { OpenExternally } from "../../ui/app/services.ts";
import type { Io } from "../run/io.ts";

type Env = Io["env"];

/** How a program ended: with a code, by a signal, or that it did not begin. */
export type Ended = { readonly code: number } | { readonly signal: string } | { readonly failed: string };

/** What handing over needs of the world. */
export interface HandOffWorld {
  readonly env: Env;
  readonly platform: NodeJS.Platform;
  /** Ends the program when it fires. */
  readonly signal: AbortSignal;
  /** Runs a program in this terminal until it ends; the default is a process. */
  readonly run?: (program: string, args: readonly string[], signal: AbortSignal) => Promise<Ended>;
}

/** A program with its arguments, and where its name comes from. */
export interface Chosen {
  readonly words: readonly string[];
  /** The variable that names it; undefined for one that solx looks for itself. */
  readonly variable: string | undefined;
}

const VARIABLES = { pager: ["PAGER"], editor: ["VISUAL", "EDITOR"] } as const;
const USUAL = {
  pager: { unix: [["less", "-R"], ["more"]], windows: [["more.com"]] },
  editor: { unix: [["vi"], ["nano"]], windows: [["notepad.exe"]] },
} as const;

/** The programs to try, the best first: the one that the environment names, and no other beside it. */
export function programsOf(to: "pager" | "editor", env: Env, platform: NodeJS.Platform): readonly Chosen[] {
  const isWindows = platform === "win32";
  const variable = VARIABLES[to].find((name) => env[name]?.trim());
  if (variable === undefined) {
    return USUAL[to][isWindows ? "windows" : "unix"].map((words) => ({ words, variable: undefined }));
  }
  return [{ words: wordsOf(env[variable] ?? "", !isWindows), variable }];
}

/** One word of a line: pieces in quotes, pieces without, and escaped characters. */
const WORD = { escapes: /(?:"(?:\\.|[^"\\])*"|'[^']*'|\\.|[^\s"'\\])+/gs, plain: /(?:"[^"]*"|'[^']*'|[^\s"'])+/gs };
const PIECE = { escapes: /"((?:\\.|[^"\\])*)"|'([^']*)'|\\(.)/gs, plain: /"([^"]*)"|'([^']*)'/gs };

/**
 * The words of a command line as a shell would part them, and nothing else that a shell does.
 * @param escapes whether a backslash takes the meaning from the next character: in paths of Windows it does not
 */
export function wordsOf(line: string, escapes = true): readonly string[] {
  const how = escapes ? "escapes" : "plain";
  return (line.match(WORD[how]) ?? []).map((word) =>
    word.replace(PIECE[how], (_all, double?: string, single?: string, one?: string) =>
      double === undefined ? (single ?? one ?? "") : escapes ? double.replace(/\\(["\\$`])/g, "$1") : double,
    ),
  );
}

/** Makes the function that hands a text over and says how that went; it never fails otherwise. */
export function createHandOff({ env, platform, signal, run = inTerminal }: HandOffWorld): OpenExternally {
  return async (to, name, text) => {
    let folder: string | undefined;
    try {
      folder = await mkdtemp(join(tmpdir(), "solx-view-"));
      const path = join(folder, name);
      // To be looked at only, by this user only: what is changed in it would be lost.
      await writeFile(path, text, { mode: platform === "win32" ? 0o600 : 0o400 });
      return await handedOver(to, path);
    } catch (error) {
      return { ok: false, message: `No file could be made for the ${to}: ${wordOf(error)}.` };
    } finally {
      if (folder !== undefined) await rm(folder, { recursive: true, force: true }).catch(() => {});
    }
  };

  async function handedOver(to: "pager" | "editor", path: string): ReturnType<OpenExternally> {
    const programs = programsOf(to, env, platform);
    for (const { words, variable } of programs) {
      const [program = "", ...args] = words;
      const ended = await run(program, [...args, ...staying(program), path], signal);
      if ("failed" in ended && variable === undefined) continue;
      const problem = problemOf(ended);
      if (problem === undefined) return { ok: true, message: "" };
      const named = variable === undefined ? program : `${program} (${variable})`;
      return { ok: false, message: `The ${to} ${named} ${problem}.` };
    }
    const names = programs.map(({ words }) => words[0]).join(" or ");
    return { ok: false, message: `There is no ${names} here: set ${VARIABLES[to][0]} to the ${to} of your choice.` };
  }
}

/** Where less is told to leave at once after short texts, nothing would be seen of them. */
function staying(program: string): readonly string[] {
  return /^less(\.exe)?$/.test(basename(program)) ? ["-+F"] : [];
}

function problemOf(ended: Ended): string | undefined {
  if ("failed" in ended) return ended.failed;
  if ("signal" in ended) return `was ended by ${ended.signal}`;
  return ended.code === 0 ? undefined : `ended with code ${ended.code}`;
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "was not found",
  EACCES: "may not be run",
};

function wordOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code ?? message;
}

function inTerminal(program: string, args: readonly string[], signal: AbortSignal): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: "inherit", signal });
    child.on("error", (error) => {
      const word = wordOf(error);
      if (error.name !== "AbortError") resolve({ failed: REASONS[word] ?? `did not begin (${word})` });
    });
    child.on("exit", (code, ended) => resolve(code === null ? { signal: ended ?? "a signal" } : { code }));
  });
}
