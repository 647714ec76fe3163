/** Laws of a simulated chain that is walked block by block, and of the votes that its blocks consist of. */
import { Buffer } from "node:buffer";
import { base58 } from "@scure/base";
import { getCompiledTransactionMessageDecoder, getTransactionDecoder } from "@solana/kit";
import { assert, integer, property } from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PROGRAM, SLOT } from "../../src/catalogue/index.ts";
import { type Ledger, type LedgerReader, type SourceBlock, simulatedChain } from "../../src/chain/ledger/index.ts";
import { nodeTransaction } from "../../src/chain/ledger/queries/transaction/node-transaction.ts";
import { createMemoryLedger, openLedgerCopy, openLiveLedger } from "../../src/chain/ledger/store/growing-ledgers.ts";
import { LeaderSchedule } from "../../src/chain/ledger/store/schedule.ts";
import { findTransactionId, voteIdOf, voteSignature } from "../../src/chain/ledger/store/votes.ts";
import { LedgerEconomy } from "../../src/chain/world/economy/ledger-economy.ts";
import { createWorld } from "../../src/chain/world/world.ts";
import type { WorldOptions } from "../../src/chain/world/world-id.ts";
import { worldLedger } from "../support/ledger.ts";
import { queryData, queryRows } from "../support/query.ts";
import { tinySource } from "../support/tiny-chain.ts";

// biome-ignore lint/suspicious/noExplicitAny: answers have the shapes of the catalogue
type Answer = any;

const HOUR = 3600;
const DAY = 86_400;
/** Slots of a turn of a leader. */
const TURN = 4;

describe("the signature of a vote", () => {
  it("has 64 bytes and leads back to the id in its own ledger only", () => {
    const [{ key }, { key: other }] = [new LeaderSchedule("a ledger", [1]), new LeaderSchedule("another ledger", [1])];
    assert(
      property(integer({ min: 1, max: 2 ** 45 }), (id) => {
        const signature = voteSignature(key, id);
        expect(base58.decode(signature).length).toBe(64);
        expect(voteIdOf(key, signature)).toBe(id);
        expect(voteIdOf(other, signature)).toBeUndefined();
        expect(voteIdOf(key, `${signature.slice(0, -1)}${signature.endsWith("z") ? "y" : "z"}`)).toBeUndefined();
      }),
    );
  });
});

describe("a leader schedule", () => {
  const shares = [40, 25, 20, 10, 5];
  const scheduleOf = (source: string, voters: number) =>
    new LeaderSchedule(source, [...shares, ...new Array<number>(voters - shares.length).fill(0)]);
  const slots = integer({ min: SLOT - 20_000, max: SLOT + 20_000 });

  it("counts what its slots have, over any range", () => {
    assert(
      property(
        integer(),
        integer({ min: 5, max: 90 }),
        slots,
        integer({ min: 0, max: 3000 }),
        (key, voters, from, length) => {
          const schedule = scheduleOf(String(key), voters);
          const produced = Array.from({ length }, (_, n) => from + n).filter((slot) => schedule.hasBlock(slot));
          expect(schedule.count(from, from + length)).toEqual({
            blocks: produced.length,
            votes: produced.reduce((sum, slot) => sum + schedule.votesIn(slot), 0),
          });
          for (const [n, slot] of produced.entries()) {
            expect(schedule.heightOf(slot)).toBe(schedule.heightOf(produced[0] as number) + n);
            if (n > 0) expect(schedule.lastUpTo(slot - 1)).toBe(produced[n - 1]);
          }
        },
      ),
      { numRuns: 30 },
    );
  });

  it("gives each leader four slots in turn, by its share, and each voter a vote in a block at most", () => {
    const schedule = scheduleOf("1", 50);
    const turns = Array.from({ length: 100 }, (_, turn) => {
      const leaders = [0, 1, 2, 3].map((at) => schedule.leaderAt(SLOT + turn * TURN + at));
      expect(new Set(leaders).size).toBe(1);
      return leaders[0] as number;
    });
    expect(shares.map((_, leader) => turns.filter((each) => each === leader).length)).toEqual(shares);
    for (let slot = SLOT; slot < SLOT + 40; slot++) {
      const voters = Array.from({ length: schedule.votesIn(slot) }, (_, n) => schedule.voterAt(slot, n));
      expect(new Set(voters).size).toBe(voters.length);
    }
  });
});

describe("an index", () => {
  it("has the blocks that it has read, and no others", () => {
    const blocks = [...(tinySource().blocks() as Iterable<SourceBlock>)];
    const { reader } = createMemoryLedger({ blocks });
    const slots = blocks.map(({ slot }) => slot);
    const latest = queryRows(reader, "v2-block-last", { limit: 100 });
    expect(latest.map(({ current_slot }) => current_slot)).toEqual(slots.toReversed());
    for (let slot = slots.at(-1) as number; slot > (slots.at(-1) as number) - 1000; slot--) {
      const block: Answer = queryData(reader, "v2-block-detail", { block: slot });
      expect(block.blockhash !== undefined).toBe(slots.includes(slot));
    }
    const days: readonly Answer[] = queryRows(reader, "analytics-slots", { range: 365 });
    expect(days.reduce((sum, { value }) => sum + value, 0)).toBeLessThanOrEqual(blocks.length);
  });
});

/** Opens a copy of a world to which blocks were added after a day, an hour, and at the same second. */
async function changedLedger({ seed, size }: WorldOptions): Promise<Ledger> {
  const copy = await openLedgerCopy((await worldLedger({ seed, size })).ledger);
  for (const seconds of [DAY, HOUR, 0, 0, 1]) {
    const economy = new LedgerEconomy(copy.reader, copy.reader.clock.end + seconds);
    const { voters = [] } = simulatedChain(copy.reader) ?? {};
    const [from, to] = [voters[20], voters[0]].map((voter) =>
      economy.load(copy.reader.addressOf(voter?.identity ?? 0)),
    );
    if (from && to) economy.send(from, (tx) => tx.transferSol(from, to, 1000n));
    copy.append(economy.closeBlock());
  }
  return copy;
}

/** Opens a world that has grown by blocks at an interval of two seconds. */
async function liveLedger(options: WorldOptions): Promise<Ledger> {
  const { ledger } = await worldLedger(options);
  const live = await openLiveLedger({ ledger, source: createWorld(options, 2) });
  for (let n = 0; n < 8; n++) await live.advance();
  return live;
}

describe.each([
  ["solx", 0.02, async (options: WorldOptions) => (await worldLedger(options)).ledger],
  ["another", 0.02, changedLedger],
  ["Ωmega", 0.3, liveLedger],
])("the chain of the world of seed %s and size %d", (seed, size, open) => {
  let ledger: Ledger;
  let db: LedgerReader;
  const blockOf = (block: number): Answer => queryData(db, "v2-block-detail", { block });
  const legacyBlock = (block: number): Answer => queryData(db, "block-detail", { block });
  beforeAll(async () => {
    ledger = await open({ seed, size });
    db = ledger.reader;
  });
  afterAll(() => ledger.close());

  it("can be walked by parents for an hour: hashes, heights, times, leaders and skipped slots agree", () => {
    const { absoluteSlot: last, blockHeight }: Answer = queryData(db, "chaininfo");
    let [slot, block] = [last, blockOf(last)];
    const end = block.block_time;
    expect(block.block_height).toBe(blockHeight);
    const leaders = new Map<number, string>();
    let skipped = 0;
    while (block.block_time > end - HOUR) {
      const parent = blockOf(block.parent_slot);
      expect(parent.blockhash).toBe(block.previous_block_hash);
      expect(parent.block_height).toBe(block.block_height - 1);
      expect(block.block_time - parent.block_time).toBeGreaterThanOrEqual(0);
      expect(block.block_time - parent.block_time).toBeLessThanOrEqual(Math.ceil((slot - block.parent_slot) * 0.4));
      const { result } = legacyBlock(slot);
      expect([result.blockhash, result.parentSlot, result.feeRewards]).toEqual([
        ...[block.blockhash, block.parent_slot, block.fee_rewards],
      ]);
      const turn = Math.floor(slot / TURN);
      expect(leaders.get(turn) ?? result.validator).toBe(result.validator);
      leaders.set(turn, result.validator);
      for (let missing = block.parent_slot + 1; missing < slot; missing++, skipped++) {
        expect(blockOf(missing)).toEqual({});
        expect(legacyBlock(missing).result.code).toBe(-32007);
      }
      [slot, block] = [block.parent_slot, parent];
    }
    expect((last - slot) / HOUR).toBeCloseTo(2.5, 1);
    expect(skipped / (last - slot)).toBeGreaterThan(0.01);
    expect(skipped / (last - slot)).toBeLessThan(0.05);
  });

  it("has its latest blocks and transactions one after another", () => {
    const blocks: readonly Answer[] = queryRows(db, "v2-block-last", { limit: 100 });
    blocks.slice(1).forEach((parent, at) => {
      const { current_slot, parent_slot, previous_block_hash } = blocks[at];
      expect([parent_slot, previous_block_hash]).toEqual([parent.current_slot, parent.blockhash]);
      expect(blockOf(current_slot).parent_slot).toBe(parent_slot);
    });
    const latest: readonly Answer[] = queryRows(db, "v2-transaction-last", { limit: 100, filter: "all" });
    const inBlocks = blocks.slice(0, 3).flatMap(({ current_slot }) => transactionsOf(current_slot).toReversed());
    expect(latest).toEqual(inBlocks.slice(0, 100));
  });

  const transactionsOf = (block: number): readonly Answer[] => {
    const rows: Answer[] = [];
    for (let page = 1; ; page++) {
      const answer: Answer = queryData(db, "v2-block-transactions", { block, page, page_size: 100 });
      rows.push(...answer.transactions);
      if (answer.transactions.length < 100) {
        expect(rows.length).toBe(answer.total);
        return rows;
      }
    }
  };

  it("has days that are the sums of their blocks", () => {
    const schedule = simulatedChain(db)?.schedule as LeaderSchedule;
    const series = (name: string): Answer =>
      (queryData(db, `analytics-${name}`, { ...(name === "transactions" && { filter: "all" }), range: 30 }) as Answer)
        .series[20];
    const { block_time: begin, ...totals } = series("transactions");
    /** Returns the first slot at or after a time, by the times of blocks. */
    const slotAt = (time: number): number => {
      let slot = SLOT + Math.round((time - (blockOf(SLOT).block_time as number)) * 2.5) - 8;
      while (timeFrom(slot) < time) slot++;
      return slot;
    };
    const [from, end] = [slotAt(begin), slotAt(begin + DAY)];
    const sums = { blocks: 0, votes: 0 };
    for (let slot = from; slot < end; slot++) {
      if (!schedule.hasBlock(slot)) continue;
      sums.blocks++;
      sums.votes += schedule.votesIn(slot);
    }
    const stored = db.get(
      `SELECT count(*) AS others, sum(fee - priority_fee) AS base, sum(priority_fee) AS priority, sum(compute_units) AS units,
        sum(error IS NOT NULL) AS failures FROM transactions WHERE id / 8192 >= ? AND id / 8192 < ?`,
      ...[from, end],
    );
    const [others, failures] = [Number(stored?.others), Number(stored?.failures)];
    expect(others).toBeGreaterThan(0);
    expect(series("slots").value).toBe(sums.blocks);
    expect(totals).toMatchObject({
      ...{ total: sums.votes + others, vote: sums.votes },
      ...{ nonvote_success: others - failures, nonvote_fail: failures },
    });
    const fees = series("fees");
    expect([fees.base_fee, fees.total_fee].map((sol) => Math.round(Number(sol) * 1e9))).toEqual([
      sums.votes * 5000 + Number(stored?.base),
      sums.votes * 5000 + Number(stored?.base) + Number(stored?.priority),
    ]);
    expect(series("compute-units").value).toBe(sums.votes * 2100 + Number(stored?.units));
  });

  /** Returns the time of the first block from a slot on. */
  const timeFrom = (slot: number): number => blockOf(slot).block_time ?? timeFrom(slot + 1);

  it("has a block for every few slots, with the sums of its transactions", () => {
    const { absoluteSlot }: Answer = queryData(db, "chaininfo");
    assert(
      property(integer({ min: 1, max: 300_000 }), (back) => {
        const slot = absoluteSlot - back;
        const block = blockOf(slot);
        if (block.blockhash === undefined) return;
        const rows = transactionsOf(slot);
        expect(block.transactions_count).toBe(rows.length);
        expect(legacyBlock(slot).result.transactionCount).toBe(rows.length);
        expect(base58.decode(block.blockhash).length).toBe(32);
        const votes = rows.filter(({ program_ids }) => program_ids[0] === PROGRAM.vote);
        expect(new Set(votes.map(({ signer }) => signer[0])).size).toBe(votes.length);
        expect(new Set(rows.map(({ tx_hash }) => tx_hash)).size).toBe(rows.length);
        if (votes.length === rows.length) expect(block.fee_rewards).toBe(votes.length * 2500);
        for (const row of [rows[0], rows.at(-1)]) checkVote(slot, row);
      }),
      { numRuns: 40 },
    );
  });

  const checkVote = (slot: number, row: Answer) => {
    const block = blockOf(slot);
    const detail: Answer = queryData(db, "v2-transaction-detail", { tx: row.tx_hash });
    expect([detail.tx_hash, detail.block_id, detail.fee, detail.status, detail.signer, detail.block_time]).toEqual([
      ...[row.tx_hash, slot, row.fee, Number(row.status === "Success"), row.signer, block.block_time],
    ]);
    expect(detail.recent_block_hash).toBe(block.previous_block_hash);
    if (row.program_ids[0] !== PROGRAM.vote) return;
    expect(detail.account_keys.map(({ signer, writable }: Answer) => [signer, writable])).toEqual([
      [true, true],
      [false, true],
      [false, false],
    ]);
    const [change] = detail.sol_bal_change;
    expect([change.address, change.change_amount]).toEqual([row.signer[0], "-5000"]);
    expect(detail.parsed_instructions).toMatchObject([{ type: "towersync", program_id: PROGRAM.vote }]);
    const actions: Answer = queryData(db, "v2-transaction-actions", { tx: row.tx_hash });
    expect([actions.tx_hash, actions.block_id, actions.fee]).toEqual([row.tx_hash, slot, 5000]);
    const legacy: Answer = queryData(db, "transaction-detail", { signature: row.tx_hash });
    // The bytes of the transaction, read by Solana's own library.
    const [raw]: readonly Answer[] = nodeTransaction(db, findTransactionId(db, row.tx_hash) ?? 0, "base64");
    const { messageBytes, signatures } = getTransactionDecoder().decode(Buffer.from(raw.transaction[0], "base64"));
    expect(Object.entries(signatures).map(([signer, bytes]) => [signer, base58.encode(bytes as Uint8Array)])).toEqual([
      [row.signer[0], row.tx_hash],
    ]);
    const message = getCompiledTransactionMessageDecoder().decode(messageBytes);
    expect(message.lifetimeToken).toBe(block.previous_block_hash);
    expect(message.staticAccounts).toEqual(detail.account_keys.map(({ pubkey }: Answer) => pubkey));
    expect([legacy.txHash, legacy.slot, legacy.fee]).toEqual([row.tx_hash, slot, 5000]);
  };

  it("has voters whose lamports are those that their votes and rewards leave", () => {
    const { schedule, voters = [] } = simulatedChain(db) ?? {};
    const slots = queryRows(db, "v2-block-last", { limit: 100 }).map(({ current_slot }) => Number(current_slot));
    const ordered = [...slots].reverse();
    const lamports = new Map<string, bigint>();
    for (const slot of ordered.slice(-20)) {
      const fees = db.get("SELECT amount FROM rewards WHERE id / 1024 / 8192 = ? AND kind = 'fee'", slot)?.amount;
      for (const { tx_hash } of transactionsOf(slot)) {
        const detail: Answer = queryData(db, "v2-transaction-detail", { tx: tx_hash });
        for (const { address, pre_balance, post_balance } of detail.sol_bal_change) {
          if (!lamports.has(address)) lamports.set(address, BigInt(pre_balance));
          expect(String(lamports.get(address))).toBe(pre_balance);
          lamports.set(address, BigInt(post_balance));
        }
      }
      const leader = db.addressOf(voters[schedule?.leaderAt(slot) ?? 0]?.identity ?? 0);
      const before = lamports.get(leader);
      if (before !== undefined) lamports.set(leader, before + BigInt(fees ?? blockOf(slot).fee_rewards));
    }
    expect(lamports.size).toBeGreaterThan(10);
    for (const { identity } of voters) {
      const address = db.addressOf(identity);
      if (!lamports.has(address)) continue;
      const detail: Answer = queryData(db, "v2-account-detail", { address });
      expect([address, String(detail.lamports)]).toEqual([address, String(lamports.get(address))]);
    }
    const total = db.get("SELECT CAST(sum(amount) AS TEXT) AS sum FROM balances WHERE token_id = 1")?.sum;
    expect(db.get("SELECT CAST(supply AS TEXT) AS supply FROM token_stats WHERE token_id = 1")?.supply).toBe(total);
  });

  it("does not know votes of skipped or later slots", () => {
    const { absoluteSlot }: Answer = queryData(db, "chaininfo");
    expect(legacyBlock(absoluteSlot + 1).result.code).toBe(-32004);
    const key = simulatedChain(db)?.schedule.key ?? 0;
    const votes = [absoluteSlot + 4, absoluteSlot - 1e8].map((slot) => voteSignature(key, slot * 2048 + 1));
    expect(queryRows(db, "v2-transaction-detail-multi", { tx: votes })).toEqual([]);
  });
});
