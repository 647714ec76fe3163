/** Creates the context of a run with its session. Everything is created when it is first needed. */
import type { Command } from "commander";
import type { RateLimitStatus } from "../../client/index.ts";
import { type LoadOptions, loadSettings, type Settings } from "../../config/index.ts";
import { shouldUseColor, type Theme } from "../../output/index.ts";
import type { ClientOptions, ConnectedClient } from "../../sources/index.ts";
import { type GlobalOptions, settingOverrides } from "../options/global-options.ts";
import type { Io, Outcome, Printer, RunContext, Session, SettingsUse } from "./context.ts";
import { sourceOf } from "./data-source.ts";
import { RunPrinter } from "./printer.ts";
import { Reporter } from "./reporter.ts";

/** Creates the context of a run. */
export const createContext = (io: Io): RunContext => new Context(io);

class Context implements RunContext {
  readonly io: Io;
  readonly reporter: Reporter;
  readonly session: Session = new RunSession(this);
  readonly printer: Printer = new RunPrinter(this);
  readonly outcome: Outcome = {};
  globals: GlobalOptions = {};
  command: Command | undefined;
  onRoute: RunContext["onRoute"];
  runLine: RunContext["runLine"];

  constructor(io: Io) {
    this.io = io;
    this.reporter = new Reporter(io, () => this.globals);
    this.reporter.theme = () => this.#loadErrorTheme();
  }

  async #loadErrorTheme(): Promise<Theme | undefined> {
    const { env, stderr } = this.io;
    const settings = await this.session.loadedSettings();
    const flag = this.globals.color ?? settings?.get("color");
    if (!shouldUseColor({ flag, env, isTTY: stderr.isTTY === true })) return undefined;
    const { themeOfStream } = await import("./theme.ts");
    try {
      return themeOfStream({ env, settings }, stderr).styles;
    } catch {
      // The theme itself may be the error.
      return themeOfStream({ env, settings: undefined }, stderr).styles;
    }
  }
}

class RunSession implements Session {
  readonly #context: RunContext;
  readonly #closers: (() => Promise<void>)[] = [];
  #settings: Promise<Settings> | undefined;
  #client: Promise<ConnectedClient> | undefined;
  #clock: Promise<() => number> | undefined;
  #latestClient: ConnectedClient | undefined;

  constructor(context: RunContext) {
    this.#context = context;
  }

  settings(use: SettingsUse = {}): Promise<Settings> {
    this.#settings ??= this.#loadSettings(use);
    return this.#settings;
  }

  async #loadSettings(use: SettingsUse): Promise<Settings> {
    const settings = await loadSettings(this.settingsOptions(use));
    // A problem that prevents a change of the file is an error, without a warning before it.
    if (use.changesFile && settings.file.problem) throw settings.file.problem;
    const oldEntry = settings.oldEntry();
    if (oldEntry && !use.changesFile) throw oldEntry;
    for (const warning of settings.warnings) await this.#context.reporter.note(`Warning: ${warning}`);
    return settings;
  }

  async loadedSettings(): Promise<Settings | undefined> {
    return this.#settings?.catch(() => undefined);
  }

  settingsOptions({ newProfile = false, sandbox = false, source }: SettingsUse = {}): LoadOptions {
    const { globals, io } = this.#context;
    return {
      flags: settingOverrides(globals),
      env: io.env,
      verbose: globals.verbose === true,
      newProfile,
      source,
      sandbox: sandbox || globals.sandbox === true,
    };
  }

  useSettings(settings: Settings): void {
    this.#settings = Promise.resolve(settings);
  }

  client(): Promise<ConnectedClient> {
    this.#client ??= this.#createClient();
    return this.#client;
  }

  async #createClient(): Promise<ConnectedClient> {
    const { printer, globals, io, reporter } = this.#context;
    // Output that cannot be printed is refused before anything is requested.
    await printer.options();
    const settings = await this.settings();
    const key = globals.dryRun || globals.curl ? undefined : await settings.key(io.signal);
    for (const note of key?.notes ?? []) await reporter.note(note);
    return this.clientFor(settings, key?.value);
  }

  async clientFor(
    settings: Settings,
    key: string | undefined,
    overrides: Partial<ClientOptions> = {},
  ): Promise<ConnectedClient> {
    const { reporter } = this.#context;
    reporter.savedKey = key;
    const { createClient } = await import("../../sources/index.ts");
    const { clientOptions } = await import("./client-options.ts");
    const options = { ...(await clientOptions(settings, this.#context, key)), ...overrides };
    this.#latestClient = createClient({ ...options, key, onEvent: reporter.clientEventHandler() });
    return this.#latestClient;
  }

  remainingRequests(): RateLimitStatus | undefined {
    return this.#latestClient?.rateLimiter()?.remaining();
  }

  clock(): Promise<() => number> {
    this.#clock ??= this.#createClock();
    return this.#clock;
  }

  async #createClock(): Promise<() => number> {
    const { now } = this.#context.io;
    const settings = await this.settings();
    if (settings.resolve("sandbox-now").value === undefined) return now;
    const { facts } = sourceOf(settings);
    const mayBeSandbox = facts.key === "required" && (await isLocal(settings.get("base-url-v2")));
    if (!facts.isSimulated && !mayBeSandbox) return now;
    const { sandboxTime: momentOfSandbox } = await import("../sandbox/world.ts");
    const start = now();
    const offset = (momentOfSandbox(settings, start) ?? start / 1000) * 1000 - start;
    return () => now() + offset;
  }

  onClose(close: () => Promise<void>): void {
    this.#closers.push(close);
  }

  async close(): Promise<void> {
    await this.#context.reporter.flush();
    await (await this.#client?.catch(() => undefined))?.close();
    await Promise.all(this.#closers.map((close) => close()));
  }
}

async function isLocal(url: string): Promise<boolean> {
  const { isLoopback } = await import("../../client/index.ts");
  return isLoopback(new URL(url).hostname);
}
