/** The v2 monitor endpoint (specification §7). */
import { endpoint, object } from "../endpoint.ts";

/** The v2 monitor endpoint. */
export const v2Monitor = [
  endpoint({
    family: "v2",
    path: "/monitor/usage",
    summary: "Compute units and requests of the API key",
    query: {},
    returns: object("Usage"),
    cachePolicy: "never",
    columns: [
      "usage_cus",
      "remaining_cus",
      "total_cu_24h",
      "total_requests_24h",
      "success_rate_24h",
      "renew_date",
      "end_date",
      "last_cu_reset_date",
      "email",
    ],
    notes: [
      "Reports on the API key of the request.",
      "Values cover two periods: the billing period and the last 24 hours.",
      "Dates are text in UTC, unlike the Unix seconds of most endpoints.",
      "An invalid key returns status 400 with the message Invalid token.",
    ],
    examples: [{ about: "Used and remaining compute units", params: {} }],
  }),
] as const;
