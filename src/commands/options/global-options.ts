/** The options that every command takes, anywhere on the line. */
import { type Command, Option } from "commander";
import { UsageError } from "../../base/errors.ts";
import type { Endpoint } from "../../catalogue/endpoint.ts";
import { positionalOf } from "../../catalogue/index.ts";
import { withChoices } from "../run/help.ts";

/** What the global options say, as commander hands it over. */
export interface GlobalOptions {
  readonly output?: string;
  readonly json?: true;
  readonly interactive?: true;
  readonly fields?: string;
  readonly columns?: string;
  readonly jq?: string;
  readonly envelope?: true;
  readonly limit?: string;
  readonly all?: true;
  readonly out?: string;
  readonly resume?: true;
  readonly force?: true;
  readonly via?: string;
  readonly yes?: true;
  readonly confirmUnits?: string;
  readonly unordered?: true;
  readonly errors?: string;
  readonly failFast?: true;
  /** An interval, or true where none was given. */
  readonly follow?: string | true;
  readonly until?: string;
  /** False for `--no-cache`. */
  readonly cache?: boolean;
  readonly fresh?: true;
  readonly offline?: true;
  /** False for `--no-wait`. */
  readonly wait?: boolean;
  readonly rate?: string;
  readonly budget?: string;
  readonly unitsPerDay?: string;
  readonly time?: string;
  readonly failEmpty?: true;
  readonly sandbox?: true;
  readonly profile?: string;
  readonly baseUrl?: string;
  readonly plan?: string;
  readonly apiKey?: string;
  readonly timeout?: string;
  readonly retries?: string;
  readonly maxWait?: string;
  readonly caCert?: string;
  readonly strict?: true;
  readonly dryRun?: true;
  readonly curl?: true;
  readonly verbose?: true;
  readonly quiet?: true;
  readonly color?: string;
}

/** The options that every command takes, in the order of help. */
export const GLOBAL_OPTIONS: readonly (readonly [group: string, flags: string, description: string])[] = [
  [
    "Output:",
    "-o, --output <format>",
    "json, ndjson, csv, tsv, yaml or table (default: table on a terminal, else json)",
  ],
  ["Output:", "--json", "short for --output json"],
  ["Output:", "-i, --interactive", "in the full-screen explorer, to page, filter, sort and follow"],
  ["Output:", "--fields <paths>", "only these fields, e.g. address,metadata.name"],
  ["Output:", "--columns <list>", "columns of your own, e.g. WHEN:block_time,TO:to_address"],
  ["Output:", "--jq <expression>", "filter the JSON answer with jq"],
  ["Output:", "--envelope", "the whole answer with success and metadata, not its data alone"],
  ["Output:", "--time <style>", "times as relative, iso, unix or local"],
  ["Output:", "--fail-empty", "exit 11 when there are no rows"],
  ["Output:", "--color <when>", "auto, always or never"],
  ["Rows:", "--limit <rows>", "how many rows; pages are fetched as needed"],
  ["Rows:", "--all", "every row, page after page; exports window by window (each request costs)"],
  ["Rows:", "--via <way>", "export or pages: the way to the rows of an export with --all (default: the cheaper one)"],
  ["Rows:", "--follow [interval]", "print new rows as they come, asking every so often, e.g. 30s"],
  ["Rows:", "--until <end>", "with --follow: when to end: 2h, a moment, or a jq condition on a row"],
  ["File:", "--out <file>", "write to a file, which is there when it is complete"],
  ["File:", "--resume", "go on where a run with the same --out stopped; begin where there is none"],
  ["File:", "--force", "replace a file that is there, or begin anew"],
  ["Many:", "--unordered", "rows as they come, not in the order of the identifiers"],
  ["Many:", "--errors <where>", "where failed identifiers are told: stderr (default), or inline, each as a row"],
  ["Many:", "--fail-fast", "stop at the first identifier that fails"],
  ["Cost:", "-y, --yes", "fetch without asking, whatever it costs"],
  ["Cost:", "--confirm-units <units>", "ask before a fetch that costs more compute units than this (default 1000000)"],
  ["Cost:", "--rate <requests/seconds>", "another rate than the plan's, e.g. 200/10, or off"],
  ["Cost:", "--budget <where>", "who shares the rate: machine, process, or redis://host of a server"],
  ["Cost:", "--units-per-day <units>", "stop (exit 7) when so many units were spent today on this machine, or off"],
  ["Cost:", "--no-wait", "fail (exit 6) instead of waiting for the rate or an export's turn"],
  ["Cache:", "--fresh", "ask anew, also for what was kept"],
  ["Cache:", "--no-cache", "neither use nor keep answers"],
  ["Cache:", "--offline", "only what was kept, however old; nothing is sent"],
  ["Request:", "--dry-run", "show the request without sending it"],
  ["Request:", "--curl", "show the request as a curl command"],
  ["Request:", "--timeout <seconds>", "give up on a request after this long"],
  ["Request:", "--retries <count>", "tries after a failure that may pass"],
  ["Request:", "--max-wait <seconds>", "longest time to wait for a busy server"],
  ["Request:", "--strict", "fail when an answer does not look as documented"],
  ["Request:", "--ca-cert <file>", "trust the certificates in this file too"],
  ["Account:", "--sandbox", "answer on this machine, from made-up data: no key, no network (also: SOLX_SANDBOX=1)"],
  ["Account:", "--profile <name>", "the profile to use"],
  [
    "Account:",
    "--base-url <url>",
    "one server for all families: v2 under /v2.0, legacy under /v1.0, public at the root",
  ],
  ["Account:", "--plan <name>", "lite, level-2, level-3 or level-4: how many requests a minute are allowed"],
  ["Account:", "--api-key <key>", "the key; visible to other users of this machine, better: SOLX_API_KEY"],
  ["General:", "-v, --verbose", "trace requests on standard error"],
  ["General:", "-q, --quiet", "no hints on standard error"],
];

/** The words of options, where no setting lists them. */
const CHOICES: Readonly<Record<string, readonly string[]>> = {
  "--via": ["export", "pages"],
  "--errors": ["stderr", "inline"],
  "--budget": ["machine", "process"],
};

/** Options that mean nothing to commands that ask for no endpoint. */
const FOR_ENDPOINTS: ReadonlySet<string> = new Set([
  "--interactive",
  "--limit",
  "--all",
  "--via",
  "--follow",
  "--until",
  "--out",
  "--resume",
  "--force",
  "--unordered",
  "--errors",
  "--fail-fast",
  "--yes",
  "--confirm-units",
  "--no-wait",
  "--no-cache",
  "--fresh",
  "--offline",
  "--envelope",
  "--fail-empty",
  "--dry-run",
  "--curl",
  "--strict",
]);

/** The only options that mean something to a server. */
const FOR_SANDBOX: ReadonlySet<string> = new Set(["--output", "--json", "--color", "--plan", "--quiet"]);

/** What means nothing to a server for language models: groups about output, rows and files, and questions. */
const NOT_FOR_MCP = {
  groups: new Set(["Output:", "Rows:", "File:", "Many:"]),
  options: new Set(["--yes", "--dry-run", "--curl"]),
};

const isList = ({ returns }: Endpoint) => returns.shape !== "object";
const isExport = ({ returns }: Endpoint) => returns.shape === "csv";
const takesMany = (endpoint: Endpoint) => positionalOf(endpoint)?.[1].arity === "one";

/** Options that mean something to some endpoints only. */
const FOR_SOME: Readonly<Record<string, (endpoint: Endpoint) => boolean>> = {
  "--limit": isList,
  "--all": isList,
  "--fail-empty": isList,
  "--follow": (endpoint) => isList(endpoint) && !isExport(endpoint),
  "--until": (endpoint) => isList(endpoint) && !isExport(endpoint),
  "--via": isExport,
  "--unordered": takesMany,
  "--errors": takesMany,
  "--fail-fast": takesMany,
};

/** Whose help it is: a command about endpoints, about solx itself, a server (mcp, sandbox), or one that only leads on. */
export type Audience = "all" | "own" | "mcp" | "sandbox" | "none";

const HIDDEN: Readonly<Record<Audience, (long: string, group: string) => boolean>> = {
  all: () => false,
  own: (long) => FOR_ENDPOINTS.has(long),
  mcp: (long, group) => NOT_FOR_MCP.groups.has(group) || NOT_FOR_MCP.options.has(long),
  sandbox: (long) => !FOR_SANDBOX.has(long),
  none: () => true,
};

/**
 * Adds the global options to a command, grouped for help; those that are no use to it are not shown.
 * @param endpoint the endpoint that the command asks, where it is one
 */
export function addGlobalOptions(command: Command, audience: Audience = "all", endpoint?: Endpoint): void {
  const taken = new Set(command.options.flatMap(({ short, long }) => [short, long]));
  for (const [group, flags, description] of GLOBAL_OPTIONS) {
    const option = new Option(flags, description).helpGroup(group);
    const long = option.long ?? "";
    // What a command calls its own is its own.
    if (taken.has(long)) continue;
    option.hideHelp(HIDDEN[audience](long, group) || (endpoint !== undefined && FOR_SOME[long]?.(endpoint) === false));
    // A command may use a short flag for something of its own.
    const free =
      option.short && taken.has(option.short) ? new Option(`--${option.name()}`, description).helpGroup(group) : option;
    const choices = CHOICES[long];
    if (choices) withChoices(free, choices);
    command.addOption(free.required ? once(free) : free);
  }
}

/** The global options by their long names. */
export const GLOBAL_NAMES: ReadonlySet<string> = new Set(
  GLOBAL_OPTIONS.map(([, flags]) => /--[a-z-]+/.exec(flags)?.[0] ?? flags),
);

/** Refuses a second value for an option that takes one. */
export function once(option: Option): Option {
  return option.argParser((value: string, before?: string) => {
    if (before !== undefined) throw new UsageError(`${option.long} is given twice.`);
    return value;
  });
}
