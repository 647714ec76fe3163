/**
 * The law of following a node: of thousands of polls, to backends that lag, answer in part and fail, each row is printed
 * once and in order, and memory does not grow. A twentieth of `LAW_CASES` is the number of polls.
 */
import { Writable } from "node:stream";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { base58 } from "@scure/base";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import type { JsonObject } from "../../src/base/index.ts";
import { follow } from "../../src/commands/follow/follow.ts";
import { createContext } from "../../src/commands/run/create-context.ts";
import { WALLET } from "../client/servers.ts";
import { createCollector } from "../support/in-process.ts";
import { RpcError } from "../support/node/errors.ts";
import type { FaultRule } from "../support/node/faults.ts";
import { serveJsonRpc } from "../support/node/json-rpc-server.ts";
import { startTestNode } from "../support/node/node.ts";
import { toJson, type Wire } from "../support/node/wire.ts";
import { connectTo } from "../support/node-connection.ts";
import { cleanEnv, createTempFolder } from "../support/solx.ts";
import { transientFaults } from "./faults.ts";
import { CASES_EACH, endpointOf } from "./readings.ts";

const POLLS = Math.max(120, Number(process.env.LAW_CASES ?? 300) / 20);
const MIB = 1_048_576;
const AMOUNT = 1_000_000;
const [FIRST_SLOT, PAGE, LAG] = [1000, 5, 4];

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

/** The signature of a transaction by its number, from 1. */
const signatureOf = (number: number): Uint8Array => {
  const bytes = new Uint8Array(64).fill(7);
  new DataView(bytes.buffer).setUint32(0, number);
  return bytes;
};
const numberOf = (signature: string) => new DataView(base58.decode(signature).buffer).getUint32(0);

/** Serves a wallet that receives the same transfer again and again, of which nothing is in memory. */
async function serveWallet() {
  const node = await startTestNode();
  const direct = connectTo(node.url, "confirmed");
  const sent = await node.airdrop(WALLET, BigInt(AMOUNT));
  const encoding = { encoding: "base64", maxSupportedTransactionVersion: 0, commitment: "confirmed" };
  const model = (await direct.call("getTransaction", [sent, encoding])) as JsonObject;
  const [meta, [bytes]] = [model.meta as JsonObject, model.transaction as [string]];
  const [pre, post] = [meta.preBalances, meta.postBalances] as [number[], number[]];
  const changed = post.findIndex((after, at) => after > (pre[at] ?? 0));
  const balances = (list: readonly number[], lamports: number) => list.with(changed, lamports);
  const transactionOf = (number: number): JsonObject => {
    const wire = Buffer.from(bytes, "base64");
    wire.set(signatureOf(number), 1);
    return {
      ...model,
      slot: FIRST_SLOT + number,
      blockTime: 1_700_000_000 + number,
      transaction: [wire.toString("base64"), "base64"],
      meta: {
        ...meta,
        preBalances: balances(pre, (number - 1) * AMOUNT),
        postBalances: balances(post, number * AMOUNT),
      },
    };
  };
  const state = { count: PAGE, requests: 0 };
  const gateway = await serveJsonRpc(async (method, params) => {
    if (method === "getSlot") return FIRST_SLOT + state.count;
    if (method === "getTransaction") return toWire(transactionOf(numberOf(String(params[0]))));
    if (method === "getSignatureStatuses") return { context: { slot: FIRST_SLOT }, value: statusesOf(params[0]) };
    if (method !== "getSignaturesForAddress") return (await direct.call(method, params as never)) as Wire;
    const request = ++state.requests;
    if (request % 17 === 0) throw new RpcError(-32005, "Node is behind");
    const { before, limit = 1000 } = params[1] as { before?: string; limit?: number };
    const newest = request % 11 === 0 ? state.count - LAG : state.count;
    const start = before === undefined ? newest : numberOf(before) - 1;
    const size = Math.max(0, Math.min(start, limit, request % 13 === 0 ? 2 : 1000));
    return Array.from({ length: size }, (_, at) => ({
      signature: base58.encode(signatureOf(start - at)),
      slot: FIRST_SLOT + start - at,
      blockTime: 1_700_000_000 + start - at,
      err: null,
      memo: null,
      confirmationStatus: "finalized",
    }));
  });
  onTestFinished(async () => {
    await gateway.close();
    await node.close();
  });
  return { url: gateway.url, state, faults: gateway.faults };
}

const statusesOf = (signatures: unknown): Wire =>
  (signatures as readonly string[]).map((signature) => ({
    slot: FIRST_SLOT + numberOf(signature),
    confirmations: null,
    err: null,
    confirmationStatus: "finalized",
  }));

const toWire = (value: JsonObject): Wire => JSON.parse(toJson(value as Wire)) as Wire;

/** Follows a list for a number of polls, and returns what was printed. */
async function followList(
  route: string,
  { url, state, faults }: Awaited<ReturnType<typeof serveWallet>>,
  polls: number,
  onPoll: (poll: number) => void = () => {},
) {
  const printed = { rows: 0, isOrdered: true };
  const stdout = new Writable({
    write(chunk, _encoding, done) {
      for (const line of String(chunk)
        .split("\n")
        .filter((text) => text !== "")) {
        const { trans_id, tx_hash } = JSON.parse(line) as { trans_id?: string; tx_hash?: string };
        printed.rows += 1;
        printed.isOrdered &&= numberOf(trans_id ?? tx_hash ?? "") === printed.rows;
      }
      done();
    },
  });
  const stderr = createCollector();
  let now = 1_800_000_000_000;
  const stop = new AbortController();
  const context = createContext({
    argv: [],
    env: cleanEnv({ SOLX_HOME: createTempFolder(), SOLX_RPC_URL: url, SOLX_RETRIES: "0", SOLX_CACHE: "off" }),
    version: "0.0.0",
    stdin: process.stdin,
    stdout: stdout as unknown as NodeJS.WriteStream,
    stderr: stderr.stream,
    now: () => now,
    signal: stop.signal,
  });
  context.globals = { follow: true, output: "ndjson" };
  let poll = 0;
  const sleep = async (milliseconds: number) => {
    now += milliseconds;
    onPoll(++poll);
    // The last polls find what a backend that lags did not have.
    if (poll < polls) state.count += [0, 0, 1, 0, 3][poll % 5] ?? 0;
    else faults.clear();
    if (poll > polls + 20) stop.abort(new Error("enough"));
  };
  const query = { endpoint: endpointOf(route), params: { address: WALLET }, requestedRows: {} };
  await expect(follow(context, query, { now: () => now, sleep })).rejects.toThrow("enough");
  await context.session.close();
  expect(stderr.text()).not.toContain("missing");
  expect([printed.rows, printed.isOrdered]).toEqual([state.count, true]);
}

const ROUTES = ["v2-account-transfer", "v2-account-transactions"];

test.each(ROUTES)("%s of a node", async (route) => {
  const heap: number[] = [];
  await followList(route, await serveWallet(), POLLS, (poll) => {
    if (poll % Math.floor(POLLS / 4) !== 0) return;
    collectGarbage();
    heap.push(process.memoryUsage().heapUsed / MIB);
  });
  // The first quarter fills what is remembered.
  const [, second = 0] = heap;
  expect(Math.max(...heap.slice(2)) - second, heap.map(Math.round).join()).toBeLessThan(12);
});

test.each(ROUTES)("%s of a node that fails now and then", async (route) => {
  const served = await serveWallet();
  const run = async (faults: readonly FaultRule[], polls: number) => {
    Object.assign(served.state, { count: PAGE, requests: 0 });
    // A list that cannot be read at first is an error.
    await followList(route, served, polls, (poll) => {
      if (poll === 1) for (const fault of faults) served.faults.add(fault);
    });
  };
  await fc.assert(fc.asyncProperty(transientFaults, fc.integer({ min: 5, max: 30 }), run), { numRuns: CASES_EACH });
});
