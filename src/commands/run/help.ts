/** The text of `--help`: usage, description, arguments, flags, then examples. `--help-all` has every flag. */
import type { Argument, Command, Help, Option } from "commander";
import type { TextMap } from "../../config/index.ts";
import { safeText } from "../../output/index.ts";
import { choicesOf, definitionOfOption, GENERAL } from "../options/option.ts";
import { commandPath, definitionOf, type Example, examplesOf } from "./command-definition.ts";

/** The widest term whose description stays in the column. */
const MAX_TERM_WIDTH = 32;
/** The widest help, also on wider terminals. */
const MAX_WIDTH = 100;
/** Examples in the help of one screen. */
const SHORT_EXAMPLES = 3;

type Row = readonly [term: string, description: string];

/** Returns examples as commands that can be pasted, each below a comment. */
export function exampleText(examples: readonly Example[]): string {
  return examples.map(([about, command]) => `  # ${about}\n  $ ${command}`).join("\n");
}

/** What the help of a run contains. */
export interface HelpOptions {
  /** Whether all flags and details are included, not only the most used. */
  readonly isComplete: boolean;
  /** The user's aliases, in the help of the program. */
  readonly aliases: () => TextMap;
}

/** Returns the help of a command. */
export function formatHelp(command: Command, helper: Help, { isComplete, aliases }: HelpOptions): string {
  const definition = definitionOf(command);
  const isProgram = command.parent === null;
  const format = rowFormatter(helper);
  const examples = definition ? examplesOf(definition) : [];
  const details = isComplete || isProgram ? definition?.details : undefined;
  const sections = [
    `${command.description().replace(/\.$/, "")}.`,
    `Usage: ${usageLine(command)}`,
    command.aliases().length > 0 ? `Aliases: ${command.aliases().join(", ")}` : "",
    section(
      "Arguments:",
      command.registeredArguments.filter(({ description }) => description).map(argumentRow),
      format,
    ),
    ...commandSections(command, helper, format),
    isProgram ? section("Your aliases:", aliasRows(aliases()), format) : "",
    ...(isComplete ? completeFlags(command, helper, format) : [shortFlags(command, helper, format)]),
    definition?.footnote ?? "",
    environmentText(command, helper, isComplete, format),
    details ?? "",
    examples.length > 0
      ? `Examples:\n${exampleText(isComplete || isProgram ? examples : examples.slice(0, SHORT_EXAMPLES))}`
      : "",
    isProgram ? "Flags for all commands: solx help options" : "",
  ];
  return `${sections.filter((text) => text !== "").join("\n\n")}\n`;
}

/** Returns the usage line of a command: `solx account transfer <address>... [flags]`. */
function usageLine(command: Command): string {
  const definition = definitionOf(command);
  const args = command.registeredArguments.map((argument) => {
    const dots = argument.variadic ? "..." : "";
    // The identifier of an endpoint is required, but may also be given by its flag.
    const isRequired = argument.required || definition?.endpoint !== undefined;
    return isRequired ? `<${argument.name()}>${dots}` : `[${argument.name()}]${dots}`;
  });
  const subcommand = command.commands.length === 0 ? [] : [definition?.run ? "[command]" : "<command>"];
  return [commandPath(command), ...args, ...subcommand, "[flags]"].join(" ");
}

const aliasRows = (aliases: TextMap) => [...aliases].map(([name, line]): Row => [name, safeText(line)]);

function argumentRow(argument: Argument): Row {
  return [argument.name(), decapitalize(argument.description)];
}

function commandSections(command: Command, helper: Help, format: (row: Row, width: number) => string): string[] {
  const groups = Map.groupBy(helper.visibleCommands(command), (sub) => sub.helpGroup() || "Commands:");
  const rows = (subs: readonly Command[]) => subs.map((sub): Row => [sub.name(), sub.description()]);
  const width = Math.max(...helper.visibleCommands(command).map((sub) => sub.name().length), 0);
  return [...groups].map(([heading, subs]) => section(heading, rows(subs), format, width));
}

/** The variables that matter to a command, and where the others are described. */
function environmentText(
  command: Command,
  helper: Help,
  isComplete: boolean,
  format: (row: Row, width: number) => string,
): string {
  const topic = "solx help environment";
  const variables = helper
    .visibleOptions(command)
    .flatMap((option): readonly (readonly [string, boolean, string])[] => {
      const { env, isRare = false, prefersEnv = false } = definitionOfOption(option) ?? {};
      return env === undefined ? [] : [[env, prefersEnv || !isRare, `same as ${option.long}`]];
    });
  if (variables.length === 0) return `Environment variables: ${topic}`;
  if (isComplete) {
    const rows = variables.map(([name, , about]): Row => [name, about]);
    return section("Environment:", [...rows, ["others", `see ${topic}`]], format);
  }
  const names = variables.flatMap(([name, isCommon]) => (isCommon ? [name] : []));
  return `Environment: ${names.join(", ")}; see ${topic}`;
}

/** The most used flags: those of the command, then those of every command that matter most here. */
function shortFlags(command: Command, helper: Help, format: (row: Row, width: number) => string): string {
  if (command.parent === null) return "";
  const visible = helper.visibleOptions(command);
  const flags = visible.filter(({ long }) => long !== "--help" && long !== "--help-all");
  if (flags.length === 0) return "";
  const options = flags.filter((option) => definitionOfOption(option)?.isRare !== true);
  const rows = options.map((option): Row => {
    const { summary = option.description, shortFlags = flagTerm(option) } = definitionOfOption(option) ?? {};
    return [shortFlags, decapitalize(summary)];
  });
  return section(
    "Flags:",
    [...mergeTimes([...new Map(rows)]), ["--help-all", `show all ${visible.length} flags`]],
    format,
  );
}

function completeFlags(command: Command, helper: Help, format: (row: Row, width: number) => string): string[] {
  const groups = Map.groupBy(helper.visibleOptions(command), (option) => option.helpGroupHeading ?? "Flags:");
  const rows = (options: readonly Option[]) =>
    options.map((option): Row => [flagTerm(option), decapitalize(option.description)]);
  const headings = [...groups.keys()].filter((heading) => heading !== GENERAL);
  return [...headings, GENERAL].map((heading) => section(heading, rows(groups.get(heading) ?? []), format));
}

/** Shows the two ends of a time range in one row. */
function mergeTimes(rows: readonly Row[]): readonly Row[] {
  const has = (flag: string) => rows.some(([term]) => term.startsWith(`${flag} `));
  if (!has("--from-time") || !has("--to-time")) return rows;
  return rows.flatMap((row): Row[] => {
    if (row[0].startsWith("--to-time ")) return [];
    if (!row[0].startsWith("--from-time ")) return [row];
    return [["--from-time, --to-time", "time range, e.g. 7d, yesterday, 2024-07-05"]];
  });
}

/** The flags of an option; a few accepted values are listed as they are typed: `--flow in|out`. */
function flagTerm(option: Option): string {
  const { flags } = option;
  return choicesOf(option) === undefined ? flags : flags.replace(/<([^<>]*\|[^<>]*)>/, "$1");
}

/** Lower-cases the first letter, but not that of a name or an acronym. */
function decapitalize(text: string): string {
  const word = /^[A-Za-z]+/.exec(text)?.[0] ?? "";
  const isName = /[A-Z]/.test(word.slice(1)) || ["Solana", "Unix", "Redis"].includes(word) || word.length === 1;
  return isName && word !== "A" ? text : text.charAt(0).toLowerCase() + text.slice(1);
}

function section(
  heading: string,
  rows: readonly Row[],
  format: (row: Row, width: number) => string,
  width = Math.max(...rows.map(([term]) => term.length), 0),
): string {
  if (rows.length === 0) return "";
  return [heading, ...rows.map((row) => format(row, Math.min(width, MAX_TERM_WIDTH)))].join("\n");
}

function rowFormatter(helper: Help): (row: Row, width: number) => string {
  const helpWidth = Math.min(helper.helpWidth ?? 80, MAX_WIDTH);
  return ([term, description], width) => {
    const indent = width + 4;
    const lines = helper.boxWrap(description, Math.max(helper.minWidthToWrap, helpWidth - indent)).split("\n");
    const first = term.length <= width ? `  ${term.padEnd(width)}  ${lines.shift() ?? ""}` : `  ${term}`;
    return [first, ...lines.map((line) => " ".repeat(indent) + line)].join("\n").replace(/ +$/gm, "");
  };
}
