/** The value of a setting, the profiles, and what answers. Precedence: flag, environment variable, profile, default. */
import {
  type Env,
  isNumeric,
  type Json,
  type JsonObject,
  numericText,
  suggestName,
  UsageError,
} from "../base/index.ts";
import { KEY_HEADER, NODES, nodeUrl, SANDBOX_PORT } from "../catalogue/index.ts";
import type { ConfigFile } from "./config-file.ts";
import type { Paths } from "./paths.ts";
import { getFlag, getSetting, isAddress, type SettingName, settingVariable } from "./settings.ts";
import { invalidValue, parseValue, quoteText, type SettingValue, splitNodes } from "./values.ts";

/** The levels at which a value can be set, the highest precedence first. */
const LEVELS = ["flag", "environment", "profile", "default"] as const;

type SettingLevel = (typeof LEVELS)[number];

/** A setting as it applies to this run. */
export interface ResolvedSetting {
  readonly value: SettingValue | undefined;
  readonly level: SettingLevel;
  /** `flag --output`, `environment SOLX_OUTPUT`, `profile work (…/config.json)` or `default`. */
  readonly origin: string;
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
    read: (name) => env[settingVariable(name)]?.trim() || undefined,
    origin: (name) => `environment ${settingVariable(name)}`,
    subject: settingVariable,
  };
}

/** Returns a profile of the file as a source. */
export function profileSource(file: ConfigFile, profile: string, paths: Paths): SettingSource {
  const values: JsonObject = file.profiles.get(profile) ?? {};
  const origin = `profile ${profile} (${file.path})`;
  return {
    level: "profile",
    read: (name) => (Object.hasOwn(values, name) ? (values[name] ?? undefined) : undefined),
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

/** What answers requests. */
export type DataSource = "api" | "sandbox" | "index" | "rpc";

/** A Solana node. */
export interface NodeAddress {
  /** The URL, which may contain a provider's key: it is sent, never printed. */
  readonly url: string;
  /** What messages call the node: the name of the cluster, or the host. */
  readonly name: string;
}

const OFF = "off";

/** The settings that select a source; `servers` are the URLs of the API that are set. */
export interface SourceChoice {
  readonly profile: ResolvedSetting;
  readonly rpc: ResolvedSetting;
  readonly index: ResolvedSetting;
  readonly servers: readonly ResolvedSetting[];
}

/**
 * Returns what answers requests: the choice of the command line, else of the environment, else of the profile. Of several
 * on one level the sandbox goes first, then the index, the node and the API's server.
 * @throws UsageError when the command line selects several
 */
export function chooseSource({ profile, rpc, index, servers }: SourceChoice): DataSource {
  const isSet = ({ value, problem }: ResolvedSetting) =>
    (value !== undefined && value !== OFF) || problem !== undefined;
  const candidates = [
    ...(profile.value === SANDBOX_PROFILE ? [{ source: "sandbox", setting: profile } as const] : []),
    ...(isSet(index) ? [{ source: "index", setting: index } as const] : []),
    ...(isSet(rpc) ? [{ source: "rpc", setting: rpc } as const] : []),
    ...servers.map((setting) => ({ source: "api", setting }) as const),
  ];
  const [first, second] = candidates.filter(({ setting }) => setting.level === "flag");
  if (first && second) {
    const [one, other] = [first, second].map(({ setting }) => setting.origin.replace(/^flag /, ""));
    throw new UsageError(`${one} and ${other} cannot be used together`, {
      hint: "Each selects what answers: --sandbox, --index or --rpc; none of them, the API.",
    });
  }
  const byLevel = Object.groupBy(candidates, ({ setting }) => setting.level);
  return LEVELS.map((level) => byLevel[level]?.[0]?.source).find((source) => source !== undefined) ?? "api";
}

/** Returns the nodes that a value of `rpc-url` selects, the preferred one first; none for off. */
export function parseNodeAddresses(value: string | undefined): readonly NodeAddress[] {
  if (value === undefined || value === OFF) return [];
  return splitNodes(value).map((node) => ({
    url: nodeUrl(node),
    name: Object.hasOwn(NODES, node) ? node : new URL(node).host,
  }));
}

/** Returns the names of all profiles; the default one and the sandbox need no entry in the file. */
export function profileNames(file: ConfigFile): readonly string[] {
  return [...new Set([String(getSetting("profile").default), SANDBOX_PROFILE, ...file.profiles.keys()])];
}

/** Returns the error for a profile that does not exist; `setting` says where its name comes from. */
export function unknownProfileError(name: string, file: ConfigFile, setting?: ResolvedSetting): UsageError {
  const known = profileNames(file);
  const source = setting === undefined || setting.level === "flag" ? "" : ` (${setting.origin})`;
  return new UsageError(`unknown profile ${quoteText(name)}${source}`, {
    hint: [
      suggestName(name, known) ?? "",
      `Profiles: ${known.join(", ")}.`,
      setting?.level === "profile"
        ? "Select one with: solx config set profile <name>"
        : "Create one with: solx auth login --profile <name>",
    ]
      .join(" ")
      .trimStart(),
  });
}

/** The name of the profile. */
export const SANDBOX_PROFILE = "sandbox";

/** The settings of the sandbox itself: no file, variable or option changes them. */
const SANDBOX_FIXED = {
  "base-url": `http://127.0.0.1:${SANDBOX_PORT}`,
  "key-header": KEY_HEADER,
} as const;

/** Returns whether a setting of the sandbox profile cannot be changed. */
export function isFixed(name: string): boolean {
  return Object.hasOwn(SANDBOX_FIXED, name);
}
