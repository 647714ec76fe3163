/** Lists beyond one page: loading, its progress, and what works over everything that is loaded. */
import { describe, expect, it } from "vitest";
import { SolxError } from "../../../../src/base/errors.ts";
import type { ParameterValues } from "../../../../src/catalogue/index.ts";
import type { Route } from "../../../../src/ui/navigation/route.ts";
import { type FakeAnswer, fakeData, renderExplorer } from "../../support.tsx";
import { transfer, WALLET } from "./samples.ts";

const ROUTE = "v2-account-transfer";
const LIST: Route = { kind: "endpoint", endpointRoute: ROUTE, params: { address: WALLET } };

/** Transfers of 1, 2, 3, … USDC, on pages. */
const transfers =
  (count: number): FakeAnswer =>
  (params: ParameterValues) => {
    const size = Number(params.page_size ?? 100);
    const first = (Number(params.page ?? 1) - 1) * size;
    return Array.from({ length: Math.max(0, Math.min(size, count - first)) }, (_, at) =>
      transfer({
        trans_id: `tx ${first + at}`,
        amount: (first + at + 1) * 1_000_000,
        flow: at % 2 === 0 ? "in" : "out",
      }),
    );
  };

const open = (answer: FakeAnswer, route: Route = LIST) => {
  const data = fakeData({ [ROUTE]: answer });
  return { data, ...renderExplorer({ route, data, width: 120, height: 24 }) };
};

describe("loading a list", () => {
  it("states the cost before, loads everything, and then moves, sorts and adds up over all rows", async () => {
    const { waitFor, press, frame } = open(transfers(1234));
    await waitFor("rows 1–100");
    await press("L");
    expect(frame()).toContain("load  all · up to 25,000 rows · at most 250 requests, 25,000 units");
    await press("enter");
    await waitFor("all 1,234 rows · Σ amount 761,995 USDC");
    expect(frame()).toMatch(/14 requests, 1,400 units/);
    await press("G");
    expect(frame()).toMatch(/1,234 +USDC/);
    await press("s");
    await waitFor("sorted by amount ↓, all 1,234 rows");
    expect(frame().split("\n")[3]).toMatch(/1,234 +USDC/);
    await press("/", "~^out$", "enter");
    expect(frame()).toContain("617 of all 1,234 rows");
  });

  it("loads as many pages as typed, and continues", async () => {
    const { waitFor, press, frame, toasts } = open(transfers(1234));
    await waitFor("rows 1–100");
    await press("G");
    await expect.poll(() => toasts.at(-1)).toBe("Last of the 100 rows that are loaded · L load more");
    await press("L", "3");
    expect(frame()).toContain("load 3  pages · rows 1–300 · at most 3 requests, 300 units");
    await press("enter");
    await waitFor("300 loaded rows · Σ amount 45,150 USDC");
    await press("/", "~^2$", "enter");
    expect(frame()).toContain("1 of 300 rows, 300 loaded rows");
    await press("esc", "L", "enter");
    await waitFor("all 1,234 rows");
  });

  it("keeps what is loaded when a page fails, and continues with the same key", async () => {
    let isBroken = true;
    const pages = transfers(450);
    const { waitFor, press } = open((params) => {
      if (isBroken && params.page === 4) return new SolxError("server", "The server is broken.");
      return typeof pages === "function" ? pages(params) : pages;
    });
    await waitFor("rows 1–100");
    await press("L", "enter");
    await waitFor("Stopped after 300 rows: The server is broken. · L continue");
    isBroken = false;
    await press("L", "enter");
    await waitFor("all 450 rows");
  });

  it("keeps the cursor on its row, and refreshing shows the first page again", async () => {
    const { waitFor, press, frame } = open(transfers(250));
    await waitFor("rows 1–100");
    await press("jjjj", "L", "enter");
    await waitFor("all 250 rows");
    await press("v");
    await waitFor(/amount.*5 USDC/);
    await press("v", "r");
    await waitFor("rows 1–100");
    expect(frame()).toContain("page 1");
  });

  it("is not offered for a list that is complete", async () => {
    const { waitFor, press, frame } = open(transfers(3));
    await waitFor("3 rows");
    await press("L");
    expect(frame()).not.toContain("load  all");
  });
});

describe("filters by the value of a cell", () => {
  it("are requested from the API where it has one, and shown as chips that can be removed", async () => {
    const { waitFor, press, data, frame, mouse } = open(transfers(3));
    await waitFor("3 rows");
    await press("h", "=");
    await waitFor("flow = in ✕");
    expect(data.requests.at(-1)?.params).toMatchObject({ address: WALLET, flow: "in" });
    await press("l", "l", "l", "-");
    await waitFor("from ≠ 2iXU…LSZd ✕");
    expect(data.requests.at(-1)?.params).toMatchObject({ flow: "in", exclude_from: [expect.any(String)] });
    await press("!");
    expect(await waitFor("solx command of this view")).toMatch(/--flow in/);
    await press("esc", "backspace");
    await waitFor(/flow = in ✕ {2,}/);
    await mouse("click", "flow = in");
    await waitFor("3 rows");
    expect(frame()).not.toContain("✕");
  });

  it("apply to the rows on the screen otherwise, and say so", async () => {
    const { waitFor, press, frame, data } = open(transfers(300));
    await waitFor("rows 1–100");
    await press("=");
    await waitFor("amount = 1 (this page) ✕");
    expect(frame()).toMatch(/1 +USDC/);
    expect(frame()).not.toMatch(/ 2 +USDC/);
    await press("!");
    expect(await waitFor("solx command of this view")).toContain("# only on screen: filter amount = 1");
    await press("esc", "X");
    expect(frame()).toMatch(/ 2 +USDC/);
    expect(data.requests).toHaveLength(1);
  });

  it("show failed transactions only, and all again", async () => {
    const route: Route = { kind: "endpoint", endpointRoute: "v2-account-transactions", params: { address: WALLET } };
    const rows = ["Success", "Fail", "Success"].map((status, at) => ({ status, tx_hash: `tx ${at}`, fee: 5000 }));
    const data = fakeData({ "v2-account-transactions": rows });
    const { waitFor, press, frame } = renderExplorer({ route, data, width: 120, height: 24 });
    await waitFor("tx 0");
    expect(frame()).toContain("x failed only");
    await press("x");
    await waitFor("status = Fail");
    expect(frame()).not.toContain("tx 0");
    expect(frame()).toContain("tx 1");
    await press("x");
    await waitFor("tx 0");
  });

  it("leave a message and the way back when nothing is left", async () => {
    const { waitFor, press } = open((params) => (params.flow === undefined ? [transfer()] : []));
    await waitFor("1 row");
    await press("h", "=");
    await waitFor("No transfers of 5Q54…e4j1 with these filters · X remove filters");
    await press("X");
    await waitFor("1 row");
  });
});
