import { describe, expect, it } from "vitest";
import { RateLimitError, ServerError } from "../../../src/base/errors.ts";
import { retryDelay } from "../../../src/ui/data/query.ts";
import { json, NOW, refusal, serve, success, USDC, WALLET } from "../../client/servers.ts";
import { waitFor } from "../../support/wait-for.ts";
import { endpoint, settled, until, watch, world } from "./setup.ts";

const META = { endpoint: endpoint("v2-token-meta"), params: { address: USDC } };
const DETAIL = { endpoint: endpoint("v2-account-detail"), params: { address: WALLET } };
const tooMany = refusal(1429, "Too many requests");

describe("rate limits", () => {
  it("shows until when, and retries then while there are listeners", async () => {
    const server = await serve((_request, response, count) =>
      count === 1 ? json(response, tooMany, 429, { "retry-after": "12" }) : json(response, success({ symbol: "USDC" })),
    );
    const { data, clock } = world(server, { client: { maxWait: 0 } });
    watch(data, META);
    expect(await settled(data, META)).toMatchObject({ retryAt: NOW + 12_000, problem: { exit: "rateLimited" } });
    clock.advance(11_999);
    expect(data.read(META).isLoading).toBe(false);
    clock.advance(1);
    expect(await settled(data, META)).toMatchObject({
      answer: { status: 200 },
      problem: undefined,
      retryAt: undefined,
    });
    expect(server.requests).toHaveLength(2);
  });

  it("is not retried without listeners, and is retried for a new one", async () => {
    const server = await serve((_request, response, count) =>
      count === 1 ? json(response, tooMany, 429, { "retry-after": "12" }) : json(response, success({ ok: true })),
    );
    const { data, clock } = world(server, { client: { maxWait: 0 } });
    const { leave } = watch(data, META);
    await settled(data, META);
    leave();
    await Promise.resolve();
    clock.advance(5000);
    watch(data, META);
    clock.advance(6999);
    expect(server.requests).toHaveLength(1);
    clock.advance(1);
    await until(data, META, ({ answer }) => answer !== undefined);
    expect(server.requests).toHaveLength(2);
  });

  it("is retried at once by r, and not again at the scheduled time", async () => {
    const server = await serve((_request, response, count) =>
      count === 1 ? json(response, tooMany, 429, { "retry-after": "12" }) : json(response, success({ ok: true })),
    );
    const { data, clock } = world(server, { client: { maxWait: 0 } });
    watch(data, META);
    await settled(data, META);
    data.refresh(META);
    await settled(data, META);
    clock.advance(60_000);
    await settled(data, META);
    expect(server.requests).toHaveLength(2);
  });

  it("ends with Esc", async () => {
    const server = await serve((_request, response) => json(response, tooMany, 429, { "retry-after": "12" }));
    const { data, clock } = world(server, { client: { maxWait: 0 } });
    watch(data, META);
    await settled(data, META);
    data.cancel(META);
    expect(data.read(META)).toMatchObject({ retryAt: undefined, problem: { exit: "rateLimited" } });
    clock.advance(60_000);
    expect(server.requests).toHaveLength(1);
  });

  it("is shown while the client waits, in all pending queries and in the quota", async () => {
    const releases: (() => void)[] = [];
    const server = await serve((_request, response, count) =>
      count === 1 ? json(response, tooMany, 429, { "retry-after": "7" }) : json(response, success({ ok: true })),
    );
    const { data, clock } = world(server, {
      client: { retries: 3, sleep: () => new Promise((resolve) => releases.push(resolve)) },
    });
    watch(data, META);
    await until(data, META, ({ retryAt }) => retryAt === NOW + 7000);
    expect(data.read(META).isLoading).toBe(true);
    expect(data.quota().waitingUntil).toBe(NOW + 7000);
    clock.advance(7000);
    expect(data.quota().waitingUntil).toBeUndefined();
    releases[0]?.();
    data.cancel(META);
  });
});

describe("prefetching", () => {
  it("loads the next answer before it is needed", async () => {
    const server = await serve((_request, response) => json(response, success({ symbol: "USDC" })));
    const { data } = world(server);
    data.prefetch(META);
    data.prefetch(META);
    await until(data, META, ({ answer }) => answer !== undefined);
    watch(data, META);
    expect(data.read(META)).toMatchObject({ isLoading: false, answer: { status: 200 } });
    expect(server.requests).toHaveLength(1);
  });

  it("is forgotten when it fails", async () => {
    const server = await serve((_request, response, count) =>
      count === 1 ? json(response, "oops", 500) : json(response, success({ symbol: "USDC" })),
    );
    const { data } = world(server);
    data.prefetch(META);
    await waitFor(() => expect(server.requests).toHaveLength(1));
    await until(data, META, ({ isLoading }) => !isLoading);
    watch(data, META);
    expect((await settled(data, META)).answer?.data).toEqual({ symbol: "USDC" });
  });

  it("stops when half of the requests of the window are used", async () => {
    const server = await serve((_request, response) => json(response, success({ ok: true })));
    const { data } = world(server, { client: { rate: { requests: 4, seconds: 60 } } });
    watch(data, META);
    await settled(data, META);
    data.refresh(META);
    await settled(data, META);
    await waitFor(() => expect(data.quota().requests).toEqual({ remaining: 2, limit: 4 }));
    data.prefetch(DETAIL);
    expect(data.read(DETAIL).isLoading).toBe(false);
    expect(server.requests).toHaveLength(2);
  });

  it("is not done for exports, which are limited to one a minute", async () => {
    const server = await serve((_request, response) => json(response, success({ ok: true })));
    const { data } = world(server);
    const request = { endpoint: endpoint("v2-account-transfer-export"), params: { address: WALLET } };
    data.prefetch(request);
    expect(data.read(request).isLoading).toBe(false);
  });
});

describe("the delay before a retry", () => {
  const limited = (retryAfter?: number) => new RateLimitError("x", retryAfter === undefined ? {} : { retryAfter });

  it("is at least the Retry-After, grows each time, and is limited in number", () => {
    const delays = [1, 2, 3, 4, 5, 6, 7].map((failures) => retryDelay(limited(10), failures));
    expect(delays).toEqual([10_000, 20_000, 40_000, 80_000, 160_000, 320_000, undefined]);
    expect(retryDelay(limited(7200), 1)).toBe(7_200_000);
    expect([retryDelay(limited(0), 1), retryDelay(limited(), 1)]).toEqual([1000, 15_000]);
  });

  it("is undefined for a failure without Retry-After", () => {
    expect(retryDelay(new ServerError("x", { retryable: true }), 1)).toBeUndefined();
    expect(retryDelay(new ServerError("x", { retryable: true, retryAfter: 5 }), 1)).toBe(5000);
  });
});
