/** Type declarations of a package: only what its entry leads to is published. */
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, resolve } from "node:path";

/**
 * Removes the declarations of a folder that its entry does not lead to: those of modules that are ours alone.
 * @throws when a declaration names another that is not there
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
