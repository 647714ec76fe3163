/** Prompts a person for yes or no, if there is one. */
import { throwIfAborted } from "../../base/index.ts";
import { readLine } from "../../config/index.ts";
import { isSwitchedOn, isTerminal } from "../../output/index.ts";
import type { Io, RunContext } from "./context.ts";

/**
 * Returns why nothing is read from the terminal, although there may be one: the variable, or a build server; undefined
 * where a person may answer.
 */
export function noInputReason({ env }: Pick<Io, "env">): string | undefined {
  if (isSwitchedOn(env.SOLX_NO_INPUT)) return "SOLX_NO_INPUT is set";
  return isSwitchedOn(env.CI) && !isTerminal({ env, isTTY: false }) ? "CI is set" : undefined;
}

/** Returns whether a person can be prompted: stdin and stderr are terminals, and input is not ruled out. */
export function canPrompt({ io }: RunContext): boolean {
  return io.stdin.isTTY === true && io.stderr.isTTY === true && noInputReason(io) === undefined;
}

/**
 * Prompts on standard error and reads a line from the terminal; only `y` and `yes` confirm.
 * @throws InterruptedError when the signal fires
 */
export async function promptYesNo(context: RunContext, question: string): Promise<boolean> {
  const { stdin, signal } = context.io;
  throwIfAborted(signal);
  context.reporter.write(`${question} [y/N] `);
  context.reporter.isPrompting = true;
  try {
    return /^\s*y(es)?\s*$/i.test(await readLine(stdin, signal));
  } catch {
    // What cannot be read is no consent.
    throwIfAborted(signal);
    return false;
  } finally {
    context.reporter.isPrompting = false;
  }
}
