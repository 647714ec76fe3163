/** Runs the built program as a user would, in an isolated environment. */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { waitFor } from "./wait-for.ts";

/** The launcher of the checkout. */
export const BIN = fileURLToPath(new URL("../../bin/solx.js", import.meta.url));

/** The result of a run. */
export interface RunResult {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Options of a run. */
export interface RunOptions {
  readonly env?: Record<string, string | undefined>;
  /** Text for standard input (default: none). */
  readonly input?: string;
  readonly cwd?: string;
}

const tempFolders: string[] = [];
let home: string | undefined;

/**
 * Removes the temporary folders of a test file; those of the next file are others. A process that a test killed may
 * write a last file after the folder was listed: such a folder is removed again, `rmSync` only repeats the last step.
 */
export async function removeTempFolders(): Promise<void> {
  home = undefined;
  for (const folder of tempFolders.splice(0)) {
    await waitFor(() => rmSync(folder, { recursive: true, force: true }));
  }
}

/** Creates a temporary folder, removed when the test file ends. */
export function createTempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "solx-"));
  tempFolders.push(folder);
  return folder;
}

/** Returns the home folder shared by the runs of a test file, so that compiled code is reused. */
function sharedHome(): string {
  home ??= createTempFolder();
  return home;
}

/** Returns the environment of a run, isolated from the settings of the machine, with a small world in the sandbox. */
export function cleanEnv(env: RunOptions["env"] = {}): Record<string, string> {
  const base = {
    PATH: process.env.PATH,
    SOLX_HOME: sharedHome(),
    SOLX_API_KEY: "test-key-0123456789abcdef",
    SOLX_SANDBOX_SIZE: "0.05",
    TZ: "UTC",
  };
  return Object.fromEntries(
    Object.entries({ ...base, ...env }).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

/** An assignment as before a command in a shell: `SOLX_RATE=off`. */
const ASSIGNMENT = /^(SOLX_[A-Z_]+)=(.*)$/s;

/** Returns the words of a line without its assignments, and the environment with them. */
export function splitAssignments(words: readonly string[], env: RunOptions["env"] = {}) {
  const assignments = words.flatMap((word) => {
    const [, name = "", value = ""] = ASSIGNMENT.exec(word) ?? [];
    return name === "" ? [] : [[name, value] as const];
  });
  return { args: words.filter((word) => !ASSIGNMENT.test(word)), env: { ...env, ...Object.fromEntries(assignments) } };
}

/** Starts solx; words such as `SOLX_RATE=off` are variables of its environment. */
export function startSolx(words: readonly string[], options: RunOptions = {}) {
  const { args, env } = splitAssignments(words, options.env);
  return spawn(process.execPath, [BIN, ...args], { env: cleanEnv(env), cwd: options.cwd });
}

/** Runs solx to its end. */
export function solx(args: readonly string[], options: RunOptions = {}): Promise<RunResult> {
  return new Promise((resolve, reject) => {
    const child = startSolx(args, options);
    const output = { stdout: "", stderr: "" };
    child.stdout.setEncoding("utf8").on("data", (text) => {
      output.stdout += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text) => {
      output.stderr += text;
    });
    child.on("error", reject);
    child.on("close", (code, signal) => resolve({ code, signal, ...output }));
    child.stdin.on("error", () => {});
    child.stdin.end(options.input ?? "");
  });
}
