/** The sections of the home screen: what each asks for, shows and opens. */

import { decimalOf } from "../../../base/decimal.ts";
import { isObject, type Json, type JsonObject } from "../../../base/json.ts";
import type { Endpoint } from "../../../catalogue/endpoint.ts";
import { LeaderboardRow } from "../../../catalogue/entities/account.ts";
import { Block } from "../../../catalogue/entities/chain.ts";
import { TokenListItem } from "../../../catalogue/entities/token.ts";
import type { ParameterValues } from "../../../catalogue/index.ts";
import type { Kind } from "../../../catalogue/kinds.ts";
import { type Clock, compactNumber } from "../../../output/index.ts";
import type { Subject } from "../../app/context.ts";
import type { EntityKind } from "../../app/entity-pages.ts";
import type { Route } from "../../app/route.ts";
import { type EntitySchema, endpointAt, formatField } from "../../widgets/cells.ts";
import { changeSpan } from "../../widgets/chart/change.ts";
import { MAX_SYMBOL, type TableColumn } from "../../widgets/table/layout.ts";

/** A section. */
export interface HomeSection {
  readonly title: string;
  readonly endpoint: Endpoint;
  readonly params: ParameterValues;
  /** The parameters with which the whole list opens. */
  readonly listParams: ParameterValues;
  readonly columns: (clock: Clock, unicode: boolean) => readonly TableColumn[];
  /** The field that tells what a row is of, and what that is. */
  readonly id: { readonly field: string; readonly kind: Kind; readonly entity: EntityKind };
  readonly empty: string;
}

/** Rows of a section: one answer holds them, however many are on view. */
const ROW_COUNT = 30;

/** `least`: with fewer cells the column is left out, where it is the last. */
type FieldColumn = readonly (readonly [field: string, head: string, minWidth?: number])[];

/** A unit that is in the heading is not in the cells. */
const SOL = " SOL";
/** A name is beside its symbol only where it can be read. */
const MIN_NAME = 12;

/** Great sums, which are taken in at a glance as three digits and a letter. */
const COMPACT_FIELDS: readonly string[] = ["market_cap", "total_values", "sol_values", "token_values", "stake_values"];

const fieldColumns =
  (entity: EntitySchema, fields: FieldColumn) =>
  (clock: Clock): readonly TableColumn[] =>
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

/** The columns of tokens: what they are called, what they cost, and how that changed. */
const tokenColumns =
  (fields: FieldColumn) =>
  (clock: Clock, unicode: boolean): readonly TableColumn[] =>
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

/** The sections, in the order of reading. */
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
    empty: "There are no blocks yet.",
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
    empty: "No token is trending now.",
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
    empty: "There are no top tokens.",
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
    empty: "There are no accounts on the list.",
  },
];

/** The rows of an answer that are objects. */
export function objectsIn(rows: readonly Json[] | undefined): readonly JsonObject[] {
  return (rows ?? []).filter(isObject);
}

/** Trending tokens carry names only: what the list of top tokens knows of the same mint is added. */
export function withPrices(tokenColumns: readonly JsonObject[], known: readonly JsonObject[]): readonly JsonObject[] {
  const byMint = new Map(known.map((token) => [token.address, token]));
  return tokenColumns.map((token) => ({ ...byMint.get(token.address ?? null), ...token }));
}

/** What a row is of, as a place; undefined where the API does not tell. */
export function routeOfRow({ id }: HomeSection, row: JsonObject | undefined): Route | undefined {
  const value = row?.[id.field];
  if (typeof value !== "string" && typeof value !== "number") return undefined;
  return value === "" ? undefined : { kind: "entity", entity: id.entity, id: String(value) };
}

/** The cell of a row that copying takes first. */
export function cellOfRow({ id }: HomeSection, row: JsonObject | undefined): Subject["cell"] {
  const value = row?.[id.field];
  return value === undefined || value === null ? undefined : { field: id.field, value, kind: id.kind };
}
