/** The widths of the columns of a table: pure arithmetic in terminal cells. */

/** The widths that a column demands. */
export interface ColumnDemand {
  /** The width of the heading. */
  readonly head: number;
  /** The width of the widest cell. */
  readonly body: number;
  /** Of identifiers: the width of the names alone, and of the names with short identifiers beside. */
  readonly names?: number;
  readonly short?: number;
  /** The lowest width at which cells are still of use. */
  readonly minimum: number;
  /** Whether a width between `minimum` and `body` is of no use: identifiers are either short or whole. */
  readonly stepped: boolean;
}

/** Terminal cells between two columns of a plain table. */
export const COLUMN_GAP = 2;
/** A heading may be cut to this width. */
const MIN_HEAD = 6;

/**
 * Returns the widths of the columns that fit into `width` with `gap` between them, in order. Columns give way in this
 * order: whole identifiers become short, those beside names are left out, texts and names shrink, headings are cut, then the
 * last columns are left out. At least one column remains, cut where necessary.
 */
export function solveWidths(demands: readonly ColumnDemand[], width: number, gap = COLUMN_GAP): number[] {
  const minimums = demands.map(({ head, minimum }) => Math.max(minimum, Math.min(head, MIN_HEAD)));
  let visible = minimums.length;
  while (visible > 1 && totalWidth(minimums.slice(0, visible), gap) > width) visible -= 1;
  const widths = minimums.slice(0, visible).map((size) => Math.max(1, Math.min(size, width)));
  let slack = width - totalWidth(widths, gap);
  const grow = (index: number, target: number, whole: boolean) => {
    const more = target - (widths[index] ?? 0);
    const granted = whole && more > slack ? 0 : Math.max(0, Math.min(more, slack));
    widths[index] = (widths[index] ?? 0) + granted;
    slack -= granted;
  };
  const columns = demands.slice(0, visible);
  for (const [index, { head }] of columns.entries()) grow(index, head, false);
  for (const [index, { body, stepped, names = 0 }] of columns.entries()) grow(index, stepped ? names : body, false);
  for (const [index, { stepped, short = 0 }] of columns.entries()) if (stepped) grow(index, short, true);
  for (const [index, { body, stepped }] of columns.entries()) if (stepped) grow(index, body, true);
  return widths;
}

function totalWidth(widths: readonly number[], gap: number): number {
  return widths.reduce((sum, size) => sum + size, 0) + gap * Math.max(0, widths.length - 1);
}
