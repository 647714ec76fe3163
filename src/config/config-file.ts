/** The settings file. Changes keep the entries that this version does not know. */
import { isObject, type JsonObject, omitUndefined, type UsageError } from "../base/index.ts";
import { fileError, readJsonFile, updateJsonFile } from "./json-file.ts";
import { configFilePath, type Paths } from "./paths.ts";
import type { SettingName } from "./settings.ts";
import type { SettingValue } from "./values.ts";

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

/** Reads the settings file. Never throws. */
export function readConfigFile(paths: Paths): ConfigFile {
  const path = configFilePath(paths);
  const { data, problem: unreadable } = path === undefined ? { data: {} } : readJsonFile(path);
  const problem = unreadable ?? findShapeProblem(path, data);
  const { profile, profiles = {}, ...rest } = problem ? {} : data;
  return {
    path,
    profile: profile as string | undefined,
    profiles: new Map(Object.entries(profiles as Record<string, JsonObject>)),
    unknown: Object.keys(rest),
    problem,
  };
}

/** Returns why data are not settings; undefined when they are. */
function findShapeProblem(path = "", { profile = "", profiles = {} }: JsonObject): UsageError | undefined {
  if (typeof profile !== "string") return fileError(path, 'is invalid: "profile" must be a string');
  if (!isObject(profiles)) return fileError(path, 'is invalid: "profiles" must be an object');
  const name = Object.keys(profiles).find((key) => !isObject(profiles[key]));
  return name === undefined
    ? undefined
    : fileError(path, `is invalid: profile ${JSON.stringify(name)} must be an object`);
}

/** Selects a profile, or the default one when the name is undefined. */
export async function selectProfile(paths: Paths, name: string | undefined, signal?: AbortSignal): Promise<void> {
  await updateConfig(paths, ({ profile: _before, ...rest }) => (name ? { profile: name, ...rest } : rest), signal);
}

/** Creates a profile, unless it exists. */
export async function addProfile(paths: Paths, profile: string, signal?: AbortSignal): Promise<void> {
  await updateProfile(paths, profile, (settings) => settings, signal);
}

/** Values of settings by name; undefined removes a setting. */
type SettingChanges = Readonly<Partial<Record<SettingName, SettingValue | undefined>>>;

/** Changes settings of a profile. Creates the profile if necessary. */
export async function changeSettings(
  paths: Paths,
  profile: string,
  changes: SettingChanges,
  signal?: AbortSignal,
): Promise<void> {
  await updateProfile(paths, profile, (settings) => omitUndefined({ ...settings, ...changes }), signal);
}

async function updateProfile(
  paths: Paths,
  profile: string,
  change: (settings: JsonObject) => JsonObject,
  signal: AbortSignal | undefined,
): Promise<void> {
  const edit = (data: JsonObject) => {
    const profiles = (data.profiles ?? {}) as Readonly<Record<string, JsonObject>>;
    return { ...data, profiles: { ...profiles, [profile]: change(profiles[profile] ?? {}) } };
  };
  await updateConfig(paths, edit, signal);
}

async function updateConfig(
  paths: Paths,
  change: (data: JsonObject) => JsonObject,
  signal: AbortSignal | undefined,
): Promise<void> {
  const path = configFilePath(paths);
  const edit = (data: JsonObject) => {
    const problem = findShapeProblem(path, data);
    if (problem) throw problem;
    return change(data);
  };
  await updateJsonFile(path, edit, signal);
}
