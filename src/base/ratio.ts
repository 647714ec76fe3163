/** Sums, differences and percentages of exact decimals. Only percentages are rounded, to {@link PLACES} places. */
import { type Decimal, trimZeros } from "./decimal.ts";

/** Fraction digits of a percentage. */
const PLACES = 6;

const signed = ({ negative, digits }: Decimal) => (negative ? -digits : digits);
const at = (value: Decimal, scale: number) => signed(value) * 10n ** BigInt(scale - value.scale);
const decimal = (value: bigint, scale: number): Decimal =>
  trimZeros({ negative: value < 0n, digits: value < 0n ? -value : value, scale });

const ZERO: Decimal = { negative: false, digits: 0n, scale: 0 };

/** Returns the sum of all values; 0 for none. */
export function sumDecimals(values: readonly Decimal[]): Decimal {
  return values.reduce((sum, value) => addDecimals(sum, value), ZERO);
}

function addDecimals(a: Decimal, b: Decimal): Decimal {
  const scale = Math.max(a.scale, b.scale);
  return decimal(at(a, scale) + at(b, scale), scale);
}

/** Returns `a` - `b`. */
export function subtractDecimals(a: Decimal, b: Decimal): Decimal {
  return addDecimals(a, { ...b, negative: !b.negative });
}

/** Returns `part` in percent of `whole`; undefined when `whole` is 0. */
export function percentOf(part: Decimal, whole: Decimal): Decimal | undefined {
  if (whole.digits === 0n) return undefined;
  const scale = Math.max(part.scale, whole.scale);
  const [above, below] = [at(part, scale) * 100n * 10n ** BigInt(PLACES), at(whole, scale)];
  const sign = above < 0n !== below < 0n ? -1n : 1n;
  const [size, by] = [above < 0n ? -above : above, below < 0n ? -below : below];
  return decimal(sign * ((size * 2n + by) / (by * 2n)), PLACES);
}

/** Returns the change from one value to another in percent of the first; undefined unless the first is positive. */
export function percentChange(from: Decimal, to: Decimal): Decimal | undefined {
  return from.negative ? undefined : percentOf(subtractDecimals(to, from), from);
}

/** Returns a percentage as a fraction from 0 to 1, for bars. */
export function percentToFraction(percent: Decimal | undefined): number {
  if (!percent || percent.negative) return 0;
  return Math.min(1, Number(`${percent.digits}e-${percent.scale}`) / 100);
}
