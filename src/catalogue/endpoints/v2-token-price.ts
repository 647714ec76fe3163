/** What tokens cost: v2 token endpoints about prices and markets. */
import { MAX_MULTI_ITEMS, MAX_NEWER_MULTI_ITEMS, STANDARD_SIZES } from "../constants.ts";
import { endpoint, rows } from "../endpoint.ts";
import { address, addresses, date, IDENTIFIER, MINT, oneOf, pages, range, timeWindow } from "../param.ts";
import { BONK, JUP, POOL, PUMPSWAP, USDC, WHIRLPOOL, WRAPPED_SOL } from "../samples.ts";
import { CANDLE_LIST, candlePages, candleResolution, MULTI_LIMIT, NO_TOTAL } from "./common.ts";

const mint = () => address("Mint of the token", { ...IDENTIFIER, ...MINT });

const mints = () =>
  addresses("Mints of the tokens", { ...IDENTIFIER, ...MINT, maxItems: MAX_MULTI_ITEMS, note: MULTI_LIMIT });

const manyMints = () => addresses("Mints of the tokens", { ...IDENTIFIER, ...MINT, maxItems: MAX_NEWER_MULTI_ITEMS });

const days = () =>
  ({
    from_time: date("First day", { role: "from" }),
    to_time: date("Last day", { role: "to" }),
    time: range("date", "First and last day as two entries", { deprecated: "Use from_time and to_time instead." }),
  }) as const;

const price = endpoint({
  family: "v2",
  path: "/token/price",
  summary: "Daily prices of a token",
  query: { address: mint(), ...days() },
  returns: rows("PricePoint"),
  cachePolicy: "prices",
  columns: ["date", "price"],
  identity: ["date"],
  oldestFirst: true,
  examples: [
    { about: "30 days, until a week ago", params: { address: JUP, from_time: "37d", to_time: "7d" } },
    { about: "The last thirty days", params: { address: WRAPPED_SOL, from_time: "30d" } },
  ],
  notes: [
    "Times are calendar dates (YYYYMMDD), not Unix seconds.",
    "The oldest day comes first.",
    "The answer does not contain the token's address.",
  ],
});

const priceMulti = endpoint({
  family: "v2",
  path: "/token/price/multi",
  summary: "Daily prices of several tokens",
  query: { address: mints(), ...days() },
  returns: rows("PriceSeries"),
  cachePolicy: "prices",
  columns: ["token_address", "prices"],
  identity: ["token_address"],
  echo: "token_address",
  aliases: ["prices"],
  examples: [
    { about: "SOL and USDC, last week", params: { address: [WRAPPED_SOL, USDC], from_time: "7d" } },
    {
      about: "Three tokens over a month",
      params: { address: [WRAPPED_SOL, JUP, BONK], from_time: "30d", to_time: "yesterday" },
    },
  ],
  notes: [
    "Times are calendar dates (YYYYMMDD), not Unix seconds.",
    "One invalid address fails the whole request.",
    "Days can be missing from a series.",
  ],
});

const priceLatest = endpoint({
  family: "v2",
  path: "/token/price/latest",
  since: "newer",
  multi: true,
  summary: "Latest prices of tokens",
  query: { address: manyMints() },
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
    address: manyMints(),
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

const markets = endpoint({
  family: "v2",
  path: "/token/markets",
  summary: "Pools that trade a token, or a pair of tokens",
  query: {
    token: addresses("One mint (all its pools) or two mints (pools of the pair)", {
      ...IDENTIFIER,
      ...MINT,
      note: "Newer servers accept at most two.",
    }),
    sort_by: oneOf(["volume", "trade", "tvl", "trader"], "Sort key"),
    program: addresses("Only pools of these programs", { field: "program_id" }),
    ...pages(STANDARD_SIZES),
  },
  returns: rows("TokenMarket"),
  cachePolicy: "prices",
  columns: [
    "pool_id",
    "program_id",
    "token_1",
    "token_2",
    { path: "total_volume_24h", head: "volume 24h" },
    { path: "total_trades_24h", head: "trades 24h" },
    { path: "total_tvl", head: "TVL" },
    { path: "num_trader_24h", head: "traders 24h" },
  ],
  identity: ["pool_id"],
  aliases: ["pools"],
  examples: [
    { about: "Pools of SOL by volume", params: { token: [WRAPPED_SOL], sort_by: "volume" } },
    {
      about: "Pools of SOL and USDC on two exchanges",
      params: { token: [WRAPPED_SOL, USDC], program: [WHIRLPOOL, PUMPSWAP], sort_by: "tvl" },
    },
  ],
  notes: [
    NO_TOTAL,
    "token_1 and token_2 are in the order of the pool, not of the request.",
    "Values of the previous day can be missing, which does not mean zero.",
  ],
});

/** The v2 endpoints about prices of tokens. */
export const v2TokenPrice = [price, priceMulti, priceLatest, priceHistory, priceOhlcv, markets] as const;
