/** The chain as a whole (specification §3). */
import * as z from "zod";
import { f } from "../fields.ts";

/** The current state of the chain. */
export const ChainInfo = z.looseObject({
  blockHeight: f.count("Confirmed blocks"),
  currentEpoch: f.number("Epoch (432000 slots)"),
  absoluteSlot: f.slot("Latest slot, including skipped slots"),
  transactionCount: f.count("Transactions since genesis"),
});
