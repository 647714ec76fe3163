/** Collects the completion data from the commands, the catalogue and the settings. Runs in the build. */
import type * as z from "zod";
import {
  allEndpoints,
  type Endpoint,
  endpoints,
  nodeSupportOf,
  optionName,
  type Param,
  positionalOf,
  shortValue,
  WELL_KNOWN_TOKENS,
} from "../../catalogue/index.ts";
import { entities, listFields } from "../../catalogue/schemas.ts";
import { shortForms } from "../../client/index.ts";
import {
  ENTRY_NAMES,
  getFlag,
  getSetting,
  NODE_NAMES,
  partsOf,
  SETTING_NAMES,
  type SettingName,
} from "../../config/index.ts";
import { FAULT_FORMS } from "../../sandbox/index.ts";
import type { ArgumentNode, CommandNode, OptionNode } from "../docs/manual/command-tree.ts";
import { commandTree } from "../docs/manual/generate.ts";
import { TOPICS } from "../docs/manual/topics.ts";
import { sharesGlobalOption } from "../options/global-options.ts";
import { AliasRow, FileLocations, FindingRow, Login, NameRow, ProfileRow, SettingRow, ViewRow } from "../schemas.ts";
import { UsageResult } from "../usage/derived.ts";
import type { Candidate, CommandSpec, CompletionData, OptionSpec, ValueSet, ValueSource } from "./schema.ts";

/** Options whose values depend on the line or on the machine. */
const VALUE_SOURCES: Readonly<Record<string, ValueSource>> = {
  profile: "profiles",
  index: "indexes",
  fields: "fields",
  "sort-by": "sortKeys",
};

const FILE_PLACEHOLDER = /^(file|folder|directory)$/;

/** The output schemas of commands that are not endpoints, by command. */
const COMMAND_OUTPUTS: Readonly<Record<string, z.ZodType>> = {
  usage: UsageResult,
  doctor: FindingRow,
  "auth status": Login,
  "config list": SettingRow,
  "config profiles": ProfileRow,
  "config path": FileLocations,
  "names list": NameRow,
  "alias list": AliasRow,
  view: ViewRow,
};

const plainWords = (words: readonly string[]): readonly Candidate[] => words.map((word) => [word, ""]);

/** A list of distinct values, which are referred to by index. */
class UniqueList<T> {
  readonly all: T[] = [];
  readonly #indices = new Map<string, number>();

  add(value: T): number {
    const key = JSON.stringify(value);
    const index = this.#indices.get(key) ?? this.all.push(value) - 1;
    this.#indices.set(key, index);
    return index;
  }
}

/** Returns the completion data of the program. */
export function collectCompletionData(): CompletionData {
  const collector = new Collector();
  const tree = commandTree();
  const root = collector.command(tree);
  const apiEntities = Object.fromEntries(allEndpoints.map(({ returns }) => [returns.entity, entities[returns.entity]]));
  return {
    root,
    settings: collector.settings(tree.options),
    options: collector.options.all,
    values: collector.values.all,
    topics: topics(),
    fields: Object.fromEntries(
      Object.entries({ ...apiEntities, ...COMMAND_OUTPUTS }).map(([name, schema]) => [name, fieldCandidates(schema)]),
    ),
  };
}

class Collector {
  readonly options = new UniqueList<OptionSpec>();
  readonly values = new UniqueList<ValueSet>();

  command(node: CommandNode): CommandSpec {
    const endpoint = allEndpoints.find(({ route }) => route === node.endpoint);
    const isGroup =
      node.commands.length > 0 && node.options.every(({ hidden, long }) => hidden || UNIVERSAL_OPTIONS.has(long));
    const variadic = node.arguments.at(-1)?.variadic;
    const typed = node.path.slice(1).join(" ");
    const entity = endpoint?.returns.entity ?? (Object.hasOwn(COMMAND_OUTPUTS, typed) ? typed : undefined);
    return {
      name: node.name,
      description: node.summary,
      ...(node.aliases.length > 0 && { aliases: node.aliases }),
      ...(node.commands.length > 0 && { commands: node.commands.map((sub) => this.command(sub)) }),
      options: node.options.map((option) => this.options.add(this.option(option, endpoint, isGroup))),
      ...(node.arguments.length > 0 && {
        arguments: node.arguments.map((argument) => this.argument(node, argument, endpoint)),
      }),
      ...(variadic && { variadic }),
      ...(endpoint && variadic && { takesFile: true }),
      ...(entity && { entity }),
      ...(endpoint && { isEndpoint: true }),
      ...(endpoint && nodeSupportOf(endpoint).level === "none" && { noNode: true }),
    };
  }

  /** @param isGroup whether the command is a group: options of its subcommands are accepted before their names */
  option(node: OptionNode, endpoint: Endpoint | undefined, isGroup: boolean): OptionSpec {
    const { long, short, takesValue, hidden } = node;
    // A parameter with the name of a global option shares that option.
    const param = endpoint && !sharesGlobalOption(long.slice(2)) ? paramOf(endpoint, long) : undefined;
    const isRepeatable = param ? node.repeatable || param.positional : /\brepeat/.test(node.description);
    const isNegation = hidden && endpoint !== undefined && paramOf(endpoint, long.replace("--no-", "--")) !== undefined;
    const values = takesValue === "none" ? undefined : this.valuesOf(node, param);
    const offer = isNegation || param?.deprecated !== undefined ? "rare" : hidden && !isGroup ? "never" : undefined;
    return {
      long,
      ...(short && { short }),
      description: param?.description ?? node.description,
      ...(takesValue !== "none" && { takes: takesValue }),
      ...(values && { values: this.values.add(values) }),
      ...(isRepeatable && { repeatable: true }),
      ...(offer && { offer }),
    };
  }

  valuesOf({ long, placeholder = "", values = [] }: OptionNode, param: Param | undefined): ValueSet | undefined {
    if (param?.type === "address") return addresses(param);
    const source = VALUE_SOURCES[long.slice(2)] ?? (FILE_PLACEHOLDER.test(placeholder) ? "files" : undefined);
    if (param?.values) return { ...valuesOfParam(param), ...(source && { source }) };
    if (source) return { source };
    if (long === "--fault") return { candidates: plainWords(FAULT_FORMS) };
    return values.length > 0 ? { candidates: plainWords(values) } : undefined;
  }

  argument(node: CommandNode, { name, choices = [] }: ArgumentNode, endpoint?: Endpoint): number | null {
    const param = endpoint && positionalOf(endpoint)?.[1];
    const values =
      param?.type === "address" ? addresses(param) : ARGUMENT_VALUES[`${node.path.slice(1).join(" ")} ${name}`]?.();
    if (values) return this.values.add(values);
    return choices.length > 0
      ? this.values.add({ candidates: choices.map((word) => [word, settingDescription(word)]) })
      : null;
  }

  /** @param options the global options: a setting accepts the values of its option */
  settings(options: readonly OptionNode[]): Readonly<Record<string, number>> {
    const sets = ENTRY_NAMES.flatMap((entry): [string, ValueSet][] => {
      const words = Object.keys(partsOf(entry)).map((word): Candidate => [`${word}=`, ""]);
      const name = SETTING_NAMES.find((known) => known === entry);
      const option = name && options.find(({ long }) => long === getFlag(name));
      const own = option ? this.valuesOf(option, undefined) : name && settingValues(name);
      const candidates = [...(own?.candidates ?? []), ...words];
      if (own === undefined && words.length === 0) return [];
      return [[entry, words.length === 0 && own ? own : { ...own, candidates }]];
    });
    return Object.fromEntries(sets.map(([name, values]) => [name, this.values.add(values)]));
  }
}

const ARGUMENT_VALUES: Readonly<Record<string, () => ValueSet>> = {
  "config set value": () => ({ source: "setting" }),
  "explore anything": () => ({ source: "endpoints" }),
  "docs page": () => ({ source: "commands", candidates: [...topics(), ...pages()] }),
  "api path": () => ({ candidates: paths() }),
  "show anything": () => addresses({ arity: "one", accepts: "mint" }),
  "names remove name": () => ({ source: "addresses" }),
  "names rename name": () => ({ source: "addresses" }),
  "view name": () => ({ source: "views" }),
  "alias delete name": () => ({ source: "aliases" }),
  "names import file": () => ({ source: "files" }),
};

/** Returns what stands for an address: the user's names, and symbols of tokens, in lower case when nothing else matches. */
function addresses({ arity, accepts }: Pick<Param, "arity" | "accepts">): ValueSet {
  const names: ValueSet = { source: "addresses", ...(arity === "list" && { list: true }) };
  if (accepts === undefined) return names;
  const words = [...WELL_KNOWN_TOKENS.values()].map(({ symbol }) => symbol);
  return { ...names, candidates: plainWords(words), rare: plainWords(words.map((word) => word.toLowerCase())) };
}

function settingValues(name: SettingName): ValueSet | undefined {
  if (name === "rpc-url") return { candidates: plainWords(NODE_NAMES) };
  const { type, suggestions, values = suggestions } = getSetting(name);
  if (type === "path") return { source: "files" };
  return values && { candidates: plainWords(values) };
}

/** The options that the help of every command lists. */
const UNIVERSAL_OPTIONS: ReadonlySet<string> = new Set(["--help", "--help-all", "--version"]);

function paramOf(endpoint: Endpoint, long: string): Param | undefined {
  return Object.entries(endpoint.query).find(([name]) => `--${optionName(name)}` === long)?.[1];
}

/** Returns the values of a parameter: short forms first, the names of the API only when nothing else matches. */
function valuesOfParam(param: Param): ValueSet {
  const { arity, values = [], newer = [] } = param;
  const all = [...values, ...newer].map(String);
  const common = new Set(all.map(shortValue));
  const rare = all.filter((word) => shortValue(word) !== word);
  const abbreviations = rare
    .flatMap((word) => shortForms(word, param).map((form): Candidate => [form, shortValue(word)]))
    .filter(([form]) => !common.has(form));
  return {
    candidates: plainWords([...common]),
    ...(abbreviations.length > 0 && { abbreviations }),
    ...(rare.length > 0 && { rare: plainWords(rare) }),
    ...(arity === "list" && { list: true }),
  };
}

function settingDescription(word: string): string {
  const name = SETTING_NAMES.find((known) => known === word);
  return name === undefined ? "" : getSetting(name).description;
}

const topics = () => TOPICS.map(({ id, summary }): Candidate => [id, summary]);

const pages = () => allEndpoints.map(({ command, summary }): Candidate => [command.replaceAll(" ", "-"), summary]);

/** Returns the API paths without placeholders. */
function paths(): readonly Candidate[] {
  const plain = endpoints.filter(({ path }) => !path.includes("{"));
  return [...new Map(plain.map(({ path, summary }): Candidate => [path, summary]))];
}

const fieldCandidates = (schema: z.ZodType) =>
  listFields(schema).map(({ path, description }): Candidate => [path.replaceAll("[]", ""), description]);
