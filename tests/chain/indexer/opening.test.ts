/** The state before the first block, where a block of a batch cannot be stored: no block corrects it twice. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { openDatabase } from "../../../src/base/index.ts";
import { indexInto } from "../../../src/chain/indexer/run.ts";
import { startScenario } from "../../support/node/scenario.ts";
import { connectTo } from "../../support/node-connection.ts";
import { dumpLedger } from "../../support/observed-ledger.ts";

const folder = mkdtempSync(join(tmpdir(), "solx-opening-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function inFile<T>(path: string, action: (db: ReturnType<typeof openDatabase>) => T): T {
  const db = openDatabase(path);
  try {
    return action(db);
  } finally {
    db.close();
  }
}

test("supplies and balances are those of an index whose batches were all stored", async () => {
  const { node } = await startScenario();
  try {
    const index = (path: string, options = {}) =>
      indexInto(connectTo(node.url), { path, from: "earliest", follow: false, ...options });
    const [whole, failing] = ["whole", "failing"].map((name) => join(folder, `${name}.index.db`)) as [string, string];
    await index(whole);
    const slots = inFile(whole, (db) => db.prepare("SELECT slot FROM blocks ORDER BY slot").all()).map(({ slot }) =>
      Number(slot),
    );
    await index(failing, { to: slots[0], follow: true });
    for (const at of [4, 9, 15, 22]) {
      inFile(failing, (db) =>
        db.exec(`CREATE TRIGGER reject BEFORE INSERT ON blocks WHEN NEW.slot = ${slots[at]}
          BEGIN SELECT RAISE(ABORT, 'rejected'); END`),
      );
      await expect(index(failing)).rejects.toMatchObject({ code: "BLOCK" });
      inFile(failing, (db) => db.exec("DROP TRIGGER reject"));
    }
    await index(failing);
    expect(inFile(failing, dumpLedger)).toEqual(inFile(whole, dumpLedger));
  } finally {
    await node.close();
  }
});
