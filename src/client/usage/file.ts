/**
 * The file with what this machine knows of the use of keys: samples of what the API told, and counts of what was asked
 * here. It is made for its owner alone, and begun anew when it is damaged. Keys and servers are only in it as a hash of
 * both.
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

const NAME = "usage.sqlite";
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
 * Opens the file, and makes it where it is missing; without a folder, memory.
 * @throws when it cannot be made, read or written
 */
export function openUsageFile(folder: string | undefined): DatabaseSync {
  if (folder === undefined) return prepared(":memory:");
  createFolder(folder);
  const path = join(folder, NAME);
  try {
    return openOnce(path);
  } catch (error) {
    if (!isDamaged(error)) throw error;
    setDamagedFileAside(path);
    return openOnce(path);
  }
}

/**
 * Nothing is flushed to the disk: no count is worth waiting for it. The journal makes a killed process's half of a
 * write go away all the same; it is one that needs no agreement when many processes make the file at once.
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
