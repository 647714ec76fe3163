/** What is known of the use of a key at a moment. */
import { type JsonObject, type SolxError, toNumber } from "../../base/index.ts";
import type { PlanName } from "../../catalogue/index.ts";
import type { Forecast } from "./forecast.ts";

/** Requests of this machine to one endpoint. */
export interface EndpointUsage {
  /** The endpoint as it is typed, such as `account transfer`; `other` for paths that the catalogue does not have. */
  readonly endpoint: string;
  readonly requests: number;
  /** Those among them that were refused, failed, or got no answer. */
  readonly failed: number;
  /** Compute units, as the price list has them. */
  readonly units: number;
}

/** What the API told of a key, and what follows from it. */
export interface UsageReport {
  /** When the API told the numbers, in milliseconds since the epoch. */
  readonly at: number;
  /** The API's object; without the owner's address where it is an earlier one. */
  readonly usage: JsonObject;
  /** Why there is nothing newer; undefined when the API answered. */
  readonly error: SolxError | undefined;
  readonly forecast: Forecast;
  readonly profile: string;
  /** The plan that is set, or the one that has as many units. */
  readonly plan: PlanName | undefined;
  /** Requests of this machine in the last 24 hours, the busiest endpoint first. */
  readonly busiest: readonly EndpointUsage[];
}

/** The share of requests of 24 hours that succeeded, in percent; undefined where it is not known, or there were none. */
export function successRate({ total_requests_24h: requests, success_rate_24h: rate }: JsonObject): number | undefined {
  return toNumber(requests) === 0 ? undefined : toNumber(rate);
}

/** Below this share of successes something is wrong, in percent. */
export const LOW_SUCCESS_RATE = 95;
