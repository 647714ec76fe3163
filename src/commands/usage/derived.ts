/** The result for programs: the fields of the API, and what is derived from them in `derived`. */
import * as z from "zod";
import { type Decimal, decimalText, type JsonObject, numericOf } from "../../base/index.ts";
import { f, Usage } from "../../catalogue/schemas.ts";
import { forecastText } from "../../client/index.ts";
import type { UsageSnapshot } from "./snapshot.ts";

/** Schema of the requests of this machine to one endpoint. */
export const EndpointUsageRow = z.looseObject({
  endpoint: f.text("Endpoint, as a command"),
  requests: f.count("Requests of the last 24 hours"),
  failed: f.count("Failed requests, including rejected ones and those without a response"),
  units: f.count("Compute units, by list price"),
});

/** Schema of the result of the command. */
export const UsageResult = Usage.extend({
  derived: z.looseObject({
    profile: f.text("Profile of the key"),
    plan: f.text("Configured plan, or the plan with as many units"),
    sampled_at: f.isoTime("Time of the numbers"),
    age_seconds: f.count("Age of the numbers in seconds"),
    stale: f.boolean("Whether the API did not respond, so that the numbers are earlier ones"),
    state: f.text("enough, short (units run out before the period ends), none (no units left) or unknown"),
    summary: f.text("The state as a sentence"),
    units_total: f.count("Compute units of the billing period"),
    used_percent: f.percent("Used share of the units"),
    per_day: f.count(
      "Burn rate of the forecast in units per day: that of the last 24 hours, or the long-term rate if higher",
    ),
    per_day_24h: f.count("Units used in the last 24 hours"),
    per_day_7d: f.count("Units per day in the last 7 days, by samples on this machine"),
    per_day_period: f.count("Units per day since the reset"),
    runs_out_at: f.isoTime("When the units run out at the burn rate; null if never"),
    runs_out_before_renewal: f.boolean("Whether that is before the end of the period; null if unknown"),
    renews_at: f.isoTime("End of the billing period"),
    local_requests_24h: f.count("Requests of this machine in the last 24 hours"),
    local_units_24h: f.count("Compute units of these requests, by list price"),
    local_units_today: f.count("Units spent today (UTC) on this machine, if a daily limit is set"),
    local_units_per_day: f.count("Daily limit (setting units-per-day)"),
    local_endpoints: z.array(EndpointUsageRow),
  }),
});

/** Returns the result as JSON. Numbers of the API keep all digits; times are ISO 8601 in UTC. */
export function usageResult(snapshot: UsageSnapshot): JsonObject {
  const { forecast, usage, busiest, now, at } = snapshot;
  const { total, percent, perDay, today, week, average, endsAt, periodEnd, state } = forecast;
  return {
    ...usage,
    derived: {
      profile: snapshot.profile,
      plan: snapshot.plan ?? null,
      sampled_at: iso(at),
      age_seconds: Math.max(0, Math.round((now - at) / 1000)),
      stale: snapshot.error !== undefined,
      state,
      summary: forecastText(forecast),
      units_total: total ? exact(total) : null,
      used_percent: percent ? exact(percent) : null,
      per_day: rounded(perDay),
      per_day_24h: rounded(today),
      per_day_7d: rounded(week),
      per_day_period: rounded(average),
      runs_out_at: iso(endsAt),
      runs_out_before_renewal: state === "unknown" ? null : state !== "enough",
      renews_at: iso(periodEnd),
      local_requests_24h: busiest.reduce((sum, { requests }) => sum + requests, 0),
      local_units_24h: busiest.reduce((sum, { units }) => sum + units, 0),
      local_units_today: snapshot.limit?.spent ?? null,
      local_units_per_day: snapshot.limit?.limit ?? null,
      local_endpoints: busiest.map((one) => ({ ...one })),
    },
  };
}

/** Flattens the result for CSV and TSV: each derived value is a column. */
export function flattenResult({ derived, ...usage }: JsonObject): JsonObject {
  const facts = Object.entries(derived as JsonObject).filter(([, value]) => !Array.isArray(value));
  return { ...usage, ...Object.fromEntries(facts.map(([name, value]) => [`derived.${name}`, value])) };
}

const exact = (value: Decimal) => numericOf(decimalText(value));
const rounded = (value: number | undefined) => (value === undefined ? null : Math.round(value));
const iso = (moment: number | undefined) => (moment === undefined ? null : new Date(moment).toISOString());
