/** The file named by `--out`: checked, renamed when it is complete, and recorded for later runs. */
import { createHash } from "node:crypto";
import { chmod, lstat, open, readdir, readFile, realpath, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import {
  createFolder,
  type ExitName,
  isObject,
  type JsonObject,
  parseJson,
  replaceFile,
  SolxError,
  stringifyJson,
  toNumber,
  UsageError,
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

const REASONS: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EPERM: "operation not permitted",
  EROFS: "the file system is read-only",
  ENOENT: "its folder does not exist",
  ENOTDIR: "its folder is a file",
  ENAMETOOLONG: "the name is too long",
  EISDIR: "it is a folder",
  ENOSPC: "the disk is full",
  ELOOP: "there is a loop of symbolic links",
  EBUSY: "another program has it open",
};
/** Windows reports an open file as one without permission. */
const WINDOWS_REASONS: typeof REASONS = {
  EACCES: "another program has it open, or it is read-only",
  EPERM: "another program has it open, or it is read-only",
};

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

/** Whether a path exists, including as a broken symbolic link. */
export async function exists(path: string): Promise<boolean> {
  return (await lstat(path).catch(ignoreMissing(path))) !== undefined;
}

/** Returns a file system error as a UsageError about the named file. */
export function unwritableError(name: string, cause: unknown, platform = process.platform): UsageError {
  const { code = "", message } = cause as NodeJS.ErrnoException;
  const reason = (platform === "win32" ? WINDOWS_REASONS[code] : undefined) ?? REASONS[code] ?? message;
  return new UsageError(`${name} cannot be written: ${reason}.`, {
    code: code || "UNWRITABLE",
    cause,
  });
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

/** Maximum number of records; beyond it, the oldest are removed, several at once. */
const MAX_RECORDS = 1000;
const REMOVED_AT_ONCE = 100;
/** Hexadecimal digits of the hash of a path that name its record. */
const HASH_DIGITS = 32;

/**
 * Records a complete file that is about to be renamed to its final name.
 * @param state the state folder
 * @param record what to record in addition to size and times
 */
export async function rememberFile(
  state: string | undefined,
  { path, partial }: OutputTarget,
  record: JsonObject,
): Promise<void> {
  if (state === undefined) return;
  try {
    const { size, mtimeMs } = await stat(partial);
    const file = await recordPath(state, path);
    const text = stringifyJson({ path, size, modified: mtimeMs, completed: Date.now(), ...record });
    createFolder(dirname(file));
    const temporary = `${file}.${process.pid}`;
    await writeFile(temporary, `${text}\n`, { mode: 0o600 });
    await replaceFile(temporary, file);
    await removeOldest(dirname(file));
  } catch {
    // A later run then treats the file as unknown.
  }
}

/** Returns the record of a file whose size has not changed since. */
export async function recallFile(state: string | undefined, path: string): Promise<JsonObject | undefined> {
  if (state === undefined) return undefined;
  try {
    const record = parseJson(await readFile(await recordPath(state, path), "utf8"));
    return isObject(record) && toNumber(record.size) === (await stat(path)).size ? record : undefined;
  } catch {
    return undefined;
  }
}

/** Removes the record of a file that is about to be replaced. */
export async function forgetFile(state: string | undefined, path: string): Promise<void> {
  if (state === undefined) return;
  try {
    await rm(await recordPath(state, path), { force: true });
  } catch {
    // A missing record needs no removal.
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

async function recordPath(state: string, path: string): Promise<string> {
  const real = join(await realpath(dirname(path)), basename(path));
  const name = createHash("sha256").update(real).digest("hex");
  return join(state, "files", `${name.slice(0, HASH_DIGITS)}.json`);
}

async function removeOldest(folder: string): Promise<void> {
  const names = await readdir(folder);
  if (names.length <= MAX_RECORDS) return;
  const ages = names.map(async (name) => {
    const path = join(folder, name);
    return { path, time: (await stat(path)).mtimeMs };
  });
  const oldest = (await Promise.all(ages)).sort((one, other) => one.time - other.time);
  const obsolete = oldest.slice(0, names.length - MAX_RECORDS + REMOVED_AT_ONCE);
  for (const { path } of obsolete) await rm(path, { force: true });
}
