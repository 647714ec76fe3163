/** The settings, as one table of data: where each may be given, what it may hold, and what holds without it. */
import { DAY_SECONDS } from "../base/time.ts";
import { PLANS, type PlanName } from "../catalogue/plans.ts";
import { FAMILY_PATHS, KEY_HEADER, SERVERS } from "../catalogue/servers.ts";
/** What a setting is, as data. */

/** What a value is. `path` is made absolute, `url` loses its trailing slash, `switch` is on or off. */
export type SettingType = "string" | "enum" | "switch" | "number" | "integer" | "url" | "path";

/** A setting. */
export interface Setting {
  readonly type: SettingType;
  /** One line, no full stop. */
  readonly description: string;
  /** The environment variable. */
  readonly env: string;
  /** The option of the command line, as commander reads it. */
  readonly flag?: string;
  /** For `enum` and `switch`: the words allowed. */
  readonly values?: readonly string[];
  /** For `number` and `integer`: the bounds, both allowed. */
  readonly min?: number;
  readonly max?: number;
  /** Whether it counts compute units, which may be typed as `10M`; its value is digits. */
  readonly units?: true;
  /** For `string`: what it must look like, in a regular expression and in words. */
  readonly form?: { readonly pattern: RegExp; readonly words: string };
  readonly default?: string | number;
  /** Other names that it answers to. */
  readonly also?: readonly string[];
  /** What holds when nothing is given and there is no default value. */
  readonly otherwise?: string;
  /** A wider setting that gives this one its value, with `path` appended, where this one is not given itself. */
  readonly within?: { readonly setting: string; readonly path: string };
  /** Whether each profile has its own; else it stands at the top of the file. */
  readonly perProfile: boolean;
}

export type { Setting, SettingType } from "./setting.ts";

/** Every setting, in the order in which they are listed. */
export const SETTINGS = {
  profile: {
    type: "string",
    description: "configuration profile: an API key with its servers and defaults",
    env: "SOLX_PROFILE",
    flag: "--profile <name>",
    form: {
      pattern: /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/,
      words: "at most 64 letters, digits, dots, dashes and underscores, beginning with a letter or digit",
    },
    default: "default",
    perProfile: false,
  },
  "base-url": {
    type: "url",
    description: "one server for all API families: v2 under /v2.0, legacy under /v1.0, public at the root",
    env: "SOLX_BASE_URL",
    flag: "--base-url <url>",
    otherwise: "one server for each family",
    perProfile: true,
  },
  "base-url-v2": {
    type: "url",
    description: "the server of the v2 family",
    env: "SOLX_BASE_URL_V2",
    default: SERVERS.v2,
    within: { setting: "base-url", path: FAMILY_PATHS.v2 },
    perProfile: true,
  },
  "base-url-legacy": {
    type: "url",
    description: "the server of the legacy family",
    env: "SOLX_BASE_URL_LEGACY",
    default: SERVERS.legacy,
    within: { setting: "base-url", path: FAMILY_PATHS.legacy },
    perProfile: true,
  },
  "base-url-public": {
    type: "url",
    description: "the server of the public family",
    env: "SOLX_BASE_URL_PUBLIC",
    default: SERVERS.public,
    within: { setting: "base-url", path: FAMILY_PATHS.public },
    perProfile: true,
  },
  "key-header": {
    type: "string",
    description: "the request header that carries the key",
    env: "SOLX_KEY_HEADER",
    form: {
      pattern:
        /^(?!(?:host|connection|content-length|transfer-encoding|accept|accept-encoding|user-agent|upgrade|te|trailer|expect|keep-alive)$)[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$/i,
      words: "the name of a header of its own, such as token or x-api-key",
    },
    default: KEY_HEADER,
    perProfile: true,
  },
  "key-store": {
    type: "enum",
    description: "where a login saves the key: the system keychain, or a file that only you can read",
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
    otherwise: "unknown",
    perProfile: true,
  },
  rate: {
    type: "string",
    description: "request rate as requests/seconds, e.g. 200/10, or off",
    env: "SOLX_RATE",
    flag: "--rate <requests/seconds>",
    form: {
      pattern: /^(off|[1-9]\d{0,6}\/[1-9]\d{0,4})$/,
      words: "requests/seconds, such as 200/10, or off",
    },
    otherwise: "the rate of the plan",
    perProfile: true,
  },
  budget: {
    type: "string",
    description: "scope of the rate limit: machine, process, or redis://host to share it through a Redis server",
    env: "SOLX_BUDGET",
    flag: "--budget <where>",
    form: {
      pattern: /^(machine|process|(redis|rediss|valkey|valkeys):\/\/\S+)$/,
      words: "machine, process, or the address of a Redis or Valkey server such as redis://host:6379",
    },
    default: "machine",
    perProfile: true,
  },
  "confirm-units": {
    type: "integer",
    description: "compute units above which a fetch must be confirmed",
    env: "SOLX_CONFIRM_UNITS",
    flag: "--confirm-units <units>",
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
    flag: "--units-per-day <units>",
    units: true,
    form: { pattern: /^(off|\d{1,12})$/, words: "a number of compute units such as 500000 or 10M, or off" },
    also: ["budget.units-per-day"],
    otherwise: "no limit",
    perProfile: true,
  },
  "request-log": {
    type: "switch",
    description: "whether requests are counted on this machine, by endpoint and hour, for solx usage",
    env: "SOLX_REQUEST_LOG",
    values: ["on", "off"],
    default: "on",
    perProfile: true,
  },
  cache: {
    type: "switch",
    description:
      "whether answers are kept and used again while they are fresh; those of servers of this machine only if set",
    env: "SOLX_CACHE",
    values: ["on", "off"],
    default: "on",
    perProfile: true,
  },
  output: {
    type: "enum",
    description: "output format",
    env: "SOLX_OUTPUT",
    flag: "-o, --output <format>",
    values: ["json", "ndjson", "csv", "tsv", "yaml", "table"],
    otherwise: "table on a terminal, json otherwise",
    perProfile: true,
  },
  time: {
    type: "enum",
    description: "time format",
    env: "SOLX_TIME",
    flag: "--time <style>",
    values: ["relative", "iso", "unix", "local"],
    otherwise: "relative in tables on a terminal, iso in other tables, unchanged in csv and tsv",
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
    flag: "--retries <count>",
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
  "ca-cert": {
    type: "path",
    description: "file of certificates to trust besides those of the system",
    env: "SOLX_CA_CERT",
    flag: "--ca-cert <file>",
    otherwise: "certificates of the system",
    perProfile: true,
  },
  "sandbox-seed": {
    type: "string",
    description: "the sandbox: which world it is; the same seed gives the same data",
    env: "SOLX_SANDBOX_SEED",
    form: { pattern: /^[A-Za-z0-9._-]{1,64}$/, words: "at most 64 letters, digits, dots, dashes and underscores" },
    default: "solx",
    perProfile: true,
  },
  "sandbox-size": {
    type: "number",
    description: "the sandbox: how much data there is, as a multiple of the usual amount",
    env: "SOLX_SANDBOX_SIZE",
    min: 0.02,
    max: 10,
    default: 1,
    perProfile: true,
  },
  "sandbox-now": {
    type: "string",
    description: "the sandbox: the moment at which its time stands still, such as 2024-07-05 or 7d",
    env: "SOLX_SANDBOX_NOW",
    otherwise: "the present",
    perProfile: true,
  },
  "sandbox-hostile": {
    type: "switch",
    description: "the sandbox: whether names and memos try to attack terminals, spreadsheets and eyes",
    env: "SOLX_SANDBOX_HOSTILE",
    values: ["on", "off"],
    default: "off",
    perProfile: true,
  },
  "sandbox-faults": {
    type: "string",
    description:
      "the sandbox: what goes wrong, such as 503:10% latency=200ms; in process, #3 is the third call of a command",
    env: "SOLX_SANDBOX_FAULTS",
    otherwise: "nothing goes wrong",
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

/** The value of a setting; undefined is possible where there is no default. */
export type ValueOf<N extends SettingName> =
  | TypeOf<(typeof SETTINGS)[N]>
  | ((typeof SETTINGS)[N] extends { readonly default: string | number } ? never : undefined);

/** The names of all settings, in their order. */
export const settingNames = Object.keys(SETTINGS) as readonly SettingName[];

/** A setting by its name, as plain data. */
export function settingOf(name: SettingName): Setting {
  return SETTINGS[name];
}

/** The long option of a setting as it is typed, such as `--output`; undefined when it has none. */
export function flagOf(name: SettingName): string | undefined {
  return /--[a-z-]+/.exec(settingOf(name).flag ?? "")?.[0];
}
