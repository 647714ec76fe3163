/** The tree of commands: every endpoint of the catalogue through one builder, and the commands written by hand. */
import { Command } from "commander";
import { UsageError } from "../../base/errors.ts";
import type { Endpoint } from "../../catalogue/endpoint.ts";
import { endpoints } from "../../catalogue/index.ts";
import { addEndpointCommand, endpointOf, type Lazily } from "../endpoint/command.ts";
import { GROUPS } from "../endpoint/groups.ts";
import { type Audience, addGlobalOptions, type GlobalOptions } from "../options/global-options.ts";
import { addOwnCommands } from "./command-list.ts";
import type { RunContext } from "./context.ts";
import { HELP_STYLE, withExamples } from "./help.ts";
import { completeLater } from "./lazy-commands.ts";
import { TOPIC_NAMES } from "./topic-names.ts";

/** Groups whose commands work on this machine. */
const OWN_GROUPS: readonly string[] = [
  "auth",
  "config",
  "cache",
  "sandbox",
  "usage",
  "doctor",
  "completion",
  "openapi",
  "mcp",
  "skill",
];

/** Commands beside the endpoints that have a place in the explorer. */
const EXPLORED: readonly string[] = ["show", "overview", "explore"];

const FAMILY_HEADING = "Commands for the data API:";
const OWN_HEADING = "Commands for solx itself:";

const INTRO: readonly (readonly [string, string])[] = [
  [
    "What is this? An address, a signature, a slot, a mint, an explorer link",
    "solx show EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
  ],
  [
    "Everything works without a key too, on made-up data",
    "solx --sandbox token meta EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
  ],
  [
    "The last week's incoming transfers of an account, as lines of JSON",
    "solx account transfer <address> --flow in --from-time 7d --all -o ndjson",
  ],
  ["What the API offers, and one endpoint in detail", "solx docs v2-account-transfer"],
];

/** Builds the whole program; nothing is read and nothing is sent until a command runs. */
export function buildProgram(context: RunContext): Command {
  const program = new Command("solx")
    .description("The data API of a Solana blockchain explorer at the prompt.")
    .usage("<command> [options]")
    .version(context.io.version, "-V, --version", "show the version")
    .helpOption("-h, --help", "show help; works after any command")
    .helpCommand(false)
    .configureHelp(HELP_STYLE)
    .enablePositionalOptions();
  withExamples(program, INTRO);
  addGlobalOptions(program, "none");
  program.hook("preAction", (_, action) => {
    context.globals = optionsOf(action);
    const option = context.globals.dryRun ? "--dry-run" : "--curl";
    const isAsked = context.globals.dryRun || context.globals.curl;
    const own = ownGroup(action);
    if (endpointOf(action) === undefined && (context.globals.follow ?? context.globals.until) !== undefined) {
      throw new UsageError("--follow and --until are for the lists of the API, such as account transfer.");
    }
    if (context.globals.interactive && endpointOf(action) === undefined && !EXPLORED.includes(action.name())) {
      throw new UsageError("--interactive is for the endpoints of the API, such as account transfer.", {
        hint: "The explorer from its start page: solx explore",
      });
    }
    if (endpointOf(action) === undefined && action.name() !== "api") refuseFile(context.globals);
    if (isAsked && own !== undefined) {
      throw new UsageError(`${option} shows requests to the API; it does not apply to ${own} commands.`);
    }
  });
  const lazily = completeLater(program, (command) =>
    addGlobalOptions(command, audienceOf(command), endpointOf(command)),
  );
  program.commandsGroup(FAMILY_HEADING);
  addGroups(
    program,
    endpoints.filter((endpoint) => endpoint.family === "v2"),
    context,
    lazily,
  );
  addLegacy(program, context, lazily);
  program.commandsGroup(OWN_HEADING);
  addOwnCommands(program, context);
  program.addHelpText("after", afterHelp());
  return program;
}

/** What the help of the program ends with. */
function afterHelp(): string {
  const half = Math.ceil(TOPIC_NAMES.length / 2);
  const rows = [TOPIC_NAMES.slice(0, half), TOPIC_NAMES.slice(half)].map((names) => `  ${names.join(", ")}`);
  return [
    "\nOptions that every command takes, anywhere on the line: solx help options",
    "Topics, with solx help <topic>:",
    rows.join(",\n"),
  ].join("\n");
}

/** @throws UsageError for the options of a file at a command that asks for no endpoint */
function refuseFile({ out, resume, force }: GlobalOptions): void {
  if (out === undefined && !resume && !force) return;
  throw new UsageError("--out, --resume and --force are for the endpoints of the API, such as account transfer.", {
    hint: "Elsewhere, send the output to a file with >.",
  });
}

/**
 * The options of a line. Each command on it has the global ones: what was typed at one of them holds, whatever others
 * have as their default, which is true for every `--no-…`.
 */
function optionsOf(action: Command): GlobalOptions {
  const commands: Command[] = [];
  for (let at: Command | null = action; at; at = at.parent) commands.push(at);
  const typed = commands.map((command) =>
    Object.entries(command.opts()).filter(([name]) => command.getOptionValueSource(name) === "cli"),
  );
  return Object.assign({}, ...commands.map((command) => command.opts()), ...typed.map(Object.fromEntries));
}

/** Which global options the help of a command shows: none where commands follow, or a script is all that is printed. */
function audienceOf(command: Command): Audience {
  const own = ownGroup(command);
  if (own === "sandbox" || own === "mcp") return own;
  if (command.commands.length > 0 || own === "completion") return "none";
  return command.name() === "docs" || own !== undefined ? "own" : "all";
}

/** The command directly below the program that works on this machine and that this is, or is in; undefined for others. */
function ownGroup(command: Command): string | undefined {
  let at = command;
  while (at.parent?.parent) at = at.parent;
  return OWN_GROUPS.includes(at.name()) ? at.name() : undefined;
}

function addGroups(parent: Command, entries: readonly Endpoint[], context: RunContext, lazily: Lazily): void {
  for (const [group, members] of Map.groupBy(entries, (endpoint) => endpoint.group)) {
    const { summary = "", aliases = [] } = GROUPS[group] ?? {};
    const command =
      group === ""
        ? parent
        : parent
            .command(group)
            .description(summary)
            .aliases([...aliases]);
    const addMembers = () => {
      for (const endpoint of members) addEndpointCommand(command, endpoint, context, lazily);
    };
    if (command === parent) addMembers();
    else lazily(command, addMembers);
  }
}

function addLegacy(program: Command, context: RunContext, lazily: Lazily): void {
  const legacy = program.command("legacy").description("The older families of the API (v1.0 and public)");
  const publicFamily = endpoints.filter((endpoint) => endpoint.family === "public");
  const legacyFamily = endpoints.filter((endpoint) => endpoint.family === "legacy");
  addGroups(legacy, [...publicFamily, ...legacyFamily], context, lazily);
  addGroups(program, publicFamily, context, lazily);
}
