/** JSON and NDJSON: the API's own names and exact digits. */
import { type Json, type JsonObject, receivedLines, stringifyJson } from "../../base/index.ts";
import { escapeJson } from "../text/safe.ts";
import type { RowWriter, WriteContext } from "./context.ts";
import { closeEnvelope, splitEnvelope } from "./envelope.ts";

const INDENT = 2;

/** Returns JSON text in which everything is escaped that a terminal or a line reader would obey. */
export function formatJson(value: Json, indent?: number): string {
  return escapeJson(stringifyJson(value, indent));
}

/** Writes one value as JSON: indented, or on one line for NDJSON. */
export async function writeJson({ options, selection, sink }: WriteContext, value: Json): Promise<void> {
  const selected = selection ? selection.pick(value) : value;
  await sink.write(`${formatJson(selected, options.format === "ndjson" ? undefined : INDENT)}\n`);
}

/** Writes rows as NDJSON: whole pages as they were received, where these are lines already. */
export async function openNdjson({ selection, sink }: WriteContext): Promise<RowWriter> {
  const linesOf = (rows: readonly Json[]) => rows.reduce<string>((lines, row) => `${lines}${stringifyJson(row)}\n`, "");
  return {
    async write(page) {
      const lines = selection ? undefined : receivedLines(page);
      await sink.write(lines ?? escapeJson(linesOf(selection ? page.map(selection.pick) : page)));
    },
    end: async () => {},
    state: () => ({}),
  };
}

/** Writes rows as one JSON array, page by page, inside their envelope. */
export async function openJson(
  context: WriteContext,
  _first: readonly Json[],
  resume?: JsonObject,
): Promise<RowWriter> {
  const { selection, sink, envelope } = context;
  const pick = selection?.pick ?? ((row: Json) => row);
  const textOf = (value: Json) => formatJson(value, INDENT);
  const { head, depth } = splitEnvelope(envelope, textOf);
  const margin = " ".repeat(INDENT * depth);
  const item = (row: Json) => formatJson(pick(row), INDENT).replace(/^/gm, margin + " ".repeat(INDENT));
  // There is a state only after the first row.
  let started = resume !== undefined;
  return {
    async write(page) {
      if (page.length === 0) return;
      const lead = started ? ",\n" : `${head}[\n`;
      started = true;
      await sink.write(lead + page.map(item).join(",\n"));
    },
    end: () => sink.write(`${started ? `\n${margin}]` : `${head}[]`}${closeEnvelope(context, textOf)}\n`),
    state: () => ({}),
  };
}
