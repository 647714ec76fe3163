/** How tokens move and what they cost: v2 token endpoints about prices, pools, transfers and DeFi. */
import { MAX_NEWER_MULTI_ITEMS, STANDARD_SIZES } from "../constants.ts";
import { csv, endpoint, rows } from "../endpoint.ts";
import {
  ASSET,
  address,
  addresses,
  amountRange,
  DEPRECATED_BLOCK_TIME,
  date,
  flag,
  IDENTIFIER,
  integer,
  MINT,
  oneOf,
  order,
  pages,
  range,
  TIME_WINDOW,
} from "../param.ts";
import { BONK, JUP, JUPITER, OTHER_WALLET, POOL, PUMPSWAP, USDC, WHIRLPOOL, WRAPPED_SOL } from "../samples.ts";
import {
  CANDLE_COUNT,
  CANDLE_LENGTH,
  CANDLE_LIST,
  DEFI_CELLS,
  DEFI_FILTERS,
  EXPORT_NOTES,
  NATIVE_SOL_NOTE,
  NO_TOTAL,
  TOKEN,
  TOKENS,
  TRANSFER_KINDS,
  TRANSFER_PARTIES,
  VALUE_RANGE,
} from "./common.ts";

const MANY_TOKENS = addresses("Mints of the tokens", { ...IDENTIFIER, ...MINT, maxItems: MAX_NEWER_MULTI_ITEMS });

const DAYS = {
  from_time: date("First day", { role: "from" }),
  to_time: date("Last day", { role: "to" }),
  time: range("date", "First and last day as two entries", { deprecated: "Use from_time and to_time instead." }),
};

/** The answer of endpoints for daily prices of several tokens. */
const PRICE_SERIES = {
  returns: rows("PriceSeries"),
  cachePolicy: "prices",
  columns: "token_address, prices",
  identity: "token_address",
  echo: "token_address",
} as const;

/** The v2 endpoints about prices of tokens. */
export const v2TokenPrice = [
  endpoint("v2", "/token/price", {
    summary: "Daily prices of a token",
    query: { address: TOKEN, ...DAYS },
    returns: rows("PricePoint"),
    cachePolicy: "prices",
    columns: "date, price",
    identity: "date",
    oldestFirst: true,
    examples: {
      "30 days, until a week ago": { address: JUP, from_time: "37d", to_time: "7d" },
      "The last thirty days": { address: WRAPPED_SOL, from_time: "30d" },
    },
    notes: [
      "Times are calendar dates (YYYYMMDD), not Unix seconds.",
      "The oldest day comes first.",
      "The answer does not contain the token's address.",
    ],
  }),
  endpoint("v2", "/token/price/multi", {
    summary: "Daily prices of several tokens",
    query: { address: TOKENS, ...DAYS },
    ...PRICE_SERIES,
    aliases: ["prices"],
    examples: {
      "SOL and USDC, last week": { address: [WRAPPED_SOL, USDC], from_time: "7d" },
      "Three tokens over a month": { address: [WRAPPED_SOL, JUP, BONK], from_time: "30d", to_time: "yesterday" },
    },
    notes: [
      "Times are calendar dates (YYYYMMDD), not Unix seconds.",
      "One invalid address fails the whole request.",
      "Days can be missing from a series.",
    ],
  }),
  endpoint("v2", "/token/price/latest", {
    since: "newer",
    isMulti: true,
    summary: "Latest prices of tokens",
    query: { address: MANY_TOKENS },
    returns: rows("LatestPrice"),
    cachePolicy: "prices",
    columns: "address, price, price_change_24h, market_cap, updated_time",
    identity: "address",
    echo: "address",
    aliases: ["latest-price", "price-now"],
    examples: {
      "Price of SOL": { address: WRAPPED_SOL },
      "Prices of three tokens": { address: [WRAPPED_SOL, JUP, BONK] },
    },
    notes: [
      "updated_time is the time of the price, not of the request.",
      "Tokens without a price are omitted; address identifies the token.",
      "One invalid address fails the whole request.",
    ],
  }),
  endpoint("v2", "/token/price/history", {
    since: "newer",
    isMulti: true,
    summary: "Daily prices of tokens",
    query: {
      address: MANY_TOKENS,
      from_time: date("First day", { role: "from" }),
      to_time: date("Last day", { role: "to" }),
    },
    ...PRICE_SERIES,
    aliases: ["daily-prices"],
    examples: {
      "SOL, last week": { address: WRAPPED_SOL, from_time: "7d" },
      "Three tokens over a month": { address: [WRAPPED_SOL, JUP, BONK], from_time: "30d", to_time: "yesterday" },
    },
    notes: [
      "Times are calendar dates (YYYYMMDD), not Unix seconds. The oldest day comes first.",
      "One invalid address fails the whole request.",
      "Days can be missing from a series.",
    ],
  }),
  endpoint("v2", "/token/price-ohlcv", {
    since: "newer",
    summary: "Candles of a token: open, high, low and close price, and volume",
    query: {
      address: TOKEN,
      res: CANDLE_LENGTH,
      ...TIME_WINDOW,
      pool_id: address("Only trades in this pool"),
      currency: oneOf(["usd", "quote"], "Unit of the prices: US dollars or the other token of the pool", {
        default: "usd",
        note: "quote has an effect with pool_id only.",
      }),
      candles: CANDLE_COUNT,
      cursor: integer("Time of the newest candle (YYYYMMDDHHMM): the cursor of the previous page", { role: "cursor" }),
    },
    ...CANDLE_LIST,
    aliases: ["ohlcv", "candles"],
    examples: {
      "Hourly candles of the last day": { address: WRAPPED_SOL, res: "1h", from_time: "1d" },
      "Two days of candles of 5 minutes": { address: JUP, res: "5m", candles: 576 },
      "Prices in the other token of a pool": { address: WRAPPED_SOL, pool_id: POOL, currency: "quote" },
    },
    notes: [
      "Times of candles are UTC and written YYYYMMDDHHMM.",
      "Rows of a page are in ascending order; with --limit or --all, all rows are newest first.",
      "The next page contains older candles and repeats the candle of the cursor.",
      "The newest candle is still forming. Above 1m it can occur twice; the later one is current.",
      "There are no candles before 2026-01-01.",
      "Volumes are always in USD.",
    ],
  }),
  endpoint("v2", "/token/markets", {
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
    columns: `pool_id, program_id, token_1, token_2, total_volume_24h as volume 24h, total_trades_24h as trades 24h,
      total_tvl as TVL, num_trader_24h as traders 24h`,
    identity: "pool_id",
    aliases: ["pools"],
    examples: {
      "Pools of SOL by volume": { token: [WRAPPED_SOL], sort_by: "volume" },
      "Pools of SOL and USDC on two exchanges": {
        token: [WRAPPED_SOL, USDC],
        program: [WHIRLPOOL, PUMPSWAP],
        sort_by: "tvl",
      },
    },
    notes: [
      NO_TOTAL,
      "token_1 and token_2 are in the order of the pool, not of the request.",
      "Values of the previous day can be missing, which does not mean zero.",
    ],
  }),
];

const DEFI_COLUMNS = `block_time, activity_type, amount_info.amount1|routers.amount1,
  amount_info.token1|routers.token1, amount_info.amount2|routers.amount2, amount_info.token2|routers.token2, value,
  platform, from_address, trans_id`;

/** The v2 endpoints about the activity of tokens. */
export const v2TokenActivity = [
  endpoint("v2", "/token/transfer", {
    summary: "Transfers of a token",
    query: {
      address: address("Mint of the token", { ...IDENTIFIER, ...ASSET }),
      ...TRANSFER_KINDS,
      ...TRANSFER_PARTIES,
      amount: amountRange("address"),
      ...VALUE_RANGE,
      ...TIME_WINDOW,
      ...DEPRECATED_BLOCK_TIME,
      exclude_amount_zero: flag("Exclude transfers of zero", { default: false }),
      ...pages(STANDARD_SIZES),
      ...order(["block_time"]),
    },
    returns: rows("Transfer"),
    columns: "block_time, amount, from_address, to_address, activity_type, trans_id",
    identity: `trans_id, activity_type, from_address, from_token_account, to_address, to_token_account, token_address,
      amount`,
    echo: "token_address",
    aliases: ["transfers"],
    examples: {
      "Transfers worth at least 1 million USD": { address: USDC, value: ["1000000", "1000000000"] },
      "Burns of the last month": { address: BONK, activity_type: "ACTIVITY_SPL_BURN", from_time: "30d" },
    },
    notes: [NO_TOTAL, "value filters rows but is not a field of the rows. Rows have no flow.", NATIVE_SOL_NOTE],
  }),
  endpoint("v2", "/token/defi/activities", {
    summary: "DeFi activities with a token: swaps, liquidity, stakes, loans",
    query: {
      address: TOKEN,
      ...DEFI_FILTERS,
      ...VALUE_RANGE,
      ...TIME_WINDOW,
      ...DEPRECATED_BLOCK_TIME,
      ...pages(STANDARD_SIZES),
      ...order(["block_time"]),
    },
    returns: rows("DefiActivity"),
    columns: DEFI_COLUMNS,
    identity: "trans_id, activity_type, from_address, sources, amount_info, routers",
    aliases: ["defi"],
    examples: {
      "Swaps between JUP and USDC": { address: JUP, token: USDC, activity_type: "ACTIVITY_TOKEN_SWAP" },
      "Large activities of the last day": {
        address: WRAPPED_SOL,
        value: ["10000", "100000000"],
        from_time: "1d",
        page_size: 100,
      },
    },
    notes: [
      NO_TOTAL,
      "The token can be token1 or token2.",
      "Newer servers name amount_info routers and its list of hops child_routers, omit to_address, return platform as a list and may not support the platform filter.",
      "Amounts are numbers in amount_info and text in its hops. One-sided activities lack a second token.",
    ],
  }),
  endpoint("v2", "/token/defi/activities/export", {
    summary: "DeFi activities with a token as CSV",
    query: {
      address: TOKEN,
      ...DEFI_FILTERS,
      ...TIME_WINDOW,
      ...DEPRECATED_BLOCK_TIME,
      ...order(["block_time"]),
    },
    returns: csv("DefiExportRow"),
    pagedSource: { path: "/token/defi/activities", columns: DEFI_CELLS },
    columns: "Block Time, Action, Amount1, Token1, Amount2, Token2, Value, From, Signature",
    identity: "Signature, Action, From, Token1, Amount1, Token2, Amount2, Sources",
    ignored: ["page"],
    aliases: ["defi-export"],
    examples: {
      "DeFi activities of a day": { address: JUP, from_time: "2d", to_time: "1d" },
      "Activities of one wallet through Jupiter": { address: BONK, from: OTHER_WALLET, platform: JUPITER },
    },
    notes: [
      ...EXPORT_NOTES,
      "Platforms and Sources are separated by | and can have empty parts.",
      "Amounts can be 0 although Value is not.",
    ],
  }),
];
