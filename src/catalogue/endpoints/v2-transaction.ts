/** The v2 transaction endpoints (specification §7). */
import { STANDARD_SIZES } from "../constants.ts";
import { endpoint, object, rows } from "../endpoint.ts";
import { IDENTIFIER, oneOf, signature, signatures } from "../param.ts";
import { OTHER_SIGNATURE, SIGNATURE } from "../samples.ts";
import { MULTI_LIMIT } from "./common.ts";

const TOKENS_NOTE = "Names and symbols of tokens are outside data, in metadata.tokens; --envelope prints them.";
const AMOUNTS_NOTE = "Amounts are base units; amount can exceed the precision of a double, amount_str is exact.";
const MULTI_NOTE = "One invalid signature fails the whole request.";

/** The v2 transaction endpoints. */
export const v2Transaction = [
  endpoint({
    family: "v2",
    path: "/transaction/last",
    summary: "Latest transactions",
    query: {
      limit: oneOf(STANDARD_SIZES, "Transactions", { default: 10, role: "size" }),
      filter: oneOf(["exceptVote", "all"], "Whether to include votes", { default: "exceptVote" }),
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
    notes: ["Sorted newest first. Older transactions are not available.", "Votes are excluded unless filter is all."],
    aliases: ["latest"],
    examples: [
      { about: "Latest 10 transactions, without votes", params: {} },
      { about: "Latest 100 transactions, with votes", params: { limit: 100, filter: "all" } },
    ],
  }),
  endpoint({
    family: "v2",
    path: "/transaction/detail",
    summary: "A transaction: status, fees, balance changes and instruction tree",
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
      "status is a number (1: success, 0: failure); in lists it is text.",
      "fee includes priority_fee.",
      "change_amount is signed; change_type repeats the sign.",
      "Transfers and activities of an instruction do not include those of its inner instructions.",
      AMOUNTS_NOTE,
      TOKENS_NOTE,
    ],
    aliases: ["get", "show"],
    examples: [{ about: "A transaction by its signature", params: { tx: SIGNATURE } }],
  }),
  endpoint({
    family: "v2",
    path: "/transaction/detail/multi",
    summary: "Several transactions in detail",
    query: {
      tx: signatures("Signatures of the transactions", { ...IDENTIFIER, note: MULTI_LIMIT, hasCommaForm: true }),
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
    summary: "Transfers, swaps and other actions of a transaction, in order",
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
      "The answer lacks the status of the transaction; see transaction detail.",
      "summaries and activities describe the same steps; do not sum them.",
      "Types are written ACTIVITY_SPL_TRANSFER here and spl_transfer in transaction detail.",
      AMOUNTS_NOTE,
      TOKENS_NOTE,
    ],
    aliases: ["action"],
    examples: [{ about: "Actions of a transaction", params: { tx: SIGNATURE } }],
  }),
  endpoint({
    family: "v2",
    path: "/transaction/actions/multi",
    summary: "Actions of several transactions",
    query: {
      tx: signatures("Signatures of the transactions", { ...IDENTIFIER, note: MULTI_LIMIT, hasCommaForm: true }),
    },
    returns: rows("TransactionActions"),
    cachePolicy: "final",
    columns: ["tx_hash", "block_time", "block_id", "fee", "transfers", "activities"],
    echo: "tx_hash",
    identity: ["tx_hash"],
    notes: [MULTI_NOTE, AMOUNTS_NOTE, TOKENS_NOTE],
    examples: [{ about: "Actions of two transactions", params: { tx: [SIGNATURE, OTHER_SIGNATURE] } }],
  }),
  endpoint({
    family: "v2",
    path: "/transaction/fees",
    summary: "Average, minimum and maximum fee of current transactions",
    since: "newer",
    query: {},
    returns: object("TransactionFees"),
    cachePolicy: "prices",
    columns: ["avg_fee", "min_fee", "max_fee"],
    notes: [
      "Fees are in SOL here and in lamports in transaction detail.",
      "The API does not document the period that the fees cover.",
    ],
    examples: [{ about: "Current fees", params: {} }],
  }),
] as const;
