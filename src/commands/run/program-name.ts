/** How solx is called on this machine, for commands that are suggested. */
import { existsSync } from "node:fs";
import { delimiter, join, relative, sep } from "node:path";
import { isSingleExecutable } from "../../base/index.ts";
import { quoteForShell } from "../../catalogue/index.ts";
import type { RunContext } from "./context.ts";
import type { Io } from "./io.ts";
import { maskNode } from "./mask-arguments.ts";

/** Returns a command line that can be pasted: how solx is called, the words, and the server of this run. */
export function suggestCommand({ io, globals }: Pick<RunContext, "io" | "globals">, words: readonly string[]): string {
  const { sandbox, profile, rpc, index } = globals;
  const server = [
    ...(sandbox ? ["--sandbox"] : []),
    ...(profile === undefined ? [] : ["--profile", profile]),
    ...(rpc === undefined ? [] : ["--rpc", maskNode(rpc)]),
    ...(index === undefined ? [] : ["--index", index]),
  ];
  return [...programName(io), ...words, ...server].map(quoteForShell).join(" ");
}

/**
 * Returns the words that start solx: its name if it is installed, else as it was started. An npm script has folders in its
 * PATH that the calling shell does not have, and runs in the folder of the package.
 */
export function programName({ env }: Pick<Io, "env">): readonly string[] {
  const isScript = env.npm_lifecycle_event !== undefined;
  if (!isScript && isInstalled(env)) return ["solx"];
  if (isSingleExecutable()) {
    const path = relative("", process.execPath);
    return [path.includes(sep) ? path : `.${sep}${path}`];
  }
  const started = relative((isScript && env.INIT_CWD) || process.cwd(), process.argv[1] ?? "");
  return started === "" ? ["solx"] : ["node", started];
}

function isInstalled(env: Io["env"]): boolean {
  const names = process.platform === "win32" ? ["solx.cmd", "solx.exe"] : ["solx"];
  const folders = (env.PATH ?? env.Path ?? "").split(delimiter).filter(Boolean);
  return folders.some((folder) => names.some((name) => existsSync(join(folder, name))));
}
