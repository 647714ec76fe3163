/** Which line of a short list the cursor is on. */

/** The line after a step; the ends are joined. */
export function stepIndex(at: number, by: number, count: number): number {
  return count === 0 ? 0 : (at + by + count) % count;
}
