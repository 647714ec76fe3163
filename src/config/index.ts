/**
 * The settings of one run: flag > environment > profile > default, each value with its origin. This module and what
 * it imports are on the path of every command: modules of Node and a few small ones of ours.
 */
import { UsageError } from "../base/errors.ts";
import { isNumeric, type Json, type JsonObject, numericText } from "../base/json.ts";
import type { Owner } from "./credentials.ts";
import { type ConfigFile, readConfigFile } from "./file.ts";
import { givenKey, type Key } from "./key.ts";
import type { KeychainOptions } from "./keychain.ts";
import { type Env, type Paths, resolvePaths } from "./paths.ts";
import { flagOf, type SettingName, settingNames, settingOf, type ValueOf } from "./settings.ts";
import { allowed, nearest, parseValue, quote, type Value } from "./values.ts";

export { checkKey, KEY_VARIABLES, type Key, maskKey, noKeyError } from "./key.ts";
export { type Env, type Paths, resolvePaths } from "./paths.ts";
export { SETTINGS, type Setting, type SettingName, settingNames, settingOf, type ValueOf } from "./settings.ts";

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

/** What settings are made from. */
export interface LoadOptions {
  /** Texts of the command line by the names of settings, and `api-key`. */
  readonly flags: Readonly<Record<string, string | undefined>>;
  readonly env: Env;
  readonly paths?: Paths;
  readonly keychain?: Omit<KeychainOptions, "env">;
  /** Whether to report what is unknown to this version. */
  readonly verbose?: boolean;
  /** Whether the profile may be one that does not exist yet, because the command makes it. */
  readonly newProfile?: boolean;
}

/** The base address of each family. */
export interface BaseUrls {
  readonly v2: string;
  readonly legacy: string;
  readonly public: string;
}

/** The settings of one run. */
export class Settings {
  /** The name of the profile in use. */
  readonly profile: string;
  readonly paths: Paths;
  readonly file: ConfigFile;
  /** What the user should know, and what did not stop the run. */
  readonly warnings: readonly string[];
  /** The key of the command line or the environment, which goes before any stored one. */
  readonly givenKey: Key | undefined;
  /** Whose stored key it is, for reading and writing it. */
  readonly owner: Owner;
  readonly #entries: ReadonlyMap<SettingName, Entry>;
  #key: Promise<(Key & { readonly notes: readonly string[] }) | undefined> | undefined;

  constructor(options: LoadOptions, paths: Paths, file: ConfigFile, entries: ReadonlyMap<SettingName, Entry>) {
    this.profile = String(entries.get("profile")?.value);
    this.paths = paths;
    this.file = file;
    this.#entries = entries;
    this.warnings = warningsOf(file, this.profile, entries, options.verbose ?? false);
    this.givenKey = givenKey(options.flags["api-key"], options.env);
    this.owner = { profile: this.profile, paths, keychain: { ...options.keychain, env: options.env } };
  }

  /**
   * The value of a setting.
   * @throws UsageError when it is an address that the profile gives wrongly: a key must not go to another server instead.
   */
  get<N extends SettingName>(name: N): ValueOf<N> {
    const { value, problem } = this.entry(name);
    if (problem && settingOf(name).type === "url") throw problem;
    return value as ValueOf<N>;
  }

  /** Where the value of a setting comes from. */
  origin(name: SettingName): string {
    return this.entry(name).origin;
  }

  /** A setting with everything that is known of it. */
  entry(name: SettingName): Entry {
    return this.#entries.get(name) ?? { value: undefined, level: "default", origin: "default" };
  }

  /** The base address of each family, without a slash at the end. */
  baseUrls(): BaseUrls {
    return {
      v2: this.get("base-url-v2"),
      legacy: this.get("base-url-legacy"),
      public: this.get("base-url-public"),
    };
  }

  /**
   * The key, read when first asked for: from the command line, the environment, or where the profile's login saved it.
   * `notes` tell of what was found and put right on the way.
   * @throws AuthError when the keychain does not give the key that it holds.
   * @throws UsageError when a file cannot be read: a stored key must not go to another server than its profile's.
   */
  key(signal?: AbortSignal): Promise<(Key & { readonly notes: readonly string[] }) | undefined> {
    this.#key ??= this.#readKey(signal);
    return this.#key;
  }

  async #readKey(signal: AbortSignal | undefined) {
    if (this.givenKey) return { ...this.givenKey, notes: [] };
    if (this.file.problem) throw this.file.problem;
    const { savedKey } = await import("./credentials.ts");
    return await savedKey(this.owner, signal);
  }
}

/**
 * Reads the settings of this run. A broken file is reported in `warnings` and left alone.
 * @throws UsageError for a wrong flag or environment variable, and for a profile that does not exist.
 */
export async function loadSettings(options: LoadOptions): Promise<Settings> {
  const paths = options.paths ?? resolvePaths(options.env);
  const file = readConfigFile(paths);
  const profile = profileEntry(options, file);
  const sources = [flags(options.flags), environment(options.env), fromProfile(file, String(profile.value), paths)];
  const entries = new Map(settingNames.map((name) => [name, name === "profile" ? profile : resolve(name, sources)]));
  return new Settings(options, paths, file, entries);
}

/** A place where settings are given. */
interface Source {
  readonly level: Level;
  /** The value as it was given; undefined when it was not. */
  read(name: SettingName): Json | undefined;
  /** The origin as users read it. */
  origin(name: SettingName): string;
  /** The origin as the subject of a message. */
  subject(name: SettingName): string;
  /** Where relative paths start. */
  readonly folder?: string | undefined;
}

function flags(given: LoadOptions["flags"]): Source {
  const origin = (name: SettingName) => flagOf(name) ?? name;
  return {
    level: "flag",
    read: (name) => (flagOf(name) ? given[name] : undefined),
    origin: (name) => `flag ${origin(name)}`,
    subject: origin,
  };
}

function environment(env: Env): Source {
  return {
    level: "environment",
    // An empty variable counts as not set.
    read: (name) => env[settingOf(name).env]?.trim() || undefined,
    origin: (name) => `environment ${settingOf(name).env}`,
    subject: (name) => settingOf(name).env,
  };
}

function fromProfile(file: ConfigFile, profile: string, paths: Paths): Source {
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

function resolve(name: SettingName, sources: readonly Source[]): Entry {
  const { within, default: fallback } = settingOf(name);
  for (const source of sources) {
    const own = source.read(name);
    if (own !== undefined) return entryFrom(source, name, own, "", fallback);
    const wide = within && parentOf(name);
    const given = wide && source.read(wide);
    if (given !== undefined && wide) return entryFrom(source, wide, given, within.path, fallback);
  }
  return { value: fallback, level: "default", origin: "default" };
}

function parentOf(name: SettingName): SettingName | undefined {
  const { within } = settingOf(name);
  return settingNames.find((candidate) => candidate === within?.setting);
}

function entryFrom(source: Source, name: SettingName, given: Json, suffix: string, fallback: Value | undefined): Entry {
  const { level } = source;
  const origin = source.origin(name);
  try {
    const value = parseValue(name, textOf(source, name, given), {
      origin: source.subject(name),
      ...(source.folder === undefined ? {} : { folder: source.folder }),
    });
    return { value: suffix === "" ? value : `${value}${suffix}`, level, origin };
  } catch (error) {
    // A wrong word typed now stops the run; an old one in a file must not stop commands that do without it.
    if (level !== "profile" || !(error instanceof UsageError)) throw error;
    return { value: fallback, level, origin, problem: error };
  }
}

function textOf(source: Source, name: SettingName, given: Json): string {
  if (typeof given === "string") return given;
  if (isNumeric(given)) return numericText(given);
  throw new UsageError(`${source.subject(name)} is not a plain value; it must be ${allowed(settingOf(name))}.`);
}

function profileEntry(options: LoadOptions, file: ConfigFile): Entry {
  const { default: fallback } = settingOf("profile");
  const inFile: Source = {
    level: "profile",
    read: () => file.profile,
    origin: () => `file ${file.path}`,
    subject: () => `profile of ${file.path}`,
  };
  const given = [flags(options.flags), environment(options.env)].find((source) => source.read("profile") !== undefined);
  const entry: Entry =
    given || file.profile === undefined
      ? resolve("profile", given ? [given] : [])
      : { value: file.profile, level: "profile", origin: inFile.origin("profile") };
  const name = String(entry.value);
  // While the file cannot be read nobody knows its profiles.
  if (name === fallback || file.profiles.has(name) || file.problem || options.newProfile) return entry;
  throw unknownProfile(name, entry, ["default", ...file.profiles.keys()]);
}

function unknownProfile(name: string, { level, origin }: Entry, known: readonly string[]): UsageError {
  const near = nearest(name, known);
  const remedy =
    level === "profile"
      ? "Choose one with: solx config set profile <name>"
      : "Make it with: solx auth login --profile …";
  return new UsageError(`There is no profile ${quote(name)}${level === "flag" ? "" : `, which ${origin} names`}.`, {
    hint: `${near ? `Did you mean ${near}? ` : ""}Profiles: ${[...new Set(known)].join(", ")}. ${remedy}`,
  });
}

function warningsOf(
  file: ConfigFile,
  profile: string,
  entries: ReadonlyMap<SettingName, Entry>,
  verbose: boolean,
): readonly string[] {
  const warnings = file.problem ? [`${file.problem.message} It is not used. ${file.problem.hint}`] : [];
  for (const { problem } of entries.values()) if (problem) warnings.push(`${problem.message} It is not used.`);
  if (verbose) {
    const names = Object.keys(file.profiles.get(profile) ?? {}).filter((name) => !settingNames.some((n) => n === name));
    const strangers = [...file.unknown, ...names.map((name) => `${name} of profile ${profile}`)];
    if (strangers.length > 0) warnings.push(`${file.path}: not known to this version, kept: ${strangers.join(", ")}.`);
  }
  return [...new Set(warnings)];
}
