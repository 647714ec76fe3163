/** Reading the files of solx: a missing file is empty, an invalid one is reported exactly. */

import { lstatSync, readFileSync, statSync } from "node:fs";
import { isObject, type Json, type JsonObject, parseJson, UsageError } from "../base/index.ts";
import { findJsonError, lineAndColumn } from "./json-position.ts";
import { configFilePath, type Paths } from "./paths.ts";

/** The maximum size of a file of settings or keys. */
const MAX_BYTES = 1024 * 1024;

/** A JSON file: its object (empty when there is no file), or why it cannot be used. */
export interface JsonFile {
  readonly path: string;
  readonly data: JsonObject;
  /** The permission bits; undefined when there is no file. */
  readonly mode: number | undefined;
  readonly problem: UsageError | undefined;
}

/** The settings file; `path` is undefined when there is no folder for it. */
export interface ConfigFile {
  readonly path: string | undefined;
  /** The profile that the file selects. */
  readonly profile: string | undefined;
  /** The profiles by name, as written in the file. */
  readonly profiles: ReadonlyMap<string, JsonObject>;
  /** Top-level keys that this version does not know. */
  readonly unknown: readonly string[];
  /** Why the file cannot be used. */
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
    if (code !== "ENOENT" && code !== "ENOTDIR") return { path, data: {}, mode, problem: readError(path, error) };
    const problem =
      code === "ENOENT" && isLink(path) ? fileError(path, "is a link to a file that does not exist") : undefined;
    return { path, data: {}, mode: undefined, problem };
  }
}

function readData(path: string, size: number): { data: JsonObject; problem?: UsageError } {
  if (size > MAX_BYTES) return { data: {}, problem: fileError(path, "is larger than 1 MiB") };
  const text = readFileSync(path, "utf8").replace(/^\ufeff/, "");
  let data: Json;
  try {
    data = parseJson(text);
  } catch {
    const { line, column } = lineAndColumn(text, findJsonError(text) ?? text.length);
    return { data: {}, problem: fileError(path, `is not valid JSON (line ${line}, column ${column})`) };
  }
  return isObject(data) ? { data } : { data: {}, problem: fileError(path, "does not contain a JSON object") };
}

/** Reads the settings file. */
export function readConfigFile(paths: Paths): ConfigFile {
  const path = configFilePath(paths);
  const empty = { path, profile: undefined, profiles: new Map<string, JsonObject>(), unknown: [] };
  if (path === undefined) return { ...empty, problem: undefined };
  const file = readJsonFile(path);
  const problem = file.problem ?? validateShape(file);
  if (problem) return { ...empty, problem };
  const { profile, profiles = {}, ...rest } = file.data;
  return {
    path,
    profile: profile as string | undefined,
    profiles: new Map(Object.entries(profiles as Record<string, JsonObject>)),
    unknown: Object.keys(rest),
    problem: undefined,
  };
}

/** Returns why the data are not settings; undefined when they are. */
export function validateShape({ path, data }: Pick<JsonFile, "path" | "data">): UsageError | undefined {
  const { profile = "", profiles = {} } = data;
  if (typeof profile !== "string") return fileError(path, 'is invalid: "profile" must be a string');
  if (!isObject(profiles)) return fileError(path, 'is invalid: "profiles" must be an object');
  const name = Object.keys(profiles).find((key) => !isObject(profiles[key]));
  return name === undefined
    ? undefined
    : fileError(path, `is invalid: profile ${JSON.stringify(name)} must be an object`);
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}

function readError(path: string, error: unknown): UsageError {
  const { code } = error as NodeJS.ErrnoException;
  return fileError(path, `cannot be read (${code ?? "unknown reason"})`, error);
}

function fileError(path: string, what: string, cause?: unknown): UsageError {
  return new UsageError(`${path} ${what}.`, {
    code: "CONFIG",
    hint: "Correct the file, or move it away. It was not changed.",
    cause,
  });
}
