import { describe, expect, it } from "vitest";
import { decimalText, toDecimal } from "../../../src/base/decimal.ts";
import { concentrationLines, concentrationOf } from "../../../src/ui/pages/token/record.ts";
import { fakeData, renderExplorer } from "../support.tsx";

const MINT = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const AUTHORITY = "43GSck5H2Xg7h4mSFZpDSvmGRZskwqiFMdGy4D76R5Re";
const META = {
  address: MINT,
  name: "USD Coin",
  symbol: "USDC",
  decimals: 6,
  price: 1.25,
  price_change_24h: -3.5,
  market_cap: 7_521_286_762,
  market_cap_rank: 3,
  supply: "1000000000",
  holder: 613,
  mint_authority: AUTHORITY,
  freeze_authority: null,
};
const PRICES = [
  { date: 20250613, price: 1 },
  { date: 20250615, price: 1.25 },
  { date: 20250614, price: 0.5 },
];
const HOLDERS = {
  total: 20,
  items: Array.from({ length: 20 }, (_, at) => ({
    address: `a${at}`,
    owner: AUTHORITY,
    amount: 40_000_000,
    decimals: 6,
    rank: at + 1,
    value: 40,
    percentage: 4,
  })),
};
const route = { kind: "entity", entity: "token", id: MINT, tab: "price" } as const;
const SOL = "So11111111111111111111111111111111111111112";
/** Candles of four hours on two days, of a price that falls or, for SOL, rises. */
const candles = ({ address, res = "" }: { address?: unknown; res?: unknown }) => ({
  data: [0, 4, 8, 12, 16, 20].flatMap((hour) =>
    [14, 15].map((day) => {
      const close = address === SOL ? 100 + day + hour : 2 - (day - 14) / 2 - hour / 100;
      return {
        time: 202_506_000_000 + day * 10_000 + hour * 100,
        ...{ open_price: close, high_price: close * 1.1, low_price: close * 0.9, close_price: close, volume: 50 },
      };
    }),
  ),
  candles: 12,
  res: String(res),
});
const NO_CANDLES = { data: [], candles: 0, res: "4h" };
const answers = {
  "v2-token-meta": META,
  "v2-token-price": PRICES,
  "v2-token-price-ohlcv": NO_CANDLES,
  "v2-token-holders": HOLDERS,
};
const withCandles = { ...answers, "v2-token-price-ohlcv": candles };
const requestsOf = (data: ReturnType<typeof fakeData>, route: string) =>
  data.requests.filter(({ endpoint }) => endpoint.route === route).map(({ params }) => params);

describe("the token page", () => {
  it("shows price, change, market and authorities", async () => {
    const window = renderExplorer({ route, data: fakeData(answers), width: 120, height: 40 });
    const frame = await window.waitFor("USD Coin");
    expect(frame).toContain(MINT);
    expect(frame).toMatch(/\$1\.25 +▼ 3\.5% in 24h/);
    expect(frame).toMatch(/supply +~?1,?0?0?0?K?.* 6 decimals/);
    expect(frame).toContain("rank 3");
    expect(frame).toContain("43GS…R5Re can mint more");
    expect(frame).toMatch(/freeze authority +revoked/);
  });

  it("draws the price with its change, its extremes and its volume", async () => {
    const window = renderExplorer({ route, data: fakeData(withCandles), width: 120, height: 40 });
    const frame = await window.waitFor("USDC in USD");
    expect(frame).toMatch(/USDC in USD +\$1\.30 +▼ 35% in 30 days .*1d 7d 30d 90d/);
    expect(frame).toMatch(/lowest \$1\.30 2025-06-15 20:00 +highest \$2\.00 2025-06-14 00:00 +volume \$600/);
    expect(frame).toContain("candles of 4h");
    expect(frame).toContain("◂$1.3");
    expect(frame).toMatch(/[▁-█]/);
    expect(frame).toContain("Jun 15");
  });

  it("moves a cursor that reads the time and the prices", async () => {
    const window = renderExplorer({ route, data: fakeData(withCandles), width: 120, height: 40 });
    await window.waitFor("USDC in USD");
    await window.press("left");
    await window.waitFor(/\$1\.30 +2025-06-15 20:00 +▼ 35% since 2025-06-14/);
    await window.press("left");
    const frame = await window.waitFor(/\$1\.34 +2025-06-15 16:00/);
    expect(frame).toMatch(/open 1\.34 +high 1\.474 +low 1\.206 +close 1\.34 +volume \$50/);
    expect(frame).toContain("●");
    await window.press("G");
    await window.waitFor(/▼ 35% in 30 days/);
    await window.press("home");
    await window.waitFor(/\$2\.00 +2025-06-14 00:00/);
    await window.press("esc");
    await window.waitFor(/▼ 35% in 30 days/);
  });

  it("draws prices per day where there are no candles", async () => {
    const window = renderExplorer({ route, data: fakeData(answers), width: 120, height: 40 });
    const frame = await window.waitFor("prices per day");
    expect(frame).toContain("$1.25  ▲ 25% in 30 days");
    expect(frame).toContain("lowest $0.50 2025-06-14");
  });

  it("requests longer and shorter ranges, of the candles that fit", async () => {
    const data = fakeData(withCandles);
    const window = renderExplorer({ route, data, width: 120, height: 40 });
    await window.waitFor("in 30 days");
    await window.press("+");
    await window.waitFor("in 90 days");
    await window.press("-", "-", "-");
    await window.waitFor("in 24 hours");
    const ranges = requestsOf(data, "v2-token-price-ohlcv").map(({ res, from_time: from }) => [res, from]);
    expect(ranges).toContainEqual(["4h", "30d"]);
    expect(ranges).toContainEqual(["1d", "90d"]);
    expect(ranges).toContainEqual(["15m", "1d"]);
    expect(requestsOf(data, "v2-token-price")).toEqual([]);
  });

  it("compares the price with SOL at a stated cost", async () => {
    const data = fakeData(withCandles);
    const window = renderExplorer({ route, data, width: 140, height: 40 });
    expect(await window.waitFor("in 30 days")).toMatch(/s compare with SOL \(\d+ units\)/);
    expect(requestsOf(data, "v2-token-price-ohlcv")).toHaveLength(1);
    await window.press("s");
    const frame = await window.waitFor(/USDC ▼ 35% +\S+ SOL ▲ 18\.42%/);
    expect(frame).toContain("change since 2025-06-14 00:00");
    expect(frame).toMatch(/-30%|-40%/);
    expect(requestsOf(data, "v2-token-price-ohlcv").at(-1)).toMatchObject({ address: SOL });
    await window.press("s");
    await window.waitFor("in 30 days");
  });

  it("draws in ASCII when the terminal has no Unicode", async () => {
    const window = renderExplorer({ route, data: fakeData(withCandles), services: { unicode: false } });
    const frame = await window.waitFor("in 30 days");
    expect(frame).toContain("*");
    expect(frame).not.toMatch(/[^\x00-\x7F]/);
  });

  it("shows how much the largest accounts hold", async () => {
    const window = renderExplorer({
      route: { ...route, tab: "holders" },
      data: fakeData(answers),
      width: 120,
      height: 40,
    });
    const frame = await window.waitFor("top 20");
    expect(frame).toMatch(/█ largest 4% +▒ top 10 40% +▓ top 20 80% +· others 20%/);
    expect(frame).toMatch(/█{5}▒{43}▓{48}·{24}/);
  });

  it("warns of a name that imitates another", async () => {
    const meta = { ...META, address: AUTHORITY, symbol: "USDС", name: "USD Coin" };
    const data = fakeData({ ...answers, "v2-token-meta": meta });
    const window = renderExplorer({ route: { ...route, id: AUTHORITY }, data });
    const frame = await window.waitFor("verify the mint");
    expect(frame).toContain("⚠");
    expect(frame).toContain("Cyrillic");
  });

  it("warns of a famous symbol of another token", async () => {
    const data = fakeData({ ...answers, "v2-token-meta": { ...META, address: AUTHORITY } });
    const window = renderExplorer({ route: { ...route, id: AUTHORITY }, data });
    const frame = await window.waitFor("verify the mint address.");
    expect(frame).toContain('"USDC" belongs to another token');
    expect(frame).toContain("⚠ USDC");
  });

  it("shows candles in dollars, of another length on request", async () => {
    const candle = (hour: number, close: number) => ({
      time: 202_506_150_000 + hour * 100,
      open_price: 1,
      high_price: 1.5,
      low_price: 0.75,
      close_price: close,
      volume: 1000,
    });
    const ohlcv = ({ res = "" }: { res?: unknown }) => ({
      data: [candle(9, 1.25), candle(10, 1.125)],
      candles: 2,
      res: String(res),
      cursor: 202_506_150_900,
    });
    const data = fakeData({ ...answers, "v2-token-price-ohlcv": ohlcv });
    const window = renderExplorer({ route: { ...route, tab: "candles" }, data, width: 120, height: 40 });
    const frame = await window.waitFor("USDC in USD");
    expect(frame).toMatch(/USDC in USD +1\.125 +▲ 12\.5%/);
    expect(frame).toMatch(/lowest 0\.75 .*highest 1\.5 /);
    await window.press(">");
    await expect
      .poll(() => data.requests.filter(({ endpoint }) => endpoint.route === "v2-token-price-ohlcv").at(-1)?.params.res)
      .toBe("4h");
  });

  it("shows statistics with the time windows as columns, and all values", async () => {
    const statistics = {
      token_address: MINT,
      volume_1h: 1500,
      volume_24h: 2_000_000,
      volume_24h_change_pct: -12.5,
      buy_volume_24h: 500_000,
      sell_volume_24h: 1_500_000,
      num_trade_24h: 431,
      price_24h_change_pct: 3.25,
      liquidity: 700_000,
      num_pool: 12,
      holder_top_5_balance_pct: 38.5,
      holder_gini: 0.99731,
      first_listing_time: 0,
      holder_top_100_balance_pct: 50.5,
    };
    const data = fakeData({ ...answers, "v2-token-statistic": statistics });
    const tab = { ...route, tab: "statistics" };
    const window = renderExplorer({ route: tab, data, width: 120, height: 40 });
    const frame = await window.waitFor("bought / sold");
    expect(frame).toMatch(/5m .*1h .*24h .*7d/);
    expect(frame).toMatch(/price .*▲ 3\.25%/);
    expect(frame).toMatch(/volume .*\$1,500.*\$2M/);
    expect(frame).toMatch(/trades .*431/);
    // A quarter of ten cells.
    expect(frame).toMatch(/bought \/ sold .*[^█]██[▌▋]░+/);
    expect(frame).toMatch(/liquidity +~?\$700K in 12 pools/);
    expect(frame).toContain("top 5 38.5%");
    expect(frame).toMatch(/gini +0\.997/);
    expect(frame).not.toContain("listed ");
    await window.press("x");
    const values = await window.waitFor(/volume 24h change % +▼ 12\.5%/);
    expect(values).toMatch(/holder gini +0\.99731/);
    expect(values).not.toContain("bought / sold");
    const narrow = renderExplorer({ route: tab, data, width: 60, height: 30 });
    expect(await narrow.waitFor("bought / sold")).toMatch(/ {10}1h +24h +7d\s/);
  });

  it("has no change of trades where there were none in the window before", async () => {
    const windowOf = (name: string, volume: number, trades: number) => ({
      [`volume_${name}`]: 1500,
      [`volume_${name}_change_pct`]: volume,
      [`num_trade_${name}`]: 8,
      [`num_trade_${name}_change_pct`]: trades,
      [`price_${name}_change_pct`]: 0,
    });
    const statistics = { token_address: MINT, ...windowOf("1h", 0, 0), ...windowOf("24h", 12.5, 0) };
    const data = fakeData({ ...answers, "v2-token-statistic": statistics });
    const window = renderExplorer({ route: { ...route, tab: "statistics" }, data, width: 60, height: 30 });
    const frame = await window.waitFor("bought / sold");
    expect(frame).toMatch(/price +0% +0% +-/);
    expect(frame).toMatch(/volume .*\n *change +- +▲ 12\.5% +-/);
    expect(frame).toMatch(/trades .*\n *change +- +0% +-/);
  });

  it("says that there are no statistics of a token that is not listed", async () => {
    const data = fakeData({ ...answers, "v2-token-statistic": {} });
    const window = renderExplorer({ route: { ...route, tab: "statistics" }, data });
    await window.waitFor("No statistics");
  });

  it("opens the address as an account", async () => {
    const window = renderExplorer({ route, data: fakeData(answers) });
    await window.waitFor("USD Coin");
    await window.press("A");
    await window.waitFor(/account USDC/);
  });
});

describe("concentration", () => {
  it.each([60, 80, 120])(
    "has a legend that fits %i columns, with the largest holder and all groups together",
    (width) => {
      const groups = [1, 10, 20, 40].map((count, at) => ({
        count,
        percent: { negative: false, digits: 9990n + BigInt(at), scale: 2 },
      }));
      const lines = concentrationLines(groups, { width, unicode: true, colors: "mixed" }, 2);
      const texts = lines.map((line) => line.map(({ text }) => text).join(""));
      expect(texts[1]?.length).toBeLessThanOrEqual(width);
      expect(texts[1]).toMatch(/largest .*top 40 .*others/);
    },
  );

  const holder = (amount: string, percentage: number) => ({ amount_str: amount, percentage });

  it("is exact where amounts and supply are known", () => {
    const groups = concentrationOf([holder("9007199254740993", 1)], toDecimal("18014398509481986"), [1, 10]);
    expect(groups.map(({ count, percent }) => [count, decimalText(percent)])).toEqual([[1, "50"]]);
  });

  it("sums the reported shares when there is no supply", () => {
    const groups = concentrationOf([holder("1", 33.3), holder("1", 0.1)], undefined, [1, 2]);
    expect(groups.map(({ percent }) => decimalText(percent))).toEqual(["33.3", "33.4"]);
  });

  it("is omitted for groups with more members than rows, and without holders", () => {
    expect(concentrationOf([], toDecimal("5"))).toEqual([]);
    expect(concentrationLines([], { width: 80, unicode: true, colors: "mixed" }, 2)).toEqual([]);
  });
});
