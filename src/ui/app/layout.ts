/** How the window is shared out: head, body, foot. */
import { useWindowSize } from "ink";
import type { Region, Size } from "./context.ts";

/** The smallest window that says something. */
export const MIN_WINDOW: Size = { width: 60, height: 15 };
/** Lines left free at the bottom: a frame that fills the window to the last cell makes some terminals scroll. */
export const SPARE_LINES = 1;
/** Lines of the head and of the foot. */
export const HEAD_HEIGHT = 1;
export const FOOT_HEIGHT = 1;

/** What is between head and foot of a window. */
export function bodyRegion({ width, height }: Size): Region {
  return { width, height: Math.max(0, height - SPARE_LINES - HEAD_HEIGHT - FOOT_HEIGHT), top: 0 };
}

/** Whether a window is too small for the explorer. */
export function isTooSmall({ width, height }: Size): boolean {
  return width < MIN_WINDOW.width || height < MIN_WINDOW.height;
}

/** What is between head and foot now. */
export function useBody(): Region {
  const { columns, rows } = useWindowSize();
  return bodyRegion({ width: columns, height: rows });
}
