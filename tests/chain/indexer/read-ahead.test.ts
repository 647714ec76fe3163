/** Blocks that are read ahead: in order, across ranges, within bounds. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SolxError } from "../../../src/base/index.ts";
import type { BlockReader } from "../../../src/chain/indexer/block-reader.ts";
import { readAhead } from "../../../src/chain/indexer/read-ahead.ts";
import type { ChainBlock } from "../../../src/chain/solana/index.ts";

const blockOf = (slot: number, transactions: number) =>
  ({ slot, transactions: Array.from({ length: transactions }) }) as unknown as ChainBlock;

type Reader = Pick<BlockReader, "block" | "slotsWithBlocks">;

/** A chain of blocks of the same size in which every seventh slot was skipped, and what is asked of it. */
function chainOf(transactions: number, delay: () => Promise<unknown> = async () => undefined) {
  const asked: number[] = [];
  let isWaiting = 0;
  const pending = { max: 0 };
  const reader: Reader = {
    slotsWithBlocks: async (from, to) =>
      Array.from({ length: to - from + 1 }, (_, at) => from + at).filter((slot) => slot % 7 !== 0),
    block: async (slot) => {
      asked.push(slot);
      isWaiting += 1;
      pending.max = Math.max(pending.max, isWaiting);
      await delay();
      isWaiting -= 1;
      return blockOf(slot, transactions);
    },
  };
  return { reader, asked, pending };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

async function slotsOf(reading: ReturnType<typeof readAhead>): Promise<readonly number[]> {
  const slots: number[] = [];
  for await (const [slot, content] of reading) if (typeof content === "object") slots.push(slot);
  return slots;
}

describe("readAhead", () => {
  it("yields the blocks of a range in order, however late each of them arrives", async () => {
    const ranges = fc.record({
      ...{
        from: fc.nat(5000),
        length: fc.integer({ min: 1, max: 2500 }),
        concurrency: fc.integer({ min: 1, max: 16 }),
      },
      late: fc.array(fc.boolean(), { minLength: 1, maxLength: 9 }),
    });
    await fc.assert(
      fc.asyncProperty(ranges, async ({ from, length, concurrency, late }) => {
        let calls = 0;
        const { reader, pending } = chainOf(3, async () => late[calls++ % late.length] && settled());
        const to = from + length - 1;
        const slots = await slotsOf(readAhead(reader, { from, to, concurrency }));
        expect(slots).toEqual(await reader.slotsWithBlocks(from, to));
        expect(pending.max).toBeLessThanOrEqual(concurrency);
      }),
      { numRuns: 60 },
    );
  });

  it("reads the next range while the blocks of this one are written", async () => {
    const { reader, asked } = chainOf(3);
    for await (const [slot] of readAhead(reader, { from: 1, to: 3000 })) {
      if (slot < 990) continue;
      await expect.poll(() => Math.max(...asked)).toBeGreaterThan(1100);
      break;
    }
  });

  it.each([
    [3, 200],
    [2000, 5],
    [5000, 2],
    [20_000, 1],
  ])("holds blocks with %i transactions: %i at most", async (transactions, limit) => {
    const { reader, asked } = chainOf(transactions);
    let written = 0;
    let ahead = 0;
    for await (const [, content] of readAhead(reader, { from: 1, to: 400 })) {
      if (typeof content !== "object") continue;
      written += 1;
      await settled();
      // The first blocks show how large they are.
      if (written > 16) ahead = Math.max(ahead, asked.length - written);
    }
    expect(ahead).toBeLessThanOrEqual(limit);
    expect(ahead).toBeGreaterThanOrEqual(Math.min(limit, 150) - 1);
  });

  it("throws a failure when it is the turn of its slot, and asks for nothing more", async () => {
    const { reader, asked } = chainOf(3, settled);
    const failure = new SolxError("server", "broken");
    const block: Reader["block"] = async (slot) => {
      if (slot === 20) throw failure;
      return reader.block(slot);
    };
    const slots: number[] = [];
    const read = async () => {
      for await (const [slot] of readAhead({ ...reader, block }, { from: 1, to: 5000 })) slots.push(slot);
    };
    await expect(read()).rejects.toBe(failure);
    expect(slots.at(-1)).toBe(19);
    await settled();
    const { length } = asked;
    await settled();
    expect(asked.length).toBe(length);
  });

  it("says why a slot has no block", async () => {
    const { reader } = chainOf(3);
    const block: Reader["block"] = async (slot) => (slot === 3 ? undefined : reader.block(slot));
    const contents: unknown[] = [];
    for await (const content of readAhead({ ...reader, block }, { from: 1, to: 5 })) contents.push(content);
    expect(contents[2]).toEqual([3, "missing"]);
    expect(contents.at(-1)).toEqual([5, undefined]);
  });
});
