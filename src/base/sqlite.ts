/**
 * SQLite as all database files of solx use it: loading, opening, transactions, schema versions and kinds of failure.
 * `node:sqlite` is loaded by the first database that is opened, so modules that import this one stay cheap to load.
 */
import { closeSync, existsSync, openSync, renameSync, rmSync, statfsSync, statSync } from "node:fs";
import { basename, dirname } from "node:path";
import process from "node:process";
import type { DatabaseSync, DatabaseSyncOptions } from "node:sqlite";
import { type SolxError, UsageError } from "./errors.ts";
import { createFolder } from "./files.ts";

/** The primary result codes (https://sqlite.org/rescode.html) that solx distinguishes. */
const RESULT_CODES = {
  error: 1,
  busy: 5,
  locked: 6,
  corrupt: 11,
  tooBig: 18,
  constraint: 19,
  mismatch: 20,
  notADatabase: 26,
} as const;

/**
 * Opens a database; `:memory:` opens an empty one in memory.
 * @throws SQLite's error where the file cannot be opened, and an Error where the runtime has no `node:sqlite`
 */
export function openDatabase(path: string | URL, options: DatabaseSyncOptions = {}): DatabaseSync {
  if (path !== ":memory:") checkRegularFile(path);
  const { DatabaseSync } = loadSqlite();
  return new DatabaseSync(path, options);
}

/** Loads `node:sqlite` without the ExperimentalWarning of Node 22 and 24: users of solx cannot act on it. */
function loadSqlite(): typeof import("node:sqlite") {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    const sqlite = process.getBuiltinModule("node:sqlite");
    if (!sqlite) throw new Error("this runtime has no node:sqlite");
    return sqlite;
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** Creates an empty file that only its owner can read, unless it exists. SQLite gives its log files the same mode. */
export function createPrivateFile(path: string): void {
  checkRegularFile(path);
  closeSync(openSync(path, "a", 0o600));
}

/**
 * Opens a database that only its owner can read; the folder, the file and its tables are created where they are missing.
 * @throws SQLite's or the system's error
 */
export function openPrivateDatabase(path: string, schema: Schema, options: DatabaseSyncOptions): DatabaseSync {
  if (path !== ":memory:" && !existsSync(path)) {
    createFolder(dirname(path));
    createPrivateFile(path);
  }
  const database = openDatabase(path, options);
  try {
    ensureSchema(database, schema);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** @throws UsageError for a path that is something else than a file: opening a named pipe would wait for its writer */
export function checkRegularFile(path: string | URL): void {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined || stats.isFile()) return;
  throw new UsageError(`${path} is ${stats.isDirectory() ? "a folder" : "not a regular file"}.`, {
    code: "NOT_A_FILE",
    hint: "Move it away: a file is created in its place.",
  });
}

/**
 * Locks a file beside a database, which others can still read. The lock ends when what is returned is closed, or with
 * this process, however it ends: the operating system releases it. A database in memory has none.
 * @throws `inUse(…)` when another process has the lock
 */
export function lockBeside(path: string, inUse: (cause: unknown) => SolxError): DatabaseSync | undefined {
  if (path === ":memory:") return undefined;
  let lock: DatabaseSync | undefined;
  try {
    lock = openPrivateDatabase(`${path}.lock`, { version: 1, tables: "" }, {});
    lock.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
    return lock;
  } catch (error) {
    lock?.close();
    throw isBusy(error) ? inUse(error) : error;
  }
}

/** Returns the files of a database: its own, and behind it those that SQLite keeps beside it. */
export const databaseFiles = (path: string): readonly string[] =>
  ["", "-journal", "-wal", "-shm"].map((suffix) => path + suffix);

/** Removes a database that is closed. */
export function removeDatabase(path: string): void {
  for (const file of databaseFiles(path)) rmSync(file, { force: true });
}

/**
 * Renames a damaged database that is closed to `<name>.damaged`, without its log files, so that a new one can take its
 * place. Returns the new name without its folder.
 */
export function setDamagedFileAside(path: string): string {
  for (const log of databaseFiles(path).slice(1)) rmSync(log, { force: true });
  renameSync(path, `${path}.damaged`);
  return `${basename(path)}.damaged`;
}

/** The types of network file systems on Linux, as statfs(2) has them: NFS, SMB (three), 9P, FUSE, AFS, Ceph, Lustre, GPFS. */
const NETWORK_TYPES: ReadonlySet<number> = new Set([
  0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x01021997, 0x65735546, 0x5346414f, 0x00c36400, 0x0bd00bd0, 0x47504653,
]);

/** The system access that {@link enableWriteAheadLog} needs; replaceable in tests. */
export interface JournalOptions {
  readonly platform?: NodeJS.Platform;
  readonly statfs?: (folder: string) => { readonly type: number };
}

/**
 * Lets processes read while another one writes. The write-ahead log needs memory that all of them share: on a network
 * file system, where they may run on several machines, the rollback journal is used and readers wait.
 * @returns whether the log is in use
 * @throws SQLite's error when the file is damaged, or locked for longer than the timeout of the connection
 */
export function enableWriteAheadLog(database: DatabaseSync, path: string, options: JournalOptions = {}): boolean {
  if (!isOnNetwork(path, options)) {
    try {
      return database.prepare("PRAGMA journal_mode = WAL").get()?.journal_mode === "wal";
    } catch (error) {
      // Others are failures to share memory.
      if (!isSqliteError(error) || isBusy(error) || isDamaged(error)) throw error;
    }
  }
  database.exec("PRAGMA journal_mode = TRUNCATE");
  return false;
}

function isOnNetwork(path: string, { platform = process.platform, statfs = statfsSync }: JournalOptions): boolean {
  if (platform === "win32") return /^[\\/]{2}(?![.?][\\/])/.test(path);
  if (platform !== "linux") return false;
  try {
    return NETWORK_TYPES.has(statfs(dirname(path)).type);
  } catch {
    return false;
  }
}

/** How a transaction locks: `immediate` from its start, `deferred` with its first write. */
type TransactionMode = "immediate" | "deferred";

/** Runs an action in one transaction: committed when the action returns, rolled back when it throws. */
export function inTransaction<T>(database: DatabaseSync, action: () => T, mode: TransactionMode = "immediate"): T {
  database.exec(mode === "immediate" ? "BEGIN IMMEDIATE" : "BEGIN");
  try {
    const result = action();
    database.exec("COMMIT");
    return result;
  } catch (error) {
    // Some failures, such as a full disk, have rolled it back already.
    if (database.isTransaction) database.exec("ROLLBACK");
    throw error;
  }
}

/** The tables of a database file and the number of their version, which is stored in the file. */
export interface Schema {
  readonly version: number;
  /** The statements that create the tables in an empty file. */
  readonly tables: string;
}

/**
 * Creates the tables in a new file, also when several processes do so at once.
 * @throws Error when the file has tables of another version
 */
export function ensureSchema(database: DatabaseSync, { version, tables }: Schema): void {
  if (schemaVersion(database) === version) return;
  inTransaction(database, () => {
    const current = schemaVersion(database);
    if (current > version) throw new Error("it was written by a newer version of solx");
    if (current === 0) database.exec(`${tables}; PRAGMA user_version = ${version}`);
  });
}

function schemaVersion(database: DatabaseSync): number {
  return Number(database.prepare("PRAGMA user_version").get()?.user_version);
}

/** Whether an error is one of SQLite. */
export function isSqliteError(error: unknown): boolean {
  return (error as { readonly code?: unknown } | undefined)?.code === "ERR_SQLITE_ERROR";
}

/** Whether an operation failed because another connection has locked the file. */
export function isBusy(error: unknown): boolean {
  return hasResultCode(error, RESULT_CODES.busy, RESULT_CODES.locked);
}

/** Whether the file is damaged or not a database. */
export function isDamaged(error: unknown): boolean {
  return hasResultCode(error, RESULT_CODES.corrupt, RESULT_CODES.notADatabase);
}

/** Whether a statement does not fit the tables of the file, as where another version created them. */
export function isSchemaMismatch(error: unknown): boolean {
  return hasResultCode(error, RESULT_CODES.error);
}

/** Whether SQLite rejected a value, not the file: it does not fit its column, or a sum of it has more than 64 bits. */
export function isRejectedRow(error: unknown): boolean {
  const { error: other, tooBig, constraint, mismatch } = RESULT_CODES;
  return hasResultCode(error, other, tooBig, constraint, mismatch);
}

function hasResultCode(error: unknown, ...codes: readonly number[]): boolean {
  const code = (error as { readonly errcode?: unknown } | undefined)?.errcode;
  // The lower byte is the primary code; the rest says more about it.
  return typeof code === "number" && codes.includes(code & 0xff);
}
