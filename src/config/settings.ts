/** The settings as one table: type, environment variable, option and default of each. Everything else reads them here. */
import { DAY_SECONDS } from "../base/index.ts";
import { FAMILY_PATHS, KEY_HEADER, PLANS, type PlanName, SERVERS } from "../catalogue/index.ts";
import { FORMAT_NAMES, NAME_MODES, THEME_NAMES, TIME_STYLES } from "../output/index.ts";
import type { Setting } from "./setting.ts";

/** Every setting, in the order of lists. */
export const SETTINGS = {
  profile: {
    type: "string",
    description: "configuration profile: an API key with its servers and defaults",
    env: "SOLX_PROFILE",
    flag: "--profile <name>",
    form: {
      pattern: /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/,
      words: "a name of at most 64 letters, digits, dots, dashes and underscores, starting with a letter or digit",
    },
    default: "default",
    perProfile: false,
  },
  "base-url": {
    type: "url",
    description: "one server for all API families: v2 under /v2.0, legacy under /v1.0, public at the root",
    env: "SOLX_BASE_URL",
    flag: "--base-url <url>",
    defaultDescription: "one server for each family",
    perProfile: true,
  },
  "base-url-v2": {
    type: "url",
    description: "base URL of the v2 API",
    env: "SOLX_BASE_URL_V2",
    default: SERVERS.v2,
    derivedFrom: { setting: "base-url", path: FAMILY_PATHS.v2 },
    perProfile: true,
  },
  "base-url-legacy": {
    type: "url",
    description: "base URL of the legacy API",
    env: "SOLX_BASE_URL_LEGACY",
    default: SERVERS.legacy,
    derivedFrom: { setting: "base-url", path: FAMILY_PATHS.legacy },
    perProfile: true,
  },
  "base-url-public": {
    type: "url",
    description: "base URL of the public API",
    env: "SOLX_BASE_URL_PUBLIC",
    default: SERVERS.public,
    derivedFrom: { setting: "base-url", path: FAMILY_PATHS.public },
    perProfile: true,
  },
  "rpc-url": {
    type: "node",
    description: "Solana node that answers instead of the API: mainnet, devnet, testnet, localnet, a URL, or off",
    env: "SOLX_RPC_URL",
    flag: "--rpc <node>",
    defaultDescription: "the API",
    perProfile: true,
  },
  commitment: {
    type: "enum",
    description: "how far a node must have confirmed a state for it to be used",
    env: "SOLX_COMMITMENT",
    values: ["processed", "confirmed", "finalized"],
    default: "confirmed",
    perProfile: true,
  },
  index: {
    type: "string",
    description: "local index that answers instead of the API, made by solx index, or off",
    env: "SOLX_INDEX",
    flag: "--index <name>",
    form: {
      pattern: /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/,
      words: "a name of at most 64 letters, digits, dots, dashes and underscores, starting with a letter or digit",
    },
    defaultDescription: "the API",
    perProfile: true,
  },
  "key-header": {
    type: "string",
    description: "request header that carries the API key",
    env: "SOLX_KEY_HEADER",
    form: {
      pattern:
        /^(?!(?:host|connection|content-length|transfer-encoding|accept|accept-encoding|user-agent|upgrade|te|trailer|expect|keep-alive)$)[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$/i,
      words: "a header name such as token or x-api-key",
    },
    default: KEY_HEADER,
    perProfile: true,
  },
  "key-store": {
    type: "enum",
    description: "where solx auth login saves the API key: the system keychain, or a file with mode 0600",
    env: "SOLX_KEY_STORE",
    values: ["keychain", "file"],
    default: "keychain",
    perProfile: true,
  },
  plan: {
    type: "enum",
    description: "plan of the API key, which determines the request rate",
    env: "SOLX_PLAN",
    flag: "--plan <name>",
    values: Object.keys(PLANS) as PlanName[],
    defaultDescription: "unknown",
    perProfile: true,
  },
  rate: {
    type: "string",
    description: "request rate as requests/seconds, e.g. 200/10, or off",
    env: "SOLX_RATE",
    form: {
      pattern: /^(off|[1-9]\d{0,6}\/[1-9]\d{0,4})$/,
      words: "requests/seconds, such as 200/10, or off",
    },
    defaultDescription: "the rate of the plan",
    perProfile: true,
  },
  concurrency: {
    type: "integer",
    description: "maximum number of concurrent requests",
    env: "SOLX_CONCURRENCY",
    min: 1,
    max: 16,
    defaultDescription: "16, as far as the rate limit allows",
    perProfile: true,
  },
  budget: {
    type: "string",
    description: "scope of the rate limit: machine, process, or redis://host to share it through a Redis server",
    env: "SOLX_BUDGET",
    suggestions: ["machine", "process"],
    form: {
      pattern: /^(machine|process|unix:\/\/\S*\/\S+|(redis|rediss|valkey|valkeys)(\+(sentinel|cluster))?:\/\/\S+)$/,
      words: "machine, process, or the address of a Redis or Valkey server such as redis://host:6379",
    },
    default: "machine",
    perProfile: true,
  },
  "confirm-units": {
    type: "integer",
    description: "compute units above which a fetch must be confirmed",
    env: "SOLX_CONFIRM_UNITS",
    units: true,
    min: 0,
    max: 1_000_000_000,
    default: 1_000_000,
    perProfile: true,
  },
  "units-per-day": {
    type: "string",
    description: "compute units per day (UTC) after which no request is sent (exit 7), counted on this machine, or off",
    env: "SOLX_UNITS_PER_DAY",
    units: true,
    form: { pattern: /^(off|\d{1,12})$/, words: "a number of compute units such as 500000 or 10M, or off" },
    defaultDescription: "no limit",
    perProfile: true,
  },
  "request-log": {
    type: "switch",
    description: "count requests by endpoint and hour on this machine, for solx usage",
    env: "SOLX_REQUEST_LOG",
    values: ["on", "off"],
    default: "on",
    perProfile: true,
  },
  cache: {
    type: "enum",
    description: "use of the cache: fresh bypasses it, only answers from it without sending a request",
    env: "SOLX_CACHE",
    flag: "--cache <mode>",
    values: ["on", "fresh", "off", "only"],
    default: "on",
    perProfile: true,
  },
  output: {
    type: "enum",
    description: "output format",
    env: "SOLX_OUTPUT",
    flag: "-o, --output <format>",
    values: FORMAT_NAMES,
    defaultDescription: "table on a terminal, json otherwise",
    perProfile: true,
  },
  time: {
    type: "enum",
    description: "time format",
    env: "SOLX_TIME",
    flag: "--time <style>",
    values: TIME_STYLES,
    defaultDescription: "relative in tables on a terminal, iso in other tables, unchanged in csv and tsv",
    perProfile: true,
  },
  "table-style": {
    type: "enum",
    description: "whether tables have borders; for Markdown: -o markdown",
    env: "SOLX_TABLE_STYLE",
    values: ["plain", "border"],
    defaultDescription: "border on a terminal where it fits, plain otherwise",
    perProfile: true,
  },
  names: {
    type: "enum",
    description: "names of addresses in tables; fetch also requests unknown ones, 100 units each, up to 100 per run",
    env: "SOLX_NAMES",
    values: NAME_MODES,
    defaultDescription: "known on a terminal, off otherwise",
    perProfile: true,
  },
  numbers: {
    type: "enum",
    description: "form of numbers that can exceed 2^53: exact, or text, which CSV quotes like all text",
    env: "SOLX_NUMBERS",
    values: ["exact", "text"],
    default: "exact",
    perProfile: true,
  },
  color: {
    type: "enum",
    description: "use of colour",
    env: "SOLX_COLOR",
    flag: "--color <when>",
    values: ["auto", "always", "never"],
    default: "auto",
    perProfile: true,
  },
  links: {
    type: "enum",
    description: "links from identifiers in tables to solscan.io; never in pipes",
    env: "SOLX_LINKS",
    values: ["auto", "always", "never"],
    default: "auto",
    perProfile: true,
  },
  theme: {
    type: "string",
    description: "colour theme of tables and of the explorer: a built-in one, or a file of the folder themes",
    env: "SOLX_THEME",
    suggestions: THEME_NAMES,
    form: { pattern: /^[A-Za-z0-9][\w.-]{0,63}$/, words: "the name of a theme" },
    defaultDescription: "that of explore.json, otherwise auto",
    perProfile: true,
  },
  timeout: {
    type: "number",
    description: "request timeout in seconds",
    env: "SOLX_TIMEOUT",
    flag: "--timeout <seconds>",
    min: 0.1,
    max: 3600,
    default: 30,
    perProfile: true,
  },
  retries: {
    type: "integer",
    description: "retries after a temporary failure",
    env: "SOLX_RETRIES",
    min: 0,
    max: 20,
    default: 3,
    perProfile: true,
  },
  "max-wait": {
    type: "integer",
    description: "maximum time in seconds to wait for a busy server or the next export",
    env: "SOLX_MAX_WAIT",
    flag: "--max-wait <seconds>",
    min: 0,
    max: DAY_SECONDS,
    default: 90,
    perProfile: true,
  },
  "jq-timeout": {
    type: "number",
    description: "maximum time in seconds that a jq program may run",
    env: "SOLX_JQ_TIMEOUT",
    min: 0.1,
    max: DAY_SECONDS,
    default: 300,
    perProfile: true,
  },
  strict: {
    type: "switch",
    description: "fail if a response does not match the documented fields",
    env: "SOLX_STRICT",
    values: ["on", "off"],
    default: "off",
    perProfile: true,
  },
  "ca-cert": {
    type: "path",
    description: "file of certificates to trust besides those of the system",
    env: "SOLX_CA_CERT",
    defaultDescription: "certificates of the system",
    perProfile: true,
  },
  "sandbox-seed": {
    type: "string",
    description: "sandbox: seed of the simulated chain; the same seed gives the same data",
    env: "SOLX_SANDBOX_SEED",
    form: {
      pattern: /^[A-Za-z0-9._-]{1,64}$/,
      words: "a name of at most 64 letters, digits, dots, dashes and underscores",
    },
    default: "solx",
    perProfile: true,
  },
  "sandbox-size": {
    type: "number",
    description: "sandbox: amount of data",
    env: "SOLX_SANDBOX_SIZE",
    min: 0.02,
    max: 10,
    default: 1,
    perProfile: true,
  },
  "sandbox-now": {
    type: "string",
    description: "sandbox: fixed current time, such as 2024-07-05 or 7d",
    env: "SOLX_SANDBOX_NOW",
    defaultDescription: "the current time",
    perProfile: true,
  },
  "sandbox-hostile": {
    type: "switch",
    description: "sandbox: names and memos contain text that attacks terminals and spreadsheets",
    env: "SOLX_SANDBOX_HOSTILE",
    values: ["on", "off"],
    default: "off",
    perProfile: true,
  },
  "sandbox-faults": {
    type: "string",
    description:
      "sandbox: injected faults, such as 503:10% latency=200ms; in process, #3 is the third request of a command",
    env: "SOLX_SANDBOX_FAULTS",
    defaultDescription: "no faults",
    perProfile: true,
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

/** Returns the long option of a setting, such as `--output`; undefined when it has none. */
export function getFlag(name: SettingName): string | undefined {
  return /--[a-z-]+/.exec(getSetting(name).flag ?? "")?.[0];
}
