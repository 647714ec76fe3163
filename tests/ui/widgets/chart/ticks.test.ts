import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { valueAxis } from "../../../../src/ui/widgets/chart/frame.ts";
import { timeTicks, valueScale } from "../../../../src/ui/widgets/chart/ticks.ts";

/** Finite values whose difference has digits that a label can show. */
const extent = fc
  .tuple(fc.double({ min: -1e12, max: 1e12, noNaN: true }), fc.double({ min: 1e-6, max: 1e12, noNaN: true }))
  .map(([min, size]) => ({ min, max: min + Math.max(size, Math.abs(min) * 1e-4) }));

const significand = (value: number) => Number(value.toExponential(9).split("e")[0]);

describe("the ticks of a vertical axis", () => {
  it("are round, ascending, equally far apart and cover the extent, in the lines that there are", () => {
    fc.assert(
      fc.property(extent, fc.integer({ min: 3, max: 60 }), ({ min, max }, rows) => {
        const { scale, height } = valueAxis({ min, max }, rows);
        const values = scale.ticks.map(({ value }) => value);
        const step = (scale.max - scale.min) / (values.length - 1);
        expect([1, 2, 2.5, 5, 10]).toContain(significand(step));
        expect(values.length).toBeGreaterThanOrEqual(2);
        expect(values.length - 1).toBeLessThanOrEqual(rows);
        expect(height).toBeLessThanOrEqual(rows);
        const slack = (max - min) * 1e-6;
        expect(values[0]).toBeLessThanOrEqual(min + slack);
        expect(values.at(-1)).toBeGreaterThanOrEqual(max - slack);
        for (const [at, value] of values.slice(1).entries()) {
          expect(value).toBeGreaterThan(values[at] ?? 0);
          expect((value - (values[at] ?? 0)) / step).toBeCloseTo(1, 3);
        }
        // Whole lines between two ticks, so that they look equal too.
        expect(height % (values.length - 1) === 0 || height < values.length - 1).toBe(true);
      }),
    );
  });

  it("have different labels with the same decimals and suffix", () => {
    fc.assert(
      fc.property(extent, fc.integer({ min: 3, max: 12 }), (one, count) => {
        const labels = valueScale(one, count).ticks.map(({ label }) => label);
        expect(new Set(labels).size).toBe(labels.length);
      }),
    );
  });

  it.each([
    [{ min: 0.4007, max: 0.4944 }, 5, "$", ["$0.400", "$0.425", "$0.450", "$0.475", "$0.500"]],
    [{ min: 0, max: 930_000 }, 6, "$", ["$0", "$0.2M", "$0.4M", "$0.6M", "$0.8M", "$1.0M"]],
    [{ min: 0, max: 93_000 }, 6, "", ["0", "20K", "40K", "60K", "80K", "100K"]],
    [{ min: 97, max: 113 }, 5, "", ["95", "100", "105", "110", "115"]],
    [{ min: 1, max: 1 }, 5, "$", ["$0.98", "$0.99", "$1.00", "$1.01", "$1.02"]],
    [{ min: 0, max: 0 }, 3, "", ["0", "0.5", "1.0"]],
    [{ min: -7, max: 23 }, 5, "%", ["-10%", "0%", "10%", "20%", "30%"]],
    [{ min: 1.81e-9, max: 4.2e-9 }, 5, "", ["0.0₈1", "0.0₈2", "0.0₈3", "0.0₈4", "0.0₈5"]],
    [{ min: 0.0000173, max: 0.0000182 }, 5, "$", ["$0.0₄1725", "$0.0₄1750", "$0.0₄1775", "$0.0₄1800", "$0.0₄1825"]],
    [{ min: 0, max: 0.00021 }, 4, "$", ["$0", "$0.0₃1", "$0.0₃2", "$0.0₃3"]],
    [{ min: 1234, max: 5678 }, 6, "", ["1,000", "2,000", "3,000", "4,000", "5,000", "6,000"]],
  ])("of %j are at most %i with the unit %j", (one, count, unit, labels) => {
    const actual = valueScale(one, count, { unit, unicode: true }).ticks.map(({ label }) => label);
    expect(actual).toEqual(labels);
  });

  it("are in scientific notation where zeros cannot be counted", () => {
    const { ticks } = valueScale({ min: 1.81e-9, max: 4.2e-9 }, 3, { unit: "$" });
    expect(ticks.map(({ label }) => label)).toEqual(["$0", "$2.5e-9", "$5.0e-9"]);
  });

  it("label what is between them with a digit more", () => {
    const { format } = valueScale({ min: 0.4007, max: 0.4944 }, 5, { unit: "$" });
    expect(format(0.4483, 1)).toBe("$0.4483");
  });

  it.each([
    { min: -Number.MAX_VALUE, max: Number.MAX_VALUE },
    { min: 0, max: Number.MIN_VALUE },
    { min: 1e300, max: 1.7e308 },
  ])("exist for %j", (one) => {
    const { ticks } = valueScale(one, 5);
    expect(ticks.length).toBeGreaterThan(0);
    for (const { label } of ticks) expect(label).not.toMatch(/NaN|Infinity/);
  });
});

const DAY = 86_400;
const START = Date.UTC(2026, 9, 23) / 1000;
/** The times of cells that are equally far apart. */
const cellsOf = (width: number, length: number, from = START) =>
  new Map(Array.from({ length: width }, (_, x) => [x, from + (length * x) / width]));

describe("the ticks of a time axis", () => {
  it.each([
    [100, 30 * DAY, ["Oct 26", "Nov 2", "Nov 9", "Nov 16"]],
    [100, 90 * DAY, ["Nov 1", "Nov 16", "Dec 1", "Dec 16", "2027-01-01"]],
    [100, DAY, ["Oct 23 04:00", "08:00", "12:00", "16:00", "20:00"]],
    [100, 7 * DAY, ["Oct 24", "Oct 25", "Oct 26", "Oct 27", "Oct 28", "Oct 29"]],
    [20, 30 * DAY, ["Nov 1"]],
    [40, 10, ["2026-10-23"]],
    [60, 800 * DAY, ["Jan 2027", "Jul", "Jan 2028", "Jul"]],
  ])("in %d cells of %d seconds are %j", (width, length, labels) => {
    expect(timeTicks(cellsOf(width, length), width).map(({ label }) => label)).toEqual(labels);
  });

  it("are apart and within the chart, whatever the period", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 200 }),
        fc.integer({ min: 1, max: 20 * 365 * DAY }),
        fc.integer({ min: 0, max: 4e9 }),
        (width, length, from) => {
          let end = -1;
          for (const { x, label } of timeTicks(cellsOf(width, length, from), width)) {
            expect(x).toBeGreaterThan(end);
            end = x + label.length;
            expect(end).toBeLessThanOrEqual(width);
          }
        },
      ),
    );
  });

  it("name the day where candles are missing around midnight", () => {
    const hours = [20, 21, 22, 23, 29, 30, 31, 32];
    const times = new Map(hours.map((hour, at) => [at * 12, START + hour * 3600]));
    expect(
      timeTicks(times, 100)
        .map(({ label }) => label)
        .join(" "),
    ).toContain("Oct 24");
  });
});
