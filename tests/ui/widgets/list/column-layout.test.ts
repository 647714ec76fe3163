import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { COLUMN_GAP } from "../../../../src/output/table/columns.ts";
import {
  type ColumnLayout,
  type ColumnMeasure,
  createColumnMeasurer,
  firstScrolledColumn,
  layOutColumns,
  measureColumns,
} from "../../../../src/ui/widgets/list/column-layout.ts";
import type { CellTable } from "../../../../src/ui/widgets/list/table.ts";
import { freeTable, transfer, transferTable } from "./samples.ts";

const demand = fc
  .record({
    head: fc.integer({ min: 1, max: 20 }),
    minimum: fc.integer({ min: 1, max: 50 }),
    names: fc.nat(20),
    more: fc.nat(60),
  })
  .map(({ head, minimum, names, more }) => ({
    head,
    minimum,
    names: minimum + names,
    short: minimum + names + 10,
    body: minimum + names + more,
    stepped: more % 2 === 0,
  }));
const measure: fc.Arbitrary<ColumnMeasure> = fc
  .array(demand, { minLength: 1, maxLength: 25 })
  .map((demands) => ({ demands, aligns: demands.map(() => "left" as const), numbers: [], bars: [] }));

describe("the visible columns", () => {
  it("fit into the width and include the first and the selected one", () => {
    fc.assert(
      fc.property(measure, fc.integer({ min: 30, max: 220 }), fc.nat(30), fc.nat(24), (one, width, left, at) => {
        const selected = Math.min(at, one.demands.length - 1);
        const { visible, hasHiddenLeft, hasHiddenRight } = layOutColumns(one, width, left, selected);
        const used = visible.reduce((sum, column) => sum + column.width, 0) + COLUMN_GAP * (visible.length - 1);
        expect(used).toBeLessThanOrEqual(width);
        expect(visible[0]?.index).toBe(0);
        expect(visible.map(({ index }) => index)).toContain(selected);
        expect(hasHiddenLeft).toBe((visible[1]?.index ?? 1) > 1);
        expect(hasHiddenRight).toBe((visible.at(-1)?.index ?? 0) < one.demands.length - 1);
      }),
    );
  });

  it("scroll no further than necessary", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 2, maxLength: 20 }),
        fc.nat(19),
        (minimum, at) => {
          const selected = Math.min(at, minimum.length - 1);
          const left = firstScrolledColumn(minimum, 60, 1, selected);
          expect(firstScrolledColumn(minimum, 60, left, selected)).toBe(left);
        },
      ),
    );
    expect(firstScrolledColumn([10, 10, 10, 10, 10], 36, 1, 2)).toBe(1);
    expect(firstScrolledColumn([10, 10, 10, 10, 10], 36, 1, 3)).toBe(2);
    expect(firstScrolledColumn([10, 10, 10, 10, 10], 36, 3, 1)).toBe(1);
    expect(firstScrolledColumn([10, 10, 10, 10, 10], 100, 3, 3)).toBe(1);
  });

  it("do not depend on the identifiers beside names", () => {
    fc.assert(
      fc.property(measure, fc.integer({ min: 56, max: 220 }), (one, width) => {
        const bare = {
          ...one,
          demands: one.demands.map(({ short: _, names = 0, ...each }) => ({ ...each, names, body: names })),
        };
        const indices = (layout: ColumnLayout) => layout.visible.map(({ index }) => index);
        expect(indices(layOutColumns(one, width, 1, 0))).toEqual(indices(layOutColumns(bare, width, 1, 0)));
      }),
    );
  });

  it("use spare space for names, then for short identifiers beside them, then for whole ones", () => {
    const first = { head: 5, body: 9, minimum: 9, stepped: false };
    const second = { head: 5, body: 60, minimum: 9, names: 14, short: 24, stepped: true };
    const one = { demands: [first, second], aligns: [], numbers: [], bars: [] };
    const widthAt = (width: number) => layOutColumns(one, width, 1, 0).visible[1]?.width;
    expect([20, 23, 25, 34, 35, 70, 71].map(widthAt)).toEqual([9, 12, 14, 14, 24, 24, 60]);
  });

  it("align numbers to the right and shorten identifiers before columns are hidden", () => {
    const { demands, aligns } = measureColumns(transferTable([transfer()]));
    const columns = transferTable([transfer()]).columns.map(({ key }) => key);
    expect(aligns[columns.indexOf("amount")]).toBe("right");
    expect(aligns[columns.indexOf("flow")]).toBe("left");
    expect(demands[columns.indexOf("token_address")]).toMatchObject({ body: 44, minimum: 9, stepped: true });
  });

  it("show where texts with a common prefix in the first column differ", () => {
    const names = ["Boryoku Dragonz #1204", "Boryoku Dragonz #1209", "Boryoku Baby"];
    expect(measureColumns(freeTable(names.map((text) => ({ text })))).demands[0]).toMatchObject({ minimum: 21 });
    const endless = ["a", "b"].map((end) => ({ text: `${"x ".repeat(50)}${end}` }));
    expect(measureColumns(freeTable(endless)).demands[0]).toMatchObject({ minimum: 32 });
  });

  it("cut long text, never a number", () => {
    const { demands } = measureColumns(freeTable([{ text: "x".repeat(300), number: 123_456_789 }]));
    expect(demands[0]).toMatchObject({ body: 60, minimum: 16 });
    expect(demands[1]).toMatchObject({ body: 9, minimum: 9 });
  });
});

describe("the measure of a list that grows", () => {
  const table = transferTable([transfer()]);
  const tableOf = (count: number): CellTable => ({ ...table, rows: Array.from({ length: count }, () => transfer()) });
  /** Returns how often a list is measured while pages of 100 rows are added to it. */
  const measuresOf = (sizes: readonly number[], isGrowing: boolean) => {
    const measureTable = createColumnMeasurer();
    return new Set(sizes.map((size) => measureTable(tableOf(size), isGrowing))).size;
  };
  const pages = Array.from({ length: 100 }, (_, at) => 100 * (at + 1));

  it("is used again until the number of rows has doubled", () => {
    expect(measuresOf(pages, true)).toBe(7);
    expect(measuresOf(pages, false)).toBe(100);
  });

  it("is taken again from a shorter list, of other columns, and once the list is complete", () => {
    expect(measuresOf([300, 200], true)).toBe(2);
    const measureTable = createColumnMeasurer();
    const first = measureTable(tableOf(100), true);
    expect(measureTable(tableOf(150), true)).toBe(first);
    expect(measureTable(tableOf(150), false)).not.toBe(first);
    expect(measureTable({ ...tableOf(150), columns: [...table.columns] }, true)).not.toBe(first);
  });
});
