import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { textWidth } from "../../../../src/output/text/width.ts";
import type { TextLine } from "../../../../src/ui/app/theme/text-line.ts";
import { shareBar, sparkline } from "../../../../src/ui/widgets/chart/bar.ts";
import { barChart, daysPerBar, lineChart } from "../../../../src/ui/widgets/chart/chart.ts";
import { createRaster } from "../../../../src/ui/widgets/chart/raster.ts";
import { axisText, extentOf, stepOf } from "../../../../src/ui/widgets/chart/scale.ts";
import type { DayValue } from "../../../../src/ui/widgets/chart/series.ts";

const textOf = (line: TextLine) => line.map(({ text }) => text).join("");
const pointsOf = (values: readonly (number | undefined)[]): readonly DayValue[] =>
  values.map((value, at) => ({ day: 20_000 + at, value, exact: undefined }));

/** Any number, and missing values. */
const anything = fc.option(fc.double(), { nil: undefined });
const numbers = fc.double({ noNaN: true, noDefaultInfinity: true });

describe("charts", () => {
  it.each([
    ["line", lineChart],
    ["bar", barChart],
  ] as const)("a %s chart fills exactly its size, whatever the values", (_, chart) => {
    fc.assert(
      fc.property(
        fc.array(anything, { maxLength: 120 }),
        fc.integer({ min: 1, max: 200 }),
        fc.integer({ min: 1, max: 30 }),
        fc.boolean(),
        (values, width, height, unicode) => {
          const lines = chart(pointsOf(values), { width, height, unicode, unit: "$", empty: "Nothing here." });
          expect(lines).toHaveLength(height);
          for (const line of lines) expect(textWidth(textOf(line))).toBe(width);
          if (!unicode) for (const line of lines) expect(textOf(line)).toMatch(/^[\x20-\x7e…]*$/);
        },
      ),
    );
  });

  it("an increasing line goes from the bottom left to the top right", () => {
    const lines = lineChart(pointsOf([1, 2, 3, 4]), { width: 40, height: 6, unicode: false, empty: "" }).map(textOf);
    const first = lines.findIndex((line) => line.trimEnd().endsWith("*"));
    const last = lines.findLastIndex((line) => line.includes("*"));
    expect(lines[last]?.indexOf("*")).toBeLessThan(lines[first]?.indexOf("*") ?? 0);
    expect(first).toBe(0);
    expect(last).toBe(4);
  });

  it("labels the highest and lowest value and the first and last day", () => {
    const lines = lineChart(pointsOf([100, 150, 200]), { width: 60, height: 6, unicode: true, unit: "$", empty: "" });
    expect(textOf(lines[0] ?? [])).toMatch(/^\$200 ┤/);
    expect(textOf(lines[4] ?? [])).toMatch(/^\$100 ┤/);
    expect(textOf(lines[5] ?? [])).toMatch(/2024-10-04 .* 2024-10-06$/);
  });

  it("leaves a gap for missing days", () => {
    const draw = (values: readonly (number | undefined)[]) =>
      textOf(lineChart(pointsOf(values), { width: 40, height: 4, unicode: false, empty: "" })[1] ?? []);
    expect(draw([5, 5, 5, 5, 5])).not.toMatch(/\* +\*/);
    expect(draw([5, 5, undefined, 5, 5])).toMatch(/\* +\*/);
  });

  it("prints a message when there is nothing to draw", () => {
    for (const values of [[], [undefined], [Number.NaN]]) {
      const lines = lineChart(pointsOf(values), { width: 40, height: 7, unicode: true, empty: "No prices." });
      expect(lines.map(textOf).join("\n")).toContain("No prices.");
    }
  });

  it("draws a single value and equal values as a horizontal line", () => {
    for (const values of [[3], [3, 3, 3]]) {
      const drawn = lineChart(pointsOf(values), { width: 40, height: 5, unicode: false, empty: "" }).map(textOf);
      expect(drawn.filter((line) => line.includes("***"))).toHaveLength(1);
    }
  });

  it("a constant line takes few lines and has one exact label", () => {
    const lines = lineChart(pointsOf([1, 1, 1]), { width: 60, height: 25, unicode: true, unit: "$", empty: "" }).map(
      textOf,
    );
    expect(lines.flatMap((text) => /\$\S+/.exec(text) ?? [])).toEqual(["$1.00"]);
    expect(lines.findLastIndex((text) => text.trim() !== "")).toBe(5);
    expect(lines).toHaveLength(25);
  });

  it("distinguishes zero volume from unknown volume", () => {
    const bars = barChart(pointsOf([4, 0, undefined, 4]), { width: 40, height: 5, unicode: true, empty: "" });
    expect(textOf(bars[3] ?? []).match(/·+/g)).toHaveLength(1);
  });

  it("sums days when there is no space for a bar per day", () => {
    const many = pointsOf(Array.from({ length: 90 }, () => 10));
    expect(daysPerBar(many, 60)).toBe(2);
    const lines = barChart(many, { width: 60, height: 6, unicode: true, unit: "$", empty: "" }).map(textOf);
    expect(lines[0]).toMatch(/^\$20/);
    expect(lines.at(-1)).toMatch(/2024-10-05 .* 2025-01-01$/);
    expect(daysPerBar(many, 200)).toBe(1);
  });
});

describe("positions", () => {
  it("are monotonic and within the chart", () => {
    fc.assert(
      fc.property(fc.array(numbers, { minLength: 2 }), fc.integer({ min: 1, max: 500 }), (values, steps) => {
        const extent = extentOf(values);
        if (!extent) throw new Error("There are values.");
        const sorted = values.toSorted((a, b) => a - b).map((value) => stepOf(value, extent, steps));
        for (const [at, step] of sorted.entries()) {
          expect(step).toBeGreaterThanOrEqual(sorted[at - 1] ?? 0);
          expect(step).toBeLessThan(steps);
        }
      }),
    );
  });

  it("fill a braille character from its corners", () => {
    const raster = createRaster(1, 1, true);
    raster.line(0, 0, 0, 3);
    expect(raster.text()).toEqual(["⡇"]);
    raster.line(1, 0, 1, 3);
    expect(raster.text()).toEqual(["⣿"]);
  });

  it.each([
    [147.8, 3, "$147.8"],
    [1234, 500, "$1.2K"],
    [0.0042, 0.0007, "$0.0042"],
    [3.1e-9, 1e-9, "$3.1e-9"],
    [0, 1, "$0"],
    [-12.5, 5, "-$12.5"],
    [2e12, 1e12, "$2.0T"],
  ])("axis label of %d at steps of %d is %s", (value, step, text) => {
    expect(axisText(value, step, "$")).toBe(text);
  });
});

describe("one-line charts", () => {
  it("have exactly their width; only 0 is empty and only 1 is full", () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.integer({ min: 2, max: 80 }),
        fc.boolean(),
        (share, width, unicode) => {
          const bar = textOf(shareBar(share, width, unicode));
          const [full, empty] = unicode ? ["█", "░"] : ["#", "-"];
          expect(textWidth(bar)).toBe(width);
          expect(bar === empty.repeat(width)).toBe(share === 0);
          expect(bar === full.repeat(width)).toBe(share === 1);
        },
      ),
    );
  });

  it("never shrink when the fraction grows", () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }), (a, b) => {
        const filled = (share: number) => textOf(shareBar(share, 40, true)).replaceAll("░", "").length;
        if (a <= b) expect(filled(a)).toBeLessThanOrEqual(filled(b));
      }),
    );
  });

  it("a sparkline marks zero and leaves missing values blank", () => {
    expect(sparkline([0, 1, undefined, 8], 10, true)).toBe("·▂ █");
    expect(sparkline([0, 1, undefined, 8], 10, false)).toBe("_: #");
  });

  it("a sparkline shows the newest values that fit", () => {
    expect(sparkline([9, 9, 1, 5], 2, true)).toBe("▁█");
    expect(sparkline([], 5, true)).toBe("");
  });
});
