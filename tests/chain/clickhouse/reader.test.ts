/** What answers from ClickHouse see while ranges are written. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createStoredDecoder } from "../../../src/chain/indexer/state/interfaces.ts";
import type { StoreAddress } from "../../../src/chain/ledger/clickhouse/address.ts";
import { ledgerToShip } from "../../../src/chain/ledger/clickhouse/shipping.ts";
import { openStore } from "../../../src/chain/ledger/clickhouse/store.ts";
import { openStoreWriter, type StoreWriter } from "../../../src/chain/ledger/clickhouse/writer.ts";
import { type ChainLedgerWriter, openChainLedger } from "../../../src/chain/ledger/store/chain-writer.ts";
import { startClickHouse, storeAt } from "../../support/clickhouse/start.ts";
import { ObservedChain } from "../../support/observed-chain.ts";
import { CHDB, describeWith } from "../../support/programs.ts";

describeWith(CHDB)("an answer", () => {
  const folder = mkdtempSync(join(tmpdir(), "solx-reader-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const chain = new ObservedChain({ seed: 4 });
  const blocks = Array.from({ length: 12 }, () => chain.block(3));
  const [first = 0, middle = 0, last = 0] = [0, 5, 11].map((at) => blocks[at]?.slot ?? 0);
  let store: StoreWriter;
  let ledger: ChainLedgerWriter;
  let address: StoreAddress;
  const source = () => ledgerToShip(ledger);

  beforeAll(async () => {
    const { url } = await startClickHouse(afterAll, { folder });
    address = storeAt(url, "solana");
    ledger = openChainLedger(":memory:", "chain:test");
    ledger.write({ blocks });
    store = await openStoreWriter(address);
  });

  const countSlots = async (): Promise<readonly unknown[]> => {
    const reader = await openStore(address, createStoredDecoder);
    try {
      return await reader.ask((db) =>
        ["blocks", "transactions", "balance_changes"].map(
          (table) => db.get(`SELECT count(*) AS number FROM ${table}`)?.number,
        ),
      );
    } finally {
      reader.close();
    }
  };

  test("has no row of a range that is being written, also before others that are complete", async () => {
    const ship = (from: number, end: number) =>
      store.ship(source(), { from, end, isComplete: true, writer: `from ${from}` });
    await ship(middle, last + 1);
    const upper = await countSlots();
    await ship(first, middle);
    const all = await countSlots();
    expect(all).not.toEqual(upper);
    const again = "from, end, writer, number + 1, fork, final, is_first, is_complete, 0";
    await store.server.run(`INSERT INTO ranges SELECT ${again} FROM ranges WHERE from = ${first}`);
    expect(await countSlots()).toEqual(upper);
  });

  test("is of one chain: blocks of another one are refused", async () => {
    ledger.close();
    ledger = openChainLedger(":memory:", "chain:other");
    ledger.write({ blocks });
    await expect(
      store.ship(source(), { from: first, end: last + 1, isComplete: true, writer: "other" }),
    ).rejects.toMatchObject({ code: "INDEX_SOURCE" });
  });
});
