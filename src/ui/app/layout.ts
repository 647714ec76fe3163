/** How the window is shared out: head, body, foot. */
import { useWindowSize } from "ink";
import type { Region, Size } from "./context.ts";

/** The smallest window that says something. */
export const LEAST: Size = { width: 60, height: 15 };
/** Lines left free at the bottom: a frame that fills the window to the last cell makes some terminals scroll. */
export const SPARE = 1;
/** Lines of the head and of the foot. */
export const HEAD_HEIGHT = 1;
export const FOOT_HEIGHT = 1;

/** What is between head and foot of a window. */
export function bodyOf({ width, height }: Size): Region {
  return { width, height: Math.max(0, height - SPARE - HEAD_HEIGHT - FOOT_HEIGHT), top: 0 };
}

/** Whether a window is too small for the explorer. */
export function isTooSmall({ width, height }: Size): boolean {
  return width < LEAST.width || height < LEAST.height;
}

/** What is between head and foot now. */
export function useBody(): Region {
  const { columns, rows } = useWindowSize();
  return bodyOf({ width: columns, height: rows });
}
