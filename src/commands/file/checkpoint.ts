/**
 * The checkpoint of an output file: one record in a small database beside the file, from which a later run can resume.
 * The database stays open and locked for the whole run; the system releases the lock when the process ends in any way.
 */
import { createHash } from "node:crypto";
import { open, unlink } from "node:fs/promises";
import type { DatabaseSync } from "node:sqlite";
import {
  checkRegularFile,
  fileIdentity,
  isBusy,
  isDamaged,
  type JsonObject,
  openDatabase,
  parseJson,
  removeDatabase,
  stringifyJson,
  UsageError,
  unwritableError,
} from "../../base/index.ts";

/** Version of the record format; a run can only be resumed with the same version. */
export const CHECKPOINT_FORMAT = 1;

/** A locked checkpoint. */
export interface Checkpoint {
  /**
   * Returns the record of the last run; undefined when it saved none.
   * @throws UsageError when the record was not written by solx
   */
  read(): JsonObject | undefined;
  /** Replaces the saved record; it is on disk when this returns. */
  save(record: JsonObject): void;
  close(): void;
  remove(): Promise<void>;
}

const TABLE = "CREATE TABLE IF NOT EXISTS run (id INTEGER PRIMARY KEY CHECK (id = 1), record TEXT, seal TEXT)";

/**
 * Opens and locks the checkpoint of a file, creating it when it does not exist.
 * @param file path of the output file
 * @param startsOver whether to delete an existing record and replace an unreadable checkpoint
 * @throws UsageError when another process holds the lock or the file is not a checkpoint; errors of the file system
 */
export async function acquireLock(file: string, { startsOver }: { readonly startsOver: boolean }): Promise<Checkpoint> {
  const path = `${file}.checkpoint`;
  for (;;) {
    checkRegularFile(path);
    // Created before SQLite opens it: closing a file descriptor releases all locks of this process on that file.
    await (await open(path, "a")).close();
    const before = fileIdentity(path);
    const database = await openLocked(file, path, startsOver);
    // The previous holder may have removed the file in between; then the lock is on a deleted file.
    if (before !== undefined && before === fileIdentity(path)) return createCheckpoint(database, file, path);
    database.close();
  }
}

async function openLocked(file: string, path: string, startsOver: boolean): Promise<DatabaseSync> {
  const database = openDatabase(path);
  try {
    const forget = startsOver ? "DROP TABLE IF EXISTS run;" : "";
    database.exec(`PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; ${forget} ${TABLE}; COMMIT`);
    return database;
  } catch (error) {
    database.close();
    if (isBusy(error)) {
      throw new UsageError(`Another solx process is writing ${file}.`, {
        code: "IN_USE",
        hint: "Wait until it has finished, or write to another file.",
        cause: error,
      });
    }
    if (!isDamaged(error)) throw unwritableError(path, error);
    if (!startsOver) throw damagedError(path, "it is not a checkpoint written by solx");
    removeDatabase(path);
    return openLocked(file, path, false);
  }
}

function createCheckpoint(database: DatabaseSync, file: string, path: string): Checkpoint {
  return {
    read: () => readRecord(database, path),
    save(record) {
      const text = stringifyJson(record);
      try {
        database.prepare("INSERT OR REPLACE INTO run (id, record, seal) VALUES (1, ?, ?)").run(text, hashRecord(text));
      } catch (cause) {
        throw unwritableError(`The state of ${file}`, cause);
      }
    },
    close: () => database.close(),
    async remove() {
      database.exec("DELETE FROM run");
      // Removed while locked, so that no other process can acquire it in between.
      const isGone = await unlink(path).then(
        () => true,
        () => false,
      );
      database.close();
      // Not every system can remove an open file.
      if (!isGone) removeDatabase(path);
    },
  };
}

function readRecord(database: DatabaseSync, path: string): JsonObject | undefined {
  try {
    const row = database.prepare("SELECT record, seal FROM run").get();
    if (!row) return undefined;
    const record = String(row.record);
    if (hashRecord(record) !== row.seal) throw damagedError(path, "it was modified after solx wrote it");
    return parseJson(record) as JsonObject;
  } catch (error) {
    throw error instanceof UsageError ? error : damagedError(path, "it is not a checkpoint written by solx");
  }
}

function hashRecord(record: string): string {
  return createHash("sha256").update(`solx checkpoint ${record}`).digest("hex");
}

function damagedError(path: string, reason: string): UsageError {
  return new UsageError(`${path} cannot be used: ${reason}.`, {
    code: "BAD_CHECKPOINT",
    hint: "To start over, add --force.",
  });
}
