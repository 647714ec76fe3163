/**
 * Writes rows page by page, as they arrive. After each page there is a state; a writer that is opened from it continues
 * the output byte for byte.
 */
import {
  isArray,
  isObject,
  type Json,
  type JsonObject,
  receivedLength,
  splitIntoBatches,
  stringifyJson,
  toNumber,
} from "../../base/index.ts";
import { selectFields } from "../fields/selection.ts";
import type { Envelope, OutputOptions, WriteResult } from "../types.ts";
import type { RowWriter, WriteContext } from "./context.ts";
import { clearRows } from "./envelope.ts";
import { formatInfo } from "./formats.ts";
import { loadWriter } from "./writers.ts";

/** Whether interrupted output can be continued: not where rows are collected first, or depend on each other. */
export function canResume({ format, jq, sortBy }: Pick<OutputOptions, "format" | "jq" | "sortBy">): boolean {
  return jq === undefined && sortBy === undefined && formatInfo(format).isResumable;
}

/** What an earlier run wrote. */
interface ResumeState {
  readonly rows: number;
  readonly envelope: Envelope | undefined;
  /** The state of the format's writer; undefined before the first row. */
  readonly writer: JsonObject | undefined;
}

/**
 * Writes rows page by page and closes their source. When the source fails midway, the rows before are completed to
 * valid output, unless a later run may continue them.
 */
export async function writeRows(
  pages: AsyncIterable<readonly Json[]>,
  envelope: Envelope | undefined,
  context: WriteContext,
): Promise<WriteResult> {
  const { options, shape, notes } = context;
  const { resume, onRows } = options;
  const resumed: ResumeState = resume
    ? parseState(resume)
    : { rows: 0, envelope: envelope && clearRows(envelope), writer: undefined };
  const open = async (first: readonly Json[]) => {
    const { openRows } = await loadWriter(options.format);
    const selection = await selectFields(options, shape, first, { isKnown: resumed.writer !== undefined });
    return openRows({ ...context, selection, envelope: resumed.envelope }, first, resumed.writer);
  };
  let writer = resumed.writer && (await open([]));
  let count = resumed.rows;
  const state = () => serializeState({ rows: count, envelope: resumed.envelope, writer: writer?.state?.() });
  const source = pages[Symbol.asyncIterator]();
  const next = () => (onRows ? source.next() : nextOrEnd(source, writer));
  // A separate call for each page: a variable of a loop would refer to a page while the next one is read.
  const writePage = async () => {
    const { value: page, done } = await next();
    if (done) return false;
    if (page.length > 0) {
      writer ??= await open(page);
      for (const part of splitPage(page)) await writer.write(part);
      count += page.length;
    }
    await onRows?.(state);
    return true;
  };
  try {
    while (await writePage());
    writer ??= await open([]);
    await writer.end();
  } finally {
    await source.return?.();
  }
  return { rows: count, notes };
}

/** Characters of rows, as JSON, that a format converts at once. */
const MAX_PART = 262_144;
/** Rows of a page whose size is measured. */
const SAMPLE = 4;

/** Splits a page into parts of about the same number of rows, so that no format holds the text of a large page. */
function splitPage(rows: readonly Json[]): readonly (readonly Json[])[] {
  const parts = Math.ceil((receivedLength(rows) ?? measureRows(rows)) / MAX_PART);
  return parts <= 1 ? [rows] : splitIntoBatches(rows, Math.ceil(rows.length / parts));
}

/** Returns about how many characters rows take as JSON. */
function measureRows(rows: readonly Json[]): number {
  const step = Math.max(1, Math.floor(rows.length / SAMPLE));
  const sample = rows.filter((_, at) => at % step === 0);
  return (sample.reduce<number>((sum, row) => sum + stringifyJson(row).length, 0) / sample.length) * rows.length;
}

/**
 * Returns the next page. When the source fails, the output is completed before the failure is rethrown; should that
 * fail too, the first failure counts.
 */
async function nextOrEnd(source: AsyncIterator<readonly Json[]>, writer: RowWriter | undefined) {
  try {
    return await source.next();
  } catch (error) {
    await writer?.end().catch(() => undefined);
    throw error;
  }
}

/** The names of the members are those of the checkpoint files. */
function serializeState({ rows, envelope, writer }: ResumeState): JsonObject {
  return { rows, frame: envelope ? { value: envelope.value, at: envelope.path } : null, writer: writer ?? null };
}

/** Reads what {@link serializeState} wrote. */
function parseState({ rows, frame, writer }: JsonObject): ResumeState {
  return {
    rows: toNumber(rows) ?? 0,
    envelope:
      isObject(frame) && isObject(frame.value) && isArray(frame.at)
        ? { value: frame.value, path: frame.at.map(String) }
        : undefined,
    writer: isObject(writer) ? writer : undefined,
  };
}
