/** Changing the files of solx: one writer at a time, all or nothing, and never over a file that cannot be read. */

import { mkdirSync, rmSync, statSync } from "node:fs";
import { basename, dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { systemReason } from "../base/error-message.ts";
import { InterruptedError, SolxError } from "../base/errors.ts";
import { createFolder } from "../base/folders.ts";
import { type JsonObject, stringifyJson } from "../base/json.ts";
import { readJsonFile } from "./file.ts";

/** Milliseconds after which a lock belongs to a process that died: a change takes a few. */
const STALE_LOCK = 5_000;
/** Milliseconds to wait for other writers. */
const MAX_LOCK_WAIT = 20_000;
/** Milliseconds between two tries. */
const RETRY_DELAY = 15;

/**
 * Changes a JSON file: reads it, applies `change` and replaces it as a whole. The file is made with mode 0600 in a
 * folder of mode 0700; a link is followed. Nothing is written when `change` returns undefined.
 * @throws SolxError when the file there cannot be read (it is kept), or the new one cannot be written.
 */
export async function updateJsonFile(
  path: string | undefined,
  change: (data: JsonObject) => JsonObject | undefined,
  signal?: AbortSignal,
): Promise<void> {
  if (path === undefined) throw noFolderError();
  const { default: Conf } = await import("conf");
  makeFolderOf(path);
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

function makeFolderOf(path: string): void {
  const folder = dirname(path);
  try {
    createFolder(folder);
  } catch (error) {
    throw writeError(folder, error);
  }
}

/** Runs the task while no other process changes the file. The lock is a folder: making one is atomic everywhere. */
async function withLock(path: string, signal: AbortSignal | undefined, task: () => void): Promise<void> {
  const lock = `${path}.lock`;
  const deadline = performance.now() + MAX_LOCK_WAIT;
  while (!acquireLock(lock)) {
    if (performance.now() > deadline) {
      throw new SolxError("unexpected", `${path} is being changed by another solx.`, {
        code: "LOCKED",
        retryable: true,
        hint: `If none is running, delete the folder ${lock}.`,
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
  return new SolxError("unexpected", "There is no home folder to save in.", {
    code: "NO_HOME",
    hint: "Set HOME, or name a folder of your own with SOLX_HOME.",
  });
}

function writeError(path: string, cause: unknown): SolxError {
  const { code = "UNWRITABLE", message } = cause as NodeJS.ErrnoException;
  return new SolxError("unexpected", `${path} cannot be written: ${systemReason(cause) ?? message}.`, {
    code,
    hint: "Nothing was changed. Name a folder that solx may write with SOLX_HOME.",
    cause,
  });
}
