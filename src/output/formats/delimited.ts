/** CSV and TSV: a header, then raw values with exact digits. */
import { isNumeric, isObject, type Json, type JsonObject, numericText } from "../../base/index.ts";
import { shapeAt, valueAt } from "../fields/paths.ts";
import { escapeTsv, revealControls, safeCell, safeText, safeTsvCell } from "../text/safe.ts";
import type { OutputOptions } from "../types.ts";
import type { RowWriter, WriteContext } from "./context.ts";
import { formatJson } from "./json.ts";
import { createRowColumns, type RowColumn } from "./row-columns.ts";
import type { Quotes } from "./text-numbers.ts";

/** A column, and a function that formats its values, where their kind has one. */
interface Column extends RowColumn {
  readonly quotes?: Quotes;
  readonly text?: (value: Json) => string | undefined;
}

/**
 * Writes rows as CSV or TSV. Null and missing values are empty cells, nested values are JSON, times are raw unless a
 * style is set. Rows without any field are left out.
 */
export async function openDelimited(
  context: WriteContext,
  first: readonly Json[],
  resume?: JsonObject,
): Promise<RowWriter> {
  const { options, sink, notes } = context;
  const rows = createRowColumns(context, first, resume);
  const columns = await withTimeStyle(
    context,
    options.textNumbers ? await withQuotes(context, rows.columns) : rows.columns,
  );
  const { separator, quote } = options.format === "tsv" ? TSV : csv(columns.length);
  const hasColumns = columns.length > 0;
  const quoteHeading = options.textNumbers ? quoteAlways : quote;
  if (!resume && hasColumns && options.headers !== false)
    await sink.write(`${columns.map(({ name }) => quoteHeading(cellText(name, options))).join(separator)}\n`);
  const formatCell = (value: Json | undefined, column: Column) => {
    if (isQuoted(value, column)) return quoteAlways(cell(value, column, options));
    // Most numbers need no quotes and no protection from formulas.
    return typeof value === "number" && !column.text ? String(value) : quote(cell(value, column, options));
  };
  const previous = columns.map((column): { value?: Json | undefined; text: string } => ({
    text: formatCell(undefined, column),
  }));
  const cellAt = (row: Json, isRow: boolean, index: number) => {
    const column = columns[index] as Column;
    const value = isRow && column.key !== undefined ? (row as JsonObject)[column.key] : valueAt(row, column.path);
    // Many rows have the value of the row before: comparing texts is faster than searching them for quotes.
    const before = previous[index] as (typeof previous)[number];
    if (before.value !== value) [before.value, before.text] = [value, formatCell(value, column)];
    return before.text;
  };
  return {
    async write(page) {
      // One list for all rows, in which the last cell of a row and the first of the next share an item: appending to a
      // string allocates twice per cell, and a list per row costs as much.
      const cells: string[] = [];
      let last = "";
      for (const value of page) {
        const row = rows.toObject(value);
        const isRow = isObject(row);
        if (hasColumns) last += cellAt(row, isRow, 0);
        for (let index = 1; index < columns.length; index += 1) {
          cells.push(last);
          last = cellAt(row, isRow, index);
        }
        if (hasColumns) last += "\n";
      }
      cells.push(last);
      if (last !== "") await sink.write(cells.join(separator));
    },
    async end() {
      notes.push(...rows.notes());
    },
    state: rows.state,
  };
}

async function withQuotes({ shape }: WriteContext, columns: readonly Column[]): Promise<Column[]> {
  const { quotesOf } = await import("./text-numbers.ts");
  return columns.map((column) => ({ ...column, quotes: quotesOf(shapeAt(column.path, shape).meta) }));
}

function isQuoted(value: Json | undefined, { quotes }: Column): boolean {
  if (value === undefined || value === null) return false;
  return quotes === "all" || (quotes === "text" && typeof value === "string");
}

async function withTimeStyle({ shape, options }: WriteContext, columns: readonly Column[]): Promise<Column[]> {
  const { time, now, timeZone } = options;
  if (time === undefined) return [...columns];
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

/**
 * Returns text as a cell: one safe line on a terminal, elsewhere exact but for formulas and control characters, which
 * `--raw-text` leaves as they are. TSV escapes what would end the cell.
 */
function cellText(value: string, { format, isTerminal, rawText }: OutputOptions): string {
  if (rawText) return format === "tsv" ? escapeTsv(value) : value;
  const text = isTerminal ? safeText(value) : value;
  return format === "tsv" ? safeTsvCell(text) : safeCell(revealControls(text));
}

/** How cells are separated and quoted. */
interface Dialect {
  readonly separator: string;
  readonly quote: (text: string) => string;
}

const TSV: Dialect = { separator: "\t", quote: (text) => text };

/** Characters for which a cell is quoted. */
const NEEDS_QUOTES = /[",\n\r]/;

const quoteAlways = (text: string) => `"${text.replaceAll('"', '""')}"`;

function csv(columns: number): Dialect {
  // A record of one empty cell would be a blank line, which readers skip.
  const empty = columns < 2 ? '""' : "";
  const quote = (text: string) => (NEEDS_QUOTES.test(text) ? quoteAlways(text) : text || empty);
  return { separator: ",", quote };
}
