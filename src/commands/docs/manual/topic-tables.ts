/** The tables of the topics that are made from data. A topic includes one with a comment: `<!-- solx:exit-codes -->`. */

import {
  capitalize,
  DAY_SECONDS,
  EXIT_MEANINGS,
  ExitCode,
  type ExitName,
  errorObject,
  groupThousands,
  UsageError,
} from "../../../base/index.ts";
import {
  allEndpoints,
  CACHE_KINDS,
  DEFI_ACTIVITIES,
  type Endpoint,
  expectedValue,
  KINDS,
  NODE_SUPPORT_LEVELS,
  type NodeSupportLevel,
  nodeSupportOf,
  PLANS,
  type Plan,
  shortValue,
  TRANSFER_ACTIVITIES,
  VALIDATION_CODE,
  validationMessages,
} from "../../../catalogue/index.ts";
import { explainMismatch, recognise } from "../../../client/index.ts";
import {
  ENTRY_NAMES,
  type EntryName,
  getFlag,
  partsOf,
  SETTINGS,
  type Setting,
  type SettingName,
  settingVariable,
  settingWords,
} from "../../../config/index.ts";
import { FORMATS, LINK_TERMINALS } from "../../../output/index.ts";
import { ACTIONS, type Action, keyLabel } from "../../../ui/index.ts";
import { appliesTo, GLOBAL_OPTIONS, type GlobalOption } from "../../options/global-options.ts";
import type { Audience } from "../../options/option.ts";
import { LEVEL_MEANINGS } from "./node-support.ts";
import {
  type ContentBlock,
  code,
  type Definition,
  items,
  type ManualSection,
  section,
  sentence,
  terms,
  text,
} from "./page.ts";

/** The tables by the name of their placeholder. Sections without a title continue the section of the placeholder. */
export const TOPIC_TABLES: Readonly<Record<string, () => readonly ManualSection[]>> = {
  "exit-codes": () =>
    untitled(terms(exitNames.map((name) => [String(ExitCode[name]), EXIT_MEANINGS[name].filter(Boolean).join(" ")]))),
  "error-example": () => untitled(code(JSON.stringify(errorObject(SAMPLE_ERROR), null, 2))),
  plans: () => untitled(terms(plans())),
  caching: () => untitled(terms(cacheLifetimes())),
  formats: () =>
    untitled(terms(Object.entries(FORMATS).map(([name, { description }]) => [name, sentence(description)]))),
  "link-terminals": () => untitled(items(...LINK_TERMINALS.map(({ name }) => name))),
  settings: () => untitled(terms(ENTRY_NAMES.flatMap(entryDefinitions))),
  "settings-variables": () => untitled(terms(settings.map(variableDefinition))),
  options: globalOptionSections,
  "node-support": () => NODE_SUPPORT_LEVELS.map((level) => section(capitalize(level), ...supportBlocks(level))),
  "explorer-keys": keySections,
  "field-kinds": () => untitled(terms(Object.entries(KINDS).map(([kind, about]) => [kind, sentence(about)]))),
  "activity-types": () =>
    untitled(
      terms([
        ["transfers", `${TRANSFER_ACTIVITIES.map(shortValue).join(", ")}.`],
        ["DeFi activities", `${DEFI_ACTIVITIES.map(shortValue).join(", ")}.`],
      ]),
    ),
};

const untitled = (...blocks: ManualSection["blocks"]): readonly ManualSection[] => [section("", ...blocks)];

const exitNames = Object.keys(ExitCode) as readonly ExitName[];

/** The mint of USDC with the letter `l` in place of the digit 1. */
const MISTYPED_MINT = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDtlv";

const SAMPLE_ERROR = new UsageError(
  `invalid value "${MISTYPED_MINT}" for <address>: expected ${expectedValue({ type: "address" })}`,
  {
    code: VALIDATION_CODE,
    hint: explainMismatch("address", recognise(MISTYPED_MINT)),
    apiMessage: validationMessages.address(MISTYPED_MINT),
  },
);

const count = (value: number) => groupThousands(value);

function plans(): readonly Definition[] {
  return Object.entries<Plan>(PLANS).map(([name, { requestsPerMinute, units, refuses = [], refusesMulti }]) => {
    const refused = `${refuses.join(", ")}${refusesMulti ? " and the multi endpoints" : ""}`;
    return [
      name,
      `${count(requestsPerMinute)} requests per minute, ${count(units)} compute units per month.${refuses.length > 0 ? ` Not included: ${refused}.` : ""}`,
    ];
  });
}

const TIME_UNITS: readonly (readonly [seconds: number, name: string])[] = [
  [DAY_SECONDS, "days"],
  [3_600, "hours"],
  [60, "minutes"],
];

/** Returns seconds in the largest unit that divides them. */
function duration(seconds: number): string {
  const [size, unit] = TIME_UNITS.find(([length]) => seconds % length === 0) ?? [1, "seconds"];
  return `${count(seconds / size)} ${unit}`;
}

function cacheLifetimes(): readonly Definition[] {
  return Object.entries(CACHE_KINDS).map(([kind, { seconds, about }]) => [
    kind,
    `${sentence(about)} ${seconds === 0 ? "Fetched each time." : `Cached for ${duration(seconds)}.`}`,
  ]);
}

const settings = Object.entries(SETTINGS) as readonly (readonly [SettingName, Setting])[];

/** Returns the settings of an entry: the one of its name, and those that words of its value are. */
function entryDefinitions(entry: EntryName): readonly Definition[] {
  const own = settings.filter(([name]) => name === entry).map(settingDefinition);
  const parts = Object.entries(partsOf(entry)).map(
    ([word, name]): Definition => [`${entry} ${word}=`, settingDefinition([name, SETTINGS[name]])[1]],
  );
  return [...own, ...parts];
}

const describeSetting = (setting: Setting, sources: string): string =>
  [sentence(setting.description, setting.values), settingFacts(setting), sources].filter(Boolean).join(" ");

function settingDefinition([name, setting]: readonly [SettingName, Setting]): Definition {
  const flag = getFlag(name);
  return [name, describeSetting(setting, `${flag ? `Flag ${flag}, variable` : "Variable"} ${settingVariable(name)}.`)];
}

const variableDefinition = ([name, setting]: readonly [SettingName, Setting]): Definition => [
  settingVariable(name),
  describeSetting(setting, `Setting \`${settingWords(name)}\`.`),
];

/** Returns the accepted values and the default of a setting. */
function settingFacts({ values, min, max, form, type, ...setting }: Setting): string {
  const { default: value, defaultDescription: otherwise, derivedFrom: within } = setting;
  const accepted = values
    ? `One of: ${values.join(", ")}.`
    : form
      ? `Format: ${form.words}.`
      : min !== undefined && max !== undefined
        ? `${type === "integer" ? "An integer" : "A number"} from ${min} to ${max}.`
        : "";
  const fallback = value ?? otherwise;
  const derived = within
    ? ` When \`${within.setting}\` is set: its value${within.path ? ` followed by ${within.path}` : ""}.`
    : "";
  return [accepted, fallback === undefined ? "" : `Default: ${fallback}.${derived}`].filter(Boolean).join(" ");
}

/** Returns the endpoints that a Solana node answers to an extent, with the fields that only the API knows. */
function supportBlocks(level: NodeSupportLevel): readonly ContentBlock[] {
  const members = allEndpoints.filter((endpoint) => nodeSupportOf(endpoint).level === level);
  if (level === "none")
    return [text(LEVEL_MEANINGS.none), text(`${members.map(({ command }) => command).join(", ")}.`)];
  return [text(LEVEL_MEANINGS[level]), terms(members.map(supportDefinition))];
}

function supportDefinition(endpoint: Endpoint): Definition {
  const { methods, missing = [] } = nodeSupportOf(endpoint);
  const absent = missing.length === 0 ? "" : ` Without ${missing.map((path) => `\`${path}\``).join(", ")}.`;
  return [endpoint.command, `${methods.map((method) => `\`${method}\``).join(", ")}.${absent}`];
}

const globalOptions: readonly GlobalOption[] = GLOBAL_OPTIONS;

function globalOptionSections(): readonly ManualSection[] {
  return [...Map.groupBy(globalOptions, ({ group }) => group)].map(([group, members]) =>
    section(group.replace(/:$/, ""), terms(members.map(globalOptionDefinition))),
  );
}

function globalOptionDefinition(option: GlobalOption): Definition {
  const { flags, description, setting, env, values = [], isInherited } = option;
  const sources = setting ? `Setting \`${setting}\`, variable ${env}.` : env ? `Variable ${env}.` : "";
  const others = isInherited
    ? Object.keys(COMMANDS_OF).filter((kind) => !appliesTo(option, { audience: kind as Audience }))
    : [];
  const refused =
    others.length > 0 ? `Not for: ${others.map((kind) => COMMANDS_OF[kind as Audience]).join("; ")}.` : "";
  return [flags, [sentence(description, values.map(String)), sources, refused].filter(Boolean).join(" ")];
}

/** The commands of each kind, as the topic names those that a flag is not for. */
export const COMMANDS_OF: Readonly<Partial<Record<Audience, string>>> = {
  request: "`show`, `overview`, `api`, `rpc`, `inspect`",
  account: "`usage`, `doctor`, `auth status`",
  print: "`docs`, `openapi`, lists such as `config list`",
  message: "changes such as `config set`, `skill`",
  session: "`explore`, `mcp`, `index`",
  sandbox: "`sandbox`",
};

const KEY_HEADINGS: Readonly<Record<string, string>> = {
  move: "Keys: moving",
  go: "Keys: navigation",
  view: "Keys: the current view",
  list: "Keys: lists",
  detail: "Keys: details",
  solx: "Keys: the explorer",
};
const OTHER_KEYS = "Keys: single pages";

const actions: readonly (readonly [name: string, action: Action])[] = Object.entries(ACTIONS);

function keySections(): readonly ManualSection[] {
  const groups = Map.groupBy(actions, ([name]) => KEY_HEADINGS[name.split(".")[0] ?? ""] ?? OTHER_KEYS);
  return [...groups].map(([heading, members]) =>
    section(
      heading,
      terms(
        members.map(
          ([name, { keys, description: about }]): Definition => [
            keys.map((key) => keyLabel(key, false)).join(" "),
            `${sentence(about)} Action \`${name}\`.`,
          ],
        ),
      ),
    ),
  );
}
