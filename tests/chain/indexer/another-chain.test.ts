/** Nodes that become another chain, lag, or say a wrong latest slot, while they are indexed. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { NetworkError, openDatabase } from "../../../src/base/index.ts";
import type { IndexEvent, IndexOptions } from "../../../src/chain/indexer/index.ts";
import { indexInto } from "../../../src/chain/indexer/run.ts";
import type { NodeConnection } from "../../../src/chain/solana/index.ts";
import { createClient } from "../../../src/sources/index.ts";
import { startTestNode, type TestNode, type TestNodeOptions } from "../../support/node/node.ts";

const folder = mkdtempSync(join(tmpdir(), "solx-another-chain-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const clients: { close(): Promise<void> }[] = [];
afterAll(() => Promise.all(clients.map((client) => client.close())));
let files = 0;

const result = (value: unknown) => ({ body: JSON.stringify({ jsonrpc: "2.0", id: 1, result: value }) });

/** A node with eleven blocks; every chain of litesvm has the same genesis. */
async function startNode(options: TestNodeOptions = {}, genesis?: string): Promise<TestNode> {
  const node = await startTestNode(options);
  onTestFinished(() => node.close());
  while (node.chain.tip.slot < node.chain.firstSlot + 10) grow(node);
  if (genesis !== undefined) node.fail({ method: "getGenesisHash", ...result(genesis) });
  return node;
}

const grow = (node: TestNode) => node.chain.produceBlock();

function connect({ url }: TestNode): NodeConnection {
  const client = createClient({ rpc: url, retries: 0 });
  clients.push(client);
  return client.node();
}

/** A connection whose node is replaced. */
function replaceable(first: TestNode) {
  let node = connect(first);
  let failures = 0;
  const connection: NodeConnection = {
    ...node,
    call: async (...call) => {
      if (failures-- > 0) throw new NetworkError("refused");
      return node.call(...call);
    },
    callMany: (...calls) => node.callMany(...calls),
  };
  const replace = (other: TestNode, times = 0) => ([node, failures] = [connect(other), times]);
  return { connection, replace };
}

const slotsIn = (path: string): readonly number[] => {
  const db = openDatabase(path, { readOnly: true });
  const rows = db.prepare("SELECT slot FROM blocks ORDER BY slot").all();
  db.close();
  return rows.map(({ slot }) => Number(slot));
};

/** Follows nodes; `onIdle` is called with each report of a run that waits, and how often there was one. */
function follow(
  nodes: readonly NodeConnection[],
  onIdle: (at: number, event: IndexEvent & { kind: "progress" }) => unknown,
  options: Partial<IndexOptions> = {},
) {
  const [events, path, stop]: [IndexEvent[], string, AbortController] = [
    [],
    join(folder, `${++files}.index.db`),
    new AbortController(),
  ];
  let count = 0;
  const done = indexInto(nodes, {
    ...{ path, from: "earliest", opening: false, firstDelay: 1, pollInterval: 1, signal: stop.signal, ...options },
    onEvent(event) {
      events.push(event);
      if (event.kind === "progress") onIdle(count++, event);
    },
  });
  const kinds = () => events.map(({ kind }) => kind).filter((kind) => kind !== "progress");
  return { events, kinds, path, stop: () => stop.abort(), done };
}

describe.each(["finalized", "confirmed"] as const)("a node that is replaced (%s)", (commitment) => {
  it.each([
    ["higher", 6000, 0],
    ["higher", 6000, 2],
    ["lower", 1, 0],
    ["lower", 1, 2],
  ])(
    "by one of another chain, with %s slots from %d, after %d failures: nothing of it is stored",
    async (_, firstSlot, failures) => {
      const node = await startNode({ firstSlot: 3000 });
      const other = await startNode({ firstSlot }, "other");
      const { connection, replace } = replaceable(node);
      const run = follow([connection], (at) => at === 1 && replace(other, failures), { commitment });
      await expect(run.done).rejects.toMatchObject({ code: "DIFFERENT_CHAIN" });
      expect(run.kinds().filter((kind) => kind !== "waiting" && kind !== "recovered")).toEqual(["start"]);
      expect(slotsIn(run.path)).toEqual(Array.from({ length: 11 }, (__, at) => 3000 + at));
    },
  );

  it("is not used any more where another node remains", async () => {
    const node = await startNode({ firstSlot: 3000 });
    const other = await startNode({ firstSlot: 6000 }, "other");
    const { connection, replace } = replaceable(node);
    const run = follow(
      [connection, connect(node)],
      (at) => {
        if (at === 1) {
          replace(other);
          grow(node);
        }
        if (slotsIn(run.path).includes(3011)) run.stop();
      },
      { commitment },
    );
    await expect(run.done).rejects.toMatchObject({ exit: "interrupted" });
    expect(run.kinds()).toEqual(["start", "excluded"]);
    expect(slotsIn(run.path)).toEqual(Array.from({ length: 12 }, (_, at) => 3000 + at));
  });
});

it("says that a node lags whose latest slot stays before the last block, and is not at the tip then", async () => {
  const node = await startNode({ firstSlot: 3000 });
  let remove = () => {};
  const run = follow([connect(node)], (at, { progress: { tip }, isAtTip }) => {
    if (at === 1) remove = node.fail({ method: "getSlot", ...result(94) });
    if (tip === 94) expect(isAtTip).toBe(false);
    if (run.events.some(({ kind }) => kind === "note")) {
      remove();
      grow(node);
    }
    if (slotsIn(run.path).includes(3011)) run.stop();
  });
  await expect(run.done).rejects.toMatchObject({ exit: "interrupted" });
  const text = "The node lags: its latest slot is 94, before the last block of the index (slot 3010).";
  expect(run.events).toContainEqual({ kind: "note", text });
  expect(run.kinds()).toEqual(["start", "note"]);
});

describe.each([20_000, 1e12])("a latest slot that is %d once", (wrong) => {
  it("does not keep an index from the next block", async () => {
    const node = await startNode({ firstSlot: 3000 });
    const run = follow([connect(node)], (at, { progress: { tip }, isAtTip }) => {
      if (at === 1) node.fail({ method: "getSlot", times: 1, ...result(wrong) });
      if (tip === wrong) {
        expect(isAtTip).toBe(false);
        grow(node);
      }
      if (slotsIn(run.path).includes(3011)) run.stop();
    });
    await expect(run.done).rejects.toMatchObject({ exit: "interrupted" });
    expect(run.kinds()).toEqual(["start"]);
    expect(node.received().filter(({ method }) => method === "getBlocks").length).toBeLessThan(100);
  });

  it("is not where an index begins or ends", async () => {
    const node = await startNode({ firstSlot: 3000 });
    node.fail({ method: "getSlot", times: 1, ...result(wrong) });
    const ended = follow([connect(node)], () => undefined, { follow: false });
    await ended.done;
    expect(ended.kinds()).toEqual(["start"]);
    expect(slotsIn(ended.path)).toHaveLength(11);
    node.fail({ method: "getSlot", times: 1, ...result(wrong) });
    const run = follow(
      [connect(node)],
      (at) => {
        if (at === 0) grow(node);
        if (slotsIn(run.path).length > 0) run.stop();
      },
      { from: "now" },
    );
    await expect(run.done).rejects.toMatchObject({ exit: "interrupted" });
    expect(slotsIn(run.path)).toEqual([3011]);
  });
});

it("finds the next block however many slots before it were skipped", async () => {
  const node = await startNode({ firstSlot: 3000 });
  node.chain.skipSlots(123_456);
  grow(node);
  const run = follow([connect(node)], () => undefined, { follow: false });
  await run.done;
  expect(run.kinds()).toEqual(["start"]);
  expect(slotsIn(run.path).slice(-2)).toEqual([3010, 3011 + 123_456]);
});
