/** The files of indexes on this machine. Completion reads them too: it loads little. */
import { readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { UsageError } from "../../base/index.ts";
import { isStoreAddress } from "../../chain/ledger/index.ts";
import { type Paths, parseValue } from "../../config/index.ts";

const SUFFIX = ".index.db";

/** Returns the folder of indexes. They are not in the cache: what took hours to read is not deleted with it. */
function indexFolder({ state }: Paths): string {
  return join(state ?? join(tmpdir(), "solx"), "indexes");
}

/** Returns the file of an index. */
export const indexFile = (paths: Paths, name: string): string => join(indexFolder(paths), name + SUFFIX);

/**
 * Returns the file of the index that a user names.
 * @throws UsageError for a name that `--index` does not take, and for the address of an index in ClickHouse
 */
export function namedIndexFile(paths: Paths, name: string): string {
  if (indexNames(paths).includes(name)) return indexFile(paths, name);
  if (isStoreAddress(name))
    throw new UsageError("expected the name of an index on this machine, not an address of ClickHouse", {
      code: "INDEX_NAME",
      hint: [
        "With an address: solx index --store writes into ClickHouse, --index and solx index info read from it.",
        "To remove that index, drop the database in ClickHouse.",
      ].join(" "),
    });
  if (name.toLowerCase() === "off") throw new UsageError('invalid name of an index: "off" is no index');
  return indexFile(paths, String(parseValue("index", name, { origin: "the name of an index" })));
}

/** Returns the names of the indexes, sorted. */
export function indexNames(paths: Paths): readonly string[] {
  try {
    const files = readdirSync(indexFolder(paths));
    return files
      .flatMap((file) => (file.endsWith(SUFFIX) && !file.startsWith(".") ? [file.slice(0, -SUFFIX.length)] : []))
      .sort();
  } catch {
    // There is no folder yet.
    return [];
  }
}
