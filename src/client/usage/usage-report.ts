/** What is known about the usage of a key at a time. */
import { type JsonObject, type SolxError, toNumber } from "../../base/index.ts";
import type { PlanName } from "../../catalogue/index.ts";
import type { Forecast } from "./forecast.ts";

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

/** The usage of a key and its forecast. */
export interface UsageReport {
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
  /** Requests of this machine in the last 24 hours, the busiest endpoint first. */
  readonly busiest: readonly EndpointUsage[];
}

/**
 * Returns the share of successful requests in the last 24 hours in percent; undefined where it is unknown, or there
 * were none.
 */
export function successRate({ total_requests_24h: requests, success_rate_24h: rate }: JsonObject): number | undefined {
  return toNumber(requests) === 0 ? undefined : toNumber(rate);
}

/** Success rates below this one indicate a problem, in percent. */
export const LOW_SUCCESS_RATE = 95;
