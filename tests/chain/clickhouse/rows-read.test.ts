/** How many rows ClickHouse reads for an answer: as many as it needs, not as many as there are. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bindRequest } from "../../../src/chain/ledger/clickhouse/reader.ts";
import { connectToStore, type StoreServer } from "../../../src/chain/ledger/clickhouse/server.ts";
import { createStatements } from "../../../src/chain/ledger/clickhouse/tables.ts";
import { startClickHouse, storeAt } from "../../support/clickhouse/start.ts";
import { CHDB, describeWith } from "../../support/programs.ts";

const ROWS = 300_000;
/** A busy account has a row in each hundred, a quiet one three rows in all. */
const [BUSY, QUIET] = [3, 4];
const KEY = `multiIf(number % 100 = 0, ${BUSY}, number % 100000 = 7, ${QUIET}, 1000 + number)`;

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
    await server.run(`INSERT INTO pools_known (account_id, program_id, token1_id, token2_id, vault1_id, vault2_id)
      SELECT number, 1, ${KEY}, 1, 1, 1 ${numbers}`);
  });

  /** Rows that the engine has read since it was started. */
  const readSoFar = async (): Promise<number> => {
    const sql = "SELECT sumIf(value, event = 'SelectedRows') FROM system.events";
    return Number((await server.ask({ sql, texts: {} })).data[0]?.[0]);
  };

  const ask = async (sql: string, account: number, seen: string) => {
    const before = await readSoFar();
    const request = { sql, values: [{ text: `${account}`, sql: `toUInt256('${account}')` }] };
    const { data } = await server.ask(bindRequest(request), {
      account_keys: seen,
      balance_changes: seen,
    });
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
    ["few that are known last", "SELECT p.account_id FROM pools p WHERE p.token1_id = ?", QUIET, 3],
  ])("reads %s without the others", async (_, sql, account, rows) => {
    for (const seen of SEEN) {
      const { read, ...found } = await ask(sql, account, seen);
      expect(found).toEqual({ rows });
      expect(read, seen).toBeLessThan(ROWS / 10);
    }
  });
});
