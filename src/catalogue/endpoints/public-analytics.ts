/** Daily statistics of the network, which the public host serves. */
import { endpoint, rows } from "../endpoint.ts";
import { date, oneOf } from "../param.ts";

const DAYS = {
  range: oneOf([30, 90, 180, 365], "Number of days", {
    default: 90,
    role: "days",
    note: "Ignored if from_time and to_time are set.",
  }),
  from_time: date("First day", { role: "from", needs: "to_time" }),
  to_time: date("Last day", { role: "to", needs: "from_time" }),
};

const DAY = "block_date as day";

const NOTES = [
  "One row per day in UTC, oldest first, without paging.",
  "updated_time and lag_days are beside the rows (--envelope prints them); the current day is partial or missing.",
  "A first and a last day, which the API takes as YYYYMMDD, replace the number of days.",
  "Served by the public host and free of compute units; solx sends the API key anyway.",
];

const DAILY = {
  since: "newer",
  query: DAYS,
  cachePolicy: "metadata",
  identity: "block_date",
  oldestFirst: true,
  notes: NOTES,
  examples: {
    "The last 90 days": {},
    "The first half of July 2024": { from_time: "2024-07-01", to_time: "2024-07-15" },
  },
} as const;

/** The public endpoints with daily statistics. */
export const publicAnalytics = [
  endpoint("public", "/analytics/transactions", {
    ...DAILY,
    summary: "Transactions per day: votes, successful and failed ones",
    query: {
      filter: oneOf(["total", "vote", "nonvote_success", "nonvote_fail", "all"], "All counts, or one of them", {
        default: "all",
      }),
      ...DAYS,
    },
    returns: rows("NetworkTransactions", { at: "series", beside: "DailySeries" }),
    columns: `${DAY}, total|value as transactions, vote as votes, nonvote_success as successful,
      nonvote_fail as failed`,
    notes: [
      "Rows have four counts, or only value where one of them is selected.",
      "total is the sum of the other three counts.",
      ...NOTES,
    ],
    aliases: ["txs"],
    examples: { ...DAILY.examples, "Failed transactions of a year": { filter: "nonvote_fail", range: 365 } },
  }),
  endpoint("public", "/analytics/stake", {
    ...DAILY,
    summary: "Active stake per day in SOL and USD",
    returns: rows("NetworkStake", { at: "series", beside: "DailySeries" }),
    columns: `${DAY}, total_stake_sol as stake, total_stake_usd as value`,
  }),
  endpoint("public", "/analytics/fees", {
    ...DAILY,
    summary: "Base and priority fees per day in SOL and USD",
    returns: rows("NetworkFees", { at: "series", beside: "DailySeries" }),
    columns: `${DAY}, base_fee, priority_fee, total_fee, base_fee_usd as base value,
      priority_fee_usd as priority value, total_fee_usd as total value`,
  }),
  endpoint("public", "/analytics/slots", {
    ...DAILY,
    summary: "Blocks produced per day",
    returns: rows("NetworkSlots", { at: "series", beside: "DailySeries" }),
    columns: `${DAY}, value as blocks`,
    notes: ["value counts blocks, not the slots of leaders: at most about 216000 a day.", ...NOTES],
    aliases: ["blocks"],
  }),
  endpoint("public", "/analytics/dex/activity", {
    ...DAILY,
    summary: "Trades, traders and volume of exchanges per day",
    returns: rows("NetworkDexActivity", { at: "series", beside: "DailySeries" }),
    columns: `${DAY}, trade_count as trades, trader_count as traders, volume_usd as volume,
      active_dex_count as exchanges`,
    notes: ["Traders are unique within a day; do not sum them.", ...NOTES],
    aliases: ["dex", "defi-activity"],
  }),
  endpoint("public", "/analytics/compute-units", {
    ...DAILY,
    summary: "Compute units that transactions consume per day",
    returns: rows("NetworkComputeUnits", { at: "series", beside: "DailySeries" }),
    columns: `${DAY}, value as compute units`,
    aliases: ["cu"],
  }),
];
