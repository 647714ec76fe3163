import { describe, expect, test } from "vitest";
import { isObject } from "../../../../src/base/json.ts";
import { costRows } from "../../../../src/ui/pages/transaction/cost.ts";
import { createFormatter } from "../../../../src/ui/pages/transaction/formatter.ts";
import { CLOCK, linesOf, SWAP } from "./fixture.ts";

const formatter = createFormatter(SWAP.detail, SWAP.metadata, CLOCK);
const FEES = { avg_fee: 0.00001164, min_fee: 0.000005, max_fee: 0.003039914 };
const text = (more: object = {}, fees: typeof FEES | null = FEES) =>
  linesOf(
    costRows(
      { detail: { ...(isObject(SWAP.detail) ? SWAP.detail : {}), ...more }, fees: fees ?? undefined, unicode: true },
      formatter,
    ),
  ).join("\n");

describe("the cost of a transaction", () => {
  test("splits the fee, and shows compute units as a share of the limit", () => {
    expect(text()).toMatch(
      /base +0\.000005 SOL\npriority +0\.000001 SOL +5,000 micro-lamports per unit of the limit\ntotal +0\.000006 SOL/,
    );
    expect(text()).toMatch(/used +54,859\nlimit +200,000\nshare +█+.* 27\.4%/);
  });

  test("compares the fee with current fees", () => {
    expect(text()).toMatch(/lowest +0\.000005 SOL\naverage +0\.00001164 SOL\nhighest +0\.003039914 SOL/);
    expect(text()).toMatch(/this transaction +0\.52× the average +lowest ─●─┼─+ highest/);
    expect(text({ fee: 3_000_000 })).toMatch(/258× the average +lowest ───┼─+● highest/);
  });

  test("does without current fees and without a priority fee", () => {
    expect(text({ priority_fee: 0, fee: 5000 }, null)).not.toContain("Current fees");
    expect(text({ priority_fee: 0, fee: 5000 })).not.toContain("micro-lamports");
    expect(text({ fee: null })).toMatch(/^fee +unknown$/);
  });

  test("draws no scale where all fees are the same", () => {
    const same = { avg_fee: 0.000005, min_fee: 0.000005, max_fee: 0.000005 };
    expect(text({ fee: 5000, priority_fee: 0 }, same)).toMatch(/this transaction +1× the average$/);
  });
});
