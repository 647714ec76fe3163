/** Results of measurements, as lines for people or as JSON for the table of all measurements. */

/** A measured value, and what it is compared with. */
export interface Result {
  readonly measure: string;
  readonly value: number;
  /** The unit of value and goal; `×` is a ratio to the peer in the same run. */
  readonly unit: string;
  /** Decimal places. */
  readonly digits?: number;
  /** The largest or smallest value that is good. */
  readonly atMost?: number;
  readonly atLeast?: number;
  /** What a ratio refers to. */
  readonly peer?: string;
  readonly note?: string;
}

/** The cells of a result: measure, value, goal, peer and note. */
export type Cells = readonly [measure: string, value: string, goal: string, peer: string, note: string];

/** Whether a result meets its goal; true without one. */
export const isMet = ({ value, atMost = Infinity, atLeast = -Infinity }: Result): boolean =>
  value <= atMost && value >= atLeast;

/** Returns the cells of a result. */
export function cellsOf(result: Result): Cells {
  const { measure, value, unit, digits = 2, atMost, atLeast, peer = "", note = "" } = result;
  const text = (number: number) => `${number.toLocaleString("en", { maximumFractionDigits: digits })} ${unit}`;
  const limit = atMost === undefined ? atLeast !== undefined && `≥ ${text(atLeast)}` : `≤ ${text(atMost)}`;
  return [measure, text(value), limit ? `${limit}: ${isMet(result) ? "met" : "MISSED"}` : "", peer, note];
}

/** Returns a line of a table whose columns have these widths. */
export const lineOf = (cells: Cells, widths: readonly number[]): string =>
  cells
    .map((cell, at) => (at === 1 ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0)))
    .join("  ")
    .trimEnd();

const WIDTHS = [46, 16, 22, 24, 0];

/** Prints a result: a line, or JSON when the table of all measurements is being made. */
export function report(result: Result): void {
  console.log(process.env.SOLX_BENCH_JSON ? JSON.stringify(result) : lineOf(cellsOf(result), WIDTHS));
}

/** Returns the value at a share of the sorted values: 0.5 is the median. */
export const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] as number;
