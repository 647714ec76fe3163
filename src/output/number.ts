/** Numbers for people: thousands separators, units, and roundings that say so. Decimal arithmetic only. */
import { type Decimal, decimalText, parseDecimal, roundDecimal, scaleDown } from "../base/decimal.ts";

/** Lamports of a SOL, as a power of ten. */
export const SOL_DECIMALS = 9;
/** The most decimals that a mint can have (an unsigned byte). */
export const MAX_DECIMALS = 255;

/** Plain decimal text with thousands separators in the whole part. */
export function grouped(value: Decimal): string {
  const [whole = "", fraction] = decimalText(value).split(".");
  const separated = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  return fraction === undefined ? separated : `${separated}.${fraction}`;
}

/** An amount of lamports as SOL, exactly. */
export function solText(lamports: Decimal): string {
  return `${grouped(scaleDown(lamports, SOL_DECIMALS))} SOL`;
}

/** US dollars: cents from one dollar on, four significant digits below; `~` marks a rounding. */
export function usdText(value: Decimal): string {
  const { text, mark } = rounded(value, { places: 2, significant: 4 });
  const [whole = "", fraction = ""] = text.split(".");
  const cents = value.digits === 0n ? "" : `.${fraction.padEnd(2, "0")}`;
  return mark + (whole.startsWith("-") ? `-$${whole.slice(1)}` : `$${whole}`) + cents;
}

/** Percent with two places, or two significant digits below 0.1; `~` marks a rounding. */
export function percentText(value: Decimal): string {
  const { text, mark } = rounded(value, { places: 2, significant: 2 });
  return `${mark}${text}%`;
}

function rounded(value: Decimal, { places, significant }: { places: number; significant: number }) {
  const below = value.scale - value.digits.toString().length;
  const small = value.digits !== 0n && below >= 0;
  const { value: short, exact } = roundDecimal(value, small ? Math.max(places, below + significant) : places);
  return {
    text: grouped(short)
      .replace(/(\.\d*?)0+$/, "$1")
      .replace(/\.$/, ""),
    mark: exact ? "" : "~",
  };
}

const SCALES = ["", "K", "M", "B", "T", "Q"] as const;
const SHOWN = /^~?([$-]*)(\d[\d,]*)(\.\d+)?( SOL|%)?$/;

/** A shown number of 1000 or more in three significant digits and a letter, its unit kept: `~$1.23M`. */
export function compact(text: string): string | undefined {
  const [, sign = "", whole = "", fraction = "", unit = ""] = SHOWN.exec(text) ?? [];
  const digits = whole.replaceAll(",", "");
  const step = Math.floor((digits.length - 1) / 3);
  const letter = SCALES[step];
  const value = step > 0 && letter !== undefined ? parseDecimal(digits + fraction) : undefined;
  if (!value) return undefined;
  const { value: short } = roundDecimal(scaleDown(value, step * 3), 2 - ((digits.length - 1) % 3));
  return `~${sign}${decimalText(short)}${letter}${unit}`;
}
