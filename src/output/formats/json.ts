/** JSON and NDJSON: the API's own names and exact digits. */
import { type Json, type JsonObject, joinReceived, type RowMarks, stringifyJson } from "../../base/index.ts";
import { escapeJson } from "../text/safe.ts";
import type { RowWriter, WriteContext } from "./context.ts";
import { closeEnvelope, splitEnvelope } from "./envelope.ts";

const INDENT = 2;
const LINES: RowMarks = { lead: "", separator: "\n", end: "\n" };

/** Returns JSON text in which everything is escaped that a terminal or a line reader would obey. */
export function formatJson(value: Json, indent?: number): string {
  return escapeJson(stringifyJson(value, indent));
}

/** Writes one value as JSON: indented, or on one line for NDJSON. */
export async function writeJson({ options, selection, sink }: WriteContext, value: Json): Promise<void> {
  const selected = selection ? selection.pick(value) : value;
  await sink.write(`${formatJson(selected, options.format === "ndjson" ? undefined : INDENT)}\n`);
}

/** Returns rows as compact JSON with marks around and between them: a whole page as received, where that is possible. */
function joinRows(page: readonly Json[], selection: WriteContext["selection"], marks: RowMarks): string | Uint8Array {
  const received = selection ? undefined : joinReceived(page, marks);
  if (received) return received;
  const lines = page.map((row) => stringifyJson(selection ? selection.pick(row) : row));
  return marks.lead + escapeJson(lines.join(marks.separator)) + marks.end;
}

/** Writes rows as NDJSON. */
export async function openNdjson({ selection, sink }: WriteContext): Promise<RowWriter> {
  return {
    async write(page) {
      if (page.length > 0) await sink.write(joinRows(page, selection, LINES));
    },
    end: async () => {},
    state: () => ({}),
  };
}

/** Writes rows as one JSON array, page by page, inside their envelope: one row per line, indented on a terminal. */
export async function openJson(
  context: WriteContext,
  _first: readonly Json[],
  resume?: JsonObject,
): Promise<RowWriter> {
  const { selection, sink, envelope, options } = context;
  const textOf = (value: Json) => formatJson(value, INDENT);
  const { head, depth } = splitEnvelope(envelope, textOf);
  const margin = " ".repeat(INDENT * depth);
  const indent = (row: Json) =>
    textOf(selection ? selection.pick(row) : row).replace(/^/gm, margin + " ".repeat(INDENT));
  // There is a state only after the first row.
  let started = resume !== undefined;
  return {
    async write(page) {
      if (page.length === 0) return;
      const lead = started ? ",\n" : `${head}[\n`;
      started = true;
      const separator = ",\n";
      if (options.isTerminal) await sink.write(lead + page.map(indent).join(separator));
      else await sink.write(joinRows(page, selection, { lead, separator, end: "" }));
    },
    end: () => sink.write(`${started ? `\n${margin}]` : `${head}[]`}${closeEnvelope(context, textOf)}\n`),
    state: () => ({}),
  };
}
