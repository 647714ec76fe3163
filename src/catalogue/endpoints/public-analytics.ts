/** Daily statistics of the network, which the public host serves. */
import { endpoint, rows } from "../endpoint.ts";
import { date, oneOf } from "../param.ts";

const days = () =>
  ({
    range: oneOf([30, 90, 180, 365], "Number of days", {
      default: 90,
      role: "days",
      note: "Ignored if from_time and to_time are set.",
    }),
    from_time: date("First day", { role: "from", needs: "to_time" }),
    to_time: date("Last day", { role: "to", needs: "from_time" }),
  }) as const;

const DAY = { path: "block_date", head: "day" } as const;

const NOTES = [
  "One row per day in UTC, oldest first, without paging.",
  "updated_time and lag_days are beside the rows (--envelope prints them); the current day is partial or missing.",
  "from_time and to_time are days (YYYYMMDD on the wire), not Unix seconds, and replace range.",
  "Served by the public host and free of compute units; solx sends the API key anyway.",
] as const;

const RANGE_EXAMPLES = [
  { about: "The last 90 days", params: {} },
  { about: "The first half of July 2024", params: { from_time: "2024-07-01", to_time: "2024-07-15" } },
] as const;

/** The public endpoints with daily statistics. */
export const publicAnalytics = [
  endpoint({
    family: "public",
    path: "/analytics/transactions",
    summary: "Transactions per day: votes, successful and failed ones",
    since: "newer",
    query: {
      filter: oneOf(["total", "vote", "nonvote_success", "nonvote_fail", "all"], "All counts, or one of them", {
        default: "all",
      }),
      ...days(),
    },
    returns: rows("NetworkTransactions", { at: "series" }),
    cachePolicy: "metadata",
    columns: [
      DAY,
      { path: "total|value", head: "transactions" },
      { path: "vote", head: "votes" },
      { path: "nonvote_success", head: "successful" },
      { path: "nonvote_fail", head: "failed" },
    ],
    identity: ["block_date"],
    oldestFirst: true,
    notes: [
      "With filter all, rows have four counts; with any other filter only value.",
      "total is the sum of the other three counts.",
      ...NOTES,
    ],
    aliases: ["txs"],
    examples: [
      ...RANGE_EXAMPLES,
      { about: "Failed transactions of a year", params: { filter: "nonvote_fail", range: 365 } },
    ],
  }),
  endpoint({
    family: "public",
    path: "/analytics/stake",
    summary: "Active stake per day in SOL and USD",
    since: "newer",
    query: days(),
    returns: rows("NetworkStake", { at: "series" }),
    cachePolicy: "metadata",
    columns: [DAY, { path: "total_stake_sol", head: "stake" }, { path: "total_stake_usd", head: "value" }],
    identity: ["block_date"],
    oldestFirst: true,
    notes: NOTES,
    examples: RANGE_EXAMPLES,
  }),
  endpoint({
    family: "public",
    path: "/analytics/fees",
    summary: "Base and priority fees per day in SOL and USD",
    since: "newer",
    query: days(),
    returns: rows("NetworkFees", { at: "series" }),
    cachePolicy: "metadata",
    columns: [
      DAY,
      "base_fee",
      "priority_fee",
      "total_fee",
      { path: "base_fee_usd", head: "base value" },
      { path: "priority_fee_usd", head: "priority value" },
      { path: "total_fee_usd", head: "total value" },
    ],
    identity: ["block_date"],
    oldestFirst: true,
    notes: NOTES,
    examples: RANGE_EXAMPLES,
  }),
  endpoint({
    family: "public",
    path: "/analytics/slots",
    summary: "Blocks produced per day",
    since: "newer",
    query: days(),
    returns: rows("NetworkSlots", { at: "series" }),
    cachePolicy: "metadata",
    columns: [DAY, { path: "value", head: "blocks" }],
    identity: ["block_date"],
    oldestFirst: true,
    notes: ["value counts blocks, not the slots of leaders: at most about 216000 a day.", ...NOTES],
    aliases: ["blocks"],
    examples: RANGE_EXAMPLES,
  }),
  endpoint({
    family: "public",
    path: "/analytics/dex/activity",
    summary: "Trades, traders and volume of exchanges per day",
    since: "newer",
    query: days(),
    returns: rows("NetworkDexActivity", { at: "series" }),
    cachePolicy: "metadata",
    columns: [
      DAY,
      { path: "trade_count", head: "trades" },
      { path: "trader_count", head: "traders" },
      { path: "volume_usd", head: "volume" },
      { path: "active_dex_count", head: "exchanges" },
    ],
    identity: ["block_date"],
    oldestFirst: true,
    notes: ["Traders are unique within a day; do not sum them.", ...NOTES],
    aliases: ["dex", "defi-activity"],
    examples: RANGE_EXAMPLES,
  }),
  endpoint({
    family: "public",
    path: "/analytics/compute-units",
    summary: "Compute units that transactions consume per day",
    since: "newer",
    query: days(),
    returns: rows("NetworkComputeUnits", { at: "series" }),
    cachePolicy: "metadata",
    columns: [DAY, { path: "value", head: "compute units" }],
    identity: ["block_date"],
    oldestFirst: true,
    notes: NOTES,
    aliases: ["cu"],
    examples: RANGE_EXAMPLES,
  }),
] as const;
