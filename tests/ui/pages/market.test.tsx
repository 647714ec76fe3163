import { describe, expect, it } from "vitest";
import { mintsOf } from "../../../src/ui/pages/market/summary.ts";
import { fakeData, renderExplorer } from "../support.tsx";

const POOL = "F6UXPE97KJGRrEtKQR3dc2e3yCrALzfJBFDqNkRM8Fsd";
const SOL = "So11111111111111111111111111111111111111112";
const USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const answers = {
  "v2-market-info": {
    pool_address: POOL,
    program_id: "675kPX9MHTjS2zt1qfr1NYHuzeLXfQM9H24wFSUt1Mp8",
    token_infos: [
      { token: SOL, token_account: "x", amount: 100 },
      { token: USDC, token_account: "y", amount: 15_000 },
    ],
    create_block_time: 1_700_000_000,
  },
  "v2-market-volume": {
    pool_address: POOL,
    total_volume_24h: 5000,
    total_volume_change_24h: -12.5,
    total_trades_24h: 62,
    total_trades_change_24h: 10,
    tvl: 30_000,
    days: [
      { day: 20250614, value: 4000 },
      { day: 20250615, volume: 5000 },
    ],
  },
  "v2-token-meta": ({ address }: { address?: unknown }) => ({
    address: String(address),
    symbol: address === SOL ? "SOL" : "USDC",
    decimals: 6,
    supply: "1",
  }),
};
const route = { kind: "entity", entity: "market", id: POOL } as const;

describe("the market page", () => {
  it("shows the pair, its reserves and the changes of a day", async () => {
    const window = renderExplorer({ route, data: fakeData(answers), width: 120, height: 40 });
    const frame = await window.waitFor("SOL / USDC");
    expect(frame).toContain(POOL);
    expect(frame).toMatch(/100 SOL \+ ~15K USDC/);
    expect(frame).toContain("▼ 12.5%");
    expect(frame).toContain("▲ 10%");
  });

  it("draws the daily volume, under either of its field names", async () => {
    const window = renderExplorer({ route, data: fakeData(answers) });
    const frame = await window.waitFor("volume over 30 days");
    expect(frame).toContain("$5,000.00 on 2025-06-15  ▲ 25%");
    expect(frame).toContain("█");
    expect(frame).toMatch(/2025-06-14 .*2025-06-15/);
  });

  it("requests other ranges", async () => {
    const data = fakeData(answers);
    const window = renderExplorer({ route, data });
    await window.waitFor("volume over 30 days");
    await window.press("+");
    await window.waitFor("volume over 90 days");
    const times = data.requests
      .filter(({ endpoint }) => endpoint.route === "v2-market-volume")
      .map(({ params }) => params.time);
    expect(times).toEqual([
      ["30d", "today"],
      ["90d", "today"],
    ]);
  });

  it("requests no other range on tabs without a chart", async () => {
    const data = fakeData(answers);
    const window = renderExplorer({ route, data });
    expect(await window.waitFor("volume over 30 days")).toContain("more days");
    await window.press("4");
    await expect.poll(() => window.frame()).not.toContain("more days");
    const requestCount = data.requests.length;
    await window.press("+", "-", "1");
    await window.waitFor("volume over 30 days");
    expect(data.requests.slice(requestCount).filter(({ endpoint }) => endpoint.route === "v2-market-volume")).toEqual(
      [],
    );
  });

  it("finds the reserves under either of their field names", () => {
    expect(mintsOf({ tokens_info: [{ token: SOL }, { token: "" }] })).toEqual([SOL]);
    expect(mintsOf(undefined)).toEqual([]);
  });
});
