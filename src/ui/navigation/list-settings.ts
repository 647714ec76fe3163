/** What the user chose for the lists of an endpoint, in memory for all of them and in views for one. */
import { isArray, isObject, type Json, type JsonObject, omitUndefined, textOf } from "../../base/index.ts";

/** The order that the user chose. */
export interface ListSort {
  readonly column: string;
  readonly isDescending: boolean;
  /** The sort key of the API; undefined when the screen sorts the rows it has. */
  readonly api?: string | undefined;
}

/** The columns, their widths and the order of lists, where they are not those of the catalogue. */
export interface ListSettings {
  readonly columns?: readonly string[] | undefined;
  /** Widths in cells, by the key of the column. */
  readonly widths?: Readonly<Record<string, number>> | undefined;
  readonly sort?: ListSort | undefined;
}

/** Maximum number of columns, and maximum length of the key of one. */
const MAX_COLUMNS = 100;
const MAX_KEY_LENGTH = 500;

const isKey = (value: Json): value is string =>
  typeof value === "string" && value !== "" && value.length <= MAX_KEY_LENGTH;
const isWidth = (value: Json): value is number => typeof value === "number" && Number.isSafeInteger(value) && value > 0;

function parseSort(value: Json | undefined): ListSort | undefined {
  const { column = null, isDescending, api } = isObject(value) ? value : ({} as JsonObject);
  if (!isKey(column) || typeof isDescending !== "boolean") return undefined;
  return { column, isDescending, ...(textOf(api) && { api: textOf(api) }) };
}

function parseWidths(value: Json | undefined): ListSettings["widths"] {
  const widths = Object.entries(isObject(value) ? value : {}).slice(0, MAX_COLUMNS);
  const valid = widths.filter((entry): entry is [string, number] => isWidth(entry[1]));
  return valid.length === 0 ? undefined : Object.fromEntries(valid);
}

/** Returns the settings in JSON, without what is invalid; undefined when nothing is left. */
export function parseListSettings(value: Json | undefined): ListSettings | undefined {
  if (!isObject(value)) return undefined;
  const { columns } = value;
  const isList = isArray(columns) && columns.length > 0 && columns.length <= MAX_COLUMNS && columns.every(isKey);
  const settings: ListSettings = omitUndefined<unknown>({
    columns: isList ? columns : undefined,
    widths: parseWidths(value.widths),
    sort: parseSort(value.sort),
  });
  return Object.keys(settings).length === 0 ? undefined : settings;
}
