/**
 * Records of completed output files: by which run, how large, and how the run ended. Each record is a small file in the
 * state folder. Without a state folder, or when it cannot be written, nothing is recorded and no run fails.
 */
import { createHash } from "node:crypto";
import { readdir, readFile, realpath, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
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
} from "../../base/index.ts";
import type { OutputTarget } from "./target.ts";

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
