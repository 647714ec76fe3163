/** How much a result holds, and how much all of them may cost. */
import { UsageError } from "../../base/index.ts";
import { displayText } from "../../client/index.ts";

/** The options of the command, as commander hands them over. */
export interface LimitOptions {
  readonly maxRows?: string;
  readonly maxBytes?: string;
  readonly maxUnits?: string;
}

/** What holds for every result. */
export interface ResultLimits {
  /** Rows of one result, at most and where nothing is said. */
  readonly rows: RowLimits;
  /** The same where fields are chosen, which makes rows small. */
  readonly selectedRows: RowLimits;
  /** Bytes of one result's text. */
  readonly bytes: number;
  /** Compute units of all calls together. */
  readonly units: number;
}

interface RowLimits {
  readonly maximum: number;
  readonly default: number;
}

const DEFAULT_ROWS = 20;
/** A page of most lists, which costs the same however many of its rows are shown. */
const DEFAULT_SELECTED_ROWS = 100;
const MAX_SELECTED_ROWS = 1000;

/**
 * Reads the options.
 * @throws UsageError for what is no number within the bounds
 */
export function parseLimits({ maxRows, maxBytes, maxUnits }: LimitOptions): ResultLimits {
  const maximum = parseIntegerOption("--max-rows", maxRows, { minimum: 1, maximum: 5000, fallback: 100 });
  return {
    rows: { maximum, default: Math.min(DEFAULT_ROWS, maximum) },
    selectedRows: {
      maximum: maxRows === undefined ? MAX_SELECTED_ROWS : maximum,
      default: Math.min(DEFAULT_SELECTED_ROWS, maximum),
    },
    bytes: parseIntegerOption("--max-bytes", maxBytes, { minimum: 1000, maximum: 10_000_000, fallback: 20_000 }),
    units: parseIntegerOption("--max-units", maxUnits, {
      minimum: 0,
      maximum: 1e12,
      fallback: Number.POSITIVE_INFINITY,
    }),
  };
}

interface Bounds {
  readonly minimum: number;
  readonly maximum: number;
  readonly fallback: number;
}

function parseIntegerOption(name: string, text: string | undefined, { minimum, maximum, fallback }: Bounds): number {
  if (text === undefined) return fallback;
  const value = /^\d{1,13}$/.test(text.trim()) ? Number(text) : Number.NaN;
  if (value >= minimum && value <= maximum) return value;
  throw new UsageError(`${name} is ${displayText(text)}; it must be a whole number from ${minimum} to ${maximum}.`);
}
