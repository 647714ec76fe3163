/** An indexer that does not end by itself: nodes that restart, lag, belong to another cluster, or fall silent. */
import { mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import {
  isArray,
  isObject,
  type Json,
  type JsonObject,
  NetworkError,
  openDatabase,
  SolxError,
  toNumeric,
} from "../../../src/base/index.ts";
import type { IndexEvent, IndexOptions } from "../../../src/chain/indexer/index.ts";
import { lastingConnection, type NodeEvent } from "../../../src/chain/indexer/lasting-connection.ts";
import { indexInto } from "../../../src/chain/indexer/run.ts";
import { NODE_ERROR, type NodeConnection } from "../../../src/chain/solana/index.ts";
import { createClient } from "../../../src/sources/index.ts";
import { FAULTS, type FaultAnswer } from "../../support/node/faults.ts";
import { startTestNode, type TestNode } from "../../support/node/node.ts";
import { startScenario } from "../../support/node/scenario.ts";
import { dumpLedger } from "../../support/observed-ledger.ts";
import { openDispatcher } from "../../support/open-dispatcher.ts";

const folder = mkdtempSync(join(tmpdir(), "solx-lasting-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const clients: { close(): Promise<void> }[] = [];
afterAll(() => Promise.all(clients.map((client) => client.close())));
let files = 0;
const newFile = () => join(folder, `${++files}.index.db`);

function connect(url: string): NodeConnection {
  const client = createClient({ rpc: url, retries: 0 });
  clients.push(client);
  return client.node();
}

interface Run {
  readonly events: IndexEvent[];
  readonly kinds: () => readonly string[];
  readonly path: string;
  readonly done: Promise<unknown>;
}

/** Starts to index all blocks that nodes have. */
function start(urls: readonly string[], options: Partial<IndexOptions> = {}): Run {
  const [events, path]: [IndexEvent[], string] = [[], options.path ?? newFile()];
  const done = indexInto(urls.map(connect), {
    ...{ path, from: "earliest", follow: false, firstDelay: 10 },
    ...options,
    onEvent: (event) => {
      events.push(event);
      options.onEvent?.(event);
    },
  });
  return { events, path, done, kinds: () => events.map(({ kind }) => kind).filter((kind) => kind !== "progress") };
}

function dump(path: string) {
  const db = openDatabase(path, { readOnly: true });
  try {
    return dumpLedger(db);
  } finally {
    db.close();
  }
}

function slotsOf(path: string): readonly number[] {
  const db = openDatabase(path, { readOnly: true });
  try {
    return db
      .prepare("SELECT slot FROM blocks ORDER BY slot")
      .all()
      .map(({ slot }) => Number(slot));
  } finally {
    db.close();
  }
}

describe("an index of nodes that fail", () => {
  let node: TestNode;
  let expected: readonly number[];
  beforeAll(async () => {
    ({ node } = await startScenario());
    const run = start([node.url]);
    await run.done;
    expected = slotsOf(run.path);
    expect(run.kinds()).toEqual(["start"]);
  });
  afterAll(() => node.close());

  it("waits for a node that restarts, and says so once", async () => {
    const { chain } = node;
    const first = await startTestNode({ chain });
    const port = Number(new URL(first.url).port);
    let restarted: Promise<TestNode> | undefined;
    onTestFinished(async () => void (await (await restarted)?.close()));
    let closed: Promise<void> | undefined;
    const run = start([first.url], {
      opening: false,
      batchBlocks: 5,
      onEvent: ({ kind }) => {
        if (kind === "progress") closed ??= first.close();
        if (kind === "waiting") restarted ??= (closed ?? Promise.resolve()).then(() => startTestNode({ chain, port }));
      },
    });
    await run.done;
    expect(run.kinds()).toEqual(["start", "waiting", "recovered"]);
    expect(slotsOf(run.path)).toEqual(expected);
  });

  it("waits for a block that a backend lists before it has it", async () => {
    const slot = expected[10] ?? 0;
    const remove = node.fail({
      ...{ ...FAULTS.blockNotAvailable(slot), method: "getBlock", times: 6 },
      when: ([at]) => Number(at) === slot,
    });
    onTestFinished(remove);
    const run = start([node.url]);
    await run.done;
    expect(run.kinds()).toEqual(["start", "waiting", "recovered"]);
    expect(slotsOf(run.path)).toEqual(expected);
  });

  it("goes on with another node, for all that one does not have", async () => {
    const other = await startTestNode({ chain: node.chain });
    onTestFinished(() => other.close());
    other.fail({ ...FAULTS.badGateway(), method: "getBlock", after: 5 });
    const run = start([other.url, node.url]);
    await run.done;
    expect(run.kinds()).toEqual(["start", "failover"]);
    expect(slotsOf(run.path)).toEqual(expected);
    const gaps = await startTestNode({ chain: node.chain });
    onTestFinished(() => gaps.close());
    gaps.fail({
      ...FAULTS.longTermStorageGap(expected[4] ?? 0),
      method: "getBlock",
      when: ([at]) => at === expected[4],
    });
    const filled = start([gaps.url, node.url]);
    await filled.done;
    expect(filled.kinds()).toEqual(["start"]);
    expect(slotsOf(filled.path)).toEqual(expected);
  });

  it.each([["earliest"], ["first"], ["again"]] as const)(
    "has what its nodes have together, whatever the first one has deleted (%s)",
    async (from) => {
      const pruned = await startTestNode({ chain: node.chain });
      onTestFinished(() => pruned.close());
      const [first = 0, kept = 0] = [expected[0], expected[12]];
      pruned.fail({ method: "getFirstAvailableBlock", body: `{"jsonrpc":"2.0","id":1,"result":${kept}}` });
      pruned.fail({
        ...{ error: { code: -32001, message: `Block ${first} cleaned up` }, method: "getBlock" },
        when: ([at]) => Number(at) < kept,
      });
      pruned.fail({
        ...{ method: "getBlocks", body: '{"jsonrpc":"2.0","id":1,"result":[]}' },
        when: ([at]) => Number(at) < kept,
      });
      const run = start([pruned.url, node.url], {
        ...{ opening: false, from: from === "earliest" ? from : first, batchBlocks: 3 },
        ...(from === "again" && { to: expected[5] }),
      });
      await run.done;
      if (from === "again") await start([pruned.url, node.url], { path: run.path, opening: false }).done;
      expect(run.kinds()).toEqual(["start"]);
      expect(slotsOf(run.path)).toEqual(expected);
    },
  );

  it.each([
    ["lags", 200, undefined, ["start", "failover"]],
    ["lags a little", 100, undefined, ["start", "gap"]],
    ["does not lag: the other one says a slot without blocks near it", 0, 1_000_000, ["start"]],
  ] as const)("takes another node where one %s", async (_, lag, claimed, kinds) => {
    const own = await startTestNode({ firstSlot: 1000 });
    onTestFinished(() => own.close());
    const { chain } = own;
    await chain.skipSlots(300);
    const [lagging, other] = await Promise.all([startTestNode({ chain }), startTestNode({ chain })]);
    onTestFinished(async () => void (await Promise.all([lagging.close(), other.close()])));
    lagging.fail({ method: "getSlot", change: (slot) => Number(slot) - lag });
    lagging.fail({
      method: "getBlocks",
      change: (slots) => (slots as number[]).filter((slot) => slot <= chain.tip.slot - lag),
    });
    if (claimed) other.fail({ method: "getSlot", change: () => claimed });
    const run = start([lagging.url, other.url], { opening: false });
    await run.done;
    expect(run.kinds()).toEqual(kinds);
    if (lag !== 100) expect(slotsOf(run.path).at(-1)).toBe(chain.tip.slot);
  });

  it("does not read from a node of another cluster", async () => {
    const stranger = await startTestNode();
    onTestFinished(() => stranger.close());
    stranger.fail({ method: "getGenesisHash", body: '{"jsonrpc":"2.0","id":1,"result":"other"}' });
    const flaky = await startTestNode({ chain: node.chain });
    onTestFinished(() => flaky.close());
    flaky.fail({ ...FAULTS.badGateway(), method: "getBlock", after: 6, times: 3 });
    const run = start([flaky.url, stranger.url]);
    await run.done;
    expect(run.kinds()).toEqual(["start", "excluded", "waiting", "recovered"]);
    expect(slotsOf(run.path)).toEqual(expected);
  });

  /** A node of which results are changed. */
  const changed = (change: (method: string, params: readonly Json[], result: Json) => Json): NodeConnection => {
    const connection = connect(node.url);
    return {
      ...connection,
      call: async (method, params = [], options) =>
        change(method, params, await connection.call(method, params, options)),
    };
  };
  const indexNodes = async (nodes: readonly NodeConnection[], options: Partial<IndexOptions> = {}) => {
    const [events, path]: [IndexEvent[], string] = [[], options.path ?? newFile()];
    const onEvent = (event: IndexEvent) => void events.push(event);
    await indexInto(nodes, {
      from: "earliest",
      follow: false,
      opening: false,
      firstDelay: 1,
      onEvent,
      ...options,
      path,
    });
    return { path, gaps: events.filter(({ kind }) => kind === "gap"), slots: slotsOf(path) };
  };

  it.each<[name: string, FaultAnswer]>([
    ...[400, 413, 418].map((status) => [`status ${status}`, { status, body: "no" }] satisfies [string, FaultAnswer]),
    ...[-32600, -32601, -32602, -32020, -32015].map(
      (code) => [`error ${code}`, { error: { code, message: "no" } }] satisfies [string, FaultAnswer],
    ),
    ...["GIVEN_UP", "BLOCK", "REFUSED_RESULT"].map(
      (code) =>
        [`error ${code}`, { body: JSON.stringify({ id: 1, error: { code, message: "no" } }) }] satisfies [
          string,
          FaultAnswer,
        ],
    ),
    ["a result that is null", { body: '{"jsonrpc":"2.0","id":1,"result":null}' }],
  ])("goes on after a node that has served answers for a while with %s", async (name, answer) => {
    for (const [method, after, options] of [
      ["getBlock", 5, { batchBlocks: 2 }],
      ["getSlot", 1, { commitment: "confirmed" }],
    ] as const) {
      // Without a result, a slot has no block. After -32602, a client asks for older versions of transactions.
      if (method === "getBlock" && /null|-32602/.test(name)) continue;
      onTestFinished(node.fail({ ...answer, method, after, times: 3 }));
      const run = start([node.url], { opening: false, ...options });
      await run.done;
      expect(run.kinds()).toEqual(["start", "waiting", "recovered"]);
      expect(slotsOf(run.path).slice(0, expected.length)).toEqual(expected);
    }
  });

  it("waits for a list of blocks that is malformed", async () => {
    let malformed = 2;
    const once = changed((method, _, result) => (method === "getBlocks" && malformed-- > 0 ? null : result));
    expect(await indexNodes([once])).toMatchObject({ slots: expected, gaps: [] });
  });

  it.each([
    ["repeats", (slots: readonly Json[]) => slots.flatMap((slot) => [slot, slot])],
    ["the newest first", (slots: readonly Json[]) => slots.toReversed()],
    ["slots outside of the range", (slots: readonly Json[]) => [3, ...slots, 999_999]],
  ])("reads a list of blocks with %s", async (_, change) => {
    const list = changed((method, __, result) => (method === "getBlocks" ? change(result as readonly Json[]) : result));
    expect(await indexNodes([list], { from: expected[3] as number })).toMatchObject({
      slots: expected.slice(3),
      gaps: [],
    });
  });

  const withMeta = (block: JsonObject, change: (meta: JsonObject) => Json): JsonObject => ({
    ...block,
    transactions: (block.transactions as readonly JsonObject[]).map((each) => ({
      ...each,
      meta: change(each.meta as JsonObject),
    })),
  });

  it.each<[string, (block: JsonObject) => Json]>([
    ["of another slot", (block) => ({ ...block, parentSlot: 999_999 })],
    [
      "with a transaction twice",
      (block) => ({ ...block, transactions: [1, 2].flatMap(() => block.transactions ?? []) }),
    ],
    ["without a hash", (block) => ({ ...block, blockhash: null })],
    ["without effects", (block) => withMeta(block, () => null)],
    [
      "with a fee that cannot be stored",
      (block) => withMeta(block, (meta) => ({ ...meta, fee: toNumeric("9223372036854775808") })),
    ],
  ])("reads a block %s from another node, and is without it when there is none", async (_, change) => {
    const connection = connect(node.url);
    const blocks = await Promise.all(
      expected.map((slot) => connection.call("getBlock", [slot, { maxSupportedTransactionVersion: 1 }])),
    );
    const at = blocks.findIndex(
      (block, index) => index > 5 && ((block as JsonObject).transactions as Json[]).length > 0,
    );
    const slot = expected[at] as number;
    const garbling = changed((method, [asked], result) =>
      method === "getBlock" && asked === slot ? change(result as JsonObject) : result,
    );
    expect(await indexNodes([garbling, connection])).toMatchObject({ slots: expected, gaps: [] });
    const alone = await indexNodes([garbling]);
    expect(alone.gaps).toMatchObject([{ from: slot, reason: "unreadable" }]);
    expect(alone.slots).toEqual(expected.filter((each) => each !== slot));
    expect(await indexNodes([connection], { path: alone.path })).toMatchObject({ slots: expected });
  });

  it.each(["innerInstructions", "preTokenBalances"])("knows in which blocks a node did not record %s", async (name) => {
    const isLater = (slot: Json | undefined) => Number(slot) > (expected[40] ?? 0);
    const lacking = changed((method, [slot], result) => {
      if (method !== "getBlock" || !isLater(slot) || !isObject(result) || !isArray(result.transactions)) return result;
      return withMeta(result, (meta) => ({ ...meta, [name]: null }));
    });
    // Blocks after a gap are held, and written again when it is filled.
    const without = changed((method, [slot], result) =>
      method === "getBlock" && slot === expected[44] ? null : result,
    );
    const both: NodeConnection = {
      ...lacking,
      call: async (...call) => (call[1]?.[0] === expected[44] ? without : lacking).call(...call),
    };
    const { path } = await indexNodes([both]);
    await indexNodes([lacking], { path });
    const db = openDatabase(path, { readOnly: true });
    const rows = db.prepare("SELECT slot, partial, transactions FROM blocks ORDER BY slot").all();
    db.close();
    expect(rows.map(({ slot }) => slot)).toEqual(expected);
    expect(rows.filter(({ partial }) => partial === 1)).toEqual(
      rows.filter(({ slot, transactions }) => isLater(Number(slot)) && Number(transactions) > 0),
    );
  });

  it.each([
    ["lags for a while", 3, (slots: readonly Json[]) => slots.slice(0, 10)],
    ["lists ten blocks at a time", Number.POSITIVE_INFINITY, (slots: readonly Json[]) => slots.slice(0, 10)],
    ["leaves out the last block", 3, (slots: readonly Json[]) => slots.slice(0, -1)],
    ["lists nothing for a while", 3, () => []],
  ])("reads a range to its end from a node that %s", async (_, times, change) => {
    let left = times;
    const lagging = changed((method, __, result) =>
      method === "getBlocks" && left-- > 0 ? change(result as readonly Json[]) : result,
    );
    const end = expected.length - 8;
    // Gaps within the range are filled.
    const { slots } = await indexNodes([lagging], { to: expected[end] as number });
    expect(slots).toEqual(expected.slice(0, end + 1));
  });

  it("says which slots at the end of a range are not proved, until they are", async () => {
    const lagging = changed((method, _, result) =>
      method === "getBlocks" ? (result as readonly number[]).filter((slot) => slot <= (expected[9] as number)) : result,
    );
    const to = expected.at(-8) as number;
    const run = await indexNodes([lagging], { to });
    expect(run.slots).toEqual(expected.slice(0, 10));
    expect(run.gaps).toMatchObject([{ from: (expected[9] as number) + 1, to, reason: "unanswered" }]);
    const again = await indexNodes([connect(node.url)], { path: run.path, to });
    expect(again.slots).toEqual(expected.slice(0, -7));
    const last = await indexNodes([connect(node.url)], { path: run.path });
    expect(last).toMatchObject({ slots: expected, gaps: [] });
  });

  it.each([1, 200])("ends when the final blocks of the chain are others, written by %d", async (batchBlocks) => {
    const end = 30;
    const { path } = await indexNodes([connect(node.url)], { to: expected[end] as number, batchBlocks });
    const other = changed((method, _, result) =>
      method === "getBlock" && isObject(result)
        ? { ...result, blockhash: `other ${result.blockhash}`, previousBlockhash: `other ${result.previousBlockhash}` }
        : result,
    );
    await expect(indexNodes([other], { path })).rejects.toMatchObject({ code: "DIFFERENT_CHAIN" });
    expect(slotsOf(path)).toEqual(expected.slice(0, end + 1));
  });

  it.each([
    ["once", 1],
    ["always", Number.POSITIVE_INFINITY],
  ])("is without a block that does not continue the chain, as long as a node returns it (%s)", async (_, times) => {
    const broken = expected[20] as number;
    let left = times;
    const other = changed((method, [slot], result) =>
      method === "getBlock" && slot === broken && left-- > 0
        ? { ...(result as JsonObject), previousBlockhash: "other" }
        : result,
    );
    const { slots } = await indexNodes([other]);
    expect(slots).toEqual(expected.filter((slot) => times === 1 || slot !== broken));
  });

  it.each([1, 5, 200])("replaces a block that a node returned once, written by %d", async (batchBlocks) => {
    const whole = await indexNodes([connect(node.url)]);
    const foreign = expected[20] as number;
    let isWrong = true;
    const other = changed((method, [slot], result) => {
      if (method !== "getBlock" || slot !== foreign || !isWrong) return result;
      isWrong = false;
      return { ...(result as JsonObject), blockhash: "11111111111111111111111111111111" };
    });
    const run = await indexNodes([other], { batchBlocks, to: foreign + 30 });
    await indexNodes([connect(node.url)], { path: run.path });
    expect(dump(run.path)).toEqual(dump(whole.path));
  });

  it("ends although a websocket is silent, and leaves no socket open", async () => {
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket);
      socket
        .resume()
        .on("error", () => {})
        .on("close", () => sockets.delete(socket));
    });
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    onTestFinished(() => void server.close());
    const webSocketUrls = [`ws://127.0.0.1:${(server.address() as AddressInfo).port}`];
    const stop = new AbortController();
    const run = start([node.url], {
      ...{ follow: true, webSocketUrls, openDispatcher, pollInterval: 5, signal: stop.signal },
      onEvent: (event) => {
        if (event.kind === "progress" && event.isAtTip && sockets.size > 0) stop.abort();
      },
    });
    await expect(run.done).rejects.toMatchObject({ exit: "interrupted" });
    await expect.poll(() => sockets.size).toBe(0);
  });
});

/** What a call of a node ends with. */
const OUTCOMES = ["answer", "network", "busy", "late", "missing"] as const;
const FAILURES: Readonly<Record<string, () => SolxError>> = {
  network: () => new NetworkError("refused"),
  busy: () => new SolxError("rateLimited", "busy", { code: 429 }),
  late: () => new SolxError("notFound", "not yet", { code: NODE_ERROR.notYetAvailable }),
  missing: () => new SolxError("notFound", "gone", { code: NODE_ERROR.cleanedUp }),
};

function scripted(name: string, script: readonly string[]): NodeConnection {
  let at = 0;
  const call = async (method: string): Promise<Json> => {
    if (method === "getGenesisHash") return "genesis";
    const failure = FAILURES[script[at++] ?? "answer"];
    if (failure) throw failure();
    return method;
  };
  return {
    ...{ name, commitment: "finalized", now: Date.now, call },
    callMany: (calls) => Promise.all(calls.map((one) => call(one.method).catch((error: SolxError) => error))),
  };
}

it("answers every call that some node answers in the end, and reports states alternately", async () => {
  const script = fc.array(fc.constantFrom(...OUTCOMES), { maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(script, { minLength: 1, maxLength: 3 }),
      fc.integer({ min: 1, max: 5 }),
      async (scripts, calls) => {
        const events: NodeEvent[] = [];
        const nodes = scripts.map((each, at) => scripted(`n${at}`, each));
        const connection = lastingConnection(nodes, { firstDelay: 0, onEvent: (event) => events.push(event) });
        const methods = Array.from({ length: calls }, (_, at) => ({ method: `m${at}`, params: [] }));
        const single = await connection.call("single").catch((error: SolxError) => error);
        const many = await connection.callMany(methods);
        for (const [at, outcome] of [single, ...many].entries()) {
          // Only what every node lacks is missing.
          if (outcome instanceof SolxError) expect(outcome.code).toBe(NODE_ERROR.cleanedUp);
          else expect(outcome).toBe(at === 0 ? "single" : `m${at - 1}`);
        }
        const states = events.map(({ kind }) => kind).filter((kind) => kind === "waiting" || kind === "recovered");
        expect(states.every((kind, at) => kind === (at % 2 === 0 ? "waiting" : "recovered"))).toBe(true);
        expect(states.length % 2).toBe(0);
      },
    ),
    { numRuns: 200 },
  );
});

it.each([1, 2])("sends the calls of a batch together, with %d nodes", async (count) => {
  const batches: number[] = [];
  const nodes = Array.from({ length: count }, (_, at): NodeConnection => {
    const node = scripted(`n${at}`, []);
    const callMany: NodeConnection["callMany"] = (calls, options) => {
      batches.push(calls.length);
      return node.callMany(calls, options);
    };
    return { ...node, callMany };
  });
  const connection = lastingConnection(nodes);
  await connection.call("first");
  await connection.callMany(["a", "b", "c"].map((method) => ({ method, params: [] })));
  expect(batches).toEqual([3]);
});
