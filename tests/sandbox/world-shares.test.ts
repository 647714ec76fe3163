/** The composition of simulated blocks: shares of transactions as on mainnet, within generous bounds. */
import { describe, expect, it } from "vitest";
import { TIP_ACCOUNTS } from "../../src/catalogue/index.ts";
import { NATIVE_SOL } from "../../src/catalogue/samples.ts";
import type { WorldBlock, WorldTransaction } from "../../src/chain/world/facts.ts";
import { createWorld } from "../../src/chain/world/world.ts";

/** Share of the failures that the five accounts with the most failures have. */
const TOP_FIVE_SHARE = 0.25;

function blocksOf(seed: string): readonly WorldBlock[] {
  const world = createWorld({ seed, size: 1 });
  const blocks: WorldBlock[] = [];
  for (const block of world.blocks() as Iterable<WorldBlock>) {
    if (block.time > world.end) break;
    blocks.push(block);
  }
  return blocks;
}

const share = (part: number, whole: number) => part / whole;
const PUMP = "6EF8rrecthR5Dkzon8Nwu78hRvfCKubJ14M5uBEwF6P";
const SYSTEM_PROGRAM = "11111111111111111111111111111111";

describe.each(["solx", "b", "third"])("the world of seed %s", (seed) => {
  const blocks = blocksOf(seed);
  const transactions = blocks.flatMap((block) => block.transactions);
  const tokens = new Map(blocks.flatMap(({ facts }) => facts.tokens ?? []).map((token) => [token.address, token]));
  const failed = transactions.filter(({ error }) => error !== undefined);
  const tips = (transaction: WorldTransaction) => transaction.transfers.filter(({ to }) => TIP_ACCOUNTS.includes(to));

  it("has lookup tables in most transactions but votes", () => {
    const recent = transactions.filter(({ version, keys }) => version === 0 && keys.some((key) => key.lookupTable));
    expect(share(recent.length, transactions.length)).toBeGreaterThan(0.55);
  });

  it("has failures, most of them of swaps that several bots compete for", () => {
    expect(share(failed.length, transactions.length)).toBeGreaterThan(0.1);
    expect(share(failed.length, transactions.length)).toBeLessThan(0.4);
    const payers = Map.groupBy(failed, ({ keys }) => keys[0]?.address);
    const largest = [...payers.values()].map(({ length }) => length).sort((a, b) => b - a);
    const topFive = largest.slice(0, 5).reduce((sum, count) => sum + count, 0);
    expect(share(topFive, failed.length)).toBeGreaterThan(TOP_FIVE_SHARE);
    const codes = new Set(failed.map(({ error }) => error));
    expect([...codes].filter((error) => error?.startsWith('{"InstructionError":[')).length).toBeGreaterThan(5);
  });

  it("has tips for Jito bundles as the last instruction, never in failed transactions", () => {
    const tipped = transactions.filter((transaction) => tips(transaction).length > 0);
    expect(share(tipped.length, transactions.length)).toBeGreaterThan(0.05);
    for (const transaction of tipped) {
      const [tip] = tips(transaction);
      expect(tip?.instruction).toBe(transaction.instructions.length - 1);
      expect(transaction.instructions.at(-1)).toMatchObject({ program: SYSTEM_PROGRAM, parent: -1 });
      expect(transaction.error).toBeUndefined();
    }
    expect(new Set(tipped.flatMap((transaction) => tips(transaction).map(({ to }) => to))).size).toBe(8);
  });

  it("has transfers of dust to many receivers", () => {
    const isDust = ({ amount, value }: { amount: bigint; value: bigint }) => amount > 0n && value < 10_000n;
    const dust = transactions.filter(({ transfers }) => transfers.length >= 3 && transfers.every(isDust));
    expect(share(dust.length, transactions.length)).toBeGreaterThan(0.003);
  });

  it("has tokens whose mints withhold a fee of each transfer", () => {
    const withFee = transactions.filter(
      ({ error, instructions }) =>
        error === undefined && instructions.some(({ type }) => type === "transferCheckedWithFee"),
    );
    expect(withFee.length).toBeGreaterThan(5);
    const withdrawn = transactions.filter(({ instructions }) =>
      instructions.some(({ type }) => type === "withdrawWithheldTokensFromMint"),
    );
    expect(withdrawn.length).toBeGreaterThan(0);
    for (const { instructions, transfers, changes } of withFee) {
      const [sent] = transfers.filter(({ token }) => tokens.get(token)?.extensions);
      const fee = BigInt(String(instructions[sent?.instruction ?? -1]?.info?.fee));
      const received = changes.find(({ account, token }) => account === sent?.toAccount && token === sent.token);
      expect((received?.post ?? 0n) - (received?.pre ?? 0n)).toBe((sent?.amount ?? 0n) - fee);
    }
  });

  it("has curves of Pump.fun, of which few complete and become a pool", () => {
    const calls = (type: string) =>
      transactions.filter(
        ({ error, instructions }) =>
          error === undefined && instructions.some(({ program, type: name }) => program === PUMP && name === type),
      );
    const [created, migrated] = [calls("createV2").length, calls("migrate").length];
    expect(created).toBeGreaterThan(20);
    expect(migrated).toBeGreaterThan(0);
    expect(share(migrated, created)).toBeLessThan(0.1);
    expect(calls("buy").length).toBeGreaterThan(calls("sell").length);
    expect(calls("sell").length).toBeGreaterThan(20);
    for (const { transfers, defi } of calls("sell")) {
      const { token1, amount1, amount2 } = defi.find(({ platform }) => platform === PUMP) ?? {};
      expect(transfers.some(({ token, amount }) => token === token1 && amount === amount1)).toBe(true);
      expect(transfers.some(({ token, amount }) => token === NATIVE_SOL && amount === amount2)).toBe(true);
    }
  });

  it("has compressed NFTs, which move no tokens", () => {
    const minted = transactions.filter(({ instructions }) => instructions.some(({ type }) => type === "mintV1"));
    expect(minted.length).toBeGreaterThan(3);
    for (const { instructions, transfers, nfts, keys } of minted) {
      expect([transfers, nfts]).toEqual([[], []]);
      const appended = instructions.filter(({ type }) => type === "append").length;
      expect(instructions.filter(({ type }) => type === "mintV1").length).toBe(appended);
      expect(keys.map(({ address }) => address)).toContain("cmtDvXumGCrqC1Age74AVPhSWVJMd8PJS91L8KbNSCK");
    }
  });
});
