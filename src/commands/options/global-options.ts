/** The options that every command accepts, anywhere on the command line: one record each. */
import { type Endpoint, positionalOf, returnsList } from "../../catalogue/index.ts";
import { NODE_NAMES, SETTINGS, type Setting, type SettingName } from "../../config/index.ts";
import { THEME_NAMES } from "../../output/index.ts";
import { type Audience, GENERAL, type OptionDefinition } from "./option.ts";

/** A global option: its flags, its description, and the commands it applies to. */
export interface GlobalOption extends OptionDefinition {
  readonly group: string;
  /** The kinds of commands that it applies to; the help of others leaves it out. */
  readonly audience: readonly Audience[];
  /** The endpoints that it applies to, where that is not all. */
  readonly endpoints?: (endpoint: Endpoint) => boolean;
  /** The setting whose value it overrides for one run; variable, values and default are the setting's. */
  readonly setting?: SettingName;
  /** Whether an endpoint's parameter of this name has an option that replaces this one. */
  readonly yieldsToParameter?: true;
}

const DATA = ["data"] as const;
const PRINTING = ["data", "local"] as const;
const SENDING = ["data", "mcp"] as const;
const CLIENT = ["data", "local", "mcp"] as const;

const isExport = ({ returns }: Endpoint) => returns.shape === "csv";
const isPagedList = (endpoint: Endpoint) => returnsList(endpoint) && !isExport(endpoint);
const takesBatch = (endpoint: Endpoint) => positionalOf(endpoint)?.[1].arity === "one";

type FlaggedSetting = {
  [N in SettingName]: (typeof SETTINGS)[N] extends { readonly flag: string } ? N : never;
}[SettingName];

/** Returns the record of an option that overrides a setting: flags, description, values and default are the setting's. */
function settingOption<const N extends FlaggedSetting, const O extends Omit<GlobalOption, "flags" | "description">>(
  name: N,
  other: O,
) {
  const setting: Setting = SETTINGS[name];
  // An option without a value turns a switch on.
  const isSwitch = !setting.flag?.includes("<");
  const values = setting.values === undefined || isSwitch ? "" : `: ${setting.values.join("|")}`;
  const fallback = isSwitch ? undefined : (setting.default ?? setting.defaultDescription);
  const description = `${setting.description}${values}${fallback === undefined ? "" : ` (default: ${fallback})`}`;
  const flags = SETTINGS[name].flag as (typeof SETTINGS)[N] extends { readonly flag: infer F extends string }
    ? F
    : never;
  const { env, type, default: value, values: choices } = setting;
  return {
    flags,
    description,
    setting: name,
    env,
    type,
    default: value,
    ...(choices && !isSwitch && { values: choices }),
    ...other,
  };
}

/** Every global option, in the order of help. */
export const GLOBAL_OPTIONS = [
  {
    flags: "--limit <rows>",
    description: "maximum number of rows; pages are fetched as needed (default: one page)",
    summary: "maximum number of rows (default: one page)",
    group: "Rows:",
    audience: DATA,
    endpoints: returnsList,
  },
  {
    flags: "--all",
    description: "fetch all rows: every page, or every time window of an export (each request costs units)",
    summary: "fetch all rows",
    group: "Rows:",
    audience: DATA,
    endpoints: returnsList,
  },
  {
    flags: "--via <way>",
    description: "with --all, fetch the rows of an export by export or pages (default: the cheaper one)",
    group: "Rows:",
    audience: DATA,
    endpoints: isExport,
    values: ["export", "pages"],
    isRare: true,
  },
  {
    flags: "--follow [interval]",
    description: "print new rows as they arrive, polling every 30s or at this interval",
    summary: "print new rows as they arrive",
    group: "Rows:",
    audience: DATA,
    endpoints: isPagedList,
  },
  {
    flags: "--until <end>",
    description: "with --follow, stop after a duration (2h), at a time, or at a row that matches a jq condition",
    group: "Rows:",
    audience: DATA,
    endpoints: isPagedList,
    isRare: true,
  },
  settingOption("output", {
    summary: SETTINGS.output.values.join("|"),
    group: "Output:",
    audience: ["data", "local", "sandbox"],
  }),
  {
    flags: "--fields <paths>",
    description: "print only these fields, e.g. address,metadata.name",
    summary: "print only these fields, e.g. address,name",
    group: "Output:",
    audience: PRINTING,
  },
  {
    flags: "--sort-by <fields>",
    description: "sort the fetched rows, e.g. by amount:desc (or -amount) or flow,amount:desc; empty values are last",
    group: "Output:",
    audience: PRINTING,
    yieldsToParameter: true,
    repeatable: "joined",
    isRare: true,
  },
  {
    flags: "--no-headers",
    description: "print no line of headings: tables, csv and tsv",
    group: "Output:",
    audience: PRINTING,
    isRare: true,
  },
  {
    flags: "--jq <expression>",
    description: "filter the JSON output with jq",
    group: "Output:",
    audience: PRINTING,
  },
  {
    flags: "--web",
    description: "open the page on solscan.io in a browser; without a browser, print its URL",
    group: "Output:",
    audience: DATA,
    isRare: true,
  },
  {
    flags: "--print-url",
    description: "print the URL of the page on solscan.io",
    group: "Output:",
    audience: DATA,
    isRare: true,
  },
  {
    flags: "-i, --interactive",
    description: "open the result in the explorer",
    group: "Output:",
    audience: DATA,
  },
  {
    flags: "--json",
    description: "shorthand for --output json",
    group: "Output:",
    audience: ["data", "local", "sandbox"],
    isRare: true,
  },
  {
    flags: "--columns <list>",
    description: "print these columns under these headings, e.g. WHEN:block_time,TO:to_address",
    group: "Output:",
    audience: PRINTING,
    isRare: true,
  },
  {
    flags: "--envelope",
    description: "print the whole response with success, metadata and total, and whether a list is complete",
    group: "Output:",
    audience: DATA,
    isRare: true,
  },
  {
    flags: "--wide",
    description: "shorthand for --output wide",
    group: "Output:",
    audience: PRINTING,
    isRare: true,
  },
  settingOption("names", { group: "Output:", audience: PRINTING, isRare: true }),
  settingOption("jq-timeout", { group: "Output:", audience: PRINTING, isRare: true }),
  settingOption("table-style", { group: "Output:", audience: PRINTING, isRare: true }),
  {
    flags: "--numbers <form>",
    description:
      "form of numbers that can exceed 2^53: exact, or text, which CSV quotes like all text (default: exact)",
    group: "Output:",
    audience: PRINTING,
    values: ["exact", "text"],
    isRare: true,
  },
  settingOption("time", { group: "Output:", audience: PRINTING, isRare: true }),
  {
    flags: "--fail-empty",
    description: "exit 11 if there are no rows",
    group: "Output:",
    audience: DATA,
    endpoints: returnsList,
    isRare: true,
  },
  {
    flags: "--fail-incomplete",
    description: "exit 10 if the list has, or may have, more rows than were printed",
    group: "Output:",
    audience: DATA,
    endpoints: returnsList,
    isRare: true,
  },
  settingOption("color", { group: "Output:", audience: ["data", "local", "sandbox"], isRare: true }),
  settingOption("links", { group: "Output:", audience: PRINTING, isRare: true }),
  settingOption("theme", {
    group: "Output:",
    audience: ["data", "local", "sandbox"],
    values: THEME_NAMES,
    isRare: true,
  }),
  {
    flags: "--out <file>",
    description: "write to a file, which appears only when complete",
    summary: "write to a file when complete",
    group: "File:",
    audience: DATA,
  },
  {
    flags: "--resume",
    description: "continue an interrupted run with the same --out; start it if there is none",
    group: "File:",
    audience: DATA,
    isRare: true,
  },
  {
    flags: "--force",
    description: "overwrite an existing file, or discard an interrupted run",
    group: "File:",
    audience: DATA,
    isRare: true,
  },
  {
    flags: "--unordered",
    description: "print rows as they arrive instead of in input order",
    group: "Batch:",
    audience: DATA,
    endpoints: takesBatch,
    isRare: true,
  },
  {
    flags: "--errors <where>",
    description: "report failed identifiers on stderr (default), or inline, one row each",
    group: "Batch:",
    audience: DATA,
    endpoints: takesBatch,
    values: ["stderr", "inline"],
    isRare: true,
  },
  {
    flags: "--fail-fast",
    description: "stop at the first identifier that fails",
    group: "Batch:",
    audience: DATA,
    endpoints: takesBatch,
    isRare: true,
  },
  {
    flags: "--concurrency <n>",
    description: "maximum number of concurrent requests, 1 to 16 (default: 16, as far as the rate limit allows)",
    group: "Limits:",
    audience: SENDING,
    isRare: true,
  },
  {
    flags: "-y, --yes",
    description: "skip the confirmation of expensive fetches",
    group: "Limits:",
    audience: DATA,
    isRare: true,
  },
  settingOption("confirm-units", { group: "Limits:", audience: SENDING, isRare: true }),
  settingOption("rate", { group: "Limits:", audience: CLIENT, isRare: true }),
  settingOption("budget", { group: "Limits:", audience: CLIENT, values: ["machine", "process"], isRare: true }),
  settingOption("units-per-day", { group: "Limits:", audience: CLIENT, isRare: true }),
  {
    flags: "--no-wait",
    description: "fail at once instead of waiting: no retries, exit 6 at the rate limit",
    group: "Limits:",
    audience: SENDING,
    isRare: true,
  },
  { flags: "--fresh", description: "bypass the cache", group: "Cache:", audience: SENDING, isRare: true },
  {
    flags: "--no-cache",
    description: "neither read nor write the cache",
    group: "Cache:",
    audience: SENDING,
    isRare: true,
  },
  {
    flags: "--offline",
    description: "answer from the cache only, however old; send no request",
    group: "Cache:",
    audience: SENDING,
    isRare: true,
  },
  {
    flags: "--dry-run",
    description: "print the request without sending it",
    group: "Request:",
    audience: DATA,
    isRare: true,
  },
  {
    flags: "--curl",
    description: "print the request as a curl command",
    group: "Request:",
    audience: DATA,
    isRare: true,
  },
  settingOption("timeout", { group: "Request:", audience: CLIENT, isRare: true }),
  settingOption("retries", { group: "Request:", audience: CLIENT, isRare: true }),
  settingOption("max-wait", { group: "Request:", audience: CLIENT, isRare: true }),
  {
    flags: "--strict",
    description: "fail if a response does not match the documented fields",
    group: "Request:",
    audience: SENDING,
    isRare: true,
  },
  settingOption("record", { group: "Request:", audience: CLIENT, isRare: true }),
  settingOption("record-pseudonyms", { group: "Request:", audience: CLIENT, isRare: true }),
  settingOption("ca-cert", { group: "Request:", audience: CLIENT, isRare: true }),
  {
    flags: "--insecure",
    description: "send the API key although NODE_TLS_REJECT_UNAUTHORIZED=0 disables the verification of certificates",
    group: "Request:",
    audience: CLIENT,
    isRare: true,
  },
  {
    flags: "--sandbox",
    description: "use the built-in sandbox with simulated data: no key, no network",
    summary: "use simulated data: no key, no network",
    group: "Account:",
    audience: CLIENT,
    env: "SOLX_SANDBOX",
  },
  {
    ...settingOption("rpc-url", { group: "Account:", audience: CLIENT }),
    summary: "answer from a Solana node: no key; mainnet, devnet, testnet, localnet or a URL",
    values: NODE_NAMES,
  },
  settingOption("commitment", { group: "Account:", audience: CLIENT, isRare: true }),
  settingOption("index", { group: "Account:", audience: [...CLIENT, "sandbox"], isRare: true }),
  settingOption("profile", { group: "Account:", audience: CLIENT, isRare: true }),
  settingOption("base-url", { group: "Account:", audience: CLIENT, isRare: true }),
  settingOption("plan", { group: "Account:", audience: ["data", "local", "mcp", "sandbox"], isRare: true }),
  {
    flags: "--api-key <key>",
    description: "API key; other users of this machine can see it, prefer SOLX_API_KEY",
    group: "Account:",
    audience: CLIENT,
    env: "SOLX_API_KEY",
    prefersEnv: true,
    isRare: true,
  },
  {
    flags: "-v, --verbose",
    description: "trace requests on stderr",
    group: GENERAL,
    audience: CLIENT,
    isRare: true,
  },
  {
    flags: "-q, --quiet",
    description: "suppress notes and hints on stderr",
    group: GENERAL,
    audience: ["data", "local", "mcp", "sandbox"],
    isRare: true,
  },
  {
    flags: "--no-input",
    description: "never prompt, and do not start the explorer: fail where input from a person is needed",
    group: GENERAL,
    audience: ["data", "local", "mcp", "sandbox"],
    env: "SOLX_NO_INPUT",
    isRare: true,
  },
] as const satisfies readonly GlobalOption[];
