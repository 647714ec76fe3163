/** Type declarations of the package: only those reachable from the entry are published. */
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, resolve } from "node:path";

/**
 * Removes the declarations in a folder that cannot be reached from its entry: those of internal modules.
 * @throws when a declaration refers to a missing one
 */
export function keepReached(folder: string, entry: string): void {
  const reached = new Set<string>();
  const open = [resolve(folder, entry)];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (reached.has(file)) continue;
    reached.add(file);
    for (const [, name = ""] of readFileSync(file, "utf8").matchAll(/(?:\bfrom|\bimport)\s*\(?\s*"(\.[^"]+)"/g)) {
      open.push(resolve(dirname(file), name.replace(/(?<!\.d)\.[jt]s$/, ".d.ts")));
    }
  }
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  for (const file of files.map(({ parentPath, name }) => resolve(parentPath, name))) {
    if (!reached.has(file)) rmSync(file);
  }
}
