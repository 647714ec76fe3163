/** The page of a block. */

import { describe, expect, test } from "vitest";
import { SolxError } from "../../../src/base/errors.ts";
import type { ParameterValues } from "../../../src/catalogue/index.ts";
import type { Route } from "../../../src/ui/app/route.ts";
import { blockFacts, continueSearch, MAX_EMPTY_SLOTS, previousSlot } from "../../../src/ui/pages/block/summary.ts";
import { fakeData, renderExplorer } from "../support.tsx";
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

  test("the search for the next block continues over empty slots, and returns when there is none", () => {
    expect(continueSearch("101", { from: "100", empty: 0 })).toEqual({
      slot: "102",
      search: { from: "100", empty: 1 },
    });
    expect(continueSearch("108", { from: "100", empty: MAX_EMPTY_SLOTS - 1 })).toEqual({
      slot: "100",
      search: undefined,
    });
  });
});

test("missing facts of a block are omitted", () => {
  const facts = blockFacts("7", { block_time: null, transactions_count: null }, CLOCK, 80);
  const text = facts.map(({ label, value }) => `${label} ${textOf(value)}`).join("\n");
  expect(text).toContain("slot 7");
  expect(text).toContain("time unknown");
  expect(text).not.toMatch(/null|undefined|NaN/);
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
    await expect.poll(() => window.toasts.join(" ")).toContain("have no block, or none yet");
    await window.waitFor(/transactions 1,030/);
  });
});
