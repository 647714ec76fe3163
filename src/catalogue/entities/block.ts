/** Blocks (specification §3). */
import * as z from "zod";
import { f } from "../fields.ts";

/** A block, without its transactions. */
export const Block = z.looseObject({
  current_slot: f.slot("Slot of the block; only in lists").optional(),
  block_height: f.count("Height, which skipped slots do not count in"),
  block_time: f.unixTime("Time of the block"),
  time: f.isoTime("The same time as text"),
  transactions_count: f.count("Transactions, votes among them"),
  fee_rewards: f.lamports("Fees that the leader earned"),
  blockhash: f.hash("Hash of the block"),
  parent_slot: f.slot("Slot of the block before"),
  previous_block_hash: f.hash("Hash of the block before"),
});
