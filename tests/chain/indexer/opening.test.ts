/** A block of a batch cannot be stored: the index goes on without it, and no block corrects the state before it twice. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { openDatabase } from "../../../src/base/index.ts";
import type { IndexEvent } from "../../../src/chain/indexer/index.ts";
import { indexInto } from "../../../src/chain/indexer/run.ts";
import { createClient } from "../../../src/sources/index.ts";
import { FAULTS, type FaultAnswer, type FaultRule } from "../../support/node/faults.ts";
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

describe("what nodes say about the state before the first block", () => {
  const METHODS = [
    ["getProgramAccounts", /holders and supplies are known only|stakes are known only|balances of wallets are known/],
    ["getMultipleAccounts", /names and supplies of tokens are known only/],
    ["getSupply", /the supply of SOL is unknown/],
  ] as const;
  const FAILURES: readonly (readonly [string, FaultAnswer | Pick<FaultRule, "change">])[] = [
    ["malformed", { change: () => ({ context: { slot: 1 }, value: [{ pubkey: 1, lamports: "x" }] }) }],
    ["null", { change: () => null }],
    ["refused", FAULTS.unknownMethod()],
    ["in an archive only", { error: { code: -32011, message: "Transaction history is not available from this node" } }],
    ["an error of a proxy", FAULTS.badGateway()],
  ];

  test.each(
    METHODS.flatMap(([method, note]) => FAILURES.map(([what, answer]) => [method, what, answer, note] as const)),
  )("%s that is %s is a note when no node has it, and is read again before", async (method, what, answer, note) => {
    const { node } = await startScenario();
    onTestFinished(() => node.close());
    await using client = createClient({ rpc: node.url, retries: 0 });
    const index = async (times: number) => {
      const path = join(folder, `${method}-${what}-${times}.db`);
      const notes: string[] = [];
      const remove = node.fail({ ...answer, method, times });
      await indexInto(client.node(), {
        ...{ path, from: "earliest", follow: false, firstDelay: 0 },
        onEvent: (event) => event.kind === "note" && notes.push(event.text),
      });
      remove();
      return { notes: notes.filter((text) => text.startsWith("State before")), slots: inFile(path, slotsOf) };
    };
    const without = await index(Number.POSITIVE_INFINITY);
    expect(without.notes.join("\n")).toMatch(note);
    expect(without.slots.length).toBeGreaterThan(50);
    // What a node refuses at first, it will refuse again.
    if (/refused|archive/.test(what)) return;
    expect((await index(3)).notes).toEqual([]);
  });
});
