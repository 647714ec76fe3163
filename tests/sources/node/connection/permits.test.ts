/** How many calls a node gets in a time. */

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createRateLimiter } from "../../../../src/sources/api/rate-limit/limiter.ts";
import { NodePermits } from "../../../../src/sources/node/connection/exchange.ts";
import { resolveNode } from "../../../../src/sources/node/index.ts";
import { nodeClient, serveCalls } from "./node-server.ts";

describe("the limits of a node", () => {
  it.each(["mainnet", "mainnet-beta", "devnet", "testnet", "https://api.devnet.solana.com/"])(
    "are those of the public nodes for %s",
    (url) => {
      expect(resolveNode({ url })).toMatchObject({
        rate: { requests: 100, seconds: 10 },
        methodRate: { requests: 40, seconds: 10 },
        isLocal: false,
      });
    },
  );

  it.each(["localnet", "localhost", "http://127.0.0.1:8899", "https://example.quiknode.pro/key123456/"])(
    "are none for %s",
    (url) => expect(resolveNode({ url })).toMatchObject({ rate: undefined, methodRate: undefined }),
  );

  it("are the given ones, or none", () => {
    const rate = { requests: 5, seconds: 1 };
    expect(resolveNode({ url: "mainnet", rate })).toMatchObject({ rate, methodRate: undefined });
    expect(resolveNode({ url: "mainnet", rate: "off" })).toMatchObject({ rate: undefined, methodRate: undefined });
  });

  it("name the local validator and the public nodes", () => {
    expect(resolveNode({ url: "localnet" }).url.href).toBe("http://127.0.0.1:8899/");
    expect(resolveNode({ url: "LOCALHOST" }).url.href).toBe("http://127.0.0.1:8899/");
    expect(resolveNode({ url: "mainnet-beta" }).url.href).toBe("https://api.mainnet-beta.solana.com/");
  });
});

describe("permits", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  /** The window is a thousandth and a millisecond longer than the node's. */
  const WINDOW = 10_011;

  /** Acquires permits whose answers arrive at once; records the times by method. */
  function start(methods: readonly string[], rates = { total: 100, each: 40 }) {
    const limiter = createRateLimiter({ rate: { requests: rates.total, seconds: 10 } });
    const permits = new NodePermits(limiter, { requests: rates.each, seconds: 10 });
    const times = new Map<string, number[]>();
    const begin = Date.now();
    for (const method of methods) {
      void permits.acquire([method], {}).then((release) => {
        times.set(method, [...(times.get(method) ?? []), Date.now() - begin]);
        release();
      });
    }
    return times;
  }

  it("are limited for one method, while others continue", async () => {
    const times = start([...new Array(60).fill("getTransaction"), ...new Array(30).fill("getBlock")]);
    await vi.advanceTimersByTimeAsync(100);
    expect(times.get("getTransaction")).toHaveLength(40);
    expect(times.get("getBlock")).toHaveLength(30);
    await vi.advanceTimersByTimeAsync(WINDOW + 1000);
    expect(times.get("getTransaction")).toHaveLength(60);
  });

  it("are limited for all methods together", async () => {
    const times = start(["a", "b", "c", "d"].flatMap((method) => new Array(30).fill(method)));
    await vi.advanceTimersByTimeAsync(100);
    expect([...times.values()].flat()).toHaveLength(100);
    await vi.advanceTimersByTimeAsync(WINDOW + 1000);
    expect([...times.values()].flat()).toHaveLength(120);
  });

  it("of concurrent batches are all granted in the end", async () => {
    const limiter = createRateLimiter({ rate: { requests: 10, seconds: 10 } });
    const permits = new NodePermits(limiter, undefined);
    let granted = 0;
    for (let batch = 0; batch < 4; batch++) {
      void permits.acquire(new Array(7).fill("getTransaction"), {}).then((release) => {
        granted += 1;
        release();
      });
    }
    await vi.advanceTimersByTimeAsync(4 * WINDOW);
    expect(granted).toBe(4);
  });

  it("end with the signal, and those that were granted are given back", async () => {
    const limiter = createRateLimiter({ rate: { requests: 2, seconds: 10 } });
    const permits = new NodePermits(limiter, { requests: 2, seconds: 10 });
    const controller = new AbortController();
    const outcome = permits.acquire(["a", "a", "a"], { signal: controller.signal }).catch((error) => error);
    await vi.advanceTimersByTimeAsync(50);
    controller.abort();
    expect(await outcome).toMatchObject({ exit: "interrupted" });
  });
});

it("a batch is not larger than half of what a node accepts", async () => {
  const server = await serveCalls(({ params }) => ({ result: params[0] }));
  const client = nodeClient(server, { rpc: { url: server.url, rate: { requests: 10, seconds: 1 } } });
  await client.node().callMany(Array.from({ length: 12 }, (_, at) => ({ method: "getBalance", params: [at] })));
  expect(server.received.map(({ length }) => length).toSorted()).toEqual([2, 5, 5]);
});

it("without waiting, a call that exceeds the limit is an error", async () => {
  const server = await serveCalls(() => ({ result: 1 }));
  const rpc = { url: server.url, rate: { requests: 1, seconds: 60 } };
  const client = nodeClient(server, { rpc, wait: false, rateLimiter: undefined });
  await client.node().call("getSlot");
  await expect(client.node().call("getBlockHeight")).rejects.toMatchObject({ exit: "rateLimited", code: "RATE" });
  expect(client.rateLimiter()?.remaining()).toMatchObject({ requests: 0, of: 1 });
});
