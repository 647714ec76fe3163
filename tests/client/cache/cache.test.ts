import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { NetworkError } from "../../../src/base/errors.ts";
import { openDatabase } from "../../../src/base/sqlite.ts";
import { CACHE_KINDS } from "../../../src/catalogue/constants.ts";
import type { Endpoint } from "../../../src/catalogue/endpoint.ts";
import { endpointByRoute, endpoints } from "../../../src/catalogue/index.ts";
import {
  AnswerStore,
  type CachedAnswer,
  clearCachedAnswers,
  readCacheStats,
} from "../../../src/client/cache/answer-store.ts";
import type { CacheOptions, ClientEvent } from "../../../src/client/index.ts";
import type { ClientOptions } from "../../../src/sources/index.ts";
import { createTempFolder } from "../../support/solx.ts";
import { failure, json, KEY, NOW, refusal, SIGNATURE, serve, success, testClient, USDC, WALLET } from "../servers.ts";

const newFile = () => join(createTempFolder(), "cache", "answers.sqlite");
const META = { address: USDC, symbol: "USDC", supply: 7521286762876240123n };
const metaBody = JSON.stringify(success({ ...META, supply: "@" })).replace('"@"', String(META.supply));

/** The endpoint of a route. */
function endpoint(route: string): Endpoint {
  const match = endpointByRoute(route);
  if (!match) throw new Error(`There is no ${route}.`);
  return match;
}

/** A server that counts requests, and clients that share a file and a clock. */
async function setup(body: (count: number, url: string) => unknown = () => metaBody, status = 200) {
  const server = await serve((request, response, count) => json(response, body(count, request.url ?? ""), status));
  const file = newFile();
  const clock = { now: NOW };
  const client = (cache: Partial<CacheOptions> = {}, options: ClientOptions = {}) =>
    testClient(server, {
      retries: 0,
      now: () => NOW,
      cache: { file, local: true, now: () => clock.now, ...cache },
      ...options,
    });
  return { server, file, clock, client };
}

describe("a cached answer", () => {
  it("is returned to another client without a request, equal in everything but its age", async () => {
    const { server, client, clock } = await setup();
    const [first, second] = [client(), client()];
    const answer = await first.token.meta({ address: USDC }).answer();
    await first.close();
    clock.now += 61_000;
    const again = await second.token.meta({ address: USDC }).answer();
    expect(server.requests).toHaveLength(1);
    expect(answer).not.toHaveProperty("age");
    expect(again).toEqual({ ...answer, age: 61 });
    expect(again.body).toBe(metaBody);
    expect(second.taken).toEqual([]);
  });

  it("is found by the client that stored it before it is written", async () => {
    const { server, client, file } = await setup();
    const one = client();
    await one.token.meta({ address: USDC });
    await one.token.meta({ address: USDC });
    expect([server.requests.length, existsSync(file)]).toEqual([1, false]);
  });

  it("is reported with its age, never as a request", async () => {
    const { client, clock } = await setup();
    const events: ClientEvent[] = [];
    const one = client({}, { onEvent: (event) => events.push(event) });
    await one.token.meta({ address: USDC });
    clock.now += 5000;
    events.length = 0;
    await one.token.meta({ address: USDC });
    expect(events).toEqual([{ type: "cached", url: expect.stringContaining("/token/meta?address="), age: 5 }]);
  });

  it("is not used for another parameter, key or server, or without the key", async () => {
    const { server, file, client } = await setup((_, url) =>
      metaBody.replace(USDC, url.includes(USDC) ? USDC : WALLET),
    );
    const other = await serve((_request, response) => json(response, metaBody));
    const one = client();
    await one.token.meta({ address: USDC });
    await one.close();
    await client().token.meta({ address: WALLET });
    await client({}, { key: "another-key-0123456789" }).token.meta({ address: USDC });
    await client({}, { key: undefined }).token.meta({ address: USDC });
    await testClient(other, { cache: { file, local: true, now: () => NOW } }).token.meta({ address: USDC });
    expect([server.requests.length, other.requests.length]).toEqual([4, 1]);
  });

  it("is compressed in the file when it is large, without any loss", async () => {
    const large = JSON.stringify(success({ ...META, supply: "1", note: "ünïcödé €😀".repeat(5000) }));
    const { server, file, client } = await setup(() => large);
    const one = client();
    await one.token.meta({ address: USDC });
    await one.close();
    expect(statSync(file).size).toBeLessThan(large.length);
    expect((await client().token.meta({ address: USDC }).answer()).body).toBe(large);
    expect(server.requests).toHaveLength(1);
  });

  it.each([
    ["token metadata", 300, "v2-token-meta", { address: USDC }],
    ["a ranking by price", 15, "v2-token-trending", {}],
  ] as const)("is requested again when it is %s and %d seconds old", async (_what, seconds, route, params) => {
    const { server, client, clock } = await setup(() =>
      success(route === "v2-token-meta" ? { address: USDC } : [{ address: USDC }]),
    );
    const one = client();
    await one.fetch(endpoint(route), params);
    clock.now += seconds * 1000 - 1;
    await one.fetch(endpoint(route), params);
    expect(server.requests).toHaveLength(1);
    clock.now += 1;
    await one.fetch(endpoint(route), params);
    expect(server.requests).toHaveLength(2);
  });

  it("is bypassed and replaced with fresh", async () => {
    const { server, client } = await setup((count) => success({ ...META, supply: count }));
    const one = client();
    const request = () => one.token.meta({ address: USDC }).answer();
    await request();
    const fresh = await one.fetch(endpoint("v2-token-meta"), { address: USDC }, { fresh: true });
    expect([fresh.data, fresh.age]).toEqual([{ ...META, supply: 2 }, undefined]);
    expect((await request()).data).toEqual(fresh.data);
    expect(server.requests).toHaveLength(2);
  });

  it("is not used when the clock was set back since", async () => {
    const { server, client, clock } = await setup();
    const one = client();
    await one.token.meta({ address: USDC });
    clock.now -= 1000;
    await one.token.meta({ address: USDC });
    expect(server.requests).toHaveLength(2);
  });

  it.each(["v2-account-detail", "v2-account-transfer", "v2-account-portfolio"])(
    "of %s is never fresh",
    async (route) => {
      const { server, client } = await setup(() => success({ address: WALLET }));
      const one = client();
      await one.fetch(endpoint(route), { address: WALLET });
      await one.fetch(endpoint(route), { address: WALLET });
      expect(server.requests).toHaveLength(2);
    },
  );

  it("is validated like any other with strict", async () => {
    const { client, server } = await setup(() => success({ address: USDC, name: 5 }));
    const [one, strict] = [client(), client({}, { strict: true })];
    await one.token.meta({ address: USDC });
    await one.close();
    expect(await failure(strict.token.meta({ address: USDC }))).toMatchObject({ code: "DRIFT" });
    expect(server.requests).toHaveLength(1);
  });
});

const transaction = (more: object) => ({ tx_hash: SIGNATURE, block_id: 1, ...more });
const seconds = (milliseconds: number) => Math.floor(milliseconds / 1000);

describe("what the chain can no longer change", () => {
  const old = seconds(NOW) - 601;
  const young = seconds(NOW) - 599;
  const cases = [
    ["a finalized transaction", "v2-transaction-detail", { tx: SIGNATURE }, { tx_status: "finalized" }, true],
    [
      "one that is only confirmed",
      "v2-transaction-detail",
      { tx: SIGNATURE },
      { tx_status: "confirmed", confirmations: null },
      false,
    ],
    ["one that says nothing of it", "v2-transaction-actions", { tx: SIGNATURE }, { block_time: young }, false],
    ["an old one", "v2-transaction-actions", { tx: SIGNATURE }, { block_time: old }, true],
    [
      "a legacy transaction without confirmations to come",
      "transaction-detail",
      { signature: SIGNATURE },
      { confirmations: null },
      true,
    ],
    ["one with confirmations to come", "transaction-detail", { signature: SIGNATURE }, { confirmations: 12 }, false],
    ["an old block", "v2-block-detail", { block: 5 }, { block_time: old }, true],
    ["a young block", "v2-block-detail", { block: 5 }, { block_time: young }, false],
    ["a block without a time", "v2-block-detail", { block: 5 }, { block_time: null }, false],
    ["an old legacy block", "block-detail", { block: 5 }, { currentSlot: 5, result: { blockTime: old } }, true],
    ["a slot without a block", "block-detail", { block: 5 }, { currentSlot: 5, result: { code: -32_004 } }, false],
  ] as const;

  it.each(cases)("%s", async (_what, route, params, data, isFinal) => {
    const { server, client, clock } = await setup(() => success(transaction(data)));
    const one = client();
    await one.fetch(endpoint(route), params);
    // The chain's clock stands still; only that of the cache advances.
    clock.now += 29 * 86_400_000;
    await one.fetch(endpoint(route), params);
    expect(server.requests).toHaveLength(isFinal ? 1 : 2);
    clock.now += 2 * 86_400_000;
    await one.fetch(endpoint(route), params);
    expect(server.requests.length).toBe(isFinal ? 2 : 3);
  });

  it("includes a page of a block's transactions, also in bulk, unless it is empty", async () => {
    const rows = (block: string) => (block === "5" ? [{ ...transaction({ block_time: old }) }] : []);
    const { server, client } = await setup((_count, url) =>
      success({ total: 1, transactions: rows(new URL(url, "http://x").searchParams.get("block") ?? "") }),
    );
    const one = client();
    for (const block of [5, 5, 6, 6]) {
      await one.fetch(endpoint("v2-block-transactions"), { block }, { priority: "background" });
    }
    expect(server.requests).toHaveLength(3);
  });

  it("includes a multi answer only when it is complete", async () => {
    const other = SIGNATURE.replace("5vw", "4vw");
    const { server, client } = await setup((count) =>
      success(
        count === 1
          ? [transaction({ tx_status: "finalized" })]
          : [transaction({ block_time: old }), transaction({ block_time: old })],
      ),
    );
    const one = client();
    for (let round = 0; round < 3; round += 1) {
      await one.fetch(endpoint("v2-transaction-detail-multi"), { tx: [SIGNATURE, other] }, { priority: "background" });
    }
    expect(server.requests).toHaveLength(2);
  });
});

describe("what is never cached", () => {
  it.each([
    ["a refusal under status 200", refusal(1100, "no"), 200],
    ["a page of HTML", "<!doctype html><title>Sign in</title>", 200],
    ["half an answer", metaBody.slice(0, -5), 200],
    ["an answer that is empty", "", 200],
    ["a 404", refusal(404, "Token not found"), 404],
    ["a 500", refusal(500, "Oops"), 500],
  ])("%s", async (_what, body, status) => {
    const { client, file } = await setup(() => body, status);
    const one = client();
    await failure(one.token.meta({ address: USDC }));
    await one.close();
    expect(existsSync(file)).toBe(false);
    expect(await failure(client({ mode: "offline" }).token.meta({ address: USDC }))).toMatchObject({ code: "OFFLINE" });
  });

  it("usage of a key, exports, and bodies as bytes", async () => {
    const { client, file } = await setup((_count, url) =>
      url.includes("export") ? "Signature,Time\nabc,2024-07-05" : success({ remaining_cus: 1 }),
    );
    const one = client();
    await one.fetch(endpoint("v2-monitor-usage"));
    await one.request("/v2.0/monitor/usage");
    await one.fetch(endpoint("v2-account-transfer-export"), { address: WALLET });
    await one.request("/token/meta", { raw: true });
    await one.close();
    expect(existsSync(file)).toBe(false);
  });

  it("answers with the key, which no byte of the file contains", async () => {
    const { client, file, server } = await setup((count) =>
      count === 1 ? success({ ...META, supply: "1", note: KEY }) : metaBody,
    );
    const one = client();
    await one.token.meta({ address: USDC });
    await one.token.meta({ address: USDC });
    await one.request(`/account/metadata?address=${KEY}`);
    await one.close();
    expect(server.requests).toHaveLength(3);
    const bytes = readFileSync(file, "latin1");
    expect(bytes).toContain("7521286762876240123");
    expect(bytes).not.toContain(KEY);
    expect(bytes).not.toContain(Buffer.from(KEY).toString("base64").slice(0, 20));
  });

  it("pages of lists that change, read in bulk, which do not use cached ones either", async () => {
    const { server, client, file } = await setup((_count, url) =>
      success(url.includes("/detail") ? { address: USDC } : [{ address: USDC }]),
    );
    const one = client();
    await one.fetch(endpoint("v2-nft-collection-lists"), {}, { priority: "background" });
    await one.fetch(endpoint("v2-account-transfer"), { address: WALLET }, { priority: "background" });
    await one.fetch(endpoint("v2-account-detail"), { address: WALLET }, { priority: "background" });
    await one.close();
    expect(existsSync(file)).toBe(false);
    const two = client();
    await two.fetch(endpoint("v2-token-list"));
    await two.fetch(endpoint("v2-token-list"), {}, { priority: "background" });
    expect(server.requests).toHaveLength(5);
    await two.fetch(endpoint("v2-token-list"));
    expect(server.requests).toHaveLength(5);
  });

  it("cookies", async () => {
    const server = await serve((_request, response) =>
      json(response, metaBody, 200, { "set-cookie": "session=secret" }),
    );
    const file = newFile();
    const one = testClient(server, { cache: { file, local: true } });
    await one.token.meta({ address: USDC });
    expect((await one.token.meta({ address: USDC }).answer()).headers).not.toHaveProperty("set-cookie");
    await one.close();
    expect(readFileSync(file, "latin1")).not.toContain("session=secret");
  });
});

describe("metadata in bulk", () => {
  it("costs nothing the second time, while it is fresh", async () => {
    const addresses = Array.from({ length: 400 }, (_, at) =>
      `${"1".repeat(29)}${String(at).padStart(3, "2")}`.replaceAll("0", "z"),
    );
    const { server, client } = await setup((_count, url) => {
      const { pathname, searchParams } = new URL(url, "http://x");
      const rows = [...searchParams.getAll("address[]"), ...(searchParams.get("address") ?? "").split(",")]
        .filter(Boolean)
        .map((address) => ({ account_address: address, account_label: "x" }));
      return success(pathname.includes("/multi") ? rows : (rows[0] as object));
    });
    const run = async () => {
      const one = client();
      const items: unknown[] = [];
      for await (const item of one.many(endpoint("v2-account-metadata"), addresses)) items.push(item);
      await one.close();
      return items.length;
    };
    expect(await run()).toBe(400);
    const first = server.requests.length;
    expect(first).toBeLessThanOrEqual(20);
    expect(await run()).toBe(400);
    expect(server.requests).toHaveLength(first);
  });
});

describe("modes", () => {
  it("refresh requests again and stores the answer", async () => {
    const { server, client } = await setup((count) => success({ address: USDC, count }));
    const one = client();
    await one.token.meta({ address: USDC });
    await one.close();
    const two = client({ mode: "refresh" });
    expect(await two.token.meta({ address: USDC })).toMatchObject({ count: 2 });
    await two.close();
    expect(await client().token.meta({ address: USDC })).toMatchObject({ count: 2 });
    expect(server.requests).toHaveLength(2);
  });

  it("offline returns what is cached, up to thirty days old, and sends nothing", async () => {
    const { server, client, clock } = await setup(() => success([]));
    const one = client();
    await one.fetch(endpoint("v2-account-transfer"), { address: WALLET });
    await one.close();
    const offline = client({ mode: "offline" });
    clock.now += 29 * 86_400_000;
    expect(await offline.fetch(endpoint("v2-account-transfer"), { address: WALLET })).toMatchObject({
      age: 29 * 86_400,
    });
    clock.now += 2 * 86_400_000;
    const late = await failure(offline.fetch(endpoint("v2-account-transfer"), { address: WALLET }));
    const never = await failure(offline.fetch(endpoint("v2-monitor-usage")));
    expect(late).toMatchObject({ name: "NetworkError", code: "OFFLINE", exitCode: 9, retryable: false });
    expect(never.message).toMatch(/never cached/);
    expect(server.requests).toHaveLength(1);
  });

  it("a server on this machine is requested each time, unless the cache may be used for it", async () => {
    const { server, client } = await setup();
    const one = client({ local: false });
    await one.token.meta({ address: USDC });
    await one.token.meta({ address: USDC });
    expect(server.requests).toHaveLength(2);
    await one.close();
    expect(await client({ mode: "offline", local: false }).token.meta({ address: USDC }).answer()).toHaveProperty(
      "age",
      0,
    );
  });

  it("a network failure mentions the cached answer in its hint", async () => {
    const { client, clock, file } = await setup();
    const one = client();
    await one.token.meta({ address: USDC });
    await one.close();
    clock.now += 3 * 3_600_000;
    const gone = testClient(
      { url: "http://127.0.0.1:1" },
      { retries: 0, now: () => clock.now, cache: { file, local: true } },
    );
    const plain = await failure(gone.token.meta({ address: USDC }));
    expect(plain.hint ?? "").not.toContain("--cache only");
    const transport = {
      send: async () => Promise.reject(new NetworkError("No route.", { hint: "Plug it in." })),
      close: async () => {},
    };
    const stale = await failure(client({}, { transport }).token.meta({ address: USDC }));
    expect(stale).toMatchObject({ name: "NetworkError", message: "No route." });
    expect(stale.hint).toBe("Plug it in.\n--cache only prints the answer cached 3 hours ago.");
  });
});

describe("file errors", () => {
  const trouble = async (file: string) => {
    const { server, client } = await setup((_, url) => metaBody.replaceAll(USDC, url.includes(WALLET) ? WALLET : USDC));
    const events: ClientEvent[] = [];
    const onEvent = (event: ClientEvent) => events.push(event);
    const one = client({ file }, { onEvent });
    const answers = [await one.token.meta({ address: USDC }), await one.token.meta({ address: WALLET })];
    await one.close();
    expect(answers).toEqual([expect.objectContaining({ symbol: "USDC" }), expect.objectContaining({ symbol: "USDC" })]);
    return { server, client, notes: events.filter(({ type }) => type === "note" || type === "warning") };
  };

  it.each([
    [
      "no database",
      (file: string) => writeFileSync(file, "this is no database, but long enough to be looked at ".repeat(100)),
    ],
    ["a database of another form", (file: string) => openDatabase(file).exec("CREATE TABLE answers (x)")],
  ])("a file that is %s is replaced", async (_what, make) => {
    const file = join(createTempFolder(), "answers.sqlite");
    make(file);
    const { notes, client, server } = await trouble(file);
    expect(notes).toHaveLength(1);
    await client({ file }).token.meta({ address: USDC });
    expect(server.requests).toHaveLength(2);
  });

  it("a file that is damaged inside fails no request", async () => {
    const file = newFile();
    const store = new AnswerStore(file, () => {});
    for (let at = 0; at < 200; at += 1) store.set(`id${at}`, answerOf(500));
    store.close();
    const bytes = readFileSync(file);
    bytes.fill(0xff, 4096);
    writeFileSync(file, bytes);
    const { client, server } = await trouble(file);
    await client({ file }).token.meta({ address: USDC });
    expect(server.requests).toHaveLength(2);
  });

  it("a body that cannot be decoded is requested again", async () => {
    const { server, client, file } = await setup();
    const one = client();
    await one.token.meta({ address: USDC });
    await one.close();
    const db = openDatabase(file);
    db.exec("UPDATE answers SET body = x'00ff00', packed = 1");
    db.close();
    await client().token.meta({ address: USDC });
    expect(server.requests).toHaveLength(2);
  });

  it("a location that cannot be written is reported once", async () => {
    const folder = createTempFolder();
    writeFileSync(join(folder, "cache"), "a file where a folder should be");
    expect((await trouble(join(folder, "cache", "answers.sqlite"))).notes).toEqual([
      { type: "warning", text: expect.stringMatching(/^The cache in .* cannot be used: /) },
    ]);
  });

  it.skipIf(process.getuid?.() === 0)("a read-only folder", async () => {
    const folder = createTempFolder();
    chmodSync(folder, 0o500);
    expect((await trouble(join(folder, "answers.sqlite"))).notes).toHaveLength(1);
    chmodSync(folder, 0o700);
  });

  it("another process that locks the file does not block requests", async () => {
    const file = newFile();
    mkdirSync(join(file, ".."));
    const db = openDatabase(file);
    db.exec("BEGIN EXCLUSIVE");
    const { notes } = await trouble(file);
    expect(notes).toHaveLength(1);
    db.exec("ROLLBACK");
    db.close();
  });
});

const answerOf = (size: number, more: Partial<CachedAnswer> = {}): CachedAnswer => {
  return { kind: "metadata", at: NOW, status: 200, headers: {}, packed: false, body: Buffer.alloc(size, "x"), ...more };
};

describe("the file", () => {
  const stored = (bounds: object, entries: readonly (readonly [string, CachedAnswer])[]) => {
    const file = newFile();
    const store = new AnswerStore(file, ({ type }) => expect.fail(type), bounds);
    for (const [id, entry] of entries) {
      store.set(id, entry);
      store.flush();
    }
    return { file, store, has: (id: string) => store.get(id) !== undefined };
  };
  const many = (count: number, size: number) =>
    Array.from({ length: count }, (_, at) => [`id${at}`, answerOf(size)] as const);

  it("is readable by its owner only", () => {
    const { file } = stored({}, many(1, 10));
    expect(statSync(file).mode & 0o077).toBe(0);
    expect(statSync(join(file, "..")).mode & 0o077).toBe(0);
  });

  it("has a limited size, and the oldest answers go first", () => {
    const { file, has } = stored({ bytes: 500_000 }, many(300, 5000));
    expect(statSync(file).size).toBeLessThan(600_000);
    expect([has("id0"), has("id150"), has("id299"), has("id280")]).toEqual([false, false, true, true]);
  });

  it("has a limited number of answers, and a replaced one counts as new", () => {
    const { has } = stored({ count: 10 }, [...many(10, 10), ["id0", answerOf(10)], ["next", answerOf(10)]]);
    expect([has("id0"), has("id1"), has("id2"), has("id3"), has("next")]).toEqual([true, false, true, true, true]);
  });

  it("contains no body beyond the limit", () => {
    const { has } = stored({ body: 100 }, [
      ["small", answerOf(100)],
      ["large", answerOf(101)],
    ]);
    expect([has("small"), has("large")]).toEqual([true, false]);
  });

  it("drops answers that are too old to use", () => {
    const { file } = stored({}, [
      ["old", answerOf(10)],
      ["new", answerOf(10, { at: NOW + 31 * 86_400_000 })],
    ]);
    expect(readCacheStats(file)).toMatchObject([{ count: 1, oldest: NOW + 31 * 86_400_000 }]);
  });

  it("is written when many answers are pending", () => {
    const file = newFile();
    const store = new AnswerStore(file, ({ type }) => expect.fail(type));
    for (const [id, entry] of many(64, 10)) store.set(id, entry);
    expect(readCacheStats(file)).toMatchObject([{ count: 64 }]);
    store.close();
  });

  it("has statistics, and is cleared kind by kind", () => {
    const { file, store } = stored({}, [
      ["a", answerOf(10)],
      ["b", answerOf(20, { at: NOW + 5 })],
      ["c", answerOf(7, { kind: "final" })],
    ]);
    store.close();
    const metadata = { kind: "metadata", count: 2, bytes: 30, oldest: NOW, newest: NOW + 5 };
    expect(readCacheStats(file)).toEqual([{ kind: "final", count: 1, bytes: 7, oldest: NOW, newest: NOW }, metadata]);
    expect(clearCachedAnswers(file, "final")).toBe(1);
    expect(readCacheStats(file)).toEqual([metadata]);
    expect(clearCachedAnswers(file)).toBe(2);
    expect(readCacheStats(file)).toEqual([]);
    expect(clearCachedAnswers(`${file}-none`)).toBe(0);
  });
});

it("every endpoint has a cache policy: exports and usage are never cached, chain data is final", () => {
  const of = (policy: string) => endpoints.filter((entry) => entry.cachePolicy === policy).map(({ route }) => route);
  expect(endpoints.every(({ cachePolicy: policy }) => policy === "never" || policy in CACHE_KINDS)).toBe(true);
  expect(of("never")).toEqual([
    ...endpoints.filter(({ returns }) => returns.shape === "csv").map(({ route }) => route),
    "v2-monitor-usage",
  ]);
  expect(of("final").every((route) => /transaction|block/.test(route))).toBe(true);
});
