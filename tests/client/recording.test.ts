/** Clients that record what they exchange, and clients that replay it. */

import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ClientEvent } from "../../src/client/index.ts";
import { type RunningSandbox, startSandbox } from "../../src/sandbox/index.ts";

import type { ClientOptions } from "../../src/sources/index.ts";
import { createExactClient, type ExactClient } from "../support/exact-client.ts";
import { worldsFolder } from "../support/ledger.ts";
import { useScenario } from "../support/node/use-test-node.ts";
import { createTempFolder } from "../support/solx.ts";
import { failure, json, KEY, NOW, SIGNATURE, serve, testClient, USDC, WALLET } from "./servers.ts";

const folderOf = () => join(createTempFolder(), "recordings");
const textsIn = (folder: string) => readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));
const replayOf = (replay: string, options: ClientOptions = {}) =>
  createExactClient({ replay, now: () => NOW, sleep: async () => {}, ...options });
async function collect<T>(source: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of source) items.push(item);
  return items;
}

describe("the API", () => {
  let sandbox: RunningSandbox;
  beforeAll(async () => {
    sandbox = await startSandbox({ seed: "test", size: 0.05, now: NOW / 1000, port: 0, folder: worldsFolder() });
  });
  afterAll(() => sandbox.close());

  async function session(client: ExactClient) {
    return {
      meta: await client.token.meta({ address: USDC }),
      rows: await collect(client.account.transfer({ address: WALLET }).rows({ limit: 150 })),
      recent: await client.account.transfer({ address: WALLET, from_time: "7d" }),
      prices: await collect(client.many(await endpointOf("/token/meta"), [USDC, WALLET], {})),
      chain: await client.chaininfo(),
      legacy: await client.legacy.account.tokens({ account: WALLET }).catch(String),
      raw: (await client.request("/token/trending", { raw: true })).bytes,
      missing: await failure(client.transaction.detail({ tx: SIGNATURE })).then(String),
    };
  }
  const endpointOf = async (path: string) => {
    const { endpointByPath } = await import("../../src/catalogue/index.ts");
    return endpointByPath("v2", path) as NonNullable<ReturnType<typeof endpointByPath>>;
  };
  const comparable = (value: unknown) =>
    JSON.stringify(value, (key, inner) => (["headers", "request", "source"].includes(key) ? undefined : inner));

  test("is replayed without a server and without a key", async () => {
    const record = folderOf();
    const expected = await session(testClient(sandbox, { key: sandbox.key, record }));
    expect(expected.rows.length).toBeGreaterThan(40);
    const replayed = await session(replayOf(record, { now: () => NOW + 1500 }));
    // What has no data names itself.
    expect(comparable(replayed)).toBe(
      comparable(expected).replaceAll("The API has no data", "The recording has no data"),
    );
    expect(textsIn(record).join("")).not.toContain(sandbox.key);
  });

  test("a request that was not recorded names the nearest one", async () => {
    const record = folderOf();
    await testClient(sandbox, { key: sandbox.key, record }).account.transfer({ address: WALLET, page: 2 });
    const replay = replayOf(record, { onEvent: () => {} });
    const error = await failure(replay.account.transfer({ address: WALLET, page: 3 }));
    expect(error).toMatchObject({ name: "IncompleteError", code: "NO_RECORDING", retryable: false });
    expect(error.message).toContain("page is 3, recorded is 2");
    expect(error.hint).toContain(readdirSync(record)[0]);
    const other = await failure(replay.token.meta({ address: USDC }));
    expect(other.message).toBe("No recording of GET /v2.0/token/meta.");
  });

  test("cached answers are requested, so that recordings are complete", async () => {
    const [cache, record] = [{ file: join(createTempFolder(), "cache.sqlite"), local: true }, folderOf()];
    await testClient(sandbox, { key: sandbox.key, cache }).token.meta({ address: USDC });
    await testClient(sandbox, { key: sandbox.key, cache, record }).token.meta({ address: USDC });
    expect(readdirSync(record)).toHaveLength(1);
  });

  test("pseudonyms replace addresses in requests and answers alike", async () => {
    const record = { folder: folderOf(), pseudonyms: "a secret" };
    const { rows } = await testClient(sandbox, { key: sandbox.key, record })
      .account.transfer({ address: WALLET })
      .then((data) => ({ rows: data as readonly { readonly from_address: string }[] }));
    const text = textsIn(record.folder).join("");
    expect(text).not.toContain(WALLET);
    for (const { from_address } of rows) expect(text).not.toContain(from_address);
    const { createPseudonyms } = await import("../../src/sources/recording/pseudonyms.ts");
    const pseudonym = createPseudonyms("a secret").replace(WALLET);
    const replayed = await replayOf(record.folder).account.transfer({ address: pseudonym });
    expect(JSON.stringify(replayed)).toContain(pseudonym);
    expect(replayed).toHaveLength(rows.length);
  });
});

describe("failures", () => {
  const meta = (client: ExactClient) => client.token.meta({ address: USDC });
  const answer = { success: true, data: { address: USDC, symbol: "USDC", decimals: 6 } };

  test("a refused and a truncated exchange are repeated, then the last answer", async () => {
    const server = await serve((_request, response, count) => {
      if (count === 1) return json(response, { success: false, errors: { code: 429 } }, 429, { "retry-after": "1" });
      if (count > 2) return json(response, answer);
      response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
      response.write('{"success":true,', () => response.socket?.end());
    });
    const record = folderOf();
    const expected = await meta(testClient(server, { record }));
    const retries: string[] = [];
    const onEvent = (event: ClientEvent) => {
      if (event.type === "retry") retries.push(String(event.error.code));
    };
    const replay = replayOf(record, { onEvent });
    expect(await meta(replay)).toEqual(expected);
    expect(retries).toEqual(["429", "TRUNCATED"]);
    expect(await meta(replay)).toEqual(expected);
    expect(retries).toHaveLength(2);
  });

  test("equal requests have their answers in recorded order", async () => {
    const server = await serve((_request, response, count) =>
      json(response, { success: true, data: { ...answer.data, holder: count } }),
    );
    const record = folderOf();
    const client = testClient(server, { record });
    for (let count = 0; count < 11; count += 1) await meta(client);
    const replay = replayOf(record);
    const holders: unknown[] = [];
    for (let count = 0; count < 12; count += 1) holders.push((await meta(replay)).holder);
    expect(holders).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 11]);
  });

  test("a folder that is a file is refused before anything is sent", async () => {
    const server = await serve((_request, response) => json(response, answer));
    const file = join(createTempFolder(), "file");
    writeFileSync(file, "");
    const error = await failure(meta(testClient(server, { record: file })));
    expect(error).toMatchObject({ name: "UsageError", code: "EEXIST" });
    expect(server.requests).toEqual([]);
  });

  test("a recording that cannot be written is a warning, not a failure", async () => {
    const server = await serve((_request, response) => json(response, answer));
    const [record, warnings] = [folderOf(), [] as string[]];
    const onEvent = (event: ClientEvent) => {
      if (event.type === "warning") warnings.push(event.text);
    };
    const client = testClient(server, { record, onEvent });
    await meta(client);
    rmSync(record, { recursive: true });
    writeFileSync(record, "");
    expect(await meta(client)).toMatchObject({ symbol: "USDC" });
    expect(warnings).toEqual([expect.stringContaining("Recording failed")]);
  });

  test("an empty folder cannot be replayed", async () => {
    expect(await failure(meta(replayOf(createTempFolder())))).toMatchObject({ code: "NO_RECORDINGS" });
    expect(await failure(meta(replayOf(folderOf())))).toMatchObject({ code: "ENOENT" });
  });
});

describe("secrets", () => {
  const SECRET = `${KEY}-0123456789`;
  const PASSWORD = "pr0xy-pa55word";

  test("are in no file, in whichever form a server repeats them", async () => {
    const forms = [
      SECRET,
      SECRET.toUpperCase(),
      SECRET.toLowerCase(),
      encodeURIComponent(SECRET),
      Buffer.from(SECRET).toString("base64"),
      `user:${SECRET}`,
      PASSWORD,
    ];
    const body = {
      success: true,
      data: { address: USDC, symbol: forms.join(" "), Token: SECRET, TOKEN: SECRET, "api-KEY": SECRET.toUpperCase() },
      account: {
        email: "ann.smith@corp.example.org",
        E_Mail: "ann@localhost",
        jwt: "eyJhbGciOiJIUzI1NiJ9.eyJhIjoxfQ.c2ln",
      },
    };
    const server = await serve((_request, response) => {
      const bytes = gzipSync(JSON.stringify(body));
      response.writeHead(200, {
        "Content-Type": "application/json",
        "Content-Encoding": "gzip",
        "Content-Length": bytes.length,
        TOKEN: SECRET,
        "X-Api-Key": SECRET,
        "Set-Cookie": `session=${SECRET}`,
        "cf-ray": "8a9c0d1e2f3a4b5c-FRA",
        "x-request-id": "account-4711",
        "x-ratelimit-remaining": "7",
      });
      response.end(bytes);
    });
    const record = folderOf();
    const env = { HTTPS_PROXY: `http://user:${PASSWORD}@proxy.example:1` };
    const client = testClient(server, { key: SECRET, record, env });
    await client.token.meta({ address: USDC });
    await client.request("/other", {
      query: [
        ["token", SECRET],
        ["q", `x${SECRET.toUpperCase()}`],
      ],
    });
    await client.request(`/by-path/${SECRET}`);
    const files = readdirSync(record);
    const text = `${textsIn(record).join("")}${files.join(" ")}`.toLowerCase();
    for (const form of [...forms, "ann.smith", "ann@", "session=", "8a9c0d1e", "4711", "eyJhIjoxfQ"]) {
      expect(text).not.toContain(form.toLowerCase());
    }
    expect(files).toHaveLength(3);
    expect(text).toContain('"x-ratelimit-remaining": "7"');
    for (const file of files) {
      const { response } = JSON.parse(readFileSync(join(record, file), "utf8"));
      expect(response.headers).not.toHaveProperty("content-encoding");
      expect(Number(response.headers["content-length"])).toBe(Buffer.byteLength(JSON.stringify(response.json)));
    }
    expect(await replayOf(record).token.meta({ address: USDC })).toMatchObject({ address: USDC });
  });

  test("of an error body, a short one and bytes that are no text are masked", async () => {
    const server = await serve((request, response) => {
      if (request.url?.includes("binary")) {
        response.writeHead(200, { "content-type": "application/octet-stream" });
        response.end(Buffer.concat([Buffer.from([0xff, 0xfe, 0x00]), Buffer.from(SECRET)]));
      } else json(response, { success: false, errors: { code: 400, message: `bad key ${SECRET}` } }, 400);
    });
    const record = folderOf();
    const client = testClient(server, { key: SECRET, record });
    await failure(client.token.meta({ address: USDC }));
    await client.request("/binary", { raw: true });
    const contents = readdirSync(record).map((name) => {
      const { response } = JSON.parse(readFileSync(join(record, name), "utf8"));
      return response.base64 ? Buffer.from(response.base64, "base64").toString("latin1") : JSON.stringify(response);
    });
    for (const content of contents) {
      expect(content).toContain("***");
      expect(content).not.toContain(SECRET);
    }
  });

  test("of the usage endpoint, only documented fields have their values", async () => {
    const server = await serve((_request, response) =>
      json(response, {
        success: true,
        data: { email: "ann@corp.example", user_id: 4711, plan_owner: "Ann", remaining_cus: 999207030, ids: ["a1"] },
      }),
    );
    const record = folderOf();
    await testClient(server, { record }).monitor.usage();
    const [text = ""] = textsIn(record);
    expect(JSON.parse(text).response.json.data).toEqual({
      email: "user@example.com",
      user_id: 0,
      plan_owner: "***",
      remaining_cus: 999207030,
      ids: ["***"],
    });
  });
});

describe("a node", () => {
  const shared = useScenario();
  const PATH_KEY = "provider-key-0123456789";

  test("is replayed with calls in other batches, and without its key", async () => {
    const { alice, bob, mint } = shared.scenario.addresses;
    const record = folderOf();
    const options = { now: () => NOW, rate: "off" } as const;
    const session = async (client: ExactClient) => {
      const node = client.node();
      return JSON.stringify([
        await client.account.detail({ address: alice }),
        await collect(client.account.transactions({ address: alice }).rows({ limit: 5 })),
        await node.callMany([
          { method: "getBalance", params: [alice] },
          { method: "getBalance", params: [bob] },
        ]),
        await client.token.meta({ address: mint }),
      ]);
    };
    const live = createExactClient({ rpc: `${shared.node.url}/${PATH_KEY}`, record, ...options });
    const expected = await session(live);
    await live.close();
    const replay = createExactClient({ rpc: "http://replay.example", replay: record, ...options });
    expect(await session(replay)).toBe(expected);
    expect(await replay.node().call("getBalance", [bob])).toMatchObject({ value: expect.anything() });
    expect(textsIn(record).join("")).not.toContain(PATH_KEY);
    const error = await failure(replay.node().call("getBalance", [mint]));
    expect(error).toMatchObject({ code: "NO_RECORDING" });
    expect(error.message).toMatch(/^No recording of getBalance with these parameters/);
  });
});
