/** Times and dates for people, always with their zone. */

import { DAY_SECONDS, formatMoment, UsageError } from "../../base/index.ts";
import type { TimeStyle } from "../types.ts";

/** The current time, and the style and zone of formatted times. */
export interface Clock {
  readonly style: TimeStyle;
  /** Milliseconds. */
  readonly now: number;
  readonly timeZone?: string | undefined;
}

const SECOND = 1000;
const UNITS = [
  [DAY_SECONDS * SECOND, "d"],
  [3_600 * SECOND, "h"],
  [60 * SECOND, "m"],
  [SECOND, "s"],
] as const;
/** Times further away than this are dates, since `14mo ago` is of little use. */
const MAX_RELATIVE = 30 * DAY_SECONDS * SECOND;
/** The last moment of the year 9999. */
const MAX_TIME = 253_402_300_799_999;
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)$/;

/** Formats a time in Unix seconds; undefined outside of the years 1970 to 9999. */
export function formatUnix(seconds: number, clock: Clock): string | undefined {
  const moment = seconds * SECOND;
  return moment > 0 && moment <= MAX_TIME ? formatTime(moment, clock) : undefined;
}

/** Formats an ISO 8601 time; undefined when it is none, or has no zone. */
export function formatIso(text: string, clock: Clock): string | undefined {
  const moment = ISO.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(moment) ? undefined : formatTime(moment, clock);
}

/** Formats a calendar date in the form YYYYMMDD as `2024-07-17`; undefined when there is no such day. */
export function formatDate(text: string): string | undefined {
  const match = /^(\d{4})(\d\d)(\d\d)$/.exec(text);
  if (!match) return undefined;
  const iso = match.slice(1).join("-");
  const date = new Date(`${iso}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(iso) ? iso : undefined;
}

/** Formats a minute in the form YYYYMMDDHHMM as `2024-07-17 05:03`; undefined when there is no such minute. */
export function formatMinute(text: string): string | undefined {
  const match = /^(\d{8})([01]\d|2[0-3])([0-5]\d)$/.exec(text);
  const date = match && formatDate(match[1] ?? "");
  return date ? `${date} ${match[2]}:${match[3]}` : undefined;
}

function formatTime(moment: number, clock: Clock): string {
  switch (clock.style) {
    case "unix":
      return String(Math.floor(moment / SECOND));
    case "iso":
      return formatMoment(moment);
    case "local":
      return formatLocal(moment, clock.timeZone);
    case "relative":
      return formatRelative(moment, clock.now);
    default:
      return clock.style satisfies never;
  }
}

function formatRelative(moment: number, now: number): string {
  const age = now - moment;
  const distance = Math.abs(age);
  if (distance > MAX_RELATIVE) return `${new Date(moment).toISOString().slice(0, 16).replace("T", " ")}Z`;
  if (distance < SECOND) return "now";
  const [unit, letter] = UNITS.find(([length]) => distance >= length) ?? [SECOND, "s"];
  const count = `${Math.floor(distance / unit)}${letter}`;
  return age < 0 ? `in ${count}` : `${count} ago`;
}

function formatLocal(moment: number, timeZone: string | undefined): string {
  const parts = getLocalFormat(timeZone).formatToParts(moment);
  const {
    year,
    month,
    day,
    hour,
    minute,
    second,
    timeZoneName = "",
  } = Object.fromEntries(parts.map(({ type, value }) => [type, value]));
  const zone = timeZoneName.replace("GMT", "UTC").replace(/\+0$/, "");
  return `${year}-${month}-${day} ${hour}:${minute}:${second} ${zone}`;
}

/** Formats by zone: creating one is slow. */
const localFormats = new Map<string | undefined, Intl.DateTimeFormat>();

function getLocalFormat(timeZone: string | undefined): Intl.DateTimeFormat {
  const format = localFormats.get(timeZone) ?? createLocalFormat(timeZone);
  localFormats.set(timeZone, format);
  return format;
}

function createLocalFormat(timeZone: string | undefined): Intl.DateTimeFormat {
  const two = "2-digit";
  const clock = { hour: two, minute: two, second: two, hourCycle: "h23", timeZoneName: "shortOffset" } as const;
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone, year: "numeric", month: two, day: two, ...clock });
  } catch (cause) {
    throw new UsageError(`invalid time zone "${timeZone}": expected a name such as Europe/Berlin`, { cause });
  }
}
