/** How wide the columns of a table are: pure arithmetic in cells. */

/** What a column would like. */
export interface Wish {
  /** The heading and the widest cell. */
  readonly head: number;
  readonly body: number;
  /** The narrowest body that still says something. */
  readonly least: number;
  /** Whether a width between `least` and `body` is of no use, as for identifiers, which are short or whole. */
  readonly stepped: boolean;
}

/** Cells between two columns. */
export const GAP = 2;
/** A heading may be cut to this. */
const LEAST_HEAD = 6;

/**
 * The widths of the columns that fit into `width`, in order. Columns give way in this order: identifiers become
 * short, text shrinks, then the last columns are left out. At least one column stays, cut where it must be.
 */
export function columnWidths(wishes: readonly Wish[], width: number): number[] {
  const least = wishes.map(({ head, least }) => Math.max(least, Math.min(head, LEAST_HEAD)));
  let shown = least.length;
  while (shown > 1 && total(least.slice(0, shown)) > width) shown -= 1;
  const widths = least.slice(0, shown).map((size) => Math.max(1, Math.min(size, width)));
  let slack = width - total(widths);
  const grow = (index: number, wanted: number, whole: boolean) => {
    const more = wanted - (widths[index] ?? 0);
    const given = whole && more > slack ? 0 : Math.max(0, Math.min(more, slack));
    widths[index] = (widths[index] ?? 0) + given;
    slack -= given;
  };
  const columns = wishes.slice(0, shown);
  for (const [index, { head, body, stepped }] of columns.entries())
    grow(index, stepped ? head : Math.max(head, body), false);
  for (const [index, { head, body, stepped }] of columns.entries())
    if (stepped) grow(index, Math.max(head, body), true);
  return widths;
}

function total(widths: readonly number[]): number {
  return widths.reduce((sum, size) => sum + size, 0) + GAP * Math.max(0, widths.length - 1);
}
