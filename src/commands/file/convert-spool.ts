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
  let rest = "";
  let page: Json[] = [];
  for await (const chunk of text as AsyncIterable<string>) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) page.push(parseJson(line));
    signal?.throwIfAborted();
    if (page.length < PAGE_ROWS) continue;
    yield page;
    page = [];
    limitGarbage();
  }
  if (page.length > 0) yield page;
}
