import type { ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import { AuthError, SolxError } from "../../../src/base/errors.ts";
import { IDLE_QUERY, queryKey } from "../../../src/ui/navigation/data-store.ts";
import { json, refusal, serve, success, USDC, WALLET } from "../../client/servers.ts";
import { waitFor } from "../../support/wait-for.ts";
import { endpoint, settled, until, watch, world } from "./setup.ts";

const META = { endpoint: endpoint("v2-token-meta"), params: { address: USDC } };
const TRANSFERS = { endpoint: endpoint("v2-account-transfer"), params: { address: WALLET } };
const rows = (count: number, from = 0) =>
  Array.from({ length: count }, (_, at) => ({ trans_id: `row-${from + at}`, block_time: 1_700_000_000 - at }));

/** A server that responds only when the test lets it. */
async function slowServer() {
  const waiting: ServerResponse[] = [];
  const gone: number[] = [];
  const server = await serve((request, response, count) => {
    waiting.push(response);
    request.on("close", () => {
      if (!response.writableEnded) gone.push(count);
    });
  });
  const came = (count: number) => waitFor(() => expect(server.requests.length).toBeGreaterThanOrEqual(count));
  return { ...server, waiting, gone, came };
}

describe("watching a query", () => {
  it("sends one request for all listeners, which get the same state", async () => {
    const server = await serve((_request, response) => json(response, success({ symbol: "USDC" })));
    const { data, clock } = world(server);
    expect(data.read(META)).toBe(IDLE_QUERY);
    watch(data, META);
    watch(data, { ...META, params: { address: USDC, unused: undefined } });
    expect(data.read(META).isLoading).toBe(true);
    const entry = await settled(data, META);
    expect(entry).toMatchObject({ answer: { data: { symbol: "USDC" } }, at: clock.now, problem: undefined });
    expect(data.read({ endpoint: META.endpoint, params: { address: USDC } })).toBe(entry);
    expect(server.requests).toHaveLength(1);
  });

  it("sends no request for an answer that is present, and shows its age", async () => {
    const server = await serve((_request, response) => json(response, success({ symbol: "USDC" })));
    const { data, clock } = world(server);
    const first = watch(data, META);
    const { at } = await settled(data, META);
    first.leave();
    clock.advance(3_600_000);
    const second = watch(data, META);
    expect(second.entry()).toMatchObject({ isLoading: false, at, answer: { status: 200 } });
    expect(server.requests).toHaveLength(1);
  });

  it("has the same answer after a refresh that changed nothing, with its new age", async () => {
    let symbol = "USDC";
    const server = await serve((_request, response) => json(response, success({ symbol })));
    const { data, clock } = world(server);
    watch(data, META);
    const { answer } = await settled(data, META);
    clock.advance(60_000);
    data.refresh(META);
    const again = await settled(data, META);
    expect(again.answer).toBe(answer);
    expect(again.at).toBe(clock.now);
    symbol = "USDC 2";
    data.refresh(META);
    expect((await settled(data, META)).answer).toMatchObject({ data: { symbol } });
  });

  it("keeps the rows during a refresh, and never sends two requests at a time", async () => {
    const server = await slowServer();
    const { data } = world(server);
    watch(data, META);
    data.refresh(META);
    await server.came(1);
    json(server.waiting[0] as ServerResponse, success({ symbol: "OLD" }));
    const { answer } = await settled(data, META);
    data.refresh(META);
    data.refresh(META);
    expect(data.read(META)).toMatchObject({ isLoading: true, answer });
    await server.came(2);
    json(server.waiting[1] as ServerResponse, success({ symbol: "NEW" }));
    await until(data, META, ({ isLoading }) => !isLoading);
    expect(data.read(META).answer?.data).toEqual({ symbol: "NEW" });
    expect(server.requests).toHaveLength(2);
  });

  it("notifies listeners of each change and of nothing else", async () => {
    const server = await serve((_request, response) => json(response, success({ symbol: "USDC" })));
    const { data } = world(server);
    const { states, leave } = watch(data, META);
    const entry = await settled(data, META);
    leave();
    data.refresh(META);
    await settled(data, META);
    expect(states.map(({ isLoading }) => isLoading)).toEqual([true, false]);
    expect(states[1]).toBe(entry);
  });
});

describe("unsubscribing", () => {
  it("aborts the request, and sends it again for a new listener", async () => {
    const server = await slowServer();
    const { data } = world(server);
    const { leave } = watch(data, META);
    await server.came(1);
    leave();
    await waitFor(() => expect(server.gone).toEqual([1]));
    expect(data.read(META)).toBe(IDLE_QUERY);
    watch(data, META);
    await server.came(2);
    json(server.waiting[1] as ServerResponse, success({ symbol: "USDC" }));
    expect((await settled(data, META)).answer?.data).toEqual({ symbol: "USDC" });
  });

  it("aborts nothing while there is another listener, or when a listener returns at once", async () => {
    const server = await slowServer();
    const { data } = world(server);
    const [one, other] = [watch(data, META), watch(data, META)];
    await server.came(1);
    one.leave();
    other.leave();
    watch(data, META);
    json(server.waiting[0] as ServerResponse, success({ symbol: "USDC" }));
    expect((await settled(data, META)).answer?.data).toEqual({ symbol: "USDC" });
    expect([server.requests.length, server.gone]).toEqual([1, []]);
  });

  it("ignores late answers", async () => {
    const answers: ((value: never) => void)[] = [];
    const server = await serve((_request, response) => json(response, success({ ok: true })));
    const { data, client } = world(server, {
      services: {
        client: () =>
          Promise.resolve({ ...client, fetch: () => new Promise((resolve) => answers.push(resolve)) } as never),
      },
    });
    watch(data, META);
    await waitFor(() => expect(answers).toHaveLength(1));
    data.cancel(META);
    data.refresh(META);
    await waitFor(() => expect(answers).toHaveLength(2));
    answers[1]?.({ body: "", data: "second", request: {} } as never);
    await settled(data, META);
    answers[0]?.({ body: "", data: "first", request: {} } as never);
    await new Promise((resolve) => setImmediate(resolve));
    expect(data.read(META).answer?.data).toBe("second");
  });

  it("aborts everything when the explorer is closed", async () => {
    const server = await slowServer();
    const { data, clock, listeners } = world(server);
    watch(data, META);
    watch(data, TRANSFERS);
    await server.came(2);
    await data.close();
    await waitFor(() => expect(server.gone).toHaveLength(2));
    expect([clock.count, listeners.size]).toEqual([0, 0]);
  });
});

describe("canceling", () => {
  it("reports it, and keeps an existing answer", async () => {
    const server = await slowServer();
    const { data } = world(server);
    watch(data, META);
    await server.came(1);
    data.cancel(META);
    expect(data.read(META)).toMatchObject({ isLoading: false, problem: { exit: "interrupted" } });
    data.refresh(META);
    await server.came(2);
    json(server.waiting[1] as ServerResponse, success({ symbol: "USDC" }));
    const { answer } = await settled(data, META);
    data.refresh(META);
    await server.came(3);
    data.cancel(META);
    expect(data.read(META)).toMatchObject({ isLoading: false, answer, problem: undefined });
    await waitFor(() => expect(server.gone).toEqual([1, 3]));
  });
});

describe("a changed API key", () => {
  it("retries what failed and what depends on the key; the rest stays", async () => {
    const server = await serve((request, response, count) =>
      count <= 2 && request.url?.includes("holders")
        ? json(response, { success: false, errors: { code: 401, message: "no" } }, 401)
        : json(response, success({ count })),
    );
    const { data } = world(server);
    const holders = { endpoint: endpoint("v2-token-holders"), params: { address: USDC } };
    watch(data, META);
    await settled(data, META);
    watch(data, holders);
    expect((await settled(data, holders)).problem?.exit).toBe("auth");
    const { answer } = data.read(META);
    data.onKeyChanged();
    expect((await settled(data, holders)).problem).toBeUndefined();
    expect(data.read(META).answer).toBe(answer);
    expect(server.requests).toHaveLength(3);
  });
});

describe("a failure", () => {
  it("keeps the old answer with its age until the next success", async () => {
    const server = await serve((_request, response, count) =>
      count === 2 ? json(response, "oops", 500) : json(response, success({ count })),
    );
    const { data, clock } = world(server);
    watch(data, META);
    const { answer, at } = await settled(data, META);
    clock.advance(60_000);
    data.refresh(META);
    const failed = await settled(data, META);
    expect(failed).toMatchObject({ answer, at, problem: { exit: "server" }, retryAt: undefined });
    data.refresh(META);
    expect(await settled(data, META)).toMatchObject({
      answer: { data: { count: 3 } },
      at: clock.now,
      problem: undefined,
    });
  });

  it.each([
    ["a plan that does not include it", 403, refusal(403, "Forbidden"), "permission"],
    ["a thing that is not there", 404, refusal(404, "Not found"), "notFound"],
    ["spent units", 429, refusal(429, "Compute units limit reached"), "quota"],
  ])("permanent failure (%s) is retried only by a refresh", async (_what, status, body, exit) => {
    const server = await serve((_request, response) => json(response, body, status));
    const { data, clock } = world(server);
    const { leave } = watch(data, META);
    expect((await settled(data, META)).problem).toMatchObject({ exit });
    leave();
    watch(data, META);
    clock.advance(86_400_000);
    expect(server.requests).toHaveLength(1);
    data.refresh(META);
    await settled(data, META);
    expect(server.requests).toHaveLength(2);
  });

  it("temporary failure is retried for the next listener", async () => {
    const server = await serve((_request, response, count) =>
      count === 1 ? response.destroy() : json(response, success({ ok: true })),
    );
    const { data } = world(server);
    const { leave } = watch(data, META);
    expect((await settled(data, META)).problem).toMatchObject({ exit: "network" });
    leave();
    watch(data, META);
    expect(await settled(data, META)).toMatchObject({ problem: undefined, answer: { status: 200 } });
  });

  it("without a client is reported as is", async () => {
    const server = await serve((_request, response) => json(response, success({ ok: true })));
    const { data } = world(server, {
      services: { client: () => Promise.reject(new AuthError("There is no API key.")) },
    });
    watch(data, META);
    expect((await settled(data, META)).problem).toMatchObject({ exit: "auth", message: "There is no API key." });
  });

  it('of an object without data is "not found"', async () => {
    const server = await serve((_request, response) => json(response, { success: true, data: null }));
    const { data } = world(server);
    watch(data, META);
    await settled(data, META);
    expect(data.read(META)).toMatchObject({ answer: undefined, problem: { exit: "notFound" } });
  });

  it("of the program itself is shown and logged", async () => {
    const server = await serve((_request, response) => json(response, success({ ok: true })));
    const { data, logged } = world(server, { services: { client: () => Promise.reject(new TypeError("oops")) } });
    watch(data, META);
    const { problem } = await settled(data, META);
    expect(problem).toBeInstanceOf(SolxError);
    expect(problem).toMatchObject({ exit: "unexpected", message: "unexpected error: oops" });
    expect(logged.join()).toContain("oops");
  });

  it("of validation sends no request", async () => {
    const server = await serve((_request, response) => json(response, success({ ok: true })));
    const { data } = world(server);
    const wrong = { endpoint: META.endpoint, params: { address: "nonsense" } };
    watch(data, wrong);
    expect((await settled(data, wrong)).problem).toMatchObject({ exit: "usage" });
    expect(server.requests).toHaveLength(0);
  });
});

describe("pages", () => {
  it("by number: the next page, and whether there is one, from page size and rows", async () => {
    const server = await serve((request, response) => {
      const page = Number(new URL(request.url ?? "", "http://x").searchParams.get("page") ?? 1);
      json(response, success(rows(page === 1 ? 10 : 3, page * 10)));
    });
    const { data } = world(server);
    watch(data, TRANSFERS);
    const first = await settled(data, TRANSFERS);
    expect(first).toMatchObject({ hasMore: undefined, next: { address: WALLET, page: 2 } });
    const second = { ...TRANSFERS, params: first.next ?? {} };
    watch(data, second);
    expect(await settled(data, second)).toMatchObject({ hasMore: false, next: undefined });
    expect(data.read(second).answer?.rows).toHaveLength(3);
  });

  it("by cursor: from the last row", async () => {
    const SIGNATURES = endpoint("v2-account-transactions");
    const request = { endpoint: SIGNATURES, params: { address: WALLET } };
    const hash = "5vwF267YiYngfWBscpx975UM7xsNzEDhqycEsUKmfHtc8CGH5XXqLoYVrGhTyJ4VPCPaQT1XjWghmrH2NAjQ3eTh";
    const server = await serve((_request, response) =>
      json(response, success([...rows(9), { ...rows(1)[0], tx_hash: hash }])),
    );
    const { data } = world(server);
    watch(data, request);
    expect(await settled(data, request)).toMatchObject({ next: { address: WALLET, before: hash } });
  });
});

describe("the key of a query", () => {
  it("is the same for equivalent parameters, and different otherwise", () => {
    const { endpoint: transfers } = TRANSFERS;
    const one = queryKey({ endpoint: transfers, params: { page: 2, address: WALLET, from: undefined } });
    expect(queryKey({ endpoint: transfers, params: { address: WALLET, page: "2" } })).toBe(one);
    expect(queryKey({ endpoint: transfers, params: { address: WALLET, page: 2n } })).toBe(one);
    expect(queryKey({ endpoint: transfers, params: { address: WALLET, page: 3 } })).not.toBe(one);
    expect(queryKey({ endpoint: META.endpoint, params: { address: WALLET, page: 2 } })).not.toBe(one);
    const amounts = (value: unknown) => queryKey({ endpoint: transfers, params: { value } });
    expect(amounts([1, 2])).not.toBe(amounts("1,2"));
  });
});
