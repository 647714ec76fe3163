/** The columns of formats with flat rows, and what rows have beside them. */
import { groupThousands, isArray, isObject, type Json, type JsonObject, UsageError } from "../../base/index.ts";
import { fieldNames, valueAt } from "../fields/paths.ts";
import type { SelectedField } from "../fields/selection.ts";
import { safeText } from "../text/safe.ts";
import { summarizeNames, type WriteContext } from "./context.ts";
import { formatInfo } from "./formats.ts";
import { createPlainRows } from "./plain-rows.ts";

/** A column: a field, and its name where that is the whole path and not an inherited property. */
export interface RowColumn extends SelectedField {
  readonly key: string | undefined;
}

/** The columns of rows. */
export interface RowColumns {
  readonly columns: readonly RowColumn[];
  /** Returns a row as an object, and notes its fields that have no column. */
  toObject(row: Json): Json;
  /** Returns the notes for the end of the output. */
  notes(): string[];
  /** Returns the state from which a later run can continue. */
  state(): JsonObject;
}

/** More columns than any endpoint has. */
const MAX_COLUMNS = 10_000;
/** The heading of the column of plain values. */
const VALUE_HEADING = "value";

/**
 * Returns the columns of rows: the selected fields, else the entity's fields in order and those that only the first rows
 * have.
 */
export function createRowColumns(context: WriteContext, first: readonly Json[], resume?: JsonObject): RowColumns {
  const { selection, shape, options } = context;
  const plain = createPlainRows(context, first, isObject(resume?.plain) ? resume.plain : undefined);
  const isPlainList = first.length > 0 && !first.map(plain.toObject).some(isObject);
  const own = isPlainList ? undefined : fieldNames(shape, first.map(plain.toObject));
  const names = resume ? readTexts(resume.names) : own;
  const all = names?.map((name) => ({ name, path: [name] })) ?? [{ name: VALUE_HEADING, path: [] }];
  const fields: readonly SelectedField[] = selection?.fields ?? all;
  // A few megabytes of rows that have no fields in common would be gigabytes of cells.
  if (fields.length > MAX_COLUMNS)
    throw new UsageError(
      `The rows have ${groupThousands(fields.length)} fields: ${formatInfo(options.format).title} has columns for ${groupThousands(MAX_COLUMNS)}.`,
      {
        code: "TOO_MANY_COLUMNS",
        hint: "Select some with --fields, or use -o ndjson.",
      },
    );
  const header = selection ? undefined : new Set(names ?? [VALUE_HEADING]);
  const laterFields = new Set(readTexts(resume?.lost));
  return {
    columns: fields.map((field) => ({ ...field, key: findKey(field.path) })),
    toObject(value) {
      const row = plain.toObject(value);
      if (header && isObject(row)) for (const key in row) if (!header.has(key)) laterFields.add(key);
      return row;
    },
    notes() {
      const missing = [...laterFields].map(safeText);
      const later = `Later rows have fields without a column: ${summarizeNames(missing)}; use -o json to see all fields.`;
      const isBlank = fields.length === 0 && (first.length > 0 || resume !== undefined);
      const nothing = isBlank ? ["The rows have no fields; nothing was written."] : [];
      return [...(missing.length > 0 ? [later] : nothing), ...plain.notes()];
    },
    state: () => ({ names: names ?? null, lost: [...laterFields], plain: plain.state() }),
  };
}

/** Returns the value of a column in a row. */
export function readCell(row: Json, { key, path }: RowColumn): Json | undefined {
  return key !== undefined && isObject(row) ? row[key] : valueAt(row, path);
}

function readTexts(list: Json | undefined): string[] | undefined {
  return isArray(list) ? list.map(String) : undefined;
}

function findKey([name, ...rest]: SelectedField["path"]): string | undefined {
  return typeof name === "string" && !(name in Object.prototype) && rest.length === 0 ? name : undefined;
}
