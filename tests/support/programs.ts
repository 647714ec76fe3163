/** Programs that some tests need beside Node: tmux, redis-server, shells, and the library chdb. */
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, test } from "vitest";
import { isChdbInstalled } from "./clickhouse/chdb.ts";

/** What `describeWith` takes for tests of ClickHouse: how to install it is the reason of their skipping. */
export const CHDB = "chdb (node scripts/chdb.ts)";

/** Whether a program is installed. In CI it has to be: its tests run there, and fail without it. */
const isInstalled = (name: string) => Boolean(process.env.CI) || (name === CHDB ? isChdbInstalled() : isOnPath(name));

/** Whether a program is in a folder of PATH. */
export function isOnPath(name: string): boolean {
  return (process.env.PATH ?? "").split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** Returns the reason for skipping tests that need some programs; undefined when all are installed. */
function skipReason(programs: readonly string[]): string | undefined {
  const missing = programs.filter((name) => !isInstalled(name));
  return missing.length === 0 ? undefined : `skipped: ${missing.join(" and ")} not installed`;
}

/** Returns `describe` where the programs are installed, else one that skips and gives the reason in the title. */
export function describeWith(...programs: readonly string[]): (title: string, tests: () => void) => void {
  const reason = skipReason(programs);
  return (title, tests) => (reason ? describe.skip(`${title} (${reason})`, tests) : describe(title, tests));
}

/** The same for a single test. */
export function testWith(...programs: readonly string[]): (title: string, run: () => Promise<void>) => void {
  const reason = skipReason(programs);
  return (title, run) => (reason ? test.skip(`${title} (${reason})`, run) : test(title, run));
}
