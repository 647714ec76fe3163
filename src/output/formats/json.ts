/** JSON and NDJSON: the API's own names and digits. */
import { type Json, type JsonObject, stringifyJson } from "../../base/json.ts";
import { escapeJson } from "../text/safe.ts";
import type { RowWriter } from "../types.ts";
import type { Job } from "./context.ts";
import { around } from "./envelope.ts";

const INDENT = 2;

/** JSON text with everything escaped that a terminal or a line reader would obey. */
export function jsonText(value: Json, indent?: number): string {
  return escapeJson(stringifyJson(value, indent));
}

/** Writes one value as JSON: indented, or on one line for NDJSON. */
export async function writeJson({ options, selection, sink }: Job, value: Json): Promise<void> {
  const chosen = selection ? selection.pick(value) : value;
  await sink.write(`${jsonText(chosen, options.format === "ndjson" ? undefined : INDENT)}\n`);
}

/** Writes rows as lines of JSON. */
export async function openNdjson({ selection, sink }: Job): Promise<RowWriter> {
  const pick = selection?.pick ?? ((row: Json) => row);
  return {
    async rows(page) {
      let lines = "";
      for (const row of page) lines += `${stringifyJson(pick(row))}\n`;
      await sink.write(escapeJson(lines));
    },
    end: async () => {},
    state: () => ({}),
  };
}

/** Writes rows as one JSON array, page by page, inside the object that the API puts around them. */
export async function openJson({ selection, sink, frame }: Job, resume?: JsonObject): Promise<RowWriter> {
  const pick = selection?.pick ?? ((row: Json) => row);
  const { head, tail, depth } = around(frame, (value) => jsonText(value, INDENT));
  const margin = " ".repeat(INDENT * depth);
  const item = (row: Json) => jsonText(pick(row), INDENT).replace(/^/gm, margin + " ".repeat(INDENT));
  // There is a state only after the first row.
  let begun = resume !== undefined;
  return {
    async rows(page) {
      if (page.length === 0) return;
      const lead = begun ? ",\n" : `${head}[\n`;
      begun = true;
      await sink.write(lead + page.map(item).join(",\n"));
    },
    end: () => sink.write(begun ? `\n${margin}]${tail}\n` : `${head}[]${tail}\n`),
    state: () => ({}),
  };
}
