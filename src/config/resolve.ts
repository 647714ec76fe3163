/** The value of a setting from the places where it may be given, the strongest first. */
import { UsageError } from "../base/errors.ts";
import { isNumeric, type Json, type JsonObject, numericText } from "../base/json.ts";
import type { ConfigFile } from "./file.ts";
import type { Env, Paths } from "./paths.ts";
import { FIXED, SANDBOX } from "./sandbox.ts";
import { flagOf, type SettingName, settingOf } from "./settings.ts";
import { allowed, parseValue, type Value } from "./values.ts";

/** Where a value may come from, the strongest first. */
export type Level = "flag" | "environment" | "profile" | "default";

/** A setting as it holds in this run. */
export interface Entry {
  readonly value: Value | undefined;
  readonly level: Level;
  /** `flag --output`, `environment SOLX_OUTPUT`, `profile work (…/config.json)` or `default`. */
  readonly origin: string;
  /** Why the profile's value is not used. */
  readonly problem?: UsageError;
}

/** A place where settings are given. */
export interface Source {
  readonly level: Level;
  /** The value as it was given; undefined when it was not. */
  read(name: SettingName): Json | undefined;
  /** The origin as users read it. */
  origin(name: SettingName): string;
  /** The origin as the subject of a message. */
  subject(name: SettingName): string;
  /** Where relative paths start, when that is not the current folder. */
  readonly folder?: string | undefined;
}

/** The options of the command line, by the names of settings. */
export function fromFlags(given: Readonly<Record<string, string | undefined>>): Source {
  const option = (name: SettingName) => flagOf(name) ?? name;
  return {
    level: "flag",
    read: (name) => (flagOf(name) ? given[name] : undefined),
    origin: (name) => `flag ${option(name)}`,
    subject: option,
  };
}

/** The environment; an empty variable counts as not set. */
export function fromEnvironment(env: Env): Source {
  return {
    level: "environment",
    read: (name) => env[settingOf(name).env]?.trim() || undefined,
    origin: (name) => `environment ${settingOf(name).env}`,
    subject: (name) => settingOf(name).env,
  };
}

/** A profile of the file. */
export function fromProfile(file: ConfigFile, profile: string, paths: Paths): Source {
  const given: JsonObject = file.profiles.get(profile) ?? {};
  const origin = `profile ${profile} (${file.path})`;
  return {
    level: "profile",
    read: (name) => (Object.hasOwn(given, name) ? (given[name] ?? undefined) : undefined),
    origin: () => origin,
    subject: (name) => `${name} of ${origin}`,
    folder: paths.config,
  };
}

/** The profile that ships: where it answers cannot be changed. */
export function fromSandbox(): Source {
  const fixed: Readonly<Partial<Record<SettingName, string>>> = FIXED;
  const origin = `profile ${SANDBOX} (built in)`;
  return {
    level: "profile",
    read: (name) => fixed[name],
    origin: () => origin,
    subject: (name) => `${name} of ${origin}`,
  };
}

/**
 * The value of a setting from the first source that has it. A source that gives the wider setting (`base-url` for
 * `base-url-v2`) comes before a weaker one that gives the setting itself.
 * @throws UsageError when a flag or an environment variable is wrong.
 */
export function resolveSetting(name: SettingName, sources: readonly Source[]): Entry {
  const { within, default: fallback } = settingOf(name);
  for (const source of sources) {
    if (source.read(name) !== undefined) return entryFrom(source, name, name);
    const wider = within?.setting as SettingName | undefined;
    if (wider && source.read(wider) !== undefined) return entryFrom(source, wider, name);
  }
  return { value: fallback, level: "default", origin: "default" };
}

/** The entry of a setting, given as `given`: the setting itself or a wider one. */
function entryFrom(source: Source, given: SettingName, name: SettingName): Entry {
  const { within, type, default: fallback } = settingOf(name);
  const { level } = source;
  const origin = source.origin(given);
  try {
    const value = parseValue(given, textFrom(source, given), {
      origin: source.subject(given),
      ...(source.folder === undefined ? {} : { folder: source.folder }),
    });
    return { value: given === name ? value : `${value}${within?.path}`, level, origin };
  } catch (error) {
    // A wrong word typed now stops the run; an old one in a file must not stop commands that do without it.
    if (level !== "profile" || !(error instanceof UsageError)) throw error;
    if (type === "url") return { value: undefined, level, origin, problem: error };
    return { value: fallback, level: "default", origin: "default", problem: error };
  }
}

function textFrom(source: Source, name: SettingName): string {
  const given = source.read(name);
  if (typeof given === "string") return given;
  if (isNumeric(given)) return numericText(given);
  if (typeof given === "boolean") return String(given);
  throw new UsageError(`${source.subject(name)} is not a plain value; it must be ${allowed(settingOf(name))}.`);
}
