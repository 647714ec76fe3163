/** The value of a setting. Precedence: flag, environment variable, profile, default. */
import { type Env, isNumeric, type Json, type JsonObject, numericText, UsageError } from "../base/index.ts";
import type { ConfigFile } from "./file.ts";
import { partsOf, placeOf, splitEntry } from "./groups.ts";
import type { Paths } from "./paths.ts";
import { SANDBOX_FIXED, SANDBOX_PROFILE } from "./sandbox.ts";
import { isAddress } from "./setting.ts";
import { getFlag, getSetting, type SettingName } from "./settings.ts";
import { invalidValue, parseValue, type SettingValue } from "./values.ts";

/** The levels at which a value can be set, the highest precedence first. */
export type SettingLevel = "flag" | "environment" | "profile" | "default";

/** A setting as it applies to this run. */
export interface ResolvedSetting {
  readonly value: SettingValue | undefined;
  readonly level: SettingLevel;
  /** `flag --output`, `environment SOLX_OUTPUT`, `profile work (…/config.json)` or `default`. */
  readonly origin: string;
  /** Why the profile's value is ignored. */
  readonly problem?: UsageError;
}

/** A source of values. */
export interface SettingSource {
  readonly level: SettingLevel;
  /** Returns the value as it is written; undefined when it is not set. */
  read(name: SettingName): Json | undefined;
  /** Returns the origin for users. */
  origin(name: SettingName): string;
  /** Returns the origin for error messages, as it was typed. */
  subject(name: SettingName): string;
  /** The folder from which relative paths start, when that is not the current one. */
  readonly folder?: string | undefined;
}

/** Returns the options of the command line as a source; `values` are texts by the names of settings. */
export function flagSource(values: Readonly<Record<string, string | undefined>>): SettingSource {
  const option = (name: SettingName) => getFlag(name) ?? name;
  return {
    level: "flag",
    read: (name) => (getFlag(name) ? values[name] : undefined),
    origin: (name) => `flag ${option(name)}`,
    subject: option,
  };
}

/** Returns the environment as a source; an empty variable counts as not set. */
export function environmentSource(env: Env): SettingSource {
  return {
    level: "environment",
    read: (name) => env[getSetting(name).env]?.trim() || undefined,
    origin: (name) => `environment ${getSetting(name).env}`,
    subject: (name) => getSetting(name).env,
  };
}

/** Returns a profile of the file as a source. */
export function profileSource(file: ConfigFile, profile: string, paths: Paths): SettingSource {
  const values: JsonObject = file.profiles.get(profile) ?? {};
  const read = (name: SettingName): Json | undefined => {
    const { entry } = placeOf(name) ?? { entry: name };
    const value = Object.hasOwn(values, entry) ? (values[entry] ?? undefined) : undefined;
    if (typeof value !== "string" || Object.keys(partsOf(entry)).length === 0)
      return entry === name ? value : undefined;
    try {
      return splitEntry(entry, value).get(name);
    } catch {
      // Its value is invalid: parsing it says why.
      return value;
    }
  };
  const origin = `profile ${profile} (${file.path})`;
  return {
    level: "profile",
    read,
    origin: () => origin,
    subject: (name) => `${name} of ${origin}`,
    folder: paths.config,
  };
}

/** Returns the built-in profile of the sandbox as a source: its server cannot be changed. */
export function sandboxSource(): SettingSource {
  const values: Readonly<Partial<Record<SettingName, string>>> = SANDBOX_FIXED;
  const origin = `profile ${SANDBOX_PROFILE} (built in)`;
  return {
    level: "profile",
    read: (name) => values[name],
    origin: () => origin,
    subject: (name) => `${name} of ${origin}`,
  };
}

/**
 * Returns the value of a setting from the first source that has it. A source with the more general setting (`base-url`
 * for `base-url-v2`) goes before a later source with the setting itself.
 * @throws UsageError when a flag or an environment variable is invalid
 */
export function resolveSetting(name: SettingName, sources: readonly SettingSource[]): ResolvedSetting {
  const { derivedFrom, default: fallback } = getSetting(name);
  const general = derivedFrom?.setting as SettingName | undefined;
  for (const source of sources) {
    if (source.read(name) !== undefined) return resolveFrom(source, name, name);
    if (general && source.read(general) !== undefined) return resolveFrom(source, general, name);
  }
  return { value: fallback, level: "default", origin: "default" };
}

/** Resolves a setting from `input`: the setting itself or the more general one. */
function resolveFrom(source: SettingSource, input: SettingName, name: SettingName): ResolvedSetting {
  const { derivedFrom, type, default: fallback } = getSetting(name);
  const { level } = source;
  const origin = source.origin(input);
  try {
    const value = parseValue(input, readText(source, input), {
      origin: source.subject(input),
      ...(source.folder === undefined ? {} : { folder: source.folder }),
    });
    return { value: input === name ? value : `${value}${derivedFrom?.path}`, level, origin };
  } catch (error) {
    // An invalid flag or variable stops the run; an old value in a file must not stop commands that do not need it.
    if (level !== "profile" || !(error instanceof UsageError)) throw error;
    if (isAddress(type)) return { value: undefined, level, origin, problem: error };
    return { value: fallback, level: "default", origin: "default", problem: error };
  }
}

function readText(source: SettingSource, name: SettingName): string {
  const value = source.read(name);
  if (typeof value === "string") return value;
  if (isNumeric(value)) return numericText(value);
  if (typeof value === "boolean") return String(value);
  throw invalidValue({ origin: source.subject(name) }, getSetting(name));
}
