/** Command lines that are typed or pasted into the explorer: the views that they open, and their completion. */
import type { Command } from "commander";
import { errorMessage, readProgramFile, SolxError, UsageError } from "../../base/index.ts";
import {
  allEndpoints,
  type Endpoint,
  endpointByRoute,
  optionName,
  positionalOf,
  quoteForShell,
  SERVERS,
} from "../../catalogue/index.ts";
import { prepare, rawRequest } from "../../client/index.ts";
import type { Settings } from "../../config/index.ts";
import type { ConnectedClient } from "../../sources/index.ts";
import type { CommandLines, LineCompletions, LineView, Route } from "../../ui/index.ts";
import { findCompletions, type ParsedLine, parseLine } from "../completion/find-completions.ts";
import { localNames } from "../completion/local-names.ts";
import type { CommandSpec, CompletionData } from "../completion/schema.ts";
import { splitLine } from "../completion/shell-protocol.ts";
import { isRowLimit } from "../endpoint/parameter-options.ts";
import type { GlobalOptions } from "../options/global-options.ts";
import { commandChain, commandPath, definitionOf } from "../run/command-definition.ts";
import type { Io, RunContext } from "../run/context.ts";
import { sourceOf } from "../run/data-source.ts";
import { maskNode } from "../run/printed-command.ts";
import { suggestCommands } from "../run/usage-errors.ts";

/** What command lines are interpreted with. */
interface CommandLineSource {
  readonly context: Pick<RunContext, "runLine" | "globals" | "command">;
  /** The environment of lines: notes of lookups go to its standard error. */
  readonly io: Io;
  readonly settings: Settings;
  readonly client: () => Promise<ConnectedClient>;
  readonly now: () => number;
  /** Returns the completion data (default: what the build wrote). */
  readonly completionData?: () => CompletionData;
}

/** Creates the service. */
export function createCommandLines(source: CommandLineSource): CommandLines {
  const { context, settings, completionData = readCompletionData } = source;
  const root = context.command && commandChain(context.command).at(-1);
  let data: CompletionData | undefined;
  const findPages = async (question: string) =>
    root ? (await (await loadSearchCommand()).loadSearch(root))(question) : [];
  return {
    async interpret(line) {
      const typed = typedWords(line);
      const run: LineRun = { source, client: () => Promise.reject(NEEDS_LOOKUP) };
      try {
        return await openView(typed, run);
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
        await openView(typed, run);
      } catch (error) {
        const lines = correctedLines(typed.words, run.context?.command, source.io);
        const [answer] = lines.length > 0 ? await findPages(line) : [];
        // A line whose words all have an answer is a question.
        if (lines.length > 0 && answer?.coverage !== 1)
          return { message: errorMessage(error), hint: hintOf(error), lines };
      }
      return undefined;
    },
    async find(question) {
      const hits = await findPages(question);
      const { explainHits } = await loadSearchCommand();
      return {
        commands: hits.map(({ command }) => command).filter(Boolean),
        note: explainHits(question, hits, sourceOf(settings).supports)?.command,
      };
    },
    async open(line) {
      return (await openView(typedWords(line), { source, client: source.client })).route;
    },
    async complete(line) {
      data ??= completionData();
      return completeLine(line, data, { root, settings });
    },
  };
}

const loadSearchCommand = () => import("../docs/search/search-command.ts");

/** A symbol in a line has to be looked up, which interpreting it does not do. */
const NEEDS_LOOKUP = new SolxError("unexpected", "A symbol has to be looked up.");

interface LineRun {
  readonly source: CommandLineSource;
  readonly client: () => Promise<ConnectedClient>;
  context?: RunContext;
}

async function openView({ words, program }: TypedWords, run: LineRun): Promise<LineView & { readonly route: Route }> {
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

function correctedLines(words: readonly string[], command: Command | undefined, { env }: Io): readonly string[] {
  const [word] = command?.args ?? [];
  if (!command || word === undefined || command.commands.length === 0) return [];
  const rest = words.slice(words.indexOf(word) + 1);
  const commands = suggestCommands(word, command, env).map((line) => line.replace(/^solx /, ""));
  return commands.map((line) => [line, ...rest.map(quoteForShell)].join(" "));
}

const hintOf = (error: unknown) => (error instanceof SolxError ? error.hint : undefined);

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

/** Returns whether a command opens in the explorer. */
function opensView(command: Command): boolean {
  const { endpoint, flags = [] } = definitionOf(command) ?? {};
  return endpoint !== undefined || flags.includes("--interactive");
}

/** Returns whether an option is of a parameter of the request. */
function isParameter({ query }: Endpoint, long: string): boolean {
  return Object.keys(query).some((name) => {
    const option = optionName(name);
    return [`--${option}`, `--no-${option}`].includes(long);
  });
}

/** Reads what the build has written beside the program; nothing is completed without it. */
function readCompletionData(): CompletionData {
  try {
    return JSON.parse(readProgramFile(new URL("complete.json", import.meta.url)));
  } catch {
    return EMPTY_DATA;
  }
}

const EMPTY_DATA: CompletionData = {
  root: { name: "solx", description: "", options: [] },
  options: [],
  values: [],
  topics: [],
  settings: {},
  fields: {},
};

interface CompletionOptions {
  readonly root: Command | undefined;
  readonly settings: Settings;
}

/** Completes the last word of a line: commands that open views, and parameters of the endpoint. */
function completeLine(
  line: string,
  data: CompletionData,
  { root, settings: { paths } }: CompletionOptions,
): LineCompletions {
  const at = lastWordStart(line);
  const { words: before } = typedWords(line.slice(0, at));
  const { current } = splitLine(`solx ${line.slice(at)}`);
  const parsed = parseLine(data, before);
  const endpoint = allEndpoints.find(({ command }) => command === parsed.path.join(" "));
  const completions = findCompletions(data, { before, current, replaceFrom: 0, isQuoted: false }, localNames(paths));
  const { kind, prefixLength, appendsSpace } = completions;
  const isOffered = (word: string) =>
    kind === "commands"
      ? leadsToView(parsed.command, word, root)
      : kind !== "options" || (endpoint !== undefined && isParameter(endpoint, word));
  const candidates = completions.candidates
    .filter(([word]) => isOffered(word))
    .map(([word, about]) => {
      const text = quoteForShell(current.slice(0, prefixLength) + word);
      return [appendsSpace ? `${text} ` : text, about] as const;
    });
  const parameter = endpoint && parameterOf(endpoint, parsed, current);
  return { start: line.slice(0, at), candidates, ...(parameter !== undefined && { parameter }) };
}

/** Returns where the last word of a line starts: at the end when a space follows the last one. */
function lastWordStart(line: string): number {
  for (let at = line.length; at > 0; at -= 1) {
    const { current, isQuoted } = splitLine(`solx ${line.slice(0, at)}`);
    if (/\s/.test(line[at - 1] ?? "") && current === "" && !isQuoted) return at;
  }
  return 0;
}

function leadsToView({ commands = [] }: CommandSpec, word: string, root: Command | undefined): boolean {
  const leads = (spec: CommandSpec): boolean => spec.isEndpoint === true || (spec.commands ?? []).some(leads);
  const spec = commands.find(({ name }) => name === word);
  const command = root?.commands.find((one) => one.name() === word);
  return spec !== undefined && (leads(spec) || (command !== undefined && opensView(command)));
}

function parameterOf(
  endpoint: Endpoint,
  { pending, positionals }: ParsedLine,
  current: string,
): LineCompletions["parameter"] {
  const [positional, param] = positionalOf(endpoint) ?? [];
  const name = pending
    ? Object.keys(endpoint.query).find((one) => `--${optionName(one)}` === pending.long)
    : positionals.length === 0 || param?.arity === "list"
      ? positional
      : undefined;
  return name === undefined || (!pending && current.startsWith("-")) ? undefined : { endpoint, name };
}

/** A line, split into arguments. */
interface TypedWords {
  /** Without the name of the program. */
  readonly words: readonly string[];
  /** Whether the line names a program: `solx`, or `curl` with a URL of the API. */
  readonly program: "solx" | "curl" | undefined;
}

/** How solx is started: by its name, with npx, or as a script of Node. */
const PROGRAM = /^(?:solx|\S*[\\/]solx(?:\.(?:js|cmd|exe))?|npx (?:-\S+ )*solx|node \S*solx(?:\.js)?)$/;
const MAX_PROGRAM_WORDS = 4;
const SHELL_PROMPT = /^\s*[$%>]\s+/;

/** Splits a line into words, as a shell does. */
function typedWords(line: string): TypedWords {
  const { before, current } = splitLine(`solx ${line.replace(SHELL_PROMPT, "")}`);
  const words = current === "" ? before : [...before, current];
  if (words[0] === "curl" || /^https?:\/\//.test(words[0] ?? "")) return { words, program: "curl" };
  for (let count = 1; count <= Math.min(MAX_PROGRAM_WORDS, words.length); count += 1) {
    if (PROGRAM.test(words.slice(0, count).join(" "))) return { words: words.slice(count), program: "solx" };
  }
  return { words, program: undefined };
}
