/** The options of many commands, accepted anywhere on the command line: one record each, and their parsed values. */
import type { Command } from "commander";
import { type Endpoint, nodeSupportOf, optionName, positionalOf, returnsList } from "../../catalogue/index.ts";
import { NODE_NAMES, SETTINGS, type Setting, type SettingName, settingVariable } from "../../config/index.ts";
import { type Audience, choiceText, createOption, GENERAL, type OptionDefinition } from "./option.ts";

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
  /** Whether commands of endpoints judge it themselves where help hides it: they refuse it with their own reason. */
  readonly isExplained?: true;
}

const DATA = ["data"] as const;
const PRINTING = ["data", "request", "account", "print"] as const;
const FORMATTED = [...PRINTING, "message", "sandbox"] as const;
const REQUESTING = ["data", "request", "session"] as const;
const CLIENT = [...REQUESTING, "account"] as const;
const EVERY = ["data", "request", "account", "print", "message", "session", "sandbox"] as const;

const takesBatch = (endpoint: Endpoint) => positionalOf(endpoint)?.[1].arity === "one";
const hasIdentifier = (endpoint: Endpoint) => positionalOf(endpoint) !== undefined;
/** Whether something else than a Solana node answers. */
const isOfApi = ({ family }: Endpoint) => family !== "node";
const isOfNode = (endpoint: Endpoint) => nodeSupportOf(endpoint).level !== "none";

/** Whether rows have an amount of a token, or its value. */
const hasTokenAmounts = ({ columns, amountsInSol }: Endpoint) =>
  !amountsInSol && columns.some((column) => /^(amount|value)$/i.test(String(column)));

/** Sort keys that order rows by time. */
export const TIME_KEYS: ReadonlySet<unknown> = new Set(["block_time", "created_time"]);

/** Whether it can be polled: everything but files. */
const canFollow = ({ returns }: Endpoint) => returns.shape !== "csv";

/** Whether it may be followed for its changes: not a list that has its newest rows first in every order. */
const hasChanges = ({ returns, identity, newestFirst, query: { sort_by } }: Endpoint) =>
  canFollow({ returns } as Endpoint) &&
  (returns.shape !== "rows" ||
    identity === undefined ||
    (sort_by === undefined ? newestFirst !== true : !(sort_by.values ?? []).every((key) => TIME_KEYS.has(key))));

type FlaggedSetting = {
  [N in SettingName]: (typeof SETTINGS)[N] extends { readonly flag: string } ? N : never;
}[SettingName];

type RecordInGroup = Omit<GlobalOption, "group" | "audience"> & { readonly audience?: readonly Audience[] };

/** Returns the record of an option that overrides a setting: flags, description, values and default are the setting's. */
function settingOption<const N extends FlaggedSetting, const O extends Omit<RecordInGroup, "flags" | "description">>(
  name: N,
  other: O,
) {
  const setting: Setting = SETTINGS[name];
  const { values: known = [] } = setting;
  const isExplained = known.every((value) => setting.description.includes(`${value} (`));
  const values = isExplained ? "" : `: ${choiceText(known)}`;
  const fallback = setting.default ?? setting.defaultDescription;
  const description = `${setting.description}${values}${fallback === undefined ? "" : ` (default: ${fallback})`}`;
  const flags = SETTINGS[name].flag as (typeof SETTINGS)[N] extends { readonly flag: infer F extends string }
    ? F
    : never;
  const { type, default: value, values: choices } = setting;
  return {
    flags,
    description,
    setting: name,
    env: settingVariable(name),
    type,
    default: value,
    ...(choices && { values: choices }),
    ...other,
  };
}

/** Returns records of one heading of help; they apply to commands of endpoints where they say nothing else. */
const inGroup = <const R extends readonly RecordInGroup[]>(group: string, options: R) =>
  options.map((option) => ({ audience: DATA, ...option, group })) as readonly (R[number] &
    Pick<GlobalOption, "group" | "audience">)[];

/** Every global option, in the order of help. */
export const GLOBAL_OPTIONS = [
  ...inGroup("Rows:", [
    {
      flags: "--limit <rows>",
      isExplained: true,
      description: "maximum number of rows, or which ones: 101..200; pages are fetched as needed (default: one page)",
      summary: "maximum number of rows (default: one page)",
      endpoints: returnsList,
    },
    {
      flags: "--all",
      isExplained: true,
      description: "fetch all rows: every page, or every time window of an export (each request costs units)",
      summary: "fetch all rows",
      endpoints: returnsList,
    },
    {
      flags: "--follow [interval]",
      isExplained: true,
      description:
        "print new rows or changes as they arrive, polling every 30s or at this interval; see: solx help following",
      summary: "print new rows or changes as they arrive",
      endpoints: canFollow,
    },
    {
      flags: "--until <end>",
      isExplained: true,
      description: "with --follow, stop after a duration (2h), at a time, or at a row that matches a jq condition",
      endpoints: canFollow,
      isRare: true,
    },
    {
      flags: "--changes <fields>",
      isExplained: true,
      description: "with --follow, print only changes of these fields, e.g. lamports,price",
      endpoints: hasChanges,
      isRare: true,
    },
    {
      flags: "--when <condition>",
      isExplained: true,
      description: "with --follow, print only rows or changes that match a jq condition, e.g. .change_pct > 5",
      endpoints: canFollow,
      isInherited: true,
    },
    {
      flags: "--exec <command>",
      isExplained: true,
      description: "with --follow, run a program for each new row or change, e.g. 'notify-send {signature}'",
      endpoints: canFollow,
      isInherited: true,
    },
    {
      flags: "--webhook <url>",
      isExplained: true,
      description: "with --follow, send each new row or change to this URL",
      endpoints: canFollow,
      isInherited: true,
    },
    {
      flags: "--notify",
      isExplained: true,
      description: "with --follow, ring the bell and notify the desktop at each new row or change",
      endpoints: canFollow,
      isInherited: true,
    },
  ]),
  ...inGroup("Output:", [
    settingOption("output", { summary: choiceText(SETTINGS.output.values), audience: FORMATTED }),
    {
      flags: "--fields <paths>",
      description:
        "print only these fields, e.g. address,metadata.name, or with headings, e.g. WHEN:block_time,TO:to_address",
      summary: "print only these fields, e.g. address,WHO:name",
      audience: PRINTING,
    },
    {
      flags: "--with <fields>",
      isExplained: true,
      description:
        "add fields to rows with amounts: amount_ui (whole units) or value (value_usd, at the latest prices)",
      summary: "add fields to rows: amount_ui, value",
      endpoints: hasTokenAmounts,
      isRare: true,
    },
    {
      flags: "--sort-by <fields>",
      isExplained: true,
      description: "sort the fetched rows, e.g. by amount:desc (or -amount) or flow,amount:desc; empty values are last",
      audience: PRINTING,
      endpoints: returnsList,
      yieldsToParameter: true,
      repeatable: "joined",
      isRare: true,
    },
    {
      flags: "--no-headers",
      description: "print tables, csv and tsv without a line of headings",
      audience: PRINTING,
      isRare: true,
    },
    {
      flags: "--raw-text",
      description: "print texts in csv, tsv and name as they are, with control characters; not on a terminal",
      audience: ["data", "request"],
      isRare: true,
    },
    { flags: "--jq <expression>", description: "filter the JSON output with jq", audience: PRINTING },
    {
      flags: "--web",
      isExplained: true,
      description: "open the page on solscan.io in a browser; without a terminal, print its URL",
      endpoints: hasIdentifier,
      isRare: true,
    },
    { flags: "-i, --interactive", description: "open the result in the explorer" },
    {
      flags: "--envelope",
      description: "print the whole response with success, metadata and total, and whether a list is complete",
      isRare: true,
    },
    {
      flags: "--fail-on <outcomes>",
      description: "exit 11 if there are no rows (empty), 10 if there are, or may be, more (incomplete)",
      isExplained: true,
      endpoints: returnsList,
      values: ["empty", "incomplete"],
      isClosed: true,
      repeatable: "joined",
      isRare: true,
    },
    settingOption("time", { audience: PRINTING, isInherited: true }),
    settingOption("color", { audience: FORMATTED, isInherited: true }),
  ]),
  ...inGroup("File:", [
    {
      flags: "--out <file>",
      description: "write to a file, which appears only when complete",
      summary: "write to a file when complete",
    },
    {
      flags: "--resume",
      description: "continue an interrupted run with the same --out; start it if there is none",
      isRare: true,
    },
    {
      flags: "--force",
      description: "overwrite an existing file, or discard an interrupted run",
      isRare: true,
    },
    {
      flags: "--batch <how>",
      description:
        "with several identifiers: unordered (print rows as they arrive), inline (print failures as rows), fail-fast (stop at the first failure); default: in order, failures on standard error",
      endpoints: takesBatch,
      values: ["unordered", "inline", "fail-fast"],
      isClosed: true,
      repeatable: "joined",
      isRare: true,
    },
  ]),
  ...inGroup("Request:", [
    { flags: "--dry-run", description: "print the request without sending it", isRare: true },
    { flags: "--curl", description: "print the request as a curl command", isRare: true },
    settingOption("cache", { audience: REQUESTING, isInherited: true }),
    {
      flags: "--sandbox",
      description: "use the built-in sandbox with simulated data: no key, no network",
      summary: "use simulated data: no key, no network",
      audience: CLIENT,
      endpoints: isOfApi,
      env: "SOLX_SANDBOX",
    },
    {
      ...settingOption("rpc-url", { audience: REQUESTING, endpoints: isOfNode, isExplained: true }),
      summary: "answer from a Solana node: no key; mainnet, devnet, testnet, localnet or a URL",
      values: NODE_NAMES,
    },
    settingOption("index", { endpoints: isOfApi, audience: [...REQUESTING, "sandbox"], isInherited: true }),
    settingOption("profile", { audience: [...CLIENT, "message", "print"], isInherited: true }),
    settingOption("timeout", { audience: CLIENT, isInherited: true }),
    settingOption("max-wait", { audience: CLIENT, isInherited: true }),
    {
      flags: "--record <folder>",
      description:
        "record every exchange in this folder, without keys and data of the account; <folder>,pseudonyms replaces addresses and signatures, always by the same others",
      audience: CLIENT,
      env: "SOLX_RECORD",
      isInherited: true,
    },
  ]),
  ...inGroup(GENERAL, [
    {
      flags: "-y, --yes",
      description: "skip the confirmation of expensive fetches",
      audience: ["data", "request"],
      isInherited: true,
    },
    { flags: "-v, --verbose", description: "trace requests on stderr", audience: EVERY, isInherited: true },
    { flags: "-q, --quiet", description: "suppress notes and hints on stderr", audience: EVERY, isInherited: true },
  ]),
] as const;

type LongName<Flags extends string> = Flags extends `${string}--${infer Rest}`
  ? Rest extends `${infer Name} ${string}`
    ? Name
    : Rest
  : never;
type CamelCase<Name extends string> = Name extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;
type Key<Flags extends string> =
  LongName<Flags> extends `no-${infer Name}` ? CamelCase<Name> : CamelCase<LongName<Flags>>;
type Value<Flags extends string> =
  LongName<Flags> extends `no-${string}`
    ? boolean
    : Flags extends `${string}<${string}`
      ? string
      : Flags extends `${string}[${string}`
        ? string | true
        : true;

/**
 * The global options as commander parses them: text, true for a switch, false for a `--no-` switch; an optional value
 * (`--follow`) is true where none is given.
 */
export type GlobalOptions = {
  readonly [O in (typeof GLOBAL_OPTIONS)[number] as Key<O["flags"]>]?: Value<O["flags"]>;
};

const longName = (flags: string): string => /--[a-z-]+/.exec(flags)?.[0] ?? flags;

const records: readonly GlobalOption[] = GLOBAL_OPTIONS;
const byLongName: ReadonlyMap<string, GlobalOption> = new Map(
  records.map((record) => [longName(record.flags), record] as const),
);

/** The long names of the options that override a setting for one run. */
export const SETTING_FLAGS: readonly string[] = records
  .filter(({ setting }) => setting !== undefined)
  .map(({ flags }) => longName(flags));

const attributeName = ({ flags }: GlobalOption): string => createOption({ flags, description: "" }).attributeName();

/** Returns the first option that selects parts of the output, as typed: `--jq`; undefined without one. */
export function shapingOption({ fields, jq }: GlobalOptions): string | undefined {
  const values = { "--fields": fields, "--jq": jq };
  return Object.entries(values).find(([, value]) => value !== undefined)?.[0];
}

/** Returns the record of a global option, such as `--rpc`, for a command that describes it in its own way. */
export const globalOption = (long: string): GlobalOption | undefined => byLongName.get(long);

/** Returns whether an option, such as `--output`, is global. */
export const isGlobalOption = (long: string): boolean => byLongName.has(long);

/** Returns the global option that the option of a parameter replaces, if any. */
export function replacedOption(parameter: string): GlobalOption | undefined {
  const option = byLongName.get(`--${optionName(parameter)}`);
  return option?.yieldsToParameter ? option : undefined;
}

/** Returns whether a parameter of an endpoint is read from the global option of the same name. */
export function sharesGlobalOption(parameter: string): boolean {
  return isGlobalOption(`--${optionName(parameter)}`) && replacedOption(parameter) === undefined;
}

/** Returns the values of the settings that options of this run override. */
export function settingOverrides(globals: GlobalOptions): Record<string, string | undefined> {
  const values = globals as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    records.flatMap((record) => {
      const { setting } = record;
      if (setting === undefined) return [];
      const value = values[attributeName(record)];
      return [[setting, value === true ? "on" : typeof value === "string" ? value : undefined]];
    }),
  );
}

/** Returns the variables with which other command lines have the settings, and the sandbox, that flags of this run select. */
export function flagVariables(globals: GlobalOptions): Record<string, string> {
  const settings = Object.entries(settingOverrides(globals)).flatMap(([name, value]) =>
    value === undefined ? [] : [[settingVariable(name as SettingName), value] as const],
  );
  return { ...Object.fromEntries(settings), ...(globals.sandbox && { SOLX_SANDBOX: "1" }) };
}

/** What determines the global options of a command. */
export interface OptionTarget {
  readonly audience: Audience;
  readonly endpoint?: Endpoint;
  readonly flags?: readonly string[];
  readonly excludedFlags?: readonly string[];
}

/** Returns whether a global option has an effect on a command. */
export function appliesTo(option: GlobalOption, target: OptionTarget): boolean {
  const { audience, endpoint, flags = [], excludedFlags = [] } = target;
  const name = longName(option.flags);
  if (endpoint !== undefined) return option.audience.includes("data") && option.endpoints?.(endpoint) !== false;
  return flags.includes(name) || (option.audience.includes(audience) && !excludedFlags.includes(name));
}

/** Returns the first typed global option that has no effect on a command, by its long name: its help hides it. */
export function findRefusedOption(
  { options }: Command,
  { endpoint }: OptionTarget,
  isTyped: (name: string) => boolean,
): string | undefined {
  const refused = options.find((option) => {
    const record = byLongName.get(option.long ?? "");
    const isExplained = record === undefined || (endpoint !== undefined && record.isExplained);
    return option.hidden && !isExplained && isTyped(option.attributeName());
  });
  return refused?.long;
}

/**
 * Adds the global options to a command; those that do not apply to it are hidden from help. An option of the command
 * replaces the global one of the same name.
 */
export function addGlobalOptions(command: Command, target: OptionTarget): void {
  const taken = new Set(command.options.flatMap(({ short, long }) => [short, long]));
  for (const record of records) {
    if (taken.has(longName(record.flags))) continue;
    const [short = ""] = /^-\w/.exec(record.flags) ?? [];
    const flags = taken.has(short) ? record.flags.replace(/^-\w, /, "") : record.flags;
    command.addOption(createOption({ ...record, flags, isHidden: !appliesTo(record, target) }));
  }
}

/** Returns whether a run fails at an outcome, although it did what was asked. */
export const failsOn = ({ failOn = "" }: GlobalOptions, outcome: "empty" | "incomplete"): boolean =>
  failOn.split(",").includes(outcome);

/** Returns whether a batch differs in a way from rows in the order of the input that end with the failures. */
export const hasBatchMode = ({ batch = "" }: GlobalOptions, mode: "unordered" | "inline" | "fail-fast"): boolean =>
  batch.split(",").includes(mode);
