/** Checks of the terminal and the command line that decide whether the explorer starts. */
import type { Option } from "commander";
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

const OTHER_ACTIONS: readonly string[] = ["-h", "--help", "-V", "--version"];

/**
 * Whether a command line names no command; on a terminal, the explorer starts then.
 * @param options the global options
 */
export function hasNoCommand(argv: readonly string[], options: readonly Option[]): boolean {
  const valueOptions = options.filter((option) => option.required || option.optional);
  const valueFlags = new Set(valueOptions.flatMap(({ short, long }) => [short, long]));
  return argv.every(
    (word, at) => (word.startsWith("-") && !OTHER_ACTIONS.includes(word)) || valueFlags.has(argv[at - 1] ?? ""),
  );
}
