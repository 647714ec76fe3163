/** Converts what people type for a parameter into wire values. Nothing is refused here: validation follows. */
import { decimalText, parseDecimal } from "../../base/index.ts";
import { type Param, type ValueType, wellKnownToken } from "../../catalogue/index.ts";
import { trimInput } from "../text.ts";
import { recognise } from "./recognise.ts";
import { parseDate, parseTime, type WireValue } from "./times.ts";

/** The wire values of a parameter, and notes about what was changed. */
export interface WireValues {
  readonly values: readonly string[];
  readonly notes: readonly string[];
}

/** A value that can be converted to text. */
type Scalar = string | number | bigint | boolean | Date;

/** Longer decimal numbers are not parsed: they are not amounts, and expanding their exponent could exhaust memory. */
const MAX_DECIMAL_LENGTH = 100;

/**
 * Normalises the input of a parameter: splits lists and ranges, then parses each entry by the type of the parameter. An
 * entry that cannot be parsed is returned unchanged. Returns undefined when an entry cannot be text at all.
 * @param now milliseconds since the epoch, for relative times
 */
export function toWireValues(param: Param, input: unknown, now: number): WireValues | undefined {
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
 * amount starts at 0 and ends at {@link MAX_AMOUNT}. An empty text is two empty ends, so that validation refuses it.
 */
export function splitRange(text: string, type: ValueType): readonly string[] {
  const parts = (text.includes("..") ? text.split(/\.{2,3}/) : text.split(",")).map((part) => part.trim());
  const [from, to] = parts;
  const isTime = type === "time" || type === "date";
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
