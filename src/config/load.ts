/** The settings of one run, each value with its origin. Every command loads this file: it imports little. */
import { type Env, toSentence, UsageError } from "../base/index.ts";
import { type Family, SERVERS, sandboxKey } from "../catalogue/index.ts";
import { type ConfigFile, readConfigFile } from "./config-file.ts";
import type { KeychainOptions, KeyOwner } from "./credentials.ts";
import { type ApiKey, environmentKey } from "./key.ts";
import { type Paths, resolvePaths } from "./paths.ts";
import {
  chooseSource,
  type DataSource,
  environmentSource,
  flagSource,
  isFixed,
  type NodeAddress,
  parseNodeAddresses,
  profileNames,
  profileSource,
  type ResolvedSetting,
  resolveSetting,
  SANDBOX_PROFILE,
  sandboxSource,
  unknownProfileError,
} from "./resolve.ts";
import { getSetting, isAddress, SETTING_NAMES, type SettingName, type ValueOf } from "./settings.ts";
import { matchSwitch, quoteText } from "./values.ts";

/** The sources of the settings. */
export interface LoadOptions {
  /** Option values as typed, by the names of settings. */
  readonly flags: Readonly<Record<string, string | undefined>>;
  readonly env: Env;
  readonly paths?: Paths;
  readonly keychain?: Omit<KeychainOptions, "env">;
  /** Whether to report entries of the file that this version does not know. */
  readonly verbose?: boolean;
  /** Whether the profile need not exist, because the command creates it. */
  readonly allowsNewProfile?: boolean;
  /** Whether `--sandbox` was typed. */
  readonly sandbox?: boolean;
  /** What answers, where the command itself determines it and uses the options that select it in its own way. */
  readonly source?: DataSource | undefined;
}

/** The base URL of each family. */
export type BaseUrls = Readonly<Record<Family, string>>;

/** The settings of one run. */
export class Settings {
  readonly profile: string;
  /** What answers requests. No saved API key is read unless it is the API. */
  readonly source: DataSource;
  readonly sandbox: boolean;
  /** Whether requests are answered in this process, from the sandbox or an index: without network, at no cost. */
  readonly inProcess: boolean;
  readonly env: Env;
  readonly paths: Paths;
  readonly file: ConfigFile;
  readonly warnings: readonly string[];
  /** The owner of the saved key, for reading and writing it. */
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
    this.env = options.env;
    this.paths = paths;
    this.file = file;
    this.#entries = entries;
    this.source = this.#findSource(options);
    this.sandbox = this.source === "sandbox";
    this.inProcess = this.source === "sandbox" || this.source === "index";
    this.warnings = collectWarnings(file, this.profile, entries, options.verbose ?? false);
    this.owner = { profile: this.profile, paths, keychain: { ...options.keychain, env: options.env } };
  }

  #findSource({ source }: LoadOptions): DataSource {
    if (source !== undefined) return source;
    const isSandbox = this.profile === SANDBOX_PROFILE;
    const servers = isSandbox ? [] : (["base-url", "base-url-v2", "base-url-legacy", "base-url-public"] as const);
    return chooseSource({
      profile: this.resolve("profile"),
      rpc: this.resolve("rpc-url"),
      index: this.resolve("index"),
      servers: servers.map((name) => this.resolve(name)).filter(({ level }) => level !== "default"),
    });
  }

  /** Returns the node that answers, of several the preferred one; undefined if none is selected. */
  node(): NodeAddress | undefined {
    return this.nodes()[0];
  }

  /** Returns the nodes that answer, the preferred one first. */
  nodes(): readonly NodeAddress[] {
    return this.source === "rpc" ? parseNodeAddresses(this.get("rpc-url")) : [];
  }

  /**
   * Returns the value of a setting.
   * @throws UsageError for an invalid URL of the profile: the key must not be sent to another server instead
   */
  get<N extends SettingName>(name: N): ValueOf<N> {
    const { value, problem } = this.resolve(name);
    if (problem && isAddress(getSetting(name).type)) throw problem;
    return value as ValueOf<N>;
  }

  originOf(name: SettingName): string {
    return this.resolve(name).origin;
  }

  resolve(name: SettingName): ResolvedSetting {
    return this.#entries.get(name) ?? { value: undefined, level: "default", origin: "default" };
  }

  /** Returns the base URL of each family, without a trailing slash. */
  baseUrls(): BaseUrls {
    return {
      v2: this.get("base-url-v2"),
      legacy: this.get("base-url-legacy"),
      public: this.get("base-url-public"),
      node: SERVERS.node,
    };
  }

  /** Returns the key in requests that are printed: a variable, or the key of the sandbox, which is no secret. */
  printedKey(): string {
    return this.inProcess ? this.#builtInKey() : "$SOLX_API_KEY";
  }

  /**
   * Returns the key that precedes a saved one: that of the environment, or of a server in this process.
   * @throws AuthError when it cannot be a key
   */
  overridingKey(): ApiKey | undefined {
    if (this.inProcess) return { value: this.#builtInKey(), source: `the ${this.source}` };
    if (this.source === "rpc") return undefined;
    return environmentKey(this.env);
  }

  /**
   * Returns the key from the environment, or where the profile's login saved it; it is read on first use. `notes` are
   * problems that were found and corrected.
   * @throws AuthError when the keychain does not return a key that was saved in it
   * @throws UsageError when a file cannot be read: a saved key must not be sent to another server than its profile's
   */
  key(signal?: AbortSignal): Promise<(ApiKey & { readonly notes: readonly string[] }) | undefined> {
    this.#key ??= this.#readKey(signal);
    return this.#key;
  }

  /** Returns the key of a server in this process, which is no secret. */
  #builtInKey(): string {
    return sandboxKey(this.source === "index" ? String(this.get("index")) : this.get("sandbox-seed"));
  }

  async #readKey(signal: AbortSignal | undefined) {
    const override = this.overridingKey();
    if (override) return { ...override, notes: [] };
    if (this.source === "rpc") return undefined;
    if (this.file.problem) throw this.file.problem;
    const { loadSavedKey } = await import("./credentials.ts");
    return await loadSavedKey(this.owner, signal);
  }
}

/**
 * Reads the settings of this run. An invalid file is reported in `warnings` and stays as it is.
 * @throws UsageError for an invalid flag or environment variable, and for an unknown profile
 */
export async function loadSettings(options: LoadOptions): Promise<Settings> {
  const paths = options.paths ?? resolvePaths(options.env);
  const file = readConfigFile(paths);
  const profile = resolveProfile(options, file);
  const isSandbox = profile.value === SANDBOX_PROFILE;
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

/** Returns the profile of the command line or the environment; `--sandbox` and SOLX_SANDBOX select the sandbox. */
function requestedProfile({ flags, env, sandbox = false }: LoadOptions): ResolvedSetting {
  const isOther = flags.profile !== undefined && flags.profile.trim() !== SANDBOX_PROFILE;
  if (sandbox && isOther) {
    throw new UsageError(`--sandbox and --profile ${quoteText(flags.profile ?? "")} cannot be used together`, {
      hint: "Remove one of them: the sandbox is a profile itself.",
    });
  }
  if (sandbox) return { value: SANDBOX_PROFILE, level: "flag", origin: "flag --sandbox" };
  const input = env.SOLX_SANDBOX?.trim() ?? "";
  const value = input === "" ? "off" : matchSwitch(input);
  if (value === undefined)
    throw new UsageError(`invalid value ${quoteText(input)} for SOLX_SANDBOX: expected on or off`);
  if (value === "on" && !isOther)
    return { value: SANDBOX_PROFILE, level: "environment", origin: "environment SOLX_SANDBOX" };
  return resolveSetting("profile", [flagSource(flags), environmentSource(env)]);
}

function resolveProfile(options: LoadOptions, file: ConfigFile): ResolvedSetting {
  const { allowsNewProfile } = options;
  const requested = requestedProfile(options);
  const resolved: ResolvedSetting =
    requested.level === "default" && file.profile !== undefined
      ? { value: file.profile, level: "profile", origin: `file ${file.path}` }
      : requested;
  const name = String(resolved.value);
  // While the file cannot be read, its profiles are unknown.
  if (allowsNewProfile || file.problem || profileNames(file).includes(name)) return resolved;
  throw unknownProfileError(name, file, resolved);
}

function collectWarnings(
  file: ConfigFile,
  profile: string,
  entries: ReadonlyMap<SettingName, ResolvedSetting>,
  verbose: boolean,
): readonly string[] {
  const warnings = file.problem ? [`${toSentence(file.problem)} It is ignored. ${file.problem.hint}`] : [];
  for (const [name, { problem }] of entries) {
    if (problem === undefined) continue;
    // The key must not be sent to another server instead.
    const effect = isAddress(getSetting(name).type) ? "No request is sent until it is corrected." : "It is ignored.";
    warnings.push(`${toSentence(problem)} ${effect}`);
  }
  if (profile === SANDBOX_PROFILE) {
    const idle = Object.keys(file.profiles.get(profile) ?? {}).filter(isFixed);
    if (idle.length > 0) warnings.push(`The sandbox answers in process: ${idle.join(", ")} of its profile is ignored.`);
  }
  if (verbose) {
    const names = Object.keys(file.profiles.get(profile) ?? {}).filter(
      (name) => !SETTING_NAMES.some((n) => n === name),
    );
    const unknown = [...file.unknown, ...names.map((name) => `${name} of profile ${profile}`)];
    if (unknown.length > 0) warnings.push(`${file.path}: unknown to this version, ignored: ${unknown.join(", ")}.`);
  }
  return [...new Set(warnings)];
}
