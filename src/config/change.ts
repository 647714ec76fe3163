/** Changes to the settings file. Entries that this version does not know stay as they are. */
import type { Json, JsonObject } from "../base/index.ts";
import { validateShape } from "./file.ts";
import type { EntryName } from "./groups.ts";
import { configFilePath, type Paths } from "./paths.ts";
import type { SettingValue } from "./values.ts";
import { updateJsonFile } from "./write.ts";

/** Selects a profile, or the default one when the name is undefined. */
export async function selectProfile(paths: Paths, name: string | undefined, signal?: AbortSignal): Promise<void> {
  await updateConfig(paths, ({ profile: _before, ...rest }) => (name ? { profile: name, ...rest } : rest), signal);
}

/** Creates a profile, unless it exists. */
export async function addProfile(paths: Paths, profile: string, signal?: AbortSignal): Promise<void> {
  await updateProfile(paths, profile, (settings) => settings, signal);
}

/** The new value of an entry, or a function that derives it from the one before; undefined removes the entry. */
type EntryChange = SettingValue | undefined | ((before: Json | undefined) => SettingValue);

/** Changes a setting of a profile, or removes it when the value is undefined. Creates the profile if necessary. */
export async function changeSetting(
  paths: Paths,
  profile: string,
  change: { readonly name: EntryName; readonly value: EntryChange },
  signal?: AbortSignal,
): Promise<void> {
  const { name, value } = change;
  const edit = ({ [name]: before, ...rest }: JsonObject) => {
    const next = typeof value === "function" ? value(before) : value;
    return next === undefined ? rest : { ...rest, [name]: next };
  };
  await updateProfile(paths, profile, edit, signal);
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
    const problem = validateShape({ path: path ?? "", data });
    if (problem) throw problem;
    return change(data);
  };
  await updateJsonFile(path, edit, signal);
}
