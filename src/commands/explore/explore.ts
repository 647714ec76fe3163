/** `solx explore`: the explorer in this terminal, with what it needs of this run. */

import { errorMessage } from "../../base/error-message.ts";
import { InterruptedError, SolxError, UsageError } from "../../base/errors.ts";
import type { Endpoint } from "../../catalogue/endpoint.ts";
import type { ParameterValues } from "../../catalogue/index.ts";
import { resolvePaths } from "../../config/paths.ts";
import type { Route } from "../../ui/app/route.ts";
import { findTheme, type ThemeName, unknownThemeMessage } from "../../ui/app/theme/themes.ts";
import { RunContext } from "../run/context.ts";
import { createExplorerContext } from "./context.ts";
import { openLog } from "./log.ts";
import { createServices } from "./services.ts";
import { routeFromEndpoint, routeFromWords } from "./start-route.ts";
import { canExplore, prefersPlain } from "./terminal-support.ts";

/** How the explorer is run. */
export interface ExploreOptions {
  /** Whether the overview is printed where there is no terminal. */
  readonly orText?: boolean;
  /** Whether it talks in plain lines instead of drawing. */
  readonly plain?: boolean;
  /** The name of a theme. */
  readonly theme?: string;
}

/**
 * Runs the explorer from where words lead.
 * @throws UsageError when they lead nowhere, there is no such theme, or there is no terminal
 */
export async function explore(
  context: RunContext,
  words: readonly string[],
  options: ExploreOptions = {},
): Promise<void> {
  if (options.orText && !canExplore(context.io)) {
    context.forHumans = true;
    return (await import("../overview/overview.ts")).overview(context);
  }
  const theme = parseTheme(options.theme);
  await exploreFrom(context, routeFromWords(words), { ...(theme && { theme }), plain: options.plain });
}

function parseTheme(name: string | undefined): ThemeName | undefined {
  const theme = name === undefined ? undefined : findTheme(name);
  if (name !== undefined && theme === undefined) throw new UsageError(unknownThemeMessage(name));
  return theme;
}

/** Runs the explorer from an endpoint, with what was typed for it. */
export async function exploreEndpoint(
  context: RunContext,
  endpoint: Endpoint,
  ids: readonly string[],
  values: ParameterValues,
): Promise<void> {
  await exploreFrom(context, routeFromEndpoint(endpoint, ids, values));
}

/** How it is run, once it was understood. */
interface StartOptions {
  readonly theme?: ThemeName;
  readonly plain?: boolean | undefined;
}

async function exploreFrom(context: RunContext, route: Route, options: StartOptions = {}): Promise<void> {
  const { stdin, stdout, env, signal } = context.io;
  const isTerminal = stdin.isTTY === true && stdout.isTTY === true;
  const isPlain = options.plain ?? (prefersPlain(env) || (isTerminal && !canExplore(context.io)));
  if (!isPlain && !isTerminal) {
    throw new UsageError("The explorer needs a terminal for input and output.", {
      hint: "As text: solx overview, or solx show <anything>. In plain lines: solx explore --plain",
    });
  }
  const log = openLog(resolvePaths(env).state, context.io.now);
  let wantsSandbox = false;
  const explorer = createExplorerContext(context, log);
  try {
    const sandbox = new AbortController();
    const services = await createServices(
      context,
      explorer,
      log,
      () => {
        wantsSandbox = true;
        sandbox.abort();
      },
      options.theme,
    );
    if (isPlain) {
      const { endQuietly, explorePlain } = await import("./plain.ts");
      await explorePlain(services, route, context.io);
      endQuietly(context);
      return;
    }
    const { explore: start } = await import("../../ui/start.tsx");
    const end = await start({
      services,
      route,
      stdin,
      stdout,
      signal: AbortSignal.any([signal, sandbox.signal]),
    });
    if (end.how === "fault") throw internalError(end.error, log.path);
    if (end.how === "gone") throw new InterruptedError("The terminal is gone.", { terminated: true });
    signal.throwIfAborted();
  } finally {
    await explorer.close();
  }
  if (wantsSandbox) await restartInSandbox(context, route, options);
}

/** The same once more, on made-up data. */
async function restartInSandbox(context: RunContext, route: Route, options: StartOptions): Promise<void> {
  const sandboxContext = new RunContext(context.io);
  const { profile: _, baseUrl: __, ...globals } = context.globals;
  sandboxContext.globals = { ...globals, sandbox: true };
  await exploreFrom(sandboxContext, route, options);
}

function internalError(error: unknown, path: string | undefined): SolxError {
  const text = errorMessage(error);
  return new SolxError("unexpected", `The explorer ended over a fault of its own: ${text}`, {
    cause: error,
    ...(path === undefined ? {} : { hint: `More about it is in ${path}` }),
  });
}
