import { describe, expect, test } from "vitest";
import { isObject, type JsonObject } from "../../../../src/base/json.ts";
import { costRows } from "../../../../src/ui/pages/transaction/cost.ts";
import { createFormatter } from "../../../../src/ui/pages/transaction/formatter.ts";
import { CLOCK, linesOf, SWAP } from "./fixture.ts";

const formatter = createFormatter(SWAP.detail, SWAP.metadata, CLOCK);
const blockOf = (...fees: readonly number[]) => ({ total: fees.length, transactions: fees.map((fee) => ({ fee })) });
const BLOCK = blockOf(5000, 11_640, 3_039_914);
const text = (more: object = {}, block: JsonObject | undefined = BLOCK) =>
  linesOf(
    costRows({ detail: { ...(isObject(SWAP.detail) ? SWAP.detail : {}), ...more }, block, unicode: true }, formatter),
  ).join("\n");

describe("the cost of a transaction", () => {
  test("splits the fee, and shows compute units as a share of the limit", () => {
    expect(text()).toMatch(
      /base +0\.000005 SOL\npriority +0\.000001 SOL +5,000 micro-lamports per unit of the limit\ntotal +0\.000006 SOL/,
    );
    expect(text()).toMatch(/used +54,859\nlimit +200,000\nshare +█+.* 27\.4%/);
  });

  test("compares the fee with those of its block", () => {
    expect(text()).toMatch(
      /Fees of the block, without votes\n[\s\S]*lowest +0\.000005 SOL\nmedian +0\.00001164 SOL\nhighest +0\.003039914 SOL/,
    );
    expect(text()).toMatch(/this transaction +0\.52× the median; 33% paid less\n +lowest ─●─┼─+ highest/);
    expect(text({}, { ...BLOCK, total: 1250 })).toContain("Fees of the block, without votes: 3 of 1,250\n");
    expect(text({ fee: 3_000_000 })).toMatch(/258× the median; 67% paid less\n +lowest ───┼─+● highest/);
  });

  test("does without the block and without a priority fee", () => {
    expect(text({ priority_fee: 0, fee: 5000 }, {})).not.toContain("Fees of the block");
    expect(text({ priority_fee: 0, fee: 5000 })).not.toContain("micro-lamports");
    expect(text({ fee: null })).toMatch(/^fee +unknown$/);
  });

  test("draws no scale where all fees are the same", () => {
    expect(text({ fee: 5000, priority_fee: 0 }, blockOf(5000, 5000))).toMatch(
      /this transaction +1× the median; 0% paid less$/,
    );
  });
});
