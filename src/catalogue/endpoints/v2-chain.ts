/** The v2 endpoints about the chain: blocks, transactions and programs, and the usage of the API key (specification §7). */
import { SMALL_SIZES, STANDARD_SIZES } from "../constants.ts";
import { endpoint, object, rows } from "../endpoint.ts";
import {
  address,
  commaAddresses,
  flag,
  IDENTIFIER,
  oneOf,
  order,
  pages,
  signature,
  signatures,
  slot,
} from "../param.ts";
import { JUPITER, OTHER_SIGNATURE, SIGNATURE, SLOT, WHIRLPOOL } from "../samples.ts";
import { MULTI_LIMIT, ONE_ADDRESS } from "./common.ts";

/** The v2 block endpoints. */
export const v2Block = [
  endpoint("v2", "/block/last", {
    summary: "Latest blocks",
    query: {
      limit: oneOf(STANDARD_SIZES, "Blocks", { default: 10, role: "size" }),
    },
    returns: rows("Block"),
    columns: `current_slot as slot, block_time, transactions_count as transactions, fee_rewards, block_height,
      blockhash`,
    newestFirst: true,
    identity: "current_slot",
    notes: ["Sorted newest first. For older blocks, follow parent_slot with block detail."],
    aliases: ["latest"],
    examples: { "Latest 10 blocks": {}, "Latest 100 blocks": { limit: 100 } },
  }),
  endpoint("v2", "/block/transactions", {
    summary: "Transactions of a block",
    query: {
      block: slot("Slot of the block", IDENTIFIER),
      exclude_vote: flag("Exclude votes", { default: false }),
      program: commaAddresses("Only transactions that involve these programs", { note: ONE_ADDRESS }),
      ...pages(STANDARD_SIZES),
    },
    returns: rows("AccountTransaction", { at: "transactions", total: "total" }),
    cachePolicy: "final",
    columns: "tx_hash, status, fee, signer, parsed_instructions as instructions, block_time",
    echo: "slot",
    identity: "tx_hash",
    notes: [
      "Votes are included by default, unlike in transaction last.",
      "total counts matching transactions only, so it can differ from transactions_count of the block.",
    ],
    aliases: ["txs", "transaction"],
    examples: {
      "All transactions but votes": { block: SLOT, exclude_vote: true, page_size: 100 },
      "Transactions that involve Jupiter": { block: SLOT, program: JUPITER },
    },
  }),
  endpoint("v2", "/block/detail", {
    summary: "A block, without its transactions",
    query: {
      block: slot("Slot of the block", IDENTIFIER),
    },
    returns: object("Block"),
    cachePolicy: "final",
    columns: "blockhash, block_time, block_height, transactions_count, fee_rewards, parent_slot, previous_block_hash",
    notes: [
      "The answer does not contain the slot; block_height is a different, smaller number.",
      "For the previous block, request parent_slot: slots in between were skipped and have no block.",
    ],
    aliases: ["get", "show"],
    examples: { "A block by its slot": { block: SLOT } },
  }),
];

const TOKENS_NOTE = "Names and symbols of tokens are outside data, in metadata.tokens; --envelope prints them.";
const AMOUNTS_NOTE = "Amounts are base units; amount can exceed the precision of a double, amount_str is exact.";
const MULTI_NOTE = "One invalid signature fails the whole request.";

/** The v2 transaction endpoints. */
export const v2Transaction = [
  endpoint("v2", "/transaction/last", {
    summary: "Latest transactions",
    query: {
      limit: oneOf(STANDARD_SIZES, "Transactions", { default: 10, role: "size" }),
      filter: oneOf(["exceptVote", "all"], "Whether to include votes", { default: "exceptVote" }),
    },
    returns: rows("AccountTransaction"),
    columns: "tx_hash, block_time, status, fee, signer, parsed_instructions as instructions, slot",
    newestFirst: true,
    identity: "tx_hash",
    notes: ["Sorted newest first. Older transactions are not available.", "Votes are excluded by default."],
    aliases: ["latest"],
    examples: {
      "Latest 10 transactions, without votes": {},
      "Latest 100 transactions, with votes": { limit: 100, filter: "all" },
    },
  }),
  endpoint("v2", "/transaction/detail", {
    summary: "A transaction: status, fees, balance changes and instruction tree",
    query: {
      tx: signature("Signature of the transaction", IDENTIFIER),
    },
    returns: object("TransactionDetail"),
    cachePolicy: "final",
    columns: `tx_hash, status, block_time, block_id, fee, priority_fee, compute_units_consumed, signer,
      sol_bal_change, token_bal_change, parsed_instructions, programs_involved, log_message`,
    echo: "tx_hash",
    notes: [
      "status is a number (1: success, 0: failure); in lists it is text.",
      "fee includes priority_fee.",
      "change_amount is signed; change_type repeats the sign.",
      "Transfers and activities of an instruction do not include those of its inner instructions.",
      AMOUNTS_NOTE,
      TOKENS_NOTE,
    ],
    aliases: ["get", "show"],
    examples: { "A transaction by its signature": { tx: SIGNATURE } },
  }),
  endpoint("v2", "/transaction/detail/multi", {
    summary: "Several transactions in detail",
    query: {
      tx: signatures("Signatures of the transactions", { ...IDENTIFIER, note: MULTI_LIMIT, hasCommaForm: true }),
    },
    returns: rows("TransactionDetail"),
    cachePolicy: "final",
    columns: "tx_hash, status, block_time, block_id, fee, compute_units_consumed, signer",
    echo: "tx_hash",
    identity: "tx_hash",
    notes: [MULTI_NOTE, AMOUNTS_NOTE, TOKENS_NOTE],
    aliases: ["get-multi"],
    examples: { "Two transactions": { tx: [SIGNATURE, OTHER_SIGNATURE] } },
  }),
  endpoint("v2", "/transaction/actions", {
    summary: "Transfers, swaps and other actions of a transaction, in order",
    query: {
      tx: signature("Signature of the transaction", IDENTIFIER),
    },
    returns: object("TransactionActions"),
    cachePolicy: "final",
    columns: "tx_hash, block_time, block_id, fee, priority_fee, one_line_summary, summaries, transfers, activities",
    echo: "tx_hash",
    notes: [
      "The answer lacks the status of the transaction; see transaction detail.",
      "summaries and activities describe the same steps; do not sum them.",
      "Types are written ACTIVITY_SPL_TRANSFER here and spl_transfer in transaction detail.",
      AMOUNTS_NOTE,
      TOKENS_NOTE,
    ],
    aliases: ["action"],
    examples: { "Actions of a transaction": { tx: SIGNATURE } },
  }),
  endpoint("v2", "/transaction/actions/multi", {
    summary: "Actions of several transactions",
    query: {
      tx: signatures("Signatures of the transactions", { ...IDENTIFIER, note: MULTI_LIMIT, hasCommaForm: true }),
    },
    returns: rows("TransactionActions"),
    cachePolicy: "final",
    columns: "tx_hash, block_time, block_id, fee, transfers, activities",
    echo: "tx_hash",
    identity: "tx_hash",
    notes: [MULTI_NOTE, AMOUNTS_NOTE, TOKENS_NOTE],
    examples: { "Actions of two transactions": { tx: [SIGNATURE, OTHER_SIGNATURE] } },
  }),
  endpoint("v2", "/transaction/fees", {
    summary: "Average, minimum and maximum fee of current transactions",
    since: "newer",
    query: {},
    returns: object("TransactionFees"),
    cachePolicy: "prices",
    columns: "avg_fee, min_fee, max_fee",
    notes: [
      "Fees are in SOL here and in lamports in transaction detail.",
      "The API does not document the period that the fees cover.",
    ],
    examples: { "Current fees": {} },
  }),
];

/** The v2 program endpoints. */
export const v2Program = [
  endpoint("v2", "/program/list", {
    summary: "Programs active in the last 90 days, by activity",
    query: {
      ...order(["num_txs", "num_txs_success", "interaction_volume", "success_rate", "active_users_24h"]),
      ...pages(SMALL_SIZES),
    },
    returns: rows("Program", { at: "data", total: "total" }),
    cachePolicy: "metadata",
    columns: `program, number_transactions as transactions, success_rate as success,
      last_24h_active_users as users 24h, number_interaction_volume as volume`,
    identity: "program",
    notes: [
      "Transactions and volume cover 90 days; active users the last 24 hours.",
      "number_interaction_volume is in USD, rounded by the server; 0 can mean that it is not tracked.",
      "Sort keys differ from field names: num_txs is number_transactions, active_users_24h is last_24h_active_users.",
    ],
    aliases: ["ls"],
    examples: {
      "Most active programs": {},
      "By users of the last 24 hours, 40 rows per page": { sort_by: "active_users_24h", page_size: 40 },
    },
  }),
  endpoint("v2", "/program/popular/platforms", {
    summary: "Well-known platforms and their programs",
    query: {},
    returns: rows("Platform"),
    cachePolicy: "metadata",
    columns: "platform_id, platform_name, program_ids, website",
    identity: "platform_id",
    notes: ["platform_id is a value for token latest --platform-id."],
    aliases: ["popular", "platforms"],
    examples: { "All platforms": {} },
  }),
  endpoint("v2", "/program/analytics", {
    summary: "Daily transactions, users, volume and instructions of a program",
    since: "newer",
    query: {
      address: address("Program", IDENTIFIER),
      range: oneOf([7, 30], "Number of days", { required: true }),
    },
    returns: object("ProgramAnalytics"),
    cachePolicy: "metadata",
    columns: `program_id, days, num_trans as transactions, num_trans_success as successful,
      interaction_volume as volume, last_24h_active_users as users 24h, active_users_change_24 as users 24h change,
      data as days`,
    echo: "program_id",
    notes: [
      "num_trans and interaction_volume exist twice: for the whole range and, in data, for each day.",
      "Active users of a day are unique within that day; do not sum them.",
      "insts counts instructions by name; a transaction can contain several.",
      "active_users_change_24 is text, in percent.",
    ],
    examples: {
      "The last week of Orca's Whirlpools": { address: WHIRLPOOL, range: 7 },
      "The last 30 days": { address: WHIRLPOOL, range: 30 },
    },
  }),
];

/** The v2 monitor endpoint. */
export const v2Monitor = [
  endpoint("v2", "/monitor/usage", {
    summary: "Compute units and requests of the API key",
    query: {},
    returns: object("Usage"),
    cachePolicy: "never",
    columns: `usage_cus, remaining_cus, total_cu_24h, total_requests_24h, success_rate_24h, renew_date, end_date,
      last_cu_reset_date, email`,
    notes: [
      "Reports on the API key of the request.",
      "Values cover two periods: the billing period and the last 24 hours.",
      "Dates are text in UTC, unlike the Unix seconds of most endpoints.",
      "An invalid key returns status 400 with the message Invalid token.",
    ],
    examples: { "Used and remaining compute units": {} },
  }),
];
