/** The result for programs: the fields of the API, and what is derived from them in `derived`. */
import * as z from "zod";
import { type Decimal, decimalText, type Json, type JsonObject, toNumeric } from "../../base/index.ts";
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

/** Schema of the requests of one user. */
export const UserUsageRow = z.looseObject({
  profile: f.text("Profile"),
  machine: f.text("Name of the machine"),
  command: f.text("Command, as it is typed"),
  requests: f.count("Requests of the last 24 hours"),
  units: f.count("Compute units, by list price"),
});

const exact = (value: Decimal | undefined) => (value ? toNumeric(decimalText(value)) : null);
const rounded = (value: number | undefined) => (value === undefined ? null : Math.round(value));
const iso = (moment: number | undefined) => (moment === undefined ? null : new Date(moment).toISOString());
const sum = (rows: UsageSnapshot["busiest"], field: "requests" | "units") =>
  rows.reduce((total, row) => total + row[field], 0);

/** What is derived from the usage, with its schema. Times are ISO 8601 in UTC. */
const DERIVED: Readonly<Record<string, readonly [schema: z.ZodType, read: (snapshot: UsageSnapshot) => Json]>> = {
  profile: [f.text("Profile of the key"), ({ profile }) => profile],
  plan: [f.text("Configured plan, or the plan with as many units"), ({ plan = null }) => plan],
  sampled_at: [f.isoTime("Time of the numbers"), ({ at }) => iso(at)],
  age_seconds: [f.count("Age of the numbers in seconds"), ({ now, at }) => Math.max(0, Math.round((now - at) / 1000))],
  stale: [
    f.boolean("Whether the API did not respond, so that the numbers are earlier ones"),
    ({ error }) => error !== undefined,
  ],
  state: [
    f.text("enough, short (units run out before the period ends), none (no units left) or unknown"),
    ({ forecast }) => forecast.state,
  ],
  summary: [f.text("The state as a sentence"), ({ forecast }) => forecastText(forecast)],
  units_total: [f.count("Compute units of the billing period"), ({ forecast }) => exact(forecast.total)],
  used_percent: [f.percent("Used share of the units"), ({ forecast }) => exact(forecast.percent)],
  per_day: [
    f.count("Burn rate of the forecast in units per day: that of the last 24 hours, or the long-term rate if higher"),
    ({ forecast }) => rounded(forecast.perDay),
  ],
  per_day_24h: [f.count("Units used in the last 24 hours"), ({ forecast }) => rounded(forecast.today)],
  per_day_7d: [
    f.count("Units per day in the last 7 days, by samples on this machine"),
    ({ forecast }) => rounded(forecast.week),
  ],
  per_day_period: [f.count("Units per day since the reset"), ({ forecast }) => rounded(forecast.average)],
  runs_out_at: [
    f.isoTime("When the units run out at the burn rate; null if never"),
    ({ forecast }) => iso(forecast.endsAt),
  ],
  runs_out_before_renewal: [
    f.boolean("Whether that is before the end of the period; null if unknown"),
    ({ forecast: { state } }) => (state === "unknown" ? null : state !== "enough"),
  ],
  renews_at: [f.isoTime("End of the billing period"), ({ forecast }) => iso(forecast.periodEnd)],
  local_requests_24h: [
    f.count("Requests of this machine in the last 24 hours"),
    ({ busiest }) => sum(busiest, "requests"),
  ],
  local_units_24h: [f.count("Compute units of these requests, by list price"), ({ busiest }) => sum(busiest, "units")],
  local_units_today: [
    f.count("Units spent today (UTC) on this machine, if a daily limit is set"),
    ({ limit }) => limit?.spent ?? null,
  ],
  local_units_per_day: [f.count("Daily limit (setting units day=)"), ({ limit }) => limit?.limit ?? null],
  local_endpoints: [z.array(EndpointUsageRow), ({ busiest }) => busiest.map((one) => ({ ...one }))],
  users: [z.array(UserUsageRow), ({ users }) => users.map((one) => ({ ...one }))],
};

const derivedMembers = <T>(read: (entry: (typeof DERIVED)[string]) => T): Readonly<Record<string, T>> =>
  Object.fromEntries(Object.entries(DERIVED).map(([name, entry]) => [name, read(entry)]));

/** Schema of the result of the command. */
export const UsageResult = Usage.extend({ derived: z.looseObject(derivedMembers(([schema]) => schema)) });

/** Returns the result as JSON. Numbers of the API keep all digits. */
export const usageResult = (snapshot: UsageSnapshot): JsonObject => ({
  ...snapshot.usage,
  derived: derivedMembers(([, read]) => read(snapshot)),
});

/** Flattens the result for CSV and TSV: each derived value is a column. */
export function flattenResult({ derived, ...usage }: JsonObject): JsonObject {
  const facts = Object.entries(derived as JsonObject).filter(([, value]) => !Array.isArray(value));
  return { ...usage, ...Object.fromEntries(facts.map(([name, value]) => [`derived.${name}`, value])) };
}
