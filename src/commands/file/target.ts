/** The file named by `--out`: checked, renamed when it is complete, and recorded for later runs. */
import { chmod, lstat, open, realpath, rm, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import {
  type ExitName,
  isObject,
  type JsonObject,
  openPrivateDatabase,
  parseJson,
  replaceFile,
  SolxError,
  stringifyJson,
  toNumber,
  UsageError,
  unwritableError,
} from "../../base/index.ts";

/** The file to write. */
export interface OutputTarget {
  /** The name as typed, for messages. */
  readonly name: string;
  /** Absolute path with symbolic links resolved. */
  readonly path: string;
  /** Path of the file while it is incomplete. */
  readonly partial: string;
  /** Its permissions; undefined when the file does not exist. */
  readonly mode: number | undefined;
}

/** Bytes of a file name: file systems allow 255, and the longest name beside it is that of its checkpoint's journal. */
const MAX_NAME_BYTES = 255 - ".checkpoint-journal".length;

/**
 * Resolves the file named by `--out`.
 * @throws UsageError when it is not a regular file: a folder, a pipe or a device
 */
export async function resolveTarget(name: string): Promise<OutputTarget> {
  if (name === "" || name === "-") {
    throw new UsageError(`invalid value "${name}" for --out: expected a file name`, {
      hint: "Without --out, output goes to standard output.",
    });
  }
  const stats = await stat(name).catch(ignoreMissing(name));
  if (stats?.isDirectory() || /[\\/]$/.test(name)) {
    throw new UsageError(`${name} is a folder.`, { hint: `Name a file in it, e.g. ${join(name, "rows.ndjson")}` });
  }
  if (stats && !stats.isFile()) {
    throw new UsageError(`${name} is not a regular file.`, { hint: `Omit --out and redirect the output: > ${name}` });
  }
  const path = stats ? await realpath(name) : resolve(name);
  if (Buffer.byteLength(basename(path)) > MAX_NAME_BYTES) throw unwritableError(name, { code: "ENAMETOOLONG" });
  return { name, path, partial: `${path}.partial`, mode: stats && stats.mode & 0o777 };
}

/** @throws UsageError when something else than a file has the name of a file that is written beside the target */
export async function checkPartial({ name, path, partial }: OutputTarget): Promise<void> {
  const stats = await stat(partial).catch(ignoreMissing(name));
  if (stats === undefined || stats.isFile()) return;
  const what = stats.isDirectory() ? "a folder" : "not a regular file";
  throw new UsageError(`${name}${partial.slice(path.length)} is ${what}.`, {
    code: "BAD_PARTIAL",
    hint: "Move it away, or write to another file.",
  });
}

/** Whether a path exists, including as a broken symbolic link. */
export async function exists(path: string): Promise<boolean> {
  return (await lstat(path).catch(ignoreMissing(path))) !== undefined;
}

function ignoreMissing(name: string) {
  return (error: NodeJS.ErrnoException): undefined => {
    if (error.code === "ENOENT") return undefined;
    throw unwritableError(name, error);
  };
}

/** Returns the target with the file in place of its partial one that is written when the rows are complete. */
export const convertedTarget = (target: OutputTarget): OutputTarget => ({ ...target, partial: `${target.path}.new` });

/** Renames the partial file to its final name durably: after a power failure, it exists under one of the two names. */
export async function renamePartial({ path, partial, mode }: OutputTarget): Promise<void> {
  if (mode !== undefined) await chmod(partial, mode);
  await replaceFile(partial, path);
  await syncFolder(path);
}

/** Flushes the folder of a path to disk, where the system supports it. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(dirname(path), "r").catch(() => undefined);
  await folder?.sync().catch(() => undefined);
  await folder?.close();
}

/** Removes the partial file. */
export async function removePartial({ partial }: OutputTarget): Promise<void> {
  await rm(partial, { force: true });
}

/** Maximum number of records; beyond it, the oldest are removed. */
const MAX_RECORDS = 1000;
const RECORDS = {
  version: 1,
  tables: "CREATE TABLE files (number INTEGER PRIMARY KEY, path TEXT UNIQUE, size INTEGER, record TEXT)",
};
const PRUNE = `DELETE FROM files WHERE number <=
  (SELECT number FROM files ORDER BY number DESC LIMIT 1 OFFSET ${MAX_RECORDS})`;
/** Milliseconds to wait while another process writes a record. */
const RECORDS_TIMEOUT_MS = 2000;

/**
 * Records a complete file that is about to be renamed to its final name.
 * @param state the state folder
 */
export const rememberFile = (state: string | undefined, { path, partial }: OutputTarget, record: JsonObject) =>
  withRecords(state, path, async (database, name) => {
    const insert = database.prepare("REPLACE INTO files (path, size, record) VALUES (?, ?, ?)");
    insert.run(name, (await stat(partial)).size, stringifyJson(record));
    database.exec(PRUNE);
  });

/** Returns the record of a file whose size has not changed since. */
export const recallFile = (state: string | undefined, path: string) =>
  withRecords(state, path, async (database, name) => {
    const row = database.prepare("SELECT size, record FROM files WHERE path = ?").get(name);
    const record = row && row.size === (await stat(path)).size ? parseJson(String(row.record)) : undefined;
    return isObject(record ?? null) ? (record as JsonObject) : undefined;
  });

/** Removes the record of a file that is about to be replaced. */
export const forgetFile = (state: string | undefined, path: string) =>
  withRecords(state, path, async (database, name) => {
    database.prepare("DELETE FROM files WHERE path = ?").run(name);
  });

/** Runs an action on the records of complete files. Without them, a later run treats a file as unknown. */
async function withRecords<T>(
  state: string | undefined,
  path: string,
  action: (database: DatabaseSync, name: string) => Promise<T>,
): Promise<T | undefined> {
  if (state === undefined) return undefined;
  let database: DatabaseSync | undefined;
  try {
    database = openPrivateDatabase(join(state, "files.sqlite"), RECORDS, { timeout: RECORDS_TIMEOUT_MS });
    return await action(database, join(await realpath(dirname(path)), basename(path)));
  } catch {
    return undefined;
  } finally {
    database?.close();
  }
}

/** Returns an error as JSON for the record of a file that lacks unavailable data. */
export function errorToJson({ exit, code, message, hint }: SolxError): JsonObject {
  return { exit, code, message, ...(hint === undefined ? {} : { hint }) };
}

/** Returns the error in a record. */
export function errorFromRecord({ ending }: JsonObject): SolxError | undefined {
  if (!isObject(ending)) return undefined;
  const { exit, code, message, hint } = ending;
  return new SolxError(exit as ExitName, String(message), {
    code: toNumber(code) ?? String(code),
    ...(typeof hint === "string" ? { hint } : {}),
  });
}
