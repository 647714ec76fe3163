import { describe, expect, it } from "vitest";
import { forecastText, forecastUsage } from "../../../src/client/usage/forecast.ts";

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 5, 21);
const usage = (more: object = {}) => ({
  renew_date: "2026-06-01T00:00:00.000Z",
  end_date: "2026-07-01T00:00:00.000Z",
  last_cu_reset_date: "2026-06-01T00:00:00.000Z",
  remaining_cus: 200_000,
  usage_cus: 800_000,
  total_cu_24h: 1000,
  ...more,
});
const sample = (daysAgo: number, usage_cus: number) => ({ at: NOW - daysAgo * DAY, usage: { usage_cus } });

describe("a forecast with samples", () => {
  it("ignores a busy start of the period once the last week was quiet", () => {
    expect(forecastUsage(usage(), NOW).state).toBe("short");
    const forecast = forecastUsage(usage(), NOW, [sample(7, 793_000), sample(3, 797_000)]);
    expect(forecast).toMatchObject({ week: 1000, average: 40_000, perDay: 1000, state: "enough" });
  });

  it("notices that the last week was busier than the day", () => {
    const forecast = forecastUsage(usage({ usage_cus: 800_000 }), NOW, [sample(5, 600_000)]);
    expect(forecast).toMatchObject({ week: 40_000, perDay: 40_000, state: "short" });
  });

  it("counts across a reset what was used after it", () => {
    const forecast = forecastUsage(usage({ usage_cus: 3000 }), NOW, [sample(4, 900_000), sample(2, 1000)]);
    expect(forecast.week).toBe(750);
  });

  it.each([{ end_date: null }, { end_date: "soon" }])("has no verdict without the end of the period: %j", (more) => {
    const forecast = forecastUsage(usage(more), NOW);
    expect(forecast.state).toBe("unknown");
    expect(forecastText(forecast)).toBe("At this pace the units end on 2026-06-26; the end of the period is unknown.");
  });

  it("does not use samples of a few hours", () => {
    expect(forecastUsage(usage(), NOW, [sample(0.5, 0)]).week).toBeUndefined();
  });

  it("takes the day from the samples where the API does not report it", () => {
    expect(forecastUsage(usage({ total_cu_24h: null }), NOW, [sample(0.5, 750_000)]).today).toBe(100_000);
  });

  it.each([
    ["answered lately", NOW + 11 * DAY, NOW + 11 * DAY],
    ["is down", NOW, NOW + 11 * DAY],
  ])("of a period that has ended says so instead of no units, where the API %s", (_, at, now) => {
    const forecast = forecastUsage(usage({ remaining_cus: 0 }), at, [], now);
    expect(forecast.state).toBe("unknown");
    expect(forecastText(forecast)).toContain("of the period that ended on 2026-07-01");
  });
});
