/** How solx is called here. */
import { existsSync } from "node:fs";
import { delimiter, join, relative } from "node:path";
import { quoteForShell } from "../../catalogue/command-line.ts";
import type { RunContext } from "./context.ts";
import type { Io } from "./io.ts";

/** A command line that works here as it stands: how solx is called, the words, and where this run asks. */
export function suggestCommand({ io, globals }: Pick<RunContext, "io" | "globals">, words: readonly string[]): string {
  const { sandbox, profile, baseUrl } = globals;
  const where = [
    ...(sandbox ? ["--sandbox"] : []),
    ...(profile === undefined ? [] : ["--profile", profile]),
    ...(baseUrl === undefined ? [] : ["--base-url", baseUrl]),
  ];
  return [...programName(io), ...words, ...where].map(quoteForShell).join(" ");
}

/**
 * The words that start solx: its name where it is installed, else as it was started, so that suggestions work. The PATH
 * of an npm script has folders that the shell it was started from does not have, and its folder is the package's.
 */
export function programName({ env }: Pick<Io, "env">): readonly string[] {
  const isScript = env.npm_lifecycle_event !== undefined;
  if (!isScript && isInstalled(env)) return ["solx"];
  const started = relative((isScript && env.INIT_CWD) || process.cwd(), process.argv[1] ?? "");
  return started === "" ? ["solx"] : ["node", started];
}

function isInstalled(env: Io["env"]): boolean {
  const names = process.platform === "win32" ? ["solx.cmd", "solx.exe"] : ["solx"];
  const folders = (env.PATH ?? env.Path ?? "").split(delimiter).filter(Boolean);
  return folders.some((folder) => names.some((name) => existsSync(join(folder, name))));
}
