/**
 * Names of addresses that answers contained, in an SQLite file of the cache folder that many processes use at once and
 * that may be deleted at any time. Each source of data has its own names, so that those of the sandbox never appear
 * beside real addresses. A problem with the file fails no command: names are then as in a first run.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import {
  ensureSchema,
  errorMessage,
  inTransaction,
  isBusy,
  isDamaged,
  isSchemaMismatch,
  openDatabase,
  openPrivateDatabase,
  removeDatabase,
} from "../../base/index.ts";
import type { Settings } from "../../config/index.ts";
import type { LearnedName, NameKind } from "../../output/index.ts";
import { sourceOf } from "../run/data-source.ts";

/** Why stored names could not be read or written. */
export interface NameStoreProblem {
  readonly operation: "read" | "write";
  readonly reason: "busy" | "damaged" | "inaccessible";
  readonly message: string;
}

/** The most names of a source, and of all sources; the oldest are removed first. */
const MAX_NAMES = 5000;
const MAX_ALL_NAMES = 4 * MAX_NAMES;
/** Milliseconds to wait while another process writes. */
const BUSY_TIMEOUT_MS = 100;
const CLEAR_TIMEOUT_MS = 1000;

const SCHEMA = {
  version: 1,
  tables: `CREATE TABLE names (number INTEGER PRIMARY KEY, scope TEXT NOT NULL, address TEXT NOT NULL,
    kind TEXT NOT NULL, name TEXT NOT NULL, UNIQUE (scope, address))`,
};
const COLUMNS = "SELECT address, kind, name FROM names WHERE scope = ?";
const WRITE = "REPLACE INTO names (scope, address, kind, name) VALUES (?, ?, ?, ?)";
const PRUNE = `DELETE FROM names WHERE number <=
    (SELECT number FROM names ORDER BY number DESC LIMIT 1 OFFSET ${MAX_ALL_NAMES})
  OR scope = :scope AND number <=
    (SELECT number FROM names WHERE scope = :scope ORDER BY number DESC LIMIT 1 OFFSET ${MAX_NAMES})`;

/** The stored names of one source. */
export interface NameStore {
  /** Returns the names of addresses, or of all, the oldest first. */
  read(addresses?: readonly string[]): readonly LearnedName[];
  write(names: readonly LearnedName[]): void;
  /** Returns the first problem with the file; undefined when there was none. */
  problem(): NameStoreProblem | undefined;
  close(): void;
}

/** Returns the file of stored names; undefined without a home folder. */
export function nameFile({ paths }: Pick<Settings, "paths">): string | undefined {
  return paths.cache && join(paths.cache, "names.sqlite");
}

/** Returns the stored names of the source of a run; undefined where the cache is off. */
export function openNameStore(settings: Settings): NameStore | undefined {
  const file = nameFile(settings);
  const isOff = settings.get("cache") === "off";
  return file === undefined || isOff ? undefined : new SqliteNameStore(file, sourceOf(settings).facts.scope);
}

/** A file that is opened when it is first needed. After a problem it is left alone. */
export class SqliteNameStore implements NameStore {
  readonly #file: string;
  readonly #scope: string;
  #database: DatabaseSync | undefined;
  #problem: NameStoreProblem | undefined;

  constructor(file: string, scope: string) {
    this.#file = file;
    this.#scope = scope;
  }

  read(addresses?: readonly string[]): readonly LearnedName[] {
    if (addresses?.length === 0 || !existsSync(this.#file)) return [];
    const rows = this.#attempt("read", () => {
      const database = this.#open();
      if (addresses === undefined) return database.prepare(`${COLUMNS} ORDER BY number`).all(this.#scope);
      const find = database.prepare(`${COLUMNS} AND address = ?`);
      return addresses.map((address) => find.get(this.#scope, address)).filter((row) => row !== undefined);
    });
    return (rows ?? []).map(({ address, kind, name }) => ({
      address: String(address),
      kind: kind as NameKind,
      name: String(name),
    }));
  }

  write(names: readonly LearnedName[]): void {
    if (names.length === 0) return;
    this.#attempt("write", () => {
      const database = this.#open();
      database.exec("PRAGMA synchronous = OFF");
      inTransaction(database, () => {
        const write = database.prepare(WRITE);
        for (const { address, kind, name } of names) write.run(this.#scope, address, kind, name);
        database.prepare(PRUNE).run({ scope: this.#scope });
      });
    });
  }

  problem = () => this.#problem;

  close(): void {
    this.#database?.close();
    this.#database = undefined;
  }

  #open(): DatabaseSync {
    this.#database ??= openPrivateDatabase(this.#file, SCHEMA, { timeout: BUSY_TIMEOUT_MS });
    return this.#database;
  }

  /** Runs an action. A damaged file is deleted, so that the next run starts with an empty one. */
  #attempt<T>(operation: NameStoreProblem["operation"], action: () => T): T | undefined {
    if (this.#problem) return undefined;
    try {
      return action();
    } catch (error) {
      const isBroken = isDamaged(error) || isSchemaMismatch(error);
      const reason = isBusy(error) ? "busy" : isBroken ? "damaged" : "inaccessible";
      this.#problem = { operation, reason, message: errorMessage(error) };
      if (isBroken) this.#discard();
      return undefined;
    }
  }

  #discard(): void {
    try {
      this.close();
      removeDatabase(this.#file);
    } catch {
      // A file that cannot be deleted stays unused.
    }
  }
}

/** Returns the number of stored names of all sources. @throws Error when the file cannot be read */
export function countStoredNames(file: string): number {
  return withFile(file, (database) => Number(database.prepare("SELECT COUNT(*) AS names FROM names").get()?.names));
}

/**
 * Removes the stored names of all sources and returns their number. The file stays, since other processes may use it,
 * unless it is damaged.
 * @throws Error when the file cannot be written
 */
export function clearStoredNames(file: string): number {
  try {
    return withFile(file, (database) => {
      const { changes } = database.prepare("DELETE FROM names").run();
      database.exec("VACUUM");
      return Number(changes);
    });
  } catch (error) {
    if (!isDamaged(error) && !isSchemaMismatch(error)) throw error;
    removeDatabase(file);
    return 0;
  }
}

/** Runs an action on an existing file; returns 0 without one. */
function withFile(file: string, action: (database: DatabaseSync) => number): number {
  if (!existsSync(file)) return 0;
  const database = openDatabase(file, { timeout: CLEAR_TIMEOUT_MS });
  try {
    ensureSchema(database, SCHEMA);
    return action(database);
  } finally {
    database.close();
  }
}
