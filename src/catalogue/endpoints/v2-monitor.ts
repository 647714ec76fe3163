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
      "Always about the key that asks.",
      "Two time frames in one answer: the billing period, and the last 24 hours.",
      "Dates are text in UTC here, Unix seconds nearly everywhere else.",
      "A bad key is answered with status 400 and the message Invalid token.",
    ],
    examples: [{ about: "What the key has used and what is left", params: {} }],
  }),
] as const;
