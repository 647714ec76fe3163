/** The use of an API key (specification §3). */
import * as z from "zod";
import { f } from "../fields.ts";

/** Compute units of the billing period, and requests of the last 24 hours. */
export const Usage = z.looseObject({
  email: f.text("Owner of the key").optional(),
  renew_date: f.isoTime("Start of the billing period"),
  end_date: f.isoTime("End of the billing period"),
  last_cu_reset_date: f.isoTime("When the compute units were last reset, mostly the start of the period"),
  remaining_cus: f.count("Compute units left in the period"),
  usage_cus: f.count("Compute units spent since the reset"),
  total_requests_24h: f.count("Requests of the last 24 hours"),
  success_rate_24h: f.percent("Share of them that succeeded; refused requests lower it too"),
  total_cu_24h: f.count("Compute units spent in the last 24 hours"),
});
