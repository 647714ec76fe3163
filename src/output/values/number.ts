/** Numbers for people: thousands separators, units, and roundings that say so. Decimal arithmetic only. */
import { type Decimal, decimalText, parseDecimal, roundDecimal, scaleDown, trimZeros } from "../../base/decimal.ts";
import { percentToFraction } from "../../base/ratio.ts";

/** Lamports of a SOL, as a power of ten. */
export const SOL_DECIMALS = 9;
/** The most decimals that a mint can have (an unsigned byte). */
export const MAX_DECIMALS = 255;

/** Plain decimal text with thousands separators in the whole part. */
export function groupDigits(value: Decimal): string {
  const [whole = "", fraction] = decimalText(value).split(".");
  const sign = whole.startsWith("-") ? "-" : "";
  const first = sign.length + ((whole.length - sign.length) % 3 || 3);
  const separated = whole.slice(0, first) + whole.slice(first).replace(/\d{3}/g, ",$&");
  return fraction === undefined ? separated : `${separated}.${fraction}`;
}

/** An amount of lamports as SOL, exactly. */
export function formatSol(lamports: Decimal): string {
  return `${groupDigits(scaleDown(lamports, SOL_DECIMALS))} SOL`;
}

/** US dollars: cents from one dollar on, four significant digits below; `~` marks a rounding. */
export function formatUsd(value: Decimal): string {
  const { text, mark } = roundForDisplay(value, { places: 2, significant: 4 });
  const [whole = "", fraction = ""] = text.split(".");
  const cents = value.digits === 0n ? "" : `.${fraction.padEnd(2, "0")}`;
  return mark + (whole.startsWith("-") ? `-$${whole.slice(1)}` : `$${whole}`) + cents;
}

/** Percent with two places, or two significant digits below 0.1; `~` marks a rounding. */
export function formatPercent(value: Decimal): string {
  const { text, mark } = roundForDisplay(value, { places: 2, significant: 2 });
  return `${mark}${text}%`;
}

/** How much of a plan is used: beyond all of it, how far does not matter. */
export function formatUsedShare(percent: Decimal): string {
  return percentToFraction(percent) === 1 && formatPercent(percent) !== "100%" ? "over 100%" : formatPercent(percent);
}

function roundForDisplay(value: Decimal, { places, significant }: { places: number; significant: number }) {
  const below = value.scale - value.digits.toString().length;
  const small = value.digits !== 0n && below >= 0;
  const { value: short, exact } = roundDecimal(value, small ? Math.max(places, below + significant) : places);
  return {
    text: groupDigits(short)
      .replace(/(\.\d*?)0+$/, "$1")
      .replace(/\.$/, ""),
    mark: exact ? "" : "~",
  };
}

/** The most cells of a shown number, without its unit: room for any 64-bit integer. */
export const MAX_NUMBER_WIDTH = 28;

/** A shown number: the mark of a rounding, sign and currency, digits, unit. */
const NUMBER_PARTS = /^(~?)([$-]*)([\d,]+)(?:\.(\d+))?(.*)$/;
/** Decimal places of a number that is shown as a power of ten. */
const MANTISSA_PLACES = 2;

/**
 * A shown number that takes no more than {@link MAX_NUMBER_WIDTH} cells and its unit, whatever the chain says: a longer
 * one loses decimals (`~0.000…01`, `~0`), or becomes a power of ten (`~1.23e300`); `~` marks the rounding.
 */
export function capNumber(text: string): string {
  const [, mark = "", lead = "", whole = "", fraction = "", unit = ""] = NUMBER_PARTS.exec(text) ?? [];
  if (text.length - unit.length <= MAX_NUMBER_WIDTH) return text;
  const available = MAX_NUMBER_WIDTH - lead.length - whole.length - "~".length;
  const value = { negative: false, digits: BigInt(whole.replaceAll(",", "") + fraction), scale: fraction.length };
  const { value: short, exact } = roundDecimal(value, Math.max(0, available - ".".length));
  const print = whole.length > 3 && !whole.includes(",") ? decimalText : groupDigits;
  const digits = print(trimZeros(short));
  const fits = digits.length <= MAX_NUMBER_WIDTH - lead.length - "~".length;
  const display = fits ? { digits, exact } : formatPowerOfTen(value);
  const sign = short.digits === 0n ? lead.replace("-", "") : lead;
  return `${mark || (display.exact ? "" : "~")}${sign}${display.digits}${unit}`;
}

/** A number of one or more, as `1.23e300`. */
function formatPowerOfTen({ digits, scale }: Decimal): { digits: string; exact: boolean } {
  const all = digits.toString();
  const places = all.length - 1;
  const { value, exact } = roundDecimal({ negative: false, digits, scale: places }, MANTISSA_PLACES);
  // 9.996 is rounded to 10.00, which is 1.00 times the next power.
  const carry = value.digits.toString().length - 1 - value.scale;
  const mantissa = decimalText(trimZeros({ ...value, scale: value.scale + carry }));
  return { digits: `${mantissa}e${places - scale + carry}`, exact };
}

const SUFFIXES = ["", "K", "M", "B", "T", "Q"] as const;
const FORMATTED_NUMBER = /^~?([$-]*)(\d[\d,]*)(\.\d+)?( SOL|%)?$/;

/** A shown number of 1000 or more in three significant digits and a letter, its unit kept: `~$1.23M`. */
export function compactNumber(text: string): string | undefined {
  const [, sign = "", whole = "", fraction = "", unit = ""] = FORMATTED_NUMBER.exec(text) ?? [];
  const digits = whole.replaceAll(",", "");
  const step = Math.floor((digits.length - 1) / 3);
  const letter = SUFFIXES[step];
  const value = step > 0 && letter !== undefined ? parseDecimal(digits + fraction) : undefined;
  if (!value) return undefined;
  const { value: short } = roundDecimal(scaleDown(value, step * 3), 2 - ((digits.length - 1) % 3));
  // 999,877 is rounded to 1000 thousand, which is a million.
  if (short.digits === 1000n) return compactNumber(`${sign}1${"0".repeat(digits.length)}${unit}`);
  return `~${sign}${decimalText(short)}${letter}${unit}`;
}
