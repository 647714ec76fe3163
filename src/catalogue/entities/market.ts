/** Pools, which the API calls markets, and DeFi activities of accounts and of tokens (specification §3). */

import * as z from "zod";
import type { Numeric } from "../../base/index.ts";
import { DEFI_ACTIVITIES, NEWER_DEFI_ACTIVITIES } from "../constants.ts";
import { cell, compared, eventFields, f, unchecked } from "../fields.ts";
import type { FieldMeta } from "../kinds.ts";

/** A pool in the list. The number of trades has two names. */
export const MarketListItem = z.looseObject({
  pool_address: f.address("The pool"),
  program_id: f.program("Program of the exchange"),
  token1: f.address("Mint of the first token, in the order of the pool"),
  token1_account: f.address("Token account of the pool for the first token"),
  token2: f.address("Mint of the second token"),
  token2_account: f.address("Token account of the pool for the second token"),
  total_volume_24h: compared(f.usd("Volume in 24 hours")),
  total_trades_24h: f.count("Trades in 24 hours").optional(),
  total_trade_24h: f.count("Same value on newer servers").optional(),
  created_time: f.unixTime("Creation time of the pool"),
});

const Reserve = z.looseObject({
  token: f.address("Mint of the token"),
  token_account: f.address("Token account that holds the reserve"),
  amount: f.amount("Reserve in whole units"),
});

/** A pool: tokens, reserves and creation. The reserves have two names. */
export const MarketInfo = z.looseObject({
  pool_address: f.address("The pool"),
  program_id: f.program("Program of the exchange"),
  token_infos: f.objects("Reserves, one per token, in no fixed order", Reserve).optional(),
  tokens_info: f.objects("Same value on newer servers", Reserve).optional(),
  create_tx_hash: f.signature("Transaction that created the pool").optional(),
  create_block_time: f.unixTime("Creation time of the pool"),
  creator: f.address("Account that created the pool"),
  lp_token: f.address("Mint of the liquidity token; missing or meaningless for concentrated liquidity").nullish(),
});

const MarketDay = z.looseObject({
  day: f.date("Day"),
  value: f.usd("Volume of the day").optional(),
  volume: f.usd("Same value on newer servers").optional(),
  tvl: f.usd("Total value locked on the day").optional(),
});

/** The volume of a pool: current and daily. */
export const MarketVolume = z.looseObject({
  pool_address: f.address("The pool"),
  program_id: f.program("Program of the exchange"),
  total_volume_24h: f.usd("Volume in 24 hours"),
  total_volume_change_24h: f.change("Change from the previous 24 hours"),
  total_trades_24h: f.count("Trades in 24 hours"),
  total_trades_change_24h: f.change("Change from the previous 24 hours"),
  tvl: f.usd("Total value locked").optional(),
  days: f.objects("Volume by day", MarketDay),
});

/** A candle: the prices and the volume of a period. */
export const Candle = z.looseObject({
  time: f.minute("Start of the period"),
  open_price: f.number("First price, in the currency of the answer"),
  high_price: f.number("Highest price"),
  low_price: f.number("Lowest price"),
  close_price: f.number("Last price"),
  volume: f.usd("Traded value"),
});

/** What is beside candles. */
export const CandleSeries = z.looseObject({
  candles: f.count("Number of candles"),
  res: f.text("Length of a candle"),
  cursor: f.minute("Cursor of the next page, which has older candles").nullish(),
  token: f.address("Mint of the token whose price it is; of pools only").optional(),
  currency: f.address("Mint of the token in which the price is; of pools only").optional(),
  direction: f.text("Which token of the pool the price is of: base or quote; of pools only").optional(),
});

const PositionTokens = z.looseObject({
  token_1: f.address("Mint of the first token"),
  token_2: f.address("Mint of the second token"),
  amount_1: f.tokenAmountOf("Amount of the first token in base units", "token_1"),
  amount_2: f.tokenAmountOf("Amount of the second token in base units", "token_2"),
});

const PositionPrices = z.looseObject({
  current_price: f.number("Price of the first token in the second one"),
  lower_price: f.number("Lower end of the position's price range"),
  upper_price: f.number("Upper end of the position's price range"),
  value: f.usd("Same as position_value"),
  is_in_range: f.boolean("Same as is_pos_in_range"),
  updated_time: f.unixTime("Time of the prices"),
});

/** A position of a liquidity provider in a pool. */
export const MarketPosition = z.looseObject({
  position_id: f.address("Account of the position"),
  position_owner: f.address("Owner of the position"),
  position_value: compared(f.usd("Value of the position")),
  is_pos_in_range: f.boolean("Whether the current price is within the price range of the position"),
  position_type: f.enum("Type of the position", ["clmm", "spot"]),
  token_info: unchecked(f.object("Tokens in the position", PositionTokens)),
  price_info: unchecked(f.object("Price range of the position", PositionPrices)),
  pool_id: f.address("The pool"),
  program: f.program("Program of the exchange"),
  token_address: f.address("Mint that represents the position"),
  created_time: f.unixTime("Creation time of the position"),
});

/** A row of the entity {@link Router}. */
export interface RouterRow {
  readonly token1?: string | undefined;
  readonly token1_decimals?: number | undefined;
  readonly amount1?: Numeric | string | undefined;
  readonly token2?: string | undefined;
  readonly token2_decimals?: number | undefined;
  readonly amount2?: Numeric | string | undefined;
  readonly program_address?: string | undefined;
  readonly pool_address?: string | undefined;
  readonly routers?: readonly RouterRow[] | undefined;
  readonly child_routers?: readonly RouterRow[] | undefined;
  readonly [name: string]: unknown;
}

/** The hops of a route, each a {@link Router} again. */
const hops = (description: string): z.ZodType<readonly RouterRow[] | undefined> =>
  f.objects<RouterRow>(description, Router).optional();

/**
 * The input and output of an activity. One-sided activities (a deposit, a new mint) lack a second token. Hops are
 * nested in `routers` or, on newer servers, `child_routers`, to any depth; their amounts are text, the outer ones numbers.
 */
export const Router = z.looseObject({
  token1: f.address("Mint of the input token").optional(),
  token1_decimals: f.count("Decimals of the input token").optional(),
  amount1: f.tokenAmountMixed("Input amount in base units", "token1_decimals").optional(),
  token2: f.address("Mint of the output token").optional(),
  token2_decimals: f.count("Decimals of the output token").optional(),
  amount2: f.tokenAmountMixed("Output amount in base units", "token2_decimals").optional(),
  program_address: f.program("Program of the hop").optional(),
  pool_address: f.address("Pool of the hop").optional(),
  get routers() {
    return hops("Hops of the route");
  },
  get child_routers() {
    return hops("Same value on newer servers");
  },
});

const platform = z.union([z.string(), z.array(z.string())]).meta({
  kind: "program",
  description: "Programs of the activity: one or a list",
} satisfies FieldMeta);

/** A swap, liquidity change, stake or loan in the list of an account or a token. */
export const DefiActivity = z.looseObject({
  ...eventFields,
  activity_type: f.enum("Type of the activity", [...DEFI_ACTIVITIES, ...NEWER_DEFI_ACTIVITIES]),
  from_address: f.address("Initiator"),
  to_address: f.address("Counterparty, often a program; missing in newer token lists").optional(),
  sources: f.list("Pools or venues involved", f.address("Pool or venue")),
  platform,
  value: f.usd("Value of the activity").optional(),
  amount_info: f.object("Input and output of the activity", Router).optional(),
  routers: f.object("Same value on newer servers", Router).optional(),
});

/** A row of a DeFi export. On newer servers it can end after `Value`. */
export const DefiExportRow = z.looseObject({
  Signature: cell("signature", "Signature of the transaction"),
  "Block Time": cell("unixTime", "Time of the block"),
  "Human Time": cell("isoTime", "Time of the block as text"),
  Action: cell("enum", "Type of the activity without ACTIVITY_ and with spaces, such as TOKEN SWAP"),
  From: cell("address", "Initiator"),
  Token1: cell("address", "Mint of the input token"),
  Amount1: cell("tokenAmount", "Input amount in base units", { decimals: "TokenDecimals1" }),
  TokenDecimals1: cell("count", "Decimals of the input token"),
  Token2: cell("address", "Mint of the output token"),
  Amount2: cell("tokenAmount", "Output amount in base units", { decimals: "TokenDecimals2" }),
  TokenDecimals2: cell("count", "Decimals of the output token"),
  Value: cell("usd", "Value at the time of the activity"),
  Platforms: cell("text", "Programs of the activity, separated by |").optional(),
  Sources: cell("text", "Pools or venues involved, separated by |; parts can be empty").optional(),
});
