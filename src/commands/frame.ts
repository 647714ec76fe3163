/** What every command works with: streams, settings, client and output, each made when it is first needed. */
import type { z } from "zod";
import { SolxError, UsageError } from "../base/errors.ts";
import type { Json } from "../base/json.ts";
import type { Column } from "../catalogue/endpoint.ts";
import type { Client, ClientEvent } from "../client/index.ts";
import type { Settings } from "../config/index.ts";
import type { Content, Format, OutputOptions, StreamSink } from "../output/index.ts";
import type { Globals } from "./globals.ts";
import type { Io } from "./io.ts";
import { traceLine } from "./trace.ts";

/** How an answer is to be shown; the schema is only loaded for formats that need it. */
export interface Shown {
  readonly entity?: () => Promise<z.ZodType>;
  readonly columns?: readonly Column[];
}

/** What a command does with settings: it may make a profile, or be about the sandbox alone. */
export interface SettingsUse {
  readonly newProfile?: boolean;
  readonly sandbox?: boolean;
}

const FORMATS_WITHOUT_SCHEMA: readonly Format[] = ["json", "ndjson", "yaml"];

/** One run of the program. */
export class Frame {
  readonly io: Io;
  globals: Globals = {};
  /** Whether status and headers of answers are told on standard error. */
  tellsAnswers = false;
  /** Whether the work was to go on until it is stopped: then what it wrote is waited for all the same. */
  served = false;
  #settings: Promise<Settings> | undefined;
  #client: Promise<Client> | undefined;
  #clock: Promise<() => number> | undefined;
  #output: Promise<OutputOptions> | undefined;
  #traces: Promise<void> = Promise.resolve();
  #sinks = new Map<NodeJS.WriteStream, Promise<StreamSink>>();

  constructor(io: Io) {
    this.io = io;
  }

  /** The settings of this run; problems that do not stop it are told once. */
  settings(how: SettingsUse = {}): Promise<Settings> {
    this.#settings ??= this.#loadSettings(how);
    return this.#settings;
  }

  async #loadSettings({ newProfile = false, sandbox = false }: SettingsUse): Promise<Settings> {
    const { loadSettings, settingNames, settingOf } = await import("../config/index.ts");
    const names = settingNames.filter((name) => settingOf(name).flag !== undefined);
    const flags = Object.fromEntries(names.map((name) => [name, flagValue(this.globals, name)]));
    const settings = await loadSettings({
      flags: { ...flags, "api-key": this.globals.apiKey },
      env: this.io.env,
      verbose: this.globals.verbose === true,
      newProfile,
      sandbox: sandbox || this.globals.sandbox === true,
    });
    for (const warning of settings.warnings) await this.note(`Warning: ${warning}`);
    return settings;
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

  /** A client of its own for a key; the caller closes it. */
  async clientFor(settings: Settings, key: string | undefined): Promise<Client> {
    const { createClient } = await import("../client/index.ts");
    const { clientOptions } = await import("./client-options.ts");
    return createClient({ ...(await clientOptions(settings, this)), key, ...this.#listener() });
  }

  /** `-v` traces everything; a person at a terminal is told of waits alone. */
  #listener(): { onEvent?: (event: ClientEvent) => void } {
    const verbose = this.globals.verbose === true;
    if (!verbose && !this.tellsAnswers && (!this.io.stderr.isTTY || this.globals.quiet)) return {};
    return {
      onEvent: (event) => {
        const line = traceLine(event, verbose || (this.tellsAnswers && event.type === "response"));
        if (line !== undefined) this.#trace(line);
      },
    };
  }

  /** Traces come from servers too: each line is made safe on its own. */
  #trace(text: string): void {
    this.#traces = this.#traces.then(async () => {
      const { safeText } = await import("../output/index.ts");
      for (const line of text.split("\n")) this.io.stderr.write(`${safeText(line)}\n`);
    });
  }

  /** Closes what was opened; a client that could not be made has been reported. */
  async close(): Promise<void> {
    await this.finish();
    await (await this.#client?.catch(() => undefined))?.close();
  }

  /** Waits until everything told so far is written. */
  async finish(): Promise<void> {
    await this.#traces;
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
    const { momentOfSandbox } = await import("./sandbox-world.ts");
    const start = now();
    const ahead = (momentOfSandbox(settings, start) ?? start / 1000) * 1000 - start;
    return () => now() + ahead;
  }

  /** The output format: what was asked for, else a table on a terminal and JSON in a pipe. */
  async format(): Promise<Format> {
    const { json, output, jq } = this.globals;
    if (json && output !== undefined && output !== "json") {
      throw new UsageError(`--json and --output ${output} contradict each other.`, { hint: "Give one of them." });
    }
    if (json) return "json";
    const chosen = (await this.settings()).get("output");
    if (chosen !== undefined && (output !== undefined || jq === undefined)) return chosen;
    const { isTerminal } = await import("../output/index.ts");
    const { env, stdout } = this.io;
    return isTerminal({ env, isTTY: stdout.isTTY === true }) && jq === undefined ? "table" : "json";
  }

  /** Everything that output needs to know beside the content. */
  outputOptions(): Promise<OutputOptions> {
    this.#output ??= this.#outputOptions();
    return this.#output;
  }

  async #outputOptions(): Promise<OutputOptions> {
    const { checkOptions, checkProgram, isTerminal, useColor, widthOf, parseColumns, parseFields } = await import(
      "../output/index.ts"
    );
    const settings = await this.settings();
    const { stdout, env } = this.io;
    const { fields, columns, jq } = this.globals;
    const time = settings.get("time");
    const options: OutputOptions = {
      format: await this.format(),
      width: widthOf({ columns: stdout.columns, env, isTTY: stdout.isTTY === true }),
      color: useColor({ flag: settings.get("color"), env, isTTY: stdout.isTTY === true }),
      tty: isTerminal({ env, isTTY: stdout.isTTY === true }),
      now: (await this.clock())(),
      signal: this.io.signal,
      ...(fields === undefined ? {} : { fields: parseFields(fields) }),
      ...(columns === undefined ? {} : { columns: parseColumns(columns) }),
      ...(jq === undefined ? {} : { jq }),
      ...(time === undefined ? {} : { time }),
    };
    checkOptions(options);
    if (jq !== undefined) await checkProgram(jq, this.io.signal);
    return options;
  }

  /** Writes content to standard output in the format of this run. */
  async print(content: Content, shown: Shown = {}): Promise<{ rows: number }> {
    const { write } = await import("../output/index.ts");
    const options = await this.outputOptions();
    const needsSchema =
      !FORMATS_WITHOUT_SCHEMA.includes(options.format) || options.fields !== undefined || options.columns !== undefined;
    const entity = needsSchema ? await shown.entity?.() : undefined;
    const view = { ...(entity && { entity }), ...(shown.columns && { columns: shown.columns }) };
    const result = await write(content, view, options, await this.#sink(this.io.stdout));
    for (const text of result.notes) await this.note(text);
    return { rows: result.rows };
  }

  /** Prints one value as an object. */
  async printObject(value: Json, shown?: Shown): Promise<void> {
    await this.print({ kind: "object", value }, shown);
  }

  /** Prints a list that is already there. */
  async printRows(rows: readonly Json[], shown?: Shown): Promise<void> {
    await this.print({ kind: "object", value: rows }, shown);
  }

  /** Writes plain text, or bytes as they are, to standard output. */
  async text(text: string | Uint8Array): Promise<void> {
    await (await this.#sink(this.io.stdout)).write(text);
  }

  /** Tells a person something on standard error; scripts and `--quiet` do not hear it. */
  async hint(text: string): Promise<void> {
    if (this.io.stderr.isTTY) await this.note(text);
  }

  /** Writes a line to standard error unless `--quiet`: a sentence for people, a JSON object for programs. */
  async note(text: string): Promise<void> {
    if (this.globals.quiet) return;
    const { safeText } = await import("../output/index.ts");
    const { machine } = await this.errorStyle();
    const line = machine ? JSON.stringify({ note: text }) : `solx: ${safeText(text)}`;
    await (await this.#sink(this.io.stderr)).write(`${line}\n`);
  }

  /** Waits until what was printed has left the process. */
  async flush(): Promise<void> {
    await this.finish();
    await (await this.#sinks.get(this.io.stdout))?.flush(this.served ? undefined : this.io.signal);
  }

  /** Tells the failure of one item of many, while the others go on. */
  async itemError(input: string, error: SolxError): Promise<void> {
    const { formatError } = await import("../output/index.ts");
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
    this.io.stderr.write(formatError(told, await this.errorStyle()));
  }

  /** How failures are told: to people with colour where it is wanted, to programs as JSON. */
  async errorStyle(): Promise<{ readonly color: boolean; readonly machine: boolean }> {
    const { useColor } = await import("../output/index.ts");
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
      sink = import("../output/index.ts").then(({ streamSink }) => streamSink(stream));
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

function flagValue(globals: Globals, name: string): string | undefined {
  const key = name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
  const value = (globals as Readonly<Record<string, unknown>>)[key];
  return typeof value === "string" ? value : undefined;
}

async function isLocal(url: string): Promise<boolean> {
  const { isLoopback } = await import("../client/index.ts");
  return isLoopback(new URL(url).hostname);
}
