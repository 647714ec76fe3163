/** The page of a block. */

import { describe, expect, test } from "vitest";
import { SolxError } from "../../../src/base/errors.ts";
import type { ParameterValues } from "../../../src/catalogue/index.ts";
import type { Route } from "../../../src/ui/navigation/route.ts";
import { blockFacts, nextListedSlot, previousSlot } from "../../../src/ui/pages/block/record.ts";
import { fakeData, fakeServices, NOW, renderExplorer } from "../support.tsx";
import { CLOCK, textOf } from "./transaction/fixture.ts";

const SIGNATURE = "4dqr5SruMWyv6z31Xp2DCmeyEGwaewvqCe8shfxKXRhUqaF8naGq7TTyVafHz7WDABM5ZAvhsh3GJAwc9JNySGrG";
const BLOCK = {
  blockhash: "8Gsd6Bky9RJAUKNRae5mrbzQkPPbeMHUXFnxJ5jEnsXQ",
  fee_rewards: 19674247,
  transactions_count: 1513,
  block_height: 260946879,
  block_time: 1722920234,
  time: "2024-08-06T04:57:14.000Z",
  parent_slot: 98,
  previous_block_hash: "G9Cnb8CguMEcKSZQuUvRc2DP1gGTvTjWE3XaqCpAGZd5",
};

describe("neighbours", () => {
  test("the previous block is the parent, since slots may be empty", () => {
    expect(previousSlot("100", BLOCK)).toBe("98");
    expect(previousSlot("100", undefined)).toBe("99");
    expect(previousSlot("0", undefined)).toBeUndefined();
    expect(previousSlot("5", { parent_slot: 5 })).toBe("4");
  });

  test("the next block is the following one in a list that has all blocks from the slot on", () => {
    const listed = [103, 101, 100, 98].map((current_slot) => ({ current_slot }));
    expect(nextListedSlot(100, listed)).toBe(101);
    expect(nextListedSlot(99, listed)).toBe(100);
    expect(nextListedSlot(103, listed)).toBeUndefined();
    expect(nextListedSlot(97, listed)).toBeUndefined();
    expect(nextListedSlot(100, undefined)).toBeUndefined();
  });
});

test("missing facts of a block are omitted", () => {
  const facts = blockFacts("7", { block_time: null, transactions_count: null }, CLOCK, 80);
  const text = facts.map(({ label, value }) => `${label} ${textOf(value)}`).join("\n");
  expect(text).toContain("slot 7");
  expect(text).toContain("time unknown");
  expect(text).not.toMatch(/null|undefined|NaN/);
});

test("the ages of a block and of its transactions agree at any time", async () => {
  let now = NOW;
  const block_time = NOW / 1000 - 2;
  const data = fakeData({
    "v2-block-detail": { ...BLOCK, block_time },
    "v2-block-transactions": {
      total: 1,
      transactions: [{ tx_hash: SIGNATURE, slot: 100, status: "Success", fee: 5000, signer: [], block_time }],
    },
  });
  const services = { now: () => now };
  const route: Route = { kind: "entity", entity: "block", id: "100", tab: "transactions" };
  const window = renderExplorer({ route, data, services, width: 120, height: 30 });
  await window.waitFor(/time +2s ago[\s\S]*4dqr[^\n]* 2s ago/);
  now += 7000;
  await window.resize(110, 30);
  await window.waitFor(/time +2s ago[\s\S]*4dqr[^\n]* 2s ago/);
  now += 8000;
  await window.resize(120, 30);
  await window.waitFor(/time +17s ago[\s\S]*4dqr[^\n]* 17s ago/);
});

describe("the block page", () => {
  const route: Route = { kind: "entity", entity: "block", id: "100" };
  const exists = new Set(["100", "98", "103"]);
  const detail = ({ block }: ParameterValues) =>
    exists.has(String(block))
      ? { ...BLOCK, parent_slot: block === "103" ? 100 : 98, transactions_count: Number(block) * 10 }
      : new SolxError("notFound", "Block not found.");
  const transactions = ({ block }: ParameterValues) => ({
    total: 1,
    transactions: [
      { tx_hash: SIGNATURE, slot: Number(block), status: "Success", fee: 5000, signer: [], block_time: 1 },
    ],
  });
  const open = () =>
    renderExplorer({
      route,
      data: fakeData({ "v2-block-detail": detail, "v2-block-transactions": transactions }),
      width: 100,
      height: 30,
    });

  test("shows the block and its transactions", async () => {
    const window = open();
    await window.waitFor("4dqr…SGrG");
    expect(window.frame()).toMatch(/transactions 1,000/);
  });

  test("opens the previous block, and returns to the next one", async () => {
    const window = open();
    await window.waitFor(/transactions 1,000/);
    await window.press("<");
    await window.waitFor(/transactions 980/);
    await window.press(">");
    await window.waitFor(/transactions 1,000/);
  });

  test("finds the next block beyond empty slots", async () => {
    const window = open();
    await window.waitFor(/transactions 1,000/);
    await window.press(">");
    await window.waitFor(/transactions 1,030/);
  });

  test("stays where it is when there is no next block", async () => {
    const window = open();
    await window.waitFor(/transactions 1,000/);
    await window.press(">");
    await window.waitFor(/transactions 1,030/);
    await window.press(">");
    await expect.poll(() => window.toasts.join(" ")).toContain("The 8 slots after 103 have no block.");
    await window.waitFor(/transactions 1,030/);
  });

  describe("at the newest block", () => {
    const newest = { ...BLOCK, block_time: NOW / 1000 - 2, transactions_count: 7 };
    const openNewest = (isSandbox = false) => {
      const data = fakeData({
        "v2-block-detail": ({ block }: ParameterValues) => ({ ...newest, transactions_count: Number(block) }),
        "v2-block-transactions": transactions,
        "v2-block-last": [{ current_slot: 100 }, { current_slot: 98 }],
      });
      const identity = { ...fakeServices().identity, isSandbox };
      const window = renderExplorer({ route, data, width: 100, height: 30, services: { identity } });
      const requests = () => data.requests.filter((one) => one.endpoint.path !== "/block/transactions").length;
      return { data, window, requests };
    };

    test("waits for the next one, without requests for further keys, and opens it when it exists", async () => {
      const { data, window, requests } = openNewest();
      await window.waitFor(/transactions 100/);
      await window.press(">");
      await window.waitFor(/Waiting for block 101… every \d+[sm] · [\d,]+ units\/h · Esc stop/);
      const sent = requests();
      await window.press(">", ">", "<", ">");
      await window.waitFor("Waiting for block 101…");
      expect(requests()).toBe(sent);
      data.setAnswers({ "v2-block-last": [{ current_slot: 102 }, { current_slot: 100 }] });
      const latest = data.requests.findLast(({ endpoint }) => endpoint.path === "/block/last");
      if (latest) data.refresh(latest);
      await window.waitFor(/transactions 102/);
      expect(window.frame()).not.toContain("Waiting");
    });

    test("says in the sandbox that there is no next one, without waiting", async () => {
      const { window } = openNewest(true);
      await window.waitFor(/transactions 100/);
      await window.press(">");
      await window.waitFor("Block 100 is the newest one of the sandbox, which adds no blocks.");
      expect(window.frame()).not.toContain("Waiting");
      await window.press("<");
      await window.waitFor(/transactions 9\d/);
    });

    test("stops waiting with Esc", async () => {
      const { window } = openNewest();
      await window.waitFor(/transactions 100/);
      await window.press(">");
      await window.waitFor("Waiting for block 101…");
      await window.press("esc");
      await expect.poll(window.frame).not.toContain("Waiting");
      await window.waitFor(/transactions 100/);
    });

    test("opens a listed block without a search", async () => {
      const { data, window } = openNewest();
      data.setAnswers({ "v2-block-last": [{ current_slot: 105 }, { current_slot: 102 }, { current_slot: 100 }] });
      await window.waitFor(/transactions 100/);
      await window.press(">");
      await window.waitFor(/transactions 102/);
      await window.press(">");
      await window.waitFor(/transactions 105/);
      expect(data.requests.filter(({ endpoint }) => endpoint.path === "/block/last")).toHaveLength(1);
    });
  });
});

describe("the distribution over the transactions of a block", () => {
  const signature = (at: number) => `${"5".repeat(86)}${at}`.slice(0, 88).replaceAll("0", "z");
  const rows = [5000, 5000, 5000, 70_000].map((fee, at) => ({ tx_hash: signature(at + 1), fee, status: "Success" }));
  const route = { kind: "entity", entity: "block", id: "1000", tab: "distribution" } as const;
  const answers = {
    "v2-block-detail": { current_slot: 1000, transactions_count: 250, parent_slot: 999 },
    "v2-block-transactions": { total: 250, transactions: rows },
    "v2-transaction-detail-multi": rows.map(({ tx_hash }, at) => ({
      tx_hash,
      compute_units_consumed: 150 + at * 40_000,
    })),
  };

  test("shows the fees of the largest page, and over how many transactions", async () => {
    const window = renderExplorer({ route, data: fakeData(answers), width: 120, height: 36 });
    const frame = await window.waitFor("fees of transactions");
    expect(frame).toMatch(/fees of transactions +5,000 lamports median/);
    expect(frame).toMatch(/4 of 250 transactions +lowest 5,000 +90% below 70,000 +highest 70,000 +sum 85,000/);
    await window.press("home");
    await window.waitFor(/5,000 to 10,000 lamports +3 transactions +75%/);
    for (const height of [24, 15]) {
      await window.resize(80, height);
      expect(window.frame()).toContain("4 of 250 transactions");
    }
  });

  test("requests the compute units only by their key, at a stated cost", async () => {
    const data = fakeData(answers);
    const window = renderExplorer({ route, data, width: 120, height: 36 });
    expect(await window.waitFor("fees of transactions")).toMatch(/i compute units \(\d+ units\)/);
    const detailRequests = () => data.requests.filter(({ endpoint }) => endpoint.name === "detail-multi");
    expect(detailRequests()).toEqual([]);
    await window.press("i");
    await window.waitFor(/compute units of transactions +80,150 units median/);
    expect(detailRequests()[0]?.params.tx).toEqual(rows.map(({ tx_hash }) => tx_hash));
  });
});
