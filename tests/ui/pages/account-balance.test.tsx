import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decimalText } from "../../../src/base/decimal.ts";
import { balanceSeries } from "../../../src/ui/pages/account/balance.tsx";
import { fakeData, NOW, renderExplorer } from "../support.tsx";

const WALLET = "5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1";
const SOL = "So11111111111111111111111111111111111111111";
const TRANSACTION = "5km5s9nKqq7sTuQjw1vPbiqS1ozRLkrWiEnGPihi8Y3USpuhQkemQWWWHuMLJMFqQPbTczQMjvu4eXEorrqcv2h1";
const NOW_SECONDS = NOW / 1000;
const HOUR = 3600;

/** A change some hours ago. */
const change = (hoursAgo: number, before: number, after: number) => ({
  block_time: NOW_SECONDS - hoursAgo * HOUR,
  trans_id: TRANSACTION,
  address: WALLET,
  token_address: SOL,
  token_account: WALLET,
  token_decimals: 9,
  amount: Math.abs(after - before) * 1e9,
  pre_balance: before * 1e9,
  post_balance: after * 1e9,
  change_type: after > before ? "inc" : "dec",
  fee: 5000,
});
const CHANGES = [change(2, 4, 3), change(10, 2, 4), change(30, 1, 2)];

describe("the balance of an account", () => {
  it("is what the changes left, from the beginning of the window until now", () => {
    const points = balanceSeries(CHANGES, { from: NOW_SECONDS - 48 * HOUR, to: NOW_SECONDS });
    expect(points.map(({ time, exact }) => [(NOW_SECONDS - time) / HOUR, exact && decimalText(exact)])).toEqual([
      [48, "1"],
      [30, "2"],
      [10, "4"],
      [2, "3"],
      [0, "3"],
    ]);
  });

  it("begins with the first known change where older ones are not loaded", () => {
    const points = balanceSeries(CHANGES, { from: undefined, to: NOW_SECONDS });
    expect(points[0]).toMatchObject({ value: 2 });
    expect(points).toHaveLength(4);
  });

  it("is that after the last of several changes in a block", () => {
    const points = balanceSeries([change(2, 4, 3), change(2, 5, 4)], { from: undefined, to: NOW_SECONDS });
    expect(points.map(({ value }) => value)).toEqual([3, 3]);
  });

  it("is drawn from any rows", () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), (rows) => {
        expect(Array.isArray(balanceSeries(rows as never, { from: 0, to: NOW_SECONDS }))).toBe(true);
      }),
    );
  });
});

describe("the tab with the balance", () => {
  const route = { kind: "entity", entity: "account", id: WALLET, tab: "balance" } as const;
  const answers = {
    "v2-account-detail": { account: WALLET, lamports: 3e9, type: "system_account" },
    "v2-account-metadata": { account_address: WALLET },
    "v2-account-balance-change": CHANGES,
    "v2-transaction-detail": { tx_hash: TRANSACTION },
  };

  it("draws the changes of SOL in a range, and states how many there are", async () => {
    const data = fakeData(answers);
    const window = renderExplorer({ route, data, width: 120, height: 36 });
    const frame = await window.waitFor("SOL balance");
    expect(frame).toMatch(/SOL balance +3 SOL +▲ 200% in 30 days/);
    expect(frame).toMatch(/lowest 1 SOL .*highest 4 SOL .*3 changes/);
    await window.mouse("click", "7d");
    await window.waitFor("in 7 days");
    const requests = data.requests.filter(({ endpoint }) => endpoint.route === "v2-account-balance-change");
    expect(requests.map(({ params }) => [params.token, params.from_time])).toEqual([
      [[SOL], "30d"],
      [[SOL], "7d"],
    ]);
  });

  it("says since when the change is while older changes of the range are not loaded", async () => {
    const page = Array.from({ length: 100 }, (_, at) => change(at, 200 - at, 199 - at));
    const data = fakeData({ ...answers, "v2-account-balance-change": page });
    const window = renderExplorer({ route, data, width: 120, height: 36 });
    const frame = await window.waitFor("SOL balance");
    expect(frame).toMatch(/▲ 99% since 2025-06-11/);
    expect(frame).toMatch(/the last 100 changes, since 2025-06-11/);
    expect(frame).not.toContain("in 30 days");
  });

  it("opens the transaction at the cursor", async () => {
    const window = renderExplorer({ route, data: fakeData(answers), width: 120, height: 36 });
    await window.waitFor("SOL balance");
    await window.press("left", "left");
    await window.waitFor(/3 SOL +2025-06-15 10:00/);
    await window.press("enter");
    await window.waitFor(/transaction 5km5…/);
  });
});
