/** What every command works with: streams, settings, client and output, each created when it is first needed. */
import type { Command } from "commander";
import type { z } from "zod";
import type { Json } from "../../base/json.ts";
import type { Column } from "../../catalogue/endpoint.ts";
import type { Client, ClientOptions, RateLimitStatus } from "../../client/index.ts";
import { type LoadOptions, loadSettings, type Settings } from "../../config/index.ts";
import {
  type Content,
  type Format,
  formatInfo,
  getStreamSink,
  type OutputOptions,
  type Sink,
  type StreamSink,
  write,
} from "../../output/index.ts";
import { type GlobalOptions, settingOverrides } from "../options/global-options.ts";
import type { Io } from "./io.ts";
import { Reporter } from "./reporter.ts";

/** How a value is displayed; the schema is loaded only for formats that need it. */
export interface DisplayOptions {
  readonly entity?: () => Promise<z.ZodType>;
  readonly columns?: readonly Column[];
}

/** Another destination than standard output, or options that differ there. */
export interface Destination {
  readonly sink?: Sink;
  readonly options: Partial<OutputOptions>;
}

/** What a command does with settings: it may create a profile, change the file, or concern the sandbox only. */
export interface SettingsUse {
  readonly newProfile?: boolean;
  readonly changesFile?: boolean;
  readonly sandbox?: boolean;
}

/** One invocation of the program. */
export class RunContext {
  readonly io: Io;
  /** Writes to standard error. */
  readonly reporter: Reporter;
  /** The options that every command takes, as they were parsed. */
  globals: GlobalOptions = {};
  /** The command that the command line leads to, as far as it is parsed. */
  command: Command | undefined;
  /** Whether help includes all flags. */
  showsCompleteHelp = false;
  /** Whether the work continues until it is stopped: its output is then flushed although the run was aborted. */
  runsUntilStopped = false;
  /** Whether output is for people, in a pipe too. */
  forHumans = false;
  /** The exit code of a run that did not fail, whose outcome has its own code. */
  exitCode: number | undefined;
  /** Age in seconds of the oldest answer that came from the cache. */
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
  }

  /** Returns the settings of this run; reports problems that do not stop it once. */
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

  /** Returns what the settings of this run are loaded from. */
  async settingsOptions({ newProfile = false, sandbox = false }: SettingsUse = {}): Promise<LoadOptions> {
    return {
      flags: { ...settingOverrides(this.globals), "api-key": this.globals.apiKey },
      env: this.io.env,
      verbose: this.globals.verbose === true,
      newProfile,
      sandbox: sandbox || this.globals.sandbox === true,
    };
  }

  /** Uses settings that were loaded elsewhere as those of this run. */
  useSettings(settings: Settings): void {
    this.#settings = Promise.resolve(settings);
  }

  /** Returns the client of this run. */
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

  /** Creates a separate client for a key; `overrides` precede the settings. The caller closes it. */
  async clientFor(
    settings: Settings,
    key: string | undefined,
    overrides: Partial<ClientOptions> = {},
  ): Promise<Client> {
    const { createClient } = await import("../../client/index.ts");
    const { clientOptions } = await import("./client-options.ts");
    const options = { ...(await clientOptions(settings, this, key)), ...overrides };
    this.#latestClient = createClient({ ...options, key, onEvent: this.reporter.clientEventHandler() });
    return this.#latestClient;
  }

  /** Returns what remains of the rate limit of the client created last, as far as known. */
  remainingRequests(): RateLimitStatus | undefined {
    return this.#latestClient?.budget()?.remaining();
  }

  /** Registers something to close when the run is over. */
  onClose(close: () => Promise<void>): void {
    this.#closers.push(close);
  }

  /** Closes everything that was opened; a client that could not be created has been reported. */
  async close(): Promise<void> {
    await this.reporter.flush();
    await (await this.#client?.catch(() => undefined))?.close();
    await Promise.all(this.#closers.map((close) => close()));
  }

  /**
   * Returns the clock of this run, in milliseconds since the epoch: the system's, or one that starts where the time of
   * a sandbox ends, in process or on a local server.
   */
  clock(): Promise<() => number> {
    this.#clock ??= this.#createClock();
    return this.#clock;
  }

  async #createClock(): Promise<() => number> {
    const { now } = this.io;
    const settings = await this.settings();
    if (settings.resolve("sandbox-now").value === undefined) return now;
    if (!settings.sandbox && !(await isLocal(settings.get("base-url-v2")))) return now;
    const { sandboxTime: momentOfSandbox } = await import("../sandbox/world.ts");
    const start = now();
    const offset = (momentOfSandbox(settings, start) ?? start / 1000) * 1000 - start;
    return () => now() + offset;
  }

  /** Returns the output format. */
  async format(): Promise<Format> {
    return (await import("./output-options.ts")).resolveFormat(this);
  }

  /** Returns everything that output needs beside the content. */
  outputOptions(): Promise<OutputOptions> {
    this.#output ??= import("./output-options.ts").then(({ resolveOutputOptions }) => resolveOutputOptions(this));
    return this.#output;
  }

  /** Writes content in the format of this run, to standard output unless another destination is given. */
  async print(content: Content, display: DisplayOptions = {}, to?: Destination): Promise<{ rows: number }> {
    const options = { ...(await this.outputOptions()), ...to?.options };
    const needsSchema =
      formatInfo(options.format).isTabular || options.fields !== undefined || options.columns !== undefined;
    const entity = needsSchema ? await display.entity?.() : undefined;
    const view = { ...(entity && { entity }), ...(display.columns && { columns: display.columns }) };
    const result = await write(content, view, options, to?.sink ?? (await this.#openStdout()));
    for (const text of result.notes) await this.reporter.note(text);
    return { rows: result.rows };
  }

  /** Prints one value as an object. */
  async printObject(value: Json, display?: DisplayOptions): Promise<void> {
    await this.print({ kind: "object", value }, display);
  }

  /** Prints a list that is complete. */
  async printRows(rows: readonly Json[], display?: DisplayOptions): Promise<void> {
    await this.print({ kind: "object", value: rows }, display);
  }

  /** Writes text, or bytes unchanged, to standard output. */
  async printText(text: string | Uint8Array): Promise<void> {
    await (await this.#openStdout()).write(text);
  }

  async #openStdout(): Promise<StreamSink> {
    this.#stdout ??= getStreamSink(this.io.stdout);
    return this.#stdout;
  }

  /** Waits until everything printed has left the process. */
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
