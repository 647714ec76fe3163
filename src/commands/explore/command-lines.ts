/** Command lines that are typed or pasted into the explorer: the views that they open, and their completion. */

import type { Command } from "commander";
import { errorMessage, SolxError, UsageError } from "../../base/index.ts";
import { endpointByRoute, quoteForShell, SERVERS } from "../../catalogue/index.ts";
import { prepare, rawRequest } from "../../client/index.ts";
import type { Settings } from "../../config/index.ts";
import type { ConnectedClient } from "../../sources/index.ts";
import type { CommandLines, LineView, Route } from "../../ui/index.ts";
import type { CompletionData } from "../completion/schema.ts";
import { isRowLimit } from "../endpoint/parameter-options.ts";
import type { GlobalOptions } from "../options/global-options.ts";
import { commandChain, commandPath, definitionOf } from "../run/command-definition.ts";
import type { Io, RunContext } from "../run/context.ts";
import { sourceOf } from "../run/data-source.ts";
import { maskNode } from "../run/printed-command.ts";
import { suggestCommands } from "../run/usage-errors.ts";
import { completeLine, isParameter, opensView, readCompletionData } from "./complete-line.ts";
import { type TypedWords, typedWords } from "./typed-words.ts";

/** What command lines are interpreted with. */
export interface CommandLineSource {
  /** The run that started the explorer. */
  readonly context: Pick<RunContext, "runLine" | "globals" | "command">;
  /** The environment of lines: notes of lookups go to its standard error. */
  readonly io: Io;
  readonly settings: Settings;
  readonly client: () => Promise<ConnectedClient>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Returns the completion data (default: what the build wrote). */
  readonly completionData?: () => CompletionData;
}

/** Creates the service. */
export function createCommandLines(source: CommandLineSource): CommandLines {
  const { context, settings, completionData = readCompletionData } = source;
  const root = context.command && commandChain(context.command).at(-1);
  let data: CompletionData | undefined;
  return {
    async interpret(line) {
      const typed = typedWords(line);
      const run: LineRun = { source, client: () => Promise.reject(NEEDS_LOOKUP) };
      try {
        return await viewOf(typed, run);
      } catch (error) {
        const command = run.context?.command;
        if (!isCommandLine(line, typed, command)) return undefined;
        return { ignored: [], problem: error === NEEDS_LOOKUP ? undefined : explainProblem(error, typed, command) };
      }
    },
    async correct(line) {
      const run: LineRun = { source, client: () => Promise.reject(NEEDS_LOOKUP) };
      const typed = typedWords(line);
      try {
        await viewOf(typed, run);
      } catch (error) {
        const lines = correctedLines(typed.words, run.context?.command, source.io);
        if (lines.length > 0) return { message: errorMessage(error), hint: hintOf(error), lines };
      }
      return undefined;
    },
    async open(line) {
      return (await viewOf(typedWords(line), { source, client: source.client })).route;
    },
    async complete(line) {
      data ??= completionData();
      return completeLine(line, data, { root, settings });
    },
  };
}

/** A symbol in a line has to be looked up, which interpreting it does not do. */
const NEEDS_LOOKUP = new SolxError("unexpected", "A symbol has to be looked up.");

/** A run of a line, and its context once there is one. */
interface LineRun {
  readonly source: CommandLineSource;
  readonly client: () => Promise<ConnectedClient>;
  context?: RunContext;
}

async function viewOf({ words, program }: TypedWords, run: LineRun): Promise<LineView & { readonly route: Route }> {
  const { source } = run;
  const { context, io, settings, now } = source;
  if (program === "curl") return { route: routeOfUrl(words, settings, now), ignored: [] };
  let view: (LineView & { readonly route: Route }) | undefined;
  await context.runLine?.({ ...io, argv: ["--interactive", ...words] }, (line) => {
    run.context = line;
    line.session.useSettings(settings);
    line.session.client = run.client;
    line.onRoute = (start) => {
      checkServer(line.globals, source);
      const route = withRowLimit(start, line.globals);
      checkRoute(route, now);
      view = { route, ignored: ignoredOptions(line.command) };
    };
  });
  if (!view) throw new UsageError("The line opens no view.");
  return view;
}

/** The API's own limit is a parameter of the request, although the option is a global one. */
function withRowLimit(route: Route, { limit }: GlobalOptions): Route {
  const endpoint = route.kind === "endpoint" ? endpointByRoute(route.endpointRoute) : undefined;
  const param = endpoint?.query.limit;
  if (route.kind !== "endpoint" || limit === undefined || !param || !isRowLimit("limit", param)) return route;
  return { ...route, params: { ...route.params, limit } };
}

/** @throws UsageError when a request of the route would be refused */
function checkRoute(route: Route, now: () => number): void {
  const endpoint = route.kind === "endpoint" ? endpointByRoute(route.endpointRoute) : undefined;
  if (endpoint && route.kind === "endpoint") prepare(endpoint, route.params, { now });
}

/** @throws UsageError when a line is for another server than that of the explorer */
function checkServer(typed: GlobalOptions, { context: { globals }, settings }: CommandLineSource): void {
  const node = (options: GlobalOptions) => options.rpc !== undefined && maskNode(options.rpc);
  const others: Readonly<Record<string, boolean>> = {
    "--sandbox": typed.sandbox === true && !sourceOf(settings).facts.isSimulated,
    "--profile": typed.profile !== undefined && typed.profile !== settings.profile,
    "--rpc": typed.rpc !== undefined && node(typed) !== node(globals),
    "--index": typed.index !== undefined && typed.index !== globals.index,
  };
  const flag = Object.keys(others).find((name) => others[name]);
  if (flag === undefined) return;
  throw new UsageError(`${flag} names another source than the one of this explorer`, {
    hint: `Remove ${flag} to open the line here.`,
  });
}

const SERVER_FLAGS: ReadonlySet<string> = new Set(["--sandbox", "--profile", "--rpc", "--index"]);

/** Returns the typed options that are no parameters of the endpoint. */
function ignoredOptions(command: Command | undefined): readonly string[] {
  if (!command) return [];
  const { endpoint } = definitionOf(command) ?? {};
  return commandChain(command).flatMap((one) =>
    one.options.flatMap((option) => {
      const long = option.long ?? "";
      const isTyped = one.getOptionValueSource(option.attributeName()) === "cli" && long !== "--interactive";
      return isTyped && !SERVER_FLAGS.has(long) && !(endpoint && isParameter(endpoint, long)) ? [long] : [];
    }),
  );
}

/** Returns the route of a request by its URL. @throws UsageError when it is of no endpoint */
function routeOfUrl(words: readonly string[], settings: Settings, now: () => number): Route {
  const url = words.find((word) => /^https?:\/\//.test(word));
  if (url === undefined) throw new UsageError("The line has no URL.");
  const servers = [settings.baseUrls(), SERVERS];
  const baseUrls = servers.find((one) => Object.values(one).some((base) => url.startsWith(base))) ?? SERVERS;
  const { endpoint, query } = rawRequest(url, { baseUrls });
  if (!endpoint) throw new UsageError("The URL is of no endpoint that solx knows.");
  const values = new Map<string, string[]>();
  for (const [wire, value] of query) {
    const name = wire.replace(/\[\w*\]$/, "");
    values.set(name, [...(values.get(name) ?? []), value]);
  }
  const params = Object.fromEntries(
    [...values].map(([name, all]) => [name, all.length === 1 && all[0] !== undefined ? all[0] : all]),
  );
  const route: Route = { kind: "endpoint", endpointRoute: endpoint.route, params };
  checkRoute(route, now);
  return route;
}

/**
 * Returns whether a line that opens no view is meant as a command line: it names the program, or a command that opens
 * views and something behind it.
 */
function isCommandLine(line: string, { words, program }: TypedWords, command: Command | undefined): boolean {
  if (program !== undefined) return program === "solx" || words[0] === "curl";
  if (!command || !opensView(command)) return false;
  return words.length >= commandChain(command).length || /\s$/.test(line);
}

/** Returns the lines that one with an unknown command may stand for. */
function correctedLines(words: readonly string[], command: Command | undefined, { env }: Io): readonly string[] {
  const [word] = command?.args ?? [];
  if (!command || word === undefined || command.commands.length === 0) return [];
  const rest = words.slice(words.indexOf(word) + 1);
  const commands = suggestCommands(word, command, env).map((line) => line.replace(/^solx /, ""));
  return commands.map((line) => [line, ...rest.map(quoteForShell)].join(" "));
}

const hintOf = (error: unknown) => (error instanceof SolxError ? error.hint : undefined);

/** Returns why a line opens no view. */
function explainProblem(error: unknown, { words }: TypedWords, command: Command | undefined): LineView["problem"] {
  const isGroup = command !== undefined && command.commands.length > 0;
  if (isGroup && command.args.length === 0)
    return { message: `expected a command after "${commandPath(command)}"`, hint: undefined };
  if (command && !isGroup && !opensView(command)) {
    const line = ["solx", ...words].map(quoteForShell).join(" ");
    return { message: `${commandPath(command)} is not a view`, hint: `To run it in a shell: ${line}` };
  }
  return { message: errorMessage(error), hint: hintOf(error) };
}
