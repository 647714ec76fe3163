/** Results that never change, in the cache that processes share. */

import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { isObject, type Json, parseJson, stringifyJson, toNumeric } from "../../../../src/base/index.ts";
import type { CacheOptions, ClientEvent } from "../../../../src/client/index.ts";
import type { ClientOptions, ConnectedClient } from "../../../../src/sources/index.ts";
import { failure, NOW } from "../../../client/servers.ts";
import { nodeClient, type ScriptedNode, serveNode } from "./node-server.ts";

const DAY = 86_400_000;
const isFinal = (result: Json) => isObject(result) && result.final === true;

/** A node whose blocks are final below slot 100, and their sizes. */
async function serveBlocks(
  genesis = "genesis-of-the-cluster",
  filler = "",
): Promise<ScriptedNode & { sent(): string[] }> {
  const server = await serveNode(({ answer }) =>
    answer(({ method, params }) => {
      if (method === "getGenesisHash") return { result: genesis };
      const slot = Number(params[0]);
      return { result: { slot, final: slot < 100, lamports: toNumeric("18446744073709551615"), genesis, filler } };
    }),
  );
  return { ...server, sent: () => server.received.flat().map(({ method, params }) => [method, ...params].join(" ")) };
}

function temporaryFile(): string {
  const folder = mkdtempSync(join(tmpdir(), "solx-results-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "cache.db");
}

/** Runs an action with a separate client, as a process would. */
async function run<T>(
  node: { readonly url: string },
  cache: CacheOptions,
  action: (client: ConnectedClient) => Promise<T>,
  options: ClientOptions = {},
): Promise<T> {
  const client = nodeClient(node, { cache: { local: true, now: () => NOW, ...cache }, ...options });
  try {
    return await action(client);
  } finally {
    await client.close();
  }
}

const block =
  (slot: number, options = {}) =>
  (client: ConnectedClient) =>
    client.node().call("getBlock", [slot], { isFinal, ...options });

it("are requested once, in all processes, with every digit", async () => {
  const file = temporaryFile();
  const server = await serveBlocks();
  const first = await run(server, { file }, block(5));
  const second = await run(server, { file }, block(5));
  expect(stringifyJson(second)).toBe(stringifyJson(first));
  expect(stringifyJson(second)).toContain("18446744073709551615");
  expect(server.sent()).toEqual(["getGenesisHash", "getBlock 5"]);
});

it("are those that the caller says are final", async () => {
  const file = temporaryFile();
  const server = await serveBlocks();
  await run(server, { file }, block(500));
  await run(server, { file }, block(500));
  await run(server, { file }, (client) => client.node().call("getBlock", [6]));
  await run(server, { file }, (client) => client.node().call("getBlock", [6]));
  expect(server.sent().filter((call) => call !== "getGenesisHash")).toEqual([
    ...["getBlock 500", "getBlock 500", "getBlock 6", "getBlock 6"],
  ]);
});

it("are shared by the nodes of a cluster, and not with another cluster", async () => {
  const file = temporaryFile();
  const [one, other, foreign] = [
    await serveBlocks("mainnet"),
    await serveBlocks("mainnet"),
    await serveBlocks("local"),
  ];
  await run(one, { file }, block(5));
  expect(await run(other, { file }, block(5))).toMatchObject({ genesis: "mainnet" });
  expect(other.sent()).toEqual(["getGenesisHash"]);
  expect(await run(foreign, { file }, block(5))).toMatchObject({ genesis: "local" });
  expect(foreign.sent()).toEqual(["getGenesisHash", "getBlock 5"]);
});

it("the cluster of a node is requested again after a day", async () => {
  const file = temporaryFile();
  const server = await serveBlocks();
  await run(server, { file }, block(5));
  await run(server, { file, now: () => NOW + DAY - 1 }, block(5));
  expect(server.sent()).toEqual(["getGenesisHash", "getBlock 5"]);
  await run(server, { file, now: () => NOW + DAY + 1 }, block(5));
  expect(server.sent()).toEqual(["getGenesisHash", "getBlock 5", "getGenesisHash"]);
});

it("of many calls are found, and only the rest is sent", async () => {
  const file = temporaryFile();
  const server = await serveBlocks();
  await run(server, { file }, block(6));
  const calls = [5, 6, 7].map((slot) => ({ method: "getBlock", params: [slot] }));
  const all = await run(server, { file }, (client) => client.node().callMany(calls, { isFinal }));
  expect(all).toMatchObject([{ slot: 5 }, { slot: 6 }, { slot: 7 }]);
  expect(server.sent().slice(2)).toEqual(["getBlock 5", "getBlock 7"]);
  await run(server, { file }, (client) => client.node().callMany(calls, { isFinal }));
  expect(server.sent().slice(4)).toEqual([]);
});

it("are not used with fresh calls and in a cache that refreshes, and are replaced by them", async () => {
  const file = temporaryFile();
  const server = await serveBlocks();
  await run(server, { file }, block(5));
  await run(server, { file }, block(5, { fresh: true }));
  await run(server, { file, mode: "refresh" }, block(5));
  expect(server.sent().filter((call) => call === "getBlock 5")).toHaveLength(3);
});

it("are all that there is offline; nothing is sent", async () => {
  const file = temporaryFile();
  const server = await serveBlocks();
  await run(server, { file }, block(5));
  const later = { file, mode: "offline", now: () => NOW + 20 * DAY } as const;
  expect(await run(server, later, block(5))).toMatchObject({ slot: 5 });
  const error = await run(server, later, (client) => failure(block(6)(client)));
  expect(error).toMatchObject({ exit: "network", code: "OFFLINE" });
  expect(server.sent()).toHaveLength(2);
});

it("of nodes on this machine are not stored by default: they may restart with other data", async () => {
  const file = temporaryFile();
  const server = await serveBlocks();
  await run(server, { file, local: false }, block(5));
  await run(server, { file, local: false }, block(5));
  expect(server.sent()).toEqual(["getBlock 5", "getBlock 5"]);
});

it("are requested when the genesis hash cannot be had", async () => {
  const file = temporaryFile();
  const server = await serveNode(({ answer }) =>
    answer(({ method }) =>
      method === "getGenesisHash"
        ? { error: { code: -32601, message: "Method not found" } }
        : { result: { final: true } },
    ),
  );
  expect(await run(server, { file }, block(5))).toEqual({ final: true });
});

it("are compressed, and never contain the key of a provider", async () => {
  const file = temporaryFile();
  const KEY = "4f1c0dfe3e2b4aab-provider";
  const server = await serveBlocks("g", "A".repeat(2_000_000));
  const events: ClientEvent[] = [];
  await run(server, { file }, block(5), { rpc: `${server.url}/${KEY}`, onEvent: (event) => events.push(event) });
  expect(statSync(file).size).toBeLessThan(200_000);
  expect(readFileSync(file).includes(KEY)).toBe(false);
  const echoing = await serveBlocks("h", KEY);
  await run(echoing, { file }, block(5), { rpc: `${echoing.url}/${KEY}` });
  expect(readFileSync(file).includes(KEY)).toBe(false);
  expect(JSON.stringify(events)).not.toContain(KEY);
});

it("a damaged entry is requested again", async () => {
  const file = temporaryFile();
  const server = await serveBlocks();
  await run(server, { file }, block(5));
  const { DatabaseSync } = await import("node:sqlite");
  const db = new DatabaseSync(file);
  db.exec("UPDATE answers SET body = x'00ff' WHERE kind = 'final'");
  db.close();
  expect(await run(server, { file }, block(5))).toMatchObject({ slot: 5 });
  expect(server.sent()).toContain("getBlock 5");
});

it("parameters with exact numbers are different calls", async () => {
  const file = temporaryFile();
  const server = await serveBlocks();
  const call = (digits: string) => (client: ConnectedClient) =>
    client.node().call("getBlock", [5, parseJson(`[${digits}]`)], { isFinal });
  await run(server, { file }, call("18446744073709551615"));
  await run(server, { file }, call("18446744073709551614"));
  expect(server.sent().filter((each) => each.startsWith("getBlock"))).toHaveLength(2);
});
