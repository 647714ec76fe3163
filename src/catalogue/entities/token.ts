/** Tokens, their prices, holders, pools and statistics. */
import * as z from "zod";
import type { Numeric } from "../../base/index.ts";
import { NEWER_PLATFORMS, PLATFORMS } from "../constants.ts";
import { compared, f, unchecked } from "../fields.ts";
import type { FieldMeta } from "../kinds.ts";
import { TOKEN_METRICS, type TokenMetric } from "../token-metrics.ts";

/** Creators publish it in any form. */
const OffchainMetadata = z.looseObject({
  name: unchecked(f.text("Name")).optional(),
  symbol: unchecked(f.text("Symbol")).optional(),
  description: unchecked(f.text("Description")).optional(),
  image: unchecked(f.url("Icon")).optional(),
  website: unchecked(f.url("Website")).optional(),
  twitter: unchecked(f.text("Twitter")).optional(),
  telegram: unchecked(f.text("Telegram")).optional(),
  discord: unchecked(f.text("Discord")).optional(),
  createdOn: unchecked(f.text("Launch site")).optional(),
  showName: f.json("Whether launch sites display the name").optional(),
});

const TokenExtension = z.looseObject({
  extension: f.text("Name of the extension"),
  state: f.json("Settings of the extension"),
});

/** A token: metadata, creation and market. New tokens can lack any market field. */
export const TokenMeta = z.looseObject({
  address: f.address("Mint of the token"),
  name: f.text("Name").optional(),
  symbol: f.text("Symbol").optional(),
  icon: f.url("Icon").optional(),
  decimals: f.count("Decimals of the token"),
  price: f.usd("Price of one whole unit").optional(),
  volume_24h: f.usd("Volume in 24 hours on all venues").optional(),
  market_cap: f.usd("Market capitalisation").optional(),
  market_cap_rank: f.ordinal("Rank by market capitalisation; missing when unranked").optional(),
  price_change_24h: f.change("Price change in 24 hours").optional(),
  supply: f.tokenAmountMixed("Supply in base units", "decimals"),
  holder: f.count("Token accounts with a balance").optional(),
  creator: f.address("Account that created the mint").optional(),
  create_tx: f.signature("Transaction that created the mint").optional(),
  created_time: f.unixTime("Creation time of the mint").optional(),
  first_mint_tx: f.signature("Transaction of the first mint").optional(),
  first_mint_time: f.unixTime("Time of the first mint; can be years after the creation").optional(),
  metadata: f
    .object("Metadata published by the creator at metadata_uri; null when unavailable", OffchainMetadata)
    .nullish(),
  metadata_uri: f.url("URI of the metadata; empty when there is none").nullish(),
  mint_authority: f.address("Mint authority; null when revoked").nullish(),
  freeze_authority: f.address("Freeze authority; null when revoked").nullish(),
  total_dex_vol_24h: f.usd("Volume in 24 hours on Solana DEXs").optional(),
  dex_vol_change_24h: f.change("Change of total_dex_vol_24h from the previous day").optional(),
  extensions: f.json("Token-2022 extensions").optional(),
  onchain_extensions: f
    .objects("Token-2022 extensions; newer servers only, missing for plain mints", TokenExtension)
    .optional(),
});

/** The price of a token on one day. */
export const PricePoint = z.looseObject({
  date: f.date("Day"),
  price: f.usd("Price of one whole unit"),
});

/** The prices of one of several tokens, oldest first. */
export const PriceSeries = z.looseObject({
  token_address: f.address("Mint of the token"),
  prices: f.objects("Prices by day", PricePoint),
});

/** A holder of a token: one token account. */
export const TokenHolder = z.looseObject({
  address: f.address("Token account, not the wallet"),
  amount: f.tokenAmount("Amount in base units", "decimals"),
  amount_str: f.tokenAmountText("Exact value as text", "decimals").optional(),
  decimals: f.count("Decimals of the token"),
  owner: f.address("Wallet or program that owns the token account"),
  rank: f.ordinal("Rank by amount among matching rows, starting at 1"),
  value: f.usd("Value at the time of the request").optional(),
  percentage: compared(f.percent("Share of the supply")).optional(),
});

/** A pool that trades a token. */
export const TokenMarket = z.looseObject({
  pool_id: f.address("The pool"),
  program_id: f.program("Program of the exchange"),
  token_1: f.address("Mint of the first token, in the order of the pool"),
  token_2: f.address("Mint of the second token"),
  token_account_1: f.address("Token account of the pool for the first token"),
  token_account_2: f.address("Token account of the pool for the second token"),
  total_trades_24h: f.count("Trades in 24 hours"),
  total_trades_prev_24h: f.count("Trades in the previous 24 hours; missing does not mean zero").optional(),
  total_volume_24h: compared(f.usd("Volume in 24 hours")),
  total_volume_prev_24h: f.usd("Volume in the previous 24 hours; missing does not mean zero").optional(),
  total_tvl: compared(f.usd("Total value locked")).optional(),
  num_trader_24h: f.count("Unique traders in 24 hours").optional(),
  num_trader_prev_24h: f.count("Unique traders in the previous 24 hours; missing does not mean zero").optional(),
});

const listFields = {
  address: f.address("Mint of the token"),
  decimals: f.count("Decimals of the token"),
  name: f.text("Name"),
  symbol: f.text("Symbol"),
  market_cap: f.usd("Market capitalisation").optional(),
  price: f.usd("Price of one whole unit").optional(),
  price_24h_change: f.change("Price change in 24 hours").optional(),
  holder: f.count("Token accounts with a balance").optional(),
  created_time: f.unixTime("Creation time of the mint").optional(),
  creator: f.address("Account that created the mint").optional(),
};

/** A token in a list; market fields can be missing. */
export const TokenListItem = z.looseObject(listFields);

/** A trending token: its name without market fields. */
export const TrendingToken = z.looseObject({
  address: listFields.address,
  decimals: listFields.decimals,
  name: listFields.name,
  symbol: listFields.symbol,
});

const platform = z.union([z.string(), z.array(z.string())]).meta({
  kind: "enum",
  description: "Launch platform: one or a list",
  values: [...PLATFORMS, ...NEWER_PLATFORMS],
} satisfies FieldMeta);

/** A new token. */
export const LatestToken = z.looseObject({
  ...listFields,
  platform: platform.optional(),
});

/** The latest price of a token. */
export const LatestPrice = z.looseObject({
  address: f.address("Mint of the token"),
  price: f.usd("Price of one whole unit"),
  price_change_24h: f.change("Price change in 24 hours").optional(),
  market_cap: f.usd("Market capitalisation").optional(),
  updated_time: f.unixTime("Time of the price, not of the request"),
});

/** What is beside the days of a token. */
export const TokenHistory = z.looseObject({
  token_address: f.address("Mint of the token; missing without rows").optional(),
});

/** A day of a token: supply, holders, transfers and trades. */
export const TokenDay = z.looseObject({
  date: f.date("Day"),
  supply: f.amount("Circulating supply in whole units"),
  num_holders: f.count("Token accounts with a balance"),
  num_transfers: f.count("Transfers"),
  num_buyers: f.count("Unique buyers"),
  num_sellers: f.count("Unique sellers"),
  total_volume_buying: f.usd("Volume bought"),
  total_volume_selling: f.usd("Volume sold"),
  total_trade_volume: f.usd("Volume bought and sold").optional(),
  total_amount_buying: f.largeNumber("Amount bought in base units").optional(),
  total_amount_selling: f.largeNumber("Amount sold in base units").optional(),
  total_trade_amount: f.number("Amount bought and sold in base units; on older servers in USD"),
});

const { mint_authority, freeze_authority, extensions, onchain_extensions, ...searchableFields } = TokenMeta.shape;

/** A token that matches a search: its metadata without authorities and extensions. */
export const TokenSearchResult = z.looseObject({
  ...searchableFields,
  is_verified: f.boolean("Whether the token has a good or neutral reputation"),
});

const metricFields = Object.fromEntries(
  Object.entries(TOKEN_METRICS).map(([name, { kind, description }]) => [name, f[kind](description).optional()]),
) as unknown as Readonly<Record<TokenMetric, z.ZodOptional<z.ZodType<Numeric>>>>;

/** The statistics of a token: 190 metrics, most of them over nine time windows. Empty for unknown tokens. */
export const TokenStatistics = z.looseObject({
  token_address: f.address("Mint of the token").optional(),
  updated_time: f.unixTime("Time of the statistics").optional(),
  platform: f.list("Launch platforms", f.enum("Launch platform", [...PLATFORMS, ...NEWER_PLATFORMS])).optional(),
  ...metricFields,
});
