/** The tree of commands and the pages of solx as it is installed: for whoever builds or checks it, not for commands. */
import { RunContext } from "../../run/context.ts";
import { buildProgram } from "../../run/program.ts";
import { type CommandNode, treeOf } from "./command-tree.ts";
import { referencePages } from "./index-all.ts";
import type { Page } from "./page.ts";

/** Every command with every option. Reads nothing, sends nothing; some milliseconds of work. */
export function commandTree(): CommandNode {
  return treeOf(buildProgram(new RunContext(nowhere())));
}

/** Every page, the same on every machine and at any time. */
export function wholeReference(): readonly Page[] {
  return referencePages(commandTree());
}

/** A world in which no command ever runs. */
function nowhere(): ConstructorParameters<typeof RunContext>[0] {
  const stream = { isTTY: false } as never;
  const { signal } = new AbortController();
  return { argv: [], env: {}, version: "", stdin: stream, stdout: stream, stderr: stream, now: () => 0, signal };
}
