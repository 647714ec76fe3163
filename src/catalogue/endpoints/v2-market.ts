/** The v2 market endpoints (specification §7). */
import { SMALL_SIZES, STANDARD_SIZES } from "../constants.ts";
import { endpoint, object, rows } from "../endpoint.ts";
import {
  address,
  commaAddresses,
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
import { POOL, WHIRLPOOL, WRAPPED_SOL } from "../samples.ts";
import { CANDLE_COUNT, CANDLE_LENGTH, CANDLE_LIST, NO_TOTAL, ONE_ADDRESS } from "./common.ts";

/** The v2 market endpoints. */
export const v2Market = [
  endpoint("v2", "/market/list", {
    summary: "Pools, by volume, trades or age",
    query: {
      program: commaAddresses("Only pools of these programs", { note: ONE_ADDRESS, field: "program_id" }),
      token_address: address("Only pools that trade this token", { ...MINT, field: "token1|token2", use: 1 }),
      ...order(["created_time", "volumes_24h", "trades_24h"], "volumes_24h"),
      ...pages(STANDARD_SIZES),
    },
    returns: rows("MarketListItem"),
    cachePolicy: "prices",
    columns: `pool_address, total_volume_24h as volume 24h, total_trades_24h|total_trade_24h as trades 24h, token1,
      token2, program_id, created_time`,
    identity: "pool_address",
    notes: [
      "token1 and token2 are in the order of the pool, not of the request.",
      "The number of trades is total_trades_24h in the specification and total_trade_24h on newer servers.",
      "Volumes are in USD. For prices and reserves, see market info.",
    ],
    aliases: ["ls"],
    examples: {
      "Pools with the highest volume": {},
      "Newest pools of SOL on Orca": { program: WHIRLPOOL, token_address: WRAPPED_SOL, sort_by: "created_time" },
    },
  }),
  endpoint("v2", "/market/info", {
    summary: "A pool: tokens, reserves and creation",
    query: {
      address: address("Pool", { ...IDENTIFIER, note: "A pool, not the mint of a token." }),
    },
    returns: object("MarketInfo"),
    cachePolicy: "metadata",
    columns: "pool_address, program_id, token_infos|tokens_info, lp_token, creator, create_tx_hash, create_block_time",
    echo: "pool_address",
    notes: [
      "Reserves are in whole units, in no fixed order.",
      "The reserves are token_infos in the specification and tokens_info on newer servers.",
      "lp_token can be missing or meaningless for pools of concentrated liquidity.",
    ],
    aliases: ["get", "show", "detail"],
    examples: { "A pool of SOL and USDC": { address: POOL } },
  }),
  endpoint("v2", "/market/volume", {
    summary: "Daily volume, trades and value locked of a pool",
    query: {
      address: address("Pool", { ...IDENTIFIER, note: "A pool, not the mint of a token." }),
      time: range("date", "First and last day", {
        note: "Not deprecated here: the endpoint has no from_time and to_time.",
      }),
    },
    returns: object("MarketVolume"),
    cachePolicy: "prices",
    columns: `pool_address, program_id, tvl, total_volume_24h, total_volume_change_24h, total_trades_24h,
      total_trades_change_24h, days`,
    echo: "pool_address",
    notes: [
      "Changes are percent; volumes and tvl are in USD.",
      "The daily volume is value in the specification and volume on newer servers.",
      "Without a time range, the server selects the days.",
    ],
    aliases: ["volumes"],
    examples: {
      "Latest days of a pool": { address: POOL },
      "Two weeks of the last month": { address: POOL, time: ["30d", "16d"] },
    },
  }),
  endpoint("v2", "/market/positions", {
    summary: "Positions of liquidity providers in a pool",
    since: "newer",
    query: {
      address: address("Pool", { ...IDENTIFIER, note: "A pool, not the mint of a token." }),
      in_range: flag("Only positions in range (true) or out of range (false)", { field: "is_pos_in_range" }),
      ...order(["position_value", "created_time"]),
      ...pages(SMALL_SIZES),
    },
    returns: rows("MarketPosition"),
    cachePolicy: "prices",
    columns: `position_id, position_owner as owner, position_value as value, is_pos_in_range as in range,
      price_info.lower_price as lower price, price_info.current_price as price, price_info.upper_price as upper price,
      token_info.amount_1 as amount 1, token_info.amount_2 as amount 2, created_time`,
    identity: "position_id",
    subject: "position_owner",
    notes: [
      "One row per deposit: an owner can have several positions.",
      "Amounts are base units without decimals. Prices are the first token in units of the second one.",
      "Positions in and out of range are returned unless one kind is selected.",
      NO_TOTAL,
    ],
    examples: {
      "Positions with the highest value": { address: POOL },
      "Newest positions that earn fees": { address: POOL, in_range: true, sort_by: "created_time" },
    },
  }),
  endpoint("v2", "/market/price-ohlcv", {
    summary: "Candles of a pool: open, high, low and close price, and volume",
    since: "newer",
    query: {
      address: address("Pool", { ...IDENTIFIER, note: "A pool; the answer for the mint of a token is empty." }),
      res: CANDLE_LENGTH,
      direction: oneOf(["quote", "base"], "Priced token of the pool: the first (quote) or the second (base)", {
        default: "quote",
      }),
      ...TIME_WINDOW,
      candles: CANDLE_COUNT,
      cursor: integer("Time of a candle (YYYYMMDDHHMM), the newest of the page", { role: "cursor" }),
    },
    ...CANDLE_LIST,
    notes: [
      "Prices are those of token in currency, which are beside the rows; --envelope prints them.",
      "Times are UTC and written YYYYMMDDHHMM.",
      "Rows of a page are in ascending order; with --limit or --all, all rows are newest first.",
      "The next page contains older candles and repeats the candle of the cursor.",
      "There are no candles before 2026-01-01.",
      "Volumes are in USD.",
    ],
    aliases: ["ohlcv", "candles"],
    examples: {
      "Hourly candles of a pool": { address: POOL, res: "1h", candles: 48 },
      "The last week, four hours per candle": { address: POOL, res: "4h", from_time: "7d" },
      "Prices of the second token": { address: POOL, direction: "base" },
    },
  }),
];
