import { base58 } from "@scure/base";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { endpointByPath } from "../../../src/catalogue/index.ts";
import type { BatchItem } from "../../../src/client/index.ts";
import type { ConnectedClient } from "../../../src/sources/index.ts";
import { failure, json, refusal, SIGNATURE, serve, success, testClient, USDC, WALLET } from "../servers.ts";

const endpoint = (path: string) => {
  const match = endpointByPath("v2", path);
  if (!match) throw new Error(`No ${path}.`);
  return match;
};
const META = endpoint("/token/meta");
const DETAIL = endpoint("/account/detail");

const idOf = (at: number) =>
  base58.encode(
    new Uint8Array(32)
      .fill(1)
      .with(0, 1 + (at % 250))
      .with(1, 1 + Math.floor(at / 250)),
  );
const ids = (count: number) => Array.from({ length: count }, (_, at) => idOf(at));
const queryOf = (url: string | undefined) => new URL(url ?? "", "http://x").searchParams;

/** A server that knows every token except those in `unknown`. */
function tokens(options: { readonly multi?: number; readonly unknown?: readonly string[] } = {}) {
  return serve((request, response) => {
    const query = queryOf(request.url);
    const many = query.getAll("address[]");
    const isMulti = request.url?.startsWith("/v2.0/token/meta/multi");
    if (isMulti && options.multi) return json(response, refusal(options.multi, "No."), options.multi);
    const known = (isMulti ? many : [query.get("address") ?? ""]).filter((id) => !options.unknown?.includes(id));
    if (!isMulti && known.length === 0) return json(response, refusal(404, "Unknown"), 404);
    const rows = known.map((address) => ({ address })).toReversed();
    return json(response, success(isMulti ? rows : rows[0]));
  });
}

async function collect(
  client: ConnectedClient,
  inputs: readonly string[],
  at = META,
  params = {},
): Promise<BatchItem[]> {
  const items: BatchItem[] = [];
  for await (const item of client.many(at, inputs, params)) items.push(item);
  return items;
}

describe("many identifiers", () => {
  it("are packed, and returned in the order of the input", async () => {
    const server = await tokens();
    const requested = ids(51);
    const items = await collect(testClient(server), requested);
    expect(items.map(({ input }) => input)).toEqual(requested);
    expect(items.map(({ data }) => data)).toEqual(requested.map((address) => ({ address })));
    const sizes = server.requests.map(({ url }) => queryOf(url).getAll("address[]").length);
    expect(sizes.toSorted((a, b) => b - a)).toEqual([20, 20, 11]);
  });

  it("are requested once each, and returned as often as they occur", async () => {
    const server = await tokens();
    const items = await collect(testClient(server), [USDC, WALLET, USDC, ` ${USDC} `]);
    expect(items.map(({ data }) => data)).toEqual([
      { address: USDC },
      { address: WALLET },
      { address: USDC },
      { address: USDC },
    ]);
    expect(server.requests).toHaveLength(1);
    expect(queryOf(server.requests[0]?.url).getAll("address[]")).toEqual([USDC, WALLET]);
  });

  it("are errors of their items when they are invalid, and not sent", async () => {
    const server = await tokens();
    const items = await collect(testClient(server), [USDC, "nonsense", SIGNATURE, WALLET]);
    expect(items.map(({ error }) => error?.exitCode)).toEqual([undefined, 2, 2, undefined]);
    expect(items[2]?.error?.hint).toContain("transaction signature");
    expect(server.requests).toHaveLength(1);
    const alone = await collect(testClient(server), ["nonsense"]);
    expect(alone).toMatchObject([{ input: "nonsense", error: { name: "UsageError" } }]);
    expect(server.requests).toHaveLength(1);
  });

  it("without data are not found, packed or alone", async () => {
    const server = await tokens({ unknown: [WALLET] });
    expect(await collect(testClient(server), [USDC, WALLET])).toMatchObject([
      { data: { address: USDC } },
      { error: { name: "NotFoundError" } },
    ]);
    expect(await collect(testClient(server), [WALLET])).toMatchObject([{ error: { name: "NotFoundError" } }]);
  });

  it.each([403, 400])("are requested one by one when the packed request is refused with %i", async (multi) => {
    const server = await tokens({ multi });
    const items = await collect(testClient(server), ids(25));
    expect(items.map(({ data }) => data)).toEqual(ids(25).map((address) => ({ address })));
    expect(items[0]?.answer?.status).toBe(200);
    const packed = server.requests.filter(({ url }) => url?.includes("/multi"));
    expect(packed.length).toBeLessThanOrEqual(2);
  });

  it("are not packed when there is only one", async () => {
    const server = await tokens();
    await collect(testClient(server), [USDC, USDC]);
    expect(server.requests.map(({ url }) => url)).toEqual([`/v2.0/token/meta?address=${USDC}`]);
  });

  it("are in order without an endpoint that takes many, with limited concurrency", async () => {
    let running = 0;
    let most = 0;
    const server = await serve(async (request, response) => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      json(response, success({ account: queryOf(request.url).get("address") }));
    });
    const items = await collect(testClient(server), ids(40), DETAIL);
    expect(items.map(({ data }) => data)).toEqual(ids(40).map((account) => ({ account })));
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThanOrEqual(16);
  });

  it("are all accounted for, whatever happens", async () => {
    const server = await tokens({ unknown: [idOf(3)] });
    const client = testClient(server);
    const inputs = fc.array(fc.oneof(fc.integer({ min: 0, max: 8 }).map(idOf), fc.constant("nonsense")), {
      maxLength: 60,
    });
    await fc.assert(
      fc.asyncProperty(inputs, async (sequence) => {
        const items = await collect(client, sequence);
        expect(items.map(({ input }) => input)).toEqual(sequence);
        for (const { input, data, error } of items) {
          if (error) expect(error.exit).toBe(input === "nonsense" ? "usage" : "notFound");
          else expect(data).toEqual({ address: input });
        }
      }),
      { numRuns: 25 },
    );
  });
});

describe("a batch", () => {
  it("continues when items fail", async () => {
    const server = await serve((request, response) => {
      const address = queryOf(request.url).get("address");
      return address === WALLET
        ? json(response, refusal(500, "Oops"), 500)
        : json(response, success({ account: address }));
    });
    const items = await collect(testClient(server), [WALLET, USDC], DETAIL);
    expect(items).toMatchObject([{ error: { exitCode: 8 } }, { data: { account: USDC } }]);
  });

  it.each([
    [401, "Token is invalid", 3],
    [403, "Your plan does not allow this", 4],
    [402, "No compute units remaining", 7],
    [429, "Too many requests", 6],
  ])("stops at a failure that concerns all items: %i %s", async (status, message, exitCode) => {
    const server = await serve((_request, response, count) =>
      count <= 3 ? json(response, success({ account: "x" })) : json(response, refusal(status, message), status),
    );
    const seen: BatchItem[] = [];
    const run = async () => {
      for await (const item of testClient(server, { retries: 0 }).many(DETAIL, ids(200))) seen.push(item);
    };
    expect((await failure(run())).exitCode).toBe(exitCode);
    expect(seen.length).toBeLessThan(10);
    expect(server.requests.length).toBeLessThan(30);
  });

  it("returns what was answered before it had to stop, and requests nothing more", async () => {
    const requested = ids(60);
    const server = await serve((request, response) => {
      const isSpent = queryOf(request.url).get("address") === requested[12];
      if (isSpent) return json(response, refusal(402, "Compute units exceeded"), 402);
      return json(response, success({ account: queryOf(request.url).get("address") }));
    });
    const seen: BatchItem[] = [];
    const run = async () => {
      for await (const item of testClient(server).many(DETAIL, [...requested, "nonsense"])) seen.push(item);
    };
    expect(await failure(run())).toMatchObject({ name: "QuotaError", exitCode: 7 });
    expect(seen.slice(0, 12).map(({ input }) => input)).toEqual(requested.slice(0, 12));
    for (const { input, data } of seen) expect(data).toEqual({ account: input });
    expect(server.requests.length).toBeLessThan(30);
  });

  it("returns what was answered one by one when a packed request was refused", async () => {
    const requested = ids(20);
    const server = await serve((request, response) => {
      if (request.url?.includes("/multi")) return json(response, refusal(403, "No."), 403);
      const address = queryOf(request.url).get("address");
      return address === requested[5]
        ? json(response, refusal(401, "Token is invalid"), 401)
        : json(response, success({ address }));
    });
    const seen: BatchItem[] = [];
    const run = async () => {
      for await (const item of testClient(server).many(META, requested)) seen.push(item);
    };
    expect((await failure(run())).exitCode).toBe(3);
    expect(seen.map(({ data }) => data)).toEqual(requested.slice(0, 5).map((address) => ({ address })));
  });

  it.each([null, "text", 7, { a: 1 }, ["a", "b"], [{ other: USDC }]])(
    "does not accept %j as an answer that knows none of them",
    async (data) => {
      const server = await serve((_request, response) => json(response, success(data)));
      const items = await collect(testClient(server), [USDC, WALLET]);
      expect(items).toMatchObject(
        [USDC, WALLET].map((input) => ({ input, error: { code: "MALFORMED", exitCode: 8 } })),
      );
    },
  );

  it("stops when the consumer stops or the signal fires", async () => {
    const server = await serve(({ url }, response) =>
      json(response, success({ account: queryOf(url).get("address") })),
    );
    for await (const item of testClient(server).many(DETAIL, ids(200))) {
      expect(item.data).toEqual({ account: item.input });
      break;
    }
    expect(server.requests.length).toBeLessThan(20);
    const stop = new AbortController();
    const run = async () => {
      for await (const _ of testClient(server).many(DETAIL, ids(200), {}, { signal: stop.signal })) stop.abort();
    };
    expect((await failure(run())).exitCode).toBe(130);
  });

  it("refuses an invalid parameter once, before any request", async () => {
    const server = await tokens();
    const error = await failure(
      collect(testClient(server), [USDC, WALLET], endpoint("/token/holders"), { page_size: 7 }),
    );
    expect(error.message).toContain('"page_size" must be one of');
    expect(server.requests).toHaveLength(0);
    expect(await failure(collect(testClient(server), [USDC], endpoint("/token/trending")))).toMatchObject({
      exitCode: 2,
    });
  });
});
