/** The window of a long view: visible items, movements and clicks. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  centredTop,
  farthestWithin,
  itemAfter,
  itemAtLine,
  type Movement,
  moveBindings,
  type ScrollItems,
  scrollTop,
  windowEnd,
} from "../../../src/ui/widgets/viewport.ts";

const itemsOf = (heights: readonly number[]): ScrollItems => ({
  count: heights.length,
  heightAt: (index) => heights[index] ?? 0,
});
const heights = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 60 });
const sum = (list: readonly number[]) => list.reduce((all, one) => all + one, 0);

const directions = fc.constantFrom(1 as const, -1 as const);
const movements: fc.Arbitrary<Movement> = fc.record({
  direction: directions,
  distance: fc.constantFrom("row" as const, "wheel" as const, "half" as const, "page" as const, "end" as const),
});

const rows = fc
  .record({ count: fc.integer({ min: 1, max: 500 }), height: fc.integer({ min: 1, max: 60 }), top: fc.nat(600) })
  .chain((one) => fc.nat(one.count - 1).map((cursor) => ({ ...one, cursor })));

describe("the scroll position of rows", () => {
  test("always shows the cursor and leaves no line empty while rows are hidden", () => {
    fc.assert(
      fc.property(rows, ({ count, cursor, height, top }) => {
        const first = scrollTop({ count }, height, top, cursor);
        expect(first).toBeGreaterThanOrEqual(0);
        expect(cursor).toBeGreaterThanOrEqual(first);
        expect(cursor).toBeLessThan(first + height);
        expect(first + height <= count || first === 0 || first === Math.max(0, count - height)).toBe(true);
      }),
    );
  });

  test("does not change while the cursor moves inside the window", () => {
    fc.assert(
      fc.property(rows, ({ count, cursor, height, top }) => {
        const first = scrollTop({ count }, height, top, cursor);
        expect(scrollTop({ count }, height, first, cursor)).toBe(first);
        const isVisible = cursor >= top && cursor < top + height && top <= Math.max(0, count - height);
        if (isVisible) expect(first).toBe(top);
      }),
    );
  });

  test("is the same for rows and for items of one line each", () => {
    fc.assert(
      fc.property(rows, ({ count, cursor, height, top }) => {
        expect(scrollTop({ count, heightAt: () => 1 }, height, top, cursor)).toBe(
          scrollTop({ count }, height, top, cursor),
        );
      }),
    );
  });

  test("is 0 for an empty list", () => {
    expect(scrollTop({ count: 0 }, 10, 7, 0)).toBe(0);
  });

  test("centres the cursor where no position is stored", () => {
    expect([0, 10, 19].map((cursor) => centredTop({ count: 20 }, 5, cursor))).toEqual([0, 8, 15]);
    fc.assert(
      fc.property(rows, ({ count, cursor, height }) => {
        const first = centredTop({ count }, height, cursor);
        expect(cursor).toBeGreaterThanOrEqual(first);
        expect(cursor).toBeLessThan(Math.min(first + height, count));
        expect(first + Math.min(height, count)).toBeLessThanOrEqual(count);
      }),
    );
  });
});

describe("the scroll position of items with several lines", () => {
  test("shows the item at the cursor as a whole, or from its start", () => {
    fc.assert(
      fc.property(heights, fc.nat(30), fc.nat(80), fc.nat(80), (list, height, top, at) => {
        const cursor = at % list.length;
        const first = scrollTop(itemsOf(list), height + 1, top, cursor);
        expect(first).toBeLessThanOrEqual(cursor);
        expect(first === cursor || sum(list.slice(first, cursor + 1)) <= height + 1).toBe(true);
      }),
    );
  });

  test("leaves no space at the end while there are items above", () => {
    fc.assert(
      fc.property(heights, fc.nat(30), fc.nat(80), fc.nat(80), (list, height, top, at) => {
        const first = scrollTop(itemsOf(list), height + 1, top, at % list.length);
        const above = list[first - 1];
        if (above !== undefined) expect(sum(list.slice(first)) + above).toBeGreaterThan(height + 1);
      }),
    );
  });

  test("does not change while the cursor moves inside the window", () => {
    const items = itemsOf(Array.from({ length: 100 }, () => 1));
    const tops = [45, 44, 40, 36].map((cursor) => scrollTop(items, 10, 36, cursor));
    expect(tops).toEqual([36, 36, 36, 36]);
    expect(scrollTop(items, 10, 36, 46)).toBe(37);
    expect(scrollTop(items, 10, 36, 35)).toBe(35);
  });

  test("measures only items near the window", () => {
    let measured = 0;
    const items: ScrollItems = {
      count: 1_000_000,
      heightAt() {
        measured += 1;
        return 1;
      },
    };
    const top = scrollTop(items, 40, 0, 500_000);
    expect([top, windowEnd(items, 40, top)]).toEqual([499_961, 500_001]);
    expect(measured).toBeLessThan(200);
  });

  test("takes at most the given number of lines", () => {
    expect(farthestWithin(itemsOf([1, 2, 3, 4, 5]), 6, 0, 1)).toBe(2);
    expect(farthestWithin(itemsOf([1, 2, 3, 4, 5]), 5, 4, -1)).toBe(4);
  });
});

describe("movements", () => {
  test("move by lines, but always by one item where there is one, and never past the ends", () => {
    fc.assert(
      fc.property(heights, fc.nat(80), fc.nat(40), movements, fc.boolean(), (list, at, height, movement, isRows) => {
        const cursor = at % list.length;
        const next = itemAfter(isRows ? { count: list.length } : itemsOf(list), height, cursor, movement);
        const { direction } = movement;
        const isEnd = direction > 0 ? cursor === list.length - 1 : cursor === 0;
        expect(isEnd ? next === cursor : (next - cursor) * direction > 0).toBe(true);
        expect(next).toBeGreaterThanOrEqual(0);
        expect(next).toBeLessThan(list.length);
      }),
    );
  });

  test("of a page keep one line, and the wheel stops at the ends", () => {
    const moved = (cursor: number, movement: Movement) => itemAfter({ count: 20 }, 5, cursor, movement);
    expect(moved(0, { direction: 1, distance: "page" })).toBe(4);
    expect(moved(10, { direction: -1, distance: "half" })).toBe(8);
    expect([moved(18, { direction: 1, distance: "wheel" }), moved(1, { direction: -1, distance: "wheel" })]).toEqual([
      19, 0,
    ]);
    expect(itemAfter({ count: 3 }, 5, 99, { direction: -1, distance: "row" })).toBe(1);
  });

  test("are bound once, to the keys of their actions", () => {
    const moved: Movement[] = [];
    const bindings = moveBindings((movement) => moved.push(movement));
    for (const { run, keys } of bindings) run(keys[0] ?? "");
    expect(new Set(moved.map(({ direction, distance }) => `${direction} ${distance}`)).size).toBe(bindings.length);
    expect(new Set(bindings.flatMap(({ keys }) => keys)).size).toBe(bindings.flatMap(({ keys }) => keys).length);
  });
});

describe("the item on a line", () => {
  test("is the one that covers it; there is none outside the window or after the last item", () => {
    const rowsBelow = { top: 10, height: 5 };
    expect([-1, 0, 2, 3, 5].map((line) => itemAtLine({ count: 13 }, rowsBelow, line))).toEqual([
      undefined,
      10,
      12,
      undefined,
      undefined,
    ]);
    const tall = itemsOf([3, 1]);
    expect([0, 2, 3, 4].map((line) => itemAtLine(tall, { top: 0, height: 9 }, line))).toEqual([0, 0, 1, undefined]);
  });
});
