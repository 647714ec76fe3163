/** Several calls at once: batches where a node accepts them, single calls where it does not. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SolxError } from "../../../../src/base/index.ts";
import { batchCalls } from "../../../../src/sources/node/connection/connection.ts";
import { failure, json } from "../../../client/servers.ts";
import { nodeClient, type ReceivedCall, serveCalls, serveNode } from "./node-server.ts";

const balances = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ method: "getBalance", params: [at] as const }));
const results = (count: number) => Array.from({ length: count }, (_, at) => at);
const reply = ({ id, params }: ReceivedCall) => ({ jsonrpc: "2.0", id, result: params[0] });
const sizes = (received: readonly (readonly unknown[])[]) => received.map(({ length }) => length);

describe("a batch", () => {
  it("is one request, and its replies may be in any order", async () => {
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray([0, 1, 2, 3, 4], { minLength: 5 }), async (order) => {
        const server = await serveNode(({ calls, response }) =>
          json(
            response,
            order.map((at) => reply(calls[at] as ReceivedCall)),
          ),
        );
        expect(await nodeClient(server).node().callMany(balances(5))).toEqual(results(5));
        expect(sizes(server.received)).toEqual([5]);
      }),
      { numRuns: 10 },
    );
  });

  it("fails where one call is answered twice, since either answer may be that of another", async () => {
    const server = await serveNode(({ calls, response }) =>
      json(response, [...calls.map(reply), { ...reply(calls[0] as ReceivedCall), id: calls[1]?.id }]),
    );
    for (const outcome of await nodeClient(server).node().callMany(balances(3)))
      expect(outcome).toMatchObject({ exit: "server", code: "MALFORMED_ANSWER" });
  });

  it.each([2, "2", 1.5, true, [1], { id: 1 }, "x"])("of one call fails where another is answered: %j", async (id) => {
    const server = await serveNode(({ response }) => json(response, { jsonrpc: "2.0", id, result: 7 }));
    await expect(nodeClient(server).node().call("getSlot")).rejects.toMatchObject({ code: "MALFORMED_ANSWER" });
  });

  it("may have replies whose ids are texts", async () => {
    const server = await serveNode(({ calls, isBatch, response }) => {
      const replies = calls.map((call) => ({ ...reply(call), id: String(call.id) }));
      json(response, isBatch ? replies : replies[0]);
    });
    const node = nodeClient(server).node();
    expect(await node.callMany(balances(3))).toEqual(results(3));
    expect(await node.callMany(balances(1))).toEqual(results(1));
    expect(server.received).toHaveLength(2);
  });

  it("of one call is a plain call, and of none is no request", async () => {
    const server = await serveNode(({ isBatch, answer }) => answer(() => ({ result: isBatch })));
    const node = nodeClient(server).node();
    expect(await node.callMany(balances(1))).toEqual([false]);
    expect(await node.callMany([])).toEqual([]);
    expect(server.received).toHaveLength(1);
  });

  it("repeats the calls that were left unanswered", async () => {
    const server = await serveNode(({ count, answer }) =>
      answer(({ params }) => (count === 1 && params[0] === 3 ? undefined : { result: params[0] })),
    );
    expect(await nodeClient(server).node().callMany(balances(5))).toEqual(results(5));
    expect(sizes(server.received)).toEqual([5, 1]);
  });

  it("has an error for each call that failed or is never answered", async () => {
    const server = await serveCalls(({ params }) => {
      if (params[0] === 1) return { error: { code: -32007, message: "Slot 1 was skipped" } };
      return params[0] === 3 ? undefined : { result: params[0] };
    });
    const outcomes = await nodeClient(server, { retries: 0 }).node().callMany(balances(5));
    expect(outcomes[1]).toMatchObject({ exit: "notFound", code: -32007 });
    expect(outcomes[3]).toMatchObject({ exit: "server", code: "UNANSWERED" });
    expect([outcomes[0], outcomes[2], outcomes[4]]).toEqual([0, 2, 4]);
  });

  it("repeats only the calls that may pass", async () => {
    const server = await serveNode(({ count, answer }) =>
      answer(({ params }) =>
        count === 1 && Number(params[0]) % 2 === 1
          ? { error: { code: -32016, message: "Minimum context slot has not been reached" } }
          : { result: params[0] },
      ),
    );
    const client = nodeClient(server);
    expect(await client.node().callMany(balances(6))).toEqual(results(6));
    expect(sizes(server.received)).toEqual([6, 3]);
    expect(client.slept).toEqual([1000]);
  });

  it("that never passes has the errors of its calls", async () => {
    const server = await serveCalls(({ params }) =>
      params[0] === 2 ? { error: { code: -32005, message: "Node is behind" } } : { result: params[0] },
    );
    const [first, , third] = await nodeClient(server, { retries: 2 }).node().callMany(balances(3));
    expect([first, third]).toMatchObject([0, { code: -32005 }]);
    expect(sizes(server.received)).toEqual([3, 1, 1]);
  });

  it("is repeated when there were too many requests", async () => {
    const server = await serveNode(({ count, answer, response }) =>
      count === 1
        ? response.writeHead(429, { "retry-after": "2" }).end()
        : answer((call) => ({ result: call.params[0] })),
    );
    const client = nodeClient(server);
    expect(await client.node().callMany(balances(3))).toEqual(results(3));
    expect(client.paused).toEqual([2000]);
  });

  it("is cancelled with its signal", async () => {
    const controller = new AbortController();
    const server = await serveNode(() => controller.abort());
    const promise = nodeClient(server).node().callMany(balances(3), { signal: controller.signal });
    expect((await failure(promise)).exit).toBe("interrupted");
  });

  it("has a permit for each of its calls", async () => {
    const server = await serveCalls(({ params }) => ({ result: params[0] }));
    const client = nodeClient(server);
    await client.node().callMany(balances(7));
    expect(client.taken).toEqual(new Array(7).fill(0));
  });

  it("keeps its size, whatever the number of calls", async () => {
    const server = await serveCalls(({ params }) => ({ result: params[0] }));
    expect(await nodeClient(server).node().callMany(balances(120))).toEqual(results(120));
    expect(sizes(server.received).toSorted()).toEqual([20, 50, 50]);
  });
});

describe("a node that refuses batches", () => {
  const refusals: readonly (readonly [name: string, status: number, body: string])[] = [
    ["an error in place of the list", 200, '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Invalid"}}'],
    ["a list with one error", 200, '[{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"No batches"}}]'],
    ["a plan without batches", 403, '{"jsonrpc":"2.0","error":{"code":-32403,"message":"upgrade for batches"}}'],
    ["a parser that expects an object", 400, "invalid type: sequence, expected struct Request"],
    ["an object without a result", 200, "{}"],
  ];
  it.each(refusals)("%s is remembered, and calls are sent one by one", async (_, status, body) => {
    const server = await serveNode(({ isBatch, answer, response }) =>
      isBatch ? response.writeHead(status).end(body) : answer(({ params }) => ({ result: params[0] })),
    );
    const node = nodeClient(server).node();
    expect(await node.callMany(balances(4))).toEqual(results(4));
    expect(await node.callMany(balances(3))).toEqual(results(3));
    expect(sizes(server.received)).toEqual([4, 1, 1, 1, 1, 1, 1, 1]);
  });

  it("a busy node is not one of them", async () => {
    const server = await serveNode(({ count, answer, response }) =>
      count === 1
        ? json(response, { jsonrpc: "2.0", id: null, error: { code: -32005, message: "Node is behind" } })
        : answer(({ params }) => ({ result: params[0] })),
    );
    const node = nodeClient(server).node();
    await node.callMany(balances(3));
    expect(sizes(server.received)).toEqual([3, 3]);
  });
});

it("a batch that is too large is halved until it passes, and later ones stay small", async () => {
  const server = await serveNode(({ calls, answer, response }) =>
    calls.length > 3 ? response.writeHead(413).end() : answer(({ params }) => ({ result: params[0] })),
  );
  const node = nodeClient(server).node();
  expect(await node.callMany(balances(16))).toEqual(results(16));
  const first = server.received.length;
  expect(await node.callMany(balances(10))).toEqual(results(10));
  expect(Math.max(...sizes(server.received.slice(first)))).toBeLessThanOrEqual(3);
});

it("a single call that is too large is an error", async () => {
  const server = await serveNode(({ response }) => response.writeHead(413).end());
  const outcomes = await nodeClient(server).node().callMany(balances(4));
  expect(outcomes.map((outcome) => outcome instanceof SolxError && outcome.code)).toEqual(new Array(4).fill(413));
});

describe("sizes of batches", () => {
  const call = fc.oneof(
    fc.record({ method: fc.constantFrom("getBlock", "getTransaction", "getSlot"), params: fc.constant([]) }),
    fc.record({
      method: fc.constant("getMultipleAccounts"),
      params: fc.array(fc.string(), { maxLength: 100 }).map((keys) => [keys]),
    }),
  );

  it("divide calls without losing or reordering any, within the count", () => {
    fc.assert(
      fc.property(fc.array(call), fc.integer({ min: 1, max: 60 }), (calls, count) => {
        const batches = batchCalls(calls, (each) => each, count);
        expect(batches.flat()).toEqual(calls);
        expect(batches.every(({ length }) => length >= 1 && length <= count)).toBe(true);
      }),
    );
  });

  it("have few whole blocks in a batch, and many small answers", () => {
    const many = (method: string, config?: object) =>
      batchCalls(
        Array.from({ length: 40 }, (_, at) => ({ method, params: config ? [at, { ...config }] : [at] })),
        (each) => each,
        50,
      ).length;
    expect(many("getBlock")).toBe(20);
    expect(many("getBlock", { transactionDetails: "none" })).toBe(1);
    expect(many("getTransaction")).toBe(1);
  });
});
