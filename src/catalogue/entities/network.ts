/** Daily statistics of the network, and current fees. */
import * as z from "zod";
import { f } from "../fields.ts";

const day = {
  block_date: f.text("Day in UTC"),
  block_time: f.unixTime("Start of the day"),
};

/** Transactions of a day: all four counts, or the one that the filter selects. */
export const NetworkTransactions = z.looseObject({
  ...day,
  total: f.count("All transactions; filter all only").optional(),
  vote: f.count("Votes of validators; filter all only").optional(),
  nonvote_success: f.count("Successful transactions without votes; filter all only").optional(),
  nonvote_fail: f.count("Failed transactions without votes; filter all only").optional(),
  value: f.count("Count that the filter selects; other filters only").optional(),
});

/** Delegated stake of a day. */
export const NetworkStake = z.looseObject({
  ...day,
  total_stake_sol: f.sol("Active stake"),
  total_stake_usd: f.usd("Active stake at the price of the day"),
});

/** Fees of a day. */
export const NetworkFees = z.looseObject({
  ...day,
  base_fee: f.sol("Base fees, per signature"),
  base_fee_usd: f.usd("Base fees at the price of the day"),
  priority_fee: f.sol("Priority fees"),
  priority_fee_usd: f.usd("Priority fees at the price of the day"),
  total_fee: f.sol("Base and priority fees"),
  total_fee_usd: f.usd("Base and priority fees at the price of the day"),
});

/** Blocks of a day. */
export const NetworkSlots = z.looseObject({ ...day, value: f.count("Blocks produced; skipped slots do not count") });

/** Trades of a day. */
export const NetworkDexActivity = z.looseObject({
  ...day,
  trade_count: f.count("Trades"),
  trader_count: f.count("Wallets that traded on the day; not additive over days"),
  volume_usd: f.usd("Traded value"),
  active_dex_count: f.count("Exchanges with a trade"),
});

/** Compute units of a day. */
export const NetworkComputeUnits = z.looseObject({ ...day, value: f.count("Compute units consumed by transactions") });

/** Current fees of transactions. */
export const TransactionFees = z.looseObject({
  avg_fee: f.sol("Average fee"),
  min_fee: f.sol("Minimum fee"),
  max_fee: f.sol("Maximum fee"),
});
