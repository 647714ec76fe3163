/** The chain as a whole (specification §3). */
import * as z from "zod";
import * as z from "zod";
import { f } from "../fields.ts";

/** A block, without its transactions. */
export const Block = z.looseObject({
  current_slot: f.slot("Slot of the block; in lists only").optional(),
  block_height: f.count("Block height; does not count skipped slots"),
  block_time: f.unixTime("Time of the block"),
  time: f.isoTime("Time of the block as text"),
  transactions_count: f.count("Transactions, including votes"),
  fee_rewards: f.lamports("Fees earned by the leader"),
  blockhash: f.hash("Hash of the block"),
  parent_slot: f.slot("Slot of the previous block"),
  previous_block_hash: f.hash("Hash of the previous block"),
});

/** The current state of the chain. */
export const ChainInfo = z.looseObject({
  blockHeight: f.count("Confirmed blocks"),
  currentEpoch: f.number("Epoch (432000 slots)"),
  absoluteSlot: f.slot("Latest slot, including skipped slots"),
  transactionCount: f.count("Transactions since genesis"),
});
