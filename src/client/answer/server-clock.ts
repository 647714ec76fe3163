/** The clock of a server, from the headers of its responses: the local clock may be wrong by minutes or hours. */
import { pluralize } from "../../base/index.ts";
import type { HttpResponse } from "./response.ts";

type Headers = HttpResponse["headers"];

/** A response, and when it was requested and received by the local clock, in milliseconds since the epoch. */
export interface TimedResponse {
  readonly headers: Headers | undefined;
  readonly sent: number;
  readonly received: number;
}

/** Clock differences in seconds: smaller ones are tolerable, larger ones make time ranges wrong, severe ones TLS too. */
export const SKEW_SECONDS = { tolerable: 5, severe: 300 } as const;

/**
 * Returns when a response was received, by the clock of its server, in milliseconds since the epoch; undefined without
 * a `Date` header. The header is truncated to seconds; `Age` is the time that the response spent in caches.
 */
export function serverTime(headers: Headers | undefined): number | undefined {
  const date = Date.parse(headers?.date ?? "");
  const age = Number(headers?.age ?? 0) || 0;
  return Number.isNaN(date) ? undefined : date + age * 1000;
}

/** Returns how many seconds the local clock is ahead of the server; undefined without a `Date` header. */
export function measureSkew({ headers, sent, received }: TimedResponse): number | undefined {
  const time = serverTime(headers);
  if (time === undefined) return undefined;
  // The response was created at an unknown time during the exchange: a difference within it counts as none. The header
  // is truncated by half a second on average.
  const [earliest, latest] = [sent - 1000 - time, received - time];
  return earliest > 0 ? earliest / 1000 : latest < 0 ? latest / 1000 : 0;
}

const DAY_HOURS = 24;
/** Hours below which minutes are printed too. */
const MINUTES_BELOW_HOURS = 10;

/** Formats a clock difference: `2 hours 5 minutes ahead of`, `40 seconds behind`. */
export function formatSkew(skew: number): string {
  return `${formatDifference(Math.abs(skew))} ${skew > 0 ? "ahead of" : "behind"}`;
}

/** Formats seconds with a precision that fits their size. */
function formatDifference(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  if (minutes < 2) return pluralize(Math.round(seconds), "second");
  if (minutes < 60) return pluralize(minutes, "minute");
  const hours = Math.round(seconds / 3600);
  if (hours >= 2 * DAY_HOURS) return pluralize(Math.round(seconds / (3600 * DAY_HOURS)), "day");
  if (hours >= MINUTES_BELOW_HOURS) return pluralize(hours, "hour");
  const rest = minutes % 60;
  return `${pluralize(Math.floor(minutes / 60), "hour")}${rest === 0 ? "" : ` ${pluralize(rest, "minute")}`}`;
}
