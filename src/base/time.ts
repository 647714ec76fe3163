/** Lengths of time, in the units that their names end with. */

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
export const DAY_MS = 1000 * DAY_SECONDS;
