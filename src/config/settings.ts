/** The settings as one table, and the entries of a profile that group some of them: `max-wait` may be `90 retries=5`. */
import { DAY_SECONDS, UsageError } from "../base/index.ts";
import { FAMILY_PATHS, KEY_HEADER, PLANS, type PlanName, SERVERS } from "../catalogue/index.ts";
import { FORMAT_NAMES, NAME_MODES, THEME_NAMES, TIME_STYLES } from "../output/index.ts";

/**
 * The type of a value. A `path` is made absolute, a `url` loses its trailing slash, a `switch` is on or off, a `node` is
 * the name of a cluster, a URL that may contain a provider's key, or off.
 */
export type SettingType = "string" | "enum" | "switch" | "number" | "integer" | "url" | "path" | "node";

/** What is known of a setting. */
export interface Setting {
  readonly type: SettingType;
  /** One line, no full stop. */
  readonly description: string;
  /** The command-line option, in commander's notation. */
  readonly flag?: string;
  /** For `enum` and `switch`: the accepted values. */
  readonly values?: readonly string[];
  /** For `string`: values that completion offers; others are accepted too. */
  readonly suggestions?: readonly string[];
  /** For `number` and `integer`: the bounds, inclusive. */
  readonly min?: number;
  readonly max?: number;
  /** Whether it counts compute units, which may be typed as `10M`; the value is digits. */
  readonly units?: true;
  /** For `string`: the accepted form, as a pattern and in words. */
  readonly form?: { readonly pattern: RegExp; readonly words: string };
  readonly default?: string | number;
  /** The behaviour when no value is set and there is no default value. */
  readonly defaultDescription?: string;
  /** A more general setting from which this one follows, with `path` appended, when it is not set itself. */
  readonly derivedFrom?: { readonly setting: string; readonly path: string };
}

/** Returns whether values of a type are servers: an invalid one must not be replaced by another server. */
export const isAddress = (type: SettingType): boolean => type === "url" || type === "node";

const FILE_NAME = {
  pattern: /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/,
  words: "a name of at most 64 letters, digits, dots, dashes and underscores, starting with a letter or digit",
} as const;

/** Returns the setting of the server of one family, which follows from the one of all families. */
const familyServer = <F extends "v2" | "legacy" | "public">(family: F) =>
  ({
    type: "url",
    description: `base URL of the ${family} API`,
    default: SERVERS[family],
    derivedFrom: { setting: "base-url", path: FAMILY_PATHS[family] },
  }) as const;

/** Every setting, in the order of lists. */
export const SETTINGS = {
  profile: {
    type: "string",
    description: "configuration profile: an API key with its servers and defaults",
    flag: "--profile <name>",
    form: FILE_NAME,
    default: "default",
  },
  "base-url": {
    type: "url",
    description: "one server for all API families: v2 under /v2.0, legacy under /v1.0, public at the root",
    defaultDescription: "one server for each family",
  },
  "base-url-v2": familyServer("v2"),
  "base-url-legacy": familyServer("legacy"),
  "base-url-public": familyServer("public"),
  "rpc-url": {
    type: "node",
    description: "Solana node that answers instead of the API: mainnet, devnet, testnet, localnet, a URL, or off",
    flag: "--rpc <node>",
    defaultDescription: "the API",
  },
  commitment: {
    type: "enum",
    description: "how far a node must have confirmed a state for it to be used",
    values: ["processed", "confirmed", "finalized"],
    default: "confirmed",
  },
  index: {
    type: "string",
    description: "index that answers instead of the API, made by solx index: its name, a ClickHouse address, or off",
    flag: "--index <name>",
    form: {
      pattern: new RegExp(`${FILE_NAME.pattern.source}|^clickhouses?://\\S+$`),
      words: `${FILE_NAME.words}, or an address such as clickhouse://user@host:8123/database`,
    },
    defaultDescription: "the API",
  },
  "key-header": {
    type: "string",
    description: "request header that carries the API key",
    form: {
      pattern:
        /^(?!(?:host|connection|content-length|transfer-encoding|accept|accept-encoding|user-agent|upgrade|te|trailer|expect|keep-alive)$)[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$/i,
      words: "a header name such as token or x-api-key",
    },
    default: KEY_HEADER,
  },
  "key-store": {
    type: "enum",
    description: "where solx auth login saves the API key: the system keychain, or a file with mode 0600",
    values: ["keychain", "file"],
    default: "keychain",
  },
  plan: {
    type: "enum",
    description: "plan of the API key, which determines the request rate",
    values: Object.keys(PLANS) as PlanName[],
    defaultDescription: "unknown",
  },
  rate: {
    type: "string",
    description: "request rate",
    form: { pattern: /^(off|[1-9]\d{0,6}\/[1-9]\d{0,4})$/, words: "requests/seconds, such as 200/10, or off" },
    defaultDescription: "the rate of the plan",
  },
  concurrency: {
    type: "integer",
    description: "maximum number of concurrent requests",
    min: 1,
    max: 16,
    defaultDescription: "16, as far as the rate limit allows",
  },
  budget: {
    type: "string",
    description:
      "what shares the rate limit: the processes of this machine, this process only, or all that use a Redis server",
    suggestions: ["machine", "process"],
    form: {
      pattern: /^(machine|process|unix:\/\/\S*\/\S+|(redis|rediss|valkey|valkeys)(\+(sentinel|cluster))?:\/\/\S+)$/,
      words: "machine, process, or the address of a Redis or Valkey server such as redis://host:6379",
    },
    default: "machine",
  },
  "confirm-units": {
    type: "integer",
    description: "compute units above which a fetch must be confirmed",
    units: true,
    min: 0,
    max: 1_000_000_000,
    default: 1_000_000,
  },
  "units-per-day": {
    type: "string",
    description: "compute units per day (UTC) after which no request is sent (exit 7), counted on this machine, or off",
    units: true,
    form: { pattern: /^(off|\d{1,12})$/, words: "a number of compute units such as 500000 or 10M, or off" },
    defaultDescription: "no limit",
  },
  "request-log": {
    type: "switch",
    description: "count requests by endpoint, command and hour, for solx usage",
    values: ["on", "off"],
    default: "on",
  },
  cache: {
    type: "enum",
    description:
      "use of cached answers: on (while they are valid), fresh (none, but new ones are stored), off (none), only (also old ones; no request is sent)",
    flag: "--cache <mode>",
    values: ["on", "fresh", "off", "only"],
    default: "on",
  },
  output: {
    type: "enum",
    description: "output format",
    flag: "-o, --output <format>",
    values: FORMAT_NAMES,
    defaultDescription: "table on a terminal, json otherwise",
  },
  time: {
    type: "enum",
    description: "time format",
    flag: "--time <style>",
    values: TIME_STYLES,
    defaultDescription: "relative in tables on a terminal, iso in other tables, unchanged in csv and tsv",
  },
  "table-style": {
    type: "enum",
    description: "whether tables have borders; for Markdown: -o markdown",
    values: ["plain", "border"],
    defaultDescription: "border on a terminal where it fits, plain otherwise",
  },
  names: {
    type: "enum",
    description: "names of addresses in tables; fetch also requests unknown ones, 100 units each, up to 100 per run",
    values: NAME_MODES,
    defaultDescription: "known on a terminal, off otherwise",
  },
  numbers: {
    type: "enum",
    description: "form of numbers that can exceed 2^53: exact, or text, which CSV quotes like all text",
    values: ["exact", "text"],
    default: "exact",
  },
  color: {
    type: "enum",
    description: "use of colour",
    flag: "--color <when>",
    values: ["auto", "always", "never"],
    default: "auto",
  },
  links: {
    type: "enum",
    description: "links from identifiers in tables to solscan.io; never in pipes",
    values: ["auto", "always", "never"],
    default: "auto",
  },
  theme: {
    type: "string",
    description: "colour theme of tables and of the explorer: a built-in one, or a file of the folder themes",
    suggestions: THEME_NAMES,
    form: { pattern: /^[A-Za-z0-9][\w.-]{0,63}$/, words: "the name of a theme" },
    defaultDescription: "that of explore.json, otherwise auto",
  },
  timeout: {
    type: "number",
    description: "request timeout in seconds",
    flag: "--timeout <seconds>",
    min: 0.1,
    max: 3600,
    default: 30,
  },
  retries: { type: "integer", description: "retries after a temporary failure", min: 0, max: 20, default: 3 },
  "max-wait": {
    type: "integer",
    description: "maximum time in seconds to wait for a busy server or the next export",
    flag: "--max-wait <seconds>",
    min: 0,
    max: DAY_SECONDS,
    default: 90,
  },
  "max-answer": {
    type: "integer",
    description: "maximum size of an answer in MiB",
    min: 1,
    max: 64,
    default: 20,
  },
  "jq-timeout": {
    type: "number",
    description: "maximum time in seconds that a jq program may run",
    min: 0.1,
    max: DAY_SECONDS,
    default: 300,
  },
  strict: {
    type: "switch",
    description: "fail if a response does not match the documented fields",
    values: ["on", "off"],
    default: "off",
  },
  "ca-cert": {
    type: "path",
    description: "file of certificates to trust besides those of the system",
    defaultDescription: "certificates of the system",
  },
  "sandbox-seed": {
    type: "string",
    description: "sandbox: seed of the simulated chain; the same seed gives the same data",
    form: {
      pattern: /^[A-Za-z0-9._-]{1,64}$/,
      words: "a name of at most 64 letters, digits, dots, dashes and underscores",
    },
    default: "solx",
  },
  "sandbox-size": { type: "number", description: "sandbox: amount of data", min: 0.02, max: 10, default: 1 },
  "sandbox-now": {
    type: "string",
    description: "sandbox: fixed current time, such as 2024-07-05 or 7d",
    defaultDescription: "the current time",
  },
  "sandbox-hostile": {
    type: "switch",
    description: "sandbox: names and memos contain text that attacks terminals and spreadsheets",
    values: ["on", "off"],
    default: "off",
  },
  "sandbox-faults": {
    type: "string",
    description:
      "sandbox: injected faults, such as 503:10% latency=200ms; in process, #3 is the third request of a command",
    defaultDescription: "no faults",
  },
} as const satisfies Record<string, Setting>;

/** The name of a setting. */
export type SettingName = keyof typeof SETTINGS;

type TypeOf<S extends Setting> = S extends { readonly values: readonly (infer V)[] }
  ? V
  : S["type"] extends "number" | "integer"
    ? number
    : string;

/** The type of a setting's value; it includes undefined where there is no default. */
export type ValueOf<N extends SettingName> =
  | TypeOf<(typeof SETTINGS)[N]>
  | ((typeof SETTINGS)[N] extends { readonly default: string | number } ? never : undefined);

/** The names of all settings, in the order of lists. */
export const SETTING_NAMES = Object.keys(SETTINGS) as readonly SettingName[];

/** Returns what is known of a setting. */
export function getSetting(name: SettingName): Setting {
  return SETTINGS[name];
}

/** Returns the environment variable of a setting, such as `SOLX_MAX_WAIT`. */
export const settingVariable = (name: SettingName): string => `SOLX_${name.toUpperCase().replaceAll("-", "_")}`;

/** Returns the long option of a setting, such as `--output`; undefined when it has none. */
export function getFlag(name: SettingName): string | undefined {
  return /--[a-z-]+/.exec(getSetting(name).flag ?? "")?.[0];
}

/** The settings of each entry besides the one of its own name, by the word that selects them. */
const GROUPS = {
  "base-url": { v2: "base-url-v2", legacy: "base-url-legacy", public: "base-url-public" },
  "rpc-url": { commitment: "commitment" },
  rate: { concurrency: "concurrency", scope: "budget" },
  units: { confirm: "confirm-units", day: "units-per-day" },
  timeout: { jq: "jq-timeout", answer: "max-answer" },
  "max-wait": { retries: "retries" },
  sandbox: {
    seed: "sandbox-seed",
    size: "sandbox-size",
    now: "sandbox-now",
    hostile: "sandbox-hostile",
    faults: "sandbox-faults",
  },
} as const satisfies Record<string, Readonly<Record<string, SettingName>>>;

type GroupName = keyof typeof GROUPS;

/** The name of an entry of a profile. */
export type EntryName = SettingName | GroupName;

const groups: Readonly<Record<string, Readonly<Record<string, SettingName>>>> = GROUPS;

/** Returns the settings of an entry besides the one of its own name, by their words; empty for most. */
export const partsOf = (entry: EntryName): Readonly<Record<string, SettingName>> => groups[entry] ?? {};

const places = new Map(
  Object.entries(groups).flatMap(([entry, parts]) =>
    Object.entries(parts).map(([word, name]) => [name, { entry: entry as EntryName, word }] as const),
  ),
);

/** Returns the entry that contains a setting, and the word that selects it there; undefined for its own entry. */
export const placeOf = (name: SettingName) => places.get(name);

/** The names of all entries, in the order of lists: what `solx config` shows and changes. */
export const ENTRY_NAMES: readonly EntryName[] = [
  ...new Set((Object.keys(SETTINGS) as SettingName[]).map((name): EntryName => placeOf(name)?.entry ?? name)),
];

/** Returns the words that set a setting in a profile: `max-wait retries=<value>`. */
export function settingWords(name: SettingName): string {
  const place = placeOf(name);
  return place === undefined ? `${name} <value>` : `${place.entry} ${place.word}=<value>`;
}

/**
 * Splits the text of an entry: a word such as `retries=5` starts the value of another setting.
 * @throws UsageError for text without such a word in an entry that has no value of its own
 */
export function splitEntry(entry: EntryName, text: string): ReadonlyMap<SettingName, string> {
  const parts = partsOf(entry);
  const values = new Map<SettingName, string>();
  let current: SettingName | undefined = Object.hasOwn(SETTINGS, entry) ? (entry as SettingName) : undefined;
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const [, key = "", rest = ""] = /^([a-z0-9]+)=(.*)$/s.exec(word) ?? [];
    const part = Object.hasOwn(parts, key) ? parts[key] : undefined;
    current = part ?? current;
    if (current === undefined) {
      const words = Object.keys(parts).map((known) => `${known}=<value>`);
      throw new UsageError(`invalid value "${word}" for ${entry}: expected ${words.join(" ")}`);
    }
    const before = values.get(current);
    const value = part === undefined ? word : rest;
    values.set(current, before === undefined || part !== undefined ? value : `${before} ${value}`);
  }
  return values;
}

/** Returns the text of an entry with the given values; the inverse of {@link splitEntry}. */
export function joinEntry(entry: EntryName, values: ReadonlyMap<SettingName, string>): string {
  const own = values.get(entry as SettingName);
  const others = Object.entries(partsOf(entry)).flatMap(([word, name]) => {
    const value = values.get(name);
    return value === undefined ? [] : [`${word}=${value}`];
  });
  return [...(own === undefined ? [] : [own]), ...others].join(" ");
}
