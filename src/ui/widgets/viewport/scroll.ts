/** Which rows are on view. */

/**
 * The first row on view, moved no further than it takes: the selected row is on view, and nothing is left empty at the
 * end while rows are hidden at the start.
 */
export function scrollWindow(total: number, selected: number, height: number, first: number): number {
  const room = Math.max(1, height);
  const last = Math.max(0, total - room);
  const wanted = Math.min(Math.max(first, selected - room + 1), selected);
  return Math.min(Math.max(0, wanted), last);
}
