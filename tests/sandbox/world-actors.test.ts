import { describe, expect, it } from "vitest";
import { DEFI_ACTIVITIES, NFT_ACTIVITIES, TRANSFER_ACTIVITIES } from "../../src/catalogue/constants.ts";
import { NFT_COLLECTION, STAKE_ACCOUNT } from "../../src/catalogue/samples.ts";
import { isAddress } from "../../src/catalogue/validate.ts";
import type { RewardFact, StakeAccountFact } from "../../src/chain/ledger/source/source.ts";
import { END } from "../../src/chain/world/clock.ts";
import { HOSTILE_TEXTS, LONG_SYMBOL } from "../../src/chain/world/data/hostile.ts";
import { EXCHANGES } from "../../src/chain/world/data/profiles.ts";
import { SLOTS_PER_EPOCH } from "../../src/chain/world/economy/economy.ts";
import type { WorldBlock } from "../../src/chain/world/facts.ts";
import { grossReward } from "../../src/chain/world/staking/stakes.ts";
import { createWorld } from "../../src/chain/world/world.ts";

const SEEDS = ["solx", "b", "third"];

function blocksOf(seed: string, hostile = false): readonly WorldBlock[] {
  const world = createWorld({ seed, size: 0.02, hostile });
  const blocks: WorldBlock[] = [];
  for (const block of world.blocks() as Iterable<WorldBlock>) {
    blocks.push(block);
    if (block.time >= world.end) break;
  }
  return blocks;
}

const worlds = new Map(SEEDS.map((seed) => [seed, blocksOf(seed)]));

const transactions = (blocks: readonly WorldBlock[]) => blocks.flatMap((block) => block.transactions);

/** Returns how often each index occurs, by name. */
function countByName(names: readonly string[], types: readonly number[]): Record<string, number> {
  const entries = names.map((name, index) => [name, types.filter((type) => type === index).length]);
  return Object.fromEntries(entries);
}

describe.each(SEEDS)("the smallest world of seed %s", (seed) => {
  const blocks = worlds.get(seed) ?? [];
  const all = transactions(blocks);

  it("has every kind of transfer, DeFi and NFT activity at least twice", () => {
    const occurrences = {
      ...countByName(
        TRANSFER_ACTIVITIES,
        all.flatMap(({ transfers }) => transfers.map(({ type }) => type)),
      ),
      ...countByName(
        DEFI_ACTIVITIES,
        all.flatMap(({ defi }) => defi.map(({ type }) => type)),
      ),
      ...countByName(
        NFT_ACTIVITIES,
        all.flatMap(({ nfts }) => nfts.map(({ type }) => type)),
      ),
    };
    expect(Object.entries(occurrences).filter(([, count]) => count < 2)).toEqual([]);
  });

  it("has most kinds of NFT activities in its last 24 hours", () => {
    const recent = blocks.filter(({ time }) => time > END - 86_400);
    const types = transactions(recent).flatMap(({ nfts }) => nfts.map(({ type }) => type));
    expect(new Set(types).size).toBeGreaterThanOrEqual(6);
  });

  it("has NFTs with one owner at a time, the last buyer", () => {
    const minted = new Map(blocks.flatMap(({ facts }) => (facts.nfts ?? []).map((nft) => [nft.address, nft])));
    expect(minted.size).toBeGreaterThan(20);
    const amounts = new Map<string, Map<string, bigint>>();
    const owners = new Map<string, string>();
    for (const { changes, nfts } of all) {
      for (const { token, account, owner, post } of changes) {
        if (!minted.has(token)) continue;
        const balances = amounts.get(token) ?? new Map<string, bigint>();
        amounts.set(token, balances.set(account, post));
        if (post === 1n) owners.set(token, owner);
      }
      for (const { type, nft, to } of nfts) {
        if (NFT_ACTIVITIES[type] === "ACTIVITY_NFT_SOLD") expect(owners.get(nft)).toBe(to);
      }
    }
    for (const address of minted.keys()) {
      const sum = [...(amounts.get(address)?.values() ?? [])].reduce((total, amount) => total + amount, 0n);
      expect(sum).toBe(1n);
    }
  });

  it("has buyers who pay the sellers, and more than one marketplace", () => {
    const events = all.flatMap(({ nfts, transfers }) => nfts.map((nft) => ({ nft, transfers })));
    for (const { nft, transfers } of events) {
      if (NFT_ACTIVITIES[nft.type] !== "ACTIVITY_NFT_SOLD") continue;
      expect(transfers.some(({ to, amount }) => to === nft.from && amount > 0n)).toBe(true);
      expect(nft.price).toBeGreaterThan(0n);
    }
    expect(new Set(events.map(({ nft }) => nft.marketplace)).size).toBeGreaterThanOrEqual(2);
  });

  it("has the sample collection of the documentation, and well-formed NFT facts", () => {
    const collections = blocks.flatMap(({ facts }) => facts.nftCollections ?? []);
    expect(collections.map(({ hex }) => hex)).toContain(NFT_COLLECTION);
    for (const { hex } of collections) expect(hex).toMatch(/^[0-9a-f]{64}$/);
    const signatures = new Set(all.map(({ signature }) => signature));
    for (const { facts } of blocks) {
      for (const { minted, data } of facts.nfts ?? []) {
        expect(signatures.has(minted ?? "")).toBe(true);
        expect(data).toMatchObject({ name: expect.any(String), creators: [{ share: 100 }] });
      }
    }
  });

  it("pays stakes once an epoch by rate and commission, and commissions to validators", () => {
    const stakes = new Map<string, StakeAccountFact>();
    const rewards: RewardFact[] = [];
    for (const block of blocks) {
      const paid = block.rewards.filter(({ kind }) => kind === "staking");
      const commissions = new Map<string, bigint>();
      for (const reward of paid) {
        const stake = stakes.get(reward.account);
        if (!stake) continue;
        expect(reward.epoch).toBe(Math.floor(block.slot / SLOTS_PER_EPOCH) - 1);
        expect(stake.activationEpoch).toBeLessThan(reward.epoch);
        const gross = grossReward(stake.delegated, reward.epoch);
        expect(reward.amount).toBe((gross * BigInt(100 - (reward.commission ?? 0))) / 100n);
        const voter = stake.voter ?? "";
        commissions.set(voter, (commissions.get(voter) ?? 0n) + gross - reward.amount);
      }
      for (const { account, amount } of paid) {
        if (!stakes.has(account)) commissions.set(account, (commissions.get(account) ?? 0n) - amount);
      }
      expect([...commissions.values()].filter((difference) => difference !== 0n)).toEqual([]);
      rewards.push(...paid);
      for (const stake of block.facts.stakeAccounts ?? []) stakes.set(stake.address, stake);
    }
    const sample = rewards.filter(({ account }) => account === STAKE_ACCOUNT);
    expect(sample.length).toBeGreaterThan(40);
    expect(new Set(sample.map(({ epoch }) => epoch)).size).toBe(sample.length);
    expect(stakes.get(STAKE_ACCOUNT)?.deactivationEpoch).toBeUndefined();
    const yearly = Number(sample.at(-1)?.amount ?? 0n) * 182;
    expect(yearly / Number(stakes.get(STAKE_ACCOUNT)?.delegated ?? 1n)).toBeGreaterThan(0.058);
  });

  it("has a staker with about sixty stake accounts", () => {
    const byStaker = new Map<string, Set<string>>();
    for (const { facts } of blocks) {
      for (const { staker, address } of facts.stakeAccounts ?? []) {
        byStaker.set(staker, (byStaker.get(staker) ?? new Set()).add(address));
      }
    }
    expect(Math.max(...[...byStaker.values()].map(({ size }) => size))).toBeGreaterThanOrEqual(55);
  });
});

describe("a hostile world", () => {
  const hostile = blocksOf("solx", true);
  const texts = (blocks: readonly WorldBlock[]): Set<unknown> =>
    new Set([
      ...blocks.flatMap(({ facts }) => [
        ...(facts.tokens ?? []).flatMap(({ name, symbol }) => [name, symbol]),
        ...(facts.labels ?? []).flatMap(({ label, domain }) => [label, domain]),
        ...(facts.nfts ?? []).map(({ data }) => data.name),
        ...(facts.nftCollections ?? []).map(({ name }) => name),
      ]),
      ...transactions(blocks).flatMap(({ instructions }) => instructions.map(({ info }) => info?.memo)),
    ]);

  it("has every hostile text, and other worlds have none", () => {
    const [hostileTexts, plainTexts] = [texts(hostile), texts(worlds.get("solx") ?? [])];
    expect(Object.entries(HOSTILE_TEXTS).filter(([, text]) => !hostileTexts.has(text))).toEqual([]);
    expect(hostileTexts.has(LONG_SYMBOL)).toBe(true);
    expect(Object.values(HOSTILE_TEXTS).filter((text) => plainTexts.has(text))).toEqual([]);
    expect(
      [...plainTexts].filter((text) => typeof text === "string" && /[\0-\u001f\u007f-\u009f\u202a-\u202e]/.test(text)),
    ).toEqual([]);
  });

  it("has the maximum of base units, and types of accounts that no client knows", () => {
    const maximum = transactions(hostile).flatMap(({ transfers }) =>
      transfers.filter(({ amount }) => amount >= 2n ** 63n),
    );
    expect(maximum.map(({ amount }) => amount)).toEqual([2n ** 64n - 1n, 2n ** 64n - 2n]);
    const types = new Set(hostile.flatMap(({ facts }) => (facts.labels ?? []).map(({ type }) => type)));
    expect(types).toContain("quantum_vault");
  });

  it("has no NUL in the names, symbols and URIs of tokens", () => {
    for (const { facts } of hostile) {
      for (const { name, symbol, icon, metadataUri } of facts.tokens ?? []) {
        expect(`${name}${symbol}${icon}${metadataUri}`).not.toContain("\0");
      }
    }
  });

  it("has lookalikes of exchange addresses that send dust", () => {
    const labels = hostile.flatMap(({ facts }) => facts.labels ?? []);
    const exchange = labels.find(({ label }) => label === EXCHANGES[0]?.label)?.address ?? "";
    const isLookalike = (address: string): boolean =>
      address !== exchange && address.startsWith(exchange.slice(0, 4)) && address.endsWith(exchange.slice(-4));
    const dust = transactions(hostile).flatMap(({ transfers }) => transfers.filter(({ from }) => isLookalike(from)));
    expect(dust.length).toBeGreaterThan(0);
    expect(dust.every(({ from, amount }) => isAddress(from) && amount <= 1000n)).toBe(true);
  });
});
