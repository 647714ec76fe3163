/**
 * Rows page by page, as they come. What was written can be gone on with by a later run: after each page there is a
 * state, and a writer that is opened from it gives exactly the bytes that would have followed.
 */
import { isArray, isObject, type Json, type JsonObject, toNumber } from "../../base/json.ts";
import { selectFields } from "../fields/selection.ts";
import type { Envelope, Format, OutputOptions, RowWriter, WriteResult } from "../types.ts";
import type { WriteContext } from "./context.ts";
import { clearRows } from "./envelope.ts";

/** Formats whose rows can be written in several runs. */
const RESUMABLE: readonly Format[] = ["json", "ndjson", "csv", "tsv"];

/** Whether an interrupted run can be gone on with: not where rows are gathered first, or depend on each other. */
export function canResume({ format, jq }: Pick<OutputOptions, "format" | "jq">): boolean {
  return jq === undefined && RESUMABLE.includes(format);
}

/** What an earlier run wrote. */
interface ResumeState {
  readonly rows: number;
  readonly envelope: Envelope | undefined;
  /** The state of the format's writer; none before the first row. */
  readonly writer: JsonObject | undefined;
}

/**
 * Writes rows page by page and closes their source. When the source fails midway, what came before is brought to a
 * proper end, unless a later run may go on with it.
 */
export async function writeRows(
  pages: AsyncIterable<readonly Json[]>,
  envelope: Envelope | undefined,
  job: WriteContext,
): Promise<WriteResult> {
  const { resume, onRows } = job.options;
  const resumed: ResumeState = resume ? parseState(resume) : { rows: 0, envelope, writer: undefined };
  const empty = resumed.envelope && clearRows(resumed.envelope);
  const open = async (first: readonly Json[]) => {
    const selection = await selectFields(job.options, job.shape, first, { isKnown: resumed.writer !== undefined });
    return openRows({ ...job, selection, envelope: resumed.envelope }, first, resumed.writer);
  };
  let writer = resumed.writer && (await open([]));
  let count = resumed.rows;
  const state = () => serializeState({ rows: count, envelope: empty, writer: writer?.state?.() });
  const source = pages[Symbol.asyncIterator]();
  const next = () => (onRows ? source.next() : nextOrEnd(source, writer));
  try {
    for (let page = await next(); !page.done; page = await next()) {
      if (page.value.length > 0) {
        writer ??= await open(page.value);
        await writer.write(page.value);
        count += page.value.length;
      }
      await onRows?.(state);
    }
    writer ??= await open([]);
    await writer.end();
  } finally {
    await source.return?.();
  }
  return { rows: count, notes: job.notes };
}

/**
 * The next page. When the source fails, what was written is brought to a proper end before the failure goes on; should
 * that fail too, the first failure is the one to tell.
 */
async function nextOrEnd(source: AsyncIterator<readonly Json[]>, writer: RowWriter | undefined) {
  try {
    return await source.next();
  } catch (error) {
    await writer?.end().catch(() => undefined);
    throw error;
  }
}

function serializeState({ rows, envelope, writer }: ResumeState): JsonObject {
  return { rows, frame: envelope ? { value: envelope.value, at: envelope.path } : null, writer: writer ?? null };
}

/** Reads what {@link serializeState} wrote. */
function parseState({ rows, frame: envelope, writer }: JsonObject): ResumeState {
  return {
    rows: toNumber(rows) ?? 0,
    envelope:
      isObject(envelope) && isObject(envelope.value) && isArray(envelope.at)
        ? { value: envelope.value, path: envelope.at.map(String) }
        : undefined,
    writer: isObject(writer) ? writer : undefined,
  };
}

async function openRows(job: WriteContext, first: readonly Json[], resume: JsonObject | undefined): Promise<RowWriter> {
  const format: Format = job.options.format;
  switch (format) {
    case "json":
      return (await import("./json.ts")).openJson(job, resume);
    case "ndjson":
      return (await import("./json.ts")).openNdjson(job);
    case "csv":
    case "tsv":
      return (await import("./delimited.ts")).openDelimited(job, first, resume);
    case "yaml":
      return (await import("./yaml.ts")).openYaml(job);
    case "table":
      return (await import("../table/list.ts")).openTable(job, first);
    default:
      return format satisfies never;
  }
}
