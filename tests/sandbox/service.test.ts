import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { openDatabase } from "../../src/base/index.ts";
import { endpointByPath, endpoints } from "../../src/catalogue/index.ts";
import { SIGNATURE } from "../../src/catalogue/samples.ts";
import { FAMILY_PATHS } from "../../src/catalogue/servers.ts";
import type { Query } from "../../src/chain/ledger/index.ts";
import { createLedgerReader } from "../../src/chain/ledger/store/reader.ts";
import { prepare } from "../../src/client/index.ts";
import { folder, KEY, NOW, OTHER, testService, USDC, WALLET } from "./api.ts";

const transfer = `/v2.0/account/transfer?address=${WALLET}`;
describe("routes", () => {
  test("every endpoint of the catalogue exists under the prefix of its family", async () => {
    const service = testService({ findQuery: () => () => ({ data: "reached" }) });
    for (const { family, path, query } of endpoints) {
      const success = family === "legacy" ? undefined : true;
      const url = FAMILY_PATHS[family] + path.replace(/\{(\w+)\}/, "x");
      const { status, body } = await service.get(url);
      const isValid = Object.values(query).every((param) => !param.required);
      expect([url, status, body.success]).toEqual([url, isValid ? 200 : 400, isValid ? success : false]);
    }
  });

  test.each([
    "/",
    "/v2.0",
    "/v2.0/",
    "/v2.0/chaininfo",
    "/v1.0/chaininfo",
    "/account/transfer",
    "/node/status",
    "/node/block/rewards?block=1",
    "/v2.0/token/meta/",
    "/x",
  ])("%s is unknown: 404 in the envelope, with a hint header", async (path) => {
    const { status, body, headers } = await testService().get(path);
    expect(status).toBe(404);
    expect(body).toEqual({ success: false, errors: { code: 404, message: "Not Found" } });
    expect(headers["x-solx-hint"]).toContain("No endpoint has this path");
  });

  test("the hint suggests the nearest route, also for a missing prefix", async () => {
    const service = testService();
    expect((await service.get("/v2.0/token/metaa")).headers["x-solx-hint"]).toMatch(/\/v2\.0\/token\/meta$/);
    expect((await service.get("/monitor/usage")).headers["x-solx-hint"]).toMatch(/\/v2\.0\/monitor\/usage$/);
  });

  test("other methods than GET, HEAD and OPTIONS are rejected", async () => {
    const service = testService();
    const send = (method: string, url = transfer) => service.handle({ method, url, headers: {} });
    for (const method of ["POST", "PUT", "DELETE", "PATCH", "QUERY"]) {
      expect(await send(method)).toMatchObject({ status: 405, headers: { allow: "GET, HEAD, OPTIONS" } });
    }
    expect(await send("POST", "/nothing")).toMatchObject({ status: 404 });
    expect(await send("OPTIONS")).toMatchObject({ status: 204, headers: { "access-control-allow-origin": "*" } });
    expect(await send("HEAD")).toMatchObject({ status: 401 });
  });

  test("full URLs, fragments and encoded paths are supported", async () => {
    const service = testService();
    expect((await service.get(`http://host:1/v2.0/token/meta?address=${USDC}#top`)).status).toBe(200);
    expect((await service.get("http://host")).status).toBe(404);
    expect((await service.get(`/v1.0/account/%35${WALLET.slice(1)}`)).body).toEqual({ account: WALLET });
    expect((await service.get("/v1.0/account/%zz")).body.errors.message).toContain("Address [%zz] is invalid");
  });
});

describe("keys", () => {
  test.each([{}, { token: "" }, { Token: "in-process names are in lower case" }])(
    "%o is missing: 401 without the envelope, for every path",
    async (headers) => {
      for (const url of [transfer, "/v2.0/monitor/usage", "/chaininfo", `/v1.0/account/${WALLET}`]) {
        const { status, body } = await testService().get(url, headers as Record<string, string>);
        expect([status, body]).toEqual([401, { error_message: "Token is missing" }]);
      }
    },
  );

  const FOREIGN = { token: "eyJhbGciOi.another" };
  test.each([
    [transfer, 401, { success: false, errors: { code: 401, message: "Token is invalid" } }],
    [`/v1.0/account/${WALLET}`, 401, { success: false, errors: { code: 401, message: "Token is invalid" } }],
    ["/chaininfo", 401, { error_message: "Token is missing" }],
    ["/v2.0/monitor/usage", 400, { success: false, errors: { message: "Invalid token" } }],
  ])("a foreign key is rejected by %s", async (url, status, body) => {
    const answer = await testService().get(url, FOREIGN);
    expect([answer.status, answer.body]).toEqual([status, body]);
    expect(answer.headers["x-solx-hint"]).toContain("not the sandbox's key");
  });

  test("every family requires the key", async () => {
    for (const url of ["/chaininfo", `/v1.0/account/${WALLET}`, transfer]) {
      expect((await testService().get(url, {})).status).toBe(401);
    }
  });

  test("a foreign key is stored nowhere, in whatever part of the request it is", async () => {
    const key = "a-real-key-of-a-user-0123456789";
    const token = "eyJhbGciOiJIUzI1NiJ9.eyJjcmVhdGVkQXQiOjE3fQ.c2lnbmF0dXJl";
    const path = join(folder(), "usage.db");
    const entries: unknown[] = [];
    const service = testService({ path, onRequest: (entry) => entries.push(entry) });
    const answers = [
      await service.get(transfer, { token: key }),
      await service.get(`/v2.0/${key}/meta?token=${key}`, { token: key }),
      await service.get(`${transfer}&api_key=${token}`),
      await service.get(`${transfer}&token=${token}`, { token: key }),
      await service.get(`/v2.0/${token}`, {}),
    ];
    service.usage.close();
    const stored = readdirSync(join(path, "..")).map((name) => readFileSync(join(path, "..", name), "latin1"));
    const everything = JSON.stringify([entries, service.log.list(), answers, stored]);
    expect(everything).not.toContain(key);
    expect(everything).not.toContain(token);
    expect(entries[0]).toMatchObject({ status: 401, note: "the request had a key that is not the sandbox's (***)" });
  });
});

describe("validation", () => {
  test.each([
    [`${transfer}&from=${USDC},${OTHER}`, "from", [USDC, OTHER]],
    [`${transfer}&from=${USDC}%2C${OTHER}`, "from", [USDC, OTHER]],
    [
      `${transfer}&activity_type[]=ACTIVITY_SPL_MINT&activity_type%5B%5D=ACTIVITY_SPL_BURN`,
      "types",
      ["ACTIVITY_SPL_MINT", "ACTIVITY_SPL_BURN"],
    ],
    [`${transfer}&token=${USDC}&amount[]=1&amount[]=2.5`, "amount", ["1", "2.5"]],
    [`${transfer}&token=${USDC}&amount[]=5&amount[]=1e21`, "amount", ["5", "1e21"]],
    [`${transfer}&exclude_amount_zero=true`, "zero", true],
    [`${transfer}&exclude_amount_zero=false`, "zero", false],
    [`${transfer}&page=3&page_size=40`, "size", 40],
    [transfer, "page", 1],
  ])("%s is read as %s %j", async (url, name, value) => {
    expect((await testService().get(url)).body.data[name]).toEqual(value);
  });

  test.each([
    ["/v2.0/account/transfer", 'Validation Error: "address" is required'],
    ["/v2.0/token/meta?address=nonsense", "Validation Error: Address [nonsense] is invalid"],
    [`${transfer}&page_size=11`, 'Validation Error: "page_size" must be one of [10, 20, 30, 40, 60, 100]'],
    [`${transfer}&sort_order=up`, 'Validation Error: "sort_order" must be one of [asc, desc]'],
    [`${transfer}&colour=red`, "Validation Error: colour is not allowed"],
    [`${transfer}&__proto__=red`, "Validation Error: __proto__ is not allowed"],
    [`${transfer}&amount[]=1&amount[]=2`, 'Validation Error: "amount" needs "token"'],
    [
      `${transfer}&from=${new Array(6).fill(USDC)}`,
      'Validation Error: "from" must contain less than or equal to 5 items',
    ],
    [`${transfer}&exclude_amount_zero=TRUE`, 'Validation Error: "exclude_amount_zero" must be a boolean'],
    [`${transfer}&exclude_amount_zero=1`, 'Validation Error: "exclude_amount_zero" must be a boolean'],
    [`${transfer}&address=${USDC}`, 'Validation Error: "address" must be a single value'],
    [`/v2.0/transaction/detail?tx[]=${SIGNATURE}`, "Validation Error: tx is not allowed"],
    [`/v2.0/token/meta?address[0]=${USDC}`, "Validation Error: address[0] is not allowed"],
    [`${transfer}&from[]=${USDC}`, "Validation Error: from is not allowed"],
    [`${transfer}&from=${USDC}&from=${OTHER}`, 'Validation Error: "from" must be a single value'],
    [`${transfer}&activity_type=ACTIVITY_SPL_MINT`, 'Validation Error: "activity_type" must be an array'],
    [`${transfer}&token=${USDC}&amount=1,2`, 'Validation Error: "amount" must be an array'],
    [`/v2.0/token/meta/multi?address=${USDC}&address=${OTHER}`, 'Validation Error: "address" must be a single value'],
    [`/v2.0/token/price/latest?address=${USDC},${OTHER}`, 'Validation Error: "address" must be an array'],
    [`/v2.0/token/markets?token=${USDC}`, 'Validation Error: "token" must be an array'],
    [`/v1.0/account/${WALLET}?account=${WALLET}`, "Validation Error: account is not allowed"],
    [`/v2.0/account/token-accounts?address=${WALLET}`, 'Validation Error: "type" is required'],
    ["/v2.0/nft/news", 'Validation Error: "filter" is required'],
    ["/v2.0/nft/collection/lists?collection=", 'Validation Error: "collection" is not allowed to be empty'],
    [`${transfer}&page=1e0`, "Validation Error: page must be a number"],
    [`/v2.0/token/meta/multi?${"&address[]=".concat(USDC).repeat(21).slice(1)}`, /20 items/],
    ["/v2.0/block/detail?block=x", "Validation Error: block must be a number"],
    ["/v1.0/block/last?limit=0", 'Validation Error: "limit" must be greater than or equal to 1'],
  ])("%s is rejected", async (url, message) => {
    const { status, body } = await testService().get(url);
    expect([status, body.success, body.errors.code]).toEqual([400, false, 1100]);
    expect(body.errors.message).toMatch(message);
  });
});

test("identifiers may be one text with commas where the API documents it", async () => {
  const service = testService();
  for (const query of [`address=${USDC},${OTHER}`, `address[]=${USDC}&address[]=${OTHER}`]) {
    const { body } = await service.get(`/v2.0/token/meta/multi?${query}`);
    expect(body.data).toEqual([{ address: USDC }, { address: OTHER }]);
  }
});

describe("the log", () => {
  const logged = async (url: string, headers?: Record<string, string>, fault: readonly string[] = []) => {
    const service = testService({ fault });
    await service.get(url, headers);
    return service.log.list()[0];
  };

  test("contains rejected requests with the reason", async () => {
    expect(await logged("/v2.0/token/meta?address=nonsense")).toMatchObject({
      status: 400,
      query: "address=nonsense",
      message: "Validation Error: Address [nonsense] is invalid",
    });
    expect(await logged("/v2.0/nowhere?a=1")).toMatchObject({ status: 404, query: "a=1", message: "Not Found" });
    expect((await logged(`/v2.0/token/meta?address=${USDC}`))?.message).toBeUndefined();
  });

  test("contains no query of a request without the key", async () => {
    for (const url of ["/v2.0/token/meta?address=nonsense", "/v2.0/nowhere?a=1"]) {
      expect((await logged(url, { token: "another" }))?.query).toBeUndefined();
    }
  });

  test("masks the key", async () => {
    const text = JSON.stringify(await logged(`/v2.0/token/meta?address=${KEY}`));
    expect(text).toContain("Address [***] is invalid");
    expect(text).not.toContain(KEY);
  });

  test("contains the fault that is the reason", async () => {
    const entry = await logged(`/v2.0/token/meta?address=${USDC}`, undefined, ["503"]);
    expect([entry?.faults, entry?.message]).toEqual([["503"], undefined]);
  });
});

describe("answers", () => {
  test("the envelope, with metadata where there is some", async () => {
    const { body, headers } = await testService().get(`/v2.0/token/meta?address=${USDC}`);
    expect(body).toEqual({ success: true, data: { address: USDC, supply: 1 }, metadata: {} });
    expect(headers).toMatchObject({
      "content-type": "application/json; charset=utf-8",
      "access-control-allow-origin": "*",
    });
  });

  test("metadata is empty, or missing, as in the recorded answers", async () => {
    const service = testService({ findQuery: () => () => ({ data: [] }) });
    const metadataOf = async (url: string) => (await service.get(url)).body.metadata;
    for (const url of ["/v2.0/token/top", `/v2.0/account/portfolio?address=${WALLET}`, "/chaininfo"]) {
      expect([url, await metadataOf(url)]).toEqual([url, {}]);
    }
    for (const url of ["/v2.0/block/last", "/v2.0/market/list", transfer, "/v2.0/program/popular/platforms"]) {
      expect([url, await metadataOf(url)]).toEqual([url, undefined]);
    }
  });

  const recorded = new URL("../../../shared/recorded/", import.meta.url);
  const files = existsSync(recorded) ? readdirSync(recorded).filter((name) => name.endsWith(".json")) : [];
  test.skipIf(files.length === 0)("every recorded answer with empty metadata has it here, too", async () => {
    const service = testService({ findQuery: () => () => ({ data: [] }) });
    for (const file of files) {
      const { endpoint: path, family, body } = JSON.parse(readFileSync(new URL(file, recorded), "utf8"));
      const endpoint = endpointByPath(family, path);
      if (endpoint === undefined || body?.metadata === undefined) continue;
      const request = prepare(endpoint, endpoint.examples[0]?.params ?? {}, { now: () => NOW });
      const search = new URLSearchParams(request.query.map(([name, value]): [string, string] => [name, value]));
      const answer = await service.get(`${FAMILY_PATHS[endpoint.family]}${request.path}?${search}`);
      expect([file, answer.body.metadata]).toEqual([file, {}]);
    }
  });

  test("legacy answers have no envelope, those of the public family on request", async () => {
    expect((await testService().get(`/v1.0/account/${WALLET}`)).body).toEqual({ account: WALLET });
    expect((await testService().get("/chaininfo")).body).toEqual({
      success: true,
      data: { blockHeight: 1 },
      metadata: {},
    });
    expect((await testService({ shapes: ["bare"] }).get("/chaininfo")).body).toEqual({ blockHeight: 1 });
    expect((await testService({ shapes: ["bare"] }).get(transfer)).body.success).toBe(true);
  });

  test("exports are CSV, quoted where necessary", async () => {
    const { text, headers } = await testService().get(`/v2.0/account/transfer/export?address=${WALLET}`);
    expect(text).toBe('A,B\n"say ""hi"", you",1\n"two\nlines",2');
    expect(headers["content-type"]).toBe("text/csv; charset=utf-8");
  });

  test("content-length counts bytes", async () => {
    const service = testService({ findQuery: () => () => ({ data: "né 🦊" }) });
    const { headers, text } = await service.get("/chaininfo");
    expect(headers["content-length"]).toBe(String(Buffer.byteLength(text)));
  });

  test("a query that fails is a 500 in the envelope", async () => {
    const service = testService({
      findQuery: () => () => {
        throw new Error("no such table: x\nat y");
      },
    });
    const { status, body, headers } = await service.get("/chaininfo");
    expect([status, body]).toEqual([500, { success: false, errors: { code: 500, message: "Internal Server Error" } }]);
    expect(headers["x-solx-hint"]).toBe("The sandbox failed: no such table: x?at y");
  });
});

describe("usage", () => {
  const usage = async (service: ReturnType<typeof testService>) => (await service.get("/v2.0/monitor/usage")).body.data;

  test("counts requests of known routes, and units of successful ones", async () => {
    const service = testService();
    await service.get(`/v2.0/token/meta?address=${USDC}`);
    await service.get(`/v2.0/token/meta/multi?address[]=${USDC}&address[]=${WALLET}`);
    await service.get("/v2.0/token/meta");
    await service.get("/chaininfo");
    await service.get("/chaininfo", {});
    await service.get("/nothing");
    expect(await usage(service)).toEqual({
      email: "sandbox@localhost",
      renew_date: "2024-07-01T00:00:00.000Z",
      end_date: "2024-08-01T00:00:00.000Z",
      last_cu_reset_date: "2024-07-01T00:00:00.000Z",
      remaining_cus: 1_500_000_000 - 300,
      usage_cus: 300,
      total_requests_24h: 4,
      success_rate_24h: 75,
      total_cu_24h: 300,
    });
  });

  test("requests expire after 24 hours, units with the month", async () => {
    const service = testService();
    await service.get("/v2.0/monitor/usage");
    service.advance(24 * 3_600_000 + 60_000);
    expect(await usage(service)).toMatchObject({ total_requests_24h: 0, total_cu_24h: 0, usage_cus: 100 });
    service.advance(31 * 24 * 3_600_000);
    expect(await usage(service)).toMatchObject({ usage_cus: 0, renew_date: "2024-08-01T00:00:00.000Z" });
  });

  test("a file counts across processes", async () => {
    const path = join(folder(), "usage.db");
    for (const before of [0, 1, 2]) {
      const service = testService({ path });
      expect(await usage(service)).toMatchObject({ total_requests_24h: before, usage_cus: before * 100 });
      service.usage.close();
    }
  });

  test("stores that are open at the same time share their totals", async () => {
    const path = join(folder(), "usage.db");
    const services = [1, 2, 3].map(() => testService({ path }));
    for (let n = 0; n < 10; n++) for (const service of services) await service.get("/chaininfo");
    for (const service of services) service.usage.close();
    expect(await usage(testService({ path }))).toMatchObject({ total_requests_24h: 30 });
  });

  test.each(["a folder", "not a database", "an inaccessible path"])("%s is replaced by memory", async (kind) => {
    const home = folder();
    const path =
      kind === "a folder" ? home : join(kind === "an inaccessible path" ? "/proc/nowhere" : home, "usage.db");
    if (kind === "not a database")
      writeFileSync(path, "This is no database at all, though it is long enough. ".repeat(100));
    const notes: string[] = [];
    const service = testService({ path, onNote: (note) => notes.push(note) });
    await service.get("/chaininfo");
    expect(await usage(service)).toMatchObject({ total_requests_24h: 1 });
    expect(notes).toEqual([expect.stringContaining("requests are counted in memory")]);
    expect(notes[0]).not.toMatch(/E[A-Z]{4,}:|mkdir/);
  });

  test("the log stores the latest thousand requests, oldest first", async () => {
    const service = testService();
    for (let n = 0; n < 1003; n++) await service.get("/chaininfo", {});
    const entries = service.log.list();
    expect([service.log.count, entries.length, entries[0]?.number, entries.at(-1)?.number]).toEqual([
      1003, 1000, 4, 1003,
    ]);
    expect(entries[0]).toMatchObject({ time: NOW, method: "GET", path: "/chaininfo", route: "chaininfo", status: 401 });
  });
});

describe("answers that were given before", () => {
  test.each(["this connection", "another one"])("hold until the ledger is changed by %s", async (who) => {
    const path = join(folder(), "ledger.db");
    const db = openDatabase(path);
    onTestFinished(() => db.close());
    db.exec("CREATE TABLE supplies (supply INTEGER); INSERT INTO supplies VALUES (1)");
    const reader = createLedgerReader(db, () => ({ shift: 0, end: 0 }));
    let queries = 0;
    const supply: Query = (context) => {
      queries += 1;
      return { data: context.db.get("SELECT supply FROM supplies")?.supply ?? null };
    };
    const service = testService({ reader, findQuery: () => supply });
    const ask = async () => (await service.get(`/v2.0/token/meta?address=${USDC}`)).body.data;
    expect([await ask(), await ask(), queries]).toEqual([1, 1, 1]);
    const writer = who === "this connection" ? db : openDatabase(path);
    writer.exec("UPDATE supplies SET supply = 2");
    if (writer !== db) writer.close();
    expect([await ask(), await ask(), queries]).toEqual([2, 2, 2]);
    expect((await service.get(`/v2.0/token/meta?address=${OTHER}`)).body.data).toBe(2);
    expect(service.usage.totals(NOW)).toMatchObject({ requests24h: 5, units24h: 500 });
  });

  test("those about the usage of the key do not", async () => {
    const service = testService();
    const ask = async () => (await service.get("/v2.0/monitor/usage")).body.data.total_requests_24h;
    expect([await ask(), await ask(), await ask()]).toEqual([0, 1, 2]);
  });
});
