/** One builder turns any endpoint of the catalogue into a command. */
import { type Command, Option } from "commander";
import { optionName } from "../../catalogue/command-line.ts";
import type { Endpoint } from "../../catalogue/endpoint.ts";
import { positionalOf } from "../../catalogue/index.ts";
import type { Param } from "../../catalogue/param.ts";
import { GLOBAL_NAMES, once } from "../options/global-options.ts";
import type { RunContext } from "../run/context.ts";
import { endpointExamples, paramHelp, placeholder, shortWord, withChoices, withExamples } from "../run/help.ts";

/** Registers what a command still needs before it parses its own arguments. */
export type Lazily = (command: Command, complete: () => void) => void;

const PAGING_ROLES: readonly (string | undefined)[] = ["page", "size", "offset", "cursor"];

const endpointsOfCommands = new WeakMap<Command, Endpoint>();

/** The endpoint that a command asks; undefined for other commands. */
export const endpointOf = (command: Command): Endpoint | undefined => endpointsOfCommands.get(command);

/** Makes the command of an endpoint under `parent`; its options are added when it is the one that runs. */
export function addEndpointCommand(parent: Command, endpoint: Endpoint, context: RunContext, lazily: Lazily): void {
  const command = parent
    .command(endpoint.name)
    .description(endpoint.summary)
    .aliases([...(endpoint.aliases ?? [])]);
  endpointsOfCommands.set(command, endpoint);
  const positional = positionalOf(endpoint);
  if (positional) {
    const about = `${positional[1].description}; several at once, @file, or - for standard input`;
    command.argument(`[${positional[0]}...]`, about);
  }
  lazily(command, () => {
    withExamples(command, endpointExamples(endpoint));
    for (const [name, param] of Object.entries(endpoint.query)) {
      if (isRowLimit(name, param) || isGlobal(name)) continue;
      for (const option of paramOptions(name, param)) command.addOption(option);
    }
    const notes = endpoint.notes?.map((note) => `  - ${note}`) ?? [];
    if (notes.length > 0) command.addHelpText("after", `\nNotes:\n${notes.join("\n")}`);
    command.addHelpText("after", `\nReference: solx docs ${endpoint.route}`);
  });
  command.action(async (...given: unknown[]) => {
    const args = positional ? (given[0] as string[]) : [];
    const values = optionValues(endpoint, command, context);
    if (context.globals.interactive) {
      const { exploreEndpoint } = await import("../explore/explore.ts");
      return exploreEndpoint(context, endpoint, args, values);
    }
    const { runEndpoint } = await import("./run-endpoint.ts");
    await runEndpoint(context, endpoint, args, values);
  });
}

/** The API's own `limit` is the page size; the rows that a person wants are the global `--limit`. */
function isRowLimit(name: string, param: Param): boolean {
  return name === "limit" && param.role === "size";
}

/** A parameter that is called like a global option is read from there: see `optionValues`. */
function isGlobal(name: string): boolean {
  return GLOBAL_NAMES.has(`--${optionName(name)}`);
}

function paramOptions(name: string, param: Param): Option[] {
  const long = optionName(name);
  const group = PAGING_ROLES.includes(param.role) ? "Paging:" : param.positional ? "Identifier:" : "Filters:";
  if (param.type === "boolean") {
    return [
      new Option(`--${long}`, paramHelp(param)).helpGroup(group),
      new Option(`--no-${long}`, "").helpGroup(group).hideHelp(),
    ];
  }
  const option = new Option(`--${long} <${placeholder(name, param)}>`, paramHelp(param)).helpGroup(group);
  if (param.values) withChoices(option, [...param.values, ...(param.newer ?? [])].map(shortWord));
  const repeated = param.arity === "list" || (param.positional && param.arity === "one");
  return [repeated ? option.argParser((value: string, before?: string[]) => [...(before ?? []), value]) : once(option)];
}

/** What was given for each parameter, as text. */
function optionValues(endpoint: Endpoint, command: Command, context: RunContext): Record<string, unknown> {
  const given = command.opts() as Readonly<Record<string, unknown>>;
  const globals = context.globals as Readonly<Record<string, unknown>>;
  const values: Record<string, unknown> = {};
  for (const [name, param] of Object.entries(endpoint.query)) {
    if (isRowLimit(name, param)) continue;
    const key = new Option(`--${optionName(name)}`).attributeName();
    const value = isGlobal(name) ? claim(context, key, globals[key], param) : given[key];
    if (value !== undefined) values[name] = value;
  }
  return values;
}

/**
 * `--time` is both a style of times and a parameter of one endpoint. What reads as a value of the parameter (a range)
 * is one; it is then no style.
 */
function claim(context: RunContext, key: string, value: unknown, param: Param): unknown {
  if (param.arity !== "range" || typeof value !== "string" || !/\d/.test(value)) return undefined;
  context.globals = { ...context.globals, [key]: undefined };
  return value;
}
