import { describe, expect, test } from "vitest";
import { hourlyRates } from "../../../src/client/usage/forecast.ts";
import { defaultRange, RANGES } from "../../../src/ui/widgets/usage-charts.ts";
import { HOUR, NOW, sample } from "./setup.ts";

describe("units per hour", () => {
  const hours = { from: NOW - 4 * HOUR, to: NOW, count: 4 };

  test("are derived from samples, and unknown without any", () => {
    expect(hourlyRates([sample(3, 100), sample(2, 400), sample(1, 400)], hours)).toEqual([
      undefined,
      300,
      0,
      undefined,
    ]);
    expect(hourlyRates([], hours)).toEqual([undefined, undefined, undefined, undefined]);
    expect(hourlyRates([sample(1, 100)], hours)).toEqual([undefined, undefined, undefined, undefined]);
  });

  test("are spread evenly over a time without polls", () => {
    expect(hourlyRates([sample(4, 0), sample(0, 1200)], hours)).toEqual([300, 300, 300, 300]);
    const [first, , , last] = hourlyRates([sample(3.5, 0), sample(0.5, 300)], hours);
    expect([first, last]).toEqual([100, 100]);
  });

  test("restart at the renewal, and ignore values that are not numbers", () => {
    const reset = sample(1, 50, { last_cu_reset_date: "2025-06-15T11:00:00.000Z" });
    expect(hourlyRates([sample(2, 9_000_000), reset], hours)[2]).toBe(50);
    const odd = sample(1, 0, { usage_cus: "many" });
    expect(hourlyRates([sample(2, 10), odd, sample(0, 20)], hours)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect(hourlyRates([sample(1, 10), sample(1, 20)], hours)).toEqual([undefined, undefined, undefined, undefined]);
  });

  test("default to the shortest range with all samples of a day", () => {
    expect(defaultRange([], NOW)).toBe(RANGES[0]);
    expect(defaultRange([sample(0.5, 1)], NOW).name).toBe("hour");
    expect(defaultRange([sample(5, 1), sample(0, 1)], NOW).name).toBe("6 hours");
    expect(defaultRange([sample(500, 1), sample(20, 1)], NOW).name).toBe("24 hours");
    expect(defaultRange([sample(500, 1), sample(0.1, 1)], NOW).name).toBe("hour");
  });
});
