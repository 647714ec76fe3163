/** What every command works with: streams, settings, client and output, each made when it is first needed. */
import type { z } from "zod";
import { UsageError } from "../base/errors.ts";
import type { Json } from "../base/json.ts";
import type { Column } from "../catalogue/endpoint.ts";
import type { Client, ClientEvent } from "../client/index.ts";
import type { Settings } from "../config/index.ts";
import type { Content, Format, OutputOptions, Sink } from "../output/index.ts";
import { type Globals, SETTING_FLAGS } from "./globals.ts";
import { traceLine } from "./trace.ts";

/** The world outside the program, so that tests can give another one. */
export interface Io {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly version: string;
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Fires when the user or the system wants the program to stop. */
  readonly signal: AbortSignal;
}

/** How an answer is to be shown; the schema is only loaded for formats that need it. */
export interface Shown {
  readonly entity?: () => Promise<z.ZodType>;
  readonly columns?: readonly Column[];
}

const FORMATS_WITHOUT_SCHEMA: readonly Format[] = ["json", "ndjson", "yaml"];

/** One run of the program. */
export class Frame {
  readonly io: Io;
  globals: Globals = {};
  #settings: Promise<Settings> | undefined;
  #client: Promise<Client> | undefined;
  #sinks = new Map<NodeJS.WriteStream, Promise<Sink>>();

  constructor(io: Io) {
    this.io = io;
  }

  /** The settings of this run; problems that do not stop it are told once. */
  settings(): Promise<Settings> {
    this.#settings ??= this.#loadSettings();
    return this.#settings;
  }

  async #loadSettings(): Promise<Settings> {
    const { loadSettings } = await import("../config/index.ts");
    const flags = Object.fromEntries(SETTING_FLAGS.map((name) => [name, flagValue(this.globals, name)]));
    const settings = await loadSettings({
      flags: { ...flags, "api-key": this.globals.apiKey },
      env: this.io.env,
      verbose: this.globals.verbose === true,
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
    const settings = await this.settings();
    const { createClient } = await import("../client/index.ts");
    const { clientOptions } = await import("./client-options.ts");
    return createClient({
      ...(await clientOptions(settings, this)),
      ...(await this.#listener()),
    });
  }

  /** `-v` traces everything; a person at a terminal is told of waits alone. */
  async #listener(): Promise<{ onEvent?: (event: ClientEvent) => void }> {
    const verbose = this.globals.verbose === true;
    if (!verbose && (!this.io.stderr.isTTY || this.globals.quiet)) return {};
    return {
      onEvent: (event) => {
        const line = traceLine(event, verbose);
        if (line !== undefined) this.io.stderr.write(`${line}\n`);
      },
    };
  }

  /** Closes what was opened. */
  async close(): Promise<void> {
    await (await this.#client)?.close();
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
    return this.io.stdout.isTTY && jq === undefined ? "table" : "json";
  }

  /** Everything that output needs to know beside the content. */
  async outputOptions(): Promise<OutputOptions> {
    const { useColor, widthOf, parseColumns } = await import("../output/index.ts");
    const settings = await this.settings();
    const { stdout, env, now } = this.io;
    const { fields, columns, jq } = this.globals;
    const time = settings.get("time");
    return {
      format: await this.format(),
      width: widthOf({ columns: stdout.columns, env }),
      color: useColor({ flag: settings.get("color"), env, isTTY: stdout.isTTY === true }),
      tty: stdout.isTTY === true,
      now: now(),
      ...(fields === undefined ? {} : { fields: fields.split(",").map((path) => path.trim()) }),
      ...(columns === undefined ? {} : { columns: parseColumns(columns) }),
      ...(jq === undefined ? {} : { jq }),
      ...(time === undefined ? {} : { time }),
      ...(env.TZ === undefined ? {} : { timeZone: env.TZ }),
    };
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
    const pages = (async function* () {
      yield rows;
    })();
    await this.print({ kind: "rows", pages }, shown);
  }

  /** Writes plain text to standard output. */
  async text(text: string): Promise<void> {
    await (await this.#sink(this.io.stdout)).write(text);
  }

  /** Tells a person something on standard error; scripts and `--quiet` do not hear it. */
  async hint(text: string): Promise<void> {
    if (this.io.stderr.isTTY) await this.note(text);
  }

  /** Writes a line to standard error unless `--quiet`. */
  async note(text: string): Promise<void> {
    if (this.globals.quiet) return;
    const { safeText } = await import("../output/index.ts");
    await (await this.#sink(this.io.stderr)).write(`solx: ${safeText(text)}\n`);
  }

  #sink(stream: NodeJS.WriteStream): Promise<Sink> {
    let sink = this.#sinks.get(stream);
    if (!sink) {
      sink = import("../output/index.ts").then(({ streamSink }) => streamSink(stream));
      this.#sinks.set(stream, sink);
    }
    return sink;
  }
}

function flagValue(globals: Globals, name: string): string | undefined {
  const key = name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
  const value = (globals as Readonly<Record<string, unknown>>)[key];
  return typeof value === "string" ? value : undefined;
}
