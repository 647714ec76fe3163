/** The clocks of the rate limiter: a monotonic one measures windows; the calendar selects the day of the units. */
import { readFileSync } from "node:fs";
import process from "node:process";
import { monotonicMs } from "../../../base/index.ts";

/** What a rate limiter reads the time from. */
export interface Clock {
  /** Returns milliseconds since some moment; it never jumps, whatever happens to the clock of the machine. */
  readonly monotonic: () => number;
  /** Returns milliseconds since the epoch, as the machine believes. */
  readonly calendar: () => number;
}

/** Returns the clock of this process; `calendar` replaces `Date.now`. */
export function processClock(calendar: () => number = () => Date.now()): Clock {
  return { monotonic: monotonicMs, calendar };
}

/**
 * Returns the clock of the machine: milliseconds since it started, the same for all of its processes; undefined on
 * runtimes whose high-resolution time starts with the process. `performance.timeOrigin` would not do: processes that
 * started before and after a jump of the clock disagree about it.
 */
export function machineClock(): (() => number) | undefined {
  return monotonicMs() / 1000 - process.uptime() > 1 ? monotonicMs : undefined;
}

/** Returns what identifies the current run of the machine where the system has a name for it. */
export function bootId(): string {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  } catch {
    return "";
  }
}
