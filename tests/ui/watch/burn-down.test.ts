import { describe, expect, test } from "vitest";
import { forecastUsage } from "../../../src/client/usage/forecast.ts";
import { lineWidth } from "../../../src/ui/navigation/theme/text-line.ts";
import { watchLines } from "../../../src/ui/watch/watch-lines.ts";
import { burnDown, burnDownLines } from "../../../src/ui/widgets/chart/burn-down.ts";
import { NOW, sample, stateOf, usageOf, viewOf } from "./setup.ts";

const DAY = 86_400;
const dataOf = (used: number, more = {}, samples: Parameters<typeof burnDown>[0]["samples"] = []) => {
  const usage = usageOf(used, more);
  return { usage, forecast: forecastUsage(usage, NOW), samples, now: NOW };
};
/** Days from now and units. */
const valuesOf = (points: readonly { readonly time: number; readonly value: number | undefined }[] = []) =>
  points.map(({ time, value }) => [(time - NOW / 1000) / DAY, value]);

describe("the remaining units", () => {
  test("fall from the reset over the samples until now, then at the current pace until the renewal", () => {
    const line = burnDown(dataOf(5_000_000, { total_cu_24h: 400_000 }, [sample(24, 4_000_000)]));
    expect(valuesOf(line?.known)).toEqual([
      [-14.5, 20_000_000],
      [-1, 16_000_000],
      [0, 15_000_000],
    ]);
    expect(valuesOf(line?.expected)).toEqual([
      [0, 15_000_000],
      [15.5, 15_000_000 - 15.5 * 400_000],
    ]);
  });

  test("reach zero before the renewal when they are short", () => {
    const line = burnDown(dataOf(19_000_000, { total_cu_24h: 2_000_000 }));
    expect(valuesOf(line?.expected)).toEqual([
      [0, 1_000_000],
      [0.5, 0],
      [15.5, 0],
    ]);
  });

  test("are unknown without a period, and after its end", () => {
    expect(burnDown(dataOf(1, { end_date: undefined }))).toBeUndefined();
    expect(burnDown(dataOf(1, { end_date: "2025-06-10T00:00:00.000Z" }))).toBeUndefined();
    expect(burnDown(dataOf(1, { renew_date: 7, last_cu_reset_date: null }))).toBeUndefined();
  });

  test("leave out samples before the reset", () => {
    const earlier = sample(500, 9, { last_cu_reset_date: "2025-05-01T00:00:00.000Z" });
    expect(burnDown(dataOf(5_000_000, {}, [earlier]))?.known).toHaveLength(2);
  });

  test("are a chart with its renewal, in exactly the given lines", () => {
    for (const unicode of [true, false]) {
      const lines = burnDownLines(dataOf(5_000_000), { width: 80, height: 14, unicode, colors: "none" });
      expect(lines).toHaveLength(14);
      expect([...new Set(lines.map(lineWidth))]).toEqual([80]);
      const text = lines.map((line) => line.map((one) => one.text).join("")).join("\n");
      expect(text).toMatch(/Units left .* at the current pace +renewal 2025-07-01/);
      expect(text).toContain("20M");
    }
  });

  test("are part of the watch where there is space", () => {
    const textOf = (height: number) =>
      watchLines(viewOf({ width: 120, height, state: stateOf({ history: [sample(1, 4_900_000)] }) }))
        .map((line) => line.map(({ text }) => text).join(""))
        .join("\n");
    expect(textOf(40)).toContain("renewal 2025-07-01");
    expect(textOf(14)).not.toContain("renewal 2025-07-01");
    expect(textOf(40)).toContain("units per hour");
  });
});
