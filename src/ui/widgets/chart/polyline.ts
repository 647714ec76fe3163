/** A line through points, as the range of heights that it has in each cell. */
import { EIGHTHS } from "./canvas.ts";
import type { Field } from "./plot.ts";
import { isDrawable } from "./scale.ts";

/** A point by its distance from the left edge in cells; without a value, the line has a gap. */
export interface LinePoint {
  readonly position: number;
  readonly value: number | undefined;
}

/** The lowest and the highest value of a line in a cell. */
export interface CellRange {
  min: number;
  max: number;
}

/** Returns what a line covers in each of `width` cells; undefined in gaps. A single point is a horizontal line. */
export function lineCells(points: readonly LinePoint[], width: number): readonly (CellRange | undefined)[] {
  const cells = new Array<CellRange | undefined>(width).fill(undefined);
  const add = (x: number, value: number) => {
    const at = Math.min(width - 1, Math.max(0, x));
    const cell = cells[at];
    if (!cell) cells[at] = { min: value, max: value };
    else [cell.min, cell.max] = [Math.min(cell.min, value), Math.max(cell.max, value)];
  };
  const known = points.filter(({ value }) => isDrawable(value));
  if (known.length === 1) {
    for (let x = 0; x < width; x += 1) add(x, known[0]?.value ?? 0);
    return cells;
  }
  let before: LinePoint | undefined;
  for (const point of points) {
    if (isDrawable(point.value)) add(Math.floor(point.position), point.value);
    if (before && isDrawable(before.value) && isDrawable(point.value)) {
      addSegment(before.position, before.value, point.position, point.value, add);
    }
    before = point;
  }
  return cells;
}

/** Adds both ends of the part of a segment in each cell. */
function addSegment(
  from: number,
  first: number,
  to: number,
  last: number,
  add: (x: number, value: number) => void,
): void {
  const valueAt = (position: number) => first + (last - first) * ((position - from) / (to - from));
  for (let edge = Math.floor(from) + 1; edge <= to; edge += 1) {
    add(edge - 1, valueAt(edge));
    add(edge, valueAt(edge));
  }
}

/** Returns the position of a time between two others. */
export function timePosition(time: number, first: number, last: number, width: number): number {
  return last > first ? ((time - first) / (last - first)) * width : 0;
}

/** The thickness of a line in eighths. */
const THICKNESS = 3;
const PARTS = EIGHTHS.length;

/**
 * Returns the upper and the lower edge of a line in a cell, in eighths from below. A line within a cell touches one of
 * its ends, since a cell has two colours only: otherwise, lines would differ in thickness.
 */
export function edgesOf({ level }: Field, { min, max }: CellRange): { readonly top: number; readonly bottom: number } {
  const top = Math.max(THICKNESS, Math.round(level(max, PARTS)));
  const bottom = Math.max(0, Math.min(Math.round(level(min, PARTS)), top - THICKNESS));
  const [below, above] = [bottom % PARTS, (PARTS - (top % PARTS)) % PARTS];
  if (Math.floor(bottom / PARTS) !== Math.floor((top - 1) / PARTS)) return { top, bottom };
  const shift = below <= above ? -below : above;
  return { top: top + shift, bottom: bottom + shift };
}

/** Returns the cells of a column up to the upper edge, and both edges in each of them, in eighths. */
export function* blocksBelow(height: number, top: number, bottom: number) {
  for (let y = height - 1, from = 0; y >= 0 && from < top; y -= 1, from += PARTS) {
    yield { y, upper: Math.min(PARTS, top - from), lower: Math.min(PARTS, Math.max(0, bottom - from)) };
  }
}
