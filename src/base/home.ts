/** Paths in the home folder of the user. */
import { join } from "node:path";
import type { Env } from "./env.ts";
import { UsageError } from "./errors.ts";

/** Returns the home folder that the environment names; undefined without one. */
const homeFolder = ({ HOME, USERPROFILE }: Env): string | undefined => HOME || USERPROFILE || undefined;

/**
 * Returns a path with `~` at its start replaced by the home folder: shells do not expand it behind `=` and `@` and in
 * quotes. Undefined where there is no home folder.
 */
export function expandHome(path: string, env: Env): string | undefined {
  if (!/^~(?:[\\/]|$)/.test(path)) return path;
  const home = homeFolder(env);
  return home && join(home, path.slice(1));
}

/**
 * Returns a path that was typed, like {@link expandHome}.
 * @throws UsageError where there is no home folder
 */
export function expandTypedPath(path: string, env: Env): string {
  const expanded = expandHome(path, env);
  if (expanded !== undefined) return expanded;
  throw new UsageError(`cannot expand ~ in ${path}: there is no home folder`, {
    hint: "Set HOME, or write the complete path.",
  });
}
