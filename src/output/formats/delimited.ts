/** CSV and TSV: raw values, exact digits, one header whatever the rows. */
import { isArray, isNumeric, isObject, type Json, type JsonObject, numericText } from "../../base/json.ts";
import { valueAt } from "../fields/path.ts";
import type { SelectedField } from "../fields/selection.ts";
import { shapeAt } from "../fields/shape.ts";
import { safeCell, safeText, safeTsvCell } from "../text/safe.ts";
import type { OutputOptions, RowWriter } from "../types.ts";
import { createPlainRows, fieldNames, summarizeNames, type WriteContext } from "./context.ts";
import { formatJson } from "./json.ts";

/** A column: the field, and how its values become text before they become cells. */
interface Column extends SelectedField {
  readonly text?: (value: Json) => string | undefined;
  /** The name that is the whole path, as most are, unless an object may inherit something under it. */
  readonly key: string | undefined;
}

/**
 * Writes rows as CSV or TSV. Columns are those chosen, else the entity's fields in order and what else the first
 * page has. Null and missing are empty cells, nested values are JSON, times are raw unless a style is given. Rows without
 * any field are no lines.
 */
export async function openDelimited(
  job: WriteContext,
  first: readonly Json[],
  resume?: JsonObject,
): Promise<RowWriter> {
  const { options, sink, notes } = job;
  const plain = createPlainRows(job, first, isObject(resume?.plain) ? resume.plain : undefined);
  const names = resume ? textsOf(resume.names) : headingsOf(job, first.map(plain.toObject));
  const columns = await columnsOf(job, names);
  const header = job.selection ? undefined : new Set(names ?? [VALUE_HEADING]);
  const laterFields = new Set(textsOf(resume?.lost));
  const { separator, quote } = options.format === "tsv" ? TSV : csv(columns.length);
  const hasColumns = columns.length > 0;
  if (!resume && hasColumns)
    await sink.write(`${columns.map(({ name }) => quote(cellText(name, options))).join(separator)}\n`);
  const notice = (row: Json) => {
    if (header && isObject(row)) for (const key in row) if (!header.has(key)) laterFields.add(key);
  };
  const textOf = (row: Json, isRow: boolean, column: Column) => {
    const value = isRow && column.key !== undefined ? (row as JsonObject)[column.key] : valueAt(row, column.path);
    // Most numbers need none of what texts need.
    return typeof value === "number" && !column.text ? String(value) : quote(cell(value, column, options));
  };
  return {
    async write(given) {
      // One list for all rows, with the end of each and the start of the next in one: a text that grows cell by cell
      // leaves two objects behind for each, and a list for each row is as dear.
      const cells: string[] = [];
      let last = "";
      for (const one of given) {
        const row = plain.toObject(one);
        notice(row);
        const isRow = isObject(row);
        columns.forEach((column, index) => {
          if (index > 0) cells.push(last);
          last = index > 0 ? textOf(row, isRow, column) : last + textOf(row, isRow, column);
        });
        if (hasColumns) last += "\n";
      }
      cells.push(last);
      if (last !== "") await sink.write(cells.join(separator));
    },
    async end() {
      const missing = [...laterFields].map(safeText);
      if (missing.length > 0)
        notes.push(`Later rows have fields that the header lacks: ${summarizeNames(missing)}; use -o json.`);
      else if (!hasColumns && (first.length > 0 || resume)) notes.push("No row has a field: nothing is written.");
      notes.push(...plain.notes());
    },
    state: () => ({ names: names ?? null, lost: [...laterFields], plain: plain.state() }),
  };
}

/** The heading of rows that are plain values. */
const VALUE_HEADING = "value";

/** The fields that the header names where the user chose none; undefined for rows that are plain values. */
function headingsOf({ shape }: WriteContext, first: readonly Json[]): string[] | undefined {
  return first.length > 0 && !first.some(isObject) ? undefined : fieldNames(shape, first);
}

function textsOf(list: Json | undefined): string[] | undefined {
  return isArray(list) ? list.map(String) : undefined;
}

async function columnsOf(
  { selection, shape, options }: WriteContext,
  names: readonly string[] | undefined,
): Promise<Column[]> {
  const all = names?.map((name) => ({ name, path: [name] })) ?? [{ name: VALUE_HEADING, path: [] }];
  const fields: readonly SelectedField[] = selection?.fields ?? all;
  const { time, now, timeZone } = options;
  const columns = fields.map((field) => ({ ...field, key: keyOf(field.path) }));
  if (time === undefined) return columns;
  const { formatIso, formatUnix } = await import("../values/time.ts");
  const clock = { style: time, now, timeZone };
  return columns.map((column) => {
    const kind = shapeAt(column.path, shape).meta?.kind;
    const text = (value: Json) => {
      if (kind === "unixTime") return formatUnix(Number(scalarText(value)), clock);
      return kind === "isoTime" ? formatIso(scalarText(value), clock) : undefined;
    };
    return { ...column, text };
  });
}

function keyOf([name, ...rest]: SelectedField["path"]): string | undefined {
  return typeof name === "string" && !(name in Object.prototype) && rest.length === 0 ? name : undefined;
}

function scalarText(value: Json): string {
  return isNumeric(value) ? numericText(value) : String(value);
}

/** A cell: empty for null and missing, exact digits for numbers, harmless text for strings, JSON for the rest. */
function cell(value: Json | undefined, column: Column, options: OutputOptions): string {
  if (value === undefined || value === null) return "";
  const formatted = column.text?.(value);
  if (formatted !== undefined) return formatted;
  if (typeof value === "string") return cellText(value, options);
  return typeof value === "object" && !isNumeric(value) ? cellText(formatJson(value), options) : scalarText(value);
}

/** Text as a cell; a terminal gets it without control characters, a file gets it exactly. */
function cellText(value: string, { format, tty }: OutputOptions): string {
  const text = tty ? safeText(value) : value;
  return format === "tsv" ? safeTsvCell(text) : safeCell(text);
}

/** How cells become a line. */
interface Dialect {
  readonly separator: string;
  readonly quote: (text: string) => string;
}

const TSV: Dialect = { separator: "\t", quote: (text) => text };

/** What a cell must be quoted for. */
const NEEDS_QUOTES = /[",\n\r]/;

function csv(columns: number): Dialect {
  // A record of one empty cell would be a blank line, which readers skip.
  const empty = columns < 2 ? '""' : "";
  const quote = (text: string) => (NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text || empty);
  return { separator: ",", quote };
}
