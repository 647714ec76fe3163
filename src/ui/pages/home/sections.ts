/** The sections of the home page: their requests, columns and links. */
import { type JsonObject, toNumber } from "../../../base/index.ts";
import { type Endpoint, type Kind, MAX_MULTI_ITEMS, type ParameterValues } from "../../../catalogue/index.ts";
import {
  AccountTransaction,
  Block,
  LeaderboardRow,
  PerformanceSample,
  TokenListItem,
  Validator,
} from "../../../catalogue/schemas.ts";
import { type Clock, MISSING } from "../../../output/index.ts";
import type { Subject } from "../../navigation/context.ts";
import type { EntityKind } from "../../navigation/entity-pages.ts";
import type { Route } from "../../navigation/route.ts";
import type { Services } from "../../navigation/services.ts";
import { type EntitySchema, endpointAt, fieldMetaOf, formatField } from "../../widgets/cells.ts";
import { TREND_WIDTH, trendLine } from "../../widgets/list/columns.ts";
import { barDrawing, MAX_SYMBOL, type ShortTableColumn } from "../../widgets/table/layout.ts";

/** The state of the chain. */
export const CHAIN = { endpoint: endpointAt("/chaininfo", "public"), params: {} };
/** The state of the cluster of a node. */
export const STATUS = { endpoint: endpointAt("/node/status", "node"), params: {} };
/** The minutes of the cluster. */
export const PERFORMANCE = { endpoint: endpointAt("/node/performance", "node"), params: {} };

/** A section. */
export interface HomeSection {
  readonly title: string;
  readonly endpoint: Endpoint;
  readonly params: ParameterValues;
  readonly listParams: ParameterValues;
  readonly columns: (clock: Clock, unicode: boolean) => readonly ShortTableColumn[];
  /** Milliseconds between two refreshes, if the quota allows it. */
  readonly everyMs: number;
  /** Quantities whose changes are highlighted. */
  readonly watched?: readonly string[];
  /** The field that identifies the entity of a row. */
  readonly id: { readonly field: string; readonly kind: Kind; readonly entity: EntityKind };
  readonly empty: string;
}

const ROW_COUNT = 30;

/** A field with its heading; with less than `minWidth` cells the column is left out if it is the last. */
type FieldColumn = readonly (readonly [field: string, head: string, minWidth?: number])[];

/** A unit in the heading is removed from the cells. */
const SOL = " SOL";
/** Minimum useful width of a name beside its symbol. */
const MIN_NAME = 12;

/** Cells of a bar beside a number. */
const BAR_WIDTH = 8;

const fieldColumns =
  (entity: EntitySchema, fields: FieldColumn) =>
  (clock: Clock, unicode: boolean): readonly ShortTableColumn[] =>
    fields.flatMap(([path, head, minWidth]): readonly ShortTableColumn[] => [
      {
        path,
        head,
        ...(minWidth !== undefined && { minWidth }),
        ...(path === "symbol" && { maxWidth: MAX_SYMBOL }),
        cell: (row) => {
          const cell = formatField(entity, row, path, { ...clock, numbers: "brief" });
          return head.endsWith(SOL) ? { ...cell, text: cell.text.replace(SOL, "") } : cell;
        },
      },
      ...(fieldMetaOf(entity, path)?.isCompared ? [barColumn(path, unicode)] : []),
    ]);

function barColumn(path: string, unicode: boolean): ShortTableColumn {
  return { path, head: "", cell: () => MISSING, drawing: barDrawing((row) => toNumber(row[path]), BAR_WIDTH, unicode) };
}

/** Returns columns with the prices of the last days of tokens behind their change. */
export function withTrends(
  columns: readonly ShortTableColumn[],
  id: string,
  trendOf: (mint: string) => readonly number[] | undefined,
  unicode: boolean,
): readonly ShortTableColumn[] {
  const at = columns.findIndex(({ path }) => path === CHANGE_FIELD);
  const line = (row: JsonObject, width: number) => trendLine(trendOf(String(row[id] ?? "")), width, unicode);
  const column: ShortTableColumn = { path: id, head: "7d", cell: () => MISSING, drawing: { width: TREND_WIDTH, line } };
  return at < 0 ? columns : columns.toSpliced(at + 1, 0, column);
}

/** The field of the tokens beside which their prices are drawn. */
const CHANGE_FIELD = "price_24h_change";

const ACCOUNT = { field: "account", kind: "address", entity: "account" } as const;
const TOKEN = { field: "address", kind: "address", entity: "token" } as const;
const BLOCK = { field: "current_slot", kind: "slot", entity: "block" } as const;

/** Milliseconds between two refreshes of an answer, by what it contains; those of a node may take many calls. */
export const LIVE_MS = { blocks: 5000, chain: 15_000, prices: 20_000, ranks: 60_000, totals: 300_000, node: 15_000 };

/** Trending tokens, as many as one request returns the prices of, which their list lacks. */
export const TRENDING_TOKENS = { endpoint: endpointAt("/token/trending"), params: { limit: MAX_MULTI_ITEMS } };

/** The largest tokens with their prices. */
export const TOP_TOKENS = { endpoint: endpointAt("/token/top"), params: {} };

/** The latest blocks, which the summary of the chain is made from, too. */
export const LATEST_BLOCKS: HomeSection = {
  title: "latest blocks",
  everyMs: LIVE_MS.blocks,
  endpoint: endpointAt("/block/last"),
  params: { limit: ROW_COUNT },
  listParams: { limit: 100 },
  columns: fieldColumns(Block, [
    ["current_slot", "slot"],
    ["block_time", "time"],
    ["transactions_count", "txs"],
    ["fee_rewards", "fee rewards SOL"],
    ["blockhash", "hash"],
  ]),
  id: BLOCK,
  empty: "No blocks yet.",
};

/** The sections with the API, in reading order. */
export const SECTIONS: readonly HomeSection[] = [
  LATEST_BLOCKS,
  {
    title: "trending tokens",
    everyMs: LIVE_MS.ranks,
    watched: ["price"],
    ...TRENDING_TOKENS,
    listParams: { limit: 100 },
    columns: fieldColumns(TokenListItem, [
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
    everyMs: LIVE_MS.prices,
    watched: ["price"],
    ...TOP_TOKENS,
    listParams: {},
    columns: fieldColumns(TokenListItem, [
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
    everyMs: LIVE_MS.totals,
    endpoint: endpointAt("/account/leaderboard"),
    params: { page_size: ROW_COUNT },
    listParams: {},
    columns: fieldColumns(LeaderboardRow, [
      ["account", "account"],
      ["total_values", "net worth"],
      ["sol_values", "SOL"],
      ["token_values", "tokens"],
      ["stake_values", "stakes"],
    ]),
    id: ACCOUNT,
    empty: "No accounts.",
  },
];

/** Rows per request of a section with a node, for which each row is a call. */
const NODE_ROW_COUNT = 10;
const VALIDATOR = { field: "vote_account", kind: "address", entity: "account" } as const;
const TRANSACTION = { field: "tx_hash", kind: "signature", entity: "transaction" } as const;
const SLOT = { field: "slot", kind: "slot", entity: "block" } as const;

/** The sections with a node, in reading order. */
const NODE_SECTIONS: readonly HomeSection[] = [
  { ...LATEST_BLOCKS, params: { limit: NODE_ROW_COUNT }, everyMs: LIVE_MS.node },
  {
    title: "latest transactions",
    everyMs: LIVE_MS.node,
    endpoint: endpointAt("/transaction/last"),
    params: { limit: NODE_ROW_COUNT },
    listParams: { limit: 40 },
    columns: fieldColumns(AccountTransaction, [
      ["tx_hash", "signature"],
      ["block_time", "time"],
      ["status", "status"],
      ["fee", "fee SOL"],
      ["signer", "signer"],
      ["parsed_instructions", "instructions", MIN_NAME],
    ]),
    id: TRANSACTION,
    empty: "No transactions other than votes in the latest blocks.",
  },
  {
    title: "validators",
    everyMs: LIVE_MS.totals,
    endpoint: endpointAt("/node/validators", "node"),
    params: { page_size: 20 },
    listParams: {},
    columns: fieldColumns(Validator, [
      ["rank", "#"],
      ["name", "name"],
      ["vote_account", "vote account"],
      ["activated_stake", "stake SOL"],
      ["stake_share", "share"],
      ["commission", "commission"],
      ["version", "version", MIN_NAME],
    ]),
    id: VALIDATOR,
    empty: "No validators.",
  },
  {
    title: "performance by minute",
    everyMs: LIVE_MS.ranks,
    ...PERFORMANCE,
    listParams: { limit: 720 },
    columns: fieldColumns(PerformanceSample, [
      ["slot", "slot"],
      ["non_vote_tps", "transactions/s"],
      ["tps", "with votes/s"],
      ["slot_milliseconds", "ms per slot"],
    ]),
    id: SLOT,
    empty: "No samples.",
  },
];

/** Returns the sections that are answered in this run. */
export function sectionsFor({ supports, source }: Services): readonly HomeSection[] {
  return (source.facts.omitsUnknown ? NODE_SECTIONS : SECTIONS).filter(({ endpoint }) => supports(endpoint));
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
