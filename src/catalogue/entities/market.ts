/** Pools, which the API calls markets (specification §3). */
import * as z from "zod";
import { f } from "../fields.ts";

/** A pool in the list. The count of trades has two spellings. */
export const MarketListItem = z.looseObject({
  pool_address: f.address("The pool"),
  program_id: f.program("Program of the exchange"),
  token1: f.address("Mint of the first token, in the order of the pool"),
  token1_account: f.address("Token account of the pool for the first token"),
  token2: f.address("Mint of the second token"),
  token2_account: f.address("Token account of the pool for the second token"),
  total_volume_24h: f.usd("Volume of 24 hours"),
  total_trades_24h: f.count("Trades of 24 hours").optional(),
  total_trade_24h: f.count("The same, as newer servers spell it").optional(),
  created_time: f.unixTime("When the pool was created"),
});

const Reserve = z.looseObject({
  token: f.address("Mint of the token"),
  token_account: f.address("Token account that holds the reserve"),
  amount: f.amount("Reserve in whole units"),
});

/** A pool, its reserves and where it comes from. The reserves have two spellings. */
export const MarketInfo = z.looseObject({
  pool_address: f.address("The pool"),
  program_id: f.program("Program of the exchange"),
  token_infos: f.objects("Reserves, one entry for each token, in no fixed order", Reserve).optional(),
  tokens_info: f.objects("The same, as newer servers spell it", Reserve).optional(),
  create_tx_hash: f.signature("Transaction that created the pool"),
  create_block_time: f.unixTime("When the pool was created"),
  creator: f.address("Account that created the pool"),
  lp_token: f.address("Mint of the liquidity token; missing or without meaning for concentrated liquidity").nullish(),
});

const MarketDay = z.looseObject({
  day: f.date("Day"),
  value: f.usd("Volume of the day").optional(),
  volume: f.usd("The same, as newer servers spell it").optional(),
  tvl: f.usd("Value locked on the day").optional(),
});

/** The volume of a pool: now, and day by day. */
export const MarketVolume = z.looseObject({
  pool_address: f.address("The pool"),
  program_id: f.program("Program of the exchange"),
  total_volume_24h: f.usd("Volume of 24 hours"),
  total_volume_change_24h: f.percent("Change against the 24 hours before"),
  total_trades_24h: f.count("Trades of 24 hours"),
  total_trades_change_24h: f.percent("Change against the 24 hours before"),
  tvl: f.usd("Value locked in the pool").optional(),
  days: f.objects("Volume by day", MarketDay),
});
