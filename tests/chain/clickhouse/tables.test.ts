/** The tables of a ledger in ClickHouse, as statements of its SQL. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connectToStore, type StoreServer } from "../../../src/chain/ledger/clickhouse/server.ts";
import { createStatements } from "../../../src/chain/ledger/clickhouse/tables.ts";
import { startClickHouse, storeAt } from "../../support/clickhouse/start.ts";
import { CHDB, describeWith } from "../../support/programs.ts";

describeWith(CHDB)("the tables of a cluster", () => {
  const folder = mkdtempSync(join(tmpdir(), "solx-tables-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  let server: StoreServer;
  beforeAll(async () => {
    const { url } = await startClickHouse(afterAll, { folder });
    server = await connectToStore(storeAt(url));
    afterAll(() => server.close());
  });

  test.each(createStatements("main").map((sql) => [/(?:EXISTS|VIEW) (\w+)/.exec(sql)?.[1] ?? sql, sql]))(
    "%s is made on all servers, in parts of which there are copies",
    async (_, sql) => {
      expect(sql).toContain(" ON CLUSTER main ");
      if (sql.startsWith("CREATE TABLE"))
        expect(sql).toMatch(/ENGINE = (?:Replicated\w*MergeTree|Distributed\(main, )/);
      // The engine of tests has no cluster: it parses the statement.
      await server.run(`EXPLAIN AST ${sql}`);
    },
  );
});
