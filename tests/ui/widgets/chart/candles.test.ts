import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { textWidth } from "../../../../src/output/text/width.ts";
import type { TextLine } from "../../../../src/ui/app/theme/text-line.ts";
import {
  type Candle,
  candleCapacity,
  candleChart,
  niceTicks,
  priceText,
  visibleEnd,
} from "../../../../src/ui/widgets/chart/candles.ts";

const HOUR = 3600;
const START = Date.UTC(2026, 4, 30, 20) / 1000;
const textOf = (line: TextLine) => line.map(({ text }) => text).join("");

/** Candles from their prices: open, high, low, close. */
const candlesOf = (...prices: readonly (readonly [number, number, number, number])[]): readonly Candle[] =>
  prices.map(([open, high, low, close], at) => ({
    time: START + at * HOUR,
    open,
    high,
    low,
    close,
    volume: 1000 * (at + 1),
  }));

const OPTIONS = { width: 40, height: 12, unicode: true, colored: true, step: 2, isDaily: false, empty: "No candles." };
const draw = (candles: readonly Candle[], options: Partial<typeof OPTIONS & { selected: number; last: number }> = {}) =>
  candleChart(candles, { ...OPTIONS, ...options });
const drawn = (...args: Parameters<typeof draw>) => draw(...args).map(textOf);

const price = fc.oneof(fc.double({ min: 1e-12, max: 1e12, noNaN: true }), fc.constantFrom(0, 1, 1.5));
const candle: fc.Arbitrary<Candle> = fc
  .record({ prices: fc.array(price, { minLength: 4, maxLength: 4 }), volume: fc.oneof(fc.constant(0), price) })
  .map(({ prices, volume }) => {
    const [open = 0, close = 0] = prices;
    return { time: START, open, close, high: Math.max(...prices), low: Math.min(...prices), volume };
  });

describe("candles", () => {
  it("fill exactly their size, whatever the values", () => {
    fc.assert(
      fc.property(
        fc.array(candle, { maxLength: 80 }),
        fc.integer({ min: 1, max: 160 }),
        fc.integer({ min: 1, max: 40 }),
        fc.boolean(),
        fc.boolean(),
        fc.constantFrom(1, 2, 4),
        fc.option(fc.nat(90), { nil: undefined }),
        (candles, width, height, unicode, colored, step, selected) => {
          const timed = candles.map((one, at) => ({ ...one, time: START + at * HOUR }));
          const lines = candleChart(timed, { ...OPTIONS, width, height, unicode, colored, step, selected });
          expect(lines).toHaveLength(height);
          for (const line of lines) expect(textWidth(textOf(line))).toBe(width);
          if (!unicode) for (const line of lines) expect(textOf(line)).toMatch(/^[\x20-\x7e…]*$/);
        },
      ),
    );
  });

  it("have a body from open to close and wicks to high and low, rising green and falling red", () => {
    const lines = draw(candlesOf([1, 4, 0, 3], [3, 4, 0, 1]), { height: 9, width: 30, step: 2 });
    const column = (x: number) =>
      lines
        .slice(0, 8)
        .map((line) => textOf(line)[x])
        .join("");
    const [rising, falling] = [15, 17];
    expect(column(rising)).toBe(column(falling));
    expect(column(rising)).toMatch(/^│+█+│+$/);
    const roles = lines.flatMap((line) => line.filter(({ text }) => text.includes("█")).map(({ role }) => role));
    expect(new Set(roles)).toEqual(new Set(["good", "bad"]));
  });

  it("distinguish rising and falling without colours", () => {
    const candles = candlesOf([1, 4, 0, 3], [3, 4, 0, 1]);
    for (const [options, rising, falling] of [
      [{ colored: false }, "░", "█"],
      [{ unicode: false, colored: false }, "o", "#"],
    ] as const) {
      const text = drawn(candles, { ...options, height: 9 }).join("\n");
      expect(text).toContain(rising);
      expect(text).toContain(falling);
      expect(text.indexOf(rising) % 41).toBeLessThan(text.indexOf(falling) % 41);
    }
  });

  it("have an axis of round prices, the last price and the highest volume", () => {
    const lines = drawn(candlesOf([98, 104, 96, 101], [101, 112, 100, 110.25]), { height: 16, width: 50 });
    const labels = lines.flatMap((line) => /│(\S+)/.exec(line)?.[1] ?? []);
    expect(labels).toEqual(expect.arrayContaining(["100", "105"]));
    expect(labels.filter((label) => label.startsWith("◂"))).toHaveLength(1);
    expect(labels.find((label) => label.startsWith("◂"))).toMatch(/^◂110/);
    expect(labels.at(-1)).toBe("$2.0K");
  });

  it("end at the right with the newest candle, and show those that fit", () => {
    const many = candlesOf(...Array.from({ length: 100 }, (_, at) => [at, at + 1, at, at + 1] as const));
    expect(candleCapacity(40, 2)).toBe(14);
    const newest = drawn(many, { width: 40 });
    expect(newest.at(-1)).toContain("Jun 3");
    expect(drawn(many, { width: 40, last: 20 }).at(-1)).toContain("May 31");
    expect(newest.join("")).toContain("◂100");
  });

  it("name the day where it changes, and only days for daily candles", () => {
    const axis = drawn(candlesOf(...Array.from({ length: 30 }, () => [1, 2, 1, 2] as const)), { width: 90 }).at(-1);
    expect(axis?.trim()).toMatch(/^May 30 20:00 +May 31 +\d\d:00/);
    const daily = drawn(
      candlesOf([1, 2, 1, 2], [1, 2, 1, 2]).map((one, at) => ({ ...one, time: START + at * 24 * HOUR })),
      { isDaily: true },
    ).at(-1);
    expect(daily?.trim()).toBe("2026-05-30");
    expect(
      drawn(candlesOf(...Array.from({ length: 20 }, () => [1, 2, 1, 2] as const)), { isDaily: true, width: 60 })
        .at(-1)
        ?.trim(),
    ).toMatch(/^2026-05-30/);
  });

  it("mark the selected candle", () => {
    const candles = candlesOf(...Array.from({ length: 5 }, () => [1, 2, 1, 2] as const), [4, 5, 4, 5]);
    const marked = draw(candles, { selected: 2 }).flatMap((line) => line.filter(({ role }) => role === "marked"));
    expect(marked.length).toBeGreaterThan(2);
    expect(draw(candles).flatMap((line) => line.filter(({ role }) => role === "marked"))).toEqual([]);
  });

  it("say that there are none", () => {
    expect(drawn([]).join("\n")).toContain("No candles.");
  });
});

describe("the visible candles", () => {
  it("contain the selected one and move as little as possible", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 500 }),
        fc.integer({ min: 1, max: 100 }),
        fc.nat(),
        fc.nat(500),
        (count, capacity, at, before) => {
          const selected = at % count;
          const end = visibleEnd(count, capacity, selected, before);
          expect(end).toBeGreaterThan(selected);
          expect(end - capacity).toBeLessThanOrEqual(selected);
          expect(end).toBeLessThanOrEqual(count);
          expect(visibleEnd(count, capacity, selected, end)).toBe(end);
        },
      ),
    );
    expect(visibleEnd(50, 10, undefined, 20)).toBe(50);
  });
});

describe("price labels", () => {
  it.each([
    [{ min: 97, max: 113 }, 4, [100, 105, 110]],
    [{ min: 0, max: 1 }, 4, [0, 0.25, 0.5, 0.75, 1]],
    [{ min: 0.00123, max: 0.00187 }, 3, [0.00125, 0.0015, 0.00175]],
    [{ min: 5, max: 5 }, 4, [5]],
  ])("of %j in at most %d steps are %j", (extent, count, ticks) => {
    const actual = niceTicks(extent, count).ticks;
    expect(actual).toHaveLength(ticks.length);
    for (const [at, tick] of ticks.entries()) expect(actual[at]).toBeCloseTo(tick, 12);
  });

  it.each([
    [130, 2.5, "130.0"],
    [127.5, 2.5, "127.5"],
    [101, 1, "101"],
    [0.00985, 0.00005, "0.00985"],
    [0.25, 0.25, "0.25"],
    [1234567, 1000, "1.235M"],
    [3.2e-8, 1e-9, "3.20e-8"],
    [0, 1, "0"],
  ])("%d at steps of %d is %s", (value, step, text) => {
    expect(priceText(value, step)).toBe(text);
  });
});
