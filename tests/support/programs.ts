/** Programs that some tests need beside Node: tmux, redis-server and shells. */
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { describe } from "vitest";

/** Whether a program is installed. In CI it has to be: its tests run there, and fail without it. */
export function hasProgram(name: string): boolean {
  if (process.env.CI) return true;
  return (process.env.PATH ?? "").split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** Returns `describe` where a program is installed, else one that skips its tests and gives the reason in its title. */
export function describeWith(program: string): (title: string, tests: () => void) => void {
  if (hasProgram(program)) return (title, tests) => describe(title, tests);
  return (title, tests) => describe.skip(`${title} (skipped: ${program} is not installed)`, tests);
}
