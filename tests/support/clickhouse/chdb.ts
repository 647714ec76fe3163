/** chdb, which is ClickHouse as a library: where it is installed, and what the tests use of it. */
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";

/** The package of the registry: ClickHouse 26.7. */
export const CHDB = "chdb@3.4.0";

/** Where `scripts/chdb.ts` installs it. It has 540 MB, so that it is in the cache of the user, for all checkouts. */
export const CHDB_FOLDER = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "solx-tests", CHDB);

export const isChdbInstalled = (): boolean => existsSync(CHDB_FOLDER);

/** A connection with settings, parameters and a database of its own. */
export type Connection = object;

/** The functions of chdb's native module. Every error begins with `Code: 60. DB::Exception:`. */
interface Chdb {
  /** Opens a folder of data; a process has one. */
  CreateConnection(folder: string): Connection;
  CloseConnection(connection: Connection): void;
  QueryAsyncConnection(
    connection: Connection,
    sql: string,
    defaultFormat: string,
  ): Promise<{ readonly bytes: Buffer; readonly rowsRead: number; readonly bytesRead: number }>;
  /** Executes an INSERT, which begins with a text and continues in the next line with bytes; tells how much it wrote. */
  InsertRawAsyncConnection(
    connection: Connection,
    start: string,
    rest: Buffer,
    areLinesCounted: boolean,
  ): Promise<{ readonly rowsWritten: number; readonly bytesWritten: number }>;
}

/** Loads chdb from a folder in which it is installed. The functions of its package accept some formats only. */
export function loadChdb(folder = CHDB_FOLDER): Chdb {
  return createRequire(import.meta.url)(join(folder, "node_modules/chdb/dist/loader.js")).loadNative();
}
