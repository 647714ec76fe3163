/**
 * The settings of one run: flag > environment > profile > default, each value with its origin. This module and what
 * it imports are on the path of every command: modules of Node and a few small ones of ours.
 */
import { UsageError } from "../base/errors.ts";
import { sandboxKey } from "../catalogue/servers.ts";
import type { KeyOwner } from "./credentials.ts";
import { type ConfigFile, readConfigFile } from "./file.ts";
import { type ApiKey, overridingKey } from "./key.ts";
import type { KeychainOptions } from "./keychain.ts";
import { type Env, type Paths, resolvePaths } from "./paths.ts";
import { profileNames, unknownProfileError } from "./profiles.ts";
import {
  environmentSource,
  flagSource,
  profileSource,
  type ResolvedSetting,
  resolveSetting,
  sandboxSource,
} from "./resolve.ts";
import { isFixed, SANDBOX_PROFILE } from "./sandbox.ts";
import { getSetting, SETTING_NAMES, type SettingName, type ValueOf } from "./settings.ts";
import { matchSwitch, quoteText } from "./values.ts";

export { type ApiKey, checkKey, KEY_VARIABLES, maskKey, noKeyError } from "./key.ts";
export { type Env, type Paths, resolvePaths } from "./paths.ts";
export type { ResolvedSetting, SettingLevel } from "./resolve.ts";
export { SANDBOX_PROFILE } from "./sandbox.ts";
export { getSetting, SETTING_NAMES, SETTINGS, type Setting, type SettingName, type ValueOf } from "./settings.ts";

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
  /** Whether the line asks for the sandbox, in place of a profile. */
  readonly sandbox?: boolean;
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
  /** Whether the sandbox answers, and no server: then no key of the user's is read. */
  readonly sandbox: boolean;
  readonly env: Env;
  /** What `--api-key` gave. */
  readonly keyFlag: string | undefined;
  readonly paths: Paths;
  readonly file: ConfigFile;
  /** What the user should know, and what did not stop the run. */
  readonly warnings: readonly string[];
  /** Whose stored key it is, for reading and writing it. */
  readonly owner: KeyOwner;
  readonly #entries: ReadonlyMap<SettingName, ResolvedSetting>;
  #key: Promise<(ApiKey & { readonly notes: readonly string[] }) | undefined> | undefined;

  constructor(
    options: LoadOptions,
    paths: Paths,
    file: ConfigFile,
    entries: ReadonlyMap<SettingName, ResolvedSetting>,
  ) {
    this.profile = String(entries.get("profile")?.value);
    this.sandbox = this.profile === SANDBOX_PROFILE;
    this.env = options.env;
    this.paths = paths;
    this.file = file;
    this.#entries = entries;
    this.warnings = collectWarnings(file, this.profile, entries, options.verbose ?? false);
    this.keyFlag = options.flags["api-key"];
    this.owner = { profile: this.profile, paths, keychain: { ...options.keychain, env: options.env } };
  }

  /**
   * The value of a setting.
   * @throws UsageError when it is an address that the profile gives wrongly: a key must not go to another server instead.
   */
  get<N extends SettingName>(name: N): ValueOf<N> {
    const { value, problem } = this.resolved(name);
    if (problem && getSetting(name).type === "url") throw problem;
    return value as ValueOf<N>;
  }

  /** Where the value of a setting comes from. */
  originOf(name: SettingName): string {
    return this.resolved(name).origin;
  }

  /** A setting with everything that is known of it. */
  resolved(name: SettingName): ResolvedSetting {
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
   * The key of the command line or the environment, which goes before any stored one.
   * @throws AuthError when it cannot be a key.
   */
  overridingKey(): ApiKey | undefined {
    if (this.sandbox) return { value: sandboxKey(this.get("sandbox-seed")), source: "the sandbox" };
    return overridingKey(this.keyFlag, this.env);
  }

  /**
   * The key, read when first asked for: from the command line, the environment, or where the profile's login saved it.
   * `notes` tell of what was found and put right on the way.
   * @throws AuthError when the keychain does not give the key that it holds.
   * @throws UsageError when a file cannot be read: a stored key must not go to another server than its profile's.
   */
  key(signal?: AbortSignal): Promise<(ApiKey & { readonly notes: readonly string[] }) | undefined> {
    this.#key ??= this.#readKey(signal);
    return this.#key;
  }

  async #readKey(signal: AbortSignal | undefined) {
    const requested = this.overridingKey();
    if (requested) return { ...requested, notes: [] };
    if (this.file.problem) throw this.file.problem;
    const { loadKey: savedKey } = await import("./credentials.ts");
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
  const profile = resolveProfile(options, file);
  const isSandbox = profile.value === SANDBOX_PROFILE;
  if (isSandbox && options.flags["base-url"] !== undefined) throw sandboxServerError(profile);
  const sources = [
    ...(isSandbox ? [sandboxSource()] : []),
    flagSource(options.flags),
    environmentSource(options.env),
    profileSource(file, String(profile.value), paths),
  ];
  const entries = new Map(
    SETTING_NAMES.map((name) => [name, name === "profile" ? profile : resolveSetting(name, sources)]),
  );
  return new Settings(options, paths, file, entries);
}

/** The profile that was asked for: the sandbox has an option and a variable of its own. */
function requestedProfile({ flags, env, sandbox = false }: LoadOptions): ResolvedSetting {
  const isOther = flags.profile !== undefined && flags.profile.trim() !== SANDBOX_PROFILE;
  if (sandbox && isOther) {
    throw new UsageError(`The sandbox and --profile ${quoteText(flags.profile ?? "")} contradict each other.`, {
      hint: "Leave out one of them: the sandbox is a profile of its own.",
    });
  }
  if (sandbox) return { value: SANDBOX_PROFILE, level: "flag", origin: "flag --sandbox" };
  const input = env.SOLX_SANDBOX?.trim() ?? "";
  const value = input === "" ? "off" : matchSwitch(input);
  if (value === undefined) throw new UsageError(`SOLX_SANDBOX is ${quoteText(input)}; it must be on or off.`);
  if (value === "on" && !isOther)
    return { value: SANDBOX_PROFILE, level: "environment", origin: "environment SOLX_SANDBOX" };
  return resolveSetting("profile", [flagSource(flags), environmentSource(env)]);
}

function sandboxServerError({ origin: originOf }: ResolvedSetting): UsageError {
  return new UsageError(`--base-url names a server, but the sandbox answers in process (${originOf}).`, {
    hint: "Leave out one of the two. The sandbox as a server for any client: solx sandbox",
  });
}

function resolveProfile(options: LoadOptions, file: ConfigFile): ResolvedSetting {
  const { newProfile } = options;
  const requested = requestedProfile(options);
  const resolved: ResolvedSetting =
    requested.level === "default" && file.profile !== undefined
      ? { value: file.profile, level: "profile", origin: `file ${file.path}` }
      : requested;
  const name = String(resolved.value);
  // While the file cannot be read nobody knows its profiles.
  if (newProfile || file.problem || profileNames(file).includes(name)) return resolved;
  throw unknownProfileError(name, file, resolved);
}

function collectWarnings(
  file: ConfigFile,
  profile: string,
  entries: ReadonlyMap<SettingName, ResolvedSetting>,
  verbose: boolean,
): readonly string[] {
  const warnings = file.problem ? [`${file.problem.message} It is not used. ${file.problem.hint}`] : [];
  for (const [name, { problem }] of entries) {
    // A key must not go to another server instead.
    const effect = getSetting(name).type === "url" ? "Nothing is sent until it is set right." : "It is not used.";
    if (problem) warnings.push(`${problem.message} ${effect}`);
  }
  if (profile === SANDBOX_PROFILE) {
    const idle = Object.keys(file.profiles.get(profile) ?? {}).filter(isFixed);
    if (idle.length > 0)
      warnings.push(`The sandbox answers in process: ${idle.join(", ")} of its profile is not used.`);
  }
  if (verbose) {
    const names = Object.keys(file.profiles.get(profile) ?? {}).filter(
      (name) => !SETTING_NAMES.some((n) => n === name),
    );
    const unknown = [...file.unknown, ...names.map((name) => `${name} of profile ${profile}`)];
    if (unknown.length > 0) warnings.push(`${file.path}: not known to this version, kept: ${unknown.join(", ")}.`);
  }
  return [...new Set(warnings)];
}
