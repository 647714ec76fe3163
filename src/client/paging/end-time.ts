/**
 * The end of a list of events: rows later than its first page are excluded, so that rows that arrive while the list is
 * read do not move the others.
 *
 * The end is the time of the server when it answered the first page, because the local clock may be slow, and then the
 * newest rows would be left out. It is never earlier than the newest row of that page. Only where a server sends no
 * `Date`, the local clock counts.
 */
import type { Endpoint, ParameterValues } from "../../catalogue/index.ts";
import { serverTime } from "../answer/server-clock.ts";
import type { Answer } from "../answer.ts";
import { findParamByRole } from "./page-strategy.ts";
import { hasTimeRange, rowSecond } from "./time-windows.ts";

/** The end of a list. */
export interface EndTime {
  /** Fixes the end by the first answer. */
  fix(answer: Answer): void;
  /** Returns the end as a parameter; none before it is fixed. */
  params(): ParameterValues;
  /** Returns the end in Unix seconds, once it is fixed. */
  second(): number | undefined;
}

/**
 * Returns the end of a list in Unix seconds: the time of the server, else the local time, but not before any row.
 * @param now the local time in milliseconds since the epoch
 * @param rowTimes the times of rows in Unix seconds, where they have one
 */
export function endTimeOf({ headers }: Answer, now: number, rowTimes: Iterable<number | undefined>): number {
  let end = Math.floor((serverTime(headers) ?? now) / 1000);
  for (const time of rowTimes) if (time !== undefined && time > end) end = time;
  return end;
}

/**
 * Creates the end of a list; undefined where the list has no bound that is a time, or the caller set it.
 * @param now the local time in milliseconds since the epoch
 * @param saved the end in Unix seconds, as it was fixed before
 */
export function createEndTime(
  endpoint: Endpoint,
  params: ParameterValues,
  { now, saved }: { readonly now: number; readonly saved: number | undefined },
): EndTime | undefined {
  const [name, param] = findParamByRole(endpoint, "to") ?? [];
  if (name === undefined || param?.type !== "time" || endpoint.paging === "cursor") return undefined;
  if (params[name] !== undefined || hasTimeRange(endpoint, params)) return undefined;
  let second = saved;
  return {
    fix(answer) {
      const { rows = [] } = answer;
      // An empty list may be one that starts in the future.
      if (rows.length > 0) second ??= endTimeOf(answer, now, rows.map(rowSecond));
    },
    params: () => (second === undefined ? {} : { [name]: second }),
    second: () => second,
  };
}
