/** Whether there is a terminal that the explorer can draw in. */
import type { Io } from "./io.ts";

/** Both ends must be a terminal, and one that obeys control sequences. */
export function canExplore({ stdin, stdout, env }: Pick<Io, "stdin" | "stdout" | "env">): boolean {
  return stdin.isTTY === true && stdout.isTTY === true && env.TERM !== "dumb";
}

/** Whether a line asks for nothing: then the explorer is what a person at a terminal wants. */
export function isBare(argv: readonly string[]): boolean {
  return argv.every((word) => word === "--sandbox");
}
