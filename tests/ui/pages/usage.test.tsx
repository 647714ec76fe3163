import { describe, expect, it } from "vitest";
import { forecastText, forecastUsage } from "../../../src/client/usage/forecast.ts";
import { fakeData, fakeServices, NOW, renderExplorer } from "../support.tsx";

const usage = (more: object = {}) => ({
  email: "a@b.c",
  renew_date: "2025-06-05T12:00:00.000Z",
  end_date: "2025-07-05T12:00:00.000Z",
  last_cu_reset_date: "2025-06-05T12:00:00.000Z",
  remaining_cus: 900_000,
  usage_cus: 100_000,
  total_requests_24h: 50,
  success_rate_24h: 80.5,
  total_cu_24h: 5000,
  ...more,
});
const route = { kind: "page", page: "usage" } as const;

describe("the usage page", () => {
  it("shows the usage, its speed and a forecast", async () => {
    const window = renderExplorer({
      route,
      data: fakeData({ "v2-monitor-usage": usage() }),
      width: 80,
      height: 30,
    });
    const frame = await window.waitFor("100,000 used, 900,000 left");
    expect(frame).toMatch(/█+.*░+ 10%/);
    expect(frame).toMatch(/burn rate +5,000 units in the last 24 hours, 10,000 per day since the reset/);
    expect(frame).toContain("At this pace the units last until 2025-09-13, beyond 2025-07-05");
    expect(frame).toContain("80.5% succeeded: LOW");
  });

  it("draws the remaining units until the renewal", async () => {
    const data = fakeData({ "v2-monitor-usage": usage() });
    const window = renderExplorer({ route, data, width: 100, height: 40 });
    const frame = await window.waitFor("Units left");
    expect(frame).toMatch(/Units left .*known .*at the current pace +renewal 2025-07-05/);
    expect(frame).toMatch(/1\.00?M|1,000K/);
    expect(frame).toMatch(/[\u2801-\u28FF]/);
  });

  it("shows who used what, and fills a large window with the history of the key", async () => {
    const samples = Array.from({ length: 48 }, (_, at) => ({
      at: NOW - (48 - at) * 3_600_000,
      usage: usage({ usage_cus: 50_000 + at * 1000, remaining_cus: 950_000 - at * 1000 }),
    }));
    const user = { profile: "work", machine: "indexer-7", command: "watch", requests: 1100, units: 4200 };
    const storedUsage = async () => ({
      busiest: [{ endpoint: "account transfer", requests: 1100, failed: 3, units: 4200 }],
      users: [user, { ...user, machine: "\u001B[2Jnotebook", command: "explore", requests: 8, units: 800 }],
      history: samples as never,
    });
    const data = fakeData({ "v2-monitor-usage": usage() });
    const window = renderExplorer({ route, data, services: { storedUsage }, width: 200, height: 60 });
    const frame = await window.waitFor("who, 24 h");
    expect(frame).toMatch(/busiest here, 24 h .*who, 24 h +profile +machine +requests +units/);
    expect(frame).toMatch(/account transfer +1,100 +3 +4,200 +watch +work +indexer-7 +1,100 +4,200/);
    expect(frame).toMatch(/explore +work .*notebook +8 +800/);
    expect(frame).not.toContain("\u001B");
    expect(frame).toMatch(/units per day, last 30 days/);
    const empty = frame.split("\n").filter((line) => line.trim() === "");
    expect(empty.length).toBeLessThan(12);
  });

  it("can be scrolled to its end in a small window", async () => {
    const window = renderExplorer({
      route,
      data: fakeData({ "v2-monitor-usage": usage() }),
      services: { identity: { ...fakeServices().identity, plan: "Lite", units: 1_000_000, isSandbox: false } },
      width: 60,
      height: 15,
    });
    await window.waitFor(/1–\d+ of \d+/);
    await window.press("G");
    await window.waitFor(/This session[\s\S]*units +0/);
  });

  it.each([
    ["shown when the answer agrees with it", 1_000_000, false, true],
    ["omitted when the answer has another allowance", 20_000_000, false, false],
    ["omitted in the sandbox", 1_000_000, true, false],
  ])("shows the plan: %s", async (_, units, sandbox, isShown) => {
    const identity = { ...fakeServices().identity, plan: "Lite", units, isSandbox: sandbox };
    const data = fakeData({ "v2-monitor-usage": usage() });
    const window = renderExplorer({ route, data, services: { identity }, width: 80, height: 36 });
    const frame = await window.waitFor(/900,000 left[\s\S]*This session/);
    expect(frame.includes("Lite: 1,000,000 units a month")).toBe(isShown);
    expect(frame.includes("Lite")).toBe(isShown);
  });
});

describe("a forecast", () => {
  const of = (more: object) => forecastUsage(usage(more) as never, NOW);

  it("warns when the units end before the period", () => {
    const forecast = of({ remaining_cus: 50_000 });
    expect(forecast.state).toBe("short");
    expect(forecastText(forecast)).toBe("At this pace the units end on 2025-06-20, 15 days before the period ends.");
  });

  it("uses the last day when it was busier", () => {
    expect(of({ total_cu_24h: 90_000 }).perDay).toBe(90_000);
  });

  it("reports when nothing is left, and until when", () => {
    expect(forecastText(of({ remaining_cus: 0 }))).toBe(
      "No units are left: requests are refused until 2025-07-05, the end of the period.",
    );
  });

  it("is unknown without data", () => {
    expect(forecastText(of({ usage_cus: 0, total_cu_24h: 0 }))).toBe("At this pace the units do not run out.");
    expect(forecastUsage({}, NOW).state).toBe("unknown");
    expect(forecastText(forecastUsage({}, NOW))).toBe("How long the units last is unknown.");
  });

  it("preserves the digits of large numbers", () => {
    const { percent } = of({ usage_cus: 1, remaining_cus: 3 });
    expect(percent).toEqual({ negative: false, digits: 25n, scale: 0 });
  });
});
