/** What follows from the API's numbers, for programs: beside the API's own fields, under one name. */
import * as z from "zod";
import { type Decimal, decimalText, type JsonObject, numericOf, sumDecimals } from "../../base/index.ts";
import { f, Usage } from "../../catalogue/schemas.ts";
import { forecastText } from "../../client/index.ts";
import type { UsageSnapshot } from "./snapshot.ts";

/** Requests of this machine to one endpoint. */
export const EndpointUsageRow = z.looseObject({
  endpoint: f.text("The endpoint, as it is typed"),
  requests: f.count("Requests of the last 24 hours"),
  failed: f.count("Those that were refused, failed, or got no answer"),
  units: f.count("Compute units, by the price list"),
});

/** The whole answer of the command: the API's fields, and what follows from them. */
export const UsageResult = Usage.extend({
  derived: z.looseObject({
    profile: f.text("The profile whose key it is"),
    plan: f.text("The plan that is set, or that has as many units"),
    sampled_at: f.isoTime("When the API told the numbers"),
    age_seconds: f.count("Seconds since then"),
    stale: f.boolean("Whether the API did not answer now: the numbers are earlier ones"),
    state: f.text("enough, short (the units end before the period), none (left), or unknown"),
    summary: f.text("The state in a sentence"),
    units_total: f.count("Compute units of the period"),
    used_percent: f.percent("Share of them that is used"),
    per_day: f.count("Units a day by which is foreseen: the last 24 hours, or what is usual where that is more"),
    per_day_24h: f.count("Units of the last 24 hours"),
    per_day_7d: f.count("Units a day in the last 7 days, by the samples of this machine"),
    per_day_period: f.count("Units a day since the reset"),
    runs_out_at: f.isoTime("When the units end at that pace; null when they never do"),
    runs_out_before_renewal: f.boolean("Whether that is before the period ends; null when it is not known"),
    renews_at: f.isoTime("When the period ends"),
    local_requests_24h: f.count("Requests of this machine in the last 24 hours"),
    local_units_24h: f.count("Compute units of these requests, by the price list"),
    local_units_today: f.count("Units spent today (UTC) on this machine, where a limit is set for a day"),
    local_units_per_day: f.count("That limit, the setting units-per-day"),
    local_endpoints: z.array(EndpointUsageRow),
  }),
});

/** The answer as JSON. Numbers of the API keep every digit; times are ISO 8601 in UTC. */
export function usageResult(snapshot: UsageSnapshot): JsonObject {
  const { forecast, usage, busiest, now, at } = snapshot;
  const { used, remaining, percent, perDay, today, week, average, endsAt, periodEnd, state } = forecast;
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
      units_total: used && remaining ? exact(sumDecimals([used, remaining])) : null,
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

/** The answer for a sheet, whose cells hold one value each: what follows has columns of its own. */
export function flattenResult({ derived, ...usage }: JsonObject): JsonObject {
  const facts = Object.entries(derived as JsonObject).filter(([, value]) => !Array.isArray(value));
  return { ...usage, ...Object.fromEntries(facts.map(([name, value]) => [`derived.${name}`, value])) };
}

const exact = (value: Decimal) => numericOf(decimalText(value));
const rounded = (value: number | undefined) => (value === undefined ? null : Math.round(value));
const iso = (moment: number | undefined) => (moment === undefined ? null : new Date(moment).toISOString());
