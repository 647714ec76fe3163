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
    summary: "Latest blocks",
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
    notes: ["Sorted newest first. For older blocks, follow parent_slot with block detail."],
    aliases: ["latest"],
    examples: [
      { about: "Latest 10 blocks", params: {} },
      { about: "Latest 100 blocks", params: { limit: 100 } },
    ],
  }),
  endpoint({
    family: "v2",
    path: "/block/transactions",
    summary: "Transactions of a block",
    query: {
      block: slot("Slot of the block", IDENTIFIER),
      exclude_vote: flag("Exclude votes", { default: false }),
      program: commaAddresses("Only transactions that involve these programs", { note: ONE_ADDRESS }),
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
      "Votes are included by default, unlike in transaction last.",
      "total counts matching transactions only, so it can differ from transactions_count of the block.",
    ],
    aliases: ["txs", "transaction"],
    examples: [
      { about: "All transactions but votes", params: { block: SLOT, exclude_vote: true, page_size: 100 } },
      { about: "Transactions that involve Jupiter", params: { block: SLOT, program: JUPITER } },
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
      "The answer does not contain the slot; block_height is a different, smaller number.",
      "For the previous block, request parent_slot: slots in between were skipped and have no block.",
    ],
    aliases: ["get", "show"],
    examples: [{ about: "A block by its slot", params: { block: SLOT } }],
  }),
] as const;
