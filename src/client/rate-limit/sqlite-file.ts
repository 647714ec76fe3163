/** The file of the machine's budget: made for its owner alone, begun anew when it is damaged. */
import { statSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { sleep } from "../../base/abort.ts";
import { createFolder } from "../../base/folders.ts";
import {
  createPrivateFile,
  ensureSchema,
  isBusy,
  isDamaged,
  openDatabase,
  type Schema,
  setDamagedFileAside,
} from "../../base/sqlite.ts";

/** Where the file is, and who is told of it. */
export interface SqliteOptions {
  /** The folder; it is made where it is missing. */
  readonly folder: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly onNote: (text: string) => void;
}

const NAME = "budget.sqlite";
/** Milliseconds for which a statement blocks this process while another writes. */
const BLOCKING_MS = 10;
/** Pages that the log beside the file grows to before they are moved into it. */
const LOG_PAGES = 256;
const OPENING_MS = 3000;
const OPENING_PAUSE_MS = 20;

const SCHEMA: Schema = {
  version: 1,
  tables: `
  CREATE TABLE accounts (
    id INTEGER PRIMARY KEY, hash TEXT NOT NULL UNIQUE,
    paused_at REAL NOT NULL, paused_until REAL NOT NULL, day TEXT NOT NULL, units INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE slots (
    id INTEGER PRIMARY KEY, account INTEGER NOT NULL, until REAL NOT NULL, interactive INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX slots_by_end ON slots (account, until, interactive);
  CREATE TABLE waiters (
    account INTEGER NOT NULL, owner INTEGER NOT NULL, interactive INTEGER NOT NULL,
    served INTEGER NOT NULL, since REAL NOT NULL, wants INTEGER NOT NULL, due REAL NOT NULL,
    PRIMARY KEY (account, owner, interactive)
  ) STRICT, WITHOUT ROWID`,
};

/** A file that is open. */
export interface OpenFile {
  readonly database: DatabaseSync;
  /** Closes it and puts it out of the way, because it is damaged. */
  setAside(): void;
}

/**
 * Opens the file, and makes it where it is missing.
 * @throws when it cannot be made, read or written
 */
export async function openFile(options: SqliteOptions): Promise<OpenFile> {
  const { folder, onNote } = options;
  const path = join(folder, NAME);
  createFolder(folder);
  const start = performance.now();
  for (let isMended = false; ; ) {
    const file = openOnce(path, onNote);
    try {
      prepare(file.database);
      return file;
    } catch (error) {
      if (isDamaged(error) && !isMended) {
        isMended = true;
        file.setAside();
      } else {
        file.database.close();
        if (!isBusy(error) || performance.now() - start > OPENING_MS) throw error;
      }
    }
    await sleep(Math.random() * OPENING_PAUSE_MS);
  }
}

function openOnce(path: string, onNote: SqliteOptions["onNote"]): OpenFile {
  createPrivateFile(path);
  const { ino } = statSync(path);
  const database = openDatabase(path);
  const setAside = () => {
    database.close();
    // Another process may have done it already; the file is a new one then.
    if (statSync(path, { throwIfNoEntry: false })?.ino !== ino) return;
    const name = setDamagedFileAside(path);
    onNote(`${path} is damaged: it is now ${name}, and the rate is counted anew.`);
  };
  return { database, setAside };
}

/**
 * Nothing is flushed to the disk: that takes longer than a request, and after a power cut no count is worth anything. A
 * killed process leaves the file whole; one that a power cut damaged is set aside.
 */
function prepare(database: DatabaseSync): void {
  database.exec(`PRAGMA busy_timeout = ${BLOCKING_MS}; PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF`);
  database.exec(`PRAGMA wal_autocheckpoint = ${LOG_PAGES}`);
  ensureSchema(database, SCHEMA);
}
