/** How wide the columns of a table are: pure arithmetic in cells. */

/** What a column would like. */
export interface ColumnDemand {
  /** The heading and the widest cell. */
  readonly head: number;
  readonly body: number;
  /** The narrowest body that still says something. */
  readonly minimum: number;
  /** Whether a width between `least` and `body` is of no use, as for identifiers, which are short or whole. */
  readonly stepped: boolean;
}

/** Cells between two columns. */
export const COLUMN_GAP = 2;
/** A heading may be cut to this. */
const MIN_HEAD = 6;

/**
 * The widths of the columns that fit into `width`, in order. Columns give way in this order: identifiers become
 * short, text shrinks, then the last columns are left out. At least one column stays, cut where it must be.
 */
export function solveWidths(demands: readonly ColumnDemand[], width: number): number[] {
  const minimums = demands.map(({ head, minimum: minimums }) => Math.max(minimums, Math.min(head, MIN_HEAD)));
  let visible = minimums.length;
  while (visible > 1 && total(minimums.slice(0, visible)) > width) visible -= 1;
  const widths = minimums.slice(0, visible).map((size) => Math.max(1, Math.min(size, width)));
  let slack = width - total(widths);
  const grow = (index: number, target: number, whole: boolean) => {
    const more = target - (widths[index] ?? 0);
    const granted = whole && more > slack ? 0 : Math.max(0, Math.min(more, slack));
    widths[index] = (widths[index] ?? 0) + granted;
    slack -= granted;
  };
  const columns = demands.slice(0, visible);
  for (const [index, { head, body, stepped }] of columns.entries())
    grow(index, stepped ? head : Math.max(head, body), false);
  for (const [index, { head, body, stepped }] of columns.entries())
    if (stepped) grow(index, Math.max(head, body), true);
  return widths;
}

function total(widths: readonly number[]): number {
  return widths.reduce((sum, size) => sum + size, 0) + COLUMN_GAP * Math.max(0, widths.length - 1);
}
