/** What every command works with: streams, settings, client and output, each made when it is first needed. */
import type { z } from "zod";
import { SolxError } from "../../base/errors.ts";
import type { Json } from "../../base/json.ts";
import type { Column } from "../../catalogue/endpoint.ts";
import type { Client, ClientEvent, ClientOptions, RateLimiter } from "../../client/index.ts";
import type { LoadOptions, Settings } from "../../config/index.ts";
import type { Content, Format, OutputOptions, Sink, StreamSink } from "../../output/index.ts";
import type { Globals } from "../options/global-options.ts";
import type { Io } from "./io.ts";
import { formatOf, outputOptionsOf } from "./output-options.ts";
import { Reporter } from "./reporter.ts";
import { traceLine, waitsWorthTelling } from "./trace.ts";

/** How an answer is to be shown; the schema is only loaded for formats that need it. */
export interface DisplayOptions {
  readonly entity?: () => Promise<z.ZodType>;
  readonly columns?: readonly Column[];
}

/** Another place than standard output, or what is different there. */
export interface Destination {
  readonly sink?: Sink;
  readonly options: Partial<OutputOptions>;
}

/** What a command does with settings: it may make a profile, change their file, or be about the sandbox alone. */
export interface SettingsUse {
  readonly newProfile?: boolean;
  readonly changesFile?: boolean;
  readonly sandbox?: boolean;
}

const FORMATS_WITHOUT_SCHEMA: readonly Format[] = ["json", "ndjson", "yaml"];

/** One run of the program. */
export class RunContext {
  readonly io: Io;
  /** What goes to standard error in passing. */
  readonly reporter: Reporter;
  globals: Globals = {};
  /** Whether status and headers of answers are told on standard error. */
  tellsAnswers = false;
  /** Whether the work was to go on until it is stopped: then what it wrote is waited for all the same. */
  runsUntilStopped = false;
  /** Whether people are to read what is printed, in a pipe too. */
  forHumans = false;
  /** What is to be done when the run is over. */
  readonly endings: (() => Promise<void>)[] = [];
  /** The exit code of a run that did not fail, where its outcome has one of its own. */
  exitCode: number | undefined;
  /** Takes the words of how far long work has come, where there is another place for them than standard error. */
  tellProgress: ((printText: string) => void) | undefined;
  /** Seconds since the oldest answer came that was taken from the cache. */
  oldestCachedAge: number | undefined;
  #settings: Promise<Settings> | undefined;
  #client: Promise<Client> | undefined;
  #clock: Promise<() => number> | undefined;
  #output: Promise<OutputOptions> | undefined;
  #ready: Client | undefined;
  #sinks = new Map<NodeJS.WriteStream, Promise<StreamSink>>();

  constructor(io: Io) {
    this.io = io;
    this.reporter = new Reporter(io.stderr);
  }

  /** The settings of this run; problems that do not stop it are told once. */
  settings(how: SettingsUse = {}): Promise<Settings> {
    this.#settings ??= this.#loadSettings(how);
    return this.#settings;
  }

  async #loadSettings(how: SettingsUse): Promise<Settings> {
    const { loadSettings } = await import("../../config/index.ts");
    const settings = await loadSettings(await this.settingsOptions(how));
    // What keeps a file from being changed is a failure then, and not a warning before it as well.
    if (how.changesFile && settings.file.problem) throw settings.file.problem;
    for (const warning of settings.warnings) await this.note(`Warning: ${warning}`);
    return settings;
  }

  /** What the settings of this run are made from. */
  async settingsOptions({ newProfile = false, sandbox = false }: SettingsUse = {}): Promise<LoadOptions> {
    const { settingNames, settingOf } = await import("../../config/index.ts");
    const names = settingNames.filter((name) => settingOf(name).flag !== undefined);
    const flags = Object.fromEntries(names.map((name) => [name, flagValue(this.globals, name)]));
    return {
      flags: { ...flags, "api-key": this.globals.apiKey },
      env: this.io.env,
      verbose: this.globals.verbose === true,
      newProfile,
      sandbox: sandbox || this.globals.sandbox === true,
    };
  }

  /** Takes settings that were loaded elsewhere for those of this run. */
  useSettings(settings: Settings): void {
    this.#settings = Promise.resolve(settings);
  }

  /** The client of this run. */
  client(): Promise<Client> {
    this.#client ??= this.#makeClient();
    return this.#client;
  }

  async #makeClient(): Promise<Client> {
    // What cannot be printed is not asked for.
    await this.outputOptions();
    const settings = await this.settings();
    const key = this.globals.dryRun || this.globals.curl ? undefined : await settings.key(this.io.signal);
    for (const note of key?.notes ?? []) await this.note(note);
    return this.clientFor(settings, key?.value);
  }

  /** A client of its own for a key, with options that go before those of the settings; the caller closes it. */
  async clientFor(settings: Settings, key: string | undefined, other: Partial<ClientOptions> = {}): Promise<Client> {
    const { createClient } = await import("../../client/index.ts");
    const { clientOptions } = await import("./client-options.ts");
    const options = { ...(await clientOptions(settings, this, key)), ...other };
    this.#ready = createClient({ ...options, key, onEvent: this.#listener() });
    return this.#ready;
  }

  /** What is left of the budget of the client that was made last, as far as it is known. */
  remainingRequests(): ReturnType<RateLimiter["remaining"]> {
    return this.#ready?.budget()?.remaining();
  }

  /** `-v` traces everything; a person at a terminal is told of waits alone. */
  #listener(): (event: ClientEvent) => void {
    const verbose = this.globals.verbose === true;
    const isTold = verbose || this.tellsAnswers || (this.io.stderr.isTTY && !this.globals.quiet);
    const isNews = waitsWorthTelling();
    return (event) => {
      if (event.type === "warning") this.reporter.defer(() => this.note(event.text));
      const isShown = (this.reporter.emit(event) || !isNews(event, performance.now())) && !verbose;
      const line = isTold ? traceLine(event, verbose || (this.tellsAnswers && isAnswer(event))) : undefined;
      if (line !== undefined && !isShown) this.reporter.trace(line);
    };
  }

  /** Closes what was opened; a client that could not be made has been reported. */
  async close(): Promise<void> {
    await this.finish();
    await (await this.#client?.catch(() => undefined))?.close();
    await Promise.all(this.endings.map((end) => end()));
  }

  /** Waits until everything told so far is written. */
  async finish(): Promise<void> {
    await this.reporter.flush();
  }

  /**
   * The clock of this run, in milliseconds: the system's, or one that goes on from where the sandbox's time ends, in
   * process or on a server of this machine.
   */
  clock(): Promise<() => number> {
    this.#clock ??= this.#makeClock();
    return this.#clock;
  }

  async #makeClock(): Promise<() => number> {
    const { now } = this.io;
    const settings = await this.settings();
    if (settings.entry("sandbox-now").value === undefined) return now;
    if (!settings.sandbox && !(await isLocal(settings.get("base-url-v2")))) return now;
    const { momentOfSandbox } = await import("../sandbox/world.ts");
    const start = now();
    const ahead = (momentOfSandbox(settings, start) ?? start / 1000) * 1000 - start;
    return () => now() + ahead;
  }

  /** The output format. */
  format(): Promise<Format> {
    return formatOf(this);
  }

  /** Everything that output needs to know beside the content. */
  outputOptions(): Promise<OutputOptions> {
    this.#output ??= outputOptionsOf(this);
    return this.#output;
  }

  /** Writes content in the format of this run, to standard output unless another place is named. */
  async print(content: Content, shown: DisplayOptions = {}, to?: Destination): Promise<{ rows: number }> {
    const { write } = await import("../../output/index.ts");
    const options = { ...(await this.outputOptions()), ...to?.options };
    const needsSchema =
      !FORMATS_WITHOUT_SCHEMA.includes(options.format) || options.fields !== undefined || options.columns !== undefined;
    const entity = needsSchema ? await shown.entity?.() : undefined;
    const view = { ...(entity && { entity }), ...(shown.columns && { columns: shown.columns }) };
    const result = await write(content, view, options, to?.sink ?? (await this.#sink(this.io.stdout)));
    for (const printText of result.notes) await this.note(printText);
    return { rows: result.rows };
  }

  /** Prints one value as an object. */
  async printObject(value: Json, shown?: DisplayOptions): Promise<void> {
    await this.print({ kind: "object", value }, shown);
  }

  /** Prints a list that is already there. */
  async printRows(rows: readonly Json[], shown?: DisplayOptions): Promise<void> {
    await this.print({ kind: "object", value: rows }, shown);
  }

  /** Writes plain text, or bytes as they are, to standard output. */
  async printText(printText: string | Uint8Array): Promise<void> {
    await (await this.#sink(this.io.stdout)).write(printText);
  }

  /** Tells a person something on standard error; scripts and `--quiet` do not hear it. */
  async hint(printText: string): Promise<void> {
    if (this.io.stderr.isTTY) await this.note(printText);
  }

  /** Writes a line to standard error unless `--quiet`: a sentence for people, a JSON object for programs. */
  async note(printText: string): Promise<void> {
    if (!this.globals.quiet) await this.verdict(printText);
  }

  /** The same also with `--quiet`: the outcome of a check that was asked for. */
  async verdict(printText: string): Promise<void> {
    const { safeText } = await import("../../output/index.ts");
    const { machine } = await this.errorStyle();
    const line = machine ? JSON.stringify({ note: printText }) : `solx: ${safeText(printText)}`;
    const sink = await this.#sink(this.io.stderr);
    this.reporter.statusLine?.hide();
    // Where standard error cannot be written, the exit code still speaks.
    await sink.write(`${line}\n`).catch(() => {});
  }

  /** Waits until what was printed has left the process. */
  async flush(): Promise<void> {
    await this.finish();
    await (await this.#sinks.get(this.io.stdout))?.flush(this.runsUntilStopped ? undefined : this.io.signal);
    if (this.oldestCachedAge === undefined) return;
    await (await import("./cache-options.ts")).tellAge(this, this.oldestCachedAge);
  }

  /** Tells the failure of one item of many, while the others go on. */
  async itemError(input: string, error: SolxError): Promise<void> {
    const { formatError } = await import("../../output/index.ts");
    const { hint, status } = error;
    const told = new SolxError(
      error.exit,
      error.message.includes(input) ? error.message : `${input}: ${error.message}`,
      {
        code: error.code,
        retryable: error.retryable,
        ...(hint === undefined ? {} : { hint }),
        ...(status === undefined ? {} : { status }),
      },
    );
    this.reporter.write(formatError(told, { ...(await this.errorStyle()), input }));
  }

  /** How failures are told: to people with colour where it is wanted, to programs as JSON. */
  async errorStyle(): Promise<{ readonly color: boolean; readonly machine: boolean }> {
    const { shouldUseColor: useColor } = await import("../../output/index.ts");
    const { stderr, env, argv } = this.io;
    const asked = this.globals.json ? "json" : (this.globals.output ?? outputOption(argv) ?? env.SOLX_OUTPUT);
    return {
      color: useColor({ flag: this.globals.color, env, isTTY: stderr.isTTY === true }),
      machine: asked === "json" || asked === "ndjson" || (!stderr.isTTY && asked !== "table"),
    };
  }

  #sink(stream: NodeJS.WriteStream): Promise<StreamSink> {
    let sink = this.#sinks.get(stream);
    if (!sink) {
      sink = import("../../output/index.ts").then(({ getStreamSink: streamSink }) => streamSink(stream));
      this.#sinks.set(stream, sink);
    }
    return sink;
  }
}

/** The format asked for on a line that may not have been parsed. */
function outputOption(argv: readonly string[]): string | undefined {
  if (argv.includes("--json")) return "json";
  const at = argv.findIndex((word) => word === "-o" || word === "--output");
  return at >= 0 ? argv[at + 1] : argv.find((word) => word.startsWith("--output="))?.slice("--output=".length);
}

const isAnswer = ({ type }: ClientEvent) => type === "response" || type === "cached";

function flagValue(globals: Globals, name: string): string | undefined {
  const key = name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
  const value = (globals as Readonly<Record<string, unknown>>)[key];
  return typeof value === "string" ? value : undefined;
}

async function isLocal(url: string): Promise<boolean> {
  const { isLoopback } = await import("../../client/index.ts");
  return isLoopback(new URL(url).hostname);
}
