/** The sandbox that replays recordings over HTTP. */

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, onTestFinished, test } from "vitest";
import { type ServerOptions, startSandbox } from "../../src/sandbox/index.ts";
import { openRecordingWriter } from "../../src/sources/recording/recording.ts";
import { normaliseRequest } from "../../src/sources/recording/request.ts";
import { runInProcess } from "../support/in-process.ts";
import { worldsFolder } from "../support/ledger.ts";
import { createTempFolder } from "../support/solx.ts";

const USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const META = "/v2.0/token/meta";
const JSON_TYPE = { "content-type": "application/json; charset=utf-8" };
const TIME = Date.UTC(2024, 6, 5);

interface Sample {
  readonly path?: string;
  readonly query?: string;
  readonly body?: string | Buffer;
  readonly status?: number;
  readonly calls?: unknown;
  readonly headers?: Record<string, string>;
}

/** Writes recordings in their order. */
async function recordingsOf(...samples: readonly Sample[]): Promise<string> {
  const folder = join(createTempFolder(), "recordings");
  const writer = openRecordingWriter(folder);
  for (const { path = META, query = `address=${USDC}`, status = 200, calls, headers = {}, ...sample } of samples) {
    const request = calls
      ? normaliseRequest({ method: "POST", path: "/", query: [], body: JSON.stringify(calls) })
      : normaliseRequest({ method: "GET", path, query: new URLSearchParams(query) });
    const response = { status, headers: { ...JSON_TYPE, ...headers }, body: Buffer.from(sample.body ?? "{}") };
    await writer.write({ time: TIME, request, response });
  }
  return folder;
}

async function start(options: ServerOptions) {
  const sandbox = await startSandbox({
    port: 0,
    seed: "test",
    size: 0.05,
    now: TIME / 1000,
    folder: worldsFolder(),
    ...options,
  });
  onTestFinished(() => sandbox.close());
  const get = (path: string, init: RequestInit = {}) => fetch(sandbox.url + path, init);
  return { ...sandbox, get };
}

const call = (method: string, params: unknown[] = [], id: unknown = 1) => ({ jsonrpc: "2.0", id, method, params });
const post = (body: unknown): RequestInit => ({ method: "POST", body: JSON.stringify(body), headers: JSON_TYPE });

describe("answers", () => {
  test("have the recorded bytes, status and headers, with any key or none", async () => {
    const exact = '{"supply":18446744073709551615,"price":0.10,"name":"é"}';
    const binary = gzipSync("not text");
    const replay = await recordingsOf(
      { body: exact, headers: { date: "Fri, 05 Jul 2024 00:00:00 GMT" } },
      { path: "/v2.0/token/list", query: "", status: 429, headers: { "retry-after": "7" } },
      { path: "/v2.0/account/transfer/export", body: "a,b\r\n1,2", headers: { "content-type": "text/csv" } },
      { path: "/v2.0/file", query: "", body: binary, headers: { "content-type": "application/octet-stream" } },
    );
    const { get } = await start({ replay });
    const meta = await get(`${META}?address=${USDC}`, { headers: { token: "any" } });
    expect([meta.status, await meta.text()]).toEqual([200, exact]);
    expect(meta.headers.get("date")).toBe("Fri, 05 Jul 2024 00:00:00 GMT");
    const list = await get("/v2.0/token/list");
    expect([list.status, list.headers.get("retry-after")]).toEqual([429, "7"]);
    const csv = await get(`/v2.0/account/transfer/export?address=${USDC}`);
    expect([csv.headers.get("content-type"), await csv.text()]).toEqual(["text/csv", "a,b\r\n1,2"]);
    expect(Buffer.from(await (await get("/v2.0/file")).arrayBuffer())).toEqual(binary);
  });

  test("to equal requests follow in recorded order, and the last one repeats", async () => {
    const replay = await recordingsOf(...["1", "2", "3"].map((body) => ({ body })));
    const { get } = await start({ replay });
    const bodies: string[] = [];
    for (let count = 0; count < 5; count += 1) bodies.push(await (await get(`${META}?address=${USDC}`)).text());
    expect(bodies).toEqual(["1", "2", "3", "3", "3"]);
  });

  test("to times that differ by seconds are the recorded ones", async () => {
    const path = "/v2.0/account/transfer";
    const replay = await recordingsOf(
      { path, query: `address=${USDC}&from_time=1000`, body: "old" },
      { path, query: `address=${USDC}&from_time=1100`, body: "new" },
    );
    const { get } = await start({ replay });
    expect(await (await get(`${path}?address=${USDC}&from_time=1090`)).text()).toBe("new");
    expect((await get(`${path}?address=${USDC}&from_time=1200`)).status).toBe(404);
  });

  test("need the key that the server was started with", async () => {
    const replay = await recordingsOf({}, { calls: call("getSlot"), body: '{"id":1,"result":1}' });
    const { get } = await start({ replay, key: "my-key" });
    expect((await get("/", post(call("getSlot")))).status).toBe(401);
    expect((await get("/my-key", post(call("getSlot")))).status).toBe(200);
    expect((await get(`${META}?address=${USDC}`)).status).toBe(401);
    expect((await get(`${META}?address=${USDC}`, { headers: { token: "my-key" } })).status).toBe(200);
  });

  test("are not for web pages of other sites and other host names, unless there is a key", async () => {
    const replay = await recordingsOf({});
    const path = `${META}?address=${USDC}`;
    const { get } = await start({ replay });
    const statusOf = async (headers: Record<string, string>) => (await get(path, { headers })).status;
    expect(await statusOf({ origin: "http://localhost:3000" })).toBe(200);
    expect(await statusOf({ origin: "https://evil.example" })).toBe(403);
    const keyed = await start({ replay, key: "my-key" });
    const headers = { origin: "https://app.example", token: "my-key" };
    expect((await keyed.get(path, { headers })).status).toBe(200);
  });

  test("of a node are found by method and parameters", async () => {
    const replay = await recordingsOf(
      {
        calls: [call("getSlot", [], 1), call("getBalance", ["a"], 2)],
        body: '[{"id":2,"result":20},{"id":1,"result":10}]',
      },
      { calls: call("getSlot"), body: '{"jsonrpc":"2.0","result":30,"id":1}' },
    );
    const { get } = await start({ replay });
    const json = async (body: unknown) => (await get("/any-path", post(body))).json();
    expect(await json(call("getSlot", [], "x"))).toEqual({ jsonrpc: "2.0", result: 30, id: "x" });
    expect(await json([call("getSlot", [], 5), call("getBalance", ["a"], 6)])).toEqual([
      { id: 6, result: 20 },
      { id: 5, result: 10 },
    ]);
    expect(await json(call("getBalance", ["a"], 9))).toEqual({ id: 9, result: 20 });
    expect(await json([call("getBalance", ["a"], 3)])).toEqual([{ id: 3, result: 20 }]);
    const miss = await json(call("getBalance", ["b"], 4));
    const message = expect.stringContaining('has ["a"] instead of ["b"]');
    expect(miss).toMatchObject({ id: 4, error: { message, data: { code: "NO_RECORDING" } } });
  });
});

describe("a request that was not recorded", () => {
  test("is refused with the nearest recording, and reported", async () => {
    const replay = await recordingsOf(
      { query: `address=${USDC}` },
      { path: "/v2.0/token/list", query: "page=2&page_size=20" },
    );
    const misses: string[] = [];
    const { get, requests } = await start({ replay: { folder: replay, onMiss: (message) => misses.push(message) } });
    const answer = await get("/v2.0/token/list?page_size=20&page=4");
    const message = `No recording of GET /v2.0/token/list with these parameters: page is 4, recorded is 2. Recorded: page 2 (${readdirSync(replay).find((name) => name.includes("list"))})`;
    expect(answer.status).toBe(404);
    expect(await answer.json()).toEqual({ success: false, errors: { code: "NO_RECORDING", message } });
    expect(misses).toEqual([message]);
    expect(requests().at(-1)).toMatchObject({ status: 404, message });
    const path = await get("/v2.0/token/lists");
    expect(await path.text()).toContain("The nearest path is /v2.0/token/list ");
  });

  test("is an incomplete list for clients where other pages of it were recorded, else nothing that they find", async () => {
    const data = Array.from({ length: 100 }, (_, at) => ({ trans_id: `a${at}`, block_time: 1000 - at }));
    const body = JSON.stringify({ success: true, data });
    const replay = await recordingsOf({ path: "/v2.0/account/transfer", query: `address=${USDC}&page_size=100`, body });
    const { url } = await start({ replay });
    const solx = (...args: readonly string[]) => runInProcess(args, { env: { SOLX_BASE_URL: url, SOLX_RATE: "off" } });
    const list = await solx("account", "transfer", USDC, "--limit", "250", "-o", "ndjson");
    expect([list.code, list.stdout.trim().split("\n").length]).toEqual([10, 100]);
    expect(JSON.parse(list.stderr.trim().split("\n").at(-1) ?? "").errors).toMatchObject({
      code: "NO_RECORDING",
      message: expect.stringContaining("Recorded: the first page"),
    });
    expect(await solx("token", "meta", USDC)).toMatchObject({
      code: 5,
      stderr: expect.stringContaining("No recording"),
    });
  });

  test.each([
    ["getSlot", [], 5],
    ["getSignaturesForAddress", [USDC, '{"before":"b"}'], 10],
  ] as const)("of a node says the same: %s", async (method, params, code) => {
    const calls = call("getSignaturesForAddress", [USDC, {}]);
    const { url } = await start({ replay: await recordingsOf({ calls, body: '{"id":1,"result":[]}' }) });
    const result = await runInProcess(["rpc", method, ...params, "--rpc", url]);
    expect(result).toMatchObject({ code, stderr: expect.stringContaining("No recording of") });
  });

  test("is answered by the simulated chain where that is requested", async () => {
    const replay = { folder: await recordingsOf({ body: "recorded" }), fallthrough: "sandbox" } as const;
    const { get, requests, setFaults } = await start({ replay });
    expect(await (await get(`${META}?address=${USDC}`)).text()).toBe("recorded");
    const list = await get("/v2.0/token/list", { headers: { token: "any" } });
    expect(await list.json()).toMatchObject({ success: true, data: expect.arrayContaining([expect.anything()]) });
    expect(requests().map(({ note }) => note)).toEqual([expect.stringMatching(/^v2-token-meta/), "not recorded"]);
    setFaults(["503"]);
    expect((await get("/v2.0/token/list?page=2")).status).toBe(503);
  });

  test("is handed to a function, after which its recordings are known", async () => {
    const folder = join(createTempFolder(), "new");
    const writer = openRecordingWriter(folder);
    let count = 0;
    const fallthrough = async ({ url }: { readonly url: string }) => {
      count += 1;
      const [path = "", query] = url.split("?");
      const body = Buffer.from(`live ${count}`);
      const request = normaliseRequest({ method: "GET", path, query: new URLSearchParams(query) });
      await writer.write({ time: TIME, request, response: { status: 200, headers: {}, body } });
      return { status: 200, headers: {}, body };
    };
    const { get } = await start({ replay: { folder, fallthrough } });
    for (let repeat = 0; repeat < 3; repeat += 1) expect(await (await get(META)).text()).toBe("live 1");
    expect(count).toBe(1);
  });
});

test("the clock starts when the recording began, and there is no chain to change", async () => {
  const sandbox = await start({ replay: await recordingsOf({}), clock: () => 5000 });
  expect(sandbox.now()).toBe(TIME);
  expect(sandbox.info().replay).toMatchObject({ recordings: 1 });
  expect(() => sandbox.setUsage(1)).toThrow(/no state/);
  const answer = await sandbox.get("/_sandbox/usage", { method: "PUT", body: '{"units":1}' });
  expect(answer.status).toBe(400);
});

test("a folder without recordings is refused", async () => {
  await expect(startSandbox({ replay: createTempFolder(), port: 0 })).rejects.toMatchObject({ code: "NO_RECORDINGS" });
});
