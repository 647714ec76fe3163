/** Values to bytes on a stream: formats, safe text, formatting by kind. The one owner of standard output. */
import { UsageError } from "../base/errors.ts";
import { isArray, type Json } from "../base/json.ts";
import { selectFields } from "./fields/selection.ts";
import { UNKNOWN_SHAPE } from "./fields/shape.ts";
import type { WriteContext } from "./formats/context.ts";
import { replaceAt } from "./formats/envelope.ts";
import { writeRows } from "./formats/rows.ts";
import type { Content, ContentSchema, Envelope, Format, OutputOptions, Sink, WriteResult } from "./types.ts";

export { type ErrorOptions, formatError } from "./error.ts";
export { parseColumns, parseFields } from "./fields/selection.ts";
export { canResume } from "./formats/rows.ts";
export { getStreamSink, PipeClosed, type StreamSink } from "./stream/stream-sink.ts";
export {
  type ColorFlag,
  type Env,
  isTerminal,
  shouldUseColor,
  supportsUnicode,
  terminalWidth,
} from "./stream/terminal.ts";
export { safeCell, safeLines, safeText } from "./text/safe.ts";
export {
  type ColumnSpec,
  type Content,
  type ContentSchema,
  type Envelope,
  FORMATS,
  type Format,
  formatOfFile,
  type OutputOptions,
  type Sink,
  TIME_STYLES,
  type TimeStyle,
  type WriteResult,
} from "./types.ts";

type RowContent = Extract<Content, { kind: "rows" }>;

/**
 * Refuses options that contradict each other, before anything is asked for.
 * @throws UsageError naming the two options.
 */
export function checkOptions(options: Pick<OutputOptions, "format" | "fields" | "columns" | "jq">): void {
  const { format, fields, columns, jq } = options;
  if (fields && columns) {
    throw new UsageError("--fields and --columns cannot be used together.", { hint: "--columns NAME:path does both." });
  }
  if (jq === undefined) return;
  refuseEmpty(jq);
  const other = fields ? "--fields" : columns ? "--columns" : undefined;
  if (other)
    throw new UsageError(`--jq and ${other} cannot be used together.`, {
      hint: "Choose the fields in the jq program.",
    });
  if (format !== "json" && format !== "ndjson") {
    throw new UsageError(`--jq prints JSON and cannot be used with -o ${format}.`, {
      hint: "Leave out -o, or use -o json.",
    });
  }
}

/**
 * Compiles the program of `--jq` without running it, before anything is asked for.
 * @throws UsageError when it is empty or wrong, in jq's own words.
 * @throws the reason of the signal when it fires.
 */
export async function checkProgram(program: string, signal?: AbortSignal): Promise<void> {
  refuseEmpty(program);
  await (await import("./jq/jq.ts")).compileProgram(program, signal);
}

function refuseEmpty(program: string): void {
  if (program.trim() === "") throw new UsageError("--jq is empty.", { hint: "For example: --jq '.[].name'" });
}

/**
 * Writes content in the format that the options name. Rows are taken page by page, as they come, and the source is
 * closed when the reader goes away. When the source fails midway, what came before is written whole and the failure
 * is thrown on; with `onRows`, what came before is left as it is, so that a later call with `resume` can go on.
 */
export async function write(
  content: Content,
  schema: ContentSchema,
  options: OutputOptions,
  sink: Sink,
): Promise<WriteResult> {
  checkOptions(options);
  try {
    return await writeContent(content, schema, options, sink);
  } catch (error) {
    throw (await import("./deep.ts")).describeNestingError(error, options.format);
  }
}

async function writeContent(
  content: Content,
  schema: ContentSchema,
  options: OutputOptions,
  sink: Sink,
): Promise<WriteResult> {
  const { signal } = options;
  const abortable: Sink = { write: (chunk) => sink.write(chunk, signal) };
  const shape = schema.entity ? (await import("./fields/schema.ts")).shapeOf(schema.entity) : UNKNOWN_SHAPE;
  const job: WriteContext = {
    options,
    schema,
    shape,
    selection: undefined,
    envelope: undefined,
    sink: abortable,
    notes: [],
  };
  const rows = asRows(content);
  if (options.jq !== undefined) return await writeThroughJq(content, options.jq, job);
  if (rows) return await writeRows(rows.pages, rows.envelope, job);
  const { value } = content as Extract<Content, { kind: "object" }>;
  await writeObject(value, { ...job, selection: await selectFields(options, shape, [value]) });
  return { rows: 1, notes: job.notes };
}

/** A list is rows, whatever it was called. */
function asRows(content: Content): RowContent | undefined {
  if (content.kind === "rows") return content;
  const { value } = content;
  return isArray(value) ? { kind: "rows", pages: onePage(value) } : undefined;
}

async function* onePage(rows: readonly Json[]): AsyncGenerator<readonly Json[]> {
  yield rows;
}

async function writeObject(value: Json, job: WriteContext): Promise<void> {
  const format: Format = job.options.format;
  switch (format) {
    case "json":
    case "ndjson":
      return (await import("./formats/json.ts")).writeJson(job, value);
    case "csv":
    case "tsv": {
      const writer = await (await import("./formats/delimited.ts")).openDelimited(job, [value]);
      await writer.write([value]);
      return writer.end();
    }
    case "yaml":
      return (await import("./formats/yaml.ts")).writeYaml(job, value);
    case "table":
      return (await import("./table/record.ts")).writeRecord(job, value);
    default:
      return format satisfies never;
  }
}

async function writeThroughJq(
  content: Content,
  program: string,
  { options, sink, notes }: WriteContext,
): Promise<WriteResult> {
  const value = content.kind === "rows" ? await collectRows(content.pages, content.envelope) : content.value;
  const { writeJq } = await import("./jq/jq.ts");
  return { rows: await writeJq(value, program, options, sink), notes };
}

async function collectRows(pages: AsyncIterable<readonly Json[]>, envelope: Envelope | undefined): Promise<Json> {
  const rows: Json[] = [];
  for await (const page of pages) for (const row of page) rows.push(row);
  return envelope ? replaceAt(envelope.value, envelope.path, rows) : rows;
}
