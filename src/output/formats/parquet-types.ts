/** The types of Parquet columns, by the kinds of fields. */
import type { SchemaElement } from "hyparquet";
import { integerWithin, isNumeric, type Json, numericText } from "../../base/index.ts";
import { type FieldMeta, isLargeField, type Kind } from "../../catalogue/index.ts";
import { formatJson } from "./json.ts";

/** A type of a column. */
export interface ParquetType {
  /** The name inside a sentence. */
  readonly title: string;
  readonly element: Pick<SchemaElement, "type" | "converted_type" | "logical_type">;
  readonly isText?: true;
  /** Returns a value as the writer expects it; undefined when it does not fit. */
  readonly convert: (value: Json) => unknown;
}

const TEXT: ParquetType = {
  title: "text",
  element: { type: "BYTE_ARRAY", converted_type: "UTF8" },
  isText: true,
  convert: (value) => (typeof value === "string" ? value : isNumeric(value) ? numericText(value) : formatJson(value)),
};

const BOOLEAN: ParquetType = {
  title: "boolean",
  element: { type: "BOOLEAN" },
  convert: (value) => {
    if (typeof value === "boolean") return value;
    return value === "true" || value === "false" ? value === "true" : undefined;
  },
};

const DOUBLE: ParquetType = { title: "number", element: { type: "DOUBLE" }, convert: toDouble };

const UINT64: ParquetType = {
  title: "unsigned 64-bit number",
  // Without a logical type: the writer leaves out what is false in it, and readers reject the file.
  element: { type: "INT64", converted_type: "UINT_64" },
  convert: (value) => integerWithin(value, 0n, 2n ** 64n - 1n),
};

const INT64: ParquetType = {
  title: "64-bit number",
  element: { type: "INT64" },
  convert: (value) => integerWithin(value, -(2n ** 63n), 2n ** 63n - 1n),
};

/** A type whose values are moments. */
const timestamp = (momentOf: (value: Json) => number | undefined): ParquetType => ({
  title: "time",
  element: {
    type: "INT64",
    converted_type: "TIMESTAMP_MILLIS",
    logical_type: { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MILLIS" },
  },
  convert: (value) => {
    const moment = momentOf(value);
    return moment === undefined || Number.isNaN(moment) ? undefined : BigInt(Math.round(moment));
  },
});

const DAY_MS = 86_400_000;

const DATE: ParquetType = {
  title: "date",
  element: { type: "INT32", converted_type: "DATE" },
  convert: (value) => {
    const moment = calendarTime(value, /^(\d{4})(\d\d)(\d\d)$/);
    return moment === undefined ? undefined : moment / DAY_MS;
  },
};

const WHOLE = [INT64, DOUBLE, TEXT];
const TEXTS = [TEXT];

/** The types of each kind; a column whose values do not fit the first one gets the next. */
const TYPES: Readonly<Record<Kind, readonly ParquetType[]>> = {
  address: TEXTS,
  program: TEXTS,
  signature: TEXTS,
  hash: TEXTS,
  slot: WHOLE,
  lamports: [UINT64, INT64, TEXT],
  tokenAmount: [UINT64, INT64, TEXT],
  amount: [DOUBLE, TEXT],
  sol: [DOUBLE, TEXT],
  usd: [DOUBLE, TEXT],
  percent: [DOUBLE, TEXT],
  change: [DOUBLE, TEXT],
  count: WHOLE,
  ordinal: WHOLE,
  number: [DOUBLE, TEXT],
  unixTime: [timestamp((value) => scale(toDouble(value), 1000)), TEXT],
  isoTime: [timestamp(isoMoment), TEXT],
  date: [DATE, TEXT],
  minute: [timestamp((value) => calendarTime(value, /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)$/)), TEXT],
  status: TEXTS,
  boolean: [BOOLEAN, TEXT],
  enum: TEXTS,
  text: TEXTS,
  url: TEXTS,
  json: TEXTS,
};

/**
 * Returns the types of a column, the preferred one first; the last one holds every value.
 * @param first the first values, for a field that is not in the catalogue
 * @param isTextual whether numbers that can exceed 2^53 are text
 */
export function columnTypes(
  meta: FieldMeta | undefined,
  first: readonly (Json | undefined)[],
  isTextual: boolean,
): readonly ParquetType[] {
  if (meta === undefined) return inferTypes(first.filter((value) => value !== undefined && value !== null));
  if (!isLargeField(meta)) return TYPES[meta.kind];
  return isTextual ? TEXTS : TYPES.tokenAmount;
}

function inferTypes(values: readonly (Json | undefined)[]): readonly ParquetType[] {
  if (values.length === 0) return TEXTS;
  if (values.every((value) => typeof value === "boolean")) return TYPES.boolean;
  return values.every(isNumeric) ? TYPES.number : TEXTS;
}

function toDouble(value: Json): number | undefined {
  if (typeof value === "number") return value;
  const text = isNumeric(value) ? numericText(value) : typeof value === "string" ? value.trim() : "";
  const double = text === "" ? Number.NaN : Number(text);
  return Number.isFinite(double) ? double : undefined;
}

const scale = (value: number | undefined, factor: number) => (value === undefined ? undefined : value * factor);

/** Returns the moment of an ISO 8601 time; without a zone it is UTC. */
function isoMoment(value: Json): number | undefined {
  if (typeof value !== "string") return undefined;
  const hasZone = /(?:[zZ]|[+-]\d\d:?\d\d)$/.test(value) || !value.includes(":");
  return Date.parse(hasZone ? value : `${value.replace(" ", "T")}Z`);
}

/** Returns the moment of a calendar date that is written as a number. */
function calendarTime(value: Json, pattern: RegExp): number | undefined {
  const text = isNumeric(value) ? numericText(value) : String(value);
  const [, year, month, day, hour = "0", minute = "0"] = pattern.exec(text) ?? [];
  if (year === undefined) return undefined;
  return Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute));
}
