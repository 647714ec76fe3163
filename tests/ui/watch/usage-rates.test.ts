import { describe, expect, test } from "vitest";
import { bars, barsIn } from "../../../src/ui/watch/bars.ts";
import { RANGES, rangeFor, ratesOf } from "../../../src/ui/watch/usage-rates.ts";
import { HOUR, NOW, sample } from "./world.ts";

describe("units an hour", () => {
  const hours = { from: NOW - 4 * HOUR, to: NOW, count: 4 };

  test("are those between samples, and unknown where there are none", () => {
    expect(ratesOf([sample(3, 100), sample(2, 400), sample(1, 400)], hours)).toEqual([undefined, 300, 0, undefined]);
    expect(ratesOf([], hours)).toEqual([undefined, undefined, undefined, undefined]);
    expect(ratesOf([sample(1, 100)], hours)).toEqual([undefined, undefined, undefined, undefined]);
  });

  test("are spread evenly over a time in which nobody looked", () => {
    expect(ratesOf([sample(4, 0), sample(0, 1200)], hours)).toEqual([300, 300, 300, 300]);
    const [first, , , last] = ratesOf([sample(3.5, 0), sample(0.5, 300)], hours);
    expect([first, last]).toEqual([100, 100]);
  });

  test("begin anew at the renewal, and take no harm from what is no number", () => {
    const anew = sample(1, 50, { last_cu_reset_date: "2025-06-15T11:00:00.000Z" });
    expect(ratesOf([sample(2, 9_000_000), anew], hours)[2]).toBe(50);
    const odd = sample(1, 0, { usage_cus: "many" });
    expect(ratesOf([sample(2, 10), odd, sample(0, 20)], hours)).toEqual([undefined, undefined, undefined, undefined]);
    expect(ratesOf([sample(1, 10), sample(1, 20)], hours)).toEqual([undefined, undefined, undefined, undefined]);
  });

  test("are shown of the shortest time that holds what is known of a day", () => {
    expect(rangeFor([], NOW)).toBe(RANGES[0]);
    expect(rangeFor([sample(0.5, 1)], NOW).name).toBe("hour");
    expect(rangeFor([sample(5, 1), sample(0, 1)], NOW).name).toBe("6 hours");
    expect(rangeFor([sample(500, 1), sample(20, 1)], NOW).name).toBe("24 hours");
    expect(rangeFor([sample(500, 1), sample(0.1, 1)], NOW).name).toBe("hour");
  });
});

describe("bars", () => {
  const drawn = (values: (number | undefined)[], unicode = true) =>
    bars(values, { width: 12, height: 3, unicode, from: "x" }).map((line) => line.map(({ text }) => text).join(""));

  test("are as high as their numbers, with nothing and a hole told apart", () => {
    expect(drawn([8, 4, 0, undefined])).toEqual(
      ["  8.0 ┤█   ", "    0 ┤██· ", "        xnow"].map((text) => expect.stringContaining(text.trim().slice(0, 3))),
    );
    expect(drawn([8, 4, 0, undefined])[0]).toMatch(/┤█ {3}$/);
    expect(drawn([8, 4, 0, undefined])[1]).toMatch(/┤██· $/);
    expect(drawn([8, 4, 0, undefined], false)[1]).toMatch(/\+##_ $/);
  });

  test("fit whatever there is room for", () => {
    expect(bars([undefined], { width: 40, height: 5, unicode: true, from: "x" })).toEqual([]);
    expect(bars([0, 0], { width: 40, height: 5, unicode: true, from: "x" })).toHaveLength(5);
    expect(barsIn(5, 60)).toBe(1);
    expect(barsIn(200, 60)).toBe(60);
  });
});
