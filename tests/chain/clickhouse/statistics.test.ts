/** Statistics that follow the blocks of an index in ClickHouse are those of all its blocks. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ledgerToShip } from "../../../src/chain/ledger/clickhouse/shipping.ts";
import { openStoreWriter, type StoreWriter } from "../../../src/chain/ledger/clickhouse/writer.ts";
import { openChainLedger } from "../../../src/chain/ledger/store/chain-writer.ts";
import { startClickHouse, storeAt } from "../../support/clickhouse/start.ts";
import { ObservedChain } from "../../support/observed-chain.ts";
import { CHDB, describeWith } from "../../support/programs.ts";

const DAY = 86_400;
const TABLES = ["token_stats", "token_holdings", "token_windows", "pool_stats", "program_stats", "nft_markets"];

describeWith(CHDB)("statistics", () => {
  const folder = mkdtempSync(join(tmpdir(), "solx-statistics-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const chain = new ObservedChain({ seed: 7 });
  const blocks = Array.from({ length: 40 }, (_, at) => {
    const block = chain.block(6);
    // Older blocks leave the windows, the longest of which has 90 days.
    return { ...block, time: (block.time ?? 0) + at * 4 * DAY };
  });
  const slotAt = (at: number) => blocks[at]?.slot ?? (blocks.at(-1)?.slot ?? 0) + 1;
  const ledger = openChainLedger(":memory:", "chain:test");
  afterAll(() => ledger.close());
  const source = ledgerToShip(ledger);
  let url = "";

  beforeAll(async () => {
    ({ url } = await startClickHouse(afterAll, { folder }));
    ledger.write({ blocks });
  });

  const open = (database: string) => openStoreWriter(storeAt(url, database));
  /** Ships blocks, by their numbers, in a range of its own, or of the writer's. */
  const ship = (store: StoreWriter, [from, end]: readonly [number, number], writer = `blocks ${from} to ${end}`) =>
    store.ship(source, { from: slotAt(from), end: slotAt(end), isComplete: false, writer });
  const dump = async (store: StoreWriter) => {
    const tables: Record<string, unknown> = {};
    for (const table of TABLES) {
      const sql = `SELECT * FROM ${table} ORDER BY ALL`;
      tables[table] = (await store.server.ask({ sql, texts: {} })).data;
    }
    return tables;
  };

  test("that follow ranges, in any order, are the same as those of all blocks at once", async () => {
    const steps = await open("steps");
    // A gap is filled later, and another writer sends slots again.
    const parts = [
      [0, 6],
      [14, 30],
      [6, 14],
      [28, 40],
    ] as const;
    for (const part of parts) {
      await ship(steps, part);
      await steps.refreshStatistics(true);
    }
    const whole = await open("whole");
    for (const part of parts) await ship(whole, part);
    await whole.refreshStatistics(true);
    expect(await dump(steps)).toEqual(await dump(whole));
    await whole.close();
    for (const [table, rows] of Object.entries(await dump(steps)))
      if (table !== "nft_markets") expect(rows, table).not.toEqual([]);
    await steps.close();
  }, 600_000);

  test("add to an opening what follows it, whoever has written it, and nothing else", async () => {
    const supplies = async (name: string, ...ships: readonly ((store: StoreWriter) => Promise<void>)[]) => {
      const store = await open(name);
      for (const each of ships) {
        await each(store);
        await store.refreshStatistics(true);
      }
      const sql = `SELECT a.address, toString(s.supply) FROM token_stats s JOIN accounts a ON a.id = s.token_id
        WHERE s.token_id <> 1 ORDER BY ALL`;
      const { data } = await store.server.ask({ sql, texts: {} });
      await store.close();
      return data.map(([token, supply]) => [String(token), supply == null ? null : String(supply)] as const);
    };
    const half = await supplies("half", (store) => ship(store, [0, 20]));
    const opened = openChainLedger(":memory:", "chain:test");
    afterAll(() => opened.close());
    const openingSupplies = half.flatMap(([token, supply]) =>
      supply === null ? [] : [{ token, amount: BigInt(supply) }],
    );
    opened.write({ opening: [{ openingSupplies }], blocks: blocks.slice(20) });
    const shipOpened = (store: StoreWriter) =>
      store.ship(ledgerToShip(opened), { from: slotAt(20), end: slotAt(40), isComplete: true, writer: "opened" });
    const whole = await supplies("all", (store) => ship(store, [0, 40]));
    expect(new Map(half)).not.toEqual(new Map(whole));
    // The blocks before it come later, or another index had them before.
    expect(await supplies("earlier", shipOpened, (store) => ship(store, [0, 20]))).toEqual(whole);
    expect(await supplies("second", (store) => ship(store, [0, 40]), shipOpened)).toEqual(whole);
  }, 600_000);

  test("are those of rows that a refresh has not read, and of no others", async () => {
    const store = await open("read");
    await ship(store, [0, 20]);
    await store.refreshStatistics(true);
    await ship(store, [20, 40]);
    const comment = async () =>
      (
        await store.server.ask({
          sql: "SELECT comment FROM system.tables WHERE database = 'read' AND name = 'token_sums'",
          texts: {},
        })
      ).data[0]?.[0];
    expect(await comment()).toContain(`"end":${slotAt(20)}`);
    // What has been added is not read again.
    await store.server.run("TRUNCATE TABLE transfers SETTINGS mutations_sync = 1");
    const sums = "SELECT token_id, added FROM token_sums WHERE token_id <> 1 ORDER BY ALL";
    const before = await store.server.ask({ sql: sums, texts: {} });
    await store.refreshStatistics(true);
    expect((await store.server.ask({ sql: sums, texts: {} })).data).toEqual(expect.arrayContaining([...before.data]));
    await store.close();
  });

  test("do not grow with the number of ranges: those that touch become one", async () => {
    const store = await open("ranges");
    for (let at = 0; at < 12; at++) await ship(store, [at, at + 1], "tip");
    for (const table of ["covered", "ranges"]) await store.server.run(`OPTIMIZE TABLE ${table} FINAL`);
    const count = async (table: string) =>
      Number((await store.server.ask({ sql: `SELECT count() FROM ${table}`, texts: {} })).data[0]?.[0]);
    expect(await count("covered")).toBe(1);
    expect(await count("ranges")).toBeLessThanOrEqual(4);
    await store.close();
  });
});
