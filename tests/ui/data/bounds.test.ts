import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { startRefreshing } from "../../../src/ui/data/live.ts";
import { costOfUrl } from "../../../src/ui/data/quota.ts";
import { IDLE_QUERY } from "../../../src/ui/navigation/data-store.ts";
import { createKeyMap } from "../../../src/ui/navigation/keys/keymap.ts";
import { json, NOW, serve, success, USDC, WALLET } from "../../client/servers.ts";
import { createTempFolder } from "../../support/solx.ts";
import { waitFor } from "../../support/wait-for.ts";
import { fakeServices } from "../support.tsx";
import { endpoint, settled, until, watch, world } from "./setup.ts";

const META = { endpoint: endpoint("v2-token-meta"), params: { address: USDC } };
const DETAIL = { endpoint: endpoint("v2-account-detail"), params: { address: WALLET } };
const transfers = (page: number) => ({ endpoint: endpoint("v2-account-transfer"), params: { address: WALLET, page } });

describe("caching", () => {
  it("is bounded in number: evicts the least recently used entries without listeners", async () => {
    const server = await serve(({ url }, response) =>
      json(response, success(url?.includes("/transfer") ? [{ trans_id: "x" }] : { symbol: "USDC" })),
    );
    const { data } = world(server, { bounds: { entries: 3, bytes: 1e9 } });
    watch(data, META);
    await settled(data, META);
    for (let page = 1; page <= 6; page += 1) {
      const { leave } = watch(data, transfers(page));
      await settled(data, transfers(page));
      leave();
    }
    expect(data.read(META).answer).toBeDefined();
    const cached = [1, 2, 3, 4, 5, 6].filter((page) => data.read(transfers(page)) !== IDLE_QUERY);
    expect(cached).toEqual([5, 6]);
  });

  it("is bounded in bytes", async () => {
    const server = await serve((_request, response) => json(response, success([{ text: "x".repeat(10_000) }])));
    const { data } = world(server, { bounds: { entries: 100, bytes: 200_000 } });
    for (let page = 1; page <= 9; page += 1) {
      const { leave } = watch(data, transfers(page));
      await settled(data, transfers(page));
      leave();
    }
    expect(data.read(transfers(9)).answer).toBeDefined();
    expect(data.read(transfers(1))).toBe(IDLE_QUERY);
  });
});

describe("session usage", () => {
  it("counts sent requests and their units, but not answers from the cache", async () => {
    const server = await serve((_request, response) => json(response, success({ symbol: "USDC" })));
    const file = join(createTempFolder(), "cache", "answers.sqlite");
    const cache = { file, local: true, now: () => NOW };
    const first = world(server, { client: { cache } });
    watch(first.data, META);
    await settled(first.data, META);
    expect(first.data.sessionUsage()).toEqual({ requests: 1, units: 100 });
    await first.client.close();
    expect(existsSync(file)).toBe(true);
    const second = world(server, { client: { cache: { ...cache, now: () => NOW + 61_000 } } });
    watch(second.data, META);
    expect(await settled(second.data, META)).toMatchObject({ at: NOW - 61_000 });
    expect(second.data.sessionUsage()).toEqual({ requests: 0, units: 0 });
    expect(server.requests).toHaveLength(1);
  });

  it("sends a request for each refresh: r bypasses the cache", async () => {
    const server = await serve((_request, response, count) => json(response, success({ count })));
    const cache = { file: join(createTempFolder(), "cache", "answers.sqlite"), local: true, now: () => NOW };
    const { data } = world(server, { client: { cache } });
    watch(data, META);
    await settled(data, META);
    data.refresh(META);
    await settled(data, META);
    expect(data.read(META).answer?.data).toEqual({ count: 2 });
    expect(data.sessionUsage()).toEqual({ requests: 2, units: 200 });
  });

  it("counts failed requests, which cost no units, and notifies listeners", async () => {
    const server = await serve((_request, response) => json(response, "oops", 500));
    const { data } = world(server);
    const calls = vi.fn();
    data.subscribe(calls);
    const before = data.sessionUsage();
    watch(data, META);
    await settled(data, META);
    expect(data.sessionUsage()).toEqual({ requests: 1, units: 0 });
    expect(data.sessionUsage()).toBe(data.sessionUsage());
    expect(data.sessionUsage()).not.toBe(before);
    expect(calls).toHaveBeenCalled();
  });

  it.each([
    ["https://pro-api.solscan.io/v2.0/token/meta?address=x", 100],
    ["https://pro-api.solscan.io/v2.0/token/meta/multi?address[]=x&address[]=y&address[]=z", 300],
    ["https://pro-api.solscan.io/v1.0/market/token/abc", 10],
    ["http://127.0.0.1:8787/base/v2.0/account/detail?address=x", 100],
    ["https://public-api.solscan.io/chaininfo", 0],
    ["https://pro-api.solscan.io/v2.0/brand/new", 100],
    ["nonsense", 0],
  ])("costs by URL: %s", (url, units) => {
    expect(costOfUrl(url)).toBe(units);
  });
});

describe("the quota", () => {
  it("is unknown before the first request, and never empty without knowledge", async () => {
    const server = await serve((_request, response) => json(response, success({ ok: true })));
    const { data } = world(server);
    expect(data.quota()).toEqual({ requests: undefined, units: undefined, waitingUntil: undefined });
    watch(data, META);
    await settled(data, META);
    expect(data.quota()).toBe(data.quota());
    expect(data.quota()).toEqual({ requests: undefined, units: undefined, waitingUntil: undefined });
  });

  it("counts requests down, and up again after the window", async () => {
    const server = await serve((_request, response) => json(response, success({ ok: true })));
    const { data, clock } = world(server, { client: { rate: { requests: 10, seconds: 60 } } });
    watch(data, META);
    await waitFor(() => expect(data.quota().requests).toEqual({ remaining: 9, limit: 10 }));
    clock.advance(60_000);
    expect(data.quota().requests).toEqual({ remaining: 10, limit: 10 });
  });

  it("requests the units of the key once, after the first page, and counts down from there", async () => {
    const seen: string[] = [];
    const server = await serve((request, response) => {
      seen.push((request.url ?? "").replace(/\?.*/, ""));
      json(
        response,
        success(request.url?.includes("usage") ? { remaining_cus: 5000, usage_cus: 15_000 } : { ok: true }),
      );
    });
    const { data, clock } = world(server, { identity: { hasKey: true } });
    watch(data, META);
    await waitFor(() => expect(data.quota().units).toEqual({ remaining: 5000, limit: 20_000, at: NOW }));
    watch(data, DETAIL);
    await settled(data, DETAIL);
    expect(data.quota().units?.remaining).toBe(4900);
    expect(seen).toEqual(["/v2.0/token/meta", "/v2.0/monitor/usage", "/v2.0/account/detail"]);
    clock.advance(600_000);
    data.refresh(META);
    await waitFor(() => expect(data.quota().units?.at).toBe(NOW + 600_000));
    expect(seen.slice(3)).toEqual(["/v2.0/token/meta", "/v2.0/monitor/usage"]);
  });

  it("sends no request without a key, and uses the answers of pages", async () => {
    const server = await serve((_request, response) => json(response, success({ remaining_cus: 42, usage_cus: 8 })));
    const { data } = world(server);
    const usage = { endpoint: endpoint("v2-monitor-usage"), params: {} };
    watch(data, META);
    await settled(data, META);
    expect(data.quota().units).toBeUndefined();
    watch(data, usage);
    await settled(data, usage);
    expect(data.quota().units).toEqual({ remaining: 42, limit: 50, at: NOW });
    expect(server.requests).toHaveLength(2);
  });

  it("stays unknown when the API does not report it", async () => {
    const server = await serve((_request, response) => json(response, success({ ok: true })));
    const { data } = world(server, { identity: { hasKey: true } });
    watch(data, META);
    await waitFor(() => expect(server.requests).toHaveLength(2));
    await waitFor(() => expect(data.sessionUsage().units).toBe(200));
    expect(data.quota().units).toBeUndefined();
  });
});

describe("an hour of automatic refresh", () => {
  it("has one entry and one timer, and refreshes as often as displayed", async () => {
    const server = await serve((_request, response, count) => json(response, success([{ trans_id: `row-${count}` }])));
    const { data, clock, services } = world(server);
    const request = transfers(1);
    data.watch(request, () => {});
    await settled(data, request);
    const keys = createKeyMap();
    const stop = startRefreshing(
      { services: { ...services, source: fakeServices().source }, data, keys },
      [{ ...request, everyMs: 30_000 }],
      clock,
      () => {},
    );
    for (let watch = 1; watch <= 120; watch += 1) {
      keys.reportInput();
      clock.advance(30_000);
      await until(
        data,
        request,
        ({ answer, isLoading }) => !isLoading && answer?.body.includes(`row-${watch + 1}`) === true,
      );
    }
    expect(server.requests).toHaveLength(121);
    expect(clock.count).toBe(1);
    stop();
    expect(clock.count).toBe(0);
  });
});
