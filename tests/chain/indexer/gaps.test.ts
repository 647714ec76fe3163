/** Blocks that no node has for a while: an index goes on without them, and is in the end as if they had never lacked. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { openDatabase } from "../../../src/base/index.ts";
import type { IndexEvent, IndexOptions } from "../../../src/chain/indexer/index.ts";
import { indexInto } from "../../../src/chain/indexer/run.ts";
import { createClient } from "../../../src/sources/index.ts";
import { FAULTS, type FaultAnswer } from "../../support/node/faults.ts";
import { startTestNode, type TestNode } from "../../support/node/node.ts";
import { type Scenario, startScenario } from "../../support/node/scenario.ts";
import { dumpLedger } from "../../support/observed-ledger.ts";

const WORKER = fileURLToPath(new URL("../../support/index-worker.ts", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "solx-gaps-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
const newFile = () => join(folder, `${++files}.index.db`);

function read<T>(path: string, query: (db: ReturnType<typeof openDatabase>) => T): T {
  const db = openDatabase(path, { readOnly: true });
  try {
    return query(db);
  } finally {
    db.close();
  }
}

const dump = (path: string) => read(path, dumpLedger);
const gapsOf = (path: string) =>
  read(path, (db) => JSON.parse(String(db.prepare("SELECT value FROM meta WHERE name = 'gaps'").get()?.value)));
const count = (path: string, table: string) =>
  read(path, (db) => db.prepare(`SELECT COUNT(*) AS n FROM ${table}`).get()?.n);

/** Indexes what nodes have, and returns what was reported. */
async function index(path: string, urls: readonly string[], options: Partial<IndexOptions> = {}) {
  const events: IndexEvent[] = [];
  const clients = urls.map((url) => createClient({ rpc: url, retries: 0 }));
  const closing = () => Promise.all(clients.map((client) => client.close()));
  await indexInto(
    clients.map((client) => client.node()),
    {
      ...{ path, from: "earliest", follow: false, firstDelay: 1, ...options },
      onEvent: (event) => {
        events.push(event);
        options.onEvent?.(event);
      },
    },
  ).finally(closing);
  return events.filter(({ kind }) => kind === "gap" || kind === "filled");
}

/** Why a node does not have a block. */
const LACKS: readonly ((slot: number) => FaultAnswer)[] = [
  FAULTS.longTermStorageGap,
  FAULTS.blockNotAvailable,
  FAULTS.forbidden,
  FAULTS.badGateway,
  (slot) => ({ error: { code: -32001, message: `Block ${slot} cleaned up` } }),
];

describe("an index with gaps", () => {
  let node: TestNode;
  let scenario: Scenario;
  let slots: readonly number[];
  const whole = newFile();
  beforeAll(async () => {
    ({ node, scenario } = await startScenario());
    await index(whole, [node.url]);
    slots = read(whole, (db) => db.prepare("SELECT slot FROM blocks ORDER BY slot").all()).map(({ slot }) =>
      Number(slot),
    );
  });
  afterAll(() => node.close());

  /** Starts a node of the chain that lacks the blocks of slots. */
  async function lackingNode(
    lacking: readonly number[],
    lack: (slot: number) => FaultAnswer = FAULTS.longTermStorageGap,
  ) {
    const other = await startTestNode({ chain: node.chain });
    for (const slot of lacking) other.fail({ method: "getBlock", when: ([at]) => at === slot, ...lack(slot) });
    return other;
  }

  it("goes on, remembers them, and is the same as one without when they are found", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.integer({ min: 1, max: slots.length - 2 }), { minLength: 1, maxLength: 4 }),
        fc.constantFrom(...LACKS),
        fc.integer({ min: 1, max: 9 }),
        async (positions, lack, batchBlocks) => {
          const lacking = positions.map((at) => slots[at] as number);
          const other = await lackingNode(lacking, lack);
          try {
            const path = newFile();
            await index(path, [other.url], { batchBlocks });
            const gaps: readonly { from: number; to: number }[] = gapsOf(path);
            for (const slot of lacking) expect(gaps.some(({ from, to }) => from <= slot && slot <= to)).toBe(true);
            expect(count(path, "blocks")).toBe(slots.length - lacking.length);
            const events = await index(path, [other.url, node.url], { batchBlocks });
            // The run says what it begins with.
            expect(events.map(({ kind }) => kind)).toEqual([...gaps.map(() => "gap"), ...gaps.map(() => "filled")]);
            expect(gapsOf(path)).toEqual([]);
            expect(dump(path)).toEqual(dump(whole));
            expect(count(path, "held")).toBe(0);
          } finally {
            await other.close();
          }
        },
      ),
      { numRuns: 8 },
    );
  });

  it.each([
    ["has another hash, in the gap", 11, { blockhash: "11111111111111111111111111111111" }],
    ["has another parent, in the gap", 11, { previousBlockhash: "11111111111111111111111111111111" }],
    ["has an older parent, in the gap", 12, { parentSlot: 1 }],
    ["has another parent, after the gap", 13, { previousBlockhash: "11111111111111111111111111111111" }],
    ["has a parent that does not exist, after the gap", 13, { previousBlockhash: "1", parentSlot: 11 }],
  ])("is filled although a node returned a wrong block: one that %s", async (_, wrong, change) => {
    const lacking = [10, 11, 12].map((at) => slots[at] as number);
    const without = await lackingNode(lacking);
    onTestFinished(() => without.close());
    const lying = await startTestNode({ chain: node.chain });
    onTestFinished(() => lying.close());
    const slot = slots[wrong] as number;
    // What stands for a position is its slot.
    const lie = "parentSlot" in change ? { ...change, parentSlot: slots[change.parentSlot] as number } : change;
    for (const each of [without, lying]) {
      if (each === without && wrong !== 13) continue;
      const answer = { method: "getBlock", when: ([at]: readonly unknown[]) => at === slot };
      each.fail({ ...answer, change: (block) => ({ ...(block as object), ...lie }) });
    }
    const path = newFile();
    await index(path, [without.url]);
    expect(await index(path, [lying.url])).not.toContainEqual(expect.objectContaining({ kind: "filled" }));
    const notes: string[] = [];
    await index(path, [without.url, lying.url, node.url], {
      onEvent: (event) => void (event.kind === "note" && notes.push(event.text)),
    });
    expect(gapsOf(path)).toEqual([]);
    expect(dump(path)).toEqual(dump(whole));
    expect(notes).toEqual([expect.stringContaining(`slot ${slot} did not fit`)]);
  });

  it("is filled by a process that is killed at any time, and started again", async () => {
    const lacking = [5, 6, 20].map((at) => slots[at] as number);
    const other = await lackingNode(lacking);
    onTestFinished(() => other.close());
    const path = newFile();
    await index(path, [other.url]);
    const before = gapsOf(path);
    for (const [what, at] of [
      ["getBlock", 2],
      ["progress", 1],
      ["progress", 3],
      ["progress", 2],
    ] as const) {
      const urls = `${other.url},${node.url}`;
      const worker = spawn(process.execPath, [WORKER, urls, path, what, String(at)], { stdio: "inherit" });
      expect((await once(worker, "exit"))[1]).toBe("SIGKILL");
      expect(gapsOf(path)).not.toEqual([]);
    }
    expect(gapsOf(path)).not.toEqual(before);
    await index(path, [other.url, node.url]);
    expect(gapsOf(path)).toEqual([]);
    expect(dump(path)).toEqual(dump(whole));
  });

  it("is filled while it runs, by the same node, with blocks that are not final and a filter", async () => {
    const { alice } = scenario.addresses;
    const options = { commitment: "confirmed", filter: { accounts: [alice] } } as const;
    const expected = newFile();
    await index(expected, [node.url], options);
    const slot = slots[7] as number;
    const other = await startTestNode({ chain: node.chain });
    onTestFinished(() => other.close());
    const remove = other.fail({ method: "getBlock", when: ([at]) => at === slot, ...FAULTS.blockNotAvailable(slot) });
    const [path, stop] = [newFile(), new AbortController()];
    const kinds: string[] = [];
    const running = index(path, [other.url], {
      ...{ ...options, follow: true, pollInterval: 1, signal: stop.signal },
      onEvent: (event) => {
        if (event.kind === "gap" || event.kind === "filled") kinds.push(event.kind);
        if (event.kind === "progress" && event.isAtTip && kinds.includes("gap")) remove();
        if (event.kind === "filled") stop.abort();
      },
    });
    await expect(running).rejects.toMatchObject({ exit: "interrupted" });
    expect(kinds).toEqual(["gap", "filled"]);
    expect(dump(path)).toEqual(dump(expected));
  });

  it("has one for what a node has deleted since the last run, until another node has it", async () => {
    const path = newFile();
    await index(path, [node.url], { to: slots[4] as number, follow: true });
    const other = await startTestNode({ chain: node.chain });
    onTestFinished(() => other.close());
    const first = slots[30] as number;
    other.fail({ method: "getFirstAvailableBlock", body: `{"jsonrpc":"2.0","id":1,"result":${first}}` });
    for (const slot of slots.slice(0, 30)) {
      other.fail({
        ...{ method: "getBlock", when: ([at]: readonly unknown[]) => at === slot },
        error: { code: -32001, message: `Block ${slot} cleaned up` },
      });
    }
    const gap = { from: (slots[4] as number) + 1, to: first - 1 };
    expect(await index(path, [other.url])).toEqual([{ kind: "gap", ...gap, reason: "pruned" }]);
    expect(gapsOf(path)).toEqual([{ ...gap, reason: "pruned" }]);
    expect(await index(path, [other.url, node.url])).toContainEqual({ kind: "filled", ...gap });
    expect(dump(path)).toEqual(dump(whole));
  });
});
