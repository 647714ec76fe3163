/** A block of a batch cannot be stored: the index goes on without it, and no block corrects the state before it twice. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { openDatabase } from "../../../src/base/index.ts";
import type { IndexEvent } from "../../../src/chain/indexer/index.ts";
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

const slotsOf = (db: ReturnType<typeof openDatabase>): readonly number[] =>
  db
    .prepare("SELECT slot FROM blocks ORDER BY slot")
    .all()
    .map(({ slot }) => Number(slot));

test("supplies and balances are those of an index whose batches were all stored", async () => {
  const { node } = await startScenario();
  try {
    const index = (path: string, options = {}) =>
      indexInto(connectTo(node.url), { path, from: "earliest", follow: false, ...options });
    const [whole, failing] = ["whole", "failing"].map((name) => join(folder, `${name}.index.db`)) as [string, string];
    await index(whole);
    const slots = inFile(whole, slotsOf);
    await index(failing, { to: slots[0], follow: true });
    const rejected = [4, 15].map((at) => slots[at]);
    inFile(failing, (db) =>
      db.exec(`CREATE TRIGGER reject BEFORE INSERT ON blocks WHEN NEW.slot IN (${rejected.join()})
        BEGIN SELECT RAISE(ABORT, 'rejected'); END`),
    );
    // The second run finds the blocks again, and cannot store them either.
    for (const _ of [1, 2]) {
      const gaps = new Set<string>();
      const onEvent = (event: IndexEvent) => {
        if (event.kind === "gap") gaps.add(`${event.from} to ${event.to}: ${event.reason}`);
      };
      await index(failing, { onEvent });
      expect([...gaps]).toEqual(rejected.map((slot) => `${slot} to ${slot}: unreadable`));
      expect(inFile(failing, slotsOf)).toEqual(slots.filter((slot) => !rejected.includes(slot)));
    }
    inFile(failing, (db) => db.exec("DROP TRIGGER reject"));
    await index(failing);
    expect(inFile(failing, dumpLedger)).toEqual(inFile(whole, dumpLedger));
  } finally {
    await node.close();
  }
});
