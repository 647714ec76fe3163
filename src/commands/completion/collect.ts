/** Gathers what completion knows from the real commands, the catalogue and the settings: done when the program is built. */
import type * as z from "zod";
import { optionName } from "../../catalogue/command-line.ts";
import type { Endpoint } from "../../catalogue/endpoint.ts";
import * as entities from "../../catalogue/entities/index.ts";
import { listFields } from "../../catalogue/fields.ts";
import { endpoints } from "../../catalogue/index.ts";
import type { Param } from "../../catalogue/param.ts";
import { shortForms } from "../../client/request/wire-values.ts";
import { flagOf, type SettingName, settingNames, settingOf } from "../../config/settings.ts";
import { FAULT_FORMS } from "../../sandbox/service/fault-help.ts";
import { FileLocations, Login, ProfileRow, SettingRow } from "../config/schemas.ts";
import type { ArgumentNode, CommandNode, OptionNode } from "../docs/manual/command-tree.ts";
import { commandTree } from "../docs/manual/generate.ts";
import { TOPICS } from "../docs/manual/topics.ts";
import { FindingRow } from "../doctor/view.ts";
import { GLOBAL_NAMES } from "../options/global-options.ts";
import { shortWord } from "../run/help.ts";
import { UsageView } from "../usage/derived.ts";
import type {
  Candidate,
  CommandSpec,
  CompletionData,
  FieldCandidate,
  OptionSpec,
  ValueSet,
  ValueSource,
} from "./schema.ts";

/** Options whose values only the line or the machine can tell, whatever command has them. */
const VALUE_SOURCES: Readonly<Record<string, ValueSource>> = {
  profile: "profiles",
  fields: "fields",
  columns: "columns",
};

/** What stands for the value of an option in help when it is the name of a file. */
const FILE = /^(file|folder|directory)$/;

const schemas: Readonly<Record<Endpoint["returns"]["entity"], z.ZodType>> = entities;

/** What commands of solx itself answer with, by how they are typed. */
const COMMAND_OUTPUTS: Readonly<Record<string, z.ZodType>> = {
  usage: UsageView,
  doctor: FindingRow,
  "auth status": Login,
  "config list": SettingRow,
  "config profiles": ProfileRow,
  "config path": FileLocations,
};

/** Things once each, by their place in a list. */
class UniqueList<T> {
  readonly all: T[] = [];
  readonly #places = new Map<string, number>();

  add(value: T): number {
    const key = JSON.stringify(value);
    const place = this.#places.get(key) ?? this.all.push(value) - 1;
    this.#places.set(key, place);
    return place;
  }
}

/** Everything that completion knows. */
export function collectCompletionData(): CompletionData {
  const collector = new Collector();
  const tree = commandTree();
  const root = collector.command(tree);
  const ofApi = Object.fromEntries(endpoints.map(({ returns }) => [returns.entity, schemas[returns.entity]]));
  return {
    root,
    settings: collector.settings(tree.options),
    options: collector.options.all,
    values: collector.values.all,
    topics: topics(),
    fields: Object.fromEntries(
      Object.entries({ ...ofApi, ...COMMAND_OUTPUTS }).map(([name, schema]) => [name, nested(schema)]),
    ),
  };
}

class Collector {
  readonly options = new UniqueList<OptionSpec>();
  readonly values = new UniqueList<ValueSet>();

  command(node: CommandNode): CommandSpec {
    const endpoint = endpoints.find(({ route }) => route === node.endpoint);
    const leadsOn = node.commands.length > 0 && node.options.every(({ hidden, long }) => hidden || ALWAYS.has(long));
    const variadic = node.arguments.at(-1)?.variadic;
    const typed = node.path.slice(1).join(" ");
    const entity = endpoint?.returns.entity ?? (Object.hasOwn(COMMAND_OUTPUTS, typed) ? typed : undefined);
    return {
      name: node.name,
      description: node.summary,
      ...(node.aliases.length > 0 && { aliases: node.aliases }),
      ...(node.commands.length > 0 && { commands: node.commands.map((sub) => this.command(sub)) }),
      options: node.options.map((option) => this.options.add(this.option(option, endpoint, leadsOn))),
      ...(node.arguments.length > 0 && { arguments: node.arguments.map((argument) => this.argument(node, argument)) }),
      ...(variadic && { variadic }),
      ...(endpoint && variadic && { takesFile: true }),
      ...(entity && { entity }),
      ...(endpoint && { isEndpoint: true }),
    };
  }

  /** @param leadsOn whether it belongs to a command that others follow: what these take may be given there already */
  option(node: OptionNode, endpoint: Endpoint | undefined, leadsOn: boolean): OptionSpec {
    const { long, short, takesValue, hidden } = node;
    // A parameter that is called like an option of every command is no option of its own.
    const param = endpoint && !GLOBAL_NAMES.has(long) ? paramOf(endpoint, long) : undefined;
    const isRepeated = param ? param.arity === "list" || param.positional : /repeat it/.test(node.description);
    const isOpposite = hidden && endpoint !== undefined && paramOf(endpoint, long.replace("--no-", "--")) !== undefined;
    const values = takesValue === "none" ? undefined : this.valuesOf(node, param);
    const offer = isOpposite || param?.deprecated !== undefined ? "rare" : hidden && !leadsOn ? "never" : undefined;
    return {
      long,
      ...(short && { short }),
      description: param?.description ?? node.description,
      ...(takesValue !== "none" && { takes: takesValue }),
      ...(values && { values: this.values.add(values) }),
      ...(isRepeated && { repeatable: true }),
      ...(offer && { offer }),
    };
  }

  valuesOf({ long, placeholder = "", values = [] }: OptionNode, param: Param | undefined): ValueSet | undefined {
    if (param?.values) return valuesOfParam(param);
    const from = VALUE_SOURCES[long.slice(2)] ?? (FILE.test(placeholder) ? "files" : undefined);
    if (from) return { source: from };
    if (long === "--fault") return faults();
    return values.length > 0 ? { candidates: values.map((word) => [word, ""]) } : undefined;
  }

  argument(node: CommandNode, { name, choices = [] }: ArgumentNode): number | null {
    const known = ARGUMENTS[`${node.path.slice(1).join(" ")} ${name}`]?.();
    if (known) return this.values.add(known);
    return choices.length > 0 ? this.values.add({ candidates: choices.map((word) => [word, aboutWord(word)]) }) : null;
  }

  /** @param options those that every command takes: the value of a setting is what its option takes */
  settings(options: readonly OptionNode[]): Readonly<Record<string, number>> {
    const known = settingNames.flatMap((name): [string, ValueSet][] => {
      const option = options.find(({ long }) => long === flagOf(name));
      const values = name === "sandbox-faults" ? faults() : option ? this.valuesOf(option, undefined) : wordsOf(name);
      return values ? [[name, values]] : [];
    });
    return Object.fromEntries(known.map(([name, values]) => [name, this.values.add(values)]));
  }
}

/** The arguments of commands whose words are known from elsewhere. */
const ARGUMENTS: Readonly<Record<string, () => ValueSet>> = {
  "config set value": () => ({ source: "setting" }),
  "explore anything": () => ({ source: "endpoints" }),
  "docs page": () => ({ source: "commands", candidates: [...topics(), ...pages()] }),
  "api path": () => ({ candidates: paths() }),
};

/** What can go wrong in the sandbox. */
const faults = (): ValueSet => ({ candidates: FAULT_FORMS.map((word) => [word, ""]) });

function wordsOf(name: SettingName): ValueSet | undefined {
  const { values } = settingOf(name);
  return values && { candidates: values.map((word) => [word, ""]) };
}

/** The options that help shows for every command. */
const ALWAYS: ReadonlySet<string> = new Set(["--help", "--version"]);

function paramOf(endpoint: Endpoint, long: string): Param | undefined {
  return Object.entries(endpoint.query).find(([name]) => `--${optionName(name)}` === long)?.[1];
}

/** The words of a parameter as they are easiest typed, and as the API has them. */
function valuesOfParam(param: Param): ValueSet {
  const { arity, values = [], newer = [] } = param;
  const own = [...values, ...newer].map(String);
  const usual = new Set(own.map(shortWord));
  const rare = own.filter((word) => shortWord(word) !== word).map((word): Candidate => [word, ""]);
  const also = own
    .filter((word) => shortWord(word) !== word)
    .flatMap((word) => shortForms(word, param).map((form): Candidate => [form, shortWord(word)]))
    .filter(([form]) => !usual.has(form));
  return {
    candidates: [...usual].map((word) => [word, ""]),
    ...(also.length > 0 && { abbreviations: also }),
    ...(rare.length > 0 && { rare }),
    ...(arity === "list" && { list: true }),
  };
}

/** What a word is for, where it is the name of a setting. */
function aboutWord(word: string): string {
  const name = settingNames.find((known) => known === word);
  return name === undefined ? "" : settingOf(name).description;
}

const topics = () => TOPICS.map(({ id, summary }): Candidate => [id, summary]);

/** The pages of endpoints by their names. */
const pages = () => endpoints.map(({ command, summary }): Candidate => [command.replaceAll(" ", "-"), summary]);

/** The paths of the API that have no value in them. */
function paths(): readonly Candidate[] {
  const plain = endpoints.filter(({ path }) => !path.includes("{"));
  return [...new Map(plain.map(({ path, summary }): Candidate => [path, summary]))];
}

/** The fields of an answer inside one another. */
function nested(schema: z.ZodType): readonly FieldCandidate[] {
  const fields = listFields(schema).map(({ path, description }) => ({
    path: path.replaceAll("[]", ""),
    description,
  }));
  const level = (parent: string): readonly FieldCandidate[] =>
    fields.flatMap(({ path, description }): FieldCandidate[] => {
      const isHere = path.startsWith(parent) && !path.slice(parent.length).includes(".");
      if (!isHere) return [];
      const inside = level(`${path}.`);
      const name = path.slice(parent.length);
      return [inside.length > 0 ? [name, description, inside] : [name, description]];
    });
  return level("");
}
