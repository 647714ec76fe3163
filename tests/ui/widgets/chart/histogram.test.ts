import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { textWidth } from "../../../../src/output/text/width.ts";
import { histogram, histogramPlot, quantile } from "../../../../src/ui/widgets/chart/bars.ts";
import { drawChart } from "../../../../src/ui/widgets/chart/frame.ts";

const value = fc.oneof(fc.integer({ min: 0, max: 2_000_000 }), fc.constantFrom(0, 5000, 10_000));

describe("a histogram", () => {
  it("counts every value once, in adjacent classes with round limits", () => {
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 200 }), (values) => {
        const classes = histogram(values);
        expect(classes.reduce((sum, { count }) => sum + count, 0)).toBe(values.length);
        for (const [at, { from, to }] of classes.entries()) {
          expect(from).toBeLessThan(to);
          if (at > 0) expect(from).toBe(classes[at - 1]?.to);
          expect(["1", "2", "5"]).toContain(String(to)[0]);
        }
        expect(classes[0]?.from).toBeLessThanOrEqual(Math.min(...values));
      }),
    );
  });

  it("has the classes from the lowest to the highest value", () => {
    const limits = histogram([5000, 5000, 12_000, 900_000]).map(({ from, count }) => [from, count]);
    expect(limits).toEqual([
      ...[
        [5000, 2],
        [10_000, 1],
        [20_000, 0],
        [50_000, 0],
        [100_000, 0],
        [200_000, 0],
      ],
      [500_000, 1],
    ]);
    expect(histogram([])).toEqual([]);
  });

  it("is drawn in exactly its size with the limits below", () => {
    const plot = histogramPlot(histogram([5000, 5000, 12_000, 900_000]));
    const options = { width: 80, height: 14, unicode: true, colors: "named", empty: "None." } as const;
    const lines = drawChart(plot, options)
      .lines(1)
      .map((line) => line.map(({ text }) => text).join(""));
    expect(lines).toHaveLength(14);
    for (const line of lines) expect(textWidth(line)).toBe(80);
    expect(lines.at(-1)).toMatch(/5K +10K +20K +50K +100K +200K +500K/);
  });

  it("has quantiles", () => {
    expect([0, 0.5, 0.9, 1].map((fraction) => quantile([4, 1, 3, 2], fraction))).toEqual([1, 3, 4, 4]);
    expect(quantile([], 0.5)).toBeUndefined();
  });
});
