/** Extents of values, and numbers of axes. Doubles are sufficient here: exact numbers are printed as text. */

/** The minimum and maximum of values. */
export interface Extent {
  readonly min: number;
  readonly max: number;
}

/** Returns the extent of the finite values; undefined when there are none. */
export function measureExtent(values: readonly (number | undefined)[]): Extent | undefined {
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

/** Returns the suffix of numbers of a size, and what they are divided by: `["M", 1e6]`. */
export function suffixOf(value: number): readonly [suffix: string, divisor: number] {
  const power = Math.min(SUFFIXES.length - 1, Math.max(0, Math.floor(Math.log10(value) / 3)));
  return [SUFFIXES[power] ?? "", 1000 ** power];
}
