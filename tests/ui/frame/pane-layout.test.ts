import fc from "fast-check";
import { expect, test } from "vitest";
import { layOutPanes } from "../../../src/ui/frame/pane-layout.ts";

const needs = fc.record({
  minimum: fc.record({ width: fc.integer({ min: 10, max: 90 }), height: fc.integer({ min: 3, max: 25 }) }),
  weight: fc.integer({ min: 1, max: 6 }),
  enough: fc.option(fc.integer({ min: 3, max: 60 }), { nil: undefined }),
});
const sizes = fc.record({ width: fc.integer({ min: 60, max: 300 }), height: fc.integer({ min: 15, max: 80 }) });

test("panes fill a region of any size without overlaps, none smaller than its minimum", () => {
  fc.assert(
    fc.property(fc.array(needs, { minLength: 1, maxLength: 8 }), sizes, (panes, size) => {
      const placed = layOutPanes(panes, size).flat();
      expect(placed.map(({ pane }) => pane)).toEqual(panes.slice(0, placed.length));
      const cells = new Uint8Array(size.width * size.height);
      for (const { pane, left, top, width, height } of placed) {
        const { minimum, enough = minimum.height } = pane;
        expect(width).toBeGreaterThanOrEqual(minimum.width);
        expect(height).toBeGreaterThanOrEqual(Math.min(minimum.height, enough));
        expect(left + width).toBeLessThanOrEqual(size.width);
        for (let row = top; row < top + height; row += 1)
          for (let column = left; column < left + width; column += 1) {
            const cell = row * size.width + column;
            cells[cell] = (cells[cell] ?? 0) + 1;
          }
      }
      if (placed.length > 0) expect(cells.every((count) => count === 1)).toBe(true);
    }),
    { numRuns: 300 },
  );
});

test("leaves out only panes that do not fit", () => {
  const pane = { minimum: { width: 50, height: 10 }, weight: 1 };
  const count = (width: number, height: number) => layOutPanes([pane, pane, pane], { width, height }).flat().length;
  expect([count(49, 30), count(50, 10), count(100, 10), count(50, 30), count(300, 80)]).toEqual([0, 1, 2, 3, 3]);
});

test("gives lines that a pane has no content for to the others", () => {
  const pane = { minimum: { width: 50, height: 8 }, weight: 1 };
  const heights = (...enough: readonly (number | undefined)[]) =>
    layOutPanes(
      enough.map((lines) => ({ ...pane, enough: lines })),
      { width: 60, height: 40 },
    ).map((column) => column.map(({ height }) => height));
  expect([heights(undefined, undefined), heights(5, undefined), heights(5, 5)]).toEqual([
    [[20, 20]],
    [[5, 35]],
    [[20, 20]],
  ]);
});
