/** Accounts and what happens to them (specification §3). */
import * as z from "zod";
import { TRANSFER_ACTIVITIES } from "../constants.ts";
import { f } from "../kinds.ts";

/** A transfer of a token or of SOL, seen from an account or a token. */
export const Transfer = z.looseObject({
  block_id: f.slot("Slot of the block"),
  trans_id: f.signature("Signature of the transaction"),
  block_time: f.unixTime("Time of the block"),
  time: f.isoTime("The same time as text"),
  activity_type: f.enum("What kind of transfer", TRANSFER_ACTIVITIES),
  from_address: f.address("Owner that sends"),
  from_token_account: f.address("Token account that sends").optional(),
  to_address: f.address("Owner that receives"),
  to_token_account: f.address("Token account that receives").optional(),
  token_address: f.address("Mint of the token"),
  token_decimals: f.count("Decimals of the token"),
  amount: f.tokenAmount("Amount in base units", "token_decimals"),
  flow: f.enum("Direction, seen from the account asked for", ["in", "out"]).optional(),
});
