/**
 * The columns of a list: those that the user chose, otherwise those of the panel or the catalogue, otherwise all fields;
 * in lists of tokens also one with the prices of the last days as a line.
 */

import { isObject, type Json } from "../../../base/index.ts";
import type { Column, Endpoint, EntityName, ParameterValues, Shape } from "../../../catalogue/index.ts";
import {
  buildColumns,
  catalogueField,
  DERIVED_FIELDS,
  fieldNames,
  orderFields,
  type TableColumn,
  valueAt,
} from "../../../output/index.ts";
import type { ListSort } from "../../navigation/list-settings.ts";
import { span, type TextLine } from "../../navigation/theme/text-line.ts";
import { dottedLine } from "../chart/one-line.ts";

/** A column of a list. */
export interface ListColumn extends TableColumn {
  /** Its name in the user's choice: its paths, separated by `|`. */
  readonly key: string;
}

/** The input of {@link listColumns}. */
export interface ColumnSource {
  readonly endpoint: Endpoint;
  readonly shape: Shape;
  readonly rows: readonly Json[];
  /** Columns that replace those of the catalogue. */
  readonly defaults?: readonly Column[] | undefined;
  /** The keys of the columns that the user chose, in order. */
  readonly chosenKeys?: readonly string[] | undefined;
  /** The identifier of the entity that the rows belong to. */
  readonly subjectId?: string | undefined;
  /** Whether there is a column with the prices of the last days. */
  readonly hasTrends?: boolean | undefined;
  /** Keys of columns that are shown in any case where rows have them: what rows are sorted and filtered by. */
  readonly neededKeys?: readonly string[] | undefined;
}

/** Returns the columns of a list. */
export function listColumns(source: ColumnSource): readonly ListColumn[] {
  if (isPlainList(source.rows)) return [{ key: "", head: "value", sources: [{ path: [], meta: source.shape.meta }] }];
  return withNeededColumns(omitOwnerColumns(withKeys(columnSpecs(source), source.shape), source), source);
}

/** Adds needed columns that are missing behind the first one. */
function withNeededColumns(
  columns: readonly ListColumn[],
  { neededKeys = [], shape, rows }: ColumnSource,
): readonly ListColumn[] {
  const present = new Set(columns.flatMap(({ key }) => key.split("|")));
  const fields = new Set(fieldNames(shape, rows));
  const missing = [...new Set(neededKeys)].filter((key) => !present.has(key) && fields.has(key));
  return columns.toSpliced(1, 0, ...withKeys(missing, shape));
}

/** Returns the column that a request sorts by; undefined where it does not say. */
export function requestedSort(
  endpoint: Endpoint,
  { sort_by: key, sort_order: order }: ParameterValues,
  columns: readonly ListColumn[],
): ListSort | undefined {
  if (key === undefined || key === null) return undefined;
  const api = String(key);
  const column = columns.find((one) => apiSortKey(endpoint, one, columns) === api)?.key ?? api;
  return { column, api, isDescending: String(order ?? endpoint.query.sort_order?.default ?? "desc") === "desc" };
}

/** The values of rows that the API filters by value and sends without one. */
export const { name: DERIVED_VALUE } = DERIVED_FIELDS.value;

/**
 * Returns the fields that rows are limited by in a request: ranges, and minima and maxima of metrics.
 * @param fields those of the rows
 */
export function rangedFields(
  { query }: Endpoint,
  params: ParameterValues,
  fields: readonly string[],
): readonly string[] {
  return Object.keys(params).flatMap((name) => {
    if (params[name] === undefined || params[name] === null) return [];
    if (query[name]?.arity === "range") return [name === "value" && !fields.includes(name) ? DERIVED_VALUE : name];
    const [, metric] = /^(?:from|to)_(.+)$/.exec(name) ?? [];
    return metric === undefined || query[name]?.role !== undefined ? [] : [metric];
  });
}

const OWNER_FIELDS = /^(owner|address|account|account_address|token_address|tokenAddress|mint)$/;

/** Removes the columns that repeat the subject of the list in every row, unless the user chose them. */
function omitOwnerColumns(
  columns: readonly ListColumn[],
  { rows, subjectId, chosenKeys = [] }: ColumnSource,
): readonly ListColumn[] {
  if (subjectId === undefined || rows.length === 0 || chosenKeys.length > 0) return columns;
  const informative = columns.filter((column) => {
    const path = column.sources[0]?.path;
    const isOwner = path !== undefined && OWNER_FIELDS.test(fieldName(column));
    return !isOwner || rows.some((row) => valueAt(row, path) !== subjectId);
  });
  return informative.length === 0 ? columns : informative;
}

/** Returns all columns that can be selected: those of the list first, then every other field. */
export function allColumns(source: ColumnSource): readonly ListColumn[] {
  const specs = columnSpecs({ ...source, chosenKeys: undefined });
  const present = new Set(specs.flatMap((spec) => columnKey(spec).split("|")));
  const others = fieldKeys(source).filter((key) => !present.has(key));
  return withKeys([...specs, ...others], source.shape);
}

/** Returns whether rows are scalars: these have a single column. */
export function isPlainList(rows: readonly Json[]): boolean {
  return rows.length > 0 && !rows.some(isObject);
}

function columnSpecs(source: ColumnSource): readonly Column[] {
  const defaults = source.defaults ?? source.endpoint.columns;
  const usual = source.hasTrends && defaults.length > 0 ? withTrendColumn(defaults) : defaults;
  const { chosenKeys } = source;
  if (chosenKeys && chosenKeys.length > 0)
    return chosenKeys.map((key) => usual.find((spec) => columnKey(spec) === key) ?? key);
  return usual.length > 0 ? usual : fieldKeys(source);
}

function withKeys(specs: readonly Column[], shape: Shape): readonly ListColumn[] {
  const columns = buildColumns(specs.map(catalogueField), shape);
  return columns.map((column, index) => ({ ...column, key: columnKey(specs[index] ?? "") }));
}

/** Returns the column with a key, which need not be displayed; undefined for what is no key. */
export function columnByKey(key: string, shape: Shape): ListColumn | undefined {
  try {
    return withKeys([key], shape)[0];
  } catch {
    return undefined;
  }
}

function columnKey(column: Column): string {
  return typeof column === "string" ? column : column.path;
}

/** Narrower regions have no space for both sides of a trade and the columns before them, or not even for both sides. */
const WIDE_WIDTH = 110;
const NARROW_WIDTH = 72;
const SIDE_FIELD = /(?:amount|token)_?[12]$/;
const SIDE_COLUMNS = 4;

/** Moves the two sides of a trade right behind the first column in a narrow region. */
export function tradeSidesFirst(columns: readonly Column[], width: number): readonly Column[] {
  const [first, ...others] = columns;
  const isSide = (column: Column) => SIDE_FIELD.test(columnKey(column).split("|")[0] ?? "");
  const sides = others.filter(isSide);
  if (first === undefined || width >= WIDE_WIDTH || width < NARROW_WIDTH || sides.length < SIDE_COLUMNS) return columns;
  return [first, ...sides, ...others.filter((column) => !isSide(column))];
}

/** Names with path characters are quoted. */
function fieldKeys({ shape, rows }: ColumnSource): readonly string[] {
  return orderFields(fieldNames(shape, rows), shape).map((name) =>
    /[.[\]"|]/.test(name) ? `["${name.replace(/["\\]/g, "\\$&")}"]` : name,
  );
}

/**
 * Returns the sort key of the API for a column: the one with its name, otherwise one whose words are all in the name of
 * this column and of no other (`tvl` is `total_tvl`). Undefined when the API cannot sort by it.
 */
export function apiSortKey(endpoint: Endpoint, column: ListColumn, columns: readonly ListColumn[]): string | undefined {
  const keys = (endpoint.query.sort_by?.values ?? []).map(String);
  const exact = keys.find((key) => fieldName(column) === key);
  if (exact !== undefined) return exact;
  return keys.find((key) => {
    if (columns.some((other) => fieldName(other) === key)) return false;
    const candidates = columns.filter((other) => hasAllWords(fieldName(other), key));
    return candidates.length === 1 && candidates[0] === column;
  });
}

function fieldName({ sources }: ListColumn): string {
  return String(sources[0]?.path.at(-1) ?? "");
}

function hasAllWords(name: string, key: string): boolean {
  const words = singularWords(name);
  return singularWords(key).every((word) => words.includes(word));
}

/** Splits a name into singular words: `trades` and `trade` are the same. */
function singularWords(name: string): readonly string[] {
  return name.split("_").map((word) => word.replace(/s$/, ""));
}

const MINT_FIELDS: Readonly<Partial<Record<EntityName, string>>> = {
  TokenListItem: "address",
  TrendingToken: "address",
  LatestToken: "address",
  TokenSearchResult: "address",
  TokenMeta: "address",
  LatestPrice: "address",
  TokenStatistics: "token_address",
};

/** Cells of a line: a day each. */
export const TREND_WIDTH = 8;
/** The column of the lines, in the place of a field. */
const TREND_COLUMN = { path: "7d", head: "7d" } as const;
/** Lines are beside the price and its change. */
const PRICE_FIELD = /price/;

/** Returns the field with the mint of the tokens that an endpoint lists; undefined for other lists. */
export function mintField({ returns }: Endpoint): string | undefined {
  return returns.shape === "rows" ? MINT_FIELDS[returns.entity] : undefined;
}

/** Returns columns with that of the lines behind those of prices; where there are none, behind the second. */
function withTrendColumn(columns: readonly Column[]): readonly Column[] {
  const at = columns.findLastIndex((column) => PRICE_FIELD.test(typeof column === "string" ? column : column.path));
  return columns.toSpliced(at < 0 ? 2 : at + 1, 0, TREND_COLUMN);
}

/** Returns whether a column of a list is that of the lines. */
export function isTrendColumn({ key }: { readonly key: string }): boolean {
  return key === TREND_COLUMN.path;
}

/** Returns prices as a line, in the colour of their change, in exactly `width` cells. */
export function trendLine(prices: readonly number[] | undefined, width: number, unicode: boolean): TextLine {
  const [first = 0, last = first] = [prices?.[0], prices?.at(-1)];
  const role = last > first ? "good" : last < first ? "bad" : "note";
  return [span(dottedLine(prices ?? [], width, unicode), role)];
}
