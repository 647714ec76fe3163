/** Indexes whose new blocks come from Yellowstone gRPC: their contents, what is read by RPC still, and faults. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { address, lamports } from "@solana/kit";
import { getTransferSolInstruction } from "@solana-program/system";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { InterruptedError, isObject, openDatabase } from "../../../../src/base/index.ts";
import type { IndexEvent } from "../../../../src/chain/indexer/index.ts";
import { indexInto } from "../../../../src/chain/indexer/run.ts";
import { openBlockStream } from "../../../../src/chain/indexer/stream/block-stream.ts";
import type { NodeConnection } from "../../../../src/chain/solana/index.ts";
import { useScenario, useTestNode } from "../../../support/node/use-test-node.ts";
import { startYellowstone } from "../../../support/node/yellowstone.ts";
import { connectTo } from "../../../support/node-connection.ts";

const folder = mkdtempSync(join(tmpdir(), "solx-stream-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
const newFile = () => join(folder, `${++files}.index.db`);

type Server = Awaited<ReturnType<typeof startYellowstone>>;
type StreamOptions = Parameters<typeof openBlockStream>[1];

/** Counts the blocks that a connection reads with their transactions. */
function countBlocks(url: string) {
  const node = connectTo(url);
  const slots: number[] = [];
  const connection: NodeConnection = {
    ...node,
    call: (method, params = [], options) => {
      const [slot, config] = params;
      if (method === "getBlock" && isObject(config) && config.transactionDetails === "full") slots.push(Number(slot));
      return node.call(method, params, options);
    },
  };
  return { connection, slots };
}

/** Returns all rows of all tables as text. */
function dump(path: string): string {
  const db = openDatabase(path, { readOnly: true });
  try {
    const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'").all();
    const contents = tables.flatMap(({ name }) => {
      if (name === "undo") return [];
      const statement = db.prepare(`SELECT * FROM ${name}`);
      statement.setReadBigInts(true);
      const text = (_: string, value: unknown) => (typeof value === "bigint" ? String(value) : value);
      const rows = statement.all().map((row) => JSON.stringify(row, text));
      return [`${name}\n${rows.sort().join("\n")}`];
    });
    return contents.sort().join("\n\n");
  } finally {
    db.close();
  }
}

async function openStream({ name }: Pick<Server, "name">, options: Partial<StreamOptions> = {}, token?: string) {
  const notes: string[] = [];
  const server = { name, target: `dns:${name}`, isSecure: false, token, hint: "Set the token." };
  const onNote = (text: string) => notes.push(text);
  const stream = await openBlockStream(server, { commitment: "finalized", onNote, firstDelay: 20, ...options });
  onTestFinished(() => stream.close());
  return { stream, notes };
}

describe("an index of the scenario", () => {
  const shared = useScenario();

  it("is the same as one by RPC, without reading blocks a second time", async () => {
    const { node } = shared;
    const { chain } = node;
    const server = await startYellowstone(chain);
    onTestFinished(() => server.close());
    const { stream } = await openStream(server);
    let arrived = 0;
    stream.notify = () => void arrived++;
    await expect.poll(server.subscribers).toBe(1);
    for (const block of chain.blocks) server.send(block);
    await expect.poll(() => arrived, { timeout: 20_000 }).toBe(chain.blocks.length);
    const [path, expected] = [newFile(), newFile()];
    const range = { from: "earliest", follow: false } as const;
    const { connection, slots } = countBlocks(node.url);
    await indexInto(connection, { ...range, path, to: chain.firstSlot });
    expect(slots).toEqual([chain.firstSlot]);
    await indexInto(connection, { ...range, path, stream });
    expect(slots).toEqual([chain.firstSlot]);
    await indexInto(connectTo(node.url), { ...range, path: expected, to: chain.firstSlot });
    await indexInto(connectTo(node.url), { ...range, path: expected });
    expect(dump(path)).toBe(dump(expected));
  });
});

describe("an index at the tip", () => {
  const node = useTestNode({ finality: "manual" });
  const target = address("Vote111111111111111111111111111111111111111");
  let amount = 1_000_000n;
  /** Adds a block with a transaction. */
  async function addBlock(level: "confirmed" | "finalized" = "finalized"): Promise<number> {
    amount += 1n;
    await node.send([
      getTransferSolInstruction({ source: node.faucet, destination: target, amount: lamports(amount) }),
    ]);
    node.chain.commit(level);
    return node.chain.tip.slot;
  }

  /** Starts a server and an index that follows the chain, whose first block a node has returned. */
  async function follow(options: Partial<StreamOptions> = {}, token?: string) {
    const { commitment = "finalized" } = options;
    const server = await startYellowstone(node.chain);
    onTestFinished(() => server.close());
    const { stream, notes } = await openStream(server, options, token);
    const path = newFile();
    const stop = new AbortController();
    const { connection, slots } = countBlocks(node.url);
    const events: IndexEvent[] = [];
    let latest = 0;
    const onEvent = (event: IndexEvent) => {
      events.push(event);
      if (event.kind === "progress" && event.isAtTip) latest = event.progress.slot;
    };
    const from = node.chain.blockAt(commitment).slot;
    const running = indexInto(connection, {
      ...{ path, from, opening: false, commitment, pollInterval: 50, stream, signal: stop.signal, onEvent },
    }).catch((error: unknown) => error);
    const reach = (slot: number) => expect.poll(() => latest, { timeout: 20_000 }).toBe(slot);
    await reach(from);
    await expect.poll(server.subscribers).toBe(1);
    return {
      ...{ server, stream, notes, events, slots, reach },
      /** Ends the index, and compares it with one by RPC. */
      async finish() {
        stop.abort();
        expect(await running).toBeInstanceOf(InterruptedError);
        const expected = newFile();
        await indexInto(connectTo(node.url), { path: expected, from, opening: false, commitment, follow: false });
        expect(dump(path)).toBe(dump(expected));
      },
    };
  }

  it("takes new blocks from the stream only, with skipped slots and several at once", async () => {
    const { server, slots, reach, finish, notes } = await follow();
    const before = slots.length;
    for (let count = 0; count < 3; count++) await reach(await addBlock());
    node.chain.skipSlots(3);
    await reach(await addBlock());
    for (let count = 0; count < 4; count++) await addBlock("confirmed");
    node.chain.commit("finalized");
    await reach(node.chain.tip.slot);
    expect(slots.slice(before)).toEqual([]);
    expect(notes).toEqual([]);
    server.ping();
    await expect.poll(() => server.requests.at(-1)?.ping).toEqual({ id: 1 });
    await finish();
  });

  it.each([false, true])("removes the blocks that the cluster drops (slots are used again: %s)", async (reuseSlots) => {
    const { reach, finish, events } = await follow({ commitment: "confirmed" });
    const fork = await addBlock("confirmed");
    await reach(fork);
    await reach(await addBlock("confirmed"));
    node.chain.rollback(fork, { reuseSlots });
    const last = await addBlock("confirmed");
    await reach(last);
    await expect.poll(() => events).toContainEqual({ kind: "rollback", slot: fork + 1 });
    await reach(await addBlock("confirmed"));
    node.chain.commit("finalized");
    await finish();
  });

  it("reads by RPC what a lost stream leaves out, and continues", async () => {
    const { server, slots, reach, finish, notes } = await follow({ firstDelay: 300 });
    await reach(await addBlock());
    server.drop();
    await expect.poll(() => notes.length).toBe(1);
    expect(notes[0]).toBe(
      `No blocks come from the gRPC server ${server.name}: shutting down (UNAVAILABLE). They are read by RPC until it is back.`,
    );
    const missed = await addBlock();
    await reach(missed);
    expect(slots).toContain(missed);
    await expect.poll(server.subscribers, { timeout: 10_000 }).toBe(1);
    const before = slots.length;
    await reach(await addBlock());
    await expect.poll(() => notes.at(-1)).toMatch(/^Blocks come from the gRPC server .* again, after \d s\.$/);
    await reach(await addBlock());
    expect(slots.slice(before).length).toBeLessThanOrEqual(1);
    expect(notes).toHaveLength(2);
    await finish();
  });

  it("gives up a connection on which nothing arrives", async () => {
    const { server, slots, reach, finish, notes } = await follow({ silence: 1000 });
    server.silence(true);
    const missed = await addBlock();
    await reach(missed);
    expect(slots).toContain(missed);
    await expect.poll(() => notes[0], { timeout: 10_000 }).toContain("nothing arrived for 1 s");
    await expect.poll(() => server.requests.length, { timeout: 10_000 }).toBeGreaterThan(1);
    expect(notes).toHaveLength(1);
    server.silence(false);
    // A block between two connections does not arrive.
    while (notes.length < 2) await reach(await addBlock());
    await finish();
  });

  it("holds a bounded number of bytes for a slow reader, and loses nothing", async () => {
    const { slots, reach, finish } = await follow({ maxBytes: 1 });
    const slot = await addBlock();
    await reach(slot);
    expect(slots).toContain(slot);
    await finish();
  });

  it("reads by RPC what cannot be decoded, or is of another chain", async () => {
    const { server, slots, reach, finish } = await follow();
    await reach(await addBlock());
    node.chain.commit("finalized");
    const [last] = node.chain.blocks.slice(-1);
    if (!last) throw new Error("no block");
    // The server sends a block of another chain for the next slot.
    const slot = last.slot + 1;
    server.send({ ...last, slot, parentSlot: last.slot, previousBlockhash: last.previousBlockhash });
    server.silence(true);
    expect(await addBlock()).toBe(slot);
    await reach(slot);
    expect(slots).toContain(slot);
    await finish();
  });

  it("does not begin with a block of another cluster", async () => {
    const server = await startYellowstone(node.chain);
    onTestFinished(() => server.close());
    const { stream } = await openStream(server);
    let arrived = 0;
    stream.notify = () => void arrived++;
    await expect.poll(server.subscribers).toBe(1);
    const { tip } = node.chain;
    const slot = tip.slot + 1;
    server.send({ ...tip, slot, parentSlot: tip.slot, blockhash: tip.previousBlockhash });
    await expect.poll(() => arrived).toBe(1);
    server.silence(true);
    expect(await addBlock()).toBe(slot);
    const [path, expected] = [newFile(), newFile()];
    const { connection, slots } = countBlocks(node.url);
    await indexInto(connection, { path, from: slot, follow: false, opening: false, stream });
    expect(slots).toEqual([slot]);
    await indexInto(connectTo(node.url), { path: expected, from: slot, follow: false, opening: false });
    expect(dump(path)).toBe(dump(expected));
  });

  it("begins without a server, and uses it when it is there", async () => {
    const { name, port, close } = await startYellowstone(node.chain);
    close();
    const { stream, notes } = await openStream({ name });
    await expect.poll(() => notes[0]).toContain(`No blocks come from the gRPC server ${name}: `);
    const server = await startYellowstone(node.chain, { port });
    onTestFinished(() => server.close());
    await expect.poll(server.subscribers, { timeout: 20_000 }).toBe(1);
    const slot = await addBlock();
    await expect.poll(() => notes.length).toBe(2);
    expect(await stream.take(slot)).toBeDefined();
    expect(await stream.take(slot)).toBeUndefined();
  });

  it.each([
    [undefined, "asks for a token"],
    ["wrong", "does not accept the token"],
  ])("ends with a server that refuses the token %s", async (token, problem) => {
    const server = await startYellowstone(node.chain, { token: "right" });
    onTestFinished(() => server.close());
    await expect(openStream(server, {}, token)).rejects.toMatchObject({
      exit: "auth",
      code: "GRPC_TOKEN",
      message: `The gRPC server ${server.name} ${problem}: No valid auth token`,
    });
    await openStream(server, {}, "right");
    await expect.poll(server.subscribers).toBe(1);
  });
});
