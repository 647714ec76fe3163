/** Token endpoints of today's service that the specification lacks. */
import {
  MAX_LISTED_TOKENS,
  MAX_NEWER_MULTI_ITEMS,
  NEWER_PLATFORMS,
  PLATFORMS,
  SMALL_SIZES,
  STANDARD_SIZES,
} from "../constants.ts";
import { endpoint, object, rows } from "../endpoint.ts";
import {
  address,
  addresses,
  date,
  flag,
  IDENTIFIER,
  integer,
  MINT,
  oneOf,
  order,
  pages,
  someOf,
  text,
  timeWindow,
} from "../param.ts";
import { BONK, JUP, POOL, USDC, WRAPPED_SOL } from "../samples.ts";
import { METRIC_FILTERS, TOKEN_METRIC_NAMES } from "../token-metrics.ts";
import { CANDLE_LIST, candlePages, candleResolution } from "./common.ts";

const mint = () => address("Mint of the token", { ...IDENTIFIER, ...MINT });
const mints = () => addresses("Mints of the tokens", { ...IDENTIFIER, ...MINT, maxItems: MAX_NEWER_MULTI_ITEMS });

const priceLatest = endpoint({
  family: "v2",
  path: "/token/price/latest",
  since: "newer",
  multi: true,
  summary: "Latest prices of tokens",
  query: { address: mints() },
  returns: rows("LatestPrice"),
  cachePolicy: "prices",
  columns: ["address", "price", "price_change_24h", "market_cap", "updated_time"],
  identity: ["address"],
  echo: "address",
  aliases: ["latest-price", "price-now"],
  examples: [
    { about: "Price of SOL", params: { address: WRAPPED_SOL } },
    { about: "Prices of three tokens", params: { address: [WRAPPED_SOL, JUP, BONK] } },
  ],
  notes: [
    "updated_time is the time of the price, not of the request.",
    "Tokens without a price are omitted; address identifies the token.",
    "One invalid address fails the whole request.",
  ],
});

const priceHistory = endpoint({
  family: "v2",
  path: "/token/price/history",
  since: "newer",
  multi: true,
  summary: "Daily prices of tokens",
  query: {
    address: mints(),
    from_time: date("First day", { role: "from" }),
    to_time: date("Last day", { role: "to" }),
  },
  returns: rows("PriceSeries"),
  cachePolicy: "prices",
  columns: ["token_address", "prices"],
  identity: ["token_address"],
  echo: "token_address",
  aliases: ["daily-prices"],
  examples: [
    { about: "SOL, last week", params: { address: WRAPPED_SOL, from_time: "7d" } },
    {
      about: "Three tokens over a month",
      params: { address: [WRAPPED_SOL, JUP, BONK], from_time: "30d", to_time: "yesterday" },
    },
  ],
  notes: [
    "Times are calendar dates (YYYYMMDD), not Unix seconds. The oldest day comes first.",
    "One invalid address fails the whole request.",
    "Days can be missing from a series.",
  ],
});

const priceOhlcv = endpoint({
  family: "v2",
  path: "/token/price-ohlcv",
  since: "newer",
  summary: "Candles of a token: open, high, low and close price, and volume",
  query: {
    address: mint(),
    ...candleResolution(),
    ...timeWindow(),
    pool_id: address("Only trades in this pool"),
    currency: oneOf(["usd", "quote"], "Unit of the prices: US dollars or the other token of the pool", {
      default: "usd",
      note: "quote has an effect with pool_id only.",
    }),
    ...candlePages("Time of the newest candle (YYYYMMDDHHMM): the cursor of the previous page"),
  },
  ...CANDLE_LIST,
  aliases: ["ohlcv", "candles"],
  examples: [
    { about: "Hourly candles of the last day", params: { address: WRAPPED_SOL, res: "1h", from_time: "1d" } },
    { about: "Two days of candles of 5 minutes", params: { address: JUP, res: "5m", candles: 576 } },
    {
      about: "Prices in the other token of a pool",
      params: { address: WRAPPED_SOL, pool_id: POOL, currency: "quote" },
    },
  ],
  notes: [
    "Times of candles are UTC and written YYYYMMDDHHMM. from_time and to_time are Unix seconds.",
    "Rows of a page are in ascending order; with --limit or --all, all rows are newest first.",
    "The next page contains older candles and repeats the candle of the cursor.",
    "The newest candle is still forming. Above 1m it can occur twice; the later one is current.",
    "There are no candles before 2026-01-01.",
    "Volumes are always in USD.",
  ],
});

const STATISTICS_NOTES = [
  "Percentages are percent: 2.77 means 2.77 %. Changes compare a window with the one before.",
  "A wallet can buy and sell, so num_buyer plus num_seller can exceed num_trader.",
  "Supplies are in whole units. Rows have no symbol, name, decimals or price.",
] as const;

const STATISTICS_COLUMNS = [
  "token_address",
  { path: "price_24h_change_pct", head: "price 24h" },
  "market_cap",
  "liquidity",
  { path: "volume_24h", head: "volume 24h" },
  { path: "volume_24h_change_pct", head: "volume change" },
  { path: "num_trade_24h", head: "trades 24h" },
  { path: "num_trader_24h", head: "traders 24h" },
  { path: "num_holder", head: "holders" },
] as const;

const statistic = endpoint({
  family: "v2",
  path: "/token/statistic",
  since: "newer",
  summary: "Statistics of a token: trades in nine time windows, supply, liquidity, holders",
  query: { address: mint() },
  returns: object("TokenStatistics"),
  cachePolicy: "prices",
  columns: [
    ...STATISTICS_COLUMNS,
    { path: "price_1h_change_pct", head: "price 1h" },
    { path: "price_7d_change_pct", head: "price 7d" },
    { path: "buy_volume_24h", head: "bought 24h" },
    { path: "sell_volume_24h", head: "sold 24h" },
    { path: "num_pool", head: "pools" },
    "fdv",
    "circulating_supply",
    { path: "holder_top_20_balance_pct", head: "top 20 holders" },
    "first_listing_time",
    "updated_time",
  ],
  echo: "token_address",
  aliases: ["statistics", "stats"],
  examples: [
    { about: "Statistics of BONK", params: { address: BONK } },
    { about: "Statistics of wrapped SOL", params: { address: WRAPPED_SOL } },
  ],
  notes: [
    ...STATISTICS_NOTES,
    "The answer is empty for addresses that are no indexed token.",
    "Statistics of SOL cover wrapped SOL only.",
  ],
});

const historicalData = endpoint({
  family: "v2",
  path: "/token/historical-data",
  since: "newer",
  summary: "Daily supply, holders, transfers and trades of a token",
  query: {
    address: mint(),
    range: oneOf([7, 30], "Number of days", { default: 7, role: "days" }),
  },
  returns: rows("TokenDay", { at: "data" }),
  cachePolicy: "prices",
  columns: [
    "date",
    "supply",
    "num_holders",
    "num_transfers",
    "num_buyers",
    "num_sellers",
    { path: "total_volume_buying", head: "bought" },
    { path: "total_volume_selling", head: "sold" },
  ],
  identity: ["date"],
  oldestFirst: true,
  aliases: ["historical", "history", "daily"],
  examples: [
    { about: "The last week of USDC", params: { address: USDC } },
    { about: "30 days of JUP", params: { address: JUP, range: 30 } },
  ],
  notes: [
    "The oldest day comes first. Young tokens have fewer rows. Rows have no price.",
    "supply is in whole units, amounts are in base units.",
    "Older servers lack amounts and total_trade_volume; their total_trade_amount is in USD.",
  ],
});

const search = endpoint({
  family: "v2",
  path: "/token/search",
  since: "newer",
  summary: "Search of tokens by name, symbol or address",
  query: {
    keyword: text("Name, symbol or address", IDENTIFIER),
    search_mode: oneOf(["exact", "fuzzy"], "Whether names may differ from the keyword", { default: "exact" }),
    search_by: oneOf(["combination", "address", "name", "symbol"], "Field to search", { default: "combination" }),
    exclude_unverified_token: flag("Exclude tokens without a good or neutral reputation", { default: false }),
    ...order(["reputation", "market_cap", "volume_24h"]),
    ...pages(SMALL_SIZES),
  },
  returns: rows("TokenSearchResult", { at: "items", total: "total" }),
  cachePolicy: "prices",
  columns: [
    "symbol",
    "name",
    "address",
    { path: "is_verified", head: "verified" },
    "price",
    "price_change_24h",
    "market_cap",
    "holder",
    { path: "total_dex_vol_24h", head: "volume 24h" },
    "created_time",
  ],
  identity: ["address"],
  aliases: ["find"],
  examples: [
    { about: "Tokens named bonk", params: { keyword: "bonk" } },
    {
      about: "Verified tokens with a similar symbol, highest volume first",
      params: {
        keyword: "jup",
        search_mode: "fuzzy",
        search_by: "symbol",
        exclude_unverified_token: true,
        sort_by: "volume_24h",
      },
    },
  ],
  notes: [
    "Names and symbols are not unique: anyone can create a token named USDC. Check address and is_verified.",
    `The total is at most ${MAX_LISTED_TOKENS}.`,
  ],
});

const listV2 = endpoint({
  family: "v2",
  path: "/token/list-v2",
  since: "newer",
  summary: "Tokens filtered and sorted by any of 190 metrics",
  query: {
    sort_by: oneOf(TOKEN_METRIC_NAMES, "Sort key: any metric", { default: "volume_1m" }),
    sort_order: oneOf(["asc", "desc"], "Sort order", { default: "desc" }),
    platform: someOf(PLATFORMS, "Only tokens of any of these platforms", { newer: NEWER_PLATFORMS }),
    ...METRIC_FILTERS,
    page: integer("Page number, starting at 1", { min: 1, max: 1000, default: 1, role: "page" }),
    page_size: oneOf(STANDARD_SIZES, "Rows per page", { default: 10, role: "size" }),
  },
  returns: rows("TokenStatistics", { at: "list_tokens", total: "total" }),
  cachePolicy: "prices",
  columns: STATISTICS_COLUMNS,
  identity: ["token_address"],
  aliases: ["screener", "by-metric"],
  examples: [
    { about: "Highest volume of the last day", params: { sort_by: "volume_24h" } },
    {
      about: "Rising tokens with liquidity",
      params: { sort_by: "price_24h_change_pct", from_liquidity: "100000", from_num_holder: "1000" },
    },
    {
      about: "Young tokens of pump.fun",
      params: { sort_by: "num_trader_1h", platform: "pumpfun", from_first_listing_time: "1767225600" },
    },
  ],
  notes: [
    ...STATISTICS_NOTES,
    "Metrics are listed under Output fields. Limits are inclusive; filters of several metrics are combined.",
    `The total is at most ${MAX_LISTED_TOKENS}. The list is empty, with total 0, after that many rows.`,
  ],
});

/** The v2 token endpoints that the specification lacks. */
export const v2TokenNewer = [priceLatest, priceHistory, priceOhlcv, statistic, historicalData, search, listV2] as const;
