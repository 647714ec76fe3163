/** The page of a command of solx itself, or of a group of commands. */
import { endpoints } from "../../../catalogue/index.ts";
import { GLOBAL_OPTIONS } from "../../options/global-options.ts";
import type { ArgumentNode, CommandNode, OptionNode } from "./command-tree.ts";
import { code, examples, filled, type Page, section, type Term, terms, text } from "./page.ts";

/** The heading of options that have none of their own. */
const OWN = "Options:";

/** Whether an option is not one that every command takes: another name, or other words for what it does here. */
const isOwn = ({ description }: OptionNode) => !GLOBAL_OPTIONS.some(([, , words]) => words === description);

/** The name of the page of a command: `auth-login`; `solx` for the program itself. */
export const commandPageId = (path: readonly string[]): string => path.slice(1).join("-") || "solx";

/** The name of the page that tells of a command: there is one for an endpoint, however many ways lead to it. */
function pageIdOf({ path, endpoint }: CommandNode): string {
  const command = endpoints.find(({ route }) => route === endpoint)?.command;
  return command?.replaceAll(" ", "-") ?? commandPageId(path);
}

/** The page of a command. */
export function commandPage(node: CommandNode): Page {
  const { path, aliases, commands } = node;
  const shown = node.options.filter(({ hidden }) => !hidden);
  const own = shown.filter(isOwn);
  return {
    id: commandPageId(path),
    kind: "command",
    title: path.join(" "),
    command: path.slice(1).join(" "),
    group: groupOf(node),
    summary: node.summary.replace(/\.$/, ""),
    aliases,
    sections: filled([
      section("Command", code(usage(node)), text(otherNames(aliases))),
      section("Arguments", terms(["argument", "what it is"], node.arguments.map(argumentTerm))),
      section("Options", terms(["option", "what it does"], own.map(optionTerm))),
      ...commandSections(commands),
      section("Options of every command", text(othersText(shown.filter((option) => !isOwn(option))))),
      section("Examples", examples(node.examples)),
      section("More", code(node.more)),
    ]),
    see: [...(path.length > 2 ? [commandPageId(path.slice(0, -1))] : []), "options"],
  };
}

/** What the options of a command are, where it has them from the program. */
export function othersText(options: readonly OptionNode[]): string {
  return options.length === 0
    ? ""
    : `These do something here: ${options.map(({ long }) => long).join(", ")}. What they do: [[options]].`;
}

function groupOf({ path, commands }: CommandNode): string {
  if (path[1] === "legacy") return "older families";
  return commands.some(({ endpoint }) => endpoint !== undefined) && path.length > 1 ? (path[1] ?? "") : "solx itself";
}

function usage({ path, arguments: args, commands, options }: CommandNode): string {
  // A group that does something itself has options of its own.
  const isAble = path.length > 1 && options.some(({ group, long }) => group === OWN && long !== "--help");
  const command = isAble ? "[command]" : "<command>";
  const words = args.map(({ name, required, variadic }) => {
    const dots = variadic ? "..." : "";
    return required ? `<${name}${dots}>` : `[${name}${dots}]`;
  });
  return [...path, ...words, commands.length > 0 && words.length === 0 ? command : "", "[options]"]
    .filter(Boolean)
    .join(" ");
}

function otherNames(aliases: readonly string[]): string {
  return aliases.length === 0 ? "" : `Its other names: ${aliases.map((alias) => `\`${alias}\``).join(", ")}.`;
}

function argumentTerm({ name, description, choices, variadic }: ArgumentNode): Term {
  return [
    variadic ? `${name}...` : name,
    `${capital(description)}.${choices ? ` One of: ${choices.join(", ")}.` : ""}`,
  ];
}

/** An option as a term, its choices named where its text does not. */
export function optionTerm({ flags, description, values }: OptionNode): Term {
  const isNamed = values?.every((value) => description.includes(value)) ?? true;
  return [flags, `${capital(description)}.${isNamed ? "" : ` One of: ${values?.join(", ")}.`}`];
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1).replace(/\.$/, "");

/** The commands in a command, under the headings of its help. */
function commandSections(commands: readonly CommandNode[]) {
  return [...Map.groupBy(commands, ({ group }) => group)].map(([group, members]) =>
    section(
      group === "" ? "Commands" : group.replace(/:$/, ""),
      terms(
        ["command", "what it does"],
        members.map((node): Term => [`[[${pageIdOf(node)}]]`, node.summary]),
      ),
    ),
  );
}
