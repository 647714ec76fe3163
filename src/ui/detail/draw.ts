/** The window of a detail as lines, and back from a line to what stands on it. No React here. */
import { fitted, type Line } from "../frame/line.ts";
import type { DrawnView, Fresh } from "./scene.ts";
import { endOf, type Items } from "./window.ts";

/** What part of a view is drawn. */
export interface Window {
  /** The index of the first item. */
  readonly top: number;
  /** The index of the item that the cursor is on; undefined for no cursor. */
  readonly cursor: number | undefined;
  readonly width: number;
  readonly height: number;
}

/** The lines of a window, exactly as many as there is room for. */
export function windowLines(view: DrawnView, { top, cursor, width, height }: Window, fresh: Fresh): readonly Line[] {
  const drawn = view.lines(top, endOf(view, height, top), fresh).flatMap((lines, at) => {
    if (top + at !== cursor) return lines;
    // The line that sets a section apart is none of its own.
    return lines.map((one) => (one.length === 1 && one[0]?.text === "" ? one : pointed(one, width)));
  });
  const shown = drawn.slice(0, Math.max(0, height));
  return [...shown, ...Array.from({ length: Math.max(0, height - shown.length) }, (): Line => [])];
}

/** A line as the place of the cursor, over its whole width; what was found in it stays to be seen. */
function pointed(line: Line, width: number): Line {
  return fitted(line, width).map((one) => (one.role === "found" ? { ...one, on: "cell" } : { ...one, on: "row" }));
}

/** The item on a line of the window; undefined below the last one. */
export function itemAt(items: Items, top: number, y: number): number | undefined {
  let left = y;
  for (let index = top; index < items.count && left >= 0; index += 1) {
    left -= items.heightAt(index);
    if (left < 0) return index;
  }
  return undefined;
}
