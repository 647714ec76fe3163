/** What is known about the usage of a key at a time. */
import { groupThousands, type JsonObject, pluralize, type SolxError, toNumber } from "../../base/index.ts";
import type { PlanName } from "../../catalogue/index.ts";
import { durationText } from "../text.ts";
import type { Forecast } from "./forecast.ts";
import type { UserUsage } from "./usage-users.ts";

/** Requests of this machine to one endpoint. */
export interface EndpointUsage {
  /** The endpoint as it is typed, such as `account transfer`; `other` for paths outside the catalogue. */
  readonly endpoint: string;
  readonly requests: number;
  /** How many of them were refused, failed, or got no response. */
  readonly failed: number;
  /** Compute units by the price list. */
  readonly units: number;
}

/** What the stores of this machine, or those that machines share, know of the last 24 hours. */
export interface KnownUsage {
  /** Requests of this machine, the busiest endpoint first. */
  readonly busiest: readonly EndpointUsage[];
  /** Who sent requests, on all machines that share a Redis server, else on this one. */
  readonly users: readonly UserUsage[];
}

/** The usage of a key and its forecast. */
export interface UsageReport extends KnownUsage {
  /** When the API reported the numbers, in milliseconds since the epoch. */
  readonly at: number;
  /** The API's object; without the owner's e-mail address where it is an earlier one. */
  readonly usage: JsonObject;
  /** Why there is nothing newer; undefined when the API answered. */
  readonly error: SolxError | undefined;
  readonly forecast: Forecast;
  readonly profile: string;
  /** The configured plan, or the one with that number of units. */
  readonly plan: PlanName | undefined;
}

/**
 * Returns the share of successful requests in the last 24 hours in percent; undefined where it is unknown, or there
 * were none.
 */
export function successRate({ total_requests_24h: requests, success_rate_24h: rate }: JsonObject): number | undefined {
  return toNumber(requests) === 0 ? undefined : toNumber(rate);
}

/** Success rates below this one indicate a problem, in percent. */
const LOW_SUCCESS_RATE = 95;

/** Describes the requests of the last 24 hours: their number, and the share that succeeded; empty where unknown. */
export function describeRequests(usage: JsonObject): readonly string[] {
  const [requests, rate] = [toNumber(usage.total_requests_24h), successRate(usage)];
  if (requests === undefined) return [];
  const share = rate === undefined ? [] : [`${Math.round(rate * 100) / 100}% succeeded`];
  return [pluralize(requests, "request"), ...share];
}

/** Returns whether few of the requests of the last 24 hours succeeded. */
export const hasLowSuccess = (usage: JsonObject): boolean => (successRate(usage) ?? 100) < LOW_SUCCESS_RATE;

/** Describes the units per day of the last day, of the last week, and since the reset, as far as they are known. */
export function describePace({ today, week, average }: Forecast): readonly string[] {
  const rates = [
    [today, "units in the last 24 hours"],
    [week, "per day in the last 7 days"],
    [average, "per day since the reset"],
  ] as const;
  return rates.flatMap(([units, when]) =>
    units === undefined ? [] : [`${groupThousands(Math.round(units))} ${when}`],
  );
}

/** Describes the billing period. @param date formats its ends, in milliseconds since the epoch */
export function describePeriod(
  { periodStart, periodEnd }: Forecast,
  now: number,
  date: (time: number) => string = (time) => new Date(time).toISOString().slice(0, 10),
): string {
  const [from, until] = [periodStart, periodEnd].map((time) => (time === undefined ? "-" : date(time)));
  const rest =
    periodEnd !== undefined && periodEnd > now ? `, renews in ${durationText((periodEnd - now) / 1000)}` : "";
  return `${from} to ${until}${rest}`;
}

/** The role of the state of the units, as text is coloured by it. */
export const STATE_ROLES = {
  none: "bad",
  short: "warning",
  enough: "good",
  unknown: "note",
} as const satisfies Readonly<Record<Forecast["state"], string>>;
