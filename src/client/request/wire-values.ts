/** Converts what people type for a parameter into wire values. Nothing is refused here: validation follows. */
import { DAY_SECONDS, decimalText, formatMoment, parseDecimal, UNIT_SECONDS, UsageError } from "../../base/index.ts";
import { CHAIN_START, isCalendarDate, type Param, type ValueType, wellKnownToken } from "../../catalogue/index.ts";
import { displayText } from "../text.ts";
import { recognise, trimInput } from "./recognise.ts";

type Scalar = string | number | bigint | boolean | Date;

/** Longer decimal numbers are not parsed: they are not amounts, and expanding their exponent could exhaust memory. */
const MAX_DECIMAL_LENGTH = 100;

/**
 * Normalises the input of a parameter: splits lists and ranges, then parses each entry by the type of the parameter. An
 * entry that cannot be parsed is returned unchanged. Returns undefined when an entry cannot be text at all.
 * @param now milliseconds since the epoch, for relative times
 */
export function toWireValues(param: Param, input: unknown, now: number) {
  const entries = toEntries(param, input);
  if (!entries.every(isScalar)) return undefined;
  const parsed = entries.map((entry) => parseEntry(param, entry, now));
  return {
    values: parsed.map(({ text }) => text),
    notes: parsed.flatMap(({ note }) => (note === undefined ? [] : [note])),
  };
}

function isScalar(value: unknown): value is Scalar {
  return ["string", "number", "bigint", "boolean"].includes(typeof value) || value instanceof Date;
}

function toEntries({ arity, type }: Param, input: unknown): readonly unknown[] {
  const items: readonly unknown[] = Array.isArray(input) ? input : [input];
  const first = items[0];
  if (arity === "range") return items.length === 1 && typeof first === "string" ? splitRange(first, type) : items;
  if (arity === "one") return items;
  return items.flatMap<unknown>((item) => (typeof item === "string" ? splitList(item) : [item]));
}

/** Splits at commas. An empty text is one empty entry, so that validation refuses it. */
function splitList(text: string): readonly string[] {
  const parts = text.split(",").filter((part) => part.trim() !== "");
  return parts.length === 0 ? [""] : parts;
}

/** The end of an open range of amounts: the highest number of base units that an account can hold. */
export const MAX_AMOUNT = "18446744073709551615";

/**
 * Splits `1..100` or `1,100`. An open end is filled where there is only one sensible value: a time range ends now, an
 * amount starts at 0 and ends at {@link MAX_AMOUNT}; a single amount is the least one. An empty text is two empty ends,
 * so that validation refuses it.
 */
export function splitRange(text: string, type: ValueType): readonly string[] {
  const parts = (text.includes("..") ? text.split(/\.{2,3}/) : text.split(",")).map((part) => part.trim());
  const [from, to] = parts;
  const isTime = type === "time" || type === "date";
  if (parts.length === 1 && from !== "" && !isTime) return [from as string, MAX_AMOUNT];
  if (parts.length === 2 && from === "" && to !== "" && !isTime) return ["0", to as string];
  if (parts.length === 2 && from !== "" && to === "" && (isTime || text.includes(".."))) {
    return [from as string, isTime ? "now" : MAX_AMOUNT];
  }
  const ends = parts.filter((part) => part !== "");
  return ends.length === 0 ? ["", ""] : ends;
}

function parseEntry(param: Param, value: Scalar, now: number): WireValue {
  if (value instanceof Date) {
    return param.type === "date" ? parseDate(value, now) : parseTime(value, now);
  }
  if (param.type === "text") return { text: String(value).trim() };
  const { text, dropped } = trimInput(String(value));
  const entry = PARSERS[param.type](text, param, now);
  const around = dropped.length > 0 ? [`removed around ${entry.text}: ${dropped.join(" ")}`] : [];
  const notes = [...around, ...(entry.note === undefined ? [] : [entry.note])];
  return notes.length === 0 ? entry : { text: entry.text, note: notes.join("; ") };
}

type EntryParser = (text: string, param: Param, now: number) => WireValue;

const whole: EntryParser = (text) => ({
  text: /^[+-]?\d{1,40}$/.test(text) ? BigInt(text.replace(/^\+/, "")).toString() : text,
});

const identifier =
  (requested: "address" | "signature" | "slot"): EntryParser =>
  (text) => {
    const { kind, value, notes } = recognise(text);
    return kind !== requested || notes.length === 0 ? { text } : { text: value, note: notes.join("; ") };
  };

/** An address; where that is the mint of a token, the symbol of a well-known token stands for it. */
const addressOrSymbol: EntryParser = (text, param, now) => {
  const known = param.accepts && wellKnownToken(text, param.accepts);
  return known ? { text: known.mint } : identifier("address")(text, param, now);
};

const PARSERS: Readonly<Record<Exclude<ValueType, "text">, EntryParser>> = {
  address: addressOrSymbol,
  signature: identifier("signature"),
  slot: (text, param, now) => {
    const entry = identifier("slot")(text, param, now);
    return { ...entry, ...whole(entry.text, param, now) };
  },
  integer: whole,
  decimal: (text) => {
    const number = text.length <= MAX_DECIMAL_LENGTH ? parseDecimal(text) : undefined;
    return { text: number && number.digits.toString().length <= MAX_DECIMAL_LENGTH ? decimalText(number) : text };
  },
  boolean: (text) => ({ text: BOOLEANS.get(text.toLowerCase()) ?? text }),
  enum: (text, param) => ({ text: matchEnumValue(text, param) ?? text }),
  time: (text, _param, now) => parseTime(text, now),
  date: (text, _param, now) => parseDate(text, now),
};

const BOOLEANS: ReadonlyMap<string, string> = new Map([
  ...["true", "yes", "on", "1"].map((word) => [word, "true"] as const),
  ...["false", "no", "off", "0"].map((word) => [word, "false"] as const),
]);

const toSnakeCase = (word: string) => word.toLowerCase().replace(/[-_\s]+/g, "_");

/** Short forms of an enum value, from the most to the least exact; a later one is tried when no earlier one matches. */
const FORMS: readonly ((word: string) => string)[] = [
  (word) => word,
  toSnakeCase,
  (word) => toSnakeCase(word).replace(/^activity_/, ""),
  (word) => toSnakeCase(word).replace(/^activity_((spl|token|nft)_)?/, ""),
  (word) =>
    toSnakeCase(word)
      .replace(/^activity_((spl|nft)_)?/, "")
      .replaceAll("token_", ""),
];

/** Returns the short forms of an enum value that are unambiguous: `swap` for `ACTIVITY_TOKEN_SWAP`. */
export function shortForms(value: string, param: Param): readonly string[] {
  const forms = FORMS.slice(2).map((form) => form(value).replaceAll("_", "-"));
  return [...new Set(forms)].filter((form) => form !== value && matchEnumValue(form, param) === value);
}

/** Returns the enum value that a word stands for: the value itself, or the only one with that short form. */
export function matchEnumValue(text: string, { values = [], newer = [] }: Param): string | undefined {
  const words = [...values, ...newer].map(String);
  for (const form of FORMS) {
    const matches = words.filter((word) => form(word) === form(text));
    if (matches.length === 1) return matches[0];
  }
  return undefined;
}

/** A wire value, with a note when it was interpreted. */
interface WireValue {
  readonly text: string;
  readonly note?: string;
}

/** Milliseconds have 13 digits, from 2001 to 2286; numbers with one more or less cannot be meant. */
const MIN_MILLISECONDS = 1_000_000_000_000;
const MAX_MILLISECONDS = 9_999_999_999_999;
const MIN_MICROSECONDS = 100_000_000_000_000;
const MIN_NANOSECONDS = 100_000_000_000_000_000;

/** The maximum number of seconds that is accepted as a time: ten digits, in 2286. */
export const MAX_TIME = 9_999_999_999;
/** Later times are not proposed as what was meant: seconds in 2100. */
const MAX_LIKELY_TIME = 4_102_444_800;

/** Returns a hint for a number beyond {@link MAX_TIME}, with what was probably meant; undefined for other text. */
export function tooLateHint(text: string): string | undefined {
  if (!/^\d{1,30}$/.test(text) || Number(text) <= MAX_TIME) return undefined;
  if (Number(text) >= MIN_MICROSECONDS) {
    const isNano = Number(text) >= MIN_NANOSECONDS;
    const seconds = BigInt(text) / (isNano ? 1_000_000_000n : 1_000_000n);
    return `${text} looks like ${isNano ? "nanoseconds" : "microseconds"}: use seconds, ${seconds}.`;
  }
  const [, date = "", hour, minute, second = "00"] =
    /^(20[2-9]\d{5})([01]\d|2[0-3])([0-5]\d)([0-5]\d)?$/.exec(text) ?? [];
  if (isCalendarDate(date)) {
    const [year, month, day] = [date.slice(0, 4), date.slice(4, 6), date.slice(6)];
    return `${text} looks like a date and a time: use ${year}-${month}-${day}T${hour}:${minute}:${second}Z.`;
  }
  const seconds = Number(text.slice(0, String(MAX_TIME).length));
  const isLikely = seconds >= CHAIN_START && seconds <= MAX_LIKELY_TIME;
  const year = new Date(Number(text) * 1000).getUTCFullYear();
  const reason = `As Unix seconds, ${text} is in the year ${year}.`;
  return isLikely ? `${reason} Did you mean ${seconds} (${formatIso(seconds)})?` : reason;
}

/** The minimum number of seconds that is accepted as a time: smaller numbers are years. */
export const MIN_TIME = 10_000;

/** Returns a hint for a number that looks like a year: as seconds it would be in 1970. */
export function yearHint(text: string): string | undefined {
  return /^(19|20)\d{2}$/.test(text) ? `${text} looks like a year: use a date, such as ${text}-01-01.` : undefined;
}

const DURATION = /^(\d{1,9}) ?(s|m|h|d|w|y)( ago)?$/i;
const ISO_8601 =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)? ?(Z|UTC|[+-]\d{2}(?::?\d{2})?)?)?$/i;

/**
 * Parses a time to Unix seconds: seconds, milliseconds (13 digits), ISO 8601 (UTC unless it has a time zone), a
 * calendar date (its first second, UTC), a duration before now (`30m`, `2h`, `7d`, `1w`, `1y`), `now`, `today`,
 * `yesterday`. Dates after {@link MAX_TIME}, such as 9999-12-31 for a range without an end, become that time. Other text
 * is returned unchanged, so that validation refuses it.
 * @param now milliseconds since the epoch
 */
export function parseTime(value: string | Date, now: number): WireValue {
  if (value instanceof Date) return { text: toWholeSeconds(Math.min(value.getTime(), MAX_TIME * 1000)) };
  if (/^\d+$/.test(value)) return parseNumber(value);
  const seconds = toSeconds(value, now);
  return seconds === undefined ? { text: value } : interpretedAs(value, Math.min(seconds, MAX_TIME));
}

/**
 * Parses a time that is not a parameter of a request, to Unix seconds.
 * @param name the option or argument, for the message
 * @throws UsageError when the text is not a time
 */
export function parseUnixTime(text: string, name: string, now = Date.now()): number {
  const value = parseTime(text.trim(), now);
  const seconds = /^\d{5,13}$/.test(value.text) ? Number(value.text) : Number.NaN;
  if (seconds <= MAX_TIME) return seconds;
  const hint = yearHint(text.trim()) ?? tooLateHint(value.text);
  throw new UsageError(
    `invalid value "${displayText(text)}" for ${name}: expected a duration (7d), a date (2024-07-05) or Unix seconds`,
    { hint },
  );
}

function parseNumber(value: string): WireValue {
  const number = Number(value);
  if (number >= MIN_MILLISECONDS && number <= MAX_MILLISECONDS) {
    const seconds = Math.floor(number / 1000);
    return { text: String(seconds), note: `${value} was read as milliseconds: ${formatIso(seconds)}` };
  }
  // Such a number of seconds would be in 1970, before the chain began, so it is a date.
  if (/^20[2-9]\d{5}$/.test(value) && isCalendarDate(value)) return interpretedAs(value, dayStart(value));
  return { text: value.replace(/^0+(?=\d)/, "") };
}

/**
 * Parses a calendar date to YYYYMMDD: `20240705`, `2024-07-05`, or the forms of {@link parseTime} that are not numbers
 * (their day, UTC). Other text is returned unchanged.
 */
export function parseDate(value: string | Date, now: number): WireValue {
  if (value instanceof Date) return { text: formatDate(Math.floor(value.getTime() / 1000)) };
  if (/^\d+$/.test(value)) return { text: value };
  const seconds = toSeconds(value, now);
  if (seconds === undefined) return { text: value };
  const text = formatDate(seconds);
  return /^\d{4}-\d{2}-\d{2}$/.test(value) ? { text } : { text, note: `${value} is ${text}` };
}

/** Whether the text looks like a date or time that does not exist, such as 2024-02-30. */
export function isImpossibleDate(text: string): boolean {
  return (
    (ISO_8601.test(text) && toSeconds(text, 0) === undefined) || (/^(19|20)\d{6}$/.test(text) && !isCalendarDate(text))
  );
}

/** The date of a duration that is longer than dates are. */
const TOO_EARLY = "an impossible date";

/** Whether a wire value is a time before 1970, or a day before the year 0. */
export const isTooEarly = (text: string): boolean => text === TOO_EARLY || /^-\d/.test(text);

/** Formats Unix seconds as ISO 8601; returns the number itself when it is out of range. */
export function formatIso(seconds: number): string {
  const moment = seconds * 1000;
  return Number.isNaN(new Date(moment).getTime()) ? String(seconds) : formatMoment(moment);
}

function interpretedAs(value: string, seconds: number): WireValue {
  return { text: String(seconds), note: `${value} is ${formatIso(seconds)}` };
}

function toSeconds(text: string, now: number): number | undefined {
  const current = Math.floor(now / 1000);
  const today = current - (current % DAY_SECONDS);
  const word = text.toLowerCase();
  if (word === "now") return current;
  if (word === "today") return today;
  if (word === "yesterday") return today - DAY_SECONDS;
  const span = DURATION.exec(text);
  if (span?.[1] && span[2])
    return current - Number(span[1]) * UNIT_SECONDS[span[2].toLowerCase() as keyof typeof UNIT_SECONDS];
  return parseIso(text);
}

function parseIso(text: string): number | undefined {
  const match = ISO_8601.exec(text);
  if (!match) return undefined;
  const [, year = "", month = "", day = "", hour = "0", minute = "0", second = "0", zone = "Z"] = match;
  if (!isCalendarDate(year + month + day) || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) {
    return undefined;
  }
  const secondOfDay = Number(hour) * 3600 + Number(minute) * 60 + Number(second);
  return dayStart(year + month + day) + secondOfDay - zoneOffset(zone);
}

/** Returns the offset of a time zone such as `+05:30` from UTC in seconds. */
function zoneOffset(zone: string): number {
  const match = /^([+-])(\d{2}):?(\d{2})?$/.exec(zone);
  if (!match) return 0;
  const [, sign, hours, minutes = "0"] = match;
  return (sign === "-" ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60);
}

/** Returns the Unix seconds at which a day in the form YYYYMMDD starts (UTC). */
export function dayStart(date: string): number {
  return Date.parse(`${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}T00:00:00Z`) / 1000;
}

function formatDate(seconds: number): string {
  const date = new Date(seconds * 1000);
  // The year of an invalid date is NaN.
  return date.getUTCFullYear() >= 0 ? date.toISOString().slice(0, 10).replaceAll("-", "") : TOO_EARLY;
}

function toWholeSeconds(milliseconds: number): string {
  return Number.isNaN(milliseconds) ? "an invalid Date" : String(Math.floor(milliseconds / 1000));
}
