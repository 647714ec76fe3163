/** Standard output of a run. */
import type { Json } from "../../base/index.ts";
import type { Column } from "../../catalogue/index.ts";
import {
  type Content,
  type Format,
  formatInfo,
  getStreamSink,
  type OutputOptions,
  type StreamSink,
  supportsUnicode,
  toAscii,
  write,
} from "../../output/index.ts";
import type { Destination, DisplayOptions, Printer, RunContext } from "./context.ts";

/** Creates what writes to the standard output of a run. */
export const createPrinter = (context: RunContext): Printer => new RunPrinter(context);

class RunPrinter implements Printer {
  isForPeople = false;
  readonly #context: RunContext;
  #options: Promise<OutputOptions> | undefined;
  #stdout: StreamSink | undefined;

  constructor(context: RunContext) {
    this.#context = context;
  }

  async format(): Promise<Format> {
    return (await import("./output-options.ts")).resolveFormat(this.#context);
  }

  options(): Promise<OutputOptions> {
    this.#options ??= import("./output-options.ts").then(({ resolveOutputOptions }) =>
      resolveOutputOptions(this.#context),
    );
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
    const { sourceOf } = await import("./data-source.ts");
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
    await (await import("./cache-options.ts")).noteCacheAge(this.#context, outcome.oldestCachedAge);
  }
}
