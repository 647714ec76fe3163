/**
 * The window that a long view is seen through: which items are visible, how far keys and the wheel move the cursor, and
 * the bindings for that. Lists, short tables, trees of links and details all scroll and move by it. No React here.
 */
import type { ActionName } from "../navigation/keys/actions.ts";
import { bindAction } from "../navigation/keys/bindings.ts";
import type { Binding } from "../navigation/keys/keymap.ts";
import { fitLine, type TextLine } from "../navigation/theme/text-line.ts";
import type { MouseEvent } from "../terminal/mouse.ts";

/** Items below each other. */
export interface ScrollItems {
  readonly count: number;
  /** Lines of an item (default: 1); called only for items near the window. */
  heightAt?(index: number): number;
}

const heightOf = (items: ScrollItems, index: number): number => items.heightAt?.(index) ?? 1;

/** Returns the index within a list of `count` items that is nearest to `index`; 0 for an empty list. */
export function clampIndex(index: number, count: number): number {
  return Math.max(0, Math.min(count - 1, index));
}

/**
 * Returns the index of the first visible item: the item at the cursor is visible as a whole where it fits, no line stays
 * empty while there are items above, and the window moves no further than necessary.
 * @param height lines of the window
 * @param top the index of the item that was first until now
 */
export function scrollTop(items: ScrollItems, height: number, top: number, cursor: number): number {
  const { count } = items;
  if (count === 0) return 0;
  const lines = Math.max(1, height);
  const at = clampIndex(cursor, count);
  const lowest = farthestWithin(items, lines, at, -1);
  return Math.min(Math.max(Math.min(Math.max(0, top), at), lowest), farthestWithin(items, lines, count - 1, -1));
}

/** {@link scrollTop} for windows without a stored position: the cursor is in the middle where that is possible. */
export function centredTop(items: ScrollItems, height: number, cursor: number): number {
  return scrollTop(items, height, cursor - Math.floor(height / 2), cursor);
}

/** Returns the index after the last item that is at least partly visible in a window that starts at `top`. */
export function windowEnd(items: ScrollItems, height: number, top: number): number {
  let [end, lines] = [top, height];
  while (end < items.count && lines > 0) {
    lines -= heightOf(items, end);
    end += 1;
  }
  return end;
}

/** Returns the farthest item such that all from `from` to it take at most `lines`; `from` where even it takes more. */
export function farthestWithin(items: ScrollItems, lines: number, from: number, direction: 1 | -1): number {
  let [farthest, left] = [from, lines - heightOf(items, from)];
  for (let next = from + direction; next >= 0 && next < items.count; next += direction) {
    left -= heightOf(items, next);
    if (left < 0) break;
    farthest = next;
  }
  return farthest;
}

/**
 * Returns the item on a line of the window; undefined where there is none.
 * @param line counted from the top of the window, from 0
 */
export function itemAtLine(
  items: ScrollItems,
  { top, height }: { readonly top: number; readonly height: number },
  line: number,
): number | undefined {
  if (line < 0 || line >= height) return undefined;
  let left = line;
  for (let index = top; index < items.count; index += 1) {
    left -= heightOf(items, index);
    if (left < 0) return index;
  }
  return undefined;
}

/** Adds empty lines up to a height. */
export function fillLines(lines: readonly TextLine[], height: number): readonly TextLine[] {
  return [...lines, ...Array.from({ length: Math.max(0, height - lines.length) }, (): TextLine => [])];
}

/** Highlights the line of the cursor over its whole width; matches of a search stay visible. */
export function cursorLine(line: TextLine, width: number): TextLine {
  return fitLine(line, width).map((one) => ({ ...one, cursor: one.role === "found" ? "cell" : "row" }));
}

/** A movement of the cursor. */
export interface Movement {
  readonly direction: 1 | -1;
  readonly distance: "row" | "wheel" | "half" | "page" | "end";
}

const WHEEL_LINES = 3;

/** Returns how many lines a movement covers in a window of `height` lines; infinitely many to an end. */
export function toLines({ distance }: Pick<Movement, "distance">, height: number): number {
  const lines = {
    row: 1,
    wheel: WHEEL_LINES,
    half: Math.max(1, Math.floor(height / 2)),
    // One line of the page stays visible.
    page: Math.max(1, height - 1),
    end: Number.POSITIVE_INFINITY,
  };
  return lines[distance];
}

/** Returns the item after a movement; by at least one item where there is one in that direction. */
export function itemAfter(items: ScrollItems, height: number, cursor: number, movement: Movement): number {
  const { direction, distance } = movement;
  const { count } = items;
  if (distance === "end") return clampIndex(direction * count, count);
  const lines = toLines(movement, height);
  const from = clampIndex(cursor, count);
  if (items.heightAt === undefined) return clampIndex(from + direction * lines, count);
  const next = clampIndex(from + direction, count);
  return lines <= 1 || next === from ? next : farthestWithin(items, lines, next, direction);
}

/** Returns the movement of the mouse wheel; undefined for other events. */
export function wheelMovement({ type }: Pick<MouseEvent, "type">): Movement | undefined {
  if (type !== "up" && type !== "down") return undefined;
  return { direction: type === "up" ? -1 : 1, distance: "wheel" };
}

const MOVES: readonly (readonly [name: ActionName, label: string, movement: Movement])[] = [
  ["move.down", "next row", { direction: 1, distance: "row" }],
  ["move.up", "previous row", { direction: -1, distance: "row" }],
  ["move.first", "first row", { direction: -1, distance: "end" }],
  ["move.last", "last row", { direction: 1, distance: "end" }],
  ["move.half-down", "half a screen down", { direction: 1, distance: "half" }],
  ["move.half-up", "half a screen up", { direction: -1, distance: "half" }],
  ["move.page-down", "a screen down", { direction: 1, distance: "page" }],
  ["move.page-up", "a screen up", { direction: -1, distance: "page" }],
];

/** Returns the bindings that move a cursor through rows. */
export function moveBindings(move: (movement: Movement) => void, active = true): readonly Binding[] {
  return MOVES.map(([name, label, movement]) => bindAction(name, label, () => move(movement), { active }));
}

/** Returns the index after a step, which wraps at both ends; 0 in an empty list. */
export function wrapIndex(index: number, by: number, count: number): number {
  return count === 0 ? 0 : (((index + by) % count) + count) % count;
}
