/** CSV and TSV: a header, then raw values with exact digits. */
import { isArray, isNumeric, isObject, type Json, type JsonObject, numericText } from "../../base/index.ts";
import { fieldNames } from "../fields/field-order.ts";
import { valueAt } from "../fields/path.ts";
import type { SelectedField } from "../fields/selection.ts";
import { shapeAt } from "../fields/shape.ts";
import { safeCell, safeText, safeTsvCell } from "../text/safe.ts";
import type { OutputOptions } from "../types.ts";
import { type RowWriter, summarizeNames, type WriteContext } from "./context.ts";
import { formatJson } from "./json.ts";
import { createPlainRows } from "./plain-rows.ts";

/** A column: the field, and a function that formats its values, where their kind has one. */
interface Column extends SelectedField {
  readonly text?: (value: Json) => string | undefined;
  /** The name, where it is the whole path and not that of an inherited property. */
  readonly key: string | undefined;
}

/**
 * Writes rows as CSV or TSV. The columns are the selected fields, else the entity's fields in order and those that only
 * the first page has. Null and missing values are empty cells, nested values are JSON, times are raw unless a style is
 * set. Rows without any field are left out.
 */
export async function openDelimited(
  context: WriteContext,
  first: readonly Json[],
  resume?: JsonObject,
): Promise<RowWriter> {
  const { options, sink, notes } = context;
  const plain = createPlainRows(context, first, isObject(resume?.plain) ? resume.plain : undefined);
  const names = resume ? textsOf(resume.names) : headingsOf(context, first.map(plain.toObject));
  const columns = await columnsOf(context, names);
  const header = context.selection ? undefined : new Set(names ?? [VALUE_HEADING]);
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
    // Most numbers need no quotes and no protection from formulas.
    return typeof value === "number" && !column.text ? String(value) : quote(cell(value, column, options));
  };
  return {
    async write(page) {
      // One list for all rows, in which the last cell of a row and the first of the next share an item: appending to a
      // string allocates twice per cell, and a list per row costs as much.
      const cells: string[] = [];
      let last = "";
      for (const value of page) {
        const row = plain.toObject(value);
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
        notes.push(
          `Later rows have fields without a column: ${summarizeNames(missing)}; use -o json to see all fields.`,
        );
      else if (!hasColumns && (first.length > 0 || resume)) notes.push("The rows have no fields; nothing was written.");
      notes.push(...plain.notes());
    },
    state: () => ({ names: names ?? null, lost: [...laterFields], plain: plain.state() }),
  };
}

/** The heading of the column of plain values. */
const VALUE_HEADING = "value";

/** Returns the fields of the header without a selection; undefined for rows that are plain values. */
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

/** Returns a cell: empty for null and missing, exact digits for numbers, safe text for strings, JSON for the rest. */
function cell(value: Json | undefined, column: Column, options: OutputOptions): string {
  if (value === undefined || value === null) return "";
  const formatted = column.text?.(value);
  if (formatted !== undefined) return formatted;
  if (typeof value === "string") return cellText(value, options);
  return typeof value === "object" && !isNumeric(value) ? cellText(formatJson(value), options) : scalarText(value);
}

/** Returns text as a cell: exact in a file, without control characters on a terminal. */
function cellText(value: string, { format, tty }: OutputOptions): string {
  const text = tty ? safeText(value) : value;
  return format === "tsv" ? safeTsvCell(text) : safeCell(text);
}

/** How cells are separated and quoted. */
interface Dialect {
  readonly separator: string;
  readonly quote: (text: string) => string;
}

const TSV: Dialect = { separator: "\t", quote: (text) => text };

/** Characters for which a cell is quoted. */
const NEEDS_QUOTES = /[",\n\r]/;

function csv(columns: number): Dialect {
  // A record of one empty cell would be a blank line, which readers skip.
  const empty = columns < 2 ? '""' : "";
  const quote = (text: string) => (NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text || empty);
  return { separator: ",", quote };
}
