/**
 * What a run that writes a file leaves beside it, so that another can go on: one record in a small database, held open
 * and locked for the whole run. The system frees the lock when the process dies, however it dies.
 */

import { createHash } from "node:crypto";
import { open, rm, stat, unlink } from "node:fs/promises";
import type { DatabaseSync } from "node:sqlite";
import { SolxError, UsageError } from "../../base/errors.ts";
import { type JsonObject, parseJson, stringifyJson } from "../../base/json.ts";
import { isBusy, isDamaged, openDatabase } from "../../base/sqlite.ts";

/** The form of the records; a run goes on only with its own. */
export const CHECKPOINT_FORMAT = 1;

/** A checkpoint that is held. */
export interface Checkpoint {
  /**
   * What the last run saved; undefined when it saved nothing.
   * @throws UsageError when it is not what solx wrote
   */
  read(): JsonObject | undefined;
  /** Saves a record in place of the one before; on the disk when it returns. */
  save(record: JsonObject): void;
  /** Frees the lock; the file stays. */
  close(): void;
  /** Frees the lock and removes the file. */
  remove(): Promise<void>;
}

const TABLE = "CREATE TABLE IF NOT EXISTS run (id INTEGER PRIMARY KEY CHECK (id = 1), record TEXT, seal TEXT)";

/**
 * Takes the checkpoint of a file; it is made when it is not there.
 * @param file whose checkpoint it is
 * @param anew whether what it holds is forgotten, and one that cannot be read is replaced
 * @throws UsageError when another process holds it or it is no checkpoint; what the file system says
 */
export async function acquireLock(file: string, { reset }: { readonly reset: boolean }): Promise<Checkpoint> {
  const path = `${file}.checkpoint`;
  for (;;) {
    // Opened and closed before SQLite does: closing a file ends the locks that a process has on it.
    await (await open(path, "a")).close();
    const before = await stat(path).catch(() => undefined);
    const database = await openLocked(file, path, reset);
    const after = await stat(path).catch(() => undefined);
    // Whoever held it may have removed it in between: then the lock is one on a file that nobody else sees.
    if (before && after && before.ino === after.ino) return createCheckpoint(database, file, path);
    database.close();
  }
}

async function openLocked(file: string, path: string, reset: boolean): Promise<DatabaseSync> {
  const database = openDatabase(path);
  try {
    const forget = reset ? "DROP TABLE IF EXISTS run;" : "";
    database.exec(`PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; ${forget} ${TABLE}; COMMIT`);
    return database;
  } catch (error) {
    database.close();
    if (isBusy(error)) {
      throw new UsageError(`Another solx is writing ${file}.`, {
        code: "IN_USE",
        hint: "Wait until it is done, or write another file.",
        cause: error,
      });
    }
    if (!isDamaged(error)) {
      const { message } = error as Error;
      throw new SolxError("unexpected", `${path} could not be written: ${message}.`, { cause: error });
    }
    if (!reset) throw damagedError(path, "it is no checkpoint of solx");
    await removeFiles(path);
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
        const { message } = cause as Error;
        throw new SolxError("unexpected", `The state of ${file} could not be saved: ${message}.`, { cause });
      }
    },
    close: () => database.close(),
    async remove() {
      database.exec("DELETE FROM run");
      // While it is locked, so that nobody takes it in between.
      const isGone = await unlink(path).then(
        () => true,
        () => false,
      );
      database.close();
      // Not every system removes a file that is open.
      if (!isGone) await removeFiles(path);
    },
  };
}

function readRecord(database: DatabaseSync, path: string): JsonObject | undefined {
  try {
    const row = database.prepare("SELECT record, seal FROM run").get();
    if (!row) return undefined;
    const record = String(row.record);
    if (hashRecord(record) !== row.seal) throw damagedError(path, "it was changed after solx wrote it");
    return parseJson(record) as JsonObject;
  } catch (error) {
    throw error instanceof UsageError ? error : damagedError(path, "it is no checkpoint of solx");
  }
}

async function removeFiles(path: string): Promise<void> {
  for (const name of [path, `${path}-journal`]) await rm(name, { force: true });
}

function hashRecord(record: string): string {
  return createHash("sha256").update(`solx checkpoint ${record}`).digest("hex");
}

function damagedError(path: string, reason: string): UsageError {
  return new UsageError(`${path} cannot be used: ${reason}.`, {
    code: "BAD_CHECKPOINT",
    hint: "--force begins anew.",
  });
}
