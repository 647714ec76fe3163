/**
 * Answers in an SQLite file that many processes use at once, and that may be deleted at any time.
 *
 * undici's cache store is not used: it limits the number of entries instead of bytes, has no statistics, drops writes
 * while another process writes, and decides by headers only, where freshness depends on the body.
 *
 * Rows are numbered in the order of writing, so the lowest numbers are the oldest. Nothing is flushed to the disk; a
 * file damaged by a system crash is deleted.
 */
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import {
  createFolder,
  createPrivateFile,
  errorMessage,
  inTransaction,
  isBusy,
  isDamaged,
  isSchemaMismatch,
  MAX_RECEIVED_BYTES,
  openDatabase,
  removeDatabase,
} from "../../base/index.ts";
import { type CacheKind, MAX_CACHE_SECONDS } from "../../catalogue/index.ts";
import type { ClientEvent } from "../options.ts";

/** An answer as it is stored. */
export interface CachedAnswer {
  readonly kind: CacheKind;
  /** When it arrived, in milliseconds since the epoch. */
  readonly at: number;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Whether the body is compressed. */
  readonly packed: boolean;
  readonly body: Uint8Array;
}

/** The limits of the cache; the oldest answers are removed first. */
interface CacheLimits {
  /** Size of the file in bytes. */
  readonly bytes: number;
  readonly count: number;
  /** Size of one body in bytes; larger ones are not stored. */
  readonly body: number;
}

interface CacheStats {
  readonly kind: CacheKind;
  readonly count: number;
  readonly bytes: number;
  /** When the oldest and the newest answer arrived, in milliseconds since the epoch. */
  readonly oldest: number;
  readonly newest: number;
}

const BOUNDS: CacheLimits = { bytes: 67_108_864, count: 100_000, body: 8_388_608 };

/** Answers in memory before they are written. */
const MAX_UNWRITTEN = { count: 64, bytes: 2_097_152 } as const;
/** Milliseconds to wait while another process writes. */
const BUSY_TIMEOUT_MS = 500;

const TABLE = `CREATE TABLE IF NOT EXISTS answers (
  number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, at INTEGER NOT NULL,
  size INTEGER NOT NULL, status INTEGER NOT NULL, headers TEXT NOT NULL, packed INTEGER NOT NULL, body BLOB NOT NULL)`;
const FIND = "SELECT kind, at, status, headers, packed, body FROM answers WHERE id = ?";
const WRITE =
  "REPLACE INTO answers (id, kind, at, size, status, headers, packed, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?)";

/** A file of answers, opened on demand. Its first error is reported; none fails a request. */
export class AnswerStore {
  readonly #file: string;
  readonly #bounds: CacheLimits;
  readonly #onEvent: (event: ClientEvent) => void;
  readonly #waiting = new Map<string, CachedAnswer>();
  #waitingBytes = 0;
  #db: DatabaseSync | undefined;
  #find: ReturnType<DatabaseSync["prepare"]> | undefined;
  /** Operations that failed are not tried again, because each attempt may have to wait for the same other process. */
  readonly #failed = new Set<"read" | "write">();

  constructor(file: string, onEvent: (event: ClientEvent) => void, bounds: Partial<CacheLimits> = {}) {
    this.#file = file;
    this.#onEvent = onEvent;
    this.#bounds = { ...BOUNDS, ...bounds };
  }

  get maxBody(): number {
    return this.#bounds.body;
  }

  get(id: string): CachedAnswer | undefined {
    const unwritten = this.#waiting.get(id);
    if (unwritten || !existsSync(this.#file)) return unwritten;
    return this.#guarded("read", () => {
      this.#find ??= this.#open().prepare(FIND);
      const row = this.#find.get(id);
      return row && toCachedAnswer(row);
    });
  }

  /** Stores an answer. Answers are written in batches, at the latest when the store is closed. */
  set(id: string, answer: CachedAnswer): void {
    if (answer.body.length > this.#bounds.body || this.#failed.has("write")) return;
    this.#waitingBytes += answer.body.length;
    this.#waiting.delete(id);
    this.#waiting.set(id, answer);
    if (this.#waiting.size >= MAX_UNWRITTEN.count || this.#waitingBytes >= MAX_UNWRITTEN.bytes) this.flush();
  }

  flush(): void {
    const entries = [...this.#waiting];
    this.#waiting.clear();
    this.#waitingBytes = 0;
    if (entries.length > 0) this.#guarded("write", () => this.#writeOrReplace(entries));
  }

  close(): void {
    this.flush();
    this.#release();
  }

  #writeOrReplace(entries: readonly (readonly [string, CachedAnswer])[]): void {
    try {
      this.#write(entries);
    } catch (error) {
      if (!isBroken(error)) throw error;
      this.#release();
      removeDatabase(this.#file);
      this.#write(entries);
    }
  }

  #write(entries: readonly (readonly [string, CachedAnswer])[]): void {
    const db = this.#open();
    db.exec("PRAGMA synchronous = OFF");
    inTransaction(db, () => {
      db.exec(TABLE);
      const write = db.prepare(WRITE);
      for (const [id, { kind, at, status, headers, packed, body }] of entries) {
        write.run(id, kind, at, body.length, status, JSON.stringify(headers), Number(packed), body);
      }
      prune(db, this.#bounds, Math.max(...entries.map(([, { at }]) => at)));
    });
  }

  #open(): DatabaseSync {
    this.#db ??= openFile(this.#file);
    return this.#db;
  }

  #release(): void {
    const db = this.#db;
    this.#db = undefined;
    this.#find = undefined;
    db?.close();
  }

  /** Users are warned unless the next run will be able to use the file. */
  #report(error: unknown): void {
    const type = isBusy(error) || isBroken(error) ? "note" : "warning";
    this.#onEvent({ type, text: `The cache in ${this.#file} cannot be used: ${errorMessage(error)}` });
  }

  #guarded<T>(what: "read" | "write", action: () => T): T | undefined {
    if (this.#failed.has(what)) return undefined;
    try {
      return action();
    } catch (error) {
      if (this.#failed.size === 0) this.#report(error);
      this.#failed.add(what);
      return undefined;
    }
  }
}

/** Returns statistics of each kind. @throws SQLite's error for a file that cannot be read */
export function readCacheStats(file: string): readonly CacheStats[] {
  return withFile(file, [], (db) => {
    const rows = db
      .prepare(
        "SELECT kind, COUNT(*) AS count, SUM(size) AS bytes, MIN(at) AS oldest, MAX(at) AS newest FROM answers GROUP BY kind",
      )
      .all();
    return rows.map(({ kind, count, bytes, oldest, newest }) => ({
      kind: kind as CacheKind,
      count: Number(count),
      bytes: Number(bytes),
      oldest: Number(oldest),
      newest: Number(newest),
    }));
  });
}

/**
 * Removes all answers, or those of one kind, and reclaims the space; deletes a file that is damaged.
 * @returns the number of answers removed
 */
export function clearCachedAnswers(file: string, kind?: CacheKind): number {
  try {
    return withFile(file, 0, (db) => {
      const [where, values] = kind === undefined ? ["", []] : ["WHERE kind = ?", [kind]];
      const { changes } = db.prepare(`DELETE FROM answers ${where}`).run(...values);
      db.exec("VACUUM");
      return Number(changes);
    });
  } catch (error) {
    if (!isBroken(error)) throw error;
    removeDatabase(file);
    return 0;
  }
}

function withFile<T>(file: string, none: T, action: (db: DatabaseSync) => T): T {
  if (!existsSync(file)) return none;
  const db = openDatabase(file, { timeout: 10 * BUSY_TIMEOUT_MS });
  try {
    const table = db.prepare("SELECT 1 FROM sqlite_master WHERE name = 'answers'").get();
    return table === undefined ? none : action(db);
  } finally {
    db.close();
  }
}

function openFile(file: string): DatabaseSync {
  if (!existsSync(file)) {
    createFolder(dirname(file));
    createPrivateFile(file);
  }
  return openDatabase(file, { timeout: BUSY_TIMEOUT_MS });
}

function prune(db: DatabaseSync, bounds: CacheLimits, now: number): void {
  const number = (sql: string) => Number(Object.values(db.prepare(sql).get() ?? {})[0] ?? 0);
  const oldest = now - MAX_CACHE_SECONDS * 1000;
  if (number("SELECT at FROM answers ORDER BY number LIMIT 1") < oldest) {
    db.prepare("DELETE FROM answers WHERE at < ?").run(oldest);
  }
  const latest = number("SELECT MAX(number) FROM answers");
  db.prepare("DELETE FROM answers WHERE number <= ?").run(latest - bounds.count);
  const pageSize = number("PRAGMA page_size");
  const size = () => (number("PRAGMA page_count") - number("PRAGMA freelist_count")) * pageSize;
  while (size() > bounds.bytes) {
    const share = Math.ceil(number("SELECT COUNT(*) FROM answers") / 8);
    if (share === 0) break;
    db.prepare("DELETE FROM answers WHERE number IN (SELECT number FROM answers ORDER BY number LIMIT ?)").run(share);
  }
}

function toCachedAnswer({ kind, at, status, headers, packed, body }: Readonly<Record<string, unknown>>): CachedAnswer {
  return {
    kind: kind as CacheKind,
    at: Number(at),
    status: Number(status),
    headers: JSON.parse(String(headers)),
    packed: packed === 1,
    body: body as Uint8Array,
  };
}

function isBroken(error: unknown): boolean {
  return isDamaged(error) || isSchemaMismatch(error);
}

/** Smaller bodies are not compressed, because that costs more than it saves. */
const PACKED_FROM = 8192;

/** Returns a body as it is stored: large ones are compressed, fast rather than small. */
export async function packBody(text: string): Promise<Pick<CachedAnswer, "packed" | "body">> {
  const body = Buffer.from(text);
  if (body.length < PACKED_FROM) return { packed: false, body };
  const { deflateRawSync } = await import("node:zlib");
  return { packed: true, body: deflateRawSync(body, { level: 1 }) };
}

/** Returns the body of an answer. @throws when it is damaged or larger than any body: a damaged file can say anything */
export async function unpackBody({ packed, body }: CachedAnswer): Promise<Buffer> {
  if (!packed) return Buffer.from(body);
  const { inflateRawSync } = await import("node:zlib");
  return inflateRawSync(body, { maxOutputLength: MAX_RECEIVED_BYTES });
}
