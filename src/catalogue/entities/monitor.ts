/** The usage of an API key (specification §3). */
import * as z from "zod";
import { f } from "../fields.ts";

/** Compute units of the billing period, and requests of the last 24 hours. */
export const Usage = z.looseObject({
  email: f.text("Owner of the API key").optional(),
  renew_date: f.isoTime("Start of the billing period"),
  end_date: f.isoTime("End of the billing period"),
  last_cu_reset_date: f.isoTime("Last reset of the compute units; usually the start of the period"),
  remaining_cus: f.count("Remaining compute units of the period"),
  usage_cus: f.count("Compute units used since the reset"),
  total_requests_24h: f.count("Requests of the last 24 hours"),
  success_rate_24h: f.percent("Share of successful requests; rejected requests count as failed"),
  total_cu_24h: f.count("Compute units used in the last 24 hours"),
});
