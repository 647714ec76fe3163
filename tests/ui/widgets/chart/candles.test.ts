import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { textWidth } from "../../../../src/output/text/width.ts";
import type { ColorRange } from "../../../../src/ui/navigation/theme/painter.ts";
import type { TextLine } from "../../../../src/ui/navigation/theme/text-line.ts";
import { type Candle, candleCapacity, candlesPlot, visibleEnd } from "../../../../src/ui/widgets/chart/candles.ts";
import { drawChart, fieldWidthOf } from "../../../../src/ui/widgets/chart/frame.ts";

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

const OPTIONS = {
  ...{ width: 40, height: 12, unicode: true, colors: "named" as ColorRange, step: 2, empty: "No candles." },
  ...{ end: undefined as number | undefined, selected: undefined as number | undefined },
};
const draw = (candles: readonly Candle[], options: Partial<typeof OPTIONS> = {}) => {
  const { step, end = candles.length, selected, ...size } = { ...OPTIONS, ...options };
  return drawChart(candlesPlot(candles, { step, end }), size).lines(selected);
};
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
        fc.constantFrom("none", "named", "mixed"),
        fc.constantFrom(1, 2, 4),
        fc.option(fc.nat(90), { nil: undefined }),
        (candles, width, height, unicode, colors, step, selected) => {
          const timed = candles.map((one, at) => ({ ...one, time: START + at * HOUR }));
          const lines = draw(timed, { width, height, unicode, colors: colors as ColorRange, step, selected });
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
    // The middles of the bodies: two candles have all the space that a candle takes.
    const bodies = [...textOf(lines[4] ?? []).matchAll(/█+/g)];
    const [rising = 0, falling = 0] = bodies.map(({ 0: text, index }) => index + (text.length - 1) / 2);
    expect(falling - rising).toBe(8);
    expect(column(rising)).toBe(column(falling));
    expect(column(rising)).toMatch(/^│+█+│+$/);
    const roles = lines.flatMap((line) => line.filter(({ text }) => text.includes("█")).map(({ role }) => role));
    expect(new Set(roles)).toEqual(new Set(["good", "bad"]));
  });

  it("are wider where there are few, and as narrow as they are chosen to be where there are many", () => {
    const widthOf = (count: number, width: number) => {
      const lines = draw(candlesOf(...Array.from({ length: count }, () => [1, 4, 0, 3] as const)), { width, step: 2 });
      return lines.slice(0, -1).map(textOf).join("").match(/█+/)?.[0].length;
    };
    expect([widthOf(3, 60), widthOf(100, 60)]).toEqual([7, 1]);
  });

  it("distinguish rising and falling without colours", () => {
    const candles = candlesOf([1, 4, 0, 3], [3, 4, 0, 1]);
    for (const [options, rising, falling] of [
      [{ colors: "none" }, "░", "█"],
      [{ unicode: false, colors: "none" }, "o", "#"],
    ] as const) {
      const text = drawn(candles, { ...options, height: 9 }).join("\n");
      expect(text).toContain(rising);
      expect(text).toContain(falling);
      expect(text.indexOf(rising) % 41).toBeLessThan(text.indexOf(falling) % 41);
    }
  });

  it("have an axis of round prices, the last price and the highest volume", () => {
    const lines = drawn(candlesOf([98, 104, 96, 101], [101, 112, 100, 110.25]), { height: 20, width: 60 });
    const labels = lines.flatMap((line) => /([^ ▏]+) *$/.exec(line.slice(50))?.[1] ?? []);
    expect(labels).toEqual(expect.arrayContaining(["95", "100", "105", "◂110.3", "$2,000"]));
    expect(labels.filter((label) => label.startsWith("◂"))).toHaveLength(1);
  });

  it("end at the right with the newest candle, and show those that fit", () => {
    const many = candlesOf(...Array.from({ length: 100 }, (_, at) => [at, at + 1, at, at + 1] as const));
    expect(candleCapacity(fieldWidthOf(40), 2)).toBe(15);
    const newest = drawn(many, { width: 40 });
    expect(newest.at(-1)).toContain("Jun 3");
    expect(drawn(many, { width: 40, end: 21 }).at(-1)).toContain("05-31");
    expect(newest.join("")).toContain("◂100");
  });

  it("mark the selected candle, its price, and keep its colour", () => {
    const candles = candlesOf(...Array.from({ length: 5 }, () => [1, 2, 1, 2] as const), [4, 5, 4, 5]);
    const marked = draw(candles, { selected: 2 }).flatMap((line) => line.filter(({ role }) => role === "marked"));
    expect(marked.length).toBeGreaterThan(2);
    expect(marked.map(({ text }) => text).join("")).toContain("◂2.0");
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
