/** How solx is called here. */
import { existsSync } from "node:fs";
import { delimiter, join, relative } from "node:path";
import type { Io } from "./io.ts";

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
