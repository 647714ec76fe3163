import { describe, expect, it } from "vitest";
import { mintsOf } from "../../../src/ui/pages/market/record.ts";
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
      { day: 20250614, value: 4000, tvl: 40_000 },
      { day: 20250615, volume: 5000, tvl: 30_000 },
    ],
  },
  "v2-token-meta": ({ address }: { address?: unknown }) => ({
    address: String(address),
    symbol: address === SOL ? "SOL" : "USDC",
    decimals: 6,
    supply: "1",
  }),
};
const route = { kind: "entity", entity: "market", id: POOL, tab: "volume" } as const;

/** An hourly candle: its hour on 2025-06-15, its open, high, low and close, and its volume. */
const candle = (hour: number, [open, high, low, close]: readonly [number, number, number, number], volume: number) => ({
  time: 202_506_150_000 + hour * 100,
  open_price: open,
  high_price: high,
  low_price: low,
  close_price: close,
  volume,
});
const CANDLES = [
  candle(9, [140, 142, 139, 141], 1000),
  candle(10, [141, 150, 140, 149.5], 2500),
  candle(12, [149.5, 151, 143, 144], 400),
];
const candles = ({ direction = "quote", res = "1h" }: { direction?: unknown; res?: unknown }) => ({
  data: direction === "quote" ? CANDLES : [candle(9, [0.007, 0.008, 0.006, 0.0075], 10)],
  candles: 3,
  token: direction === "quote" ? SOL : USDC,
  currency: direction === "quote" ? USDC : SOL,
  direction: String(direction),
  res: String(res),
  cursor: 202_506_150_900,
});

describe("the market page", () => {
  it("shows the pair, its reserves and the changes of a day", async () => {
    const window = renderExplorer({ route, data: fakeData(answers), width: 120, height: 40 });
    const frame = await window.waitFor("wSOL/USDC");
    expect(frame).toContain(POOL);
    expect(frame).toMatch(/reserves +100 wSOL \+ 15K USDC/);
    expect(frame).toContain("▼ 12.5%");
    expect(frame).toContain("▲ 10%");
  });

  it("has no change of volume and trades where there were none on the day before", async () => {
    const volume = { ...answers["v2-market-volume"], total_volume_change_24h: 0, total_trades_change_24h: 0 };
    const data = fakeData({ ...answers, "v2-market-volume": volume });
    const window = renderExplorer({ route, data, width: 120, height: 40 });
    expect(await window.waitFor("wSOL/USDC")).toMatch(/volume 24h +\$5,?[0K]+ {2,}trades 24h +62 *\n/);
  });

  it("draws the daily volume, under either of its field names", async () => {
    const window = renderExplorer({ route, data: fakeData(answers) });
    const frame = await window.waitFor("volume per day");
    expect(frame).toMatch(/volume per day +\$5,000\.00 +▲ 25% in 30 days/);
    expect(frame).toMatch(/lowest \$4,000\.00 2025-06-14 +highest \$5,000\.00 2025-06-15/);
    expect(frame).toContain("█");
  });

  it.each([
    [80, 24],
    [120, 36],
  ])("draws the value locked, with the reserves in units and dollars, at %i × %i", async (width, height) => {
    const meta = ({ address }: { address?: unknown }) => ({
      address: String(address),
      price: address === SOL ? 150 : 1,
    });
    const data = fakeData({ ...answers, "v2-token-meta": meta });
    const window = renderExplorer({ route: { ...route, tab: "liquidity" }, data, width, height });
    const frame = await window.waitFor(/value locked +\$30,000\.00 +▼ 25% in 30 days/);
    expect(frame).toMatch(/100 wSOL \$15K +15K USDC \$15K/);
    expect(frame).toMatch(/◂\$?30/);
  });

  it("requests other ranges", async () => {
    const data = fakeData(answers);
    const window = renderExplorer({ route, data });
    await window.waitFor("in 30 days");
    await window.press("+");
    await window.waitFor("in 90 days");
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
    expect(await window.waitFor("in 30 days")).toContain("more days");
    await window.press("5");
    await expect.poll(() => window.frame()).not.toContain("more days");
    const requestCount = data.requests.length;
    await window.press("+", "-", "2");
    await window.waitFor("in 30 days");
    expect(data.requests.slice(requestCount).filter(({ endpoint }) => endpoint.route === "v2-market-volume")).toEqual(
      [],
    );
  });

  it("opens with candles: the pair, the last price, the change and the extremes", async () => {
    const data = fakeData({ ...answers, "v2-market-price-ohlcv": candles });
    const window = renderExplorer({ route: { ...route, tab: "candles" }, data, width: 120, height: 40 });
    const frame = await window.waitFor("SOL in USDC");
    expect(frame).toMatch(/SOL in USDC +144 +▲ ~?2\.8\d*% since 2025-06-15 09:00/);
    expect(frame).toMatch(/lowest 139 .*highest 151 .*volume \$3,900/);
    expect(frame).toMatch(/1m 5m 15m 30m 1h 4h/);
    expect(frame).toContain("█");
    expect(frame).toContain("◂144");
    expect(frame).toContain("2025-06-15");
  });

  it("describes the selected candle", async () => {
    const data = fakeData({ ...answers, "v2-market-price-ohlcv": candles });
    const window = renderExplorer({ route: { ...route, tab: "candles" }, data, width: 120, height: 40 });
    await window.waitFor("SOL in USDC");
    await window.press("left");
    const frame = await window.waitFor(/SOL in USDC +144 +2025-06-15 12:00 +▼ ~?3\.6\d*%/);
    expect(frame).toMatch(/open 149\.5 +high 151 +low 143 +close 144 +volume \$400/);
    await window.press("left");
    await window.waitFor(/149\.5 +2025-06-15 10:00 +▲/);
    await window.press("right", "right");
    await window.waitFor(/SOL in USDC +144 +▲/);
  });

  it("requests other lengths and the reverse direction of candles", async () => {
    const data = fakeData({ ...answers, "v2-market-price-ohlcv": candles });
    const window = renderExplorer({ route: { ...route, tab: "candles" }, data, width: 120, height: 40 });
    await window.waitFor("SOL in USDC");
    await window.press(">");
    await window.press("i");
    await window.waitFor("USDC in wSOL");
    const requests = data.requests.filter(({ endpoint }) => endpoint.route === "v2-market-price-ohlcv");
    expect(requests.map(({ params: { res, direction } }) => [res, direction])).toEqual([
      ["1h", undefined],
      ["4h", undefined],
      ["4h", "base"],
    ]);
  });

  it("lists the positions in the pool", async () => {
    const position = {
      position_id: "DVbzihLqQh5uDtgG1FD6VMaGkUUotaNeZGSbUMVcj5qM",
      position_owner: "FK8X52AaquiZD4XevuSzNsKdF73y3SQjnfMmuFcJXerT",
      position_value: 1234.5,
      is_pos_in_range: false,
      token_info: { token_1: SOL, token_2: USDC, amount_1: 0, amount_2: 1_234_500_000 },
      price_info: { lower_price: 100, current_price: 150, upper_price: 120 },
    };
    const data = fakeData({ ...answers, "v2-market-positions": [position] });
    const window = renderExplorer({ route: { ...route, tab: "positions" }, data, width: 160, height: 30 });
    const frame = await window.waitFor("$1,235");
    expect(frame).toMatch(/in range/i);
    expect(frame).toContain("FK8X");
  });

  it("finds the reserves under either of their field names", () => {
    expect(mintsOf({ tokens_info: [{ token: SOL }, { token: "" }] })).toEqual([SOL]);
    expect(mintsOf(undefined)).toEqual([]);
  });
});
