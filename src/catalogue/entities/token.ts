/** Tokens, their prices, holders and pools (specification §3). */
import * as z from "zod";
import { NEWER_PLATFORMS, PLATFORMS } from "../constants.ts";
import { f } from "../fields.ts";
import type { FieldMeta } from "../kinds.ts";

const OffchainMetadata = z.looseObject({
  name: f.text("Name").optional(),
  symbol: f.text("Symbol").optional(),
  description: f.text("Description").optional(),
  image: f.url("Picture").optional(),
  website: f.url("Website").optional(),
  twitter: f.text("Twitter").optional(),
  telegram: f.text("Telegram").optional(),
  discord: f.text("Discord").optional(),
  createdOn: f.text("Launch site").optional(),
  showName: f.json("Whether launch sites show the name").optional(),
});

const TokenExtension = z.looseObject({
  extension: f.text("Name of the extension"),
  state: f.json("Its settings"),
});

/** A token: what it is, who made it, and how its market stands. New tokens can lack any market field. */
export const TokenMeta = z.looseObject({
  address: f.address("Mint of the token"),
  name: f.text("Name").optional(),
  symbol: f.text("Symbol").optional(),
  icon: f.url("Picture").optional(),
  decimals: f.count("Decimals of the token"),
  price: f.usd("Price of one whole unit").optional(),
  volume_24h: f.usd("Volume of 24 hours on all venues").optional(),
  market_cap: f.usd("Market capitalisation").optional(),
  market_cap_rank: f.count("Rank by market capitalisation; missing when unranked").optional(),
  price_change_24h: f.percent("Change of the price in 24 hours").optional(),
  supply: f.tokenAmountMixed("Supply in base units", "decimals"),
  holder: f.count("Token accounts that hold any").optional(),
  creator: f.address("Account that created the mint").optional(),
  create_tx: f.signature("Transaction that created the mint").optional(),
  created_time: f.unixTime("When the mint was created").optional(),
  first_mint_tx: f.signature("Transaction that issued the first units").optional(),
  first_mint_time: f.unixTime("When the first units were issued, sometimes years after the creation").optional(),
  metadata: f
    .object("What the maker publishes at metadata_uri; null when it cannot be read", OffchainMetadata)
    .nullish(),
  metadata_uri: f.url("Where the metadata is; empty without any").nullish(),
  mint_authority: f.address("Who may issue more; null when given up").nullish(),
  freeze_authority: f.address("Who may freeze token accounts; null when given up").nullish(),
  total_dex_vol_24h: f.usd("Volume of 24 hours on Solana's exchanges").optional(),
  dex_vol_change_24h: f.percent("Change of that volume against the day before").optional(),
  extensions: f.json("Token-2022 extensions").optional(),
  onchain_extensions: f
    .objects("Token-2022 extensions, on newer servers; missing for plain mints", TokenExtension)
    .optional(),
});

/** The price of a token on a day. */
export const PricePoint = z.looseObject({
  date: f.date("Day"),
  price: f.usd("Price of one whole unit"),
});

/** The prices of one of several tokens, oldest first. */
export const PriceSeries = z.looseObject({
  token_address: f.address("Mint of the token"),
  prices: f.objects("Prices by day", PricePoint),
});

/** A token account that holds some of a token. */
export const TokenHolder = z.looseObject({
  address: f.address("Token account, not the wallet"),
  amount: f.tokenAmount("Amount in base units", "decimals"),
  amount_str: f.tokenAmountText("The same as text, exact", "decimals").optional(),
  decimals: f.count("Decimals of the token"),
  owner: f.address("Wallet or program that owns the token account"),
  rank: f.count("Rank by amount, from 1 within the rows that the filter leaves"),
  value: f.usd("Value at the time of the request"),
  percentage: f.percent("Share of the supply"),
});

/** A pool that trades a token. */
export const TokenMarket = z.looseObject({
  pool_id: f.address("The pool"),
  program_id: f.program("Program of the exchange"),
  token_1: f.address("Mint of the first token, in the order of the pool"),
  token_2: f.address("Mint of the second token"),
  token_account_1: f.address("Token account of the pool for the first token"),
  token_account_2: f.address("Token account of the pool for the second token"),
  total_trades_24h: f.count("Trades of 24 hours"),
  total_trades_prev_24h: f.count("Trades of the 24 hours before; missing is not zero").optional(),
  total_volume_24h: f.usd("Volume of 24 hours"),
  total_volume_prev_24h: f.usd("Volume of the 24 hours before; missing is not zero").optional(),
  total_tvl: f.usd("Value locked in the pool").optional(),
  num_trader_24h: f.count("Different traders of 24 hours").optional(),
  num_trader_prev_24h: f.count("Different traders of the 24 hours before; missing is not zero").optional(),
});

const listed = {
  address: f.address("Mint of the token"),
  decimals: f.count("Decimals of the token"),
  name: f.text("Name"),
  symbol: f.text("Symbol"),
  market_cap: f.usd("Market capitalisation"),
  price: f.usd("Price of one whole unit"),
  price_24h_change: f.percent("Change of the price in 24 hours"),
  holder: f.count("Token accounts that hold any"),
  created_time: f.unixTime("When the mint was created"),
  creator: f.address("Account that created the mint").optional(),
};

/** A token in a list. */
export const TokenListItem = z.looseObject(listed);

/** A token that many look at: its name and nothing more. */
export const TrendingToken = z.looseObject({
  address: listed.address,
  decimals: listed.decimals,
  name: listed.name,
  symbol: listed.symbol,
});

const platform = z.union([z.string(), z.array(z.string())]).meta({
  kind: "enum",
  description: "Platform that the token was launched on, one or a list",
  values: [...PLATFORMS, ...NEWER_PLATFORMS],
} satisfies FieldMeta);

/** A new token: the market fields may not be there yet. */
export const LatestToken = z.looseObject({
  ...listed,
  market_cap: listed.market_cap.optional(),
  price: listed.price.optional(),
  price_24h_change: listed.price_24h_change.optional(),
  holder: listed.holder.optional(),
  platform,
});
