/** Standard output of a run, and its options: from global options, settings, and the terminal or file that receives it. */
import { type Json, UsageError } from "../../base/index.ts";
import type { Column } from "../../catalogue/index.ts";
import type { Settings } from "../../config/index.ts";
import {
  type Content,
  checkOptions,
  checkProgram,
  createLinker,
  type Format,
  formatInfo,
  formatOfFile,
  getStreamSink,
  isCompressedFile,
  isTable,
  isTerminal,
  listFormats,
  type NameMode,
  type NameSource,
  type OutputOptions,
  parseColumns,
  parseFields,
  parseSortFields,
  type StreamSink,
  shouldUseColor,
  supportsLinks,
  supportsUnicode,
  type TimeStyle,
  terminalWidth,
  toAscii,
  write,
} from "../../output/index.ts";
import type { Destination, DisplayOptions, Io, Printer, RunContext } from "./context.ts";
import { sourceOf } from "./data-source.ts";

/** Standard output of a run. */
export class RunPrinter implements Printer {
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
    const needsSchema =
      formatInfo(own.format).isTabular || own.textNumbers || (own.fields ?? own.columns ?? own.sortBy) !== undefined;
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
    const isMissing = (path: string) => missing.some((field) => path === field || path.startsWith(`${field}.`));
    const listPaths = (column: Column) => (typeof column === "string" ? column : column.path).split("|");
    return columns.filter((column) => !listPaths(column).every(isMissing));
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
      hint: `Select a format with -o: ${listFormats()}.`,
    });
  }
  // A followed list has no end, which a JSON document needs.
  const document = context.globals.follow === undefined || jq !== undefined ? "json" : "ndjson";
  if (chosen === "json" && output === undefined) return document;
  if (chosen !== undefined && (output !== undefined || jq === undefined)) return chosen;
  return (context.printer.isForPeople || isTerminal(outputTarget(context))) && jq === undefined ? "table" : document;
}

/** @throws UsageError where Parquet cannot be written */
function checkParquet(context: RunContext, format: Format, tty: boolean): void {
  if (formatInfo(format).family !== "parquet") return;
  if (tty) throw new UsageError("Parquet is not printed to a terminal.", { hint: "Add --out FILE." });
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
  const { fields, columns, jq, all, follow, sortBy, headers, dryRun, curl } = context.globals;
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
    tty,
    unicode: !tty || supportsUnicode(target.env),
    // Long lists stay plain: they are drawn fastest, and their end is far from their first line.
    tableStyle: settings.get("table-style") ?? (tty && !all && follow === undefined ? "auto" : "plain"),
    now: (await context.session.clock())(),
    signal,
    names: isTable(format) ? openNames(context, settings.get("names") ?? (tty ? "known" : "off")) : undefined,
    ...(fields === undefined ? {} : { fields: parseFields(fields) }),
    ...(columns === undefined ? {} : { columns: parseColumns(columns) }),
    ...(jq === undefined ? {} : { jq, jqTimeout: settings.get("jq-timeout") }),
    ...(sortBy === undefined || dryRun || curl ? {} : { sortBy: parseSortFields(sortBy) }),
    ...(headers === false ? { headers } : {}),
    ...(tty && isTable(format) ? { link: chooseLinker(settings, target.env) } : {}),
    textNumbers: settings.get("numbers") === "text",
    ...(time === undefined ? {} : { time }),
  };
  checkOptions(options);
  if (jq !== undefined) await checkProgram(jq, signal);
  return options;
}
