/**
 * The file with the usage data of this machine: samples of the API's usage endpoint, and request counts. It is readable
 * by its owner only, and replaced when it is damaged. Keys and servers are stored as a hash of both.
 */
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import {
  createFolder,
  createPrivateFile,
  ensureSchema,
  isDamaged,
  openDatabase,
  type Schema,
  setDamagedFileAside,
} from "../../base/index.ts";

/** The name of the file; other files of the database begin with it. */
export const USAGE_FILE = "usage.sqlite";
/** Milliseconds for which a statement waits while another process writes. */
const BUSY_MS = 1000;

const SCHEMA: Schema = {
  version: 1,
  tables: `
  CREATE TABLE samples (
    account TEXT NOT NULL, at INTEGER NOT NULL, usage TEXT NOT NULL, PRIMARY KEY (account, at)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE requests (
    account TEXT NOT NULL, hour INTEGER NOT NULL, route TEXT NOT NULL, outcome TEXT NOT NULL,
    requests INTEGER NOT NULL, units INTEGER NOT NULL, PRIMARY KEY (account, hour, route, outcome)
  ) STRICT, WITHOUT ROWID`,
};

/**
 * Opens the file, and creates it if it does not exist; without a folder, opens a database in memory.
 * @throws when it cannot be created, read or written
 */
export function openUsageFile(folder: string | undefined): DatabaseSync {
  if (folder === undefined) return prepared(":memory:");
  createFolder(folder);
  const path = join(folder, USAGE_FILE);
  try {
    return openOnce(path);
  } catch (error) {
    if (!isDamaged(error)) throw error;
    setDamagedFileAside(path);
    return openOnce(path);
  }
}

/**
 * Nothing is flushed to the disk, because no count is worth the wait. The rollback journal removes an incomplete write
 * of a killed process, and many processes may create the file at once without coordination.
 */
function openOnce(path: string): DatabaseSync {
  createPrivateFile(path);
  return prepared(path);
}

function prepared(path: string): DatabaseSync {
  const database = openDatabase(path, { timeout: BUSY_MS });
  try {
    database.exec("PRAGMA synchronous = OFF");
    ensureSchema(database, SCHEMA);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}
