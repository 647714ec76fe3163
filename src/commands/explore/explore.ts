/** `solx explore`: runs the explorer, on the screen or in plain lines, with the services of this run. */

import { createInterface } from "node:readline";
import { SolxError, UsageError } from "../../base/index.ts";
import { type Endpoint, type ParameterValues, positionalOf } from "../../catalogue/index.ts";
import { resolvePaths } from "../../config/index.ts";
import { getStreamSink } from "../../output/index.ts";
import {
  comparedRoute,
  type EntityKind,
  loadExplorer,
  loadPages,
  loadPlainExplorer,
  MAX_COMPARED,
  type Route,
  type Services,
  type View,
} from "../../ui/index.ts";
import type { Io, RunContext } from "../run/context.ts";
import { createContext } from "../run/create-context.ts";
import { noInputReason } from "../run/prompt.ts";
import { assertLeft, createExplorerContext, openLog } from "./context.ts";
import { createServices } from "./services.ts";
import { checkIdentified, routeFromEndpoint, routeFromWords } from "./start-route.ts";
import { canExplore, isScreen, prefersPlain } from "./terminal-support.ts";

/** Options of the command as typed. */
export interface ExploreOptions {
  readonly orText?: boolean;
  readonly plain?: boolean;
}

/**
 * Runs the explorer, starting at the page named by words.
 * @throws UsageError when they name no page, the theme is unknown, or there is no terminal
 */
export async function explore(
  context: RunContext,
  words: readonly string[],
  options: ExploreOptions = {},
): Promise<void> {
  if (options.orText && !canExplore(context.io)) {
    context.printer.isForPeople = true;
    return (await import("../overview/overview.ts")).overview(context);
  }
  if (context.globals.output !== undefined) throw new UsageError("--output requires --or-text");
  await exploreFrom(context, await startRoute(context, words), { plain: options.plain });
}

/** Returns the route that words name; the last resort is a name, then the symbol of a token: `treasury`, `token jup`. */
async function startRoute(context: RunContext, words: readonly string[]): Promise<Route> {
  checkIdentified(words);
  try {
    return routeFromWords(words);
  } catch (error) {
    const { runNameResolver } = await import("../names/resolve-names.ts");
    const address = await runNameResolver(context).resolve(words.at(-1) ?? "");
    if (address !== undefined && words.length <= 2) return routeFromWords([...words.slice(0, -1), address]);
    const { isTokenSymbol } = await import("../../client/index.ts");
    const symbol = words.length === 1 || (words.length === 2 && words[0] === "token") ? words.at(-1) : undefined;
    if (!(error instanceof UsageError) || symbol === undefined || !isTokenSymbol(symbol)) throw error;
    const { openResolver } = await import("../names/resolve-names.ts");
    const token = await (await openResolver(context)).resolve(symbol, "mint").catch((cause: unknown) => {
      throw cause instanceof SolxError && cause.candidates ? cause : error;
    });
    return { kind: "entity", entity: "token", id: token.mint };
  }
}

/** Runs the explorer, starting at entities of one kind side by side: tokens, where one of the addresses is known as one. */
export async function exploreCompared(
  context: RunContext,
  found: readonly { readonly kind: EntityKind; readonly id: string }[],
): Promise<void> {
  const entity = found.find(({ kind }) => kind === "token")?.kind ?? found[0]?.kind ?? "account";
  const route = comparedRoute(found.slice(0, MAX_COMPARED).map(({ id }) => ({ kind: "entity", entity, id })));
  if (!route) throw new UsageError("All of them are the same.");
  await exploreFrom(context, route);
}

/** Runs the explorer, starting at an endpoint with the given parameters. */
export async function exploreEndpoint(
  context: RunContext,
  endpoint: Endpoint,
  ids: readonly string[],
  values: ParameterValues,
): Promise<void> {
  const { resolveTokens } = await import("../names/resolve-names.ts");
  const [name] = positionalOf(endpoint) ?? [];
  const typed =
    name === undefined || ids.length === 0 ? values : { ...values, [name]: [ids, values[name] ?? []].flat() };
  const { values: resolved } = await resolveTokens(context, endpoint, { values: typed });
  await exploreFrom(context, routeFromEndpoint(endpoint, name === undefined ? ids : [], resolved));
}

/** Runs the explorer, starting at a view as it was left. */
export function exploreView(context: RunContext, { route, state }: View): Promise<void> {
  return exploreFrom(context, route, { state });
}

/** Runs the explorer, starting at the dashboard of a file of rules. */
export function exploreRules(context: RunContext, rules: string): Promise<void> {
  return exploreFrom(context, { kind: "page", page: "watch" }, { rules });
}

interface StartOptions {
  readonly plain?: boolean | undefined;
  readonly state?: View["state"];
  /** The file of rules (default: that of the user). */
  readonly rules?: string | undefined;
}

async function exploreFrom(context: RunContext, route: Route, options: StartOptions = {}): Promise<void> {
  if (context.onRoute) return context.onRoute(route);
  const { stdin, stdout, env, signal } = context.io;
  const isTerminal = stdin.isTTY === true && stdout.isTTY === true;
  const isPlain = options.plain ?? (prefersPlain(env) || (isTerminal && !isScreen(context.io)));
  const reason = noInputReason(context.io);
  // Plain lines can be read from a script.
  if (reason !== undefined && (stdin.isTTY || !isPlain))
    throw noTerminalError(`The explorer needs a person: ${reason}.`);
  if (!isPlain && !isTerminal) throw noTerminalError("The explorer needs a terminal for input and output.");
  const log = openLog(resolvePaths(env).state, context.io.now);
  let wantsSandbox = false;
  const explorer = createExplorerContext(context, log);
  try {
    const sandbox = new AbortController();
    const toSandbox = () => {
      wantsSandbox = true;
      sandbox.abort();
    };
    const services = await createServices(context, explorer, log, { toSandbox, rules: options.rules });
    if (isPlain) {
      await explorePlain(services, route, context.io);
      endQuietly(context);
      return;
    }
    const { explore: start } = await loadExplorer();
    const end = await start({
      services,
      route: route.kind === "endpoint" && !options.state ? (await loadPages()).pageOfRoute(route) : route,
      state: options.state,
      stdin,
      stdout,
      signal: AbortSignal.any([signal, sandbox.signal]),
    });
    assertLeft(end, log);
    signal.throwIfAborted();
  } finally {
    await explorer.close();
  }
  if (wantsSandbox) await restartInSandbox(context, route, options);
}

function noTerminalError(message: string): UsageError {
  return new UsageError(message, {
    code: "NO_TERMINAL",
    hint: "For text output: solx overview, or solx show <anything>. For plain lines: solx explore --plain",
  });
}

async function restartInSandbox(context: RunContext, route: Route, options: StartOptions): Promise<void> {
  const sandboxContext = createContext(context.io);
  const selection = ["profile", "baseUrl", "rpc", "index", "apiKey"];
  const others = Object.entries(context.globals).filter(([name]) => !selection.includes(name));
  sandboxContext.globals = { ...Object.fromEntries(others), sandbox: true };
  await exploreFrom(sandboxContext, route, options);
}

/**
 * Runs a plain session until the user quits, the input ends, the output is closed, or the signal is aborted.
 * @throws ReaderGone when the output is closed, and any other write error
 */
export async function explorePlain(services: Services, start: Route, { stdin, stdout, signal }: Io): Promise<void> {
  const { createDataStore, runPlainExplorer } = await loadPlainExplorer();
  const data = createDataStore(services);
  // No line editing: it needs a terminal that supports control sequences; others edit lines themselves.
  const reader = createInterface({ input: stdin, crlfDelay: Number.POSITIVE_INFINITY });
  // Created at once: lines that arrive before there is a listener would be lost.
  const lines = reader[Symbol.asyncIterator]();
  const end = () => reader.close();
  signal.addEventListener("abort", end, { once: true });
  const sink = getStreamSink(stdout);
  // The sink stores a write error and throws it again on flush.
  const write = (text: string) => void sink.write(text, signal).catch(end);
  try {
    const isLeft = await runPlainExplorer({ services, data, initialRoute: start, lines, write, signal });
    // Later output must not follow the prompt on the same line.
    if (!isLeft) write("\n");
    if (!signal.aborted) await sink.flush(signal);
  } finally {
    signal.removeEventListener("abort", end);
    reader.close();
    await data.close();
  }
}

/** Ends a plain session: after Ctrl-C only the exit code is set, since no message is needed at a prompt. */
function endQuietly(context: RunContext): void {
  const { signal } = context.io;
  const reason: unknown = signal.reason;
  if (reason instanceof SolxError && reason.exit === "interrupted") context.outcome.exitCode = reason.exitCode;
  else signal.throwIfAborted();
}
