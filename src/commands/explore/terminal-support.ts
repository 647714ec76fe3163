/** Checks of the terminal that decide whether the explorer starts. */
import type { Io } from "../run/context.ts";
import { noInputReason } from "../run/prompt.ts";

/**
 * Whether the explorer can draw: input and output must be a terminal that supports control sequences, with a person at
 * it.
 */
export function canExplore(io: Pick<Io, "stdin" | "stdout" | "env">): boolean {
  return isScreen(io) && noInputReason(io) === undefined;
}

/** Whether input and output are a terminal that supports control sequences. */
export function isScreen({ stdin, stdout, env }: Pick<Io, "stdin" | "stdout" | "env">): boolean {
  return stdin.isTTY === true && stdout.isTTY === true && !isDumb(env);
}

/** Whether the terminal supports no control sequences; a missing TERM counts as that except on Windows. */
function isDumb({ TERM = "" }: Io["env"]): boolean {
  return TERM === "dumb" || (TERM === "" && process.platform !== "win32");
}

/** Whether the environment requests plain lines, as users of screen readers do. */
export function prefersPlain({ ACCESSIBLE, INK_SCREEN_READER }: Io["env"]): boolean {
  return [ACCESSIBLE, INK_SCREEN_READER].some((word) => word !== undefined && !/^(|0|false|no|off)$/i.test(word));
}
