/** CSV and TSV: raw values, exact digits, one header whatever the rows. */
import { isNumeric, isObject, type Json, numericText } from "../base/json.ts";
import type { Field } from "./fields.ts";
import { type Job, listed, namesOf, plainAmong } from "./job.ts";
import { jsonText } from "./json.ts";
import { valueAt } from "./path.ts";
import { safeCell, safeText, tsvCell } from "./safe.ts";
import { formAt } from "./shape.ts";
import type { OutputOptions, RowWriter } from "./types.ts";

/** A column: the field, and how its values become text before they become cells. */
interface Column extends Field {
  readonly text: (value: Json) => string | undefined;
}

/**
 * Writes rows as CSV or TSV. Columns are those chosen, else the entity's fields in order and what else the first
 * page has. Null and missing are empty cells, nested values are JSON, times are raw unless a style is given.
 */
export async function openDelimited(job: Job, first: readonly Json[]): Promise<RowWriter> {
  const { options, sink, notes } = job;
  const plain = plainAmong(job, first);
  const columns = await columnsOf(job, first.map(plain.row));
  const known = job.selection ? undefined : new Set(columns.map(({ name }) => name));
  const lost = new Set<string>();
  const encode = options.format === "tsv" ? tsvText : await csvEncoder();
  const line = (row: Json) => columns.map((column) => cell(valueAt(row, column.path), column, options));
  await sink.write(encode([columns.map(({ name }) => cellText(name, options))]));
  return {
    async rows(given) {
      const page = given.map(plain.row);
      for (const row of page) for (const key of known && isObject(row) ? Object.keys(row) : []) lost.add(key);
      if (page.length > 0) await sink.write(encode(page.map(line)));
    },
    async end() {
      const names = [...lost].filter((key) => !known?.has(key)).map(safeText);
      if (names.length > 0) notes.push(`Later rows have fields that the header lacks: ${listed(names)}; use -o json.`);
      notes.push(...plain.notes());
    },
  };
}

async function columnsOf({ selection, shape, options }: Job, first: readonly Json[]): Promise<Column[]> {
  const plain = first.length > 0 && !first.some(isObject);
  const all = plain ? [{ name: "value", path: [] }] : namesOf(shape, first).map((name) => ({ name, path: [name] }));
  const fields: readonly Field[] = selection?.fields ?? all;
  const { time, now, timeZone } = options;
  if (time === undefined) return fields.map((field) => ({ ...field, text: () => undefined }));
  const { formatIso, formatUnix } = await import("./time.ts");
  const clock = { style: time, now, timeZone };
  return fields.map((field) => {
    const kind = formAt(field.path, shape).meta?.kind;
    const text = (value: Json) => {
      if (kind === "unixTime") return formatUnix(Number(scalarText(value)), clock);
      return kind === "isoTime" ? formatIso(scalarText(value), clock) : undefined;
    };
    return { ...field, text };
  });
}

function scalarText(value: Json): string {
  return isNumeric(value) ? numericText(value) : String(value);
}

/** A cell: empty for null and missing, exact digits for numbers, harmless text for strings, JSON for the rest. */
function cell(value: Json | undefined, column: Column, options: OutputOptions): string {
  if (value === undefined || value === null) return "";
  const shown = column.text(value);
  if (shown !== undefined) return shown;
  if (typeof value === "object" && !isNumeric(value)) return cellText(jsonText(value), options);
  return typeof value === "string" ? cellText(value, options) : scalarText(value);
}

/** Text as a cell; a terminal gets it without control characters, a file gets it exactly. */
function cellText(value: string, { format, tty }: OutputOptions): string {
  const text = tty ? safeText(value) : value;
  return format === "tsv" ? tsvCell(text) : safeCell(text);
}

type Encode = (records: readonly (readonly string[])[]) => string;

const tsvText: Encode = (records) => records.map((record) => `${record.join("\t")}\n`).join("");

async function csvEncoder(): Promise<Encode> {
  const { stringify } = await import("csv-stringify/sync");
  // A record of one empty cell would be a blank line, which readers skip.
  return (records) =>
    stringify([...records], {
      record_delimiter: "\n",
      quoted_match: /\r/,
      quoted_empty: (records[0]?.length ?? 0) < 2,
    });
}
