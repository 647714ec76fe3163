/** The legacy list of tokens. */

import { DAY_SECONDS, type Json, type JsonObject, omitMissing, parseJson } from "../../../../base/index.ts";
import { BONK, JUP, NATIVE_SOL, USDC, WRAPPED_SOL } from "../../../../catalogue/index.ts";
import type { LedgerReader, LedgerRow } from "../../store/reader.ts";
import type { Query } from "../query.ts";
import { asText, columnNumber, columnText, sliceLimits, sortDirection, volumeOf } from "../sql.ts";
import { IS_LISTED, MARKET_CAP_RANK } from "../token/mints.ts";
import { percentChange, pricesBefore } from "../token/prices.ts";
import { uiAmountOf } from "../transaction/arguments.ts";

/** Sort columns of tokens `t` and their statistics `s` by sort key. */
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

/** Returns the first row id of the last `days` days. */
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
FROM (
  SELECT id FROM (SELECT t.id, ${value} AS value FROM tokens t LEFT JOIN token_stats s ON s.token_id = t.id WHERE ${IS_LISTED})
  ORDER BY value ${direction} NULLS LAST, id ${direction} LIMIT ? OFFSET ?
) p CROSS JOIN tokens t ON t.id = p.id LEFT JOIN token_stats s ON s.token_id = t.id LEFT JOIN labels l ON l.account_id = t.id`;

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

interface TokenLinks {
  readonly website?: string;
  readonly twitter?: string;
  readonly coingeckoId?: string;
}

/** Returns the links of a token: those in its metadata, and those of well-known tokens. */
export function linksOf(address: string, row: LedgerRow): TokenLinks {
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

/** Returns the tags of a token's label. */
export const tagsOf = (row: LedgerRow): Json => (row.tags === null ? [] : parseJson(String(row.tags)));

/** Returns the price changes over all periods; null where there is no price that old. */
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
export const legacyTokenList: Query = ({ db, params }) => {
  const key = params.text("sortBy") ?? "market_cap";
  const days = PERIODS[key.replace("price_change_", "")];
  const sql = listSql(SORT_COLUMNS[key] ?? PRICE_CHANGE, sortDirection(params, "direction"));
  const rows = db.all(sql, ...(days === undefined ? [] : [rowBefore(db, days)]), ...sliceLimits(params));
  const counted = db.get(`SELECT count(*) AS total FROM tokens t WHERE ${IS_LISTED}`);
  const periodRows = Object.values(PERIODS).map((past) => rowBefore(db, past));
  return { data: { total: Number(counted?.total), data: rows.map((row) => tokenOf(db, row, periodRows)) } };
};
