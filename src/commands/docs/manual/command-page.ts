/** The manual page of a command that is not an endpoint, or of a group of commands. */
import { allEndpoints } from "../../../catalogue/index.ts";
import { GLOBAL_OPTIONS } from "../../options/global-options.ts";
import type { ArgumentNode, CommandNode, OptionNode } from "./command-tree.ts";
import {
  aliasText,
  type ContentBlock,
  code,
  type Definition,
  examples,
  type ManualPage,
  section,
  sentence,
  terms,
  text,
  withoutEmptySections,
} from "./page.ts";

/** The options of every command, which pages leave out. */
const HELP_OPTIONS: readonly string[] = ["--help", "--help-all"];

/** Whether an option differs from the global one of that name, or is none. */
export const isLocal = ({ description }: OptionNode) =>
  !GLOBAL_OPTIONS.some((global) => global.description === description);

/** Returns the options of a command that its page lists. */
export const listedOptions = ({ options }: CommandNode): readonly OptionNode[] =>
  options.filter(({ hidden, long }) => !hidden && !HELP_OPTIONS.includes(long));

/** Returns the page id of a command: `auth-login`; `solx` for the program itself. */
const commandPageId = (path: readonly string[]): string => path.slice(1).join("-") || "solx";

/** Returns the page id of a command; two commands of the same endpoint share a page. */
function pageIdOf({ path, endpoint }: CommandNode): string {
  const command = allEndpoints.find(({ route }) => route === endpoint)?.command;
  return command?.replaceAll(" ", "-") ?? commandPageId(path);
}

/** Makes the page of a command. */
export function commandPage(node: CommandNode): ManualPage {
  const { path, aliases, commands } = node;
  const options = listedOptions(node);
  const [local, global] = [options.filter(isLocal), options.filter((option) => !isLocal(option))];
  return {
    id: commandPageId(path),
    kind: "command",
    title: path.join(" "),
    command: path.slice(1).join(" "),
    group: groupOf(node),
    summary: node.summary.replace(/\.$/, ""),
    aliases,
    sections: withoutEmptySections([
      section("Usage", code(node.usage), text(aliasText(aliases))),
      ...commandSections(commands),
      section("Arguments", terms(node.arguments.map(argumentDefinition))),
      section("Flags", terms(local.map(optionDefinition))),
      section("Global flags", text(inheritedFlagsText(global))),
      section("Details", ...detailBlocks(node.footer)),
      section("Examples", examples(node.examples)),
    ]),
    seeAlso: [...(path.length > 2 ? [commandPageId(path.slice(0, -1))] : []), "options"],
  };
}

/** Returns the details of a command: lines of prose, and indented ones as they are. */
function detailBlocks(details: string): readonly ContentBlock[] {
  const blocks = details.match(/(?:^ .*$\n?)+|^.+$/gm) ?? [];
  return blocks.map((block) => (block.startsWith(" ") ? code(block.trimEnd()) : text(block)));
}

/** Returns the sentence that lists the global flags of a command. */
export function inheritedFlagsText(options: readonly OptionNode[]): string {
  return options.length === 0 ? "" : `${options.map(({ long }) => long).join(", ")}. See [[options]].`;
}

function groupOf({ path, commands }: CommandNode): string {
  if (path[1] === "legacy") return "legacy";
  return commands.some(({ endpoint }) => endpoint !== undefined) && path.length > 1 ? (path[1] ?? "") : "commands";
}

/** Returns an argument as in the usage line. The identifier of an endpoint is required, but its flag may give it. */
export function argumentTerm({ name, required, variadic }: ArgumentNode, isEndpoint = false): string {
  const dots = variadic ? "..." : "";
  return required || isEndpoint ? `<${name}>${dots}` : `[${name}]${dots}`;
}

function argumentDefinition(argument: ArgumentNode): Definition {
  const { description, choices = [] } = argument;
  return [argumentTerm(argument), withValues(sentence(description, choices), choices)];
}

/** Returns an option with its description; values are listed unless the description does so. */
function optionDefinition({ flags, description, values = [] }: OptionNode): Definition {
  const unlisted = values.filter((value) => !flags.includes(value));
  return [flags, withValues(sentence(description, values), unlisted)];
}

function withValues(text: string, values: readonly string[]): string {
  return values.every((value) => text.includes(value)) ? text : `${text} One of: ${values.join(", ")}.`;
}

function commandSections(commands: readonly CommandNode[]) {
  return [...Map.groupBy(commands, ({ group }) => group)].map(([group, members]) =>
    section(
      group === "" ? "Commands" : group.replace(/:$/, ""),
      terms(members.map((node): Definition => [`[[${pageIdOf(node)}]]`, sentence(node.summary)])),
    ),
  );
}
