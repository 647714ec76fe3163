/** The file with the permits of this machine: readable by its owner only, replaced when it is damaged. */
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import {
  createFolder,
  createPrivateFile,
  enableWriteAheadLog,
  ensureSchema,
  fileIdentity,
  inTransaction,
  isBusy,
  isDamaged,
  monotonicMs,
  openDatabase,
  type Schema,
  setDamagedFileAside,
  sleep,
} from "../../../base/index.ts";
import { bootId, machineClock } from "./clock.ts";
import { MAX_MACHINE } from "./store.ts";

/** Where the file is. */
export interface SqliteFileOptions {
  /** The folder; it is created if it does not exist. */
  readonly folder: string;
  /** Returns the time in milliseconds since the epoch. */
  readonly calendar: () => number;
  readonly onNote: (text: string) => void;
}

// The names of the file, its tables and its columns are older than those of the code: processes of other versions use
// the same file at the same time. A slot is a permit.
const FILE_NAME = "budget.sqlite";
/** Milliseconds for which a statement blocks this process while another one writes. */
const BLOCKING_MS = 10;
/** Pages of the write-ahead log at which it is written back to the file. */
const WAL_PAGES = 256;
/** Milliseconds for which opening is retried while another process holds the file, and the pauses in between. */
const OPEN_TIMEOUT_MS = 3000;
const OPEN_RETRY_MS = 20;

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

/** Tables that versions before 0.2 neither have nor need. */
const ADDED_TABLES = `
  CREATE TABLE IF NOT EXISTS clocks (
    boot TEXT PRIMARY KEY, offset REAL NOT NULL, seen REAL NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS days (
    account INTEGER NOT NULL, day TEXT NOT NULL, units INTEGER NOT NULL, PRIMARY KEY (account, day)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS machines (boot TEXT PRIMARY KEY, id INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS servers (account INTEGER PRIMARY KEY, record TEXT NOT NULL) STRICT`;

/** An open file. */
export interface OpenFile {
  readonly database: DatabaseSync;
  /** Returns milliseconds of the clock that the times in the file are of. */
  readonly now: () => number;
  /** The number of this machine among those that share a server. */
  readonly machine: number;
  /** Closes the damaged file and renames it, so that a new one can take its place. */
  setAside(): void;
}

/**
 * Opens the file, and creates it if it does not exist.
 * @throws when it cannot be created, read or written
 */
export async function openFile(options: SqliteFileOptions): Promise<OpenFile> {
  const { folder, onNote } = options;
  const path = join(folder, FILE_NAME);
  createFolder(folder);
  const start = monotonicMs();
  for (let isReplaced = false; ; ) {
    const file = openOnce(path, onNote);
    try {
      configure(file.database, path);
      const boot = bootId();
      const now = openClock(file.database, boot, options);
      return { ...file, now, machine: machineNumber(file.database, boot) };
    } catch (error) {
      if (isDamaged(error) && !isReplaced) {
        isReplaced = true;
        file.setAside();
      } else {
        file.database.close();
        if (!isBusy(error) || monotonicMs() - start > OPEN_TIMEOUT_MS) throw error;
      }
    }
    await sleep(Math.random() * OPEN_RETRY_MS);
  }
}

function openOnce(path: string, onNote: SqliteFileOptions["onNote"]): Omit<OpenFile, "now" | "machine"> {
  createPrivateFile(path);
  const identity = fileIdentity(path);
  const database = openDatabase(path);
  const setAside = () => {
    database.close();
    // Another process may have replaced it already.
    if (fileIdentity(path) !== identity) return;
    const name = setDamagedFileAside(path);
    onNote(`${path} is damaged: it was renamed to ${name}, and the count of requests restarts.`);
  };
  return { database, setAside };
}

/**
 * Configures the database. Nothing is flushed to the disk: that takes longer than a request, and after a power failure
 * the counts are out of date anyway. A killed process leaves the file intact; a file damaged by a power failure is
 * replaced.
 */
function configure(database: DatabaseSync, path: string): void {
  database.exec(`PRAGMA busy_timeout = ${BLOCKING_MS}`);
  enableWriteAheadLog(database, path);
  database.exec(`PRAGMA synchronous = OFF; PRAGMA wal_autocheckpoint = ${WAL_PAGES}`);
  ensureSchema(database, SCHEMA);
  database.exec(ADDED_TABLES);
}

/**
 * Returns the clock of a file, which all processes read alike and no change of the machine's time moves: the time since
 * the machine started, plus an offset that the first process after the start stores. So the times are near those of
 * older versions. Without a name for the run of the machine, a restart is recognised by a time that was seen before;
 * one that is not recognised only makes permits look younger than they are.
 */
function openClock(database: DatabaseSync, boot: string, { calendar }: SqliteFileOptions): () => number {
  const sinceStart = machineClock();
  if (sinceStart === undefined) {
    const origin = calendar() - monotonicMs();
    return () => monotonicMs() + origin;
  }
  const offset = inTransaction(database, () => {
    // Read while no other process stores its time: what is stored is never later within one run of the machine.
    const seen = sinceStart();
    const row = database.prepare("SELECT offset, seen FROM clocks WHERE boot = ?").get(boot);
    const stored = row as { readonly offset: number; readonly seen: number } | undefined;
    const current = stored !== undefined && stored.seen <= seen ? stored.offset : calendar() - seen;
    database.prepare("INSERT OR REPLACE INTO clocks (boot, offset, seen) VALUES (?, ?, ?)").run(boot, current, seen);
    return current;
  });
  return () => sinceStart() + offset;
}

/** Returns the number of this machine: the first process after its start draws it. */
function machineNumber(database: DatabaseSync, boot: string): number {
  const number = Math.floor(Math.random() * MAX_MACHINE);
  database.prepare("INSERT OR IGNORE INTO machines (boot, id) VALUES (?, ?)").run(boot, number);
  return Number(database.prepare("SELECT id FROM machines WHERE boot = ?").get(boot)?.id);
}
