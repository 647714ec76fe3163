/** Cursor movement that wraps at both ends. */

/** Returns the index after a step, which wraps at both ends; 0 in an empty list. */
export function wrapIndex(index: number, by: number, count: number): number {
  return count === 0 ? 0 : (((index + by) % count) + count) % count;
}
