import { describe, expect, it } from "vitest";
import { fakeData, renderExplorer } from "../support.tsx";

const DAY = 86_400;
const START = Date.UTC(2025, 5, 1) / 1000;

/** An answer with this many days, of which `values` returns the fields. */
const series = (values: (at: number) => object, days = 14) => ({
  updated_time: START + days * DAY,
  lag_days: 1,
  series: Array.from({ length: days }, (_, at) => ({
    block_date: new Date((START + at * DAY) * 1000).toISOString().slice(0, 10),
    block_time: START + at * DAY,
    ...values(at),
  })),
});

const answers = {
  "analytics-transactions": series((at) => ({
    total: 1_728_000,
    vote: 1_000_000,
    nonvote_success: 700_000,
    nonvote_fail: 28_000 + at,
  })),
  "analytics-fees": series((at) => ({
    ...{ base_fee: 100, priority_fee: 50 + at, total_fee: 150 + at },
    ...{ base_fee_usd: 15_000, priority_fee_usd: 7500, total_fee_usd: 22_500 },
  })),
  "analytics-dex-activity": series((at) => ({
    trade_count: 4000,
    trader_count: 512,
    volume_usd: 1e6 + at * 1e5,
    active_dex_count: 47,
  })),
  "analytics-compute-units": series(() => ({ value: 5e9 })),
  "analytics-stake": series((at) => ({ total_stake_sol: 4e8 - at * 1e6, total_stake_usd: 6e10 })),
  "analytics-slots": series(() => ({ value: 216_000 })),
};
const route = { kind: "page", page: "network" } as const;

describe("the network page", () => {
  it("shows the latest value of every metric with its change", async () => {
    const window = renderExplorer({ route, data: fakeData(answers), width: 120, height: 40 });
    const frame = await window.waitFor(/blocks +216K/);
    expect(frame).toMatch(/transactions +1\.728M +0%/);
    expect(frame).toMatch(/votes 1M.*successful 700K.*failed 28/);
    expect(frame).toMatch(/fees +163 SOL +▲ 8\.6\d*%/);
    expect(frame).toMatch(/DEX +~?\$2\.30?M +▲ 130%/);
    expect(frame).toMatch(/4,000 trades +512 traders +47 exchanges/);
    expect(frame).toMatch(/stake +387M SOL +▼ 3\.25%/);
    expect(frame).toMatch(/Jun 2 .*Jun 9/);
  });

  it.each([
    [80, 24],
    [60, 18],
    [200, 50],
  ])("fills a window of %d × %d", async (width, height) => {
    const window = renderExplorer({ route, data: fakeData(answers), width, height });
    const frame = await window.waitFor(/transactions[\s\S]*1\.728M/);
    const lines = frame.split("\n");
    expect(lines.length).toBeLessThanOrEqual(height);
    for (const line of lines) expect([...line].length).toBeLessThanOrEqual(width);
  });

  it("opens a metric as a large chart, and its rows", async () => {
    const window = renderExplorer({ route, data: fakeData(answers), width: 120, height: 40 });
    await window.waitFor(/blocks +216K/);
    await window.press("3");
    const chart = await window.waitFor("change over 14 days");
    expect(chart).toMatch(/base 100 SOL +\S priority 63 SOL/);
    expect(chart).toMatch(/lowest 2025-06-01 +highest 2025-06-14/);
    await window.press("x");
    const rows = await window.waitFor(/PRIORITY.*TOTAL/i);
    expect(rows).toMatch(/2025-06-01 +100 SOL/);
  });

  it("requests another range for the metrics that it shows", async () => {
    const data = fakeData(answers);
    const window = renderExplorer({ route, data, width: 120, height: 40 });
    await window.waitFor(/blocks +216K/);
    await window.press("5");
    await window.waitFor("compute units");
    const count = data.requests.length;
    await window.press("-");
    await expect
      .poll(() => data.requests.slice(count).map(({ endpoint, params }) => [endpoint.name, params.range]))
      .toEqual([["compute-units", 30]]);
    await window.press("+", "+", "+", "+");
    await window.waitFor("365d");
    await expect.poll(() => data.requests.at(-1)?.params.range).toBe(365);
  });

  it("distinguishes the parts of bars without colours", async () => {
    const window = renderExplorer({
      route,
      data: fakeData(answers),
      width: 120,
      height: 40,
      services: { colorScheme: "none" },
    });
    const frame = await window.waitFor(/blocks +216K/);
    expect(frame).toMatch(/█ votes .*▓ successful .*░ failed/);
    expect(frame).toContain("▓▓ ▓▓");
  });

  it("reports a metric that cannot be loaded, and shows the others", async () => {
    const { "analytics-stake": _, ...others } = answers;
    const window = renderExplorer({ route, data: fakeData(others), width: 120, height: 40 });
    const frame = await window.waitFor(/blocks +216K/);
    expect(frame).toMatch(/fees +163 SOL/);
    expect(frame).not.toMatch(/387M/);
  });

  it("is opened by its key from any page", async () => {
    const window = renderExplorer({ data: fakeData(answers), width: 100, height: 30 });
    await window.press("S");
    await window.waitFor("The network per day");
  });
});
