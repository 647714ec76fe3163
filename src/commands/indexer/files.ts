/** The files of indexes on this machine. Completion reads them too: it loads little. */
import { readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Paths } from "../../config/index.ts";

const SUFFIX = ".index.db";

/** Returns the folder of indexes. They are not in the cache: what took hours to read is not deleted with it. */
function indexFolder({ state }: Paths): string {
  return join(state ?? join(tmpdir(), "solx"), "indexes");
}

/** Returns the file of an index. */
export const indexFile = (paths: Paths, name: string): string => join(indexFolder(paths), name + SUFFIX);

/** Returns the names of the indexes, sorted. */
export function indexNames(paths: Paths): readonly string[] {
  try {
    const files = readdirSync(indexFolder(paths));
    return files.flatMap((file) => (file.endsWith(SUFFIX) ? [file.slice(0, -SUFFIX.length)] : [])).sort();
  } catch {
    // There is no folder yet.
    return [];
  }
}
