/** What each format says, read back by a reader that is not ours. */
import { parse as parseCsv } from "csv-parse/sync";
import { parse as parseYaml } from "yaml";
import { isNumeric, isObject, type Json, numericText, parseJson } from "../../src/base/json.ts";
import type { Endpoint } from "../../src/catalogue/endpoint.ts";

/** A value as JSON and YAML readers give it: numbers as doubles. */
export type ParsedValue = ReturnType<typeof JSON.parse>;

/** Records of a sheet, by the names of its header. */
export type Records = readonly Readonly<Record<string, string>>[];

/** The rows in what `-o json` prints: of a list, of the list inside an object, or the object itself. */
export function rowsOfOutput<T>({ returns }: Endpoint, value: T): readonly T[] {
  if (Array.isArray(value)) return value;
  const at = returns.at === undefined ? undefined : (value as Readonly<Record<string, T>>)[returns.at];
  return Array.isArray(at) ? at : [value];
}

/** Lines of JSON. */
export const readNdjson = (text: string): ParsedValue[] => linesOf(text).map((line) => JSON.parse(line));

/** YAML, with doubles for numbers. */
export const readYaml = (text: string): ParsedValue => parseYaml(text, { maxAliasCount: 0 });

/** CSV in which every record has as many cells as the header. */
export const readCsv = (text: string): Records => parseCsv(text, { columns: true, skip_empty_lines: false }) as Records;

/** TSV: one record a line, whatever its cells hold. */
export function readTsv(text: string): Records {
  const [header = [], ...records] = linesOf(text).map((line) => line.split("\t"));
  return records.map((cells) => {
    if (cells.length !== header.length) throw new Error(`${cells.length} cells for ${header.length} columns.`);
    return Object.fromEntries(header.map((name, at) => [name, (cells[at] ?? "").replace(/\\(.)/g, unescape)]));
  });
}

const unescape = (_: string, letter: string) => ({ t: "\t", n: "\n", r: "\r" })[letter] ?? letter;

/** Lines, the last of which has an end too. */
export function linesOf(text: string): string[] {
  if (text !== "" && !text.endsWith("\n")) throw new Error("The last line has no end.");
  return text.split("\n").slice(0, -1);
}

/** A row as cells, digit by digit: nested values as JSON, null as nothing. */
export function cellsOf(row: Json): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(fieldsOf(row)).map(([name, value]) => [name, cellOf(value)]));
}

/** The cells of a record that belong to fields of its row, without what sheets add to texts and nested values. */
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

/** A formula is marked by an apostrophe in front. */
function plainCell(cell: string, value: Json | undefined): string {
  if (isNested(value)) return JSON.stringify(parseJson(cell));
  return cell.startsWith("'") && cell !== value ? cell.slice(1) : cell;
}
