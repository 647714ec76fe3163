/** The context of a run with its session and its standard output; everything is created when it is first needed. */

import type { Command } from "commander";
import { type Json, listWords, UsageError } from "../../base/index.ts";
import { type Column, isMissingField } from "../../catalogue/index.ts";
import type { RateLimitStatus } from "../../client/index.ts";
import { type LoadOptions, loadSettings, type Settings } from "../../config/index.ts";
import {
  type Content,
  checkOptions,
  checkProgram,
  createLinker,
  FORMAT_NAMES,
  type Format,
  formatInfo,
  formatOfFile,
  getStreamSink,
  isCompressedFile,
  isTable,
  isTerminal,
  type NameMode,
  type NameSource,
  type OutputOptions,
  parseFields,
  parseSortFields,
  type StreamSink,
  shouldUseColor,
  supportsLinks,
  supportsUnicode,
  type Theme,
  type TimeStyle,
  terminalWidth,
  toAscii,
  write,
} from "../../output/index.ts";
import type { ClientOptions, ConnectedClient } from "../../sources/index.ts";
import { type GlobalOptions, settingOverrides } from "../options/global-options.ts";
import type { Destination, DisplayOptions, Io, Outcome, Printer, RunContext, Session, SettingsUse } from "./context.ts";
import { sourceOf } from "./data-source.ts";
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
  onFollow: RunContext["onFollow"];
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
    for (const warning of settings.warnings) await this.#context.reporter.note(`Warning: ${warning}`);
    return settings;
  }

  async loadedSettings(): Promise<Settings | undefined> {
    return this.#settings?.catch(() => undefined);
  }

  settingsOptions({ allowsNewProfile = false, sandbox = false, source }: SettingsUse = {}): LoadOptions {
    const { globals, io } = this.#context;
    return {
      flags: settingOverrides(globals),
      env: io.env,
      verbose: globals.verbose === true,
      allowsNewProfile,
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
    const { reporter, outcome } = this.#context;
    reporter.savedKey = key;
    const notes = new Set<string>();
    reporter.onEvent((event) => {
      if (event.type !== "coverage" || notes.has(event.text)) return false;
      notes.add(event.text);
      outcome.missingHistory ??= event.text;
      reporter.defer(() => reporter.note(event.text, event.firstSlot === null ? {} : { firstSlot: event.firstSlot }));
      return false;
    });
    const { createClient } = await import("../../sources/index.ts");
    const { clientOptions } = await import("./client-options.ts");
    const options = { ...(await clientOptions(settings, this.#context, key, overrides.rpc)), ...overrides };
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

class RunPrinter implements Printer {
  isForPeople = false;
  readonly #context: RunContext;
  #options: Promise<OutputOptions> | undefined;
  #stdout: StreamSink | undefined;

  constructor(context: RunContext) {
    this.#context = context;
  }

  format(): Promise<Format> {
    return resolveFormat(this.#context);
  }

  options(): Promise<OutputOptions> {
    this.#options ??= resolveOutputOptions(this.#context);
    return this.#options;
  }

  async print(content: Content, display: DisplayOptions = {}, to?: Destination): Promise<{ rows: number }> {
    const own = await this.options();
    const options = { ...own, ...to?.options };
    const needsSchema = formatInfo(own.format).isTabular || own.textNumbers || (own.fields ?? own.sortBy) !== undefined;
    const entity = needsSchema ? await display.entity?.() : undefined;
    const columns = await this.#shownColumns(display);
    const { identifier } = display;
    const view = { ...(entity && { entity }), ...(columns && { columns }), ...(identifier && { identifier }) };
    to?.onSchema?.(view);
    const result = await write(content, view, options, to?.sink ?? (await this.#openStdout()));
    for (const text of result.notes) await this.#context.reporter.note(text);
    return { rows: result.rows };
  }

  /** Returns the columns of a table, without those of fields that the source does not know. */
  async #shownColumns({ columns, endpoint }: DisplayOptions): Promise<readonly Column[] | undefined> {
    if (!columns || !endpoint) return columns;
    const { missing } = sourceOf(await this.#context.session.settings()).supports(endpoint);
    if (missing.length === 0) return columns;
    const listPaths = (column: Column) => (typeof column === "string" ? column : column.path).split("|");
    return columns.filter((column) => !listPaths(column).every((path) => isMissingField(missing, path)));
  }

  async printObject(value: Json, display?: DisplayOptions): Promise<void> {
    await this.print({ kind: "object", value }, display);
  }

  async printRows(rows: readonly Json[], display?: DisplayOptions): Promise<void> {
    await this.print({ kind: "object", value: rows }, display);
  }

  async printText(text: string | Uint8Array): Promise<void> {
    const { stdout, env } = this.#context.io;
    const isAsciiOnly = stdout.isTTY === true && !supportsUnicode(env);
    await (await this.#openStdout()).write(isAsciiOnly && typeof text === "string" ? toAscii(text) : text);
  }

  async #openStdout(): Promise<StreamSink> {
    this.#stdout ??= getStreamSink(this.#context.io.stdout);
    return this.#stdout;
  }

  async flush(): Promise<void> {
    const { reporter, outcome, io } = this.#context;
    await reporter.flush();
    await this.#stdout?.flush(outcome.runsUntilStopped ? undefined : io.signal);
    if (outcome.oldestCachedAge === undefined) return;
    await (await import("./client-options.ts")).noteCacheAge(this.#context, outcome.oldestCachedAge);
  }
}

/** Returns the file of `--out`, if rows are written to it. */
function outputFile({ globals: { out, dryRun, curl } }: RunContext): string | undefined {
  return dryRun || curl ? undefined : out;
}

/** Returns what receives the output; a file is no terminal, whatever the environment says. */
function outputTarget(context: RunContext): {
  readonly env: Io["env"];
  readonly isTTY: boolean;
  readonly columns?: number;
} {
  const { env, stdout } = context.io;
  if (outputFile(context) !== undefined) return { env: {}, isTTY: false };
  return { env, isTTY: stdout.isTTY === true, columns: stdout.columns };
}

const EXTENSION = /\w\.[A-Za-z]\w{0,7}$/;

/**
 * Returns the output format: the requested one, that of the file name, or a table on a terminal and JSON elsewhere.
 * @throws UsageError for unknown file name extensions
 */
async function resolveFormat(context: RunContext): Promise<Format> {
  const { output, jq } = context.globals;
  const chosen = (await context.session.settings()).get("output");
  const file = output === undefined ? (outputFile(context) ?? "") : "";
  const named = formatOfFile(file);
  if (named !== undefined) return named;
  if (EXTENSION.test(file)) {
    throw new UsageError(`unknown format of the file "${file}" for --out`, {
      hint: `Select a format with -o: ${listWords(FORMAT_NAMES)}.`,
    });
  }
  // A followed list has no end, which a JSON document needs.
  const document = context.globals.follow === undefined || jq !== undefined ? "json" : "ndjson";
  if (chosen === "json" && output === undefined) return document;
  if (chosen !== undefined && (output !== undefined || jq === undefined)) return chosen;
  return (context.printer.isForPeople || isTerminal(outputTarget(context))) && jq === undefined ? "table" : document;
}

/** @throws UsageError where Parquet cannot be written */
function checkParquet(context: RunContext, format: Format, isTerminal: boolean): void {
  if (formatInfo(format).family !== "parquet") return;
  if (isTerminal) throw new UsageError("Parquet is not printed to a terminal.", { hint: "Add --out FILE." });
  if (isCompressedFile(outputFile(context) ?? "")) {
    throw new UsageError("A Parquet file cannot be compressed again.", { hint: "Remove .gz from the name." });
  }
}

/** Returns the time format: the table of a followed list is never relative to the start of the run. */
function resolveTimeStyle(
  { globals: { follow } }: RunContext,
  requested: TimeStyle | undefined,
  format: Format,
): TimeStyle | undefined {
  return follow !== undefined && isTable(format) && (requested ?? "relative") === "relative" ? "iso" : requested;
}

/** Returns what opens the names of tables; undefined for none. */
function openNames(context: RunContext, mode: NameMode): OutputOptions["names"] {
  if (mode === "off") return undefined;
  let source: Promise<NameSource> | undefined;
  return () => {
    source ??= import("../names/table-names.ts").then(({ openTableNames }) => openTableNames(context, mode));
    return source;
  };
}

/** Returns what adds links to tables; undefined for terminals and chains without. */
function chooseLinker(settings: Settings, env: Io["env"]): OutputOptions["link"] {
  const { cluster, isSimulated } = sourceOf(settings).facts;
  if (cluster === undefined || isSimulated || !supportsLinks(settings.get("links"), env)) return undefined;
  return cluster === "localnet" ? undefined : createLinker(cluster);
}

/** Returns everything that output needs beside the content. @throws UsageError for options that cannot be printed */
async function resolveOutputOptions(context: RunContext): Promise<OutputOptions> {
  const settings = await context.session.settings();
  const target = outputTarget(context);
  const { fields, jq, all, follow, sortBy, headers, rawText, dryRun, curl } = context.globals;
  const { signal } = context.io;
  const format = await resolveFormat(context);
  const time = resolveTimeStyle(context, settings.get("time"), format);
  const tty = isTerminal(target);
  checkParquet(context, format, tty);
  const color = shouldUseColor({ flag: settings.get("color"), ...target });
  const options: OutputOptions = {
    format,
    width: terminalWidth({ columns: undefined, ...target }),
    theme: color
      ? (await import("./theme.ts")).themeOfStream({ env: target.env, settings }, context.io.stdout).styles
      : undefined,
    isTerminal: tty,
    unicode: (!tty && !isTable(format)) || supportsUnicode(target.env),
    // Long lists stay plain: they are drawn fastest, and their end is far from their first line.
    tableStyle: settings.get("table-style") ?? (tty && !all && follow === undefined ? "auto" : "plain"),
    now: (await context.session.clock())(),
    signal,
    names: isTable(format) ? openNames(context, settings.get("names") ?? (tty ? "known" : "off")) : undefined,
    ...(fields === undefined ? {} : { fields: parseFields(fields) }),
    ...(jq === undefined
      ? {}
      : { jq, jqTimeout: settings.get("jq-timeout"), isExact: settings.get("strict") === "on" }),
    ...(sortBy === undefined || dryRun || curl ? {} : { sortBy: parseSortFields(sortBy) }),
    ...(headers === false ? { headers } : {}),
    ...(rawText && { rawText }),
    ...(tty && isTable(format) ? { link: chooseLinker(settings, target.env) } : {}),
    textNumbers: settings.get("numbers") === "text",
    ...(time === undefined ? {} : { time }),
  };
  checkOptions(options);
  if (jq !== undefined) await checkProgram(jq, signal);
  return options;
}
