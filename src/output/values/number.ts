/** Numbers for people: thousands separators, units, and marked roundings. Decimal arithmetic only. */
import {
  type Decimal,
  decimalText,
  parseDecimal,
  percentToFraction,
  roundDecimal,
  scaleDown,
  trimZeros,
} from "../../base/index.ts";

/** The decimals of SOL: a lamport is 10⁻⁹ SOL. */
export const SOL_DECIMALS = 9;
/** The maximum decimals of a mint (an unsigned byte). */
export const MAX_DECIMALS = 255;

/** Returns decimal text with thousands separators in the whole part. */
export function groupDigits(value: Decimal): string {
  const [whole = "", fraction] = decimalText(value).split(".");
  const sign = whole.startsWith("-") ? "-" : "";
  const first = sign.length + ((whole.length - sign.length) % 3 || 3);
  const separated = whole.slice(0, first) + whole.slice(first).replace(/\d{3}/g, ",$&");
  return fraction === undefined ? separated : `${separated}.${fraction}`;
}

/** Formats an amount of lamports as SOL, exactly. */
export function formatSol(lamports: Decimal): string {
  return `${groupDigits(scaleDown(lamports, SOL_DECIMALS))} SOL`;
}

/** Formats US dollars: cents from one dollar on, four significant digits below; `~` marks a rounding. */
export function formatUsd(value: Decimal): string {
  const { text, mark } = roundForDisplay(value, { places: 2, significant: 4 });
  const [whole = "", fraction = ""] = text.split(".");
  const cents = value.digits === 0n ? "" : `.${fraction.padEnd(2, "0")}`;
  return mark + (whole.startsWith("-") ? `-$${whole.slice(1)}` : `$${whole}`) + cents;
}

/** Formats a price in any currency: four places from one on, four significant digits below; `~` marks a rounding. */
export function formatPrice(value: Decimal): string {
  const { text, mark } = roundForDisplay(value, { places: 4, significant: 4 });
  return mark + text;
}

/** Formats percent with two places, or two significant digits below 0.1; `~` marks a rounding. */
export function formatPercent(value: Decimal): string {
  const { text, mark } = roundForDisplay(value, { places: 2, significant: 2 });
  return `${mark}${text}%`;
}

/** Formats the used share of a plan; above 100 % the exact number does not matter. */
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

/** The maximum width of a formatted number without its unit: enough for any 64-bit integer. */
export const MAX_NUMBER_WIDTH = 28;

/** A formatted number: the mark of a rounding, sign and currency, digits, unit. */
const NUMBER_PARTS = /^(~?)([$-]*)([\d,]+)(?:\.(\d+))?(.*)$/;
/** Decimal places of a number in exponent form. */
const MANTISSA_PLACES = 2;

/**
 * Limits a formatted number to {@link MAX_NUMBER_WIDTH} cells and its unit: a longer one loses decimals (`~0.000…01`,
 * `~0`) or gets an exponent (`~1.23e300`); `~` marks the rounding.
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

/** Formats a number of one or more as `1.23e300`. */
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

/** Shortens a formatted number of 1000 or more to three significant digits, a letter and its unit: `~$1.23M`. */
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
