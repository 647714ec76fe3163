/** Cursor movement in short lists. */

/** Returns the index after a step, which wraps at both ends. */
export function stepIndex(at: number, by: number, count: number): number {
  return count === 0 ? 0 : (at + by + count) % count;
}
