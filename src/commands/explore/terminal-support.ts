/** Whether there is a terminal that the explorer can draw in. */
import type { Option } from "commander";
import type { Io } from "../run/io.ts";

/** Both ends must be a terminal, and one that obeys control sequences. */
export function canExplore({ stdin, stdout, env }: Pick<Io, "stdin" | "stdout" | "env">): boolean {
  return stdin.isTTY === true && stdout.isTTY === true && !isDumb(env);
}

/** Whether the terminal obeys nothing, or says nothing of itself, which on Windows is usual. */
function isDumb({ TERM = "" }: Io["env"]): boolean {
  return TERM === "dumb" || (TERM === "" && process.platform !== "win32");
}

/** Whether lines are asked for by the environment: those who set this cannot use what is drawn. */
export function prefersPlain({ ACCESSIBLE, INK_SCREEN_READER }: Io["env"]): boolean {
  return [ACCESSIBLE, INK_SCREEN_READER].some((word) => word !== undefined && !/^(|0|false|no|off)$/i.test(word));
}

/** Options that ask for something else than the explorer. */
const OTHER_ACTIONS: readonly string[] = ["-h", "--help", "-V", "--version"];

/**
 * Whether a line asks for nothing: then the explorer is what a person at a terminal wants.
 * @param options those that a line without a command may have
 */
export function hasNoCommand(argv: readonly string[], options: readonly Option[]): boolean {
  const valueOptions = options.filter((option) => option.required || option.optional);
  const valueFlags = new Set(valueOptions.flatMap(({ short, long }) => [short, long]));
  return argv.every(
    (word, at) => (word.startsWith("-") && !OTHER_ACTIONS.includes(word)) || valueFlags.has(argv[at - 1] ?? ""),
  );
}
