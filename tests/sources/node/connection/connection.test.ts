/** Calls of a node's methods: what is sent, what comes back, and what equal calls share. */

import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseJson, stringifyJson } from "../../../../src/base/index.ts";
import type { ClientEvent, Exchange } from "../../../../src/client/index.ts";
import { failure, serveSocket } from "../../../client/servers.ts";
import { nodeClient, serveCalls, serveNode } from "./node-server.ts";

const echo = () => serveCalls(({ method, params }) => ({ result: { method, params } }));

describe("a call", () => {
  it("is JSON-RPC 2.0 in a POST request with a JSON body", async () => {
    const server = await echo();
    const result = await nodeClient(server)
      .node()
      .call("getSlot", [{ commitment: "finalized" }]);
    expect(result).toEqual({ method: "getSlot", params: [{ commitment: "finalized" }] });
    expect(server.requests[0]).toMatchObject({ method: "POST", url: "/" });
    expect(server.requests[0]?.headers).toMatchObject({ "content-type": "application/json", "user-agent": "solx" });
    expect(server.received[0]?.[0]).toMatchObject({ jsonrpc: "2.0", method: "getSlot" });
  });

  it("sends neither the API's key nor a cookie", async () => {
    const server = await echo();
    await nodeClient(server, { key: "the-key-of-the-api" }).node().call("getSlot");
    expect(JSON.stringify(server.requests[0]?.headers)).not.toContain("the-key-of-the-api");
  });

  it("keeps every digit of numbers in parameters and results", async () => {
    const exact = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(String);
    const server = await serveNode(({ request, response, calls }) => {
      expect(request.method).toBe("POST");
      response.end(`{"jsonrpc":"2.0","id":${calls[0]?.id},"result":{"lamports":${calls[0]?.params[1]}}}`);
    });
    const node = nodeClient(server).node();
    await fc.assert(
      fc.asyncProperty(exact, async (digits) => {
        const result = await node.call("getBalance", ["11111111111111111111111111111111", digits]);
        expect(stringifyJson(result)).toBe(`{"lamports":${digits}}`);
      }),
      { numRuns: 30 },
    );
    expect(stringifyJson(await node.call("x", ["", "18446744073709551615"]))).toBe('{"lamports":18446744073709551615}');
  });

  it("sends exact numbers as they are", async () => {
    let body = "";
    const server = await serveNode(({ answer, calls }) => {
      body = JSON.stringify(calls);
      answer(() => ({ result: null }));
    });
    // The server's own parser would round a number, so the digits are compared in the text that a socket receives.
    await nodeClient(server)
      .node()
      .call("simulate", [parseJson('{"n":0.1}')]);
    expect(body).toContain('{"n":0.1}');
    const raw = Promise.withResolvers<string>();
    const socket = await serveSocket((connection) => {
      let text = "";
      connection.on("data", (chunk) => {
        text += chunk;
        if (!text.includes('"id"')) return;
        raw.resolve(text);
        const reply = '{"jsonrpc":"2.0","id":1,"result":7}';
        connection.end(`HTTP/1.1 200 OK\r\ncontent-length: ${reply.length}\r\n\r\n${reply}`);
      });
    });
    await nodeClient(socket)
      .node()
      .call("simulate", [parseJson("[18446744073709551615]")]);
    expect(await raw.promise).toContain("[[18446744073709551615]]");
  });

  it("reads compressed answers, and null is a result", async () => {
    const server = await serveNode(({ response }) => {
      response.setHeader("content-encoding", "gzip");
      response.end(gzipSync('{"jsonrpc":"2.0","id":1,"result":null}'));
    });
    expect(await nodeClient(server).node().call("getTransaction", ["x"])).toBeNull();
  });

  it("reports events with the method and without the path, and exchanges", async () => {
    const server = await echo();
    const events: ClientEvent[] = [];
    const exchanges: Exchange[] = [];
    const client = nodeClient(server, {
      onEvent: (event) => events.push(event),
      onExchange: (exchange) => exchanges.push(exchange),
    });
    await client.node().call("getSlot");
    const url = server.url;
    expect(events).toMatchObject([
      { type: "request", method: "POST", rpc: "getSlot", url, attempt: 1 },
      { type: "response", rpc: "getSlot", url, status: 200 },
    ]);
    expect(exchanges).toEqual([{ route: "rpc:getSlot", status: 200, units: 0 }]);
  });

  it("follows a redirect on the same host with its body", async () => {
    const server = await serveNode(({ request, response, answer }) => {
      if (request.url !== "/") return answer(() => ({ result: "here" }));
      response.writeHead(308, { location: "/rpc" }).end();
    });
    expect(await nodeClient(server).node().call("getSlot")).toBe("here");
  });

  it("refuses an answer that is larger than allowed", async () => {
    const server = await serveCalls(() => ({ result: "x".repeat(5000) }));
    const error = await failure(nodeClient(server, { maxBody: 1000 }).node().call("getBlock"));
    expect(error).toMatchObject({ exit: "server", code: "TOO_LARGE" });
  });

  it("ends when its signal fires, without a further attempt", async () => {
    const controller = new AbortController();
    const server = await serveNode(() => controller.abort());
    const client = nodeClient(server);
    const error = await failure(client.node().call("getSlot", [], { signal: controller.signal }));
    expect(error.exit).toBe("interrupted");
    expect(server.received).toHaveLength(1);
    const again = await failure(client.node().call("getSlot", [], { signal: controller.signal }));
    expect(again.exit).toBe("interrupted");
    expect(server.received).toHaveLength(1);
  });

  it("ends when the client is closed", async () => {
    const arrived = Promise.withResolvers<void>();
    const server = await serveNode(() => arrived.resolve());
    const client = nodeClient(server);
    const error = failure(client.node().call("getSlot"));
    await arrived.promise;
    await client.close();
    expect((await error).exit).toBe("interrupted");
  });
});

describe("equal calls at the same time", () => {
  it("are one request, and later ones are not", async () => {
    const server = await echo();
    const node = nodeClient(server).node();
    const results = await Promise.all([
      node.call("getBlock", [5]),
      node.call("getBlock", [5]),
      node.call("getBlock", [6]),
    ]);
    expect(results[0]).toEqual(results[1]);
    expect(server.received).toHaveLength(2);
    await node.call("getBlock", [5]);
    expect(server.received).toHaveLength(3);
  });

  it("are shared with the calls of a batch", async () => {
    const server = await echo();
    const node = nodeClient(server).node();
    const calls = [5, 6, 5].map((slot) => ({ method: "getBlock", params: [slot] }));
    const [many, one] = await Promise.all([node.callMany(calls), node.call("getBlock", [6])]);
    expect(many.map((result) => (result as { params: unknown }).params)).toEqual([[5], [6], [5]]);
    expect(one).toEqual(many[1]);
    expect(server.received.flat()).toHaveLength(2);
  });

  it("do not fail because another caller gave up", async () => {
    const controller = new AbortController();
    const arrived = Promise.withResolvers<void>();
    const server = await serveNode(({ count, answer }) => {
      if (count === 1) arrived.resolve();
      else answer(() => ({ result: "second" }));
    });
    const node = nodeClient(server).node();
    const first = failure(node.call("getSlot", [], { signal: controller.signal }));
    const second = node.call("getSlot");
    await arrived.promise;
    controller.abort();
    expect((await first).exit).toBe("interrupted");
    expect(await second).toBe("second");
  });

  it("let a caller give up while the others wait", async () => {
    const controller = new AbortController();
    const pendingReply = Promise.withResolvers<() => void>();
    const server = await serveNode(({ answer }) => pendingReply.resolve(() => answer(() => ({ result: "late" }))));
    const node = nodeClient(server).node();
    const first = node.call("getSlot");
    const second = failure(node.call("getSlot", [], { signal: controller.signal }));
    const reply = await pendingReply.promise;
    controller.abort();
    expect((await second).exit).toBe("interrupted");
    reply();
    expect(await first).toBe("late");
    expect(server.received).toHaveLength(1);
  });
});

describe("versions of transactions", () => {
  const config = (call: { readonly params: readonly unknown[] }) =>
    call.params[1] as { readonly maxSupportedTransactionVersion: number };
  const call = (slot: number) => ({ method: "getBlock", params: [slot, { maxSupportedTransactionVersion: 1 }] });
  const oldNode = () =>
    serveCalls((received) =>
      config(received).maxSupportedTransactionVersion === 1
        ? { error: { code: -32602, message: "invalid value: integer `1`" } }
        : { result: received.params[0] },
    );

  it("are reduced once for a node that rejects the parameter", async () => {
    const server = await oldNode();
    const node = nodeClient(server).node();
    expect(await node.call("getBlock", call(1).params)).toBe(1);
    expect(await node.call("getBlock", call(2).params)).toBe(2);
    expect(server.received.flat().map((each) => config(each).maxSupportedTransactionVersion)).toEqual([1, 0, 0]);
  });

  it("are reduced in batches, too", async () => {
    const server = await oldNode();
    const node = nodeClient(server).node();
    const calls = [1, 2, 3].map((slot) => ({ ...call(slot), method: "getTransaction" }));
    expect(await node.callMany(calls)).toEqual([1, 2, 3]);
    expect(await node.callMany(calls)).toEqual([1, 2, 3]);
    expect(server.received.at(-1)?.every((each) => config(each).maxSupportedTransactionVersion === 0)).toBe(true);
  });

  it("stay as they are when something else is wrong with the parameters", async () => {
    const server = await serveCalls(({ params }) =>
      params[0] === 1 ? { error: { code: -32602, message: "slot too small" } } : { result: "ok" },
    );
    const node = nodeClient(server).node();
    expect(await failure(node.call("getBlock", call(1).params))).toMatchObject({ exit: "usage", code: -32602 });
    await node.call("getBlock", call(2).params);
    expect(config(server.received.at(-1)?.[0] as never).maxSupportedTransactionVersion).toBe(1);
  });
});

it("a client without a node has none", () => {
  expect(() => nodeClient({ url: "http://127.0.0.1:1" }, { rpc: undefined }).node()).toThrow(/uses no Solana node/);
});
