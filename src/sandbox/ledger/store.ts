/** Ledgers in files: made once, then kept where anything may be deleted at any time. */

import { mkdtemp, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { createFolder, HOUR_MS, isSqliteError, openDatabase } from "../../base/index.ts";

import type { Source } from "../source/source.ts";
import { createReader, type Reader } from "./reader.ts";
import { LEDGER_VERSION } from "./schema.ts";

/** What a ledger says of itself: `version`, `source`, `end`, and of a world also `seed`, `size`, `hostile`. */
export type Meta = Readonly<Record<string, string>>;

/** A ledger that can be asked. */
export interface Ledger {
  readonly reader: Reader;
  readonly db: DatabaseSync;
  /** Its file; undefined in memory. */
  readonly path: string | undefined;
  readonly meta: Meta;
  close(): void;
}

/** How a ledger is looked up. */
export interface KnownOptions {
  /** Where ledgers are kept, in a folder of their own. */
  readonly folder: string;
  /** The source's id. */
  readonly id: string;
  /** The caller's Unix seconds at the newest block; without it the caller lives in the ledger's time. */
  readonly now?: number | undefined;
}

/** How a ledger is opened. */
export interface OpenOptions extends Omit<KnownOptions, "id"> {
  readonly source: Source;
  readonly signal?: AbortSignal | undefined;
  /** Told how much of a new ledger is made, from 0 to 1. */
  readonly onProgress?: ((fraction: number) => void) | undefined;
  /** Told in a sentence when the ledger cannot be kept. */
  readonly onNote?: ((note: string) => void) | undefined;
}

/** A ledger that is kept. */
export interface LedgerInfo {
  readonly path: string;
  readonly bytes: number;
  readonly meta: Meta;
  /** Rows of each table. */
  readonly rows: Readonly<Record<string, number>>;
}

const FOLDER = "sandbox";
const SUFFIX = `-l${LEDGER_VERSION}.db`;
const TEMPORARY = ".making-";
/** What is left of a process that died is removed after an hour. */
const LEFTOVER_MS = HOUR_MS;

/** A ledger of an open database that has been written. */
export function ledgerOf(db: DatabaseSync, options: { path?: string; now?: number | undefined } = {}): Ledger {
  const meta = metaOf(db);
  const end = Number(meta.end);
  const clock = { end, shift: (options.now ?? end) - end };
  return {
    reader: createReader(db, () => clock),
    db,
    path: options.path,
    meta,
    close() {
      if (db.isOpen) db.close();
    },
  };
}

/** Opens a ledger that is kept, without its source; undefined when there is none that can be used. */
export async function openKnown({ folder, id, now }: KnownOptions): Promise<Ledger | undefined> {
  return openFile(join(folder, FOLDER, await fileNameOf(id)), id, now);
}

/**
 * Opens the ledger of a source; one that is missing, damaged or of another version is made first. Where it cannot be
 * kept, it is made in memory.
 * @throws InterruptedError when the signal fires; nothing is left behind then.
 */
export async function openLedger(options: OpenOptions): Promise<Ledger> {
  const { folder, source, now } = options;
  const known = await openKnown({ folder, id: source.id, now });
  if (known) return known;
  const home = join(folder, FOLDER);
  const path = join(home, await fileNameOf(source.id));
  const made = await makeFile(home, path, options);
  if (made) return made;
  options.onNote?.(`The sandbox cannot keep its data in ${home}: it is made anew each time.`);
  const db = openDatabase(":memory:");
  await write(db, options);
  db.exec("PRAGMA query_only = 1");
  return ledgerOf(db, { now });
}

/** The ledgers that are kept, of whatever version; rows are counted. */
export async function listLedgers(folder: string): Promise<readonly LedgerInfo[]> {
  const names = await readdir(join(folder, FOLDER)).catch(() => []);
  const found: LedgerInfo[] = [];
  for (const name of names.filter((one) => one.endsWith(".db")).sort()) {
    const path = join(folder, FOLDER, name);
    const ledger = openFile(path, undefined, undefined);
    if (!ledger) continue;
    found.push({ path, bytes: (await stat(path)).size, meta: ledger.meta, rows: rowsOf(ledger.db) });
    ledger.close();
  }
  return found;
}

/** Removes all ledgers; the answer is the paths of those that were there. */
export async function removeLedgers(folder: string): Promise<readonly string[]> {
  const home = join(folder, FOLDER);
  const names = await readdir(home).catch(() => []);
  await rm(home, { recursive: true, force: true });
  return names.filter((name) => name.endsWith(".db")).map((name) => join(home, name));
}

async function write(db: DatabaseSync, { source, signal, onProgress }: OpenOptions): Promise<void> {
  const { writeLedger } = await import("./writer.ts");
  await writeLedger(db, source, { signal, onProgress });
}

/** Makes the file of a ledger beside its place and moves it there; undefined where no file can be made. */
async function makeFile(home: string, path: string, options: OpenOptions): Promise<Ledger | undefined> {
  const workshop = await makeWorkshop(home);
  if (workshop === undefined) return undefined;
  const { source, now } = options;
  try {
    const draft = join(workshop, "ledger.db");
    const db = openDatabase(draft);
    try {
      await write(db, options);
    } finally {
      db.close();
    }
    // Where the file is in use and cannot be replaced, another process has just made the same.
    await rename(draft, path).catch(() => undefined);
    return openFile(path, source.id, now);
  } catch (error) {
    // A disk that is full, or has no room for this user.
    if (isSqliteError(error)) return undefined;
    throw error;
  } finally {
    await rm(workshop, { recursive: true, force: true });
  }
}

async function makeWorkshop(home: string): Promise<string | undefined> {
  try {
    createFolder(home);
    await removeLeftovers(home);
    return await mkdtemp(join(home, TEMPORARY));
  } catch {
    return undefined;
  }
}

async function removeLeftovers(home: string): Promise<void> {
  for (const name of await readdir(home)) {
    if (!name.startsWith(TEMPORARY)) continue;
    const path = join(home, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
    if (Date.now() - mtimeMs > LEFTOVER_MS) await rm(path, { recursive: true, force: true }).catch(() => undefined);
  }
}

/** Opens a file for reading; undefined when it is not the ledger that is meant. */
function openFile(path: string, id: string | undefined, now: number | undefined): Ledger | undefined {
  let db: DatabaseSync | undefined;
  try {
    db = openDatabase(unchanging(path), { readOnly: true });
    db.exec(
      "PRAGMA query_only = 1; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -32768; PRAGMA mmap_size = 1073741824",
    );
    const ledger = ledgerOf(db, { path, now });
    if (id === undefined || (ledger.meta.source === id && ledger.meta.version === String(LEDGER_VERSION)))
      return ledger;
  } catch {
    // Missing, cut off or no database at all.
  }
  if (db?.isOpen) db.close();
  return undefined;
}

/** A file that nobody ever writes to: SQLite then takes no locks, which are half of what a small query costs. */
function unchanging(path: string): URL {
  const url = pathToFileURL(path);
  url.searchParams.set("immutable", "1");
  return url;
}

function metaOf(db: DatabaseSync): Meta {
  const rows = db.prepare("SELECT name, value FROM meta").all();
  return Object.fromEntries(rows.map(({ name, value }) => [String(name), String(value)]));
}

function rowsOf(db: DatabaseSync): Record<string, number> {
  const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'").all();
  return Object.fromEntries(tables.map(({ name }) => [String(name), countOf(db, String(name))]));
}

/** Rows of a table; 0 where the file is damaged, so that it can still be told of and removed. */
function countOf(db: DatabaseSync, table: string): number {
  try {
    return Number(db.prepare(`SELECT COUNT(*) AS rows FROM ${table}`).get()?.rows);
  } catch {
    return 0;
  }
}

const LONGEST_NAME = 100;

/** A file name for any id: what might mean something to a file system is written by its code. */
async function fileNameOf(id: string): Promise<string> {
  const name = id.replace(/[^a-z0-9-]/g, (char) => `_${char.charCodeAt(0).toString(16)}_`);
  if (name.length <= LONGEST_NAME) return name + SUFFIX;
  const { createHash } = await import("node:crypto");
  const digest = createHash("sha256").update(id, "utf16le").digest("hex");
  return `${name.slice(0, LONGEST_NAME - digest.length)}_${digest}${SUFFIX}`;
}
