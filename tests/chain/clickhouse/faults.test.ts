/** A server that is lost, full, or of another version: writers wait and lose nothing, readers say so. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { parseStoreAddress } from "../../../src/chain/ledger/clickhouse/address.ts";
import { connectToStore } from "../../../src/chain/ledger/clickhouse/server.ts";
import { createShipper, type ShippingEvent } from "../../../src/chain/ledger/clickhouse/shipper.ts";
import { openStore } from "../../../src/chain/ledger/clickhouse/store.ts";
import { openStoreWriter } from "../../../src/chain/ledger/clickhouse/writer.ts";
import { type ChainLedgerWriter, openChainLedger } from "../../../src/chain/ledger/store/chain-writer.ts";
import type { Fault } from "../../support/clickhouse/faults.ts";
import { type ClickHouseServer, startClickHouse, storeAt } from "../../support/clickhouse/start.ts";
import { useScenario } from "../../support/node/use-test-node.ts";
import { CHDB, describeWith } from "../../support/programs.ts";
import { storyBlocks } from "../../support/story-index.ts";

const shared = useScenario();
const folder = mkdtempSync(join(tmpdir(), "solx-faults-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describeWith(CHDB)("a faulty server", () => {
  let server: ClickHouseServer;
  let ledger: ChainLedgerWriter;
  let databases = 0;
  let database = "";
  const address = () => storeAt(server.url, database);

  beforeAll(async () => {
    server = await startClickHouse(afterAll, { folder: join(folder, "data") });
    ledger = openChainLedger(join(folder, "story.db"), "chain:test");
    afterAll(() => ledger.close());
    ledger.write({
      blocks: await storyBlocks(shared.node),
      meta: { commitment: "finalized", filter: "", next: "10000000000" },
    });
  });
  beforeEach(() => {
    database = `faults_${++databases}`;
  });
  afterEach(() => server.recover());

  const count = async (table: string) => {
    const store = await connectToStore(address());
    const { data } = await store.ask({ sql: `SELECT count() FROM ${table}`, texts: {} });
    await store.close();
    return Number(data[0]?.[0]);
  };

  const faults: readonly (readonly [string, Fault])[] = [
    [
      "is lost before it is asked for the last range",
      { query: "FROM ranges WHERE writer", after: 1, times: 1, isRefused: true },
    ],
    ["does not announce a range", { query: "INSERT INTO ranges", times: 1, isRefused: true }],
    ["cuts the answer to an insert", { query: "INSERT INTO transfers", times: 1, cutAfter: 0 }],
    ["has no space", { query: "INSERT INTO transfers", times: 1, error: "NOT_ENOUGH_SPACE" }],
    ["has no memory", { query: "INSERT INTO token_stats", times: 1, error: "MEMORY_LIMIT_EXCEEDED" }],
    ["has too many parts", { query: "INSERT INTO blocks", times: 1, error: "TOO_MANY_PARTS" }],
    ["cuts the answer to an announcement", { query: "INSERT INTO ranges", after: 1, times: 1, cutAfter: 0 }],
  ];
  test.each(faults)("that %s is waited for, and has all rows once", async (_, fault) => {
    const store = await openStoreWriter(address());
    const events: ShippingEvent[] = [];
    const ship = createShipper(store, {
      signal: new AbortController().signal,
      onEvent: (event) => void events.push(event),
    });
    await server.fail(fault);
    await ship(ledger, true);
    await store.close();
    expect(events.map(({ kind }) => kind)).toEqual(["waiting", "recovered"]);
    for (const table of ["blocks", "transactions", "transfers", "token_stats"])
      expect(await count(table), table).toBe(Number(ledger.db.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.n));
    expect(await count("(SELECT 1 FROM ranges GROUP BY from, end HAVING max(is_done))")).toBe(1);
  });

  test("ends at once when it is interrupted, while it waits and while it inserts", async () => {
    for (const fault of [
      { query: "INSERT INTO transfers", error: "NOT_ENOUGH_SPACE" },
      { query: "INSERT INTO transfers", latency: Number.POSITIVE_INFINITY },
    ] satisfies Fault[]) {
      const controller = new AbortController();
      const { signal } = controller;
      const store = await openStoreWriter(address(), signal);
      const waiting = Promise.withResolvers<void>();
      const ship = createShipper(store, { signal, onEvent: () => waiting.resolve() });
      await server.fail(fault);
      const shipping = ship(ledger, true);
      if (fault.error === undefined) {
        // The server has the request when it is asked for the count of its rows.
        await expect.poll(() => count("ranges")).toBeGreaterThan(0);
      } else await waiting.promise;
      controller.abort(new Error("stopped"));
      await expect(shipping).rejects.toThrow(/stopped|Interrupted/);
      await store.close();
      await server.recover();
    }
  });

  test("of an old version of ClickHouse says which one is needed", async () => {
    await (await openStoreWriter(address())).close();
    await server.fail({ query: "SELECT", error: "UNKNOWN_SETTING" });
    await expect(openStore(address(), async () => undefined as never)).rejects.toMatchObject({
      code: "STORE_OLD",
      message: expect.stringContaining("26.7 or newer"),
    });
    await server.recover();
  });

  test("of another version is refused before anything of it changes", async () => {
    await (await openStoreWriter(address())).close();
    const store = await connectToStore(address());
    await store.run("INSERT INTO meta_known VALUES ('store', '999', 1, 1, 0)");
    await store.run("DROP VIEW accounts");
    await expect(openStoreWriter(address())).rejects.toMatchObject({ code: "INDEX_VERSION", exitCode: 2 });
    const { data } = await store.ask({ sql: "EXISTS accounts", texts: {} });
    await store.close();
    expect(Number(data[0]?.[0])).toBe(0);
    await expect(openStore(address(), async () => undefined as never)).rejects.toMatchObject({
      code: "INDEX_VERSION",
    });
  });

  test.each([
    ["clickhouse://host:8123/a/b", "a/b"],
    ["http://host:8123/solana", "does not begin with clickhouse://"],
    ["blocks.db", "does not begin with clickhouse://"],
  ])("is not named by %s", (text, said) => {
    try {
      parseStoreAddress(text, "secret");
      expect.unreachable();
    } catch (error) {
      expect(`${(error as Error).message} ${(error as { hint?: string }).hint}`).toContain(said);
    }
  });
});
