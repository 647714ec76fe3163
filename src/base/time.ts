/** Lengths of time in the units that their names end with, clocks, and waits that a signal ends. */
import process from "node:process";
import { setTimeout as delay } from "node:timers/promises";
import { InterruptedError } from "./errors.ts";

export const MINUTE_SECONDS = 60;
export const HOUR_SECONDS = 60 * MINUTE_SECONDS;
export const DAY_SECONDS = 24 * HOUR_SECONDS;

/** Seconds by the unit of a duration (`7d`); a year has 365 days, because durations ignore the calendar. */
export const UNIT_SECONDS = {
  s: 1,
  m: MINUTE_SECONDS,
  h: HOUR_SECONDS,
  d: DAY_SECONDS,
  w: 7 * DAY_SECONDS,
  y: 365 * DAY_SECONDS,
} as const;

export const MINUTE_MS = 1000 * MINUTE_SECONDS;
export const HOUR_MS = 1000 * HOUR_SECONDS;

/** Returns the hour of a time in milliseconds. */
export const toHour = (time: number): number => Math.floor(time / HOUR_MS);

export const DAY_MS = 1000 * DAY_SECONDS;

const SPAN_UNITS = [
  [DAY_SECONDS, "d"],
  [HOUR_SECONDS, "h"],
  [MINUTE_SECONDS, "min"],
  [1, "s"],
] as const;

/** Returns a duration in at most two units: `42 s`, `3 min 5 s`, `2 h 4 min`, `3 d 2 h`. */
export function formatSpan(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds));
  const first = SPAN_UNITS.findIndex(([length]) => whole >= length);
  let rest = whole;
  const parts = SPAN_UNITS.slice(first, first + 2).map(([length, unit]) => {
    const count = Math.floor(rest / length);
    rest %= length;
    return count === 0 ? "" : `${count} ${unit}`;
  });
  return first < 0 ? "0 s" : parts.join(" ").trim();
}

/** Formats a moment in milliseconds since the epoch as ISO 8601, without fractions of seconds that are zero. */
export function formatMoment(moment: number): string {
  return new Date(moment).toISOString().replace(".000Z", "Z");
}

/**
 * Returns milliseconds since some moment; they never jump. Unlike `performance.now`, it loads no further part of Node.
 */
export function monotonicMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + nanoseconds / 1e6;
}

/** Returns the error for a signal that has fired: its reason, where that is an InterruptedError already. */
export function toInterruptedError(signal: AbortSignal | undefined): InterruptedError {
  const reason: unknown = signal?.reason;
  return reason instanceof InterruptedError ? reason : new InterruptedError(undefined, { cause: reason });
}

/** @throws InterruptedError when the signal has fired */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw toInterruptedError(signal);
}

/**
 * Waits for a number of milliseconds.
 * @throws InterruptedError when the signal fires
 */
export async function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  throwIfAborted(signal);
  try {
    await delay(milliseconds, undefined, signal && { signal });
  } catch (cause) {
    if (signal?.aborted) throw toInterruptedError(signal);
    throw cause;
  }
}
