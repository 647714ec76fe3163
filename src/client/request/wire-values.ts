/** What people type for a parameter, turned into wire values. Nothing is refused here: validation comes after. */
import { decimalText, parseDecimal } from "../../base/index.ts";
import type { Param, ValueType } from "../../catalogue/index.ts";
import { trimInput } from "../text.ts";
import { recognise } from "./recognise.ts";
import { parseDate, parseTime, type WireValue } from "./times.ts";

/** The wire values of a parameter, and what was changed on the way. */
export interface WireValues {
  readonly values: readonly string[];
  readonly notes: readonly string[];
}

/** A single value that can become text. */
type Scalar = string | number | bigint | boolean | Date;

/** Digits beyond which a decimal number is no amount, but a way to fill the memory. */
const LONGEST_DECIMAL = 100;

/**
 * Normalises what was given for a parameter: lists and ranges are split, then each entry is read by the type of the
 * parameter. An entry that cannot be read stays as it is. Undefined when something is given that can be no text at all.
 * @param now milliseconds since the epoch, for relative times
 */
export function toWireValues(param: Param, given: unknown, now: number): WireValues | undefined {
  const entries = entriesOf(param, given);
  if (!entries.every(isScalar)) return undefined;
  const readings = entries.map((entry) => readEntry(param, entry, now));
  return {
    values: readings.map(({ text }) => text),
    notes: readings.flatMap(({ note }) => (note === undefined ? [] : [note])),
  };
}

function isScalar(value: unknown): value is Scalar {
  return ["string", "number", "bigint", "boolean"].includes(typeof value) || value instanceof Date;
}

function entriesOf({ arity, type }: Param, given: unknown): readonly unknown[] {
  const items: readonly unknown[] = Array.isArray(given) ? given : [given];
  const first = items[0];
  if (arity === "range") return items.length === 1 && typeof first === "string" ? rangeEntries(first, type) : items;
  if (arity === "one") return items;
  return items.flatMap<unknown>((item) => (typeof item === "string" ? listEntries(item) : [item]));
}

/** The entries between commas; nothing at all stays one empty entry, so that it is refused and not overlooked. */
function listEntries(text: string): readonly string[] {
  const parts = text.split(",").filter((part) => part.trim() !== "");
  return parts.length === 0 ? [""] : parts;
}

/**
 * The two ends of `1..100` or `1,100`. An open end is filled where there is only one sensible value: a time window ends
 * now, an amount begins at 0. Nothing at all is two empty ends, so that it is refused and not overlooked.
 */
function rangeEntries(text: string, type: ValueType): readonly string[] {
  const parts = (text.includes("..") ? text.split(/\.{2,3}/) : text.split(",")).map((part) => part.trim());
  const [from, to] = parts;
  const isTime = type === "time" || type === "date";
  if (parts.length === 2 && from === "" && to !== "" && !isTime) return ["0", to as string];
  if (parts.length === 2 && from !== "" && to === "" && isTime) return [from as string, "now"];
  const ends = parts.filter((part) => part !== "");
  return ends.length === 0 ? ["", ""] : ends;
}

function readEntry(param: Param, value: Scalar, now: number): WireValue {
  if (value instanceof Date) {
    return param.type === "date" ? parseDate(value, now) : parseTime(value, now);
  }
  if (param.type === "text") return { text: String(value).trim() };
  const { text, dropped } = trimInput(String(value));
  const reading = READERS[param.type](text, param, now);
  const around = dropped.length > 0 ? [`left out around ${reading.text}: ${dropped.join(" ")}`] : [];
  const notes = [...around, ...(reading.note === undefined ? [] : [reading.note])];
  return notes.length === 0 ? reading : { text: reading.text, note: notes.join("; ") };
}

type Reader = (text: string, param: Param, now: number) => WireValue;

const whole: Reader = (text) => ({
  text: /^[+-]?\d{1,40}$/.test(text) ? BigInt(text.replace(/^\+/, "")).toString() : text,
});

const identifier =
  (wanted: "address" | "signature" | "slot"): Reader =>
  (text) => {
    const { kind, value, notes } = recognise(text);
    return kind !== wanted || notes.length === 0 ? { text } : { text: value, note: notes.join("; ") };
  };

const READERS: Readonly<Record<Exclude<ValueType, "text">, Reader>> = {
  address: identifier("address"),
  signature: identifier("signature"),
  slot: (text, param, now) => {
    const reading = identifier("slot")(text, param, now);
    return { ...reading, ...whole(reading.text, param, now) };
  },
  integer: whole,
  decimal: (text) => {
    const number = text.length <= LONGEST_DECIMAL ? parseDecimal(text) : undefined;
    return { text: number && number.digits.toString().length <= LONGEST_DECIMAL ? decimalText(number) : text };
  },
  boolean: (text) => ({ text: BOOLEANS.get(text.toLowerCase()) ?? text }),
  enum: (text, param) => ({ text: enumWord(text, param) ?? text }),
  time: (text, _param, now) => parseTime(text, now),
  date: (text, _param, now) => parseDate(text, now),
};

const BOOLEANS: ReadonlyMap<string, string> = new Map([
  ...["true", "yes", "on", "1"].map((word) => [word, "true"] as const),
  ...["false", "no", "off", "0"].map((word) => [word, "false"] as const),
]);

const plain = (word: string) => word.toLowerCase().replace(/[-_\s]+/g, "_");

/** Forms of a word, from the most to the least exact; a later form is tried when no earlier one fits. */
const FORMS: readonly ((word: string) => string)[] = [
  (word) => word,
  plain,
  (word) => plain(word).replace(/^activity_/, ""),
  (word) => plain(word).replace(/^activity_((spl|token|nft)_)?/, ""),
  (word) =>
    plain(word)
      .replace(/^activity_((spl|nft)_)?/, "")
      .replaceAll("token_", ""),
];

/** The shorter forms of a value of a vocabulary, each of which stands for it alone: `swap` for `ACTIVITY_TOKEN_SWAP`. */
export function shortForms(value: string, param: Param): readonly string[] {
  const forms = FORMS.slice(2).map((form) => form(value).replaceAll("_", "-"));
  return [...new Set(forms)].filter((form) => form !== value && enumWord(form, param) === value);
}

/** The value of the vocabulary that a word stands for: itself, or a short form that fits exactly one. */
function enumWord(text: string, { values = [], newer = [] }: Param): string | undefined {
  const words = [...values, ...newer].map(String);
  for (const form of FORMS) {
    const found = words.filter((word) => form(word) === form(text));
    if (found.length === 1) return found[0];
  }
  return undefined;
}
