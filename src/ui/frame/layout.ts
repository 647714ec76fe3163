/** Layout of the window: header, body, footer. */
import type { Region, Size } from "../navigation/context.ts";

/** Minimum window size of the explorer. */
export const MIN_WINDOW: Size = { width: 60, height: 15 };
/** Lines left free at the bottom: filling the last cell of the window makes some terminals scroll. */
export const SPARE_LINES = 1;
/** Height of the header in lines. */
export const HEAD_HEIGHT = 1;
/** Height of the footer in lines. */
export const FOOT_HEIGHT = 1;

/** Returns the region between header and footer of a window. */
export function bodyRegion({ width, height }: Size): Region {
  return { width, height: Math.max(0, height - SPARE_LINES - HEAD_HEIGHT - FOOT_HEIGHT), top: 0 };
}

/** Returns whether a window is too small for the explorer. */
export function isTooSmall({ width, height }: Size): boolean {
  return width < MIN_WINDOW.width || height < MIN_WINDOW.height;
}
