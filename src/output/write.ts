/** Writing a value, or rows as they arrive, in the format of the options. */
import { isArray, isObject, type Json, listWords, UsageError } from "../base/index.ts";
import { type Shape, UNKNOWN_SHAPE } from "../catalogue/shape.ts";
import { selectedList, selectFields } from "./fields/selection.ts";
import { nestingError, summarizeNames, type WriteContext } from "./formats/context.ts";
import { replaceAt } from "./formats/envelope.ts";
import { type Format, type FormatInfo, formatInfo, formatsWith, isTable } from "./formats/formats.ts";
import { writeRows } from "./formats/rows.ts";
import { loadWriter } from "./formats/writers.ts";
import { safeText } from "./text/safe.ts";
import type { Content, ContentSchema, OutputOptions, RowContent, Sink, SortField, WriteResult } from "./types.ts";

/**
 * Checks options for contradictions, before any request.
 * @throws UsageError naming the two options
 */
export function checkOptions(
  options: Pick<OutputOptions, "format" | "fields" | "jq" | "textNumbers" | "headers" | "rawText" | "isTerminal">,
): void {
  const { format, fields, jq, headers } = options;
  const { hasTypes, headings, family } = formatInfo(format);
  const namesWith = (has: (info: FormatInfo) => boolean) => listWords(formatsWith(has));
  if (options.textNumbers && !hasTypes) {
    throw new UsageError(`numbers text cannot be used with -o ${format}, where text and numbers look the same.`, {
      hint: `Use -o ${namesWith((info) => info.hasTypes)}.`,
    });
  }
  if (headers === false && headings !== "optional") {
    const fact = headings === "none" ? "has no headings" : "always has headings";
    throw new UsageError(`--no-headers cannot be used with -o ${format}, which ${fact}.`, {
      hint: `Use -o ${namesWith((info) => info.headings === "optional")}.`,
    });
  }
  if (options.rawText) checkRawText(options);
  if (jq === undefined) return;
  refuseEmpty(jq);
  if (fields)
    throw new UsageError("--jq and --fields cannot be used together", {
      hint: "Select the fields in the jq program.",
    });
  if (family !== "json") {
    throw new UsageError(`--jq prints JSON and cannot be used with -o ${format}.`, {
      hint: "Use -o json; --fields selects fields in every format.",
    });
  }
}

/** Whether a format has control characters in texts as escapes that its readers do not undo. */
const escapesText = ({ family }: FormatInfo) => family === "delimited" || family === "name";

/** @throws UsageError where texts are not escaped, or must be */
function checkRawText({ format, isTerminal }: Pick<OutputOptions, "format" | "isTerminal">): void {
  if (!escapesText(formatInfo(format))) {
    const fact = isTable(format) ? "shortens and aligns texts" : "contains every text exactly";
    throw new UsageError(`--raw-text cannot be used with -o ${format}, which ${fact}.`, {
      hint: `Use -o ${listWords(formatsWith(escapesText))}.`,
    });
  }
  if (isTerminal)
    throw new UsageError("--raw-text cannot be used on a terminal, which obeys control characters.", {
      hint: "Write to a file or a pipe.",
    });
}

/**
 * Compiles the program of `--jq` without running it, before any request.
 * @throws UsageError when it is empty or wrong, with the message of jq
 * @throws the reason of the signal when it fires
 */
export async function checkProgram(program: string, signal?: AbortSignal): Promise<void> {
  refuseEmpty(program);
  await (await import("./jq/jq.ts")).compileProgram(program, signal);
}

function refuseEmpty(program: string): void {
  if (program.trim() === "") throw new UsageError("--jq is empty.", { hint: "Example: --jq '.[].name'" });
}

/**
 * Writes content in the format of the options. Rows are read page by page, as they arrive, and their source is closed
 * when the reader closes the pipe. When the source fails midway, the rows before are completed to valid output and the
 * failure is rethrown; with `onRows` they stay as they are, so that a later call with `resume` can continue.
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
    throw explainNesting(error, options.format);
  }
}

async function resolveShape({ entity }: ContentSchema): Promise<Shape> {
  if (entity === undefined || "field" in entity) return entity ?? UNKNOWN_SHAPE;
  return (await import("../catalogue/schemas.ts")).deriveShape(entity);
}

async function writeContent(
  content: Content,
  schema: ContentSchema,
  options: OutputOptions,
  sink: Sink,
): Promise<WriteResult> {
  const { signal, sortBy } = options;
  const context: WriteContext = {
    options,
    schema,
    shape: await resolveShape(schema),
    selection: undefined,
    envelope: undefined,
    ...(content.kind === "rows" && { closing: content.closing, beside: content.beside }),
    metadata: content.metadata,
    sink: { write: (chunk) => sink.write(chunk, signal) },
    notes: [],
  };
  const { family } = formatInfo(options.format);
  const converts = options.textNumbers && (family === "json" || family === "yaml");
  const sorted = sortBy ? await withOrder(content, sortBy, context.shape) : content;
  const printed = converts
    ? (await import("./formats/text-numbers.ts")).withTextNumbers(sorted, context.shape)
    : sorted;
  const rows = asRows(printed);
  if (options.jq !== undefined) return await writeThroughJq(printed, options.jq, context);
  if (rows) return await writeRows(rows.pages, rows.envelope, context);
  const { value } = printed as Extract<Content, { kind: "object" }>;
  const selection = await selectFields(options, context.shape, [value]);
  return { rows: await writeObject(value, { ...context, selection }), notes: context.notes };
}

/** A list is written as rows, also when it came as a single value. */
function asRows(content: Content): RowContent | undefined {
  if (content.kind === "rows") return content;
  const { value } = content;
  return isArray(value) ? { kind: "rows", pages: singlePage(value), metadata: content.metadata } : undefined;
}

/** @throws UsageError for content that is no list */
async function withOrder(content: Content, fields: readonly SortField[], shape: Shape): Promise<Content> {
  const rows = asRows(content);
  if (!rows) throw new UsageError("--sort-by needs a list of rows.", { hint: "Remove --sort-by." });
  const { sortRows } = await import("./formats/sort-rows.ts");
  return { ...rows, pages: sortRows(rows.pages, fields, shape) };
}

async function* singlePage(rows: readonly Json[]): AsyncGenerator<readonly Json[]> {
  yield rows;
}

/** Writes an object, and returns the number of rows. */
async function writeObject(value: Json, context: WriteContext): Promise<number> {
  const { writeObject: writeWhole } = await loadWriter(context.options.format);
  if (!writeWhole) return writeFlat(value, context);
  await writeWhole(context, value);
  return 1;
}

/** Writes an object as one row, or as the rows of a list inside it, where only fields of that list are selected. */
async function writeFlat(value: Json, context: WriteContext): Promise<number> {
  const { selection, shape, notes, options } = context;
  const list = selection && selectedList(value, selection, shape);
  const rows = list?.rows ?? [value];
  const { openRows } = await loadWriter(options.format);
  const writer = await openRows(list ? { ...context, schema: {}, ...list } : context, rows);
  await writer.write(rows);
  await writer.end();
  if (!selection && options.format !== "name") notes.push(...describeLists(value));
  return rows.length;
}

/** Returns the note that the lists inside an object are JSON in its cells. */
function describeLists(value: Json): string[] {
  const isList = ([, field]: readonly [string, Json]) => isArray(field) && field.some(isObject);
  const lists = isObject(value) ? Object.entries(value).filter(isList) : [];
  const [[first] = []] = lists;
  if (first === undefined) return [];
  const names = summarizeNames(lists.map(([name]) => safeText(name)));
  const fact = lists.length === 1 ? `The list ${names} is JSON in a cell.` : `The lists ${names} are JSON in cells.`;
  return [`${fact} To print a row for each item: --fields ${safeText(first)}`];
}

async function writeThroughJq(
  content: Content,
  program: string,
  { options, sink, notes }: WriteContext,
): Promise<WriteResult> {
  const value = content.kind === "rows" ? await collectRows(content) : content.value;
  const { writeJq } = await import("./jq/jq.ts");
  return { rows: await writeJq(value, program, { options, sink, notes }), notes };
}

async function collectRows({ pages, envelope, closing }: RowContent): Promise<Json> {
  const rows: Json[] = [];
  for await (const page of pages) for (const row of page) rows.push(row);
  return envelope ? replaceAt({ ...envelope.value, ...closing?.() }, envelope.path, rows) : rows;
}

/** Returns an error that says what to do, for an answer nested so deeply that the call stack ended; else the same error. */
function explainNesting(error: unknown, format: Format): unknown {
  if (!(error instanceof RangeError && error.message.includes("call stack"))) return error;
  return nestingError(format);
}
