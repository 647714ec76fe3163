/** The column of lists of tokens with the prices of the last days as a line. */
import { isObject, type Json } from "../../../base/index.ts";
import type { Column, Endpoint, EntityName } from "../../../catalogue/index.ts";
import { span, type TextLine } from "../../navigation/theme/text-line.ts";
import { sparkline } from "../chart/one-line.ts";

/** The field with the mint in rows about tokens. */
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
export function withTrendColumn(columns: readonly Column[]): readonly Column[] {
  const at = columns.findLastIndex((column) => PRICE_FIELD.test(typeof column === "string" ? column : column.path));
  return columns.toSpliced(at < 0 ? 2 : at + 1, 0, TREND_COLUMN);
}

/** Returns whether a column of a list is that of the lines. */
export function isTrendColumn({ key }: { readonly key: string }): boolean {
  return key === TREND_COLUMN.path;
}

/** Returns the mint of a row; undefined where it has none. */
export function mintOfRow(row: Json | undefined, field: string): string | undefined {
  const mint = row !== undefined && isObject(row) && Object.hasOwn(row, field) ? row[field] : undefined;
  return typeof mint === "string" ? mint : undefined;
}

/** Returns prices as a line, in the colour of their change, in exactly `width` cells. */
export function trendLine(prices: readonly number[] | undefined, width: number, unicode: boolean): TextLine {
  const [first = 0, last = first] = [prices?.[0], prices?.at(-1)];
  const role = last > first ? "good" : last < first ? "bad" : "note";
  return [span(sparkline(prices ?? [], width, unicode).padEnd(width), role)];
}
