/** Ledger files: created once and cached in a folder whose content may be deleted at any time. */

import { mkdtemp, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { createFolder, HOUR_MS, isSqliteError, openDatabase, SolxError } from "../../../base/index.ts";
import type { BlockSource, ChainDecoder } from "../source/source.ts";
import { createLedgerReader, type LedgerReader } from "./reader.ts";
import { LEDGER_VERSION } from "./schema.ts";

/** Properties of a ledger: `version`, `source`, `end`, and for a generated world also `seed`, `size`, `hostile`. */
export type LedgerMeta = Readonly<Record<string, string>>;

/** A ledger that is open for queries. */
export interface Ledger {
  readonly reader: LedgerReader;
  readonly db: DatabaseSync;
  /** Its file; undefined in memory. */
  readonly path: string | undefined;
  readonly meta: LedgerMeta;
  close(): void;
}

/** A ledger that is read over the network. */
export interface RemoteLedger extends Pick<Ledger, "meta" | "close"> {
  /** What holds for all answers, and the newest block of the last one; it has no rows. */
  readonly reader: LedgerReader;
  /** Runs a query. It may be run several times, so that it must not do anything else. */
  ask<T>(query: (reader: LedgerReader) => T): Promise<T>;
}

/** Options for looking up a ledger. */
export interface LedgerLookupOptions {
  /** The cache folder; ledgers are in a subfolder. */
  readonly folder: string;
  readonly id: string;
  /** The caller's Unix seconds at the newest block; by default the ledger's own time. */
  readonly now?: number | undefined;
}

/** Options for opening a ledger that may have to be created. */
export interface OpenLedgerOptions extends Omit<LedgerLookupOptions, "id"> {
  readonly source: BlockSource;
  readonly signal?: AbortSignal | undefined;
  /** Called with the completed share of a new ledger, from 0 to 1. */
  readonly onProgress?: ((fraction: number) => void) | undefined;
  /** Called with a message when the ledger cannot be stored. */
  readonly onNote?: ((note: string) => void) | undefined;
}

/** A stored ledger. */
export interface LedgerInfo {
  readonly path: string;
  readonly bytes: number;
  readonly meta: LedgerMeta;
  /** Number of rows by table. */
  readonly rows: Readonly<Record<string, number>>;
}

const FOLDER = "sandbox";
const SUFFIX = `-l${LEDGER_VERSION}.db`;
const TEMP_PREFIX = ".making-";
/** Temporary folders of dead processes are removed after an hour. */
const MAX_LEFTOVER_AGE_MS = HOUR_MS;

/** Returns the ledger in an open database that has been written. */
export function ledgerFromDatabase(
  db: DatabaseSync,
  options: { path?: string; now?: number | undefined } = {},
): Ledger {
  const meta = readMeta(db);
  const end = Number(meta.end);
  const isChain = meta.chain !== undefined;
  const clock = { end, shift: isChain ? 0 : (options.now ?? end) - end };
  return {
    reader: createLedgerReader(db, () => clock, { isChain }),
    db,
    path: options.path,
    meta,
    close() {
      if (db.isOpen) db.close();
    },
  };
}

/** Opens a stored ledger without its source. Returns undefined when there is none that can be used. */
export async function openExistingLedger({ folder, id, now }: LedgerLookupOptions): Promise<Ledger | undefined> {
  return openLedgerFile(join(folder, FOLDER, await fileNameOf(id)), id, now);
}

/**
 * Opens the ledger of a source. A ledger that is missing, damaged or of another version is created first, in memory
 * where it cannot be stored.
 * @throws InterruptedError when the signal fires; no files are left behind then
 */
export async function openLedger(options: OpenLedgerOptions): Promise<Ledger> {
  const { folder, source, now } = options;
  const existing = await openExistingLedger({ folder, id: source.id, now });
  if (existing) return existing;
  const directory = join(folder, FOLDER);
  const path = join(directory, await fileNameOf(source.id));
  const created = await createLedgerFile(directory, path, options);
  if (created) return created;
  options.onNote?.(`The sandbox cannot store its data in ${directory}: it is generated again on each run.`);
  const db = openDatabase(":memory:");
  await writeBlocks(db, options);
  db.exec("PRAGMA query_only = 1");
  return ledgerFromDatabase(db, { now });
}

/** Milliseconds to wait while another process has the file locked. */
const BUSY_MS = 5000;

/** Returns the error for a ledger with the property `shipped`: it has no more than its writer needs. */
export const shippedError = () =>
  new SolxError("usage", "The file of this index only serves to write into ClickHouse.", {
    code: "INDEX_SHIPPED",
    hint: "Query the database with --index clickhouse://…, or choose another name with --index.",
  });

/**
 * Opens a ledger that another process may be writing: its time is not shifted, and new blocks appear in its answers.
 * Returns undefined when the file is no ledger of this version.
 * @throws SolxError where another store has the rows and answers, SQLite's error where the file cannot be opened
 */
export function openGrowingLedger(path: string, decode?: ChainDecoder): Ledger | undefined {
  const db = openDatabase(path, { readOnly: true });
  try {
    db.exec(`PRAGMA query_only = 1; PRAGMA temp_store = MEMORY; PRAGMA busy_timeout = ${BUSY_MS}`);
    const ledger = ledgerFromDatabase(db, { path });
    if (ledger.meta.version === String(LEDGER_VERSION)) {
      if (ledger.meta.shipped !== undefined) throw shippedError();
      const newest = db.prepare("SELECT MAX(time) AS time FROM blocks");
      const clock = () => ({ end: Number(newest.get()?.time ?? 0), shift: 0 });
      const options = { isChain: ledger.meta.chain !== undefined, decode, isShared: true };
      return { ...ledger, reader: createLedgerReader(db, clock, options) };
    }
  } catch (error) {
    db.close();
    throw error;
  }
  db.close();
  return undefined;
}

/** Lists the stored ledgers of all versions with their numbers of rows. */
export async function listLedgers(folder: string): Promise<readonly LedgerInfo[]> {
  const names = await readdir(join(folder, FOLDER)).catch(() => []);
  const ledgers: LedgerInfo[] = [];
  for (const name of names.filter((one) => one.endsWith(".db")).sort()) {
    const path = join(folder, FOLDER, name);
    const ledger = openLedgerFile(path, undefined, undefined);
    if (!ledger) continue;
    ledgers.push({ path, bytes: (await stat(path)).size, meta: ledger.meta, rows: countRows(ledger.db) });
    ledger.close();
  }
  return ledgers;
}

/** Removes all ledgers and returns their paths. */
export async function removeLedgers(folder: string): Promise<readonly string[]> {
  const directory = join(folder, FOLDER);
  const names = await readdir(directory).catch(() => []);
  await rm(directory, { recursive: true, force: true });
  return names.filter((name) => name.endsWith(".db")).map((name) => join(directory, name));
}

async function writeBlocks(db: DatabaseSync, { source, signal, onProgress }: OpenLedgerOptions): Promise<void> {
  const { writeLedger } = await import("./writer.ts");
  await writeLedger(db, source, { signal, onProgress });
}

/** Creates a ledger in a temporary folder and moves it into place. Returns undefined where no file can be created. */
async function createLedgerFile(
  directory: string,
  path: string,
  options: OpenLedgerOptions,
): Promise<Ledger | undefined> {
  const tempFolder = await createTempFolder(directory);
  if (tempFolder === undefined) return undefined;
  const { source, now } = options;
  try {
    const draft = join(tempFolder, "ledger.db");
    const db = openDatabase(draft);
    try {
      await writeBlocks(db, options);
    } finally {
      db.close();
    }
    // Where the file is in use and cannot be replaced, another process has just created the same one.
    await rename(draft, path).catch(() => undefined);
    return openLedgerFile(path, source.id, now);
  } catch (error) {
    // The disk is full, or the user's quota is exceeded.
    if (isSqliteError(error)) return undefined;
    throw error;
  } finally {
    await rm(tempFolder, { recursive: true, force: true });
  }
}

async function createTempFolder(directory: string): Promise<string | undefined> {
  try {
    createFolder(directory);
    await removeLeftovers(directory);
    return await mkdtemp(join(directory, TEMP_PREFIX));
  } catch {
    return undefined;
  }
}

async function removeLeftovers(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    if (!name.startsWith(TEMP_PREFIX)) continue;
    const path = join(directory, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
    if (Date.now() - mtimeMs > MAX_LEFTOVER_AGE_MS)
      await rm(path, { recursive: true, force: true }).catch(() => undefined);
  }
}

/** Opens a file for reading. Returns undefined when it is not the requested ledger. */
function openLedgerFile(path: string, id: string | undefined, now: number | undefined): Ledger | undefined {
  let db: DatabaseSync | undefined;
  try {
    db = openDatabase(immutableUrl(path), { readOnly: true });
    db.exec(
      "PRAGMA query_only = 1; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -32768; PRAGMA mmap_size = 1073741824",
    );
    const ledger = ledgerFromDatabase(db, { path, now });
    if (id === undefined || (ledger.meta.source === id && ledger.meta.version === String(LEDGER_VERSION)))
      return ledger;
  } catch {
    // Missing, truncated or not a database.
  }
  if (db?.isOpen) db.close();
  return undefined;
}

/** Returns the URL of a file that is never modified: SQLite takes no locks then, half of the cost of a small query. */
function immutableUrl(path: string): URL {
  const url = pathToFileURL(path);
  url.searchParams.set("immutable", "1");
  return url;
}

/** Returns the properties, without documents, which have a colon in their names: they are read when they are needed. */
function readMeta(db: DatabaseSync): LedgerMeta {
  const rows = db.prepare("SELECT name, value FROM meta WHERE name NOT LIKE '%:%'").all();
  return Object.fromEntries(rows.map(({ name, value }) => [String(name), String(value)]));
}

function countRows(db: DatabaseSync): Record<string, number> {
  const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'").all();
  return Object.fromEntries(tables.map(({ name }) => [String(name), countTableRows(db, String(name))]));
}

/** Returns the number of rows of a table; 0 where the file is damaged, so that it can still be listed and removed. */
function countTableRows(db: DatabaseSync, table: string): number {
  try {
    return Number(db.prepare(`SELECT COUNT(*) AS rows FROM ${table}`).get()?.rows);
  } catch {
    return 0;
  }
}

const MAX_NAME_LENGTH = 100;

/** Returns a file name for any id: characters with a meaning to a file system are written as their codes. */
async function fileNameOf(id: string): Promise<string> {
  const name = id.replace(/[^a-z0-9-]/g, (char) => `_${char.charCodeAt(0).toString(16)}_`);
  if (name.length <= MAX_NAME_LENGTH) return name + SUFFIX;
  const { createHash } = await import("node:crypto");
  const digest = createHash("sha256").update(id, "utf16le").digest("hex");
  return `${name.slice(0, MAX_NAME_LENGTH - digest.length)}_${digest}${SUFFIX}`;
}
