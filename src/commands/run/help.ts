/** Help texts: examples first, options in groups, allowed values and defaults shown. */
import type { Argument, Command, Help, Option } from "commander";
import { commandLine, optionName } from "../../catalogue/command-line.ts";
import type { Endpoint } from "../../catalogue/endpoint.ts";
import type { Param } from "../../catalogue/param.ts";

const RANGES: Partial<Record<Param["type"], string>> = { time: "7d..now", date: "20240701..20240715" };

/** What a parameter's option says in help: what it does, allowed values, default, limits, deprecation. */
export function paramHelp(param: Param): string {
  const facts = [
    param.required && !param.positional && param.default === undefined ? "required" : "",
    param.values
      ? `one of: ${param.values.map(shortWord).join(", ")}${param.newer ? "; newer servers know more" : ""}`
      : "",
    param.arity === "range" ? `two values, e.g. ${RANGES[param.type] ?? "1..100"}` : "",
    param.maxItems ? `at most ${param.maxItems}, repeated or comma separated` : "",
    param.type === "time" && param.arity === "one" ? "7d, yesterday, 2024-07-05, ISO 8601 or Unix seconds; UTC" : "",
    param.type === "date" && param.arity === "one" ? "20240705, 2024-07-05, 7d or yesterday" : "",
    param.needs ? `needs --${optionName(param.needs)}` : "",
    param.default === undefined ? "" : `default: ${param.default}`,
    param.deprecated ? `deprecated: ${param.deprecated}` : "",
  ].filter(Boolean);
  return facts.length > 0 ? `${param.description} (${facts.join("; ")})` : param.description;
}

/** An enumerated value as it is easiest typed: `ACTIVITY_SPL_TRANSFER` as `transfer`. */
export function shortWord(value: string | number): string {
  const text = String(value);
  return text.startsWith("ACTIVITY_")
    ? text
        .replace(/^ACTIVITY_(SPL_|NFT_)?/, "")
        .toLowerCase()
        .replaceAll("_", "-")
    : text;
}

/** The placeholder of a parameter's value. */
export function placeholder(name: string, param: Param): string {
  if (param.arity === "range") return "min..max";
  const word = {
    slot: "slot",
    integer: "n",
    decimal: "n",
    time: "time",
    date: "date",
    boolean: "",
    enum: "value",
    text: "text",
  };
  const one = param.type === "address" || param.type === "signature" ? param.type : word[param.type];
  return param.type === "enum" && name.startsWith("sort") ? "key" : one;
}

/** Examples as commands that can be pasted, each under a line that says what it is for. */
export function exampleText(examples: readonly Example[]): string {
  return examples.map(([about, command]) => `  # ${about}\n  ${command}`).join("\n");
}

/** The examples of an endpoint. */
export function endpointExamples(endpoint: Endpoint): readonly Example[] {
  return endpoint.examples.map(({ about, params }) => [about, commandLine(endpoint, params)] as const);
}

/** A command to copy, after what it is for. */
export type Example = readonly [about: string, command: string];

const examplesOfCommands = new WeakMap<Command, readonly Example[]>();

/** The examples of a command, in the order of its help. */
export const examplesOf = (command: Command): readonly Example[] => examplesOfCommands.get(command) ?? [];

/** Puts examples in front of a command's usage line. */
export function withExamples(command: Command, examples: readonly Example[]): Command {
  if (examples.length === 0) return command;
  examplesOfCommands.set(command, examples);
  return command.addHelpText("before", `Examples:\n${exampleText(examples)}\n`);
}

const choicesOfOptions = new WeakMap<Option | Argument, readonly string[]>();

/** Says which words an option or argument takes, for completion and reference; help and checks are the command's own. */
export function withChoices<T extends Option | Argument>(target: T, choices: readonly (string | number)[]): T {
  choicesOfOptions.set(target, choices.map(String));
  return target;
}

/** The words that an option or argument takes, where they are known beforehand. */
export const choicesOf = (target: Option | Argument): readonly string[] | undefined => choicesOfOptions.get(target);

/** The settings of commander's help that all commands share: names alone in lists, other names where they matter. */
export const HELP_STYLE: Partial<Help> = {
  subcommandTerm: (command) => command.name(),
  commandUsage: (command) => {
    const path = [command.name()];
    for (let at = command.parent; at; at = at.parent) path.unshift(at.name());
    return `${path.join(" ")} ${command.usage()}`;
  },
  commandDescription: (command) =>
    command.aliases().length > 0
      ? `${command.description()} (also: ${command.aliases().join(", ")})`
      : command.description(),
};
