/** JSON files of solx: read exactly and without an exception, changed by one writer at a time, atomically. */
import { isUtf8 } from "node:buffer";
import { lstatSync, mkdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { basename, dirname } from "node:path";
import {
  createFolder,
  isObject,
  type Json,
  type JsonObject,
  parseJson,
  SolxError,
  sleep,
  stringifyJson,
  UsageError,
  unwritableError,
} from "../base/index.ts";

/** Room for an address book of a million names. */
const MAX_BYTES = 64 * 1024 * 1024;

interface JsonFile {
  readonly path: string;
  readonly data: JsonObject;
  /** The permission bits; undefined when there is no file. */
  readonly mode: number | undefined;
  readonly problem: UsageError | undefined;
}

/** Reads a JSON file. Never throws, and no message repeats the content of the file. */
export function readJsonFile(path: string): JsonFile {
  let mode: number | undefined;
  try {
    const stats = statSync(path);
    mode = stats.mode & 0o777;
    const { data, problem } = stats.isFile()
      ? readData(path, stats.size)
      : { data: {}, problem: fileError(path, stats.isDirectory() ? "is a directory" : "is not a regular file") };
    return { path, data, mode, problem };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const what =
      code === "ENOENT" && lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()
        ? "is a link to a file that does not exist"
        : code === "ENOENT" || code === "ENOTDIR"
          ? undefined
          : `cannot be read (${code ?? "unknown reason"})`;
    return { path, data: {}, mode, problem: what === undefined ? undefined : fileError(path, what, error) };
  }
}

function readData(path: string, size: number): { data: JsonObject; problem?: UsageError } {
  if (size > MAX_BYTES) return { data: {}, problem: fileError(path, "is larger than 64 MiB") };
  const bytes = readFileSync(path);
  if (!isUtf8(bytes)) return { data: {}, problem: fileError(path, "is not text in UTF-8") };
  const text = bytes.toString().replace(/^\ufeff/, "");
  let data: Json;
  try {
    data = parseJson(text);
  } catch {
    const { line, column } = lineAndColumn(text, findJsonError(text) ?? text.length);
    return { data: {}, problem: fileError(path, `is not valid JSON (line ${line}, column ${column})`) };
  }
  return isObject(data) ? { data } : { data: {}, problem: fileError(path, "does not contain a JSON object") };
}

/** Returns the error about a file that cannot be used; `what` continues the sentence. */
export function fileError(path: string, what: string, cause?: unknown): UsageError {
  return new UsageError(`${path} ${what}.`, {
    code: "CONFIG",
    hint: "Correct the file, or move it away. It was not changed.",
    cause,
  });
}

const TOKEN =
  /[ \t\n\r]*(?:([[\]{}:,])|("(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*")|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)/y;

const BLANK = /[ \t\n\r]*/y;

/** The next expected token: any value, a key, the colon after a key, or what follows a value. */
type Expected = "value" | "first value" | "key" | "first key" | "colon" | "after";

/** Returns the offset of the first token that is not JSON; undefined when the whole text is JSON. */
export function findJsonError(text: string): number | undefined {
  const brackets: string[] = [];
  let expected: Expected = "value";
  let offset = 0;
  for (;;) {
    BLANK.lastIndex = offset;
    BLANK.exec(text);
    const start = BLANK.lastIndex;
    if (start === text.length && expected === "after" && brackets.length === 0) return undefined;
    TOKEN.lastIndex = offset;
    const match = TOKEN.exec(text);
    if (!match) return start;
    const next = nextExpected(expected, match[1] ?? (match[2] === undefined ? "scalar" : "string"), brackets);
    if (next === undefined) return start;
    expected = next;
    offset = TOKEN.lastIndex;
  }
}

/** Returns what is expected after a token; undefined when the token itself was not expected. */
function nextExpected(expected: Expected, token: string, brackets: string[]): Expected | undefined {
  switch (expected) {
    case "colon":
      return token === ":" ? "value" : undefined;
    case "after":
      return afterValue(token, brackets);
    case "key":
    case "first key":
      if (token === "string") return "colon";
      return expected === "first key" && token === "}" ? closeBracket(brackets) : undefined;
    case "value":
    case "first value":
      if (token === "]" && expected === "first value") return closeBracket(brackets);
      if (token === "{" || token === "[") {
        brackets.push(token);
        return token === "{" ? "first key" : "first value";
      }
      return token === "string" || token === "scalar" ? "after" : undefined;
  }
}

function afterValue(token: string, brackets: string[]): Expected | undefined {
  const inside = brackets.at(-1);
  if (token === "," && inside) return inside === "{" ? "key" : "value";
  return (token === "}" && inside === "{") || (token === "]" && inside === "[") ? closeBracket(brackets) : undefined;
}

function closeBracket(brackets: string[]): Expected {
  brackets.pop();
  return "after";
}

/** Returns the line and column of an offset, counted from 1. */
export function lineAndColumn(text: string, offset: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, offset).split(/\r\n|\n|\r/);
  return { line: before.length, column: (before.at(-1) ?? "").length + 1 };
}

/** The age in milliseconds at which a lock is left over by a process that died: a change takes a few. */
const STALE_LOCK = 5_000;
const MAX_LOCK_WAIT = 20_000;
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
  if (path === undefined) {
    throw new SolxError("unexpected", "There is no home folder for the files of solx.", {
      code: "NO_HOME",
      hint: "Set HOME, or set SOLX_HOME to a folder.",
    });
  }
  // conf writes: the atomic replacement through links, the mode, and a fallback where a file cannot be renamed. It is
  // loaded here only, since it brings 206 kB and reading needs none of it: `readJsonFile` reports line and column.
  const { default: Conf } = await import("conf");
  try {
    createFolder(dirname(path));
  } catch (error) {
    throw writeError(dirname(path), error);
  }
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
    await sleep(RETRY_DELAY, signal);
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

const writeError = (path: string, cause: unknown) =>
  unwritableError(path, cause, "Nothing was changed. SOLX_HOME sets the folder.");
