/** Indexes of a node: what they contain, and what interrupts them. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { address, lamports } from "@solana/kit";
import { getTransferSolInstruction } from "@solana-program/system";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { InterruptedError, type Json, openDatabase, parseJson, stringifyJson } from "../../../src/base/index.ts";
import { NATIVE_SOL, WRAPPED_SOL } from "../../../src/catalogue/samples.ts";
import type { IndexEvent, IndexOptions } from "../../../src/chain/indexer/index.ts";
import { indexInto } from "../../../src/chain/indexer/run.ts";
import { type FactReader, readFacts, readProperties, writeFacts } from "../../../src/chain/ledger/store/exchange.ts";
import { SLOT_END } from "../../../src/chain/ledger/store/schema.ts";
import { type Ledger, openGrowingLedger } from "../../../src/chain/ledger/store/store.ts";
import type { NodeConnection } from "../../../src/chain/solana/index.ts";
import type { TestNode } from "../../support/node/node.ts";
import { type Scenario, startScenario } from "../../support/node/scenario.ts";
import { useTestNode } from "../../support/node/use-test-node.ts";
import { connectTo } from "../../support/node-connection.ts";
import { openDispatcher } from "../../support/open-dispatcher.ts";

const WORKER = fileURLToPath(new URL("../../support/index-worker.ts", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "solx-index-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
const newFile = () => join(folder, `${++files}.index.db`);

/** Indexes the whole chain of a node and returns what was reported. */
async function indexAll(node: TestNode, path: string, options: Partial<IndexOptions> = {}) {
  const events: IndexEvent[] = [];
  const connection = connectTo(node.url, options.commitment ?? "finalized");
  const progress = await indexInto(connection, {
    path,
    from: "earliest",
    follow: false,
    ...options,
    onEvent: (event) => void events.push(event),
  });
  return { progress, events };
}

type Row = Readonly<Record<string, unknown>>;

function read(path: string, sql: string, ...values: string[]): readonly Row[] {
  const db = openDatabase(path, { readOnly: true });
  try {
    const statement = db.prepare(sql);
    statement.setReadBigInts(true);
    return statement.all(...values);
  } finally {
    db.close();
  }
}

/** Returns all rows of all tables as text. */
function dump(path: string): string {
  const tables = read(path, "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'");
  const contents = tables
    .map(({ name }) => String(name))
    .filter((name) => name !== "undo")
    .map((name) => {
      const rows = read(path, `SELECT * FROM ${name}`).map((row) =>
        JSON.stringify(row, (_, value) => (typeof value === "bigint" ? String(value) : value)),
      );
      return `${name}\n${rows.sort().join("\n")}`;
    });
  return contents.sort().join("\n\n");
}

async function* pagesOf(ledger: Ledger, table: Parameters<FactReader>[0]): AsyncGenerator<readonly Json[]> {
  const pages = table === "ledger" ? [readProperties(ledger, SLOT_END)] : readFacts(ledger, table, SLOT_END);
  for (const page of pages) yield parseJson(stringifyJson(page)) as readonly Json[];
}

const BALANCES = `SELECT a.address, t.address AS token, printf('%s', b.amount) AS amount FROM balances b
  JOIN accounts a ON a.id = b.account_id JOIN accounts t ON t.id = b.token_id`;

describe("an index of the scenario", () => {
  let node: TestNode;
  let scenario: Scenario;
  const path = newFile();

  beforeAll(async () => {
    ({ node, scenario } = await startScenario());
    await indexAll(node, path);
  });
  afterAll(() => node.close());

  it("has the balances that the accounts have", () => {
    const rows = read(path, BALANCES).map((row) => ({ ...row, amount: BigInt(String(row.amount)) })) as unknown as {
      address: string;
      token: string;
      amount: bigint;
    }[];
    const accounts = node.chain.accountsAt("finalized");
    const expected = rows.map(({ address: key, token }) => {
      const account = accounts.get(key);
      if (token === NATIVE_SOL) return account?.lamports ?? 0n;
      const data = account?.data;
      return data && data.length > 72 ? new DataView(data.buffer, data.byteOffset).getBigUint64(64, true) : 0n;
    });
    expect(rows.map(({ amount }) => amount)).toEqual(expected);
    expect(rows.length).toBeGreaterThan(50);
  });

  it("has the supplies that the mints have: beyond 2^63 too, and none of wrapped SOL", () => {
    const supplies = read(
      path,
      "SELECT a.address, printf('%s', s.supply) AS supply FROM token_stats s JOIN accounts a ON a.id = s.token_id WHERE s.token_id <> 1",
    );
    const accounts = node.chain.accountsAt("finalized");
    for (const { address: mint, supply } of supplies) {
      const data = accounts.get(String(mint))?.data ?? new Uint8Array(82);
      const actual = new DataView(data.buffer, data.byteOffset).getBigUint64(36, true);
      expect(BigInt(String(supply)), String(mint)).toBe(actual);
    }
    expect(supplies.map(({ address: mint }) => mint)).toContain(WRAPPED_SOL);
    expect(supplies.map(({ supply }) => BigInt(String(supply))).some((supply) => supply > 2n ** 63n)).toBe(true);
  });

  it("is the same when its process is killed and it continues", async () => {
    const killed = newFile();
    for (const [counted, killAt] of [
      ["getBlock", "3"],
      ["progress", "2"],
      ["getBlock", "29"],
      ["progress", "3"],
      ["getBlock", "33"],
    ] as const) {
      const worker = spawn(process.execPath, [WORKER, node.url, killed, counted, killAt], { stdio: "inherit" });
      const [, signal] = await once(worker, "exit");
      expect(signal).toBe("SIGKILL");
    }
    const { events } = await indexAll(node, killed, { batchBlocks: 7 });
    expect(events[0]).toMatchObject({ kind: "start", isResumed: true });
    expect(dump(killed)).toBe(dump(path));
  });

  it("is the same when it is written from its facts", async () => {
    const ledger = openGrowingLedger(path);
    if (!ledger) throw new Error("The index is no ledger.");
    const copy = newFile();
    await writeFacts(copy, (table) => pagesOf(ledger, table));
    ledger.close();
    expect(dump(copy)).toBe(dump(path));
  });

  it("is the same when its blocks are read one after the other", async () => {
    const sequential = newFile();
    await indexAll(node, sequential, { concurrency: 1 });
    expect(dump(sequential)).toBe(dump(path));
  });

  it("continues without reading a block again", async () => {
    const before = dump(path);
    node.resetCounters();
    await indexAll(node, path);
    expect(node.calls().getBlock ?? 0).toBe(0);
    expect(dump(path)).toBe(before);
  });

  it("stores only the transactions that a filter selects, and counts all", async () => {
    const filtered = newFile();
    const { alice } = scenario.addresses;
    await indexAll(node, filtered, { filter: { accounts: [alice] } });
    const count = (file: string, sql: string) => read(file, sql)[0]?.n;
    const sum = "SELECT SUM(transactions) AS n FROM blocks";
    expect(count(filtered, sum)).toBe(count(path, sum));
    const stored = read(filtered, "SELECT signature FROM transactions").map(({ signature }) => signature);
    const named = node.chain.transactionsOf(alice).map(({ signatures }) => signatures[0]);
    expect(stored).toEqual(expect.arrayContaining(named));
    expect(stored.length).toBeLessThan(Number(count(path, "SELECT COUNT(*) AS n FROM transactions")));
  });

  it("knows the names of tokens that are older than the index", async () => {
    const late = newFile();
    const { aliceToken, mint } = scenario.addresses;
    const { slot: from = 0 } = node.chain.transactionsOf(aliceToken).at(-1) ?? {};
    await indexAll(node, late, { opening: false, from });
    const rows = read(late, "SELECT t.name FROM tokens t JOIN accounts a USING (id) WHERE a.address = ?", mint);
    expect(rows).toEqual([{ name: "Scenario Dollar" }]);
  });

  it.each([
    ["another commitment", { commitment: "confirmed" }, "commitment"],
    ["another filter", { filter: { mints: [WRAPPED_SOL] } }, "filter"],
  ] as const)("refuses %s", async (_, options, named) => {
    await expect(indexAll(node, path, options)).rejects.toThrow(`The index was made with another ${named}`);
  });

  it("refuses a second writer while the first one runs", async () => {
    let second: Promise<unknown> | undefined;
    const shared = newFile();
    await indexInto(connectTo(node.url), {
      path: shared,
      from: "earliest",
      follow: false,
      onEvent: () => {
        second ??= indexAll(node, shared).catch((error: unknown) => error);
      },
    });
    expect(await second).toMatchObject({ code: "INDEX_IN_USE", exit: "usage" });
  });
});

describe("an index of a chain that changes", () => {
  const node = useTestNode({ finality: "manual" });
  const send = async (amount: bigint) => {
    const target = address("Vote111111111111111111111111111111111111111");
    await node.send([
      getTransferSolInstruction({ source: node.faucet, destination: target, amount: lamports(amount) }),
    ]);
  };

  it("removes the blocks that the cluster drops", async () => {
    const path = newFile();
    const options = { commitment: "confirmed", opening: false } as const;
    for (const amount of [1_000_000n, 1_000_001n, 1_000_002n]) await send(amount);
    const forkSlot = node.chain.tip.slot;
    for (const amount of [2_000_000n, 2_000_001n]) await send(amount);
    node.chain.commit("confirmed");
    await indexAll(node, path, options);
    node.chain.rollback(forkSlot);
    node.chain.skipSlots(2);
    await send(3_000_000n);
    node.chain.commit("confirmed");
    const { events } = await indexAll(node, path, options);
    expect(events).toContainEqual({ kind: "rollback", slot: forkSlot + 1 });
    const fresh = newFile();
    await indexAll(node, fresh, options);
    expect(dump(path)).toBe(dump(fresh));
  });

  it.each([
    ["a websocket", () => ({ webSocketUrls: [node.wsUrl], openDispatcher, pollInterval: 600_000 })],
    ["polls", () => ({ pollInterval: 20 })],
  ])("contains new blocks while it runs, by %s", async (_, signals) => {
    node.chain.commit("finalized");
    const path = newFile();
    const stop = new AbortController();
    const slots: number[] = [];
    const running = indexInto(connectTo(node.url), {
      path,
      from: "now",
      ...signals(),
      signal: stop.signal,
      onEvent(event) {
        if (event.kind !== "progress" || !event.isAtTip) return;
        slots.push(event.progress.slot);
        // A transaction for each time that all blocks are indexed.
        if (slots.length <= 2) send(5_000_000n + BigInt(slots.length)).then(() => node.chain.commit("finalized"));
        if (read(path, "SELECT slot FROM blocks").length >= 2) stop.abort();
      },
    });
    await expect(running).rejects.toThrow(InterruptedError);
    expect(slots.at(-1)).toBe(node.chain.blockAt("finalized").slot);
  });

  it("reports the blocks that the node has lost", async () => {
    node.chain.commit("finalized");
    const path = newFile();
    const first = node.chain.tip.slot;
    for (const amount of [4_000_000n, 4_000_001n, 4_000_002n]) await send(amount);
    node.chain.commit("finalized");
    node.chain.missing.add(first + 2);
    const { events } = await indexAll(node, path, { from: first });
    expect(events).toContainEqual({ kind: "gap", from: first + 2, to: first + 2, reason: "missing" });
    expect(read(path, "SELECT slot FROM blocks").map(({ slot }) => Number(slot))).toEqual([
      first,
      first + 1,
      first + 3,
    ]);
  });

  it("does not start before the history of the node", async () => {
    node.chain.firstAvailable = node.chain.tip.slot;
    await expect(indexAll(node, newFile(), { from: 1 })).rejects.toMatchObject({ code: "HISTORY_PRUNED" });
  });

  it("refuses a range before its first slot, which is for another index", async () => {
    const [path, { slot }] = [newFile(), node.chain.tip];
    await indexAll(node, path, { from: slot });
    const earlier = indexAll(node, path, { from: slot - 3, to: slot - 1 });
    await expect(earlier).rejects.toMatchObject({ code: "INDEX_START", exitCode: 2 });
    expect(read(path, "SELECT slot FROM blocks").map(({ slot: each }) => Number(each))).toEqual([slot]);
  });

  it("refuses another cluster", async () => {
    const path = newFile();
    await indexAll(node, path, { from: node.chain.tip.slot });
    const connection = connectTo(node.url);
    const other: NodeConnection = {
      ...connection,
      call: async (method, params, options) =>
        method === "getGenesisHash" ? "other" : connection.call(method, params, options),
    };
    await expect(indexInto(other, { path, follow: false })).rejects.toMatchObject({ code: "INDEX_SOURCE" });
  });
});
