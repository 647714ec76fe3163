/** Failures of a node: typed errors with advice, which of them are repeated, and nothing of a key in any of them. */

import { describe, expect, it } from "vitest";
import { errorObject, type SolxError } from "../../../../src/base/index.ts";
import { isHistoryPruned, isMethodRefused, isSkippedSlot } from "../../../../src/chain/solana/index.ts";
import type { ClientEvent } from "../../../../src/client/index.ts";
import { createClient } from "../../../../src/sources/index.ts";
import { failure, json } from "../../../client/servers.ts";
import { nodeClient, serveCalls, serveNode } from "./node-server.ts";

/** The error of a call that is always answered with a JSON-RPC error. */
async function errorFor(error: { code: number; message: string; data?: unknown }) {
  const server = await serveCalls(() => ({ error }));
  const client = nodeClient(server);
  return { error: await failure(client.node().call("getBlock", [7])), attempts: server.received.length };
}

/** The error of a call that is always answered with a status and a body. */
async function errorForResponse(status: number, body: string, headers: Record<string, string> = {}) {
  const server = await serveNode(({ response }) => response.writeHead(status, headers).end(body));
  const client = nodeClient(server);
  const error = await failure(client.node().call("getBlock", [7]));
  return { error, attempts: server.received.length, paused: client.paused };
}

const ONCE = 1;
const ALL_ATTEMPTS = 4;

describe("a JSON-RPC error", () => {
  it.each([
    [-32001, "notFound", ONCE, /archive node/],
    [-32002, "usage", ONCE, /transaction/],
    [-32003, "usage", ONCE, /message/],
    [-32004, "notFound", 3, /SOLX_COMMITMENT=confirmed/],
    [-32005, "server", ALL_ATTEMPTS, /another node/],
    [-32006, "usage", ONCE, /message/],
    [-32007, "notFound", ONCE, /neighbouring slot/],
    [-32008, "notFound", ONCE, /another node/],
    [-32009, "notFound", ONCE, /archive node/],
    [-32010, "permission", ONCE, /omit --rpc/],
    [-32011, "notFound", ONCE, /archive node/],
    [-32012, "server", ONCE, /another node/],
    [-32013, "usage", ONCE, /message/],
    [-32014, "server", ALL_ATTEMPTS, /few seconds/],
    [-32015, "server", ONCE, /latest version of solx/],
    [-32016, "server", ALL_ATTEMPTS, /few seconds/],
    [-32017, "server", ONCE, /minutes/],
    [-32018, "usage", ONCE, /parameters/],
    [-32019, "server", ONCE, /another node/],
    [-32020, "notFound", ONCE, /archive node/],
    [-32021, "notFound", ONCE, /archive node/],
    [-32600, "usage", ONCE, /parameters/],
    [-32601, "permission", ONCE, /another node/],
    [-32602, "usage", ONCE, /parameters/],
    [-32603, "server", ONCE, /few seconds/],
    [-32700, "server", ONCE, /another node/],
    [410, "permission", ONCE, /another node/],
    [429, "rateLimited", ALL_ATTEMPTS, /SOLX_RATE=5\/1/],
    [-32429, "rateLimited", ALL_ATTEMPTS, /SOLX_RATE=5\/1/],
    [-31999, "server", ONCE, /few seconds/],
  ])("%i is %s, sent %i times, with advice", async (code, exit, times, advice) => {
    const { error, attempts } = await errorFor({ code, message: "the node's words" });
    expect(error).toMatchObject({ exit, code: code === -32429 ? 429 : code });
    expect(error.message).toContain("the node's words");
    expect(error.message.replace(/ \(tried \d times\)\.$/, "")).not.toMatch(/\{\w+\}|undefined|\n/);
    expect(error.hint).toMatch(advice);
    expect(attempts).toBe(times);
  });

  it("of a provider for a method that it does not have is a refused method, whatever its code", async () => {
    for (const message of ["Method not found", "The method getBlocks is not supported", "Method disabled"]) {
      const { error } = await errorFor({ code: -32000, message });
      expect(isMethodRefused(error)).toBe(true);
    }
    const { error } = await errorFor({ code: -32000, message: "Something else" });
    expect(isMethodRefused(error)).toBe(false);
  });

  it("is classified for callers: refused method, skipped slot, pruned history", async () => {
    const codes = [-32001, -32007, -32009, -32010, -32011, -32601, -32602, 403, 410];
    const errors = await Promise.all(codes.map(async (code) => (await errorFor({ code, message: "no" })).error));
    const those = (predicate: (error: unknown) => boolean) => errors.filter(predicate).map(({ code }) => code);
    expect(those(isMethodRefused)).toEqual([-32010, -32601, 403, 410]);
    expect(those(isSkippedSlot)).toEqual([-32007, -32009]);
    expect(those(isHistoryPruned)).toEqual([-32001, -32011]);
    expect([isMethodRefused(new Error("x")), isSkippedSlot(undefined)]).toEqual([false, false]);
  });

  it("passes when the next attempt succeeds", async () => {
    const server = await serveNode(({ count, answer }) =>
      answer(() => (count === 1 ? { error: { code: -32005, message: "Node is behind" } } : { result: 7 })),
    );
    const client = nodeClient(server);
    expect(await client.node().call("getSlot")).toBe(7);
    expect(client.slept).toEqual([1000]);
  });

  it("is final without waiting", async () => {
    const server = await serveCalls(() => ({ error: { code: -32005, message: "Node is behind" } }));
    const client = nodeClient(server, { wait: false });
    expect(await failure(client.node().call("getSlot"))).toMatchObject({ code: -32005 });
    expect(server.received).toHaveLength(1);
  });
});

describe("an HTTP status", () => {
  const page = "<html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>";
  it.each([
    [401, "Unauthorized", "auth", 401, ONCE],
    [402, "Payment required", "quota", 402, ONCE],
    [403, '{"jsonrpc":"2.0","error":{"code":403,"message":"Access forbidden"},"id":1}', "permission", 403, ONCE],
    [404, page, "server", 404, ONCE],
    [405, "Method Not Allowed", "server", 405, ONCE],
    [410, '{"jsonrpc":"2.0","error":{"code":410,"message":"disabled"},"id":1}', "permission", 410, ONCE],
    [413, "Request entity too large", "usage", 413, ONCE],
    // Providers use codes of nodes for their own limits: the status decides.
    [429, '{"jsonrpc":"2.0","error":{"code":-32007,"message":"50/second limit"},"id":1}', "rateLimited", 429, 4],
    [429, "Too Many Requests", "rateLimited", 429, ALL_ATTEMPTS],
    [429, page, "rateLimited", 429, ALL_ATTEMPTS],
    [400, '{"jsonrpc":"2.0","error":{"code":-32602,"message":"Invalid param"},"id":1}', "usage", -32602, ONCE],
    [500, '{"jsonrpc":"2.0","error":{"code":-32603,"message":"Internal"},"id":1}', "server", -32603, ALL_ATTEMPTS],
    [500, "", "server", 500, ALL_ATTEMPTS],
    [502, page, "server", 502, ALL_ATTEMPTS],
    [503, "busy", "server", 503, ALL_ATTEMPTS],
    [522, page, "server", 522, ALL_ATTEMPTS],
  ])("%i with %s is %s", async (status, body, exit, code, times) => {
    const { error, attempts } = await errorForResponse(status, body);
    expect(error).toMatchObject({ exit, code, status });
    expect(error.hint).toBeTruthy();
    expect(error.message).not.toMatch(/<|undefined/);
    expect(attempts).toBe(times);
  });

  it("429 pauses everyone who shares the limit, as long as the node requests", async () => {
    const { error, paused } = await errorForResponse(429, "slow down", { "retry-after": "7" });
    expect(error).toMatchObject({ retryAfter: 7, exit: "rateLimited" });
    expect(paused[0]).toBe(7000);
  });

  it("a longer wait than allowed is an error with its time", async () => {
    const { error, attempts } = await errorForResponse(429, "slow down", { "retry-after": "3600" });
    expect(error).toMatchObject({ exit: "rateLimited", retryAfter: 3600 });
    expect(attempts).toBe(1);
  });
});

describe("something that is not a node", () => {
  it.each([
    ['{"success":true,"data":[]}', "NOT_JSON_RPC"],
    ["[]", "NOT_JSON_RPC"],
    ['"text"', "NOT_JSON_RPC"],
    ["<html><title>Sign in</title></html>", "NOT_JSON_RPC"],
    ["hello", "NOT_JSON_RPC"],
    ["", "NOT_JSON_RPC"],
    ['{"jsonrpc":"2.0","result":', "TRUNCATED"],
    ['{"jsonrpc":"2.0","id":1,"result":NaN}', "NOT_JSON_RPC"],
    ['{"jsonrpc":"2.0","id":1,"result":1}{}', "NOT_JSON_RPC"],
  ])("%s is reported as such", async (body, code) => {
    const { error } = await errorForResponse(200, body);
    expect(error).toMatchObject({ exit: "server", code });
  });

  it.each([
    ["wss://api.mainnet-beta.solana.com", /websocket/, /https:\/\//],
    ["ws://127.0.0.1:8900", /websocket/, /http:\/\//],
    ["mainet", /"mainet" is neither/, /Did you mean mainnet\?/],
    ["ftp://host", /neither a URL/, /https:/],
    ["", /neither a URL/, /mainnet/],
  ])("the address %s is refused before anything is sent", (rpc, message, hint) => {
    const create = () => createClient({ rpc });
    expect(create).toThrow(message);
    expect(create).toThrow(expect.objectContaining({ exit: "usage", hint: expect.stringMatching(hint) }));
  });

  it("an address is not repeated when it may be a key", () => {
    for (const rpc of ["8e1c1f1a-5a77-4c1b-9d0a-2f0e7ac3ab12", "wss://host/8e1c1f1a5a774c1b", "abcKEYabc123"]) {
      const error = thrown(() => createClient({ rpc }));
      expect(JSON.stringify(errorObject(error))).not.toMatch(/8e1c1f1a|KEYabc/i);
    }
  });

  it("a node that cannot be reached is a network error", async () => {
    const error = await failure(nodeClient({ url: "http://127.0.0.1:1" }).node().call("getSlot"));
    expect(error).toMatchObject({ exit: "network" });
  });
});

describe("keys in the URL of a node", () => {
  const TOKEN = "4f1c0dfe3e2b4aab";
  const QUERY = "q-94cc/12+34==";
  const PASSWORD = "p@ss:word-secret";
  const secrets = [
    ...[TOKEN, QUERY, encodeURIComponent(QUERY), PASSWORD, encodeURIComponent(PASSWORD), "the-user-name"],
    Buffer.from(`the-user-name:${PASSWORD}`).toString("base64"),
  ];
  const addressOf = (url: string) =>
    `${url.replace("://", `://the-user-name:${encodeURIComponent(PASSWORD)}@`)}/solana/v2/${TOKEN}/?api-key=${encodeURIComponent(QUERY)}`;
  const occurrences = (text: string) => secrets.filter((secret) => text.includes(secret));

  it("are sent, and are in no event, error, header or message, whatever the server repeats", async () => {
    const server = await serveNode(({ request, response, count }) => {
      const echo = `${request.url} ${request.headers.authorization} ${secrets.join(" ")}`;
      const error = { code: [-32005, 429, -32602][count - 1] ?? -32005, message: echo, data: echo };
      json(response, { jsonrpc: "2.0", id: 1, error }, 200, { "x-echo": echo, location: echo });
    });
    const outputs: unknown[] = [];
    const onEvent = (event: ClientEvent) => outputs.push(event, describe_(event));
    const client = nodeClient(server, { rpc: addressOf(server.url), onEvent });
    const error = await failure(client.node().call("getSlot"));
    outputs.push(errorObject(error), error.message, error.stack, error.hint, String(error.cause));
    expect(outputs.length).toBeGreaterThan(10);
    expect(occurrences(JSON.stringify(outputs))).toEqual([]);
    expect(client.node().name).toBe(new URL(server.url).host);
    expect(server.requests[0]?.url).toBe(`/solana/v2/${TOKEN}/?api-key=${encodeURIComponent(QUERY)}`);
    const credentials = Buffer.from(`the-user-name:${PASSWORD}`).toString("base64");
    expect(server.requests[0]?.headers.authorization).toBe(`Basic ${credentials}`);
  });

  it("are in no error of a call in a batch", async () => {
    const server = await serveCalls(() => ({ error: { code: -32602, message: secrets.join(" ") } }));
    const client = nodeClient(server, { rpc: addressOf(server.url) });
    const calls = [1, 2].map((slot) => ({ method: "getBlock", params: [slot] }));
    const errors = (await client.node().callMany(calls)) as readonly SolxError[];
    expect(errors.map(({ exit }) => exit)).toEqual(["usage", "usage"]);
    expect(occurrences(errors.map((error) => error.message + error.stack).join())).toEqual([]);
  });

  it.each([
    ["an HTML page", 403, (text: string) => `<html><title>${text}</title></html>`],
    ["plain text", 500, (text: string) => text],
    ["what is no JSON-RPC", 200, (text: string) => `{"echo":"${text}"}`],
  ])("are not in the error for %s", async (_, status, body) => {
    const server = await serveNode(({ response }) => response.writeHead(status).end(body(secrets.join(" "))));
    const client = nodeClient(server, { rpc: addressOf(server.url) });
    const error = await failure(client.node().call("getSlot"));
    expect(occurrences(JSON.stringify(errorObject(error)) + error.stack)).toEqual([]);
  });

  it("are not in errors of the network", async () => {
    const client = nodeClient({ url: "" }, { rpc: addressOf("http://127.0.0.1:1"), retries: 0 });
    const error = await failure(client.node().call("getSlot"));
    expect(occurrences(JSON.stringify(errorObject(error)) + error.stack + String(error.cause))).toEqual([]);
  });

  it("words that name a product or a cluster are not masked", async () => {
    const server = await serveCalls(() => ({ error: { code: -32602, message: "solana mainnet rpc v2" } }));
    const client = nodeClient(server, { rpc: `${server.url}/solana/mainnet/rpc/v2` });
    expect((await failure(client.node().call("getSlot"))).message).toContain("solana mainnet rpc v2");
  });
});

function thrown(action: () => unknown): SolxError {
  try {
    action();
  } catch (error) {
    return error as SolxError;
  }
  throw new Error("It did not fail.");
}

/** An event's errors as text, which JSON omits. */
const describe_ = (event: ClientEvent) =>
  event.type === "retry" ? [event.error.message, event.error.stack, errorObject(event.error)] : [];
