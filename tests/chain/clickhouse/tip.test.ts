/**
 * An index in ClickHouse of a chain that drops blocks: at each step, it answers like the file of its writer. What the
 * chain drops is replaced, and not deleted. A writer, or the server, is killed meanwhile.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SQLInputValue } from "node:sqlite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isArray, isObject, type Json, parseJson, stringifyJson } from "../../../src/base/index.ts";
import { type Endpoint, endpoints, QueryParams } from "../../../src/catalogue/index.ts";
import { createStoredDecoder } from "../../../src/chain/indexer/state/interfaces.ts";
import { connectToStore } from "../../../src/chain/ledger/clickhouse/server.ts";
import { createShipper } from "../../../src/chain/ledger/clickhouse/shipper.ts";
import { STATISTICS } from "../../../src/chain/ledger/clickhouse/statistics.ts";
import { readStore } from "../../../src/chain/ledger/clickhouse/store.ts";
import { openStoreWriter } from "../../../src/chain/ledger/clickhouse/writer.ts";
import { UnknownFactError } from "../../../src/chain/ledger/queries/query.ts";
import type { SourceBlock } from "../../../src/chain/ledger/source/source.ts";
import { type ChainLedgerWriter, openChainLedger } from "../../../src/chain/ledger/store/chain-writer.ts";
import { createLedgerReader, type LedgerReader } from "../../../src/chain/ledger/store/reader.ts";
import { describeSource } from "../../../src/sources/open-source.ts";
import { describeDifference } from "../../support/clickhouse/difference.ts";
import { type ClickHouseServer, startClickHouse, storeAt } from "../../support/clickhouse/start.ts";
import { filterCombinations } from "../../support/filter-combinations.ts";
import { useScenario } from "../../support/node/use-test-node.ts";
import { CHDB, describeWith } from "../../support/programs.ts";
import { answerParams } from "../../support/query.ts";
import { storyBlocks, storySubjects } from "../../support/story-index.ts";

/** Requests of an endpoint at each step. */
const REQUESTS = 1;
/** Those whose tables are brought up to date later, and of final blocks. */
const STATISTICAL = new RegExp(`\\b(?:${STATISTICS.map(({ table }) => table).join("|")})\\b`);

const shared = useScenario();
const folder = mkdtempSync(join(tmpdir(), "solx-tip-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Sorts lists: equal values are in the order of accounts, which is another one in ClickHouse. */
const sorted = (value: Json): Json => {
  if (isArray(value)) return value.map(sorted).sort((a, b) => (stringifyJson(a) < stringifyJson(b) ? -1 : 1));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, sorted(member)]),
  );
};

const answerOf = (reader: LedgerReader, endpoint: Endpoint, values: ConstructorParameters<typeof QueryParams>[1]) => {
  try {
    const answer = stringifyJson(answerParams(reader, endpoint, new QueryParams(endpoint.query, values)) as Json);
    return stringifyJson(sorted(parseJson(answer)));
  } catch (error) {
    if (error instanceof UnknownFactError) return error.message;
    throw error;
  }
};

describeWith(CHDB)("an index in ClickHouse of blocks that the chain may drop", () => {
  const { supports } = describeSource({ kind: "index", name: "test" });
  const { signal } = new AbortController();
  let server: ClickHouseServer;
  let blocks: readonly SourceBlock[];
  let files = 0;

  beforeAll(async () => {
    const data = join(folder, "data");
    server = await startClickHouse(afterAll, { folder: data });
    blocks = await storyBlocks(shared.node);
  });

  const addressOf = (database: string) => storeAt(server.url, database);

  /** A chain whose blocks after the first ones may be dropped, and its index. */
  function openChain(database: string) {
    const path = join(folder, `${database}-${++files}.db`);
    let ledger = openChainLedger(path, "chain:test");
    afterAll(() => ledger.close());
    const open = async () => {
      const store = await openStoreWriter(addressOf(database));
      afterAll(() => store.close());
      return createShipper(store, { signal, onEvent() {} });
    };
    return {
      get ledger() {
        return ledger;
      },
      open,
      /** Continues like another process. */
      reopen() {
        ledger.close();
        ledger = openChainLedger(path, "chain:test");
      },
      add(added: readonly SourceBlock[], finalSlot = 0) {
        for (const block of added)
          ledger.write({
            blocks: [block],
            meta: { commitment: "confirmed", filter: "", next: block.slot + 1 },
            mayBeDropped: true,
            finalSlot,
          });
      },
    };
  }

  /** Compares answers of both, and returns how many were compared. */
  async function compare(ledger: ChainLedgerWriter, database: string, step: string): Promise<number> {
    const store = await readStore(await connectToStore(addressOf(database)), createStoredDecoder);
    const property = (name: string) => {
      const value = ledger.db.prepare("SELECT value FROM meta WHERE name = ?").get(name)?.value;
      return value == null ? undefined : String(value);
    };
    const decode = await createStoredDecoder(property);
    const clock = () => ({ end: Number(property("end")), shift: 0 });
    const plain = createLedgerReader(ledger.db, clock, { isChain: true, decode });
    let isStatistical = false;
    const note = (sql: string) => {
      isStatistical ||= STATISTICAL.test(sql);
      return sql;
    };
    const file: LedgerReader = Object.assign(Object.create(plain), {
      all: (sql: string, ...params: SQLInputValue[]) => plain.all(note(sql), ...params),
      get: (sql: string, ...params: SQLInputValue[]) => plain.get(note(sql), ...params),
    });
    const requests = endpoints
      .filter((each) => supports(each).level !== "none")
      .flatMap((endpoint) => {
        const all = [...filterCombinations(endpoint, storySubjects(plain))];
        const some = all.filter((_, at) => at % Math.ceil(all.length / REQUESTS) === 0);
        return some.flatMap((values) => {
          isStatistical = false;
          const expected = answerOf(file, endpoint, values);
          return isStatistical ? [] : [{ endpoint, values, expected }];
        });
      });
    const differences: string[] = [];
    const compareNext = async (): Promise<void> => {
      const { endpoint, values, expected } = requests.pop() ?? {};
      if (!endpoint || !values || expected === undefined) return;
      const answer = await store.ask((reader) => answerOf(reader, endpoint, values)).catch(String);
      if (answer !== expected) differences.push(describeDifference(`${step}: ${endpoint.route}`, answer, expected));
      await compareNext();
    };
    const { length } = requests;
    await Promise.all(Array.from({ length: 16 }, compareNext));
    expect(differences).toEqual([]);
    store.close();
    return length;
  }

  const read = async (database: string, sql: string) => {
    const store = await connectToStore(addressOf(database));
    const { data } = await store.ask({ sql, texts: {} });
    await store.close();
    return data;
  };
  const run = async (database: string, sql: string) => {
    const store = await connectToStore(addressOf(database));
    await store.run(sql);
    await store.close();
  };
  const statistics = (database: string) =>
    Promise.all(STATISTICS.map(({ table }) => read(database, `SELECT * FROM ${table} ORDER BY ALL`)));
  /** Returns how many rows are of blocks that were dropped. */
  const countDropped = async (database: string) => {
    const tables = ["transfers", "blocks", "balances_known", "accounts_known"];
    const forks = "SELECT fork FROM dropped";
    const union = tables.map(
      (table) => `SELECT count() AS n FROM ${table} WHERE fork IN (${forks}) AND
      fork NOT IN (SELECT fork FROM ranges WHERE is_first)`,
    );
    return Number((await read(database, `SELECT sum(n) FROM (${union.join(" UNION ALL ")})`))[0]?.[0]);
  };

  /** A block that another one replaces: without its last transactions. */
  const without = (block: SourceBlock, kept: number): SourceBlock => ({
    ...block,
    hash: block.hash.replace(/^./, (first) => (first === "A" ? "B" : "A")),
    transactions: block.transactions.slice(0, kept),
  });

  test("answers like the file of its writer after each block that is dropped or replaced", async () => {
    const chain = openChain("forks");
    const ship = await chain.open();
    const count = blocks.length;
    const [first, second] = [Math.floor(count / 3), Math.floor((2 * count) / 3)];
    const slotAt = (at: number) => blocks[at]?.slot ?? 0;
    chain.add(blocks.slice(0, first), slotAt(first - 10));
    await ship(chain.ledger, true);
    expect(await compare(chain.ledger, "forks", "with a tip")).toBeGreaterThan(20);
    // The last blocks are dropped, and others follow, of which one is empty.
    chain.ledger.removeFrom(slotAt(first - 8), { next: slotAt(first - 8) });
    await ship(chain.ledger, false);
    await compare(chain.ledger, "forks", "dropped");
    chain.add(blocks.slice(first - 8, first - 4).map((block, at) => without(block, at % 2)));
    await ship(chain.ledger, true);
    await compare(chain.ledger, "forks", "replaced");
    // They are dropped, too. The process begins anew.
    chain.ledger.removeFrom(slotAt(first - 6), { next: slotAt(first - 6) });
    chain.reopen();
    chain.add(blocks.slice(first - 6, second), slotAt(second - 20));
    const next = await chain.open();
    await next(chain.ledger, true);
    await compare(chain.ledger, "forks", "another process");
    chain.add(blocks.slice(second), slotAt(count - 1));
    await next(chain.ledger, true);
    await compare(chain.ledger, "forks", "final");
    // Statistics have no block that was dropped; the rows of these are removed later.
    const whole = openChain("whole");
    whole.ledger.write({
      blocks,
      meta: { commitment: "confirmed", filter: "", next: Number(blocks.at(-1)?.slot) + 1 },
    });
    const shipWhole = await whole.open();
    await shipWhole(whole.ledger, true);
    expect(await statistics("forks")).toEqual(await statistics("whole"));
    expect(await countDropped("forks")).toBeGreaterThan(0);
    await run("forks", "INSERT INTO dropped SELECT * REPLACE (now() - 3600 AS at) FROM dropped FINAL");
    await next(chain.ledger, true);
    expect(await countDropped("forks")).toBe(0);
    await compare(chain.ledger, "forks", "removed");
  }, 600_000);

  test.each(["INSERT INTO dropped", "INSERT INTO ranges", "INSERT INTO transfers"])(
    "continues with other blocks after a writer that was lost at %s",
    async (query) => {
      const database = `lost_${++files}`;
      const chain = openChain(database);
      const slotAt = (at: number) => blocks[at]?.slot ?? 0;
      chain.add(blocks.slice(0, 20), slotAt(10));
      await (await chain.open())(chain.ledger, true);
      for (const after of [0, 1]) {
        chain.ledger.removeFrom(slotAt(16 - after), { next: slotAt(16 - after) });
        chain.add(blocks.slice(16 - after, 18).map((block) => without(block, after)));
        const ship = await chain.open();
        await server.fail({ query, after, times: 1, error: "UNKNOWN_SETTING" });
        await ship(chain.ledger, true).catch(() => {});
        await server.recover();
        chain.ledger.removeFrom(slotAt(17 - after), { next: slotAt(17 - after) });
        chain.reopen();
        chain.add(blocks.slice(17 - after, 20));
        await (await chain.open())(chain.ledger, true);
        await compare(chain.ledger, database, `${query} ${after}`);
      }
    },
    600_000,
  );
});
