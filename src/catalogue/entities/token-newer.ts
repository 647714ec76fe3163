/** Prices, statistics and search results of tokens that the specification lacks. */
import * as z from "zod";
import type { Numeric } from "../../base/index.ts";
import { NEWER_PLATFORMS, PLATFORMS } from "../constants.ts";
import { f } from "../fields.ts";
import { TOKEN_METRICS, type TokenMetric } from "../token-metrics.ts";
import { TokenMeta } from "./token.ts";

/** The latest price of a token. */
export const LatestPrice = z.looseObject({
  address: f.address("Mint of the token"),
  price: f.usd("Price of one whole unit"),
  price_change_24h: f.change("Price change in 24 hours").optional(),
  market_cap: f.usd("Market capitalisation").optional(),
  updated_time: f.unixTime("Time of the price, not of the request"),
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
