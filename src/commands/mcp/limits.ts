/** How much a result holds, and how much all of them may cost. */
import { UsageError } from "../../base/errors.ts";
import { displayText } from "../../client/index.ts";

/** The options of the command, as commander hands them over. */
export interface LimitOptions {
  readonly maxRows?: string;
  readonly maxBytes?: string;
  readonly maxUnits?: string;
}

/** What holds for every result. */
export interface Limits {
  /** Rows of one result, at most and where nothing is said. */
  readonly rows: RowLimits;
  /** The same where fields are chosen, which makes rows small. */
  readonly chosenRows: RowLimits;
  /** Bytes of one result's text. */
  readonly bytes: number;
  /** Compute units of all calls together. */
  readonly units: number;
}

interface RowLimits {
  readonly most: number;
  readonly usual: number;
}

const USUAL_ROWS = 20;
/** A page of most lists, which costs the same however many of its rows are shown. */
const USUAL_CHOSEN = 100;
const MOST_CHOSEN = 1000;

/**
 * Reads the options.
 * @throws UsageError for what is no number within the bounds
 */
export function limitsOf({ maxRows, maxBytes, maxUnits }: LimitOptions): Limits {
  const most = wholeOption("--max-rows", maxRows, { least: 1, most: 5000, otherwise: 100 });
  return {
    rows: { most, usual: Math.min(USUAL_ROWS, most) },
    chosenRows: { most: maxRows === undefined ? MOST_CHOSEN : most, usual: Math.min(USUAL_CHOSEN, most) },
    bytes: wholeOption("--max-bytes", maxBytes, { least: 1000, most: 10_000_000, otherwise: 20_000 }),
    units: wholeOption("--max-units", maxUnits, { least: 0, most: 1e12, otherwise: Number.POSITIVE_INFINITY }),
  };
}

interface Bounds {
  readonly least: number;
  readonly most: number;
  readonly otherwise: number;
}

function wholeOption(name: string, text: string | undefined, { least, most, otherwise }: Bounds): number {
  if (text === undefined) return otherwise;
  const value = /^\d{1,13}$/.test(text.trim()) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw new UsageError(`${name} is ${displayText(text)}; it must be a whole number from ${least} to ${most}.`);
}
