/** The value of a setting from the places where it may be given, the strongest first. */
import { UsageError } from "../base/errors.ts";
import { isNumeric, type Json, type JsonObject, numericText } from "../base/json.ts";
import type { ConfigFile } from "./file.ts";
import type { Env, Paths } from "./paths.ts";
import { SANDBOX_FIXED, SANDBOX_PROFILE } from "./sandbox.ts";
import { getFlag, getSetting, type SettingName } from "./settings.ts";
import { describeAllowed, parseValue, type SettingValue } from "./values.ts";

/** Where a value may come from, the strongest first. */
export type SettingLevel = "flag" | "environment" | "profile" | "default";

/** A setting as it holds in this run. */
export interface ResolvedSetting {
  readonly value: SettingValue | undefined;
  readonly level: SettingLevel;
  /** `flag --output`, `environment SOLX_OUTPUT`, `profile work (…/config.json)` or `default`. */
  readonly origin: string;
  /** Why the profile's value is not used. */
  readonly problem?: UsageError;
}

/** A place where settings are given. */
export interface SettingSource {
  readonly level: SettingLevel;
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
export function flagSource(input: Readonly<Record<string, string | undefined>>): SettingSource {
  const option = (name: SettingName) => getFlag(name) ?? name;
  return {
    level: "flag",
    read: (name) => (getFlag(name) ? input[name] : undefined),
    origin: (name) => `flag ${option(name)}`,
    subject: option,
  };
}

/** The environment; an empty variable counts as not set. */
export function environmentSource(env: Env): SettingSource {
  return {
    level: "environment",
    read: (name) => env[getSetting(name).env]?.trim() || undefined,
    origin: (name) => `environment ${getSetting(name).env}`,
    subject: (name) => getSetting(name).env,
  };
}

/** A profile of the file. */
export function profileSource(file: ConfigFile, profile: string, paths: Paths): SettingSource {
  const input: JsonObject = file.profiles.get(profile) ?? {};
  const origin = `profile ${profile} (${file.path})`;
  return {
    level: "profile",
    read: (name) => (Object.hasOwn(input, name) ? (input[name] ?? undefined) : undefined),
    origin: () => origin,
    subject: (name) => `${name} of ${origin}`,
    folder: paths.config,
  };
}

/** The profile that ships: where it answers cannot be changed. */
export function sandboxSource(): SettingSource {
  const fixed: Readonly<Partial<Record<SettingName, string>>> = SANDBOX_FIXED;
  const origin = `profile ${SANDBOX_PROFILE} (built in)`;
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
export function resolveSetting(name: SettingName, sources: readonly SettingSource[]): ResolvedSetting {
  const { derivedFrom: within, default: fallback } = getSetting(name);
  for (const source of sources) {
    if (source.read(name) !== undefined) return resolveFrom(source, name, name);
    const wider = within?.setting as SettingName | undefined;
    if (wider && source.read(wider) !== undefined) return resolveFrom(source, wider, name);
  }
  return { value: fallback, level: "default", origin: "default" };
}

/** The entry of a setting, given as `given`: the setting itself or a wider one. */
function resolveFrom(source: SettingSource, input: SettingName, name: SettingName): ResolvedSetting {
  const { derivedFrom: within, type, default: fallback } = getSetting(name);
  const { level } = source;
  const origin = source.origin(input);
  try {
    const value = parseValue(input, readText(source, input), {
      origin: source.subject(input),
      ...(source.folder === undefined ? {} : { folder: source.folder }),
    });
    return { value: input === name ? value : `${value}${within?.path}`, level, origin };
  } catch (error) {
    // A wrong word typed now stops the run; an old one in a file must not stop commands that do without it.
    if (level !== "profile" || !(error instanceof UsageError)) throw error;
    if (type === "url") return { value: undefined, level, origin, problem: error };
    return { value: fallback, level: "default", origin: "default", problem: error };
  }
}

function readText(source: SettingSource, name: SettingName): string {
  const input = source.read(name);
  if (typeof input === "string") return input;
  if (isNumeric(input)) return numericText(input);
  if (typeof input === "boolean") return String(input);
  throw new UsageError(
    `${source.subject(name)} is not a plain value; it must be ${describeAllowed(getSetting(name))}.`,
  );
}
