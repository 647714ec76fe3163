/** The services that the explorer gets from this run: client, identity, and access to this machine. */

import { DAY_MS } from "../../base/index.ts";
import { PLANS, quoteForShell } from "../../catalogue/index.ts";
import { rulesFilePath, type Settings } from "../../config/index.ts";
import { colorDepth, detectBackground, shouldUseColor, supportsUnicode } from "../../output/index.ts";
import { type ConnectedClient, resolveRate } from "../../sources/index.ts";
import type {
  Customization,
  DesktopServices,
  DisplayServices,
  EventServices,
  Services,
  StoredUsage,
  UserServices,
} from "../../ui/index.ts";
import { createAddressBook } from "../names/address-book.ts";
import { openNameStore } from "../names/name-store.ts";
import { isUnlimited, parseRate } from "../run/client-options.ts";
import type { Io, RunContext } from "../run/context.ts";
import { answeredBy, sourceOf } from "../run/data-source.ts";
import { suggestCommand } from "../run/printed-command.ts";
import { createProgramRunner } from "../run/programs.ts";
import { requestedTheme } from "../run/theme.ts";
import { ledgerOptions } from "../sandbox/world.ts";
import { createCommandLines } from "./command-lines.ts";
import { readConfigFile, saveTheme } from "./config-file.ts";
import type { ExplorerContext, ExplorerLog } from "./context.ts";
import { createExternalViewer } from "./external-viewer.ts";
import { createKeySession } from "./key-session.ts";
import { createMemory, memoryScope } from "./memory.ts";
import { createFileSaver } from "./save-file.ts";
import { createBrowserOpener, createCopier } from "./tools.ts";

interface ServiceOptions {
  readonly toSandbox: () => void;
  /** The file of rules (default: `rules.yaml` in the configuration directory). */
  readonly rules?: string | undefined;
}

/** Creates the services of a run. Everything is opened on first use. */
export async function createServices(
  context: RunContext,
  explorer: ExplorerContext,
  log: ExplorerLog,
  { toSandbox, rules }: ServiceOptions,
): Promise<Services> {
  const settings = await context.session.settings();
  const { facts } = sourceOf(settings);
  const plan = settings.get("plan") ?? "lite";
  const customization = await readConfigFile(settings.paths, log.write);
  const now = await context.session.clock();
  // A fixed time ends the chain of the sandbox.
  const isGrowing = facts.isSimulated && facts.isInProcess && settings.resolve("sandbox-now").value === undefined;
  const growing = isGrowing ? { ledger: ledgerOptions(explorer.context, settings, true) } : undefined;
  const keySession = createKeySession(settings, explorer.context, context.io.signal, growing);
  return {
    client: keySession.client,
    identity: {
      profile: settings.profile,
      isSandbox: facts.isSimulated,
      isGrowing,
      get hasKey() {
        return facts.key !== "required" || keySession.hasKey();
      },
      plan: PLANS[plan].title,
      rate: isUnlimited(settings) ? undefined : resolveRate(plan, parseRate(settings.get("rate"))),
      units: facts.chargesUnits ? PLANS[plan].units : Number.POSITIVE_INFINITY,
    },
    source: sourceOf(settings),
    supports: answeredBy(settings),
    inspect: settings.node() && inspectWith(keySession.client),
    now,
    ...displayServices(context, settings, customization),
    command: (words) => suggestCommand(context, words),
    lines: createCommandLines({ context, io: explorer.context.io, settings, client: keySession.client, now }),
    curl: (url) =>
      `curl --compressed -H "${settings.get("key-header")}: ${settings.printedKey()}" ${quoteForShell(url.href)}`,
    ...desktopServices(context.io),
    ...storedState(settings, context, log),
    storedUsage: facts.chargesUnits ? () => readStoredUsage(explorer.context, now) : undefined,
    rules: ruleWatch(explorer.context, rules ?? rulesFilePath(settings.paths), keySession.client),
    customization,
    log: log.write,
    logPath: log.path,
    ...eventServices(explorer),
    ...(facts.isSimulated ? {} : { switchToSandbox: toSandbox }),
    ...(facts.key === "required" ? { apiKeyEntry: keySession.entry } : {}),
  };
}

function displayServices(
  { io: { env, stdout } }: RunContext,
  settings: Settings,
  customization: Customization | undefined,
): Omit<DisplayServices, "now"> {
  const color = shouldUseColor({ flag: settings.get("color"), env, isTTY: stdout.isTTY === true });
  return {
    timeZone: undefined,
    colorScheme: color ? (detectBackground(env) ?? "dark") : "none",
    depth: colorDepth(stdout, env),
    theme: requestedTheme(settings, customization),
    saveTheme: (name) => saveTheme(settings, name),
    unicode: supportsUnicode(env),
  };
}

function desktopServices({ env, stdout, signal }: Io): DesktopServices {
  const { platform } = process;
  return {
    copy: createCopier({ env, platform, write: (text) => void stdout.write(text) }),
    browse: createBrowserOpener({ env, platform }),
    openExternally: createExternalViewer({ env, platform, signal }),
    runProgram: createProgramRunner(signal),
    save: createFileSaver(process.cwd()),
  };
}

function eventServices(explorer: ExplorerContext): EventServices {
  return {
    onNote: explorer.onNote,
    progress: explorer.progress,
    onProgress: explorer.onProgress,
    // Handled here, so that nothing is printed over the screen.
    onEvent: (listener) =>
      explorer.context.reporter.onEvent((event) => {
        listener(event);
        return true;
      }),
  };
}

function inspectWith(client: () => Promise<ConnectedClient>): Services["inspect"] {
  return async (text, signal) => {
    const [{ createSession, loadInspect }, node] = await Promise.all([
      import("../../sources/node/index.ts"),
      client().then((one) => one.node()),
    ]);
    const { inspectTransaction } = await loadInspect();
    const reading = { node, session: createSession(), sending: { signal } };
    return inspectTransaction(text, reading, { simulate: true, strict: false });
  };
}

/** Returns what opens the rules of a file when they are first shown. */
function ruleWatch(
  context: RunContext,
  path: string | undefined,
  client: () => Promise<ConnectedClient>,
): Services["rules"] {
  if (path === undefined) return undefined;
  const open = async () => {
    const { RuleBoard } = await import("./rules/board.ts");
    const board = new RuleBoard({ context, path, client });
    context.session.onClose(() => board.close());
    return board;
  };
  let opened: ReturnType<typeof open> | undefined;
  return () => {
    opened ??= open();
    return opened;
  };
}

/** Returns what is stored between runs. Problems with the files are logged, that with the names once. */
function storedState(settings: Settings, { io }: RunContext, log: ExplorerLog): Omit<UserServices, "customization"> {
  const memory = createMemory({ paths: settings.paths, scope: memoryScope(settings), log: log.write });
  const store = openNameStore(settings);
  let isLogged = false;
  const logged = <T>(result: T): T => {
    const { operation, reason, message } = store?.problem() ?? {};
    if (message !== undefined && !isLogged) log.write(`Stored names (${operation}, ${reason}): ${message}`);
    isLogged = message !== undefined;
    return result;
  };
  const names = store && {
    read: () => logged(store.read()),
    write: (all: Parameters<typeof store.write>[0]) => logged(store.write(all)),
  };
  return { memory, names, addressBook: createAddressBook(settings.paths, io.signal, log.write) };
}

/** Reads what this machine, or the server that machines share, knows of the usage of the key. */
async function readStoredUsage(context: RunContext, now: () => number): Promise<StoredUsage> {
  const { createUsageSource } = await import("../usage/snapshot.ts");
  const source = await createUsageSource(context);
  try {
    return { ...(await source.localUsage()), history: source.samples.since(now() - MONTH_MS) };
  } finally {
    source.close();
  }
}

const MONTH_MS = 31 * DAY_MS;
