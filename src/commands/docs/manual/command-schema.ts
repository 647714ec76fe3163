/** `--help -o json`: a command, or all commands of a group or of the program, as data for other programs. */
import type { Command } from "commander";
import { EXIT_MEANINGS, ExitCode, type ExitName } from "../../../base/index.ts";
import { allEndpoints, type Endpoint } from "../../../catalogue/index.ts";
import { entities, listFields } from "../../../catalogue/schemas.ts";
import { isLocal } from "./command-page.ts";
import { allCommands, buildNode, type CommandNode, type OptionNode } from "./command-tree.ts";

interface CommandSchema {
  /** As typed: `solx token meta`. */
  readonly command: string;
  readonly summary: string;
  readonly usage: string;
  readonly aliases: readonly string[];
  readonly arguments: CommandNode["arguments"];
  readonly options: readonly object[];
  /** The names of the global options that apply to it; they are described once, in `global_options`. */
  readonly accepts: readonly string[];
  readonly examples: readonly { readonly about: string; readonly command: string }[];
  readonly endpoint?: object;
  /** The structure of the answer; the fields of its entity are in `entities`. */
  readonly output?: Endpoint["returns"];
  readonly commands: readonly CommandSchema[];
}

const exitNames = Object.keys(ExitCode) as readonly ExitName[];

/** Returns a command and its subcommands, with the global options, fields and exit codes that they refer to. */
export function commandSchema(command: Command) {
  const node = buildNode(command);
  const nodes = allCommands(node);
  const globals = nodes.flatMap(({ options }) => options.filter(isGlobal));
  const names = new Set(nodes.flatMap((one) => endpointOf(one)?.returns.entity ?? []));
  return {
    ...describeCommand(node),
    global_options: Object.fromEntries(globals.map((option) => [option.long, optionSchema(option)])),
    entities: Object.fromEntries([...names].map((name) => [name, listFields(entities[name])])),
    exit_codes: Object.fromEntries(exitNames.map((name) => [ExitCode[name], EXIT_MEANINGS[name].join(" ").trim()])),
  };
}

/** Options that help leaves out are accepted, but not described. */
const isGlobal = (option: OptionNode) => !option.hidden && !isLocal(option);
const isDescribed = (option: OptionNode) => !option.hidden && isLocal(option);

const endpointOf = ({ endpoint }: CommandNode) => allEndpoints.find(({ route }) => route === endpoint);

function describeCommand(node: CommandNode): CommandSchema {
  const { path, summary, usage, aliases, options, examples, commands } = node;
  const endpoint = endpointOf(node);
  return {
    command: path.join(" "),
    summary,
    usage,
    aliases,
    arguments: node.arguments,
    options: options.filter(isDescribed).map(optionSchema),
    accepts: options.filter(isGlobal).map(({ long }) => long),
    examples: examples.map(([about, line]) => ({ about, command: line })),
    ...(endpoint && { endpoint: describeRequest(endpoint), output: endpoint.returns }),
    commands: commands.map(describeCommand),
  };
}

function describeRequest({ route, family, method, path, paging, cost, since }: Endpoint) {
  return { route, family, method, path, paging, cost, since };
}

function optionSchema({ hidden: _hidden, takesValue, type = "string", ...option }: OptionNode): object {
  return { ...option, type: takesValue === "none" ? "boolean" : type, value: takesValue };
}
