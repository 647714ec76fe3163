/** Which part of a long view is on the screen. Heights are asked for only near the window. No React here. */

/** Things below each other, each of one or more lines. */
export interface Items {
  readonly count: number;
  /** Lines of an item. */
  heightAt(index: number): number;
}

/**
 * The first item to draw: the item at the cursor is on view as a whole where it fits, no line stays empty while there
 * are items above, and nothing moves that need not.
 * @param top the item that was first until now
 */
export function topOf(items: Items, height: number, top: number, cursor: number): number {
  const { count } = items;
  if (count === 0 || height <= 0) return 0;
  const at = Math.min(Math.max(0, cursor), count - 1);
  const wanted = Math.min(Math.max(0, top), at);
  const lowest = reach(items, height, at, -1);
  return Math.min(Math.max(wanted, lowest), reach(items, height, count - 1, -1));
}

/** The items from `first` on that are on view, the last one perhaps in part: the index after the last. */
export function endOf(items: Items, height: number, first: number): number {
  let [end, room] = [first, height];
  while (end < items.count && room > 0) {
    room -= items.heightAt(end);
    end += 1;
  }
  return end;
}

/** The farthest item in a direction so that all from it to `from` take at most `lines`; `from` where even it is too much. */
export function reach(items: Items, lines: number, from: number, direction: 1 | -1): number {
  let [at, room] = [from, lines - items.heightAt(from)];
  for (let next = at + direction; next >= 0 && next < items.count; next += direction) {
    room -= items.heightAt(next);
    if (room < 0) break;
    at = next;
  }
  return at;
}

/** Where the cursor is after so many lines in a direction: at least one item on, where there is one. */
export function moved(items: Items, cursor: number, lines: number, direction: 1 | -1): number {
  const next = Math.min(Math.max(0, cursor + direction), items.count - 1);
  return lines <= 1 || next === cursor ? next : reach(items, lines, next, direction);
}
