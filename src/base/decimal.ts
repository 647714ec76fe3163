/** Decimal numbers as text and big integers: no amount passes through a double. */
import { isNumeric, type Json, numericText } from "./json.ts";

/** A decimal number: `digits` × 10^-`scale`, negative if `negative`. */
export interface Decimal {
  readonly negative: boolean;
  readonly digits: bigint;
  readonly scale: number;
}

const PATTERN = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,4}))?$/;

/** Parses a decimal number in plain or exponent form; undefined for other text. */
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
export function decimalOf(value: Json | undefined): Decimal | undefined {
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

/** Compares two decimals for sorting: negative, zero or positive. */
export function compareDecimals(a: Decimal, b: Decimal): number {
  const scale = Math.max(a.scale, b.scale);
  const left = signed(a) * 10n ** BigInt(scale - a.scale);
  const right = signed(b) * 10n ** BigInt(scale - b.scale);
  return left < right ? -1 : left > right ? 1 : 0;
}

function signed(value: Decimal): bigint {
  return value.negative ? -value.digits : value.digits;
}
