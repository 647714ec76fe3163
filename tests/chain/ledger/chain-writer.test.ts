/** Ledgers of a chain that grow in a file: they say what the chain says, however its blocks were written. */
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { type Json, parseJson, stringifyJson } from "../../../src/base/index.ts";
import { WRAPPED_SOL } from "../../../src/catalogue/samples.ts";
import { asText } from "../../../src/chain/ledger/queries/sql.ts";
import type { SourceBlock } from "../../../src/chain/ledger/source/source.ts";
import type { ChainLedgerWriter } from "../../../src/chain/ledger/store/chain-writer.ts";
import { createLedgerReader } from "../../../src/chain/ledger/store/reader.ts";
import { openGrowingLedger } from "../../../src/chain/ledger/store/store.ts";
import { MINTS, ObservedChain } from "../../support/observed-chain.ts";
import { balancesIn, balancesOn, dumpLedger, LedgerFolder, writeInBatches } from "../../support/observed-ledger.ts";
import { queryData, queryRows } from "../../support/query.ts";

const folder = new LedgerFolder();
afterAll(() => folder.remove());

const seed = fc.integer({ min: 1, max: 1_000_000 });
const sizes = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 4 });
const blocksOf = (chain: ObservedChain, count: number, transactions = 4): readonly SourceBlock[] =>
  Array.from({ length: count }, (_, n) => chain.block(n % 5 === 4 ? 0 : transactions, { skip: n % 3 === 0 ? 2 : 0 }));
const statsOf = ({ db }: ChainLedgerWriter, mint: string) =>
  db
    .prepare(
      `SELECT ${asText("supply")} AS supply, holders FROM token_stats
      WHERE token_id = (SELECT id FROM accounts WHERE address = ?)`,
    )
    .get(mint);

describe("a ledger of a chain", () => {
  test("has the balances of the chain after every batch", () => {
    fc.assert(
      fc.property(seed, sizes, (number, batches) => {
        const chain = new ObservedChain({ seed: number });
        const ledger = folder.open(chain);
        expect(balancesIn(ledger.db)).toEqual(balancesOn(chain));
        for (const size of batches) {
          ledger.write({ blocks: blocksOf(chain, size) });
          expect(balancesIn(ledger.db)).toEqual(balancesOn(chain));
        }
      }),
      { numRuns: 12 },
    );
  });

  test("counts supply and holders of tokens whose opening it knows, and of no others", () => {
    const chain = new ObservedChain({ seed: 5 });
    const ledger = folder.open(chain);
    writeInBatches(ledger, blocksOf(chain, 30), [1, 7]);
    const created = [...chain.supplies.keys()].filter((mint) => !(Object.values(MINTS) as string[]).includes(mint));
    expect(created.length).toBeGreaterThan(0);
    for (const mint of [MINTS.big, MINTS.plain, ...created]) {
      const holders = [...chain.holdings.values()].filter((each) => each.mint === mint && each.amount > 0n).length;
      expect(statsOf(ledger, mint)).toMatchObject({ supply: String(chain.supplies.get(mint)), holders });
    }
    expect(statsOf(ledger, MINTS.bare)).toMatchObject({ supply: null, holders: null });
    expect(statsOf(ledger, WRAPPED_SOL)).toBeUndefined();
  });

  test("does not depend on the batches in which it was written", () => {
    fc.assert(
      fc.property(seed, sizes, sizes, (number, batches, others) => {
        const [chain, again] = [new ObservedChain({ seed: number }), new ObservedChain({ seed: number })];
        const [ledger, other] = [folder.open(chain), folder.open(again)];
        writeInBatches(ledger, blocksOf(chain, 12), batches);
        writeInBatches(other, blocksOf(again, 12), others);
        expect(dumpLedger(other.db)).toEqual(dumpLedger(ledger.db));
      }),
      { numRuns: 10 },
    );
  });

  test("without removed blocks is as if they had never been", () => {
    fc.assert(
      fc.property(seed, seed, fc.integer({ min: 1, max: 6 }), (number, fork, count) => {
        const chain = new ObservedChain({ seed: number });
        const ledger = folder.open(chain);
        const final = blocksOf(chain, 5);
        ledger.write({ blocks: final });
        const shared = blocksOf(chain, count);
        const branch = chain.fork(fork);
        const dropped = blocksOf(chain, 6);
        const replacing = blocksOf(branch, 6, 3);
        ledger.write({ blocks: [...shared, ...dropped], mayBeDropped: true });
        ledger.removeFrom(dropped[0]?.slot ?? 0);
        ledger.write({ blocks: replacing, mayBeDropped: true });
        const other = folder.open(new ObservedChain({ seed: number }));
        writeInBatches(other, [...final, ...shared, ...replacing], [3]);
        expect(dumpLedger(ledger.db)).toEqual(dumpLedger(other.db));
        expect(balancesIn(ledger.db)).toEqual(balancesOn(branch));
      }),
      { numRuns: 12 },
    );
  });

  test("refuses to remove blocks that are final", () => {
    const chain = new ObservedChain({ seed: 3 });
    const ledger = folder.open(chain);
    const blocks = blocksOf(chain, 6);
    const slots = blocks.map(({ slot }) => slot);
    ledger.write({ blocks, mayBeDropped: true });
    ledger.write({ finalSlot: slots[3] });
    const before = dumpLedger(ledger.db);
    expect(() => ledger.removeFrom(slots[2] ?? 0)).toThrow("indexed as final");
    expect(dumpLedger(ledger.db)).toEqual(before);
    ledger.removeFrom(slots[4] ?? 0);
    expect(ledger.db.prepare("SELECT MAX(slot) AS slot FROM blocks").get()).toEqual({ slot: slots[3] });
  });

  test("is unchanged by a batch that fails, checkpoint included, and continues", () => {
    const chain = new ObservedChain({ seed: 8 });
    const ledger = folder.open(chain);
    ledger.write({ blocks: blocksOf(chain, 3), meta: { next: 1 } });
    const before = dumpLedger(ledger.db);
    const blocks = blocksOf(chain, 3);
    const [first, second] = blocks as [SourceBlock, SourceBlock];
    const broken = { ...second, facts: { pools: [{ ...brokenPool, created: "never seen" }] } };
    for (const mayBeDropped of [false, true]) {
      expect(() => ledger.write({ blocks: [first, broken], meta: { next: 2 }, mayBeDropped })).toThrow("never seen");
      expect(dumpLedger(ledger.db)).toEqual(before);
      expect(ledger.meta("next")).toBe("1");
    }
    ledger.write({ blocks, meta: { next: 2 } });
    expect(balancesIn(ledger.db)).toEqual(balancesOn(chain));
  });

  test("continues after it was closed", () => {
    const [chain, again] = [new ObservedChain({ seed: 13 }), new ObservedChain({ seed: 13 })];
    const [first, whole] = [folder.open(chain), folder.open(again)];
    writeInBatches(whole, blocksOf(again, 8), [2]);
    writeInBatches(first, blocksOf(chain, 4).slice(0, 4), [2]);
    first.close();
    const second = folder.open(undefined, first.path);
    const rest = new ObservedChain({ seed: 13 });
    rest.opening();
    writeInBatches(second, blocksOf(rest, 8).slice(4), [2]);
    expect(dumpLedger(second.db)).toEqual(dumpLedger(whole.db));
  });

  test("returns facts as they were: extensions with all digits, stakes that are not delegated yet", () => {
    const ledger = folder.open(new ObservedChain({ seed: 17 }));
    const state = { newerTransferFee: { maximumFee: parseJson("18446744073709551615") } };
    const extensions = [{ extension: "transferFeeConfig", state }];
    const stake = {
      address: MINTS.bare,
      staker: MINTS.big,
      withdrawer: MINTS.plain,
      delegated: 0n,
      activationEpoch: 0,
    };
    const token = {
      address: MINTS.plain,
      kind: "fungible",
      extensions,
      mintAuthority: null,
      freezeAuthority: null,
    } as const;
    ledger.write({ opening: [{ tokens: [token], stakeAccounts: [stake] }] });
    expect(stringifyJson(ledger.known.token(MINTS.plain)?.extensions as Json)).toBe(stringifyJson(extensions));
    expect(ledger.known.stakeAccount(MINTS.bare)).toEqual(stake);
  });
});

const brokenPool = {
  ...{ address: MINTS.bare, program: MINTS.bare, token1: MINTS.big, token2: MINTS.plain },
  ...{ vault1: MINTS.big, vault2: MINTS.big },
};

describe("a reader of a growing ledger", () => {
  test("sees new blocks, no others, and no time shift", () => {
    const chain = new ObservedChain({ seed: 21 });
    const writer = folder.open(chain);
    writer.write({ blocks: blocksOf(chain, 3) });
    const ledger = openGrowingLedger(writer.path);
    if (!ledger) throw new Error("The ledger cannot be opened.");
    const newest = () => queryRows(ledger.reader, "v2-block-last", { limit: 10 })[0];
    const blocks = blocksOf(chain, 3);
    writer.write({ blocks, mayBeDropped: true });
    const { slot, time } = blocks.at(-1) as SourceBlock;
    expect(newest()).toMatchObject({ current_slot: slot, block_time: time });
    expect(ledger.reader.clock).toEqual({ shift: 0, end: time });
    writer.removeFrom(blocks[1]?.slot ?? 0);
    expect(newest()).toMatchObject({ current_slot: blocks[0]?.slot });
    ledger.close();
  });

  test("does not mix up accounts that follow removed ones", () => {
    const chain = new ObservedChain({ seed: 34 });
    const writer = folder.open(chain);
    writer.write({ blocks: blocksOf(chain, 2) });
    const ledger = openGrowingLedger(writer.path);
    if (!ledger) throw new Error("The ledger cannot be opened.");
    for (const number of [1, 2, 3, 4]) {
      const branch = chain.fork(number);
      const blocks = blocksOf(branch, 4, 8);
      writer.write({ blocks, mayBeDropped: true });
      for (const { signature, keys } of blocks.flatMap(({ transactions }) => transactions)) {
        const detail = queryData(ledger.reader, "v2-transaction-detail", { tx: signature });
        expect(detail).toMatchObject({ account_keys: keys.map(({ address }) => ({ pubkey: address })) });
      }
      writer.removeFrom(blocks[0]?.slot ?? 0);
    }
    ledger.close();
  });

  test("answers from one state of the ledger", () => {
    const chain = new ObservedChain({ seed: 55 });
    const writer = folder.open(chain);
    const { db } = writer;
    writer.write({ blocks: blocksOf(chain, 2) });
    const ledger = openGrowingLedger(writer.path);
    if (!ledger) throw new Error("The ledger cannot be opened.");
    const count = () => Number(ledger.reader.get("SELECT COUNT(*) AS n FROM blocks")?.n);
    ledger.reader.atomically(() => {
      expect(count()).toBe(2);
      writer.write({ blocks: blocksOf(chain, 1) });
      expect(createLedgerReader(db, () => ({ shift: 0, end: 0 })).get("SELECT COUNT(*) AS n FROM blocks")?.n).toBe(3);
      expect(count()).toBe(2);
    });
    expect(count()).toBe(3);
    ledger.close();
  });
});
