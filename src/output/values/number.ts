/** Numbers for people: thousands separators, letters, units. Decimal arithmetic only. */
import {
  compareDecimals,
  type Decimal,
  decimalText,
  groupThousands,
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
  return groupThousands(decimalText(value));
}

/**
 * How much of a number is printed: `brief` for comparing rows (four significant digits, `12.35K`), `full` for one value
 * (every digit that means something).
 */
export type NumberStyle = "brief" | "full";

/** Formats a quantity in whole units. */
export function formatAmount(value: Decimal, style: NumberStyle): string {
  return style === "full" ? groupDigits(value) : briefDigits(value);
}

/** Formats an amount of lamports as SOL; in full, exactly. */
export function formatSol(lamports: Decimal, style: NumberStyle = "full"): string {
  return `${formatAmount(scaleDown(lamports, SOL_DECIMALS), style)} SOL`;
}

/** Formats US dollars with cents; in full with six significant digits where these are more, in brief with four below one. */
export function formatUsd(value: Decimal, style: NumberStyle = "full"): string {
  const text =
    style === "full"
      ? roundForDisplay(value, { places: Math.max(2, 6 - wholeDigits(value)), significant: 6 })
      : briefDigits(value, 2);
  const amount = value.digits === 0n ? text : withCents(text, style);
  return amount.startsWith("-") ? `-$${amount.slice(1)}` : `$${amount}`;
}

/** Adds the zeros of cents, in brief only as far as the significant digits allow. */
function withCents(text: string, style: NumberStyle): string {
  const [, whole = "", fraction = ""] = /^-?([\d,]+)(?:\.(\d+))?$/.exec(text) ?? [];
  const isLong = style === "brief" && whole.length > SIGNIFICANT - 2;
  if (whole === "" || fraction.length > 1 || isLong) return text;
  return `${text}${fraction === "" ? "." : ""}${"0".repeat(2 - fraction.length)}`;
}

/** Formats a price in any currency: four places from one on, four significant digits below. */
export function formatPrice(value: Decimal): string {
  return roundForDisplay(value, { places: 4, significant: 4 });
}

/** The lowest percentage that is printed in brief, the highest one that is not everything, and the highest change. */
const MIN_PERCENT: Decimal = { negative: false, digits: 1n, scale: 2 };
const MAX_SHARE: Decimal = { negative: false, digits: 99_99n, scale: 2 };
const MAX_CHANGE: Decimal = { negative: false, digits: 999n, scale: 0 };
const HUNDRED: Decimal = { negative: false, digits: 100n, scale: 0 };

/** Formats percent with two places; in full, with two significant digits below 0.1, in brief as `<0.01%` below that. */
export function formatPercent(value: Decimal, style: NumberStyle = "full"): string {
  if (style === "full") return `${roundForDisplay(value, { places: 2, significant: 2 })}%`;
  const size = { ...value, negative: false };
  const sign = value.negative ? "-" : "";
  if (value.digits !== 0n && compareDecimals(size, MIN_PERCENT) < 0) return `${sign}<${decimalText(MIN_PERCENT)}%`;
  const isPart = compareDecimals(size, MAX_SHARE) > 0 && compareDecimals(size, HUNDRED) < 0;
  return isPart ? `${sign}>${decimalText(MAX_SHARE)}%` : `${briefDigits(value, 2, 2)}%`;
}

/** Formats a change in percent with a mark for its direction: `▲ 3.2%`, `▼ 0.4%`, `0%`; in brief up to `▲ >999%`. */
export function formatChange(value: Decimal, style: NumberStyle = "full"): string {
  if (value.digits === 0n) return "0%";
  const size = { ...value, negative: false };
  const isHuge = style === "brief" && compareDecimals(size, MAX_CHANGE) > 0;
  return `${value.negative ? "▼" : "▲"} ${isHuge ? `>${decimalText(MAX_CHANGE)}%` : formatPercent(size, style)}`;
}

/** Formats the used share of a plan; above 100 % the exact number does not matter. */
export function formatUsedShare(percent: Decimal): string {
  return percentToFraction(percent) === 1 && formatPercent(percent) !== "100%" ? "over 100%" : formatPercent(percent);
}

/** Rounds to `places` from one on, and to so many significant digits below. */
function roundForDisplay(value: Decimal, { places, significant }: { places: number; significant: number }): string {
  const below = value.scale - value.digits.toString().length;
  const small = value.digits !== 0n && below >= 0;
  const { value: short } = roundDecimal(value, small ? Math.max(places, below + significant) : places);
  return groupDigits(trimZeros(short));
}

/** Significant digits in brief. */
const SIGNIFICANT = 4;
/** Letters of thousands, which replace whole digits beyond {@link SIGNIFICANT}. */
const LETTERS = ["", "K", "M", "B", "T", "Q"] as const;
/** Zeros after the point that are printed; smaller numbers get an exponent. */
const MAX_ZEROS = 8;

/**
 * Rounds to at most four significant digits, with a letter from 10,000 on: `1.234M`, `46.35M`, `0.4483`. A rounded number
 * keeps its zeros (`1.000M`), an exact one has none (`1M`).
 * @param places maximum places from one on
 * @param placesBelow maximum places below one
 */
export function briefDigits(value: Decimal, places = SIGNIFICANT, placesBelow = Number.POSITIVE_INFINITY): string {
  if (value.digits === 0n) return "0";
  const digits = wholeDigits(value);
  const { value: rounded, exact } = roundDecimal(
    value,
    digits > 0 ? Math.min(places, SIGNIFICANT - digits) : Math.min(placesBelow, SIGNIFICANT - digits),
  );
  const whole = wholeDigits(rounded);
  const step = whole > SIGNIFICANT ? Math.floor((whole - 1) / 3) : 0;
  const letter = LETTERS[step];
  if (letter === undefined || whole < -MAX_ZEROS) return formatPowerOfTen(value);
  const short = scaleDown(normalise(rounded), step * 3);
  const left = whole - step * 3;
  const most = step > 0 ? SIGNIFICANT : left > 0 ? places : placesBelow;
  return groupDigits(exact ? short : extendTo(short, Math.min(most, SIGNIFICANT - left))) + letter;
}

/** The number of whole digits; below one, the negative number of zeros after the point. */
const wholeDigits = ({ digits, scale }: Decimal) => digits.toString().length - scale;

const normalise = (value: Decimal): Decimal =>
  value.scale >= 0 ? value : { ...value, digits: value.digits * 10n ** BigInt(-value.scale), scale: 0 };

const extendTo = (value: Decimal, places: number): Decimal =>
  places <= value.scale
    ? value
    : { ...value, digits: value.digits * 10n ** BigInt(places - value.scale), scale: places };

/** The maximum width of a formatted number without its unit: enough for any 64-bit integer. */
export const MAX_NUMBER_WIDTH = 28;

/** A formatted number: the mark of a rounding; direction, sign and currency; digits; unit. */
const NUMBER_PARTS = /^(~?)((?:[▲▼] )?[$-]*)([\d,]+)(?:\.(\d+))?(.*)$/;
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
  const display = fits ? digits : formatPowerOfTen(value);
  const isExact = exact && (fits || compareDecimals(parseDecimal(display) ?? short, value) === 0);
  const sign = short.digits === 0n ? lead.replace("-", "") : lead;
  return `${mark || (isExact ? "" : "~")}${sign}${display}${unit}`;
}

function formatPowerOfTen({ negative, digits, scale }: Decimal): string {
  const all = digits.toString();
  const places = all.length - 1;
  const { value } = roundDecimal({ negative, digits, scale: places }, MANTISSA_PLACES);
  // 9.996 is rounded to 10.00, which is 1.00 times the next power.
  const carry = value.digits.toString().length - 1 - value.scale;
  const mantissa = decimalText(trimZeros({ ...value, scale: value.scale + carry }));
  return `${mantissa}e${places - scale + carry}`;
}

const FORMATTED_NUMBER = /^~?(-?)(\$?)(\d[\d,]*(?:\.\d+)?)(%| \S.*)?$/;

/** Shortens a formatted number to at most four significant digits: `$1,234,567.89` to `$1.235M`. */
export function compactNumber(text: string): string | undefined {
  const [, sign = "", currency = "", digits = "", unit = ""] = FORMATTED_NUMBER.exec(text) ?? [];
  const value = parseDecimal(sign + digits.replaceAll(",", ""));
  if (!value) return undefined;
  if (currency !== "") return formatUsd(value, "brief") + unit;
  return unit === "%" ? formatPercent(value, "brief") : briefDigits(value) + unit;
}
