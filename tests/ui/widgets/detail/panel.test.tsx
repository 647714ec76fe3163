/** The detail view in the explorer: what it shows and what keys do. */
import { describe, expect, test } from "vitest";
import { SolxError } from "../../../../src/base/errors.ts";
import type { Route } from "../../../../src/ui/navigation/route.ts";
import { fakeData, renderExplorer } from "../../support.tsx";

const TX = "F16MuS9H67iSTdHqtfRXF4e6DaVVdQSnuBYRzGcFYXrJhgFS3zxmKeRpGNFjYrewT2738u59NA6wXfp2t7KwDSd";
const SIGNER = "ob2htHLoCu2P6tX7RrNVtiG1mYTas8NGJEVLaFEUngk";
const USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const ROUTE = "v2-transaction-detail";
const REQUEST: Route = { kind: "endpoint", endpointRoute: ROUTE, params: { tx: TX } };

const ANSWER = {
  tx_hash: TX,
  block_id: 281844070,
  block_time: 1749902400,
  status: 1,
  fee: 6268,
  compute_units_consumed: 31207,
  signer: [SIGNER],
  programs_involved: [],
  sol_bal_change: Array.from({ length: 10 }, (_, index) => ({
    address: SIGNER,
    pre_balance: "1000000000",
    post_balance: String(1_000_000_000 + index),
    change_amount: String(index),
  })),
  token_bal_change: [
    {
      owner: SIGNER,
      token_address: USDC,
      change_amount: "-5643804",
      decimals: 6,
      post_balance: "18446744073709551615",
    },
  ],
  parsed_instructions: [],
  log_message: ["Program log: hello"],
};

async function openDetail(answer: unknown = ANSWER, size: { width?: number; height?: number } = {}) {
  const data = fakeData({ [ROUTE]: answer as typeof ANSWER });
  const window = renderExplorer({ route: REQUEST, data, ...size });
  await window.waitFor("tx hash");
  return { ...window, data };
}

describe("the detail view of an endpoint", () => {
  test("shows fields with units, foldable sections, and a description of the selected field", async () => {
    const { frame } = await openDetail(ANSWER, { width: 120, height: 40 });
    expect(frame()).toMatch(/fee +0\.000006268 SOL/);
    expect(frame()).toMatch(/block time +1d ago · 2025-06-14 12:00:00 UTC/);
    expect(frame()).toMatch(/▸ SOL bal change +10 entries/);
    expect(frame()).toMatch(/change amount +-5\.643804/);
    expect(frame()).toContain("tx_hash  Signature of the transaction");
  });

  test("shows a whole identifier in the footer when its row is too narrow", async () => {
    const { frame } = await openDetail(ANSWER, { width: 60, height: 24 });
    expect(frame().split("\n")[1]).toContain("…");
    expect(frame().replaceAll(/\s*\n/g, "")).toContain(TX);
  });

  test("shows names before identifiers, also those that become known later", async () => {
    const { waitFor, frame, data } = await openDetail(ANSWER, { height: 40 });
    expect(frame()).toContain(`USDC  ${USDC}`);
    data.names.learn({ account_address: SIGNER, account_label: "Market maker" });
    await waitFor(`Market maker  ${SIGNER}`);
  });

  test("follows links and returns to the same row", async () => {
    const { press, frame, waitFor } = await openDetail();
    await press("j", "j", "j", "j", "j", "j");
    await waitFor("signer  Accounts that signed");
    expect(frame()).toContain("Enter open account");
    await press("enter");
    await waitFor("account ob2h");
    await press("[");
    await waitFor("signer  Accounts that signed");
  });

  test("offers Enter only for links", async () => {
    const data = fakeData({ "v2-account-detail": { account: SIGNER, lamports: 5 } });
    const { press, waitFor, frame } = renderExplorer({
      route: { kind: "endpoint", endpointRoute: "v2-account-detail", params: { address: SIGNER } },
      data,
    });
    await waitFor("Enter open account");
    await press("j");
    await waitFor("lamports  Balance");
    expect(frame()).not.toContain("Enter");
  });

  test("offers no link to the current page", async () => {
    const { waitFor, frame } = renderExplorer({
      route: { kind: "entity", entity: "transaction", id: TX, tab: "raw" },
      data: fakeData({ [ROUTE]: ANSWER }),
    });
    await waitFor("tx hash");
    expect(frame()).not.toContain("open transaction");
  });

  test("folds and unfolds", async () => {
    const { press, waitFor, frame } = await openDetail(ANSWER, { height: 50 });
    await press("G", "Z");
    await waitFor("[9]");
    await press("Z");
    await waitFor(/▸ token bal change/);
    expect(frame()).not.toContain("[9]");
  });

  test("shows the raw JSON at the same value", async () => {
    const { press, waitFor } = await openDetail(ANSWER, { height: 40 });
    await press("j", "J");
    const frame = await waitFor('"block_id": 281844070,');
    expect(frame).toContain("block_id  Slot of the block");
    expect(frame).toContain('"tx_hash"');
    await press("J");
    await waitFor("tx hash");
  });

  test("finds folded values, counts matches, and clears the search", async () => {
    const { press, waitFor, frame } = await openDetail();
    await press("/", "0.000000009");
    await waitFor("1/1");
    expect(frame()).toContain("sol_bal_change[9].change_amount");
    await press("enter");
    await waitFor("n next");
    await press("esc");
    await waitFor(/ \d+\/\d+ ──/);
    expect(frame()).toContain("transaction detail F16M");
  });

  test("treats keys as text while a search is typed", async () => {
    const { press, waitFor, quits, paste } = await openDetail();
    await press("/", "q", "J");
    await waitFor("/qJ");
    await paste(USDC);
    await waitFor("not found");
    await press("esc");
    await waitFor("tx hash");
    expect(quits()).toBe(0);
  });

  test("keeps the value during a refresh and reports a failure", async () => {
    const { press, waitFor, data } = await openDetail();
    data.setAnswers({ [ROUTE]: undefined as never });
    await press("r");
    expect(data.requests).toHaveLength(2);
    await waitFor("0.000006268 SOL");
    data.setAnswers({ [ROUTE]: new SolxError("server", "The server is out of order.") });
    const frame = await waitFor(/Refresh failed/);
    expect(frame).toContain("0.000006268 SOL");
  });

  test("can be cancelled while loading", async () => {
    const { waitFor, press } = renderExplorer({ route: REQUEST, data: fakeData() });
    await waitFor(/Esc stop loading/);
    await press("esc");
    await waitFor(/r refresh/);
  });

  test("explains a missing answer", async () => {
    const failed = fakeData({ [ROUTE]: new SolxError("notFound", "There is no such transaction.") });
    const { waitFor } = renderExplorer({ route: REQUEST, data: failed });
    await waitFor("There is no such transaction.");
  });

  test("reports an empty object", async () => {
    const { waitFor } = renderExplorer({ route: REQUEST, data: fakeData({ [ROUTE]: {} }) });
    await waitFor(/no fields/);
  });

  test("reports an empty answer", async () => {
    const { waitFor } = renderExplorer({ route: REQUEST, data: fakeData({ [ROUTE]: null }) });
    await waitFor("no data available");
  });

  test("restores cursor and folds, and fits any window size", async () => {
    const { press, waitFor, frame, resize } = await openDetail(ANSWER, { width: 120, height: 40 });
    await press("G", "k");
    for (const [width, height] of [
      [60, 15],
      [200, 60],
      [80, 24],
    ] as const) {
      await resize(width, height);
      const lines = frame().split("\n");
      expect(lines.length).toBeLessThan(height);
      expect(lines.every((one) => one.length <= width)).toBe(true);
      await waitFor(/ \d+\/\d+ ──/);
    }
  });
});
