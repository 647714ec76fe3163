/** The v2 program and monitor endpoints (specification §7). */
import { SMALL_SIZES } from "../constants.ts";
import { endpoint, object, rows } from "../endpoint.ts";
import { address, IDENTIFIER, oneOf, order, pages } from "../param.ts";
import { WHIRLPOOL } from "../samples.ts";

/** The v2 program endpoints. */
export const v2Program = [
  endpoint({
    family: "v2",
    path: "/program/list",
    summary: "Programs active in the last 90 days, by activity",
    query: {
      ...order(["num_txs", "num_txs_success", "interaction_volume", "success_rate", "active_users_24h"]),
      ...pages(SMALL_SIZES),
    },
    returns: rows("Program", { at: "data", total: "total" }),
    cachePolicy: "metadata",
    columns: [
      "program",
      { path: "number_transactions", head: "transactions" },
      { path: "success_rate", head: "success" },
      { path: "last_24h_active_users", head: "users 24h" },
      { path: "number_interaction_volume", head: "volume" },
    ],
    identity: ["program"],
    notes: [
      "Transactions and volume cover 90 days; active users the last 24 hours.",
      "number_interaction_volume is in USD, rounded by the server; 0 can mean that it is not tracked.",
      "Sort keys differ from field names: num_txs is number_transactions, active_users_24h is last_24h_active_users.",
    ],
    aliases: ["ls"],
    examples: [
      { about: "Most active programs", params: {} },
      {
        about: "By users of the last 24 hours, 40 rows per page",
        params: { sort_by: "active_users_24h", page_size: 40 },
      },
    ],
  }),
  endpoint({
    family: "v2",
    path: "/program/popular/platforms",
    summary: "Well-known platforms and their programs",
    query: {},
    returns: rows("Platform"),
    cachePolicy: "metadata",
    columns: ["platform_id", "platform_name", "program_ids", "website"],
    identity: ["platform_id"],
    notes: ["platform_id is a value for token latest --platform-id."],
    aliases: ["popular", "platforms"],
    examples: [{ about: "All platforms", params: {} }],
  }),
  endpoint({
    family: "v2",
    path: "/program/analytics",
    summary: "Daily transactions, users, volume and instructions of a program",
    since: "newer",
    query: {
      address: address("Program", IDENTIFIER),
      range: oneOf([7, 30], "Number of days", { required: true }),
    },
    returns: object("ProgramAnalytics"),
    cachePolicy: "metadata",
    columns: [
      "program_id",
      "days",
      { path: "num_trans", head: "transactions" },
      { path: "num_trans_success", head: "successful" },
      { path: "interaction_volume", head: "volume" },
      { path: "last_24h_active_users", head: "users 24h" },
      { path: "active_users_change_24", head: "users 24h change" },
      { path: "data", head: "days" },
    ],
    echo: "program_id",
    notes: [
      "num_trans and interaction_volume exist twice: for the whole range and, in data, for each day.",
      "Active users of a day are unique within that day; do not sum them.",
      "insts counts instructions by name; a transaction can contain several.",
      "active_users_change_24 is text, in percent.",
    ],
    examples: [
      { about: "The last week of Orca's Whirlpools", params: { address: WHIRLPOOL, range: 7 } },
      { about: "The last 30 days", params: { address: WHIRLPOOL, range: 30 } },
    ],
  }),
] as const;

/** The v2 monitor endpoint. */
export const v2Monitor = [
  endpoint({
    family: "v2",
    path: "/monitor/usage",
    summary: "Compute units and requests of the API key",
    query: {},
    returns: object("Usage"),
    cachePolicy: "never",
    columns: [
      "usage_cus",
      "remaining_cus",
      "total_cu_24h",
      "total_requests_24h",
      "success_rate_24h",
      "renew_date",
      "end_date",
      "last_cu_reset_date",
      "email",
    ],
    notes: [
      "Reports on the API key of the request.",
      "Values cover two periods: the billing period and the last 24 hours.",
      "Dates are text in UTC, unlike the Unix seconds of most endpoints.",
      "An invalid key returns status 400 with the message Invalid token.",
    ],
    examples: [{ about: "Used and remaining compute units", params: {} }],
  }),
] as const;
