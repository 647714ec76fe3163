/** JSON and NDJSON: the API's own names and digits. */
import { type Json, type JsonObject, stringifyJson } from "../../base/json.ts";
import { escapeJson } from "../text/safe.ts";
import type { RowWriter } from "../types.ts";
import type { WriteContext } from "./context.ts";
import { splitEnvelope } from "./envelope.ts";

const INDENT = 2;

/** JSON text with everything escaped that a terminal or a line reader would obey. */
export function formatJson(value: Json, indent?: number): string {
  return escapeJson(stringifyJson(value, indent));
}

/** Writes one value as JSON: indented, or on one line for NDJSON. */
export async function writeJson({ options, selection, sink }: WriteContext, value: Json): Promise<void> {
  const chosen = selection ? selection.pick(value) : value;
  await sink.write(`${formatJson(chosen, options.format === "ndjson" ? undefined : INDENT)}\n`);
}

/** Writes rows as lines of JSON. */
export async function openNdjson({ selection, sink }: WriteContext): Promise<RowWriter> {
  const pick = selection?.pick ?? ((row: Json) => row);
  return {
    async write(page) {
      let lines = "";
      for (const row of page) lines += `${stringifyJson(pick(row))}\n`;
      await sink.write(escapeJson(lines));
    },
    end: async () => {},
    state: () => ({}),
  };
}

/** Writes rows as one JSON array, page by page, inside the object that the API puts around them. */
export async function openJson(
  { selection, sink, envelope: frame }: WriteContext,
  resume?: JsonObject,
): Promise<RowWriter> {
  const pick = selection?.pick ?? ((row: Json) => row);
  const { head, tail, depth } = splitEnvelope(frame, (value) => formatJson(value, INDENT));
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
    end: () => sink.write(started ? `\n${margin}]${tail}\n` : `${head}[]${tail}\n`),
    state: () => ({}),
  };
}
