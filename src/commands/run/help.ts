/** The text of `--help`: description, usage, examples, arguments, flags. `--help-all` has every flag of the command. */
import type { Argument, Command, Help, Option } from "commander";
import type { TextMap } from "../../config/index.ts";
import { safeText } from "../../output/index.ts";
import { isGlobalOption } from "../options/global-options.ts";
import { choicesOf, definitionOfOption, GENERAL } from "../options/option.ts";
import { commandPath, definitionOf, type Example, examplesOf, OTHER_COMMANDS } from "./command-definition.ts";

/** The widest help, also on wider terminals. */
export const HELP_WIDTH = 100;
const SHORT_EXAMPLES = 3;

type Row = readonly [term: string, description: string];

/** The widest term whose description stays in the column, and the narrowest column of descriptions. */
const MAX_TERM_WIDTH = 32;
const MIN_DESCRIPTION_WIDTH = 40;

/** Returns terms in one column and their descriptions in the other; on narrow terminals, below the terms. */
export function definitionList(
  rows: readonly Row[],
  width: number,
  widest = Math.max(0, ...rows.map(([term]) => term.length)),
): string {
  const column = Math.min(widest, MAX_TERM_WIDTH);
  const isBeside = width - column - 4 >= MIN_DESCRIPTION_WIDTH;
  const indent = " ".repeat(isBeside ? column + 4 : 6);
  return rows
    .map(([term, description]) => {
      const text = indentText(description, width, indent);
      if (isBeside && term.length <= column) return `  ${term.padEnd(column)}  ${text.slice(indent.length)}`.trimEnd();
      return `  ${term}${text && `\n${text}`}`;
    })
    .join("\n");
}

const MAX_LINE = 100_000;

/** Wraps a text between words, with an indentation. @param first what the first line has in its place, as wide */
export function indentText(text: string, width: number, indent: string, first = indent): string {
  // Without a terminal, the width is unlimited.
  const inner = Math.min(Math.max(0, width - indent.length - 2), MAX_LINE);
  const lines = text.match(new RegExp(`\\S(?:.{0,${inner}}\\S)?(?=\\s|$)|\\S+`, "g")) ?? [];
  return lines.map((line, at) => (at === 0 ? first : indent) + line).join("\n");
}

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
  const examples = definition ? examplesOf(definition) : [];
  const details = isComplete || isProgram ? definition?.details : undefined;
  const flags = isComplete ? completeFlags(command, helper) : [shortFlags(command, helper)];
  const shownExamples = isComplete || isProgram ? examples : shortExamples(examples, flags.join());
  const sections = [
    `${command.description().replace(/\.$/, "")}.`,
    `Usage: ${usageLine(command)}`,
    command.aliases().length > 0 ? `Aliases: ${command.aliases().join(", ")}` : "",
    shownExamples.length > 0 ? `Examples:\n${exampleText(shownExamples)}` : "",
    section(
      "Arguments:",
      command.registeredArguments.filter(({ description }) => description).map(argumentRow),
      helper,
    ),
    isProgram ? taskText(command, helper) : commandText(command, helper),
    isProgram ? section("Your aliases:", aliasRows(aliases()), helper) : "",
    ...flags,
    definition?.footnote ?? "",
    isProgram ? "" : environmentText(command, helper, isComplete),
    details ?? "",
  ];
  return `${wrapProse(sections.filter((text) => text !== "").join("\n\n"), helper)}\n`;
}

/** Returns the first examples with flags that the help of one screen shows; without any, the first ones. */
function shortExamples(examples: readonly Example[], flags: string): readonly Example[] {
  const shown = examples.filter(([, line]) =>
    (line.match(/(?<=\s)--?[a-z][a-z-]*/g) ?? []).every((flag) => flags.includes(flag)),
  );
  return (shown.length === 0 ? examples : shown).slice(0, SHORT_EXAMPLES);
}

/** Returns the usage line of a command: `solx account transfer <address>... [flags]`. */
export function usageLine(command: Command): string {
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

/** Returns the subcommands of a group; those that are folded into another one can still be called. */
function commandText(command: Command, helper: Help): string {
  const subs = helper.visibleCommands(command).filter((sub) => definitionOf(sub)?.isFolded !== true);
  return section(
    "Commands:",
    subs.map((sub): Row => [sub.name(), sub.description()]),
    helper,
  );
}

/** Returns the commands of the program by task; those of the last one by name only. */
function taskText(program: Command, helper: Help): string {
  const { [OTHER_COMMANDS]: others = [], ...tasks } = Object.fromEntries(
    Map.groupBy(program.commands, (sub) => sub.helpGroup()),
  );
  const width = Math.max(...program.commands.map((sub) => sub.name().length));
  const rows = (subs: readonly Command[]) => subs.map((sub): Row => [sub.name(), sub.description()]);
  const names = others.filter((sub) => !definitionOf(sub)?.isFolded).map((sub) => sub.name());
  return [
    ...Object.entries(tasks).map(([task, subs]) => section(task, rows(subs), helper, width)),
    OTHER_COMMANDS,
    indentText(names.join(", "), helpWidthOf(helper), "  "),
  ].join("\n");
}

/** The variables that matter to a command, and where the others are described. */
function environmentText(command: Command, helper: Help, isComplete: boolean): string {
  const topic = "solx help environment";
  const variables = ownOptions(command, helper).flatMap((option): readonly (readonly [string, boolean, string])[] => {
    const { env, isRare = false } = definitionOfOption(option) ?? {};
    return env === undefined ? [] : [[env, !isRare, `same as ${option.long}`]];
  });
  if (variables.length === 0) return `Environment variables: ${topic}`;
  if (isComplete) {
    const rows = variables.map(([name, , about]): Row => [name, about]);
    return section("Environment:", [...rows, ["others", `see ${topic}`]], helper);
  }
  const names = variables.flatMap(([name, isCommon]) => (isCommon ? [name] : []));
  return `Environment: ${names.join(", ")}; see ${topic}`;
}

/** Flags in the help of one screen, and how many of them are the command's own. */
const MAX_SHORT_FLAGS = 15;
const MAX_OWN_FLAGS = 9;
/** Flags of every command in the help of one screen, the most used first. */
const SHARED_FLAGS = [
  ...["--limit", "--all", "--sort-by", "--output", "--fields", "--jq", "--out"],
  ...["--follow", "--sandbox", "--rpc", "--interactive"],
];
/** Flags that are left out first where a command has many. */
const SECONDARY_FLAG = /^--(exclude|sort|no)-/;

/** The most used flags: those of the command, then those of every command that matter most here. */
function shortFlags(command: Command, helper: Help): string {
  if (command.parent === null) return "";
  const flags = ownOptions(command, helper).filter(({ long }) => long !== "--help-all");
  if (flags.length === 0) return "";
  const common = flags.filter((option) => !definitionOfOption(option)?.isRare && choicesOf(option)?.length !== 1);
  const own = common.filter((option) => !isGlobal(option));
  const shared = SHARED_FLAGS.flatMap((long) => common.filter((option) => isGlobal(option) && option.long === long));
  const isSecondary = ({ long }: Option) => SECONDARY_FLAG.test(long ?? "");
  const ordered = own.toSorted((a, b) => Number(isSecondary(a)) - Number(isSecondary(b)));
  const first = mergeTimes(flagRows(ordered, true)).slice(0, MAX_OWN_FLAGS);
  const rows = [...first, ...flagRows(shared, true)].slice(0, MAX_SHORT_FLAGS);
  return section("Flags:", [...rows, ["--help-all", "show all flags"]], helper);
}

/** Returns the rows of options, one for those that share a pattern; the help of one screen has short descriptions. */
function flagRows(options: readonly Option[], isShort: boolean): readonly Row[] {
  const rows = options.map((option): Row => {
    const { shortFlags, summary = option.description } = definitionOfOption(option) ?? {};
    const description = isShort || shortFlags ? summary : option.description;
    return [shortFlags ?? flagTerm(option), decapitalize(description)];
  });
  return [...new Map(rows)];
}

/** Returns whether an option is one of those that every command accepts. */
const isGlobal = (option: Option): boolean => option.long !== undefined && isGlobalOption(option.long);

function completeFlags(command: Command, helper: Help): string[] {
  const groups = Map.groupBy(ownOptions(command, helper), (option) => option.helpGroupHeading ?? "Flags:");
  const headings = [...groups.keys()].filter((heading) => heading !== GENERAL);
  return [
    ...[...headings, GENERAL].map((heading) => section(heading, flagRows(groups.get(heading) ?? [], false), helper)),
    INHERITED_FLAGS,
  ];
}

/** The end of the complete help: the flags that most commands have are described once. */
const INHERITED_FLAGS = "Flags of all commands: solx help options";

/** Returns the options that the help of a command describes: not those of most commands. */
function ownOptions(command: Command, helper: Help): readonly Option[] {
  return helper
    .visibleOptions(command)
    .filter((option) => option.long !== "--help" && definitionOfOption(option)?.isInherited !== true);
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

/** Wraps lines of prose; indented ones are commands and tables, which stay as they are. */
function wrapProse(text: string, helper: Help): string {
  const wrapLine = (line: string) => {
    const [bullet = ""] = /^- |^/.exec(line) ?? [];
    return line.startsWith(" ") || line === ""
      ? line
      : indentText(line.slice(bullet.length), helpWidthOf(helper), " ".repeat(bullet.length), bullet);
  };
  return text.split("\n").map(wrapLine).join("\n");
}

const helpWidthOf = (helper: Help): number => Math.min(helper.helpWidth ?? 80, HELP_WIDTH);

function section(heading: string, rows: readonly Row[], helper: Help, width?: number): string {
  return rows.length === 0 ? "" : `${heading}\n${definitionList(rows, helpWidthOf(helper), width)}`;
}
