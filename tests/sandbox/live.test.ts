import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { InterruptedError } from "../../src/base/errors.ts";
import { openDatabase } from "../../src/base/sqlite.ts";
import type { BlockSource, SourceBlock } from "../../src/chain/ledger/source/source.ts";
import { type LiveLedgerOptions, openLiveLedger } from "../../src/chain/ledger/store/growing-ledgers.ts";
import { type Ledger, ledgerFromDatabase, openLedger } from "../../src/chain/ledger/store/store.ts";
import { writeLedger } from "../../src/chain/ledger/store/writer.ts";
import { DERIVED_TABLES, dumpTable } from "../support/derived-tables.ts";
import { type TestLedger, tinyLedger } from "../support/ledger.ts";
import { at, tinySource } from "../support/tiny-chain.ts";

const source = tinySource();
const blocks = [...(source.blocks() as Iterable<SourceBlock>)];
const folder = mkdtempSync(join(tmpdir(), "solx-live-test-"));

let tiny: TestLedger;
beforeAll(async () => {
  tiny = await tinyLedger();
});
afterAll(() => {
  tiny.ledger.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Returns the source as of its first `count` blocks. */
const early = (count: number): BlockSource => ({ ...source, id: `tiny-${count}`, end: blocks[count - 1]?.time ?? 0 });

async function inMemory(count: number): Promise<Ledger> {
  const db = openDatabase(":memory:");
  await writeLedger(db, early(count));
  return ledgerFromDatabase(db, { now: 2_000_000_000 });
}

async function live(count: number, options: Partial<LiveLedgerOptions> = {}) {
  return openLiveLedger({ ledger: await inMemory(count), source, ...options });
}

test.each(blocks.slice(1).map((_, index) => index + 1))(
  "continuing after %i blocks leads to the same ledger",
  async (count) => {
    const ledger = await live(count);
    for (const block of blocks.slice(count)) {
      expect(await ledger.advance()).toBe(true);
      expect(ledger.reader.clock.end).toBe(block.time);
    }
    for (const table of DERIVED_TABLES) expect(dumpTable(ledger.db, table), table).toEqual(dumpTable(tiny.db, table));
    expect(await ledger.advance()).toBe(false);
    ledger.close();
  },
);

test("updates the wealth of accounts that a block touches", async () => {
  const ledger = await live(7);
  await ledger.advance();
  const wealthOf = (from: { reader: Ledger["reader"] }, name: string) =>
    from.reader.get("SELECT * FROM wealth WHERE account_id = ?", from.reader.idOf(name) ?? 0);
  for (const name of [at.alice, at.bob, at.carol, at.dave, at.whale]) {
    expect(wealthOf(ledger, name)).toEqual(wealthOf(tiny, name));
  }
  ledger.close();
});

test("does not change the shift of the clock", async () => {
  const ledger = await live(4);
  const before = ledger.reader.clock;
  await ledger.advance();
  expect(ledger.reader.clock.shift).toBe(before.shift);
  expect(ledger.reader.clock.end).toBeGreaterThan(before.end);
  ledger.close();
});

test("does not change the stored ledger, and removes its copy", async () => {
  const stored = await openLedger({ folder, source: early(3) });
  const bytes = readFileSync(String(stored.path));
  const ledger = await openLiveLedger({ ledger: stored, source });
  await ledger.advance();
  expect(ledger.reader.idOf(at.stake)).toBeDefined();
  expect(stored.reader.idOf(at.stake)).toBeUndefined();
  ledger.close();
  stored.close();
  expect(readFileSync(join(folder, "sandbox", String(readdirSync(join(folder, "sandbox"))[0]))).equals(bytes)).toBe(
    true,
  );
});

test("adds concurrently requested blocks one after another", async () => {
  const ledger = await live(2);
  expect(await Promise.all(blocks.map(() => ledger.advance()))).toEqual(blocks.map((_, index) => index < 6));
  for (const table of DERIVED_TABLES) expect(dumpTable(ledger.db, table), table).toEqual(dumpTable(tiny.db, table));
  ledger.close();
});

test("adds the blocks that are due in one step, which leads to the same ledger", async () => {
  const ledger = await live(2);
  // Nothing is due within the first hour.
  await ledger.catchUp(3_600_000);
  expect(ledger.reader.clock.end).toBe(blocks[1]?.time);
  const end = blocks.at(-1)?.time;
  await expect.poll(() => ledger.catchUp(1).then(() => ledger.reader.clock.end)).toBe(end);
  for (const table of DERIVED_TABLES) expect(dumpTable(ledger.db, table), table).toEqual(dumpTable(tiny.db, table));
  ledger.close();
});

test("adds nothing after it is closed", async () => {
  const ledger = await live(6);
  ledger.close();
  expect(await ledger.advance()).toBe(false);
  ledger.close();
});

test("skipping known blocks yields to the event loop and can be interrupted", async () => {
  const first = blocks[0] as SourceBlock;
  const slow: BlockSource = {
    ...source,
    *blocks() {
      for (;;) {
        const until = performance.now() + 5;
        while (performance.now() < until);
        yield { ...first, slot: first.slot - 1 };
      }
    },
  };
  const stop = new AbortController();
  const ledger = await live(1, { source: slow, signal: stop.signal });
  let ticks = 0;
  const timer = setInterval(() => {
    ticks += 1;
    if (ticks === 3) stop.abort();
  }, 1);
  await expect(ledger.advance()).rejects.toThrow(InterruptedError);
  clearInterval(timer);
  expect(ticks).toBe(3);
  ledger.close();
});

test("a world that continues is identical to one that was generated at once", async () => {
  const { createWorld } = await import("../../src/chain/world/world.ts");
  const world = createWorld({ seed: "live", size: 0.02 });
  const [whole, start] = [openDatabase(":memory:"), openDatabase(":memory:")];
  await writeLedger(whole, world);
  await writeLedger(start, { ...world, end: world.end - 36 * 3600 });
  const ledger = await openLiveLedger({ ledger: ledgerFromDatabase(start), source: world });
  const slotOf = (db: DatabaseSync) => Number(db.prepare("SELECT MAX(slot) AS slot FROM blocks").get()?.slot);
  expect(slotOf(start)).toBeLessThan(slotOf(whole));
  while (slotOf(ledger.db) < slotOf(whole)) await ledger.advance();
  for (const table of DERIVED_TABLES) expect(dumpTable(ledger.db, table), table).toEqual(dumpTable(whole, table));
  ledger.close();
});

test.each([2, 1, 0.4])("the times of blocks of a live world advance with the clock: every %d s", async (interval) => {
  const { createWorld } = await import("../../src/chain/world/world.ts");
  const world = createWorld({ seed: "live", size: 0.02 }, interval);
  const times: number[] = [];
  for (const { time = 0 } of world.blocks() as Iterable<SourceBlock>) {
    if (time > world.end) times.push(time);
    if (times.length === 40) break;
  }
  // A turn of skipped slots takes 1.6 seconds; two can follow each other.
  for (const [at, time] of times.entries()) {
    expect(Math.abs(time - world.end - at * interval)).toBeLessThanOrEqual(interval + 3.3);
  }
});
