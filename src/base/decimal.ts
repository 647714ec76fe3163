/** Decimal numbers as text and big integers: no amount passes through a double. */
import { isNumeric, type Json, numericText } from "./json.ts";

/** A decimal number: `digits` × 10^-`scale`, negative if `negative`. */
export interface Decimal {
  readonly negative: boolean;
  readonly digits: bigint;
  readonly scale: number;
}

/** Numbers with more digits than any amount has are text: calculating with millions of digits takes minutes. */
const PATTERN = /^([+-]?)(\d{0,9999})(?:\.(\d{0,9999}))?(?:[eE]([+-]?\d{1,4}))?$/;

/** Parses a decimal number in plain or exponent form; undefined for other text and for numbers beyond 9,999 digits. */
export function parseDecimal(text: string): Decimal | undefined {
  const match = PATTERN.exec(text);
  if (!match) return undefined;
  const [, sign, whole = "", fraction = "", exponent = "0"] = match;
  if (whole === "" && fraction === "") return undefined;
  const shift = fraction.length - Number(exponent);
  const digits = BigInt(whole + fraction) * (shift < 0 ? 10n ** BigInt(-shift) : 1n);
  return { negative: sign === "-", digits, scale: Math.max(0, shift) };
}

/** Returns the exact value of a JSON number or of text that holds a number; undefined for anything else. */
export function toDecimal(value: Json | undefined): Decimal | undefined {
  if (isNumeric(value)) return parseDecimal(numericText(value));
  return typeof value === "string" ? parseDecimal(value) : undefined;
}

/** Returns plain decimal text, never in exponent form: `1e-19` becomes `0.0000000000000000001`. */
export function decimalText({ negative, digits, scale }: Decimal): string {
  const text = digits.toString().padStart(scale + 1, "0");
  const whole = scale === 0 ? text : text.slice(0, -scale);
  const fraction = scale === 0 ? "" : `.${text.slice(-scale)}`;
  return `${negative && digits !== 0n ? "-" : ""}${whole}${fraction}`;
}

/** Returns a decimal number with commas between thousands: `1234567.5` becomes `1,234,567.5`. */
export function groupThousands(number: number | bigint | string): string {
  const [whole = "", ...fraction] = String(number).split(".");
  const sign = whole.startsWith("-") ? "-" : "";
  // One pass from the first group: a lookahead for every digit is quadratic in the length of the number.
  const first = sign.length + ((whole.length - sign.length) % 3 || 3);
  return [whole.slice(0, first) + whole.slice(first).replace(/\d{3}/g, ",$&"), ...fraction].join(".");
}

/** Returns the exact product of two numbers, without trailing zeros in its fraction. */
export function multiplyDecimals(a: Decimal, b: Decimal): Decimal {
  return trimZeros({ negative: a.negative !== b.negative, digits: a.digits * b.digits, scale: a.scale + b.scale });
}

/** Divides by 10^`decimals`: base units to whole units, exactly. Trailing zeros of the fraction are dropped. */
export function scaleDown(value: Decimal, decimals: number): Decimal {
  return trimZeros({ ...value, scale: value.scale + decimals });
}

/** Returns the whole units of an amount in base units, exactly: divides by 10^`decimals`. */
export function toWholeUnits(baseUnits: bigint, decimals: number): string {
  const negative = baseUnits < 0n;
  return decimalText(scaleDown({ negative, digits: negative ? -baseUnits : baseUnits, scale: 0 }, decimals));
}

/** Returns the same number without trailing zeros in its fraction. */
export function trimZeros(value: Decimal): Decimal {
  const { digits, scale } = value;
  if (scale <= 0 || digits % 10n !== 0n) return value;
  if (digits === 0n) return { ...value, scale: 0 };
  // On the text: a division per zero takes hours when there are a million of them.
  const text = String(digits);
  let length = text.length;
  while (text[length - 1] === "0" && text.length - length < scale) length -= 1;
  return { ...value, digits: BigInt(text.slice(0, length)), scale: scale - (text.length - length) };
}

/** Rounds half away from zero to at most `places` fraction digits; `exact` is false when digits were lost. */
export function roundDecimal(value: Decimal, places: number): { readonly value: Decimal; readonly exact: boolean } {
  if (value.scale <= places) return { value, exact: true };
  const unit = 10n ** BigInt(value.scale - places);
  const rest = value.digits % unit;
  const digits = value.digits / unit + (rest * 2n >= unit ? 1n : 0n);
  return { value: { ...value, digits, scale: places }, exact: rest === 0n };
}

/** Returns a whole JSON number, or text that holds one, exactly; undefined for anything else and outside of the range. */
export function integerWithin(value: Json, min: bigint, max: bigint): bigint | undefined {
  const integer = typeof value === "number" && Number.isSafeInteger(value) ? BigInt(value) : toWhole(toDecimal(value));
  return integer !== undefined && integer >= min && integer <= max ? integer : undefined;
}

function toWhole(decimal: Decimal | undefined): bigint | undefined {
  if (!decimal) return undefined;
  const { value, exact } = roundDecimal(decimal, 0);
  return exact ? (value.negative ? -value.digits : value.digits) : undefined;
}

/** Compares two decimals for sorting: negative, zero or positive. */
export function compareDecimals(a: Decimal, b: Decimal): number {
  const scale = Math.max(a.scale, b.scale);
  const [left, right] = [digitsAt(a, scale), digitsAt(b, scale)];
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Fraction digits of a percentage. */
const PLACES = 6;

/** Returns the signed digits of a number at a scale that is not below its own. */
const digitsAt = ({ negative, digits, scale }: Decimal, target: number) =>
  (negative ? -digits : digits) * 10n ** BigInt(target - scale);
const decimal = (value: bigint, scale: number): Decimal =>
  trimZeros({ negative: value < 0n, digits: value < 0n ? -value : value, scale });

const ZERO: Decimal = { negative: false, digits: 0n, scale: 0 };

/** Returns the sum of all values; 0 for none. */
export function sumDecimals(values: readonly Decimal[]): Decimal {
  return values.reduce((sum, value) => addDecimals(sum, value), ZERO);
}

function addDecimals(a: Decimal, b: Decimal): Decimal {
  const scale = Math.max(a.scale, b.scale);
  return decimal(digitsAt(a, scale) + digitsAt(b, scale), scale);
}

/** Returns `a` - `b`. */
export function subtractDecimals(a: Decimal, b: Decimal): Decimal {
  return addDecimals(a, { ...b, negative: !b.negative });
}

/** Returns `part` in percent of `whole`; undefined when `whole` is 0. */
export function computePercent(part: Decimal, whole: Decimal): Decimal | undefined {
  if (whole.digits === 0n) return undefined;
  const scale = Math.max(part.scale, whole.scale);
  const [above, below] = [digitsAt(part, scale) * 100n * 10n ** BigInt(PLACES), digitsAt(whole, scale)];
  const sign = above < 0n !== below < 0n ? -1n : 1n;
  const [size, by] = [above < 0n ? -above : above, below < 0n ? -below : below];
  return decimal(sign * ((size * 2n + by) / (by * 2n)), PLACES);
}

/** Returns the change from one value to another in percent of the first; undefined unless the first is positive. */
export function percentChange(from: Decimal, to: Decimal): Decimal | undefined {
  return from.negative ? undefined : computePercent(subtractDecimals(to, from), from);
}

/** Returns a percentage as a fraction from 0 to 1, for bars. */
export function percentToFraction(percent: Decimal | undefined): number {
  if (!percent || percent.negative) return 0;
  return Math.min(1, Number(`${percent.digits}e-${percent.scale}`) / 100);
}
