/** Maps values to positions and formats axis labels. Doubles are sufficient here: exact numbers are printed as text. */

/** The minimum and maximum of values. */
export interface Extent {
  readonly min: number;
  readonly max: number;
}

/** Returns the extent of the finite values; undefined when there are none. */
export function extentOf(values: readonly (number | undefined)[]): Extent | undefined {
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    if (!isDrawable(value)) continue;
    if (value < min) min = value;
    if (value > max) max = value;
  }
  return min > max ? undefined : { min, max };
}

/** Returns whether a value can be drawn: not missing and finite. */
export function isDrawable(value: number | undefined): value is number {
  return value !== undefined && Number.isFinite(value);
}

/** Returns the step of a value, from 0 to `steps` - 1; monotonic. With a single value all are in the middle. */
export function stepOf(value: number, { min, max }: Extent, steps: number): number {
  if (steps <= 1) return 0;
  // Halved, so that the difference of the largest doubles does not overflow.
  const span = max / 2 - min / 2;
  if (span <= 0) return Math.floor((steps - 1) / 2);
  const share = (value / 2 - min / 2) / span;
  return Math.min(steps - 1, Math.max(0, Math.round(share * (steps - 1))));
}

const SUFFIXES = ["", "K", "M", "B", "T", "Q"] as const;
/** Maximum number of decimals of a label; smaller numbers than the second constant are in scientific notation. */
const MAX_DECIMALS = 9;
const MIN_PLAIN = 1e-5;

/**
 * Formats a number for an axis: `1.2K`, `147.8`, `0.0042`, `3.1e-9`.
 * @param step the distance to the next label, which determines the number of decimals
 */
export function axisText(value: number, step: number, unit = ""): string {
  const sign = value < 0 ? "-" : "";
  return `${sign}${unit}${plainText(Math.abs(value), Math.abs(step))}`;
}

function plainText(value: number, step: number): string {
  if (value === 0) return "0";
  const power = Math.min(SUFFIXES.length - 1, Math.max(0, Math.floor(Math.log10(value) / 3)));
  const scaled = value / 1000 ** power;
  if (scaled >= 1e5) return value.toExponential(1).replace("e+", "e");
  const decimals = countDecimals(step > 0 ? step / 1000 ** power : scaled / 10);
  if (value < MIN_PLAIN) return value.toExponential(countMantissaDecimals(value, step));
  return `${scaled.toFixed(Math.min(MAX_DECIMALS, decimals))}${SUFFIXES[power]}`;
}

/** Returns the decimals of a mantissa that distinguish a step. */
function countMantissaDecimals(value: number, step: number): number {
  return step > 0 ? Math.min(MAX_DECIMALS, Math.max(1, Math.ceil(Math.log10(value / step)))) : 1;
}

/** Returns the decimals that distinguish a step from zero. */
function countDecimals(step: number): number {
  return step >= 10 ? 0 : Math.max(0, Math.ceil(-Math.log10(step))) + (step >= 1 ? 1 : 0);
}
