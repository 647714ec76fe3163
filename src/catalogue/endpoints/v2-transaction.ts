/** The v2 transaction endpoints (specification §7). */
import { STANDARD_SIZES } from "../constants.ts";
import { endpoint, object, rows } from "../endpoint.ts";
import { IDENTIFIER, oneOf, signature, signatures } from "../param.ts";
import { OTHER_SIGNATURE, SIGNATURE } from "../samples.ts";
import { MULTI_LIMIT } from "./common.ts";

const TOKENS_NOTE = "Names and symbols of the tokens are beside data, in metadata.tokens: --envelope shows them.";
const AMOUNTS_NOTE = "Amounts are base units; amount can pass what a double holds, amount_str never does.";
const MULTI_NOTE = "One wrong signature refuses the whole call.";

/** The v2 transaction endpoints. */
export const v2Transaction = [
  endpoint({
    family: "v2",
    path: "/transaction/last",
    summary: "The latest transactions",
    query: {
      limit: oneOf(STANDARD_SIZES, "Transactions", { default: 10, role: "size" }),
      filter: oneOf(["exceptVote", "all"], "Whether votes are left out", { default: "exceptVote" }),
    },
    returns: rows("AccountTransaction"),
    columns: [
      "tx_hash",
      "block_time",
      "status",
      "fee",
      "signer",
      { path: "parsed_instructions", head: "instructions" },
      "slot",
    ],
    newestFirst: true,
    identity: ["tx_hash"],
    notes: ["Newest first. There is no older page.", "Votes are left out unless filter is all."],
    aliases: ["latest"],
    examples: [
      { about: "The latest ten, without votes", params: {} },
      { about: "The latest hundred, votes included", params: { limit: 100, filter: "all" } },
    ],
  }),
  endpoint({
    family: "v2",
    path: "/transaction/detail",
    summary: "A transaction: status, fees, balance changes and the tree of its instructions",
    query: {
      tx: signature("Signature of the transaction", IDENTIFIER),
    },
    returns: object("TransactionDetail"),
    cachePolicy: "final",
    columns: [
      "tx_hash",
      "status",
      "block_time",
      "block_id",
      "fee",
      "priority_fee",
      "compute_units_consumed",
      "signer",
      "sol_bal_change",
      "token_bal_change",
      "parsed_instructions",
      "programs_involved",
      "log_message",
    ],
    echo: "tx_hash",
    notes: [
      "status is a number here (1 for success, 0 for failure), a word in lists.",
      "fee includes priority_fee.",
      "change_amount carries its own sign; change_type repeats it.",
      "Transfers and activities of an instruction do not hold those of the instructions that it calls: walk the tree.",
      AMOUNTS_NOTE,
      TOKENS_NOTE,
    ],
    aliases: ["get", "show"],
    examples: [{ about: "A transaction by its signature", params: { tx: SIGNATURE } }],
  }),
  endpoint({
    family: "v2",
    path: "/transaction/detail/multi",
    summary: "Several transactions in detail with one call",
    query: {
      tx: signatures("Signatures of the transactions", { ...IDENTIFIER, note: MULTI_LIMIT }),
    },
    returns: rows("TransactionDetail"),
    cachePolicy: "final",
    columns: ["tx_hash", "status", "block_time", "block_id", "fee", "compute_units_consumed", "signer"],
    echo: "tx_hash",
    identity: ["tx_hash"],
    notes: [MULTI_NOTE, AMOUNTS_NOTE, TOKENS_NOTE],
    aliases: ["get-multi"],
    examples: [{ about: "Two transactions", params: { tx: [SIGNATURE, OTHER_SIGNATURE] } }],
  }),
  endpoint({
    family: "v2",
    path: "/transaction/actions",
    summary: "What a transaction does: transfers, swaps and other steps, in plain order",
    query: {
      tx: signature("Signature of the transaction", IDENTIFIER),
    },
    returns: object("TransactionActions"),
    cachePolicy: "final",
    columns: [
      "tx_hash",
      "block_time",
      "block_id",
      "fee",
      "priority_fee",
      "one_line_summary",
      "summaries",
      "transfers",
      "activities",
    ],
    echo: "tx_hash",
    notes: [
      "Whether the transaction succeeded is not said here: see transaction detail.",
      "summaries and activities tell the same steps twice; do not add them up.",
      "Kinds are spelled ACTIVITY_SPL_TRANSFER here, spl_transfer in transaction detail.",
      AMOUNTS_NOTE,
      TOKENS_NOTE,
    ],
    aliases: ["action"],
    examples: [{ about: "The steps of a transaction", params: { tx: SIGNATURE } }],
  }),
  endpoint({
    family: "v2",
    path: "/transaction/actions/multi",
    summary: "What several transactions do, with one call",
    query: {
      tx: signatures("Signatures of the transactions", { ...IDENTIFIER, note: MULTI_LIMIT }),
    },
    returns: rows("TransactionActions"),
    cachePolicy: "final",
    columns: ["tx_hash", "block_time", "block_id", "fee", "transfers", "activities"],
    echo: "tx_hash",
    identity: ["tx_hash"],
    notes: [MULTI_NOTE, AMOUNTS_NOTE, TOKENS_NOTE],
    examples: [{ about: "The steps of two transactions", params: { tx: [SIGNATURE, OTHER_SIGNATURE] } }],
  }),
] as const;
