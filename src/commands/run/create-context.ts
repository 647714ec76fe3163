/** Creates the context of a run; everything in it is created when it is first needed. */
import type { Command } from "commander";
import type { Json } from "../../base/index.ts";
import { type Column, nodeSupportOf } from "../../catalogue/index.ts";
import type { Client, ClientOptions, RateLimitStatus } from "../../client/index.ts";
import { type LoadOptions, loadSettings, type Settings } from "../../config/index.ts";
import {
  type Content,
  type Format,
  formatInfo,
  getStreamSink,
  type OutputOptions,
  type StreamSink,
  shouldUseColor,
  supportsUnicode,
  type Theme,
  toAscii,
  write,
} from "../../output/index.ts";
import { type GlobalOptions, settingOverrides } from "../options/parsed-options.ts";
import type { Destination, DisplayOptions, RunContext, SettingsUse } from "./context.ts";
import type { Io } from "./io.ts";
import { Reporter } from "./reporter.ts";

/** Creates the context of a run. */
export const createContext = (io: Io): RunContext => new Context(io);

class Context implements RunContext {
  readonly io: Io;
  readonly reporter: Reporter;
  globals: GlobalOptions = {};
  command: Command | undefined;
  showsCompleteHelp = false;
  runsUntilStopped = false;
  forHumans = false;
  exitCode: number | undefined;
  nextArguments: RunContext["nextArguments"];
  onRoute: RunContext["onRoute"];
  runLine: RunContext["runLine"];
  oldestCachedAge: number | undefined;
  readonly #closers: (() => Promise<void>)[] = [];
  #settings: Promise<Settings> | undefined;
  #client: Promise<Client> | undefined;
  #clock: Promise<() => number> | undefined;
  #output: Promise<OutputOptions> | undefined;
  #latestClient: Client | undefined;
  #stdout: StreamSink | undefined;

  constructor(io: Io) {
    this.io = io;
    this.reporter = new Reporter(io, () => this.globals);
    this.reporter.theme = () => this.#errorTheme();
  }

  settings(use: SettingsUse = {}): Promise<Settings> {
    this.#settings ??= this.#loadSettings(use);
    return this.#settings;
  }

  async #loadSettings(use: SettingsUse): Promise<Settings> {
    const settings = await loadSettings(await this.settingsOptions(use));
    // A problem that prevents a change of the file is an error, without a warning before it.
    if (use.changesFile && settings.file.problem) throw settings.file.problem;
    for (const warning of settings.warnings) await this.reporter.note(`Warning: ${warning}`);
    return settings;
  }

  async settingsOptions({ newProfile = false, sandbox = false, source }: SettingsUse = {}): Promise<LoadOptions> {
    return {
      flags: { ...settingOverrides(this.globals), "api-key": this.globals.apiKey },
      env: this.io.env,
      verbose: this.globals.verbose === true,
      newProfile,
      source,
      sandbox: sandbox || this.globals.sandbox === true,
    };
  }

  async #errorTheme(): Promise<Theme | undefined> {
    const { env, stderr } = this.io;
    const settings = await this.#settings?.catch(() => undefined);
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

  useSettings(settings: Settings): void {
    this.#settings = Promise.resolve(settings);
  }

  client(): Promise<Client> {
    this.#client ??= this.#createClient();
    return this.#client;
  }

  async #createClient(): Promise<Client> {
    // Output that cannot be printed is refused before anything is requested.
    await this.outputOptions();
    const settings = await this.settings();
    const key = this.globals.dryRun || this.globals.curl ? undefined : await settings.key(this.io.signal);
    for (const note of key?.notes ?? []) await this.reporter.note(note);
    return this.clientFor(settings, key?.value);
  }

  async clientFor(
    settings: Settings,
    key: string | undefined,
    overrides: Partial<ClientOptions> = {},
  ): Promise<Client> {
    this.reporter.savedKey = key;
    const { createClient } = await import("../../client/index.ts");
    const { clientOptions } = await import("./client-options.ts");
    const options = { ...(await clientOptions(settings, this, key)), ...overrides };
    this.#latestClient = createClient({ ...options, key, onEvent: this.reporter.clientEventHandler() });
    return this.#latestClient;
  }

  remainingRequests(): RateLimitStatus | undefined {
    return this.#latestClient?.budget()?.remaining();
  }

  onClose(close: () => Promise<void>): void {
    this.#closers.push(close);
  }

  async close(): Promise<void> {
    await this.reporter.flush();
    await (await this.#client?.catch(() => undefined))?.close();
    await Promise.all(this.#closers.map((close) => close()));
  }

  clock(): Promise<() => number> {
    this.#clock ??= this.#createClock();
    return this.#clock;
  }

  async #createClock(): Promise<() => number> {
    const { now } = this.io;
    const settings = await this.settings();
    if (settings.resolve("sandbox-now").value === undefined) return now;
    if (settings.source === "rpc" || settings.source === "index") return now;
    if (!settings.sandbox && !(await isLocal(settings.get("base-url-v2")))) return now;
    const { sandboxTime: momentOfSandbox } = await import("../sandbox/world.ts");
    const start = now();
    const offset = (momentOfSandbox(settings, start) ?? start / 1000) * 1000 - start;
    return () => now() + offset;
  }

  async format(): Promise<Format> {
    return (await import("./output-options.ts")).resolveFormat(this);
  }

  outputOptions(): Promise<OutputOptions> {
    this.#output ??= import("./output-options.ts").then(({ resolveOutputOptions }) => resolveOutputOptions(this));
    return this.#output;
  }

  async print(content: Content, display: DisplayOptions = {}, to?: Destination): Promise<{ rows: number }> {
    const own = await this.outputOptions();
    const options = { ...own, ...to?.options };
    const needsSchema =
      formatInfo(own.format).isTabular || own.textNumbers || (own.fields ?? own.columns ?? own.sortBy) !== undefined;
    const entity = needsSchema ? await display.entity?.() : undefined;
    const columns = await this.#shownColumns(display);
    const { identifier } = display;
    const view = { ...(entity && { entity }), ...(columns && { columns }), ...(identifier && { identifier }) };
    to?.onSchema?.(view);
    const result = await write(content, view, options, to?.sink ?? (await this.#openStdout()));
    for (const text of result.notes) await this.reporter.note(text);
    return { rows: result.rows };
  }

  /** Returns the columns of a table, without those of fields that a Solana node does not know. */
  async #shownColumns({ columns, endpoint }: DisplayOptions): Promise<readonly Column[] | undefined> {
    if (!columns || !endpoint || (await this.settings()).source !== "rpc") return columns;
    const { missing = [] } = nodeSupportOf(endpoint);
    const isMissing = (path: string) => missing.some((field) => path === field || path.startsWith(`${field}.`));
    const pathsOf = (column: Column) => (typeof column === "string" ? column : column.path).split("|");
    return columns.filter((column) => !pathsOf(column).every(isMissing));
  }

  async printObject(value: Json, display?: DisplayOptions): Promise<void> {
    await this.print({ kind: "object", value }, display);
  }

  async printRows(rows: readonly Json[], display?: DisplayOptions): Promise<void> {
    await this.print({ kind: "object", value: rows }, display);
  }

  async printText(text: string | Uint8Array): Promise<void> {
    const { stdout, env } = this.io;
    const isAsciiOnly = stdout.isTTY === true && !supportsUnicode(env);
    await (await this.#openStdout()).write(isAsciiOnly && typeof text === "string" ? toAscii(text) : text);
  }

  async #openStdout(): Promise<StreamSink> {
    this.#stdout ??= getStreamSink(this.io.stdout);
    return this.#stdout;
  }

  async flush(): Promise<void> {
    await this.reporter.flush();
    await this.#stdout?.flush(this.runsUntilStopped ? undefined : this.io.signal);
    if (this.oldestCachedAge === undefined) return;
    await (await import("./cache-options.ts")).noteCacheAge(this, this.oldestCachedAge);
  }
}

async function isLocal(url: string): Promise<boolean> {
  const { isLoopback } = await import("../../client/index.ts");
  return isLoopback(new URL(url).hostname);
}
