/**
 * The entry of `solx --help`, a separate program: the build stores the help, because loading all commands takes longer
 * than starting Node.
 */
import { existsSync } from "node:fs";
import process from "node:process";
import { readProgramFile } from "../../base/index.ts";
import { ALIASES, resolvePaths, textMapPath } from "../../config/index.ts";
import type { StoredHelp } from "../docs/manual/generate.ts";

const DEFAULT_WIDTH = "80";

/** Returns the help of the program; undefined for users with aliases, which it lists, and for unusual widths. */
export function storedHelp(): string | undefined {
  const aliases = textMapPath(resolvePaths(process.env), ALIASES);
  if (aliases !== undefined && existsSync(aliases)) return undefined;
  const { texts, widest }: StoredHelp = JSON.parse(readProgramFile(new URL("help.json", import.meta.url)));
  const { isTTY, columns } = process.stdout;
  return texts[isTTY ? Math.min(columns, widest) : DEFAULT_WIDTH];
}
