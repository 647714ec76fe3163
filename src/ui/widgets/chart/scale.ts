/** Values to positions, and positions to words: what all charts share. Doubles are enough here: exact numbers are text. */

/** The least and the greatest of values. */
export interface Extent {
  readonly min: number;
  readonly max: number;
}

/** The extent of the values that are numbers; undefined where there are none. */
export function extentOf(values: readonly (number | undefined)[]): Extent | undefined {
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    if (!isDrawable(value)) continue;
    if (value < min) min = value;
    if (value > max) max = value;
  }
  return min > max ? undefined : { min, max };
}

/** Whether a value has a place on a chart: holes and what is no number have none. */
export function isDrawable(value: number | undefined): value is number {
  return value !== undefined && Number.isFinite(value);
}

/** The step of a value, from 0 to `steps` - 1: the greater value never has the lower step. Equal values are in the middle. */
export function stepOf(value: number, { min, max }: Extent, steps: number): number {
  if (steps <= 1) return 0;
  // Halved, so that the difference of the greatest doubles is still a number.
  const span = max / 2 - min / 2;
  if (span <= 0) return Math.floor((steps - 1) / 2);
  const share = (value / 2 - min / 2) / span;
  return Math.min(steps - 1, Math.max(0, Math.round(share * (steps - 1))));
}

const SUFFIXES = ["", "K", "M", "B", "T", "Q"] as const;
/** Decimals of an axis at most; below the least number it is written as a power of ten. */
const MAX_PLACES = 9;
const MIN_PLAIN = 1e-5;

/**
 * A number for an axis, short: `1.2K`, `147.8`, `0.0042`, `3.1e-9`.
 * @param step the distance to the next label, which says how many decimals are of use
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
  const places = placesOf(step > 0 ? step / 1000 ** power : scaled / 10);
  if (value < MIN_PLAIN) return value.toExponential(mantissaOf(value, step));
  return `${scaled.toFixed(Math.min(MAX_PLACES, places))}${SUFFIXES[power]}`;
}

/** Decimals of a mantissa that tell a step apart. */
function mantissaOf(value: number, step: number): number {
  return step > 0 ? Math.min(MAX_PLACES, Math.max(1, Math.ceil(Math.log10(value / step)))) : 1;
}

/** Decimals that tell a step apart from nothing. */
function placesOf(step: number): number {
  return step >= 10 ? 0 : Math.max(0, Math.ceil(-Math.log10(step))) + (step >= 1 ? 1 : 0);
}
