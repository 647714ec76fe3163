/** The v2 block endpoints (specification §7). */
import { STANDARD_SIZES } from "../constants.ts";
import { endpoint, object, rows } from "../endpoint.ts";
import { commaAddresses, flag, IDENTIFIER, oneOf, pages, slot } from "../param.ts";
import { JUPITER, SLOT } from "../samples.ts";
import { ONE_ADDRESS } from "./common.ts";

/** The v2 block endpoints. */
export const v2Block = [
  endpoint({
    family: "v2",
    path: "/block/last",
    summary: "The latest blocks",
    query: {
      limit: oneOf(STANDARD_SIZES, "Blocks", { default: 10, role: "size" }),
    },
    returns: rows("Block"),
    columns: [
      { path: "current_slot", head: "slot" },
      "block_time",
      { path: "transactions_count", head: "transactions" },
      "fee_rewards",
      "block_height",
      "blockhash",
    ],
    newestFirst: true,
    identity: ["current_slot"],
    notes: ["Newest first. There is no older page: block detail follows parent_slot further back."],
    aliases: ["latest"],
    examples: [
      { about: "The latest ten blocks", params: {} },
      { about: "The latest hundred", params: { limit: 100 } },
    ],
  }),
  endpoint({
    family: "v2",
    path: "/block/transactions",
    summary: "Transactions of a block",
    query: {
      block: slot("Slot of the block", IDENTIFIER),
      exclude_vote: flag("Leave out votes", { default: false }),
      program: commaAddresses("Only transactions in which these programs take part", { note: ONE_ADDRESS }),
      ...pages(STANDARD_SIZES),
    },
    returns: rows("AccountTransaction", { at: "transactions", total: "total" }),
    cachePolicy: "final",
    columns: [
      "tx_hash",
      "status",
      "fee",
      "signer",
      { path: "parsed_instructions", head: "instructions" },
      "block_time",
    ],
    echo: "slot",
    identity: ["tx_hash"],
    notes: [
      "Votes are included here and left out of transaction last, unless told otherwise.",
      "total counts what the filters leave, so it need not equal transactions_count of the block.",
    ],
    aliases: ["txs", "transaction"],
    examples: [
      { about: "All but the votes", params: { block: SLOT, exclude_vote: true, page_size: 100 } },
      { about: "Those in which Jupiter takes part", params: { block: SLOT, program: JUPITER } },
    ],
  }),
  endpoint({
    family: "v2",
    path: "/block/detail",
    summary: "A block, without its transactions",
    query: {
      block: slot("Slot of the block", IDENTIFIER),
    },
    returns: object("Block"),
    cachePolicy: "final",
    columns: [
      "blockhash",
      "block_time",
      "block_height",
      "transactions_count",
      "fee_rewards",
      "parent_slot",
      "previous_block_hash",
    ],
    notes: [
      "The answer does not repeat the slot asked for; block_height is another, smaller number.",
      "To walk back, ask for parent_slot: slots in between were skipped and hold no block.",
    ],
    aliases: ["get", "show"],
    examples: [{ about: "A block by its slot", params: { block: SLOT } }],
  }),
] as const;
