/** How solx is called here. */
import { existsSync } from "node:fs";
import { delimiter, join, relative } from "node:path";
import type { Io } from "./io.ts";

/** The words that start solx: its name where it is installed, else as it was started, so that suggestions work. */
export function programName({ env }: Io): readonly string[] {
  const names = process.platform === "win32" ? ["solx.cmd", "solx.exe"] : ["solx"];
  const folders = (env.PATH ?? env.Path ?? "").split(delimiter).filter(Boolean);
  if (folders.some((folder) => names.some((name) => existsSync(join(folder, name))))) return ["solx"];
  const started = relative(process.cwd(), process.argv[1] ?? "");
  return started === "" ? ["solx"] : ["node", started];
}
