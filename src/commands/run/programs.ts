/** Programs of the user: run without a shell, with the terminal or with their output collected. */
import type { ChildProcess } from "node:child_process";
import type { Readable } from "node:stream";
import spawn from "cross-spawn";
import type { RunProgram } from "../../ui/index.ts";

/** How a program ended: with an exit code, by a signal, or that it could not be started. */
export type ProgramResult =
  | { readonly code: number }
  | { readonly signal: string }
  | { readonly failed: string; readonly isPermanent?: boolean };

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "was not found",
  EACCES: "may not be run",
};

/** Returns the code of an error of the system, or its message. */
export function errorCode(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code ?? message;
}

/** Returns why a program did not succeed, as the end of a sentence; undefined when it did. */
export function failureText(result: ProgramResult): string | undefined {
  if ("failed" in result) return result.failed;
  if ("signal" in result) return `was ended by ${result.signal}`;
  return result.code === 0 ? undefined : `ended with code ${result.code}`;
}

/** Runs a program that has the terminal. */
export function runInTerminal(program: string, args: readonly string[], signal: AbortSignal): Promise<ProgramResult> {
  return endOf(spawn(program, args, { stdio: "inherit", signal }));
}

/**
 * Returns how a program ends.
 * @param end `exit` where it may leave others behind that keep its output open, `close` where its output must be complete
 */
export function endOf(child: ChildProcess, end: "exit" | "close" = "close"): Promise<ProgramResult> {
  return new Promise((resolve) => {
    child.on("error", (error) => {
      const word = errorCode(error);
      const failed = REASONS[word] ?? `could not be started (${word})`;
      if (error.name !== "AbortError") resolve({ failed, isPermanent: word in REASONS });
    });
    child.on(end, (code, result) => resolve(code === null ? { signal: result ?? "a signal" } : { code }));
  });
}

/** Characters of output that are kept. */
const MAX_OUTPUT = 200_000;

/** Returns a function that runs programs of the user until a signal. */
export function createProgramRunner(signal: AbortSignal): RunProgram {
  return async ([program = "", ...args], hasTerminal) => {
    let output = "";
    const collect = (stream: Readable | null) =>
      stream?.setEncoding("utf8").on("data", (text: string) => {
        output = (output + text).slice(0, MAX_OUTPUT + 1);
      });
    const run = () => {
      if (hasTerminal) return runInTerminal(program, args, signal);
      const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"], signal });
      collect(child.stdout);
      collect(child.stderr);
      return endOf(child);
    };
    const problem = failureText(await run().catch((error: unknown) => ({ failed: errorCode(error) })));
    const isCut = output.length > MAX_OUTPUT;
    return {
      ok: problem === undefined,
      message: `${program} ${problem ?? "ended with code 0"}`,
      output: isCut ? `${output.slice(0, MAX_OUTPUT)}\n… and more, which is left out` : output,
    };
  };
}
