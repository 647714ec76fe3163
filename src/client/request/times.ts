/** Times and dates as people write them. */

import { DAY_SECONDS, UsageError } from "../../base/index.ts";
import { isCalendarDate } from "../../catalogue/index.ts";

import { displayText } from "../text.ts";

/** A wire value and, where it was read in another sense than its letters, what it was read as. */
export interface WireValue {
  readonly text: string;
  readonly note?: string;
}

/** From here on a number is milliseconds: as seconds it would be the year 5138. */
const MIN_MILLISECONDS = 100_000_000_000;
/** From here on it is neither seconds nor milliseconds. */
const MIN_MICROSECONDS = 100_000_000_000_000;
/** From here on it is nanoseconds, below microseconds. */
const MIN_NANOSECONDS = 100_000_000_000_000_000;

/** The greatest number that is read as a time, in milliseconds. */
export const MAX_TIME = MIN_MICROSECONDS - 1;

/** What a number beyond {@link MAX_TIME} probably is; undefined for others. */
export function tooFineHint(text: string): string | undefined {
  if (!/^\d{1,30}$/.test(text) || Number(text) <= MAX_TIME) return undefined;
  const isNano = Number(text) >= MIN_NANOSECONDS;
  const seconds = BigInt(text) / (isNano ? 1_000_000_000n : 1_000_000n);
  return `${text} looks like ${isNano ? "nanoseconds" : "microseconds"}: give seconds, ${seconds}.`;
}

/** Smaller numbers of seconds spell a year, and are none. */
export const MIN_TIME = 10_000;

/** What a number that spells a year probably means: as seconds it would be a moment of 1970. */
export function yearHint(text: string): string | undefined {
  return /^(19|20)\d{2}$/.test(text) ? `${text} looks like a year: give a date, such as ${text}-01-01.` : undefined;
}

/** A year is 365 days: a span has no calendar. */
const SECONDS = { s: 1, m: 60, h: 3600, d: DAY_SECONDS, w: 604_800, y: 31_536_000 } as const;
const DAY = SECONDS.d;

const SPAN = /^(\d{1,9}) ?(s|m|h|d|w|y)( ago)?$/i;
const ISO =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)? ?(Z|UTC|[+-]\d{2}(?::?\d{2})?)?)?$/i;

/**
 * Unix seconds of a moment: seconds, milliseconds (beyond 10^11), ISO 8601 (without a zone: UTC), a calendar date (its
 * first second, UTC), a span back from now (`30m`, `2h`, `7d`, `1w`, `1y`), `now`, `today`, `yesterday`. Text that is none of
 * these comes back as it is, for validation to refuse.
 * @param now milliseconds since the epoch
 */
export function parseTime(value: string | Date, now: number): WireValue {
  if (value instanceof Date) return { text: wholeSeconds(value.getTime()) };
  if (/^\d+$/.test(value)) return numberReading(value);
  const seconds = secondsOf(value, now);
  return seconds === undefined ? { text: value } : readAs(value, seconds);
}

/**
 * Unix seconds of a moment that is no parameter of a request.
 * @param name what gave the text, for the message
 * @throws UsageError when it is none
 */
export function parseUnixTime(text: string, name: string, now = Date.now()): number {
  const reading = parseTime(text.trim(), now);
  const seconds = /^\d{5,13}$/.test(reading.text) ? Number(reading.text) : Number.NaN;
  if (seconds <= MIN_MILLISECONDS) return seconds;
  const spelt = yearHint(text.trim()) ?? tooFineHint(text.trim());
  throw new UsageError(
    `${name} is ${displayText(text)}; it must be a moment: 2024-07-05, 7d, yesterday or Unix seconds.`,
    {
      ...(spelt === undefined ? {} : { hint: spelt }),
    },
  );
}

function numberReading(value: string): WireValue {
  const number = Number(value);
  if (number >= MIN_MILLISECONDS && number < MIN_MICROSECONDS) {
    const seconds = Math.floor(number / 1000);
    return { text: String(seconds), note: `${value} was read as milliseconds: ${formatIso(seconds)}` };
  }
  // A plain number of seconds that spells a recent day would be a moment of 1970, before the chain began.
  if (/^20[2-9]\d{5}$/.test(value) && isCalendarDate(value)) return readAs(value, dayOf(value));
  return { text: value.replace(/^0+(?=\d)/, "") };
}

/**
 * A calendar date as YYYYMMDD: `20240705`, `2024-07-05`, and everything that {@link parseTime} takes in words (its
 * day, UTC).
 */
export function parseDate(value: string | Date, now: number): WireValue {
  if (value instanceof Date) return { text: dateText(Math.floor(value.getTime() / 1000)) };
  if (/^\d+$/.test(value)) return { text: value };
  const seconds = secondsOf(value, now);
  if (seconds === undefined) return { text: value };
  const text = dateText(seconds);
  return /^\d{4}-\d{2}-\d{2}$/.test(value) ? { text } : { text, note: `${value} is ${text}` };
}

/** Whether the text has the form of a day or moment that does not exist, such as 2024-02-30. */
export function isImpossibleDate(text: string): boolean {
  return (ISO.test(text) && secondsOf(text, 0) === undefined) || (/^(19|20)\d{6}$/.test(text) && !isCalendarDate(text));
}

/** Unix seconds as ISO 8601, or the number itself where no calendar reaches. */
export function formatIso(seconds: number): string {
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.getTime()) ? String(seconds) : date.toISOString().replace(".000Z", "Z");
}

function readAs(value: string, seconds: number): WireValue {
  return { text: String(seconds), note: `${value} is ${formatIso(seconds)}` };
}

function secondsOf(text: string, now: number): number | undefined {
  const current = Math.floor(now / 1000);
  const today = current - (current % DAY);
  const word = text.toLowerCase();
  if (word === "now") return current;
  if (word === "today") return today;
  if (word === "yesterday") return today - DAY;
  const span = SPAN.exec(text);
  if (span?.[1] && span[2]) return current - Number(span[1]) * SECONDS[span[2].toLowerCase() as keyof typeof SECONDS];
  return isoMoment(text);
}

function isoMoment(text: string): number | undefined {
  const match = ISO.exec(text);
  if (!match) return undefined;
  const [, year = "", month = "", day = "", hour = "0", minute = "0", second = "0", zone = "Z"] = match;
  if (!isCalendarDate(year + month + day) || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) {
    return undefined;
  }
  const inDay = Number(hour) * 3600 + Number(minute) * 60 + Number(second);
  return dayOf(year + month + day) + inDay - offsetOf(zone);
}

/** Seconds by which a zone such as `+05:30` is ahead of UTC. */
function offsetOf(zone: string): number {
  const match = /^([+-])(\d{2}):?(\d{2})?$/.exec(zone);
  if (!match) return 0;
  const [, sign, hours, minutes = "0"] = match;
  return (sign === "-" ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60);
}

/** Unix seconds of the first moment of a day in the form YYYYMMDD. */
function dayOf(date: string): number {
  return Date.parse(`${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}T00:00:00Z`) / 1000;
}

function dateText(seconds: number): string {
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.getTime()) ? "an impossible date" : date.toISOString().slice(0, 10).replaceAll("-", "");
}

function wholeSeconds(milliseconds: number): string {
  return Number.isNaN(milliseconds) ? "an invalid Date" : String(Math.floor(milliseconds / 1000));
}
