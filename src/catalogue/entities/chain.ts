/** The chain as a whole (specification §3). */
import * as z from "zod";
import { f } from "../fields.ts";

/** How far the chain has come. */
export const ChainInfo = z.looseObject({
  blockHeight: f.count("Confirmed blocks"),
  currentEpoch: f.number("Epoch, of 432000 slots"),
  absoluteSlot: f.slot("Latest slot, skipped ones counted"),
  transactionCount: f.count("Transactions to date"),
});
