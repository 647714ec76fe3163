/** The part of a long view that is on the screen. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { endOf, type Items, moved, reach, topOf } from "../../../../src/ui/widgets/viewport/items.ts";

const itemsOf = (heights: readonly number[]): Items => ({
  count: heights.length,
  heightAt: (index) => heights[index] ?? 0,
});
const heights = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 60 });
const sum = (list: readonly number[]) => list.reduce((all, one) => all + one, 0);

describe("the window", () => {
  test("shows the item at the cursor as a whole, or from its start", () => {
    fc.assert(
      fc.property(heights, fc.nat(30), fc.nat(80), fc.nat(80), (list, height, top, at) => {
        const cursor = at % list.length;
        const first = topOf(itemsOf(list), height + 1, top, cursor);
        expect(first).toBeLessThanOrEqual(cursor);
        expect(first === cursor || sum(list.slice(first, cursor + 1)) <= height + 1).toBe(true);
      }),
    );
  });

  test("leaves no room at its end while there are items above it", () => {
    fc.assert(
      fc.property(heights, fc.nat(30), fc.nat(80), fc.nat(80), (list, height, top, at) => {
        const first = topOf(itemsOf(list), height + 1, top, at % list.length);
        const above = list[first - 1];
        if (above !== undefined) expect(sum(list.slice(first)) + above).toBeGreaterThan(height + 1);
      }),
    );
  });

  test("stays where it is while the cursor moves within it", () => {
    const items = itemsOf(Array.from({ length: 100 }, () => 1));
    const tops = [45, 44, 40, 36].map((cursor) => topOf(items, 10, 36, cursor));
    expect(tops).toEqual([36, 36, 36, 36]);
    expect(topOf(items, 10, 36, 46)).toBe(37);
    expect(topOf(items, 10, 36, 35)).toBe(35);
  });

  test("asks only for the heights of what is near it", () => {
    let asked = 0;
    const items: Items = {
      count: 1_000_000,
      heightAt() {
        asked += 1;
        return 1;
      },
    };
    const top = topOf(items, 40, 0, 500_000);
    expect([top, endOf(items, 40, top)]).toEqual([499_961, 500_001]);
    expect(asked).toBeLessThan(200);
  });

  test("moves by lines, but always by an item where there is one", () => {
    fc.assert(
      fc.property(heights, fc.nat(80), fc.nat(40), fc.constantFrom(1 as const, -1 as const), (list, at, lines, by) => {
        const cursor = at % list.length;
        const next = moved(itemsOf(list), cursor, lines, by);
        const isEnd = by > 0 ? cursor === list.length - 1 : cursor === 0;
        expect(isEnd ? next === cursor : (next - cursor) * by > 0).toBe(true);
      }),
    );
  });

  test("reaches no farther than its lines", () => {
    expect(reach(itemsOf([1, 2, 3, 4, 5]), 6, 0, 1)).toBe(2);
    expect(reach(itemsOf([1, 2, 3, 4, 5]), 5, 4, -1)).toBe(4);
  });
});
