/** Parses output formats with third-party parsers. */
import { parse as parseCsv } from "csv-parse/sync";
import { parse as parseYaml } from "yaml";
import { isNumeric, isObject, type Json, numericText, parseJson } from "../../src/base/json.ts";
import type { Endpoint } from "../../src/catalogue/endpoint.ts";

/** A value as parsed by JSON and YAML parsers, with numbers as doubles. */
export type ParsedValue = ReturnType<typeof JSON.parse>;

/** Records by the names of the header. */
export type Records = readonly Readonly<Record<string, string>>[];

/** Returns the rows in the output of `-o json`: of a list, of a list inside an object, or the object itself. */
export function rowsOfOutput<T>({ returns }: Endpoint, value: T): readonly T[] {
  if (Array.isArray(value)) return value;
  const at = returns.at === undefined ? undefined : (value as Readonly<Record<string, T>>)[returns.at];
  return Array.isArray(at) ? at : [value];
}

/** Parses NDJSON. */
export const readNdjson = (text: string): ParsedValue[] => linesOf(text).map((line) => JSON.parse(line));

/** Parses YAML, with numbers as doubles. */
export const readYaml = (text: string): ParsedValue => parseYaml(text, { maxAliasCount: 0 });

/** Parses CSV in which every record has as many cells as the header. */
export const readCsv = (text: string): Records => parseCsv(text, { columns: true, skip_empty_lines: false }) as Records;

/** Parses TSV with one record per line. */
export function readTsv(text: string): Records {
  const [header = [], ...records] = linesOf(text).map((line) => line.split("\t"));
  return records.map((cells) => {
    if (cells.length !== header.length) throw new Error(`${cells.length} cells for ${header.length} columns.`);
    return Object.fromEntries(
      header.map((name, at) => [name, (cells[at] ?? "").replace(/\\(x[0-9a-f]{2}|.)/g, unescapeCell)]),
    );
  });
}

const unescapeCell = (_: string, code: string) =>
  code.length > 1 ? String.fromCharCode(Number(`0${code}`)) : ({ t: "\t", n: "\n", r: "\r" }[code] ?? code);

/** Splits a text into lines. @throws Error when the last line has no line ending */
export function linesOf(text: string): string[] {
  if (text !== "" && !text.endsWith("\n")) throw new Error("The last line has no end.");
  return text.split("\n").slice(0, -1);
}

/** Returns a row as cells with exact numbers, nested values as JSON, and null as an empty cell. */
export function cellsOf(row: Json): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(fieldsOf(row)).map(([name, value]) => [name, cellOf(value)]));
}

/** Returns the cells of the fields of a row, without the changes that CSV makes to texts and nested values. */
export function plainRecord(record: Readonly<Record<string, string>>, row: Json): Readonly<Record<string, string>> {
  const fields = fieldsOf(row);
  const present = Object.entries(record).filter(([name, cell]) => cell !== "" || name in fields);
  return Object.fromEntries(present.map(([name, cell]) => [name, plainCell(cell, fields[name])]));
}

const fieldsOf = (row: Json): Readonly<Record<string, Json>> =>
  isObject(row) ? (row as Readonly<Record<string, Json>>) : { value: row };

const isNested = (value: Json | undefined) => typeof value === "object" && value !== null && !isNumeric(value);

function cellOf(value: Json): string {
  if (value === null) return "";
  if (isNested(value)) return JSON.stringify(value);
  return isNumeric(value) ? numericText(value) : String(value);
}

/** Removes the apostrophe that escapes a formula. */
function plainCell(cell: string, value: Json | undefined): string {
  if (isNested(value)) return JSON.stringify(parseJson(cell));
  return cell.startsWith("'") && cell !== value ? cell.slice(1) : cell;
}
