/** Pools, which the API calls markets (specification §3). */
import * as z from "zod";
import { compared, f, unchecked } from "../fields.ts";

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
