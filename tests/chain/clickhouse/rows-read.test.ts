/** How many rows ClickHouse reads for an answer: as many as it needs, not as many as there are. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Request, StatementResult } from "../../../src/chain/ledger/clickhouse/batches.ts";
import { readFromStart } from "../../../src/chain/ledger/clickhouse/long-lists.ts";
import { bindRequest } from "../../../src/chain/ledger/clickhouse/reader.ts";
import { connectToStore, type StoreServer } from "../../../src/chain/ledger/clickhouse/server.ts";
import { createStatements } from "../../../src/chain/ledger/clickhouse/tables.ts";
import { startClickHouse, storeAt } from "../../support/clickhouse/start.ts";
import { CHDB, describeWith } from "../../support/programs.ts";

const ROWS = 300_000;
/** A busy account has a row in each hundred, a quiet one three rows in all, and one a third of the rows. */
const [BUSY, QUIET, BUSIEST] = [3, 4, 5];
const KEY = `multiIf(number % 100 = 0, ${BUSY}, number % 100000 = 7, ${QUIET}, number % 3 = 0, ${BUSIEST}, 1000 + number)`;

/** A token with many holders, and those with the most of it. */
const TOKEN = 9;
const HOLDERS = `SELECT b.account_id, b.amount FROM (
  SELECT account_id, token_id FROM balances WHERE token_id = ? AND amount > 0 AND amount >= ? AND amount <= ?
  ORDER BY amount DESC, account_id DESC LIMIT ? OFFSET ?) p
  CROSS JOIN balances b ON b.account_id = p.account_id AND b.token_id = p.token_id`;

const BY_OWNER = "SELECT c.id, c.post FROM balance_changes c WHERE c.owner_id = ?";
const WITH_TRANSFERS = `SELECT t.id, t.amount FROM account_transfers s CROSS JOIN transfers t ON t.id = s.transfer_id
  WHERE s.account_id = ? AND t.type = 0`;

/** What a statement sees: all blocks, and others than those of a range that is being written. */
const SEEN = ["id < 9000000000", "id < 9000000000 AND (fork <> 7 OR id < 1024 OR id >= 4096)"];

describeWith(CHDB)("a statement about an account", () => {
  const folder = mkdtempSync(join(tmpdir(), "solx-rows-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  let server: StoreServer;

  beforeAll(async () => {
    const { url } = await startClickHouse(afterAll, { folder });
    server = await connectToStore(storeAt(url));
    afterAll(() => server.close());
    for (const sql of createStatements()) await server.run(sql);
    const numbers = `FROM numbers(${ROWS})`;
    await server.run(`INSERT INTO account_keys (id, account_id, flags) SELECT number * 1024, ${KEY}, 1 ${numbers}`);
    await server.run(`INSERT INTO balance_changes (id, account_id, owner_id, token_id, pre, post)
      SELECT number * 1024, ${KEY} + 1000000, ${KEY}, 1, 0, number ${numbers}`);
    await server.run(
      `INSERT INTO account_transfers (account_id, transfer_id, flow) SELECT ${KEY}, number * 1024, 0 ${numbers}`,
    );
    await server.run(`INSERT INTO transfers (id, instruction, type, from_id, to_id, token_id, amount)
      SELECT number * 1024, 0, if(number % 700 = 0, 2, 0), ${KEY}, 9, 1, number ${numbers}`);
    await server.run(`INSERT INTO pools_known (account_id, program_id, token1_id, token2_id, vault1_id, vault2_id)
      SELECT number, 1, ${KEY}, 1, 1, 1 ${numbers}`);
    // A third of the holders had another amount before. Some have the same.
    await server.run(`INSERT INTO balances_known (account_id, token_id, owner_id, amount, is_complete, known_at)
      SELECT 1000 + number % 200000, ${TOKEN}, 1, cityHash64(number) % 100000, 0, number ${numbers}`);
  });

  /** Rows that the engine has read since it was started. */
  const readSoFar = async (): Promise<number> => {
    const sql = "SELECT sumIf(value, event = 'SelectedRows') FROM system.events";
    return Number((await server.ask({ sql, texts: {} })).data[0]?.[0]);
  };

  const filters = (seen: string) => ({ account_keys: seen, balance_changes: seen, transfers: seen });

  const ask = async (sql: string, account: number, seen: string) => {
    const before = await readSoFar();
    const limit = sql.endsWith("LIMIT ?") ? [{ text: "10", sql: "10" }] : [];
    const request = { sql, values: [{ text: `${account}`, sql: `toUInt256('${account}')` }, ...limit] };
    const { data } = await readFromStart((each) => server.ask(bindRequest(each), filters(seen)), request);
    return { rows: data.length, read: (await readSoFar()) - before };
  };

  test.each([
    ["the newest of many", "SELECT id FROM account_keys WHERE account_id = ? ORDER BY id DESC LIMIT 10", BUSY, 10],
    ["their number", "SELECT count(*) AS number FROM account_keys WHERE account_id = ?", BUSY, 1],
    ["few", "SELECT id FROM account_keys WHERE account_id = ? ORDER BY id DESC LIMIT 10", QUIET, 3],
    [
      "few with other columns",
      "SELECT id, flags FROM account_keys WHERE account_id = ? ORDER BY id LIMIT 10",
      QUIET,
      3,
    ],
    [
      "few by two columns",
      "SELECT c.id, c.post FROM balance_changes c WHERE c.owner_id = ? AND c.token_id = 1 ORDER BY c.id DESC LIMIT 10",
      QUIET,
      3,
    ],
    ["few of those with a flag", "SELECT id FROM account_keys WHERE account_id = ? AND flags & 2 LIMIT 10", BUSY, 0],
    ["those of most rows", `${BY_OWNER} AND c.post >= 5 ORDER BY c.id DESC LIMIT 10`, BUSIEST, 10],
    ["few that are known last", "SELECT p.account_id FROM pools p WHERE p.token1_id = ?", QUIET, 3],
  ])("reads %s without the others", async (_, sql, account, rows) => {
    for (const seen of SEEN) {
      const { read, ...found } = await ask(sql, account, seen);
      expect(found).toEqual({ rows });
      expect(read, seen).toBeLessThan(ROWS / 10);
    }
  });

  test("reads those of another table for the beginning of the list only", async () => {
    const { read, rows } = await ask(`${WITH_TRANSFERS} ORDER BY s.transfer_id DESC LIMIT ?`, BUSY, SEEN[0] ?? "");
    expect(rows).toBe(10);
    // A thousand rows of the account are in a third of the table.
    expect(read).toBeLessThan(ROWS / 2);
  });

  /** Requests a page of the holders, where the table of large amounts says an amount. */
  const askForHolders = async (large: number, ...numbers: readonly number[]) => {
    await server.run("TRUNCATE TABLE large_amounts");
    await server.run(`INSERT INTO large_amounts VALUES (${TOKEN}, ${large})`);
    const values = [TOKEN, ...numbers].map((value) => ({ text: `${value}`, sql: `${value}` }));
    const read = async (each: Request) => server.ask(bindRequest(each));
    const before = await readSoFar();
    const { data } = await readFromStart(read, { sql: HOLDERS, values });
    const rows = (await readSoFar()) - before;
    return { data, rows, whole: (await read({ sql: HOLDERS, values })).data };
  };

  test("reads the balances of holders with large amounts for a page of them", async () => {
    const { data, rows } = await askForHolders(99_900, 0, 100_000, 10, 20);
    expect(data).toHaveLength(10);
    expect(rows).toBeLessThan(ROWS / 2);
  });

  test("finds a page of holders whatever amount is said to be large", async () => {
    const amount = fc.constantFrom(0, 1, 50_000, 99_900, 99_999, 100_001);
    const pages = [fc.constantFrom(1, 10, 40), fc.constantFrom(0, 10, 200, 900)] as const;
    await fc.assert(
      fc.asyncProperty(amount, amount, amount, ...pages, async (large, from, to, length, skipped) => {
        const { data, whole } = await askForHolders(large, from, to, length, skipped);
        expect(data).toEqual(whole);
      }),
      { numRuns: 20 },
    );
  });

  const type = fc.constantFrom(0, 2);
  const [limit, offset] = [fc.integer({ min: 1, max: 60 }), fc.constantFrom(0, 7, 400)];
  test.for([BUSY, QUIET, BUSIEST])(
    "finds a page at the beginning of a list of %i that is the list's",
    async (account) => {
      await fc.assert(
        fc.asyncProperty(
          type,
          limit,
          offset,
          fc.constantFrom("ASC", "DESC"),
          async (wanted, length, skipped, order) => {
            const sql = `SELECT p.id, x.amount FROM (
          SELECT s.transfer_id AS id FROM account_transfers s CROSS JOIN transfers t ON t.id = s.transfer_id
          WHERE s.account_id = ? AND t.type = ? ORDER BY s.transfer_id ${order} LIMIT ? OFFSET ?) p
          CROSS JOIN transfers x ON x.id = p.id`;
            const key = { text: `${account}`, sql: `toUInt256('${account}')` };
            const numbers = [wanted, length, skipped].map((value) => ({ text: `${value}`, sql: `${value}` }));
            const request = { sql, values: [key, ...numbers] };
            const read = async (each: Request) => server.ask(bindRequest(each));
            const rowsOf = ({ data }: StatementResult) => data.map(([id, amount]) => `${id} ${amount}`).sort();
            expect(rowsOf(await readFromStart(read, request))).toEqual(rowsOf(await read(request)));
          },
        ),
        { numRuns: 20 },
      );
    },
  );
});
