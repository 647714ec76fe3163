/** Changing the files of solx: one writer at a time, atomically, and never over a file that cannot be read. */

import { mkdirSync, rmSync, statSync } from "node:fs";
import { basename, dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import {
  createFolder,
  InterruptedError,
  type JsonObject,
  SolxError,
  stringifyJson,
  systemReason,
} from "../base/index.ts";
import { readJsonFile } from "./file.ts";

/** The age in milliseconds at which a lock is left over by a process that died: a change takes a few. */
const STALE_LOCK = 5_000;
/** The maximum wait for other writers, in milliseconds. */
const MAX_LOCK_WAIT = 20_000;
/** The delay between two attempts to lock, in milliseconds. */
const RETRY_DELAY = 15;

/**
 * Changes a JSON file: reads it, applies `change` and replaces it atomically. The file gets mode 0600 in a folder of
 * mode 0700; a link is followed. Nothing is written when `change` returns undefined.
 * @throws SolxError when the file cannot be read (it stays as it is), or cannot be written
 */
export async function updateJsonFile(
  path: string | undefined,
  change: (data: JsonObject) => JsonObject | undefined,
  signal?: AbortSignal,
): Promise<void> {
  if (path === undefined) throw noFolderError();
  // conf writes: the atomic replacement through links, the mode, and a fallback where a file cannot be renamed. It is
  // loaded here only, since it brings 206 kB and reading needs none of it: `readJsonFile` reports line and column.
  const { default: Conf } = await import("conf");
  createParentFolder(path);
  await withLock(path, signal, () => {
    const { data, problem } = readJsonFile(path);
    if (problem) throw problem;
    const next = change(data);
    if (next === undefined) return;
    try {
      const file = new Conf<Record<string, unknown>>({
        cwd: dirname(path),
        configName: basename(path, ".json"),
        fileExtension: "json",
        configFileMode: 0o600,
        accessPropertiesByDotNotation: false,
        serialize: (value) => `${stringifyJson(value as JsonObject, 2)}\n`,
      });
      file.store = { ...next };
    } catch (error) {
      throw writeError(path, error);
    }
  });
}

function createParentFolder(path: string): void {
  const folder = dirname(path);
  try {
    createFolder(folder);
  } catch (error) {
    throw writeError(folder, error);
  }
}

/** Runs a task while no other process changes the file. The lock is a folder: creating one is atomic everywhere. */
async function withLock(path: string, signal: AbortSignal | undefined, task: () => void): Promise<void> {
  const lock = `${path}.lock`;
  const deadline = performance.now() + MAX_LOCK_WAIT;
  while (!acquireLock(lock)) {
    if (performance.now() > deadline) {
      throw new SolxError("unexpected", `Another solx process is changing ${path}.`, {
        code: "LOCKED",
        retryable: true,
        hint: `If no other one is running, delete the folder ${lock}.`,
      });
    }
    await pause(signal);
  }
  try {
    task();
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}

function acquireLock(lock: string): boolean {
  try {
    mkdirSync(lock);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw writeError(lock, error);
  }
  const lockedAt = statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
  if (Date.now() - lockedAt > STALE_LOCK) rmSync(lock, { recursive: true, force: true });
  return false;
}

async function pause(signal: AbortSignal | undefined): Promise<void> {
  try {
    await delay(RETRY_DELAY, undefined, signal && { signal });
  } catch (cause) {
    throw new InterruptedError(undefined, { cause });
  }
}

function noFolderError(): SolxError {
  return new SolxError("unexpected", "There is no home folder for the files of solx.", {
    code: "NO_HOME",
    hint: "Set HOME, or set SOLX_HOME to a folder.",
  });
}

function writeError(path: string, cause: unknown): SolxError {
  const { code = "UNWRITABLE", message } = cause as NodeJS.ErrnoException;
  return new SolxError("unexpected", `${path} cannot be written: ${systemReason(cause) ?? message}.`, {
    code,
    hint: "Nothing was changed. Set SOLX_HOME to a writable folder.",
    cause,
  });
}
