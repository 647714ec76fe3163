/** The legacy token endpoints. */
import { DAY_SECONDS, type Json, type JsonObject, omitMissing, parseJson } from "../../../../base/index.ts";
import { BONK, JUP, NATIVE_SOL, USDC, WRAPPED_SOL } from "../../../../catalogue/index.ts";
import { type LedgerReader, type LedgerRow, mapRows } from "../../store/reader.ts";
import { SOL } from "../../store/schema.ts";
import { legacyChanges } from "../account/changes.ts";
import type { QueriesByRoute, Query } from "../query.ts";
import {
  amountOf,
  asText,
  columnNumber,
  columnText,
  sliceLimits,
  sortDirection,
  volumeOf,
  WhereClause,
} from "../sql.ts";
import { uiAmountOf } from "../transaction/arguments.ts";
import { countHolders, holderConditions, readHolders } from "./holders.ts";
import { IS_LISTED, MARKET_CAP_RANK, percentChange, pricesBefore, requireToken } from "./prices.ts";

const SORT_COLUMNS: Readonly<Record<string, string>> = {
  market_cap: "s.market_cap",
  volume: "s.volume_24h",
  holder: "s.holders",
  price: "s.price",
};

/** Days of the price changes, by the suffix of the sort key and the field. */
const PERIODS: Readonly<Record<string, number>> = {
  "24h": 1,
  "7d": 7,
  "14d": 14,
  "30d": 30,
  "60d": 60,
  "200d": 200,
  "1y": 365,
};

const rowBefore = (db: LedgerReader, days: number): number => db.firstRowAt(db.clock.end - days * DAY_SECONDS + 1);

const PRICE_CHANGE = `(SELECT (s.price - e.price) / e.price * 100 FROM prices e
  WHERE e.token_id = t.id AND e.id < ? ORDER BY e.id DESC LIMIT 1)`;

/** Returns the SQL of a page. Tokens without a value for the sort key come last in both directions. */
const listSql = (
  value: string,
  direction: string,
) => `SELECT t.id, t.name, t.symbol, t.icon, t.decimals, t.metadata, l.tags,
  ${asText("s.supply")} AS supply, s.holders, s.price, s.market_cap, s.trades_24h AS trades,
  ${asText("s.volume_24h")} AS volume, ${MARKET_CAP_RANK} AS rank
FROM (SELECT id FROM (
    SELECT t.id AS id, ${value} AS value FROM tokens t LEFT JOIN token_stats s ON s.token_id = t.id WHERE ${IS_LISTED})
  ORDER BY value ${direction} NULLS LAST, id ${direction} LIMIT ? OFFSET ?) p
  CROSS JOIN tokens t ON t.id = p.id LEFT JOIN token_stats s ON s.token_id = t.id LEFT JOIN labels l ON l.account_id = t.id`;

/** The CoinGecko identifiers and Twitter names of well-known tokens, by mint. */
const DIRECTORY: ReadonlyMap<string, readonly [coingeckoId: string, twitter: string]> = new Map([
  [NATIVE_SOL, ["solana", "solana"]],
  [WRAPPED_SOL, ["solana", "solana"]],
  [USDC, ["usd-coin", "circle"]],
  ["Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB", ["tether", "Tether_to"]],
  ["mSoLzYCxHdYgdzU16g5QSh3i5K3z3KZK7ytfqcJm7So", ["msol", "MarinadeFinance"]],
  ["J1toso1uCk3RLmjorhTtrVwY9HJ7X8V9yYac6Y7kGCPn", ["jito-staked-sol", "jito_sol"]],
  [JUP, ["jupiter-exchange-solana", "JupiterExchange"]],
  [BONK, ["bonk", "bonk_inu"]],
  ["4k3Dyjzvzp8eMZWUXbBCjEvwSkkk59S5iCNLY3QrkX6R", ["raydium", "RaydiumProtocol"]],
  ["orcaEKTdK7LKz57vaAYr9QeNsVEPfiu6QeMU1kektZE", ["orca", "orca_so"]],
  ["HZ1JovNiVvGrGNiiYvEozEVgZ58xaU3RKwX8eACQBCt3", ["pyth-network", "PythNetwork"]],
  ["MNDEFzGvMt87ueuHvVU9VcTqsAP5b3fTGPsHuuPA5ey", ["marinade", "MarinadeFinance"]],
  ["7i5KKsX2weiTkry7jA4ZwSuXGhs5eJBEjY8vVxR4pfRx", ["stepn", "Stepnofficial"]],
]);

function linksOf(address: string, row: LedgerRow): Partial<Record<"website" | "twitter" | "coingeckoId", string>> {
  const metadata = row.metadata === null ? {} : (parseJson(String(row.metadata)) as JsonObject);
  const link = (name: "website" | "twitter") => (typeof metadata[name] === "string" ? { [name]: metadata[name] } : {});
  const [coingeckoId, twitter] = DIRECTORY.get(address) ?? [];
  return {
    ...(coingeckoId !== undefined && { coingeckoId }),
    ...(twitter !== undefined && { twitter: `https://twitter.com/${twitter}` }),
    ...link("website"),
    ...link("twitter"),
  };
}

const tagsOf = (row: LedgerRow): Json => (row.tags === null ? [] : parseJson(String(row.tags)));

function changesOf(db: LedgerReader, row: LedgerRow, periodRows: readonly number[]): JsonObject {
  const before = pricesBefore(db, Number(row.id), periodRows);
  const change = (price: number | null | undefined) => (price == null ? null : percentChange(Number(row.price), price));
  return Object.fromEntries(Object.keys(PERIODS).map((name, n) => [`priceChangePercentage${name}`, change(before[n])]));
}

function tokenOf(db: LedgerReader, row: LedgerRow, periodRows: readonly number[]): JsonObject {
  const address = db.addressOf(Number(row.id));
  const { website, twitter, coingeckoId } = linksOf(address, row);
  const volume = volumeOf(db, row.volume, row.trades);
  const unknown = db.facts.assume(0);
  const [supply, decimals] = [columnText(row.supply ?? unknown), columnNumber(row.decimals)];
  return {
    ...omitMissing({
      mintAddress: address,
      tokenSymbol: columnText(row.symbol),
      tokenName: columnText(row.name),
      decimals,
      icon: columnText(row.icon),
    }),
    ...(website === undefined ? {} : { website }),
    ...(twitter === undefined ? {} : { twitter }),
    extensions: { ...(website !== undefined && { website }), ...(coingeckoId !== undefined && { coingeckoId }) },
    marketCapRank: row.rank as number | null,
    ...omitMissing({
      supply: supply === undefined ? undefined : uiAmountOf(supply, decimals),
      holder: columnNumber(row.holders ?? unknown),
    }),
    priceUst: row.price as number | null,
    marketCapFD: row.market_cap as number | null,
    volume: omitMissing({ volumeUsd: volume, volume }),
    coingeckoInfo: { marketData: changesOf(db, row, periodRows) },
    tag: tagsOf(row),
  };
}

/**
 * `/token/list`: fungible tokens with SOL in its wrapped form, by market capitalisation by default. The price changes
 * that it can be sorted by are in `coingeckoInfo`.
 */
const legacyTokenList: Query = ({ db, params }) => {
  const key = params.text("sortBy") ?? "market_cap";
  const days = PERIODS[key.replace("price_change_", "")];
  const sql = listSql(SORT_COLUMNS[key] ?? PRICE_CHANGE, sortDirection(params, "direction"));
  const rows = db.all(sql, ...(days === undefined ? [] : [rowBefore(db, days)]), ...sliceLimits(params));
  const counted = db.get(`SELECT count(*) AS total FROM tokens t WHERE ${IS_LISTED}`);
  const periodRows = db.facts.hasPrices ? Object.values(PERIODS).map((past) => rowBefore(db, past)) : [];
  return { data: { total: Number(counted?.total), data: mapRows(rows, (row) => tokenOf(db, row, periodRows)) } };
};

/**
 * `/token/transfer`: balance changes of a token, optionally of one wallet or token account, newest first. SOL has none
 * because it is not a token of the token program.
 */
const transfer: Query = ({ db, params }) => {
  const token = requireToken(db, params.required("tokenAddress"));
  if (token === SOL) return { data: { total: 0, data: [] } };
  const conditions = new WhereClause().add("c.token_id = ?", token);
  return legacyChanges(db, params, { address: params.text("address"), conditions });
};

const TOKEN = `SELECT t.name, t.symbol, t.icon, t.decimals, t.metadata, t.mint_authority_id, l.tags,
  ${asText("s.supply")} AS supply, s.holders, s.price, s.price_prev, s.market_cap, s.trades_24h AS trades,
  ${asText("s.volume_24h")} AS volume, ${MARKET_CAP_RANK} AS rank
FROM tokens t LEFT JOIN token_stats s ON s.token_id = t.id LEFT JOIN labels l ON l.account_id = t.id WHERE t.id = ?`;

/** Reads a token with its statistics; empty where it is unknown. */
export const tokenRow = (db: LedgerReader, token: number): LedgerRow => db.get(TOKEN, token) ?? {};

const meta: Query = ({ db, params }) => {
  const address = params.required("tokenAddress");
  const row = tokenRow(db, requireToken(db, address));
  const unknown = db.facts.assume(0);
  const data = {
    ...omitMissing({
      symbol: columnText(row.symbol),
      address,
      name: columnText(row.name),
      icon: columnText(row.icon),
      ...linksOf(address, row),
      decimals: columnNumber(row.decimals),
      price: columnNumber(row.price),
      volume: volumeOf(db, row.volume, row.trades),
    }),
    tokenAuthority: row.mint_authority_id === null ? null : db.addressOf(Number(row.mint_authority_id)),
    ...omitMissing({ supply: columnText(row.supply ?? unknown) }),
    type: "token_address",
    ...omitMissing({ holder: columnNumber(row.holders ?? unknown) }),
    tag: tagsOf(row),
  };
  return { data };
};

/** `/token/holders`: token accounts with a balance, largest first. Total and rank count within the filter. */
const holders: Query = ({ db, params }) => {
  const token = requireToken(db, params.required("tokenAddress"));
  const amounts = [params.text("fromAmount"), params.text("toAmount")];
  const where = holderConditions(token, amounts);
  const [limit, offset] = sliceLimits(params);
  const decimals = columnNumber(tokenRow(db, token).decimals);
  const data = readHolders(db, where, limit, offset).map((row, n) =>
    omitMissing({
      address: db.addressOf(Number(row.account_id)),
      amount: amountOf(row.amount),
      decimals,
      owner: db.addressOf(Number(row.owner_id)),
      rank: offset + n + 1,
    }),
  );
  const isFiltered = amounts.some((amount) => amount !== undefined);
  return { data: { total: countHolders(db, token, where, isFiltered), data } };
};

/** The legacy token endpoints. */
export const legacyTokenQueries: QueriesByRoute = {
  "token-holders": holders,
  "token-meta": meta,
  "token-transfer": transfer,
  "token-list": legacyTokenList,
};
