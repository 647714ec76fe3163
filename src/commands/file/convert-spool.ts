/** The last step of a file whose format cannot be written in parts: its rows, collected as NDJSON, are converted. */
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream";
import { createGunzip } from "node:zlib";
import { type Json, parseJson } from "../../base/index.ts";
import { ColumnTypeError, type ContentSchema, createFile, type OutputOptions, write } from "../../output/index.ts";
import { tuneHeap } from "../endpoint/tune-heap.ts";
import { type OutputTarget, removePartial } from "./target.ts";

/** Lines that are parsed at once. */
const PAGE_ROWS = 1000;
/** Characters of lines after which fewer are. */
const MAX_PAGE = 1_048_576;

/**
 * Writes the partial file of a target from compressed NDJSON. A column whose values do not fit its type gets a wider
 * one, for which the file is written again.
 * @returns its size, and the notes of writing
 */
export async function convertSpool(
  spool: string,
  target: OutputTarget,
  schema: ContentSchema,
  options: OutputOptions,
): Promise<{ readonly bytes: number; readonly notes: readonly string[] }> {
  const columnFallbacks = new Map<string, number>();
  for (;;) {
    await removePartial(target);
    const sink = await createFile(target.partial);
    try {
      const content = { kind: "rows", pages: readPages(spool, options.signal) } as const;
      const { notes } = await write(content, schema, { ...options, columnFallbacks }, sink);
      await sink.sync();
      return { bytes: sink.bytes, notes };
    } catch (error) {
      await removePartial(target);
      if (!(error instanceof ColumnTypeError)) throw error;
      columnFallbacks.set(error.column, (columnFallbacks.get(error.column) ?? 0) + 1);
    } finally {
      await sink.close();
    }
  }
}

async function* readPages(spool: string, signal: AbortSignal | undefined): AsyncGenerator<readonly Json[]> {
  const limitGarbage = await tuneHeap();
  const text = createGunzip().setEncoding("utf8");
  // A failure of reading ends the iteration below.
  pipeline(createReadStream(spool), text, () => {});
  let [page, size]: [Json[], number] = [[], 0];
  for await (const lines of readLines(text)) {
    for (const line of lines) {
      page.push(parseJson(line));
      size += line.length;
    }
    signal?.throwIfAborted();
    if (page.length < PAGE_ROWS && size < MAX_PAGE) continue;
    yield page;
    limitGarbage(size);
    [page, size] = [[], 0];
  }
  if (page.length > 0) yield page;
}

/** Yields the complete lines of each part of a text. */
async function* readLines(text: AsyncIterable<string>): AsyncGenerator<readonly string[]> {
  // A line may have many parts: joining them as they arrive would copy it each time.
  let parts: string[] = [];
  for await (const chunk of text) {
    const [end = "", ...lines] = chunk.split("\n");
    parts.push(end);
    const rest = lines.pop();
    if (rest === undefined) continue;
    yield [parts.join(""), ...lines];
    parts = [rest];
  }
}
