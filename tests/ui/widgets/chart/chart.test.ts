import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { textWidth } from "../../../../src/output/text/width.ts";
import { shareBar } from "../../../../src/ui/frame/share-bar.ts";
import type { ColorRange } from "../../../../src/ui/navigation/theme/painter.ts";
import type { TextLine } from "../../../../src/ui/navigation/theme/text-line.ts";
import { barsPlot } from "../../../../src/ui/widgets/chart/bars.ts";
import { drawChart } from "../../../../src/ui/widgets/chart/frame.ts";
import { areaPlot, linesPlot } from "../../../../src/ui/widgets/chart/lines.ts";
import { sparkline } from "../../../../src/ui/widgets/chart/one-line.ts";
import type { PlotOf } from "../../../../src/ui/widgets/chart/plot.ts";
import { measureExtent, stepOf } from "../../../../src/ui/widgets/chart/scale.ts";
import type { ChartPoint } from "../../../../src/ui/widgets/chart/series.ts";

const DAY = 86_400;
const START = Date.UTC(2024, 9, 4) / 1000;
const textOf = (line: TextLine) => line.map(({ text }) => text).join("");
const pointsOf = (values: readonly (number | undefined)[]): readonly ChartPoint[] =>
  values.map((value, at) => ({ time: START + at * DAY, value, exact: undefined }));

/** Any number, and missing values. */
const anything = fc.option(fc.double(), { nil: undefined });
const numbers = fc.double({ noNaN: true, noDefaultInfinity: true });
const colorRange = fc.constantFrom<ColorRange>("none", "named", "mixed");

const OPTIONS = { width: 60, height: 12, unicode: true, colors: "named" as ColorRange, empty: "Nothing here." };
const draw = (plot: PlotOf, options: Partial<typeof OPTIONS & { unit: string }> = {}, index?: number) =>
  drawChart(plot, { ...OPTIONS, ...options }).lines(index);
const drawn = (...args: Parameters<typeof draw>) => draw(...args).map(textOf);
const area = (values: readonly (number | undefined)[]) => areaPlot(pointsOf(values), { role: "good" });
const bars = (...parts: readonly (readonly (number | undefined)[])[]) =>
  barsPlot(parts.map((values, at) => ({ role: ROLES[at] ?? "bar", points: pointsOf(values) })));
const ROLES = ["track", "good", "bad"] as const;
const lines = (values: readonly (number | undefined)[]) =>
  linesPlot([
    { role: "series1", points: pointsOf(values) },
    { role: "series2", points: pointsOf(values.toReversed()), isDotted: true },
  ]);

describe("charts", () => {
  it.each([
    ["an area", area],
    ["bars", (values: readonly (number | undefined)[]) => bars(values)],
    ["stacked bars", (values: readonly (number | undefined)[]) => bars(values, values.toReversed(), values)],
    ["lines", lines],
  ])("of %s fill exactly their size, whatever the values, with and without a cursor", (_, plotOf) => {
    fc.assert(
      fc.property(
        fc.array(anything, { maxLength: 120 }),
        fc.integer({ min: 1, max: 200 }),
        fc.integer({ min: 1, max: 30 }),
        fc.boolean(),
        colorRange,
        fc.option(fc.nat(130), { nil: undefined }),
        (values, width, height, unicode, colors, index) => {
          const text = drawn(plotOf(values), { width, height, unicode, colors, unit: "$" }, index);
          expect(text).toHaveLength(height);
          for (const line of text) expect(textWidth(line)).toBe(width);
          if (!unicode) for (const line of text) expect(line).toMatch(/^[\x20-\x7e…]*$/);
        },
      ),
    );
  });

  it("of an increasing line go from the bottom left to the top right", () => {
    const text = drawn(area([1, 2, 3, 4]), { unicode: false });
    const first = text.findIndex((line) => line.includes("*"));
    const last = text.findLastIndex((line) => line.includes("*"));
    expect(text[last]?.indexOf("*")).toBeLessThan(text[first]?.indexOf("*") ?? 0);
    expect(first).toBeLessThan(3);
    expect(last).toBe(10);
  });

  it("have round values at the right and days below", () => {
    const text = drawn(area([100, 150, 200]), { height: 13, unit: "$" });
    expect(text.flatMap((line) => /\$\S+/.exec(line) ?? [])).toEqual(["$200", "$175", "$150", "$125", "$100"]);
    expect(text.at(-1)).toContain("Oct 5");
  });

  it("leave a gap for missing days", () => {
    const row = (values: readonly (number | undefined)[]) =>
      drawn(area(values), { unicode: false }).find((line) => line.includes("*"));
    expect(row([5, 5, 5, 5, 5])).not.toMatch(/\* +\*/);
    expect(row([5, 5, undefined, 5, 5])).toMatch(/\*[. ]+\*/);
  });

  it("print a message when there is nothing to draw", () => {
    for (const values of [[], [undefined], [Number.NaN]]) {
      for (const plot of [area(values), bars(values), lines(values)]) {
        expect(drawn(plot).join("\n")).toContain("Nothing here.");
      }
    }
  });

  it("of a single value and of equal values are a horizontal line with the exact value", () => {
    for (const values of [[3], [3, 3, 3]]) {
      const text = drawn(area(values), { unicode: false, unit: "$" });
      expect(text.filter((line) => line.includes("***"))).toHaveLength(1);
      expect(text.find((line) => line.includes("***"))).toContain("<$3.0");
    }
  });

  it("distinguish zero from an unknown value", () => {
    const text = drawn(bars([4, 0, undefined, 4]), { height: 6 });
    expect(text[4]?.match(/·+/g)).toHaveLength(1);
  });

  it("average days that share a cell", () => {
    const text = drawn(bars(Array.from({ length: 90 }, (_, at) => (at % 2) * 20)), { width: 41, unit: "$" });
    expect(text.join("")).toMatch(/\$10\b/);
    expect(text.join("\n")).toContain("█");
    expect(text.at(-1)).toMatch(/Nov 2024 +Dec/);
  });

  it("give every part of a bar the area of its share, the first at the bottom", () => {
    const parts = [new Array(10).fill(50), new Array(10).fill(30), new Array(10).fill(20)];
    const cells = draw(bars(...parts), { height: 22, width: 60 }).flat();
    const count = (role: string) =>
      cells
        .filter((one) => one.role === role && one.text.trim() !== "")
        .reduce((sum, { text }) => sum + text.length, 0);
    expect(count("good") / count("track")).toBeCloseTo(0.6, 1);
    expect(count("bad") / count("track")).toBeCloseTo(0.4, 1);
  });

  it("draw the area in colours that fade, where the terminal has them", () => {
    const grounds = (colors: ColorRange) =>
      new Set(
        draw(area([1, 5, 3]), { colors }).flatMap((line) =>
          line.flatMap(({ ground }) => (ground?.fade === undefined ? [] : [ground.fade])),
        ),
      );
    expect(grounds("mixed").size).toBeGreaterThan(4);
    expect(grounds("named").size).toBe(0);
    expect(drawn(area([1, 5, 3]), { colors: "none" }).join("")).toContain("░");
  });

  it("have the volumes below, in the colours of their points", () => {
    const points = pointsOf([1, 2, 3]);
    const volumes = new Map(
      points.map(({ time }, at) => [time, { value: 100 * at, role: at === 1 ? "bad" : "good" }] as const),
    );
    const roles = draw(areaPlot(points, { role: "bar", volumes }), { height: 20 }).flatMap((line) =>
      line.filter(({ text }) => /[▁-█]/.test(text)).map(({ role }) => role),
    );
    expect(new Set(roles)).toEqual(new Set(["bar", "good", "bad"]));
  });

  it("have volumes that stand on the lower edge, also where they overlap", () => {
    const days = [0, 50, 53];
    const points = days.map((day, at) => ({ time: START + day * DAY, value: at + 1, exact: undefined }));
    const heights = [10, 1000, 20];
    const volumes = new Map(points.map(({ time }, at) => [time, { value: heights[at] ?? 0, role: "good" }] as const));
    const volumeLine = (line: TextLine) =>
      line.map(({ text, role }) => (role === "good" ? text : " ".repeat(text.length))).join("");
    const text = draw(areaPlot(points, { role: "bar", volumes }), { height: 30 }).map(volumeLine);
    const bars = Array.from({ length: OPTIONS.width }, (_, x) => text.map((line) => line[x] ?? "").join("")).flatMap(
      (column) => column.trim() || [],
    );
    expect(bars.length).toBeGreaterThan(10);
    for (const bar of bars) expect(bar).toMatch(/^[▁-█]█*$/);
  });
});

describe("the cursor of a chart", () => {
  it("shows the value of its point beside the axis, in its column", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 999 }), { minLength: 2, maxLength: 60 }),
        fc.nat(),
        (values, position) => {
          const at = position % values.length;
          const text = drawn(area(values), { width: 100, height: 20 }, at).join("\n");
          const [, label = ""] = /◂([\d.,]+)/.exec(text) ?? [];
          expect(Math.abs(Number(label) - (values[at] ?? 0))).toBeLessThanOrEqual(0.5);
          expect(text.match(/●/g)).toHaveLength(1);
        },
      ),
    );
  });

  it("is on the nearest point of a clicked cell", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 200 }),
        fc.integer({ min: 30, max: 200 }),
        fc.nat(),
        (count, width, cell) => {
          const values = Array.from({ length: count }, (_, at) => at);
          for (const plot of [area(values), bars(values)]) {
            const drawing = drawChart(plot, { ...OPTIONS, width });
            const index = drawing.indexAt(cell % width);
            expect(index).toBeGreaterThanOrEqual(0);
            expect(index).toBeLessThan(count);
          }
        },
      ),
    );
    const drawing = drawChart(area([1, 2, 3, 4]), { ...OPTIONS, width: 60 });
    expect([0, 17, 34, 49].map(drawing.indexAt)).toEqual([0, 1, 2, 3]);
  });

  it("changes nothing but its column and the labels", () => {
    const drawing = drawChart(area([1, 5, 3, 4, 2]), { ...OPTIONS, width: 80, height: 20 });
    const [without, with2] = [drawing.lines(), drawing.lines(2)].map((all) =>
      all.map((line) => textOf(line).slice(0, 70)),
    );
    const changed = new Set<number>();
    for (const [y, line] of (without ?? []).entries()) {
      for (const [x, character] of [...line].entries()) if ([...(with2?.[y] ?? "")][x] !== character) changed.add(x);
    }
    expect(changed.size).toBe(1);
  });
});

describe("positions", () => {
  it("are monotonic and within the chart", () => {
    fc.assert(
      fc.property(fc.array(numbers, { minLength: 2 }), fc.integer({ min: 1, max: 500 }), (values, steps) => {
        const extent = measureExtent(values);
        if (!extent) throw new Error("There are values.");
        const sorted = values.toSorted((a, b) => a - b).map((value) => stepOf(value, extent, steps));
        for (const [at, step] of sorted.entries()) {
          expect(step).toBeGreaterThanOrEqual(sorted[at - 1] ?? 0);
          expect(step).toBeLessThan(steps);
        }
      }),
    );
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
