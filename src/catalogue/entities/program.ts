/** Programs and the platforms that they belong to (specification §3). */
import * as z from "zod";
import { f } from "../fields.ts";

/** A program by its activity of the last 90 days. */
export const Program = z.looseObject({
  program: f.program("The program"),
  number_transactions: f.count("Transactions of 90 days"),
  number_transactions_success: f.count("Those that succeeded"),
  number_interaction_volume: f.usd("Value moved in 90 days; 0 can mean that it is not tracked").optional(),
  success_rate: f.percent("Share of the transactions that succeeded"),
  last_24h_active_users: f.count("Different users of the last 24 hours"),
});

/** A well-known platform and its programs. */
export const Platform = z.looseObject({
  platform_id: f.text("Short name, as other endpoints take it"),
  platform_name: f.text("Name for display"),
  program_ids: f.list("Programs of the platform", f.program("Program")),
  website: f.url("Website"),
  description: f.text("What it is"),
});
