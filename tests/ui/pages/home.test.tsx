import fc from "fast-check";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { toDecimal } from "../../../src/base/decimal.ts";
import { ServerError } from "../../../src/base/errors.ts";
import { textWidth } from "../../../src/output/text/width.ts";
import { durationText, epochProgress, speedOf } from "../../../src/ui/pages/home/gauges.ts";
import { withPrices } from "../../../src/ui/pages/home/section-panel.tsx";
import { SECTIONS } from "../../../src/ui/pages/home/sections.ts";
import { layOutHome } from "../../../src/ui/pages/home/summary.tsx";
import { apiIdentity, fakeData, NOW, renderExplorer } from "../support.tsx";

const MINT = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const WALLET = "5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1";
const POOL = "8sLbNZoA1cfnvMJLPfp98ZLAnFSYCFApfJKMbiXNLwxj";
const seconds = NOW / 1000;

const ANSWERS = {
  chaininfo: {
    blockHeight: 244_817_904,
    currentEpoch: 662,
    absoluteSlot: 286_244_072,
    transactionCount: 304_295_532_742,
  },
  "v2-block-last": [
    { current_slot: 286_244_072, block_time: seconds - 2, transactions_count: 90, fee_rewards: 25_283, blockhash: "x" },
    { current_slot: 286_244_071, block_time: seconds - 12, transactions_count: 50, fee_rewards: 5000, blockhash: "y" },
  ],
  "v2-token-trending": [{ address: MINT, decimals: 6, name: "USD Coin", symbol: "USDC" }],
  "v2-token-top": {
    total: 1,
    items: [
      {
        address: MINT,
        decimals: 6,
        name: "USD Coin",
        symbol: "USDC",
        price: 1,
        price_24h_change: -2.5,
        market_cap: 7_521_286_762,
        holder: 613,
      },
    ],
  },
  "v2-account-leaderboard": {
    total: 1,
    data: [{ account: WALLET, total_values: 5_000_000, sol_values: 1, token_values: 2, stake_values: 3 }],
  },
};

describe("the home page", () => {
  it("shows all sections when they fit, each with links", async () => {
    const window = renderExplorer({ data: fakeData(ANSWERS), width: 120, height: 40 });
    const frame = await window.waitFor("286,244,072");
    for (const { title } of SECTIONS) expect(frame).toContain(title);
    expect(frame).toMatch(/epoch +662/);
    expect(frame).toMatch(/TPS[\s\S]*│ 9 /);
    expect(frame).toContain("▼ 2.5%");
    await window.press("tab", "tab", "enter");
    await window.waitFor(/home › token USDC/);
  });

  it("shows fees below their unit, and the name of a token when it fits", async () => {
    const window = renderExplorer({ data: fakeData(ANSWERS), width: 120, height: 40 });
    const frame = await window.waitFor("286244072");
    expect(frame).toMatch(/fee rewards SOL[\s\S]*0\.00002528 /);
    await window.resize(200, 60);
    await window.waitFor(/market cap +holders +mint +name[\s\S]*613 +EPjF\S+ +USD Coin/);
  });

  it("hardly draws anything while nobody presses a key", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"], now: NOW });
    onTestFinished(() => void vi.useRealTimers());
    const identity = { ...apiIdentity(), isSandbox: true, isGrowing: true, rate: undefined, units: 1e12 };
    const [block] = ANSWERS["v2-block-last"];
    const answers = { ...ANSWERS, "v2-block-last": () => [{ ...block, block_time: Math.floor(Date.now() / 1000) }] };
    const window = renderExplorer({
      ...{ data: fakeData(answers), width: 120, height: 40 },
      services: { now: Date.now, identity },
    });
    const drain = async () => {
      for (let round = 0; round < 4; round += 1) await new Promise((resolve) => setImmediate(resolve));
    };
    const countDrawn = async (seconds: number) => {
      let [drawn, before] = [0, ""];
      for (let second = 0; second < seconds; second += 1) {
        await vi.advanceTimersByTimeAsync(1000);
        await drain();
        const body = window.frame().split("\n").slice(1).join("\n");
        if (body !== before) drawn += 1;
        before = body;
      }
      return drawn;
    };
    await drain();
    expect(await countDrawn(56)).toBeGreaterThan(20);
    await countDrawn(20);
    expect(await countDrawn(40)).toBeLessThan(6);
    await window.press("j");
    expect(await countDrawn(20)).toBeGreaterThan(6);
  });

  it("adds the prices of trending tokens that are not among the top tokens, in one request", async () => {
    const data = fakeData({
      ...ANSWERS,
      "v2-token-trending": [
        { address: MINT, decimals: 6, name: "USD Coin", symbol: "USDC" },
        { address: WALLET, decimals: 6, name: "Cosmic", symbol: "COSMIC" },
        { address: POOL, decimals: 6, name: "No trades", symbol: "SILENT" },
      ],
      "v2-token-meta-multi": [{ address: WALLET, symbol: "COSMIC", price: 0.25, price_change_24h: 40 }],
    });
    const window = renderExplorer({ data, width: 120, height: 40 });
    await window.waitFor(/COSMIC +Cosmic +\$0\.25\d* +▲ 40%/);
    expect(window.frame()).toMatch(/USDC +USD Coin +\$1\.00 +▼ +2\.5%/);
    const requests = data.requests.filter(({ endpoint }) => endpoint.path === "/token/meta/multi");
    expect(requests.map(({ params }) => params)).toEqual([{ address: [WALLET, POOL] }]);
  });

  it("requests no further prices while few units are left", async () => {
    const data = fakeData({ ...ANSWERS, "v2-token-trending": [{ address: WALLET, symbol: "COSMIC" }] });
    data.setQuota({ units: { remaining: 10, limit: 1000, at: NOW } });
    const window = renderExplorer({ data, width: 120, height: 40 });
    await window.waitFor(/COSMIC +5Q54/);
    expect(data.requests.map(({ endpoint }) => endpoint.path)).not.toContain("/token/meta/multi");
  });

  it.each([80, 120])("says that the chain of the sandbox does not grow, in %d columns", async (width) => {
    const window = renderExplorer({ data: fakeData(ANSWERS), width });
    expect(await window.waitFor("286244072")).toMatch(/○ sandbox: no new blocks/);
    expect(window.frame()).not.toMatch(/live every/);
    await window.press("a");
    await window.waitFor(/● live/);
  });

  it("shows all parts of the wealth of an account, without bars where these leave no space", async () => {
    const wealthOf = (account: string, [sol = 0, tokens = 0, stakes = 0]: readonly number[]) => ({
      ...{ account, total_values: sol + tokens + stakes, sol_values: sol, token_values: tokens, stake_values: stakes },
    });
    const rows = [wealthOf(WALLET, [7_373e6, 8_015e6, 18_712e6]), wealthOf(POOL, [722.6e6, 12.01e6, 47.34e6])];
    const data = fakeData({ ...ANSWERS, "v2-account-leaderboard": { total: 2, data: rows } });
    const window = renderExplorer({ data, width: 120, height: 40 });
    await window.waitFor(/34\.1\d*B +\$7\.373B +\$8\.015B +\$18\.71/);
    expect(window.frame()).toMatch(/net worth +SOL +tokens +stakes/);
    await window.resize(200, 60);
    await window.waitFor(/34\.1\d*B +█+ +\$7\.373B/);
  });

  it("limits the width of symbols", () => {
    const columns = SECTIONS.flatMap(({ columns }) => columns({ style: "relative", now: NOW }, true));
    expect(columns.filter(({ path }) => path === "symbol").map(({ maxWidth }) => maxWidth)).toEqual([12, 12]);
  });

  it("shows one section at a time in a small window, and stores the row of each", async () => {
    const window = renderExplorer({ data: fakeData(ANSWERS), width: 60, height: 15 });
    await window.waitFor("286244072");
    expect(window.frame()).not.toContain("5Q54…e4j1");
    await window.press("j", "4");
    await window.waitFor("5Q54…e4j1");
    await window.press("1", "enter");
    await window.waitFor(/block 286244071/);
  });

  it("reports a failed section and shows the others", async () => {
    const data = fakeData({ ...ANSWERS, "v2-token-top": new ServerError("The server is tired.") });
    const window = renderExplorer({ data, width: 120, height: 40 });
    const frame = await window.waitFor("The server is tired");
    expect(frame).toContain("286244072");
    expect(frame).toContain("USDC");
  });

  it("retries all failed sections, from any section", async () => {
    const data = fakeData({
      ...ANSWERS,
      chaininfo: new ServerError("Tired."),
      "v2-token-top": new ServerError("Tired."),
    });
    const window = renderExplorer({ data, width: 120, height: 40 });
    await window.waitFor("Tired.");
    data.setAnswers(ANSWERS);
    await window.press("r");
    const frame = await window.waitFor(/epoch +662/);
    expect(frame).not.toContain("Tired.");
    expect(frame).toContain("7.521B");
  });

  it("opens the full list of a section", async () => {
    const window = renderExplorer({ data: fakeData(ANSWERS) });
    await window.waitFor("286244072");
    await window.press("L");
    await window.waitFor(/block last/);
  });
});

describe("the layout of the home page", () => {
  it("never exceeds its region", () => {
    fc.assert(
      fc.property(fc.integer({ min: 60, max: 300 }), fc.integer({ min: 12, max: 120 }), (width, height) => {
        const { summary, columns } = layOutHome({ width, height }, SECTIONS, SECTIONS[2]);
        const area = columns.flat().reduce((sum, one) => sum + one.width * one.height, 0);
        expect(area).toBe(width * (height - summary));
        const titles = columns.flat().map(({ pane }) => pane.section.title);
        expect(titles).toEqual(titles.length === 1 ? ["top tokens"] : SECTIONS.map(({ title }) => title));
      }),
    );
  });
});

describe("the summary of the chain", () => {
  it("computes the progress of the epoch", () => {
    const epoch = epochProgress(toDecimal(432_000 * 5 + 108_000));
    expect(epoch?.share).toBe(0.25);
    expect(durationText(epoch?.secondsLeft ?? 0)).toBe("1d 12h");
    expect(epochProgress(undefined)).toBeUndefined();
  });

  it("has no speed when the blocks span less than a second", () => {
    expect(speedOf([])).toBeUndefined();
    expect(speedOf([{ block_time: 5, transactions_count: 9 }])).toBeUndefined();
  });

  it("has the speed of the latest blocks with its window", async () => {
    const blocks = ANSWERS["v2-block-last"];
    expect(speedOf(blocks)).toEqual({ perSecond: 9, seconds: 10 });
    for (const [width, height] of [
      [80, 24],
      [120, 40],
    ] as const) {
      const window = renderExplorer({ data: fakeData(ANSWERS), width, height });
      await window.waitFor(/TPS \(last 10s\)/);
    }
  });

  it("formats durations", () => {
    expect([30, 3600, 7300, 90_000, 172_800].map(durationText)).toEqual(["1m", "1h", "2h", "1d 1h", "2d"]);
  });

  it("adds prices of trending tokens by mint, not by name", () => {
    const known = [{ address: "a", symbol: "X", price: 5 }];
    const rows = withPrices(
      [
        { address: "a", symbol: "Y" },
        { address: "b", symbol: "X" },
      ],
      known,
    );
    expect(rows).toEqual([
      { address: "a", symbol: "Y", price: 5 },
      { address: "b", symbol: "X" },
    ]);
  });
});

describe("any window", () => {
  it.each([
    [60, 15],
    [80, 24],
    [120, 40],
    [200, 60],
  ])("%d × %d is filled and never exceeded", async (width, height) => {
    const window = renderExplorer({ data: fakeData(ANSWERS), width, height });
    const lines = (await window.waitFor("286244072")).split("\n");
    expect(lines.length).toBeLessThan(height);
    for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(width);
  });
});
