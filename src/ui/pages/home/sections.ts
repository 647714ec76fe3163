/** The sections of the home page: their requests, columns and links. */

import { decimalOf, isObject, type Json, type JsonObject } from "../../../base/index.ts";
import type { Endpoint, Kind, ParameterValues } from "../../../catalogue/index.ts";
import { Block, LeaderboardRow, TokenListItem } from "../../../catalogue/schemas.ts";
import { type Clock, compactNumber } from "../../../output/index.ts";
import type { Subject } from "../../app/context.ts";
import type { EntityKind } from "../../app/entity-pages.ts";
import type { Route } from "../../app/route.ts";
import { type EntitySchema, endpointAt, formatField } from "../../widgets/cells.ts";
import { changeSpan } from "../../widgets/chart/change.ts";
import { MAX_SYMBOL, type ShortTableColumn } from "../../widgets/table/layout.ts";

/** A section. */
export interface HomeSection {
  readonly title: string;
  readonly endpoint: Endpoint;
  readonly params: ParameterValues;
  /** The parameters of the full list. */
  readonly listParams: ParameterValues;
  readonly columns: (clock: Clock, unicode: boolean) => readonly ShortTableColumn[];
  /** The field that identifies the entity of a row. */
  readonly id: { readonly field: string; readonly kind: Kind; readonly entity: EntityKind };
  readonly empty: string;
}

/** Number of rows per request of a section. */
const ROW_COUNT = 30;

/** A field with its heading; with less than `minWidth` cells the column is left out if it is the last. */
type FieldColumn = readonly (readonly [field: string, head: string, minWidth?: number])[];

/** A unit in the heading is removed from the cells. */
const SOL = " SOL";
/** Minimum useful width of a name beside its symbol. */
const MIN_NAME = 12;

/** Fields with large sums, which are abbreviated. */
const COMPACT_FIELDS: readonly string[] = ["market_cap", "total_values", "sol_values", "token_values", "stake_values"];

const fieldColumns =
  (entity: EntitySchema, fields: FieldColumn) =>
  (clock: Clock): readonly ShortTableColumn[] =>
    fields.map(([path, head, minWidth]) => ({
      path,
      head,
      ...(minWidth !== undefined && { minWidth }),
      ...(path === "symbol" && { maxWidth: MAX_SYMBOL }),
      cell: (row) => {
        const cell = formatField(entity, row, path, clock);
        if (COMPACT_FIELDS.includes(path)) return { ...cell, text: compactNumber(cell.text) ?? cell.text };
        return head.endsWith(SOL) ? { ...cell, text: cell.text.replace(SOL, "") } : cell;
      },
    }));

/** Returns the columns of tokens with the price change as a signed percentage. */
const tokenColumns =
  (fields: FieldColumn) =>
  (clock: Clock, unicode: boolean): readonly ShortTableColumn[] =>
    fieldColumns(
      TokenListItem,
      fields,
    )(clock).map((column) =>
      column.path === "price_24h_change" ? { ...column, cell: (row) => changeCell(row, unicode) } : column,
    );

function changeCell(row: JsonObject, unicode: boolean) {
  const { text, role } = changeSpan(decimalOf(row.price_24h_change), unicode);
  return { text, numeric: true as const, ...(role === "good" || role === "bad" || role === "missing" ? { role } : {}) };
}

const ACCOUNT = { field: "account", kind: "address", entity: "account" } as const;
const TOKEN = { field: "address", kind: "address", entity: "token" } as const;
const BLOCK = { field: "current_slot", kind: "slot", entity: "block" } as const;

/** The sections, in reading order. */
export const SECTIONS: readonly HomeSection[] = [
  {
    title: "latest blocks",
    endpoint: endpointAt("/block/last"),
    params: { limit: ROW_COUNT },
    listParams: { limit: 100 },
    columns: fieldColumns(Block, [
      ["current_slot", "slot"],
      ["block_time", "time"],
      ["transactions_count", "transactions"],
      ["fee_rewards", "fees SOL"],
      ["blockhash", "hash"],
    ]),
    id: BLOCK,
    empty: "No blocks yet.",
  },
  {
    title: "trending tokens",
    endpoint: endpointAt("/token/trending"),
    params: { limit: ROW_COUNT },
    listParams: { limit: 100 },
    columns: tokenColumns([
      ["symbol", "symbol"],
      ["name", "name"],
      ["price", "price"],
      ["price_24h_change", "24h"],
      ["address", "mint"],
    ]),
    id: TOKEN,
    empty: "No trending tokens.",
  },
  {
    title: "top tokens",
    endpoint: endpointAt("/token/top"),
    params: {},
    listParams: {},
    columns: tokenColumns([
      ["symbol", "symbol"],
      ["price", "price"],
      ["price_24h_change", "24h"],
      ["market_cap", "market cap"],
      ["holder", "holders"],
      ["address", "mint"],
      ["name", "name", MIN_NAME],
    ]),
    id: TOKEN,
    empty: "No top tokens.",
  },
  {
    title: "richest accounts",
    endpoint: endpointAt("/account/leaderboard"),
    params: { page_size: ROW_COUNT },
    listParams: {},
    columns: fieldColumns(LeaderboardRow, [
      ["account", "account"],
      ["total_values", "total"],
      ["sol_values", "SOL"],
      ["token_values", "tokens"],
      ["stake_values", "stakes"],
    ]),
    id: ACCOUNT,
    empty: "No accounts.",
  },
];

/** Returns the rows of an answer that are objects. */
export function objectsIn(rows: readonly Json[] | undefined): readonly JsonObject[] {
  return (rows ?? []).filter(isObject);
}

/** Trending tokens have names only; prices are added from the list of top tokens by mint. */
export function withPrices(tokenColumns: readonly JsonObject[], known: readonly JsonObject[]): readonly JsonObject[] {
  const byMint = new Map(known.map((token) => [token.address, token]));
  return tokenColumns.map((token) => ({ ...byMint.get(token.address ?? null), ...token }));
}

/** Returns the route of a row; undefined when its identifier is missing. */
export function routeOfRow({ id }: HomeSection, row: JsonObject | undefined): Route | undefined {
  const value = row?.[id.field];
  if (typeof value !== "string" && typeof value !== "number") return undefined;
  return value === "" ? undefined : { kind: "entity", entity: id.entity, id: String(value) };
}

/** Returns the cell of a row that is copied first. */
export function cellOfRow({ id }: HomeSection, row: JsonObject | undefined): Subject["cell"] {
  const value = row?.[id.field];
  return value === undefined || value === null ? undefined : { field: id.field, value, kind: id.kind };
}
