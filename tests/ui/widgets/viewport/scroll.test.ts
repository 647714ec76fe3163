import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { scrollWindow } from "../../../../src/ui/widgets/viewport/scroll.ts";

const scene = fc
  .record({ total: fc.integer({ min: 1, max: 500 }), height: fc.integer({ min: 1, max: 60 }), first: fc.nat(600) })
  .chain((one) => fc.record({ ...mapped(one), selected: fc.integer({ min: 0, max: one.total - 1 }) }));

function mapped(one: { total: number; height: number; first: number }) {
  return { total: fc.constant(one.total), height: fc.constant(one.height), first: fc.constant(one.first) };
}

describe("the rows on view", () => {
  it("always hold the selected one and leave no line empty while rows are hidden", () => {
    fc.assert(
      fc.property(scene, ({ total, selected, height, first }) => {
        const at = scrollWindow(total, selected, height, first);
        expect(at).toBeGreaterThanOrEqual(0);
        expect(selected).toBeGreaterThanOrEqual(at);
        expect(selected).toBeLessThan(at + height);
        expect(at + height <= total || at === 0 || at === Math.max(0, total - height)).toBe(true);
      }),
    );
  });

  it("stay where they are while the selected one is among them", () => {
    fc.assert(
      fc.property(scene, ({ total, selected, height, first }) => {
        const at = scrollWindow(total, selected, height, first);
        expect(scrollWindow(total, selected, height, at)).toBe(at);
        const isThere = selected >= first && selected < first + height && first <= Math.max(0, total - height);
        if (isThere) expect(at).toBe(first);
      }),
    );
  });

  it("begin at the first row of nothing", () => {
    expect(scrollWindow(0, 0, 10, 7)).toBe(0);
  });
});
