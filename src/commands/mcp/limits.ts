/** Limits of the size of results and of the total cost. */
import { UsageError } from "../../base/index.ts";
import { displayText } from "../../client/index.ts";

/** The options of the command as typed. */
export interface LimitOptions {
  readonly maxRows?: string;
  readonly maxBytes?: string;
  readonly maxUnits?: string;
}

/** Limits of results and costs. */
export interface ResultLimits {
  /** Maximum and default number of rows of a result. */
  readonly rows: RowLimits;
  /** The same with selected fields, which make rows small. */
  readonly selectedRows: RowLimits;
  /** Maximum size of the text of a result in bytes. */
  readonly bytes: number;
  /** Maximum number of compute units of all calls. */
  readonly units: number;
}

interface RowLimits {
  readonly maximum: number;
  readonly default: number;
}

const DEFAULT_ROWS = 20;
/** The page size of most lists: a page costs the same, however many of its rows are returned. */
const DEFAULT_SELECTED_ROWS = 100;
const MAX_SELECTED_ROWS = 1000;

/**
 * Parses the options.
 * @throws UsageError for anything but an integer within the bounds
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
  throw new UsageError(
    `invalid value "${displayText(text)}" for ${name}: expected an integer from ${minimum} to ${maximum}`,
  );
}
