/** The chain, its blocks and programs, daily statistics of the network, and the usage of an API key (specification §3). */

import * as z from "zod";
import { compared, f, unchecked } from "../fields.ts";

/** The current state of the chain. */
export const ChainInfo = z.looseObject({
  blockHeight: f.ordinal("Confirmed blocks"),
  currentEpoch: f.number("Epoch (432000 slots)"),
  absoluteSlot: f.slot("Latest slot, including skipped slots"),
  transactionCount: f.count("Transactions since genesis"),
});

/** A block, without its transactions. */
export const Block = z.looseObject({
  current_slot: f.slot("Slot of the block; in lists only").optional(),
  block_height: f.ordinal("Block height; does not count skipped slots"),
  block_time: f.unixTime("Time of the block"),
  time: f.isoTime("Time of the block as text").optional(),
  transactions_count: f.count("Transactions, including votes"),
  fee_rewards: f.lamports("Fees earned by the leader"),
  blockhash: f.hash("Hash of the block"),
  parent_slot: f.slot("Slot of the previous block"),
  previous_block_hash: f.hash("Hash of the previous block"),
});

/** A program with its activity of the last 90 days. */
export const Program = z.looseObject({
  program: f.program("The program"),
  number_transactions: compared(f.count("Transactions in 90 days")),
  number_transactions_success: f.count("Successful transactions"),
  number_interaction_volume: f.usd("Value transferred in 90 days; 0 can mean that it is not tracked").optional(),
  success_rate: f.percent("Share of successful transactions"),
  last_24h_active_users: f.count("Unique users in the last 24 hours"),
});

const ProgramDay = z.looseObject({
  day: f.text("Day in UTC"),
  day_unix: f.unixTime("Start of the day"),
  num_trans: f.count("Transactions"),
  num_trans_success: f.count("Successful transactions"),
  interaction_volume: f.usd("Value transferred"),
  active_users: f.count("Unique users of the day; not additive over days"),
  insts: f.json("Number of instructions by their names"),
});

/** The activity of a program: totals of the requested days, and each day. */
export const ProgramAnalytics = z.looseObject({
  program_id: f.program("The program"),
  days: f.count("Number of days"),
  num_trans: f.count("Transactions"),
  num_trans_success: f.count("Successful transactions"),
  interaction_volume: f.usd("Value transferred"),
  last_24h_active_users: f.count("Unique users in the last 24 hours"),
  active_users_change_24: unchecked(f.changeText("Change of the unique users from the previous 24 hours")),
  data: f.objects("Activity by day, oldest first", ProgramDay, {
    day: "day",
    num_trans: "transactions",
    num_trans_success: "successful",
    interaction_volume: "volume",
    active_users: "users",
  }),
});

/** A well-known platform and its programs. */
export const Platform = z.looseObject({
  platform_id: f.text("Identifier, as accepted by other endpoints"),
  platform_name: f.text("Display name"),
  program_ids: f.list("Programs of the platform", f.program("Program")),
  website: f.url("Website"),
  description: unchecked(f.text("Description")),
});

/** Compute units of the billing period, and requests of the last 24 hours. */
export const Usage = z.looseObject({
  email: f.text("Owner of the API key").optional(),
  renew_date: f.isoTime("Start of the billing period"),
  end_date: f.isoTime("End of the billing period"),
  last_cu_reset_date: f.isoTime("Last reset of the compute units; usually the start of the period"),
  remaining_cus: f.count("Remaining compute units of the period"),
  usage_cus: f.count("Compute units used since the reset"),
  total_requests_24h: f.count("Requests of the last 24 hours"),
  success_rate_24h: f.percent("Share of successful requests; rejected requests count as failed"),
  total_cu_24h: f.count("Compute units used in the last 24 hours"),
});

const day = {
  block_date: f.text("Day in UTC"),
  block_time: f.unixTime("Start of the day"),
};

/** What is beside the days. */
export const DailySeries = z.looseObject({
  updated_time: f.unixTime("When the days were counted"),
  lag_days: f.count("Days at the end that are partial or missing"),
  filter: f.text("Which transactions are counted; of transactions only").optional(),
});

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
