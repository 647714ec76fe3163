import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { AuthError } from "../../src/base/errors.ts";
import { endpointByPath, endpoints } from "../../src/catalogue/index.ts";
import { type ClientEvent, isLoopback } from "../../src/client/index.ts";
import { maskKey } from "../../src/sources/api/index.ts";
import type { ClientOptions } from "../../src/sources/index.ts";
import { createExactClient } from "../support/exact-client.ts";
import {
  failure,
  json,
  KEY,
  pem,
  refusal,
  SIGNATURE,
  serve,
  serveTls,
  success,
  testClient,
  USDC,
  WALLET,
} from "./servers.ts";

const FAR = { url: "https://api.example.test" };

describe("the key", () => {
  it("is required for other hosts, and the error says how to set it", async () => {
    const error = await failure(testClient(FAR, { key: undefined }).token.meta({ address: USDC }));
    expect(error).toMatchObject({ name: "AuthError", exitCode: 3, code: "NO_KEY" });
    for (const way of ["solx auth login", "SOLX_API_KEY"]) expect(error.hint).toContain(way);
  });

  it("is not required on this machine", async () => {
    const server = await serve((_request, response) => json(response, success({ ok: true })));
    await testClient(server, { key: undefined }).token.meta({ address: USDC });
    expect(server.requests[0]?.headers).not.toHaveProperty("token");
  });

  it("is sent in the configured header", async () => {
    const server = await serve((_request, response) => json(response, success({ ok: true })));
    await testClient(server, { keyHeader: "x-api-key" }).token.meta({ address: USDC });
    expect(server.requests[0]?.headers).toMatchObject({ "x-api-key": KEY });
  });

  it.each([
    ["abc\n", /line break/],
    ["abc def", /white space/],
    ['"abcdef"', /quotes/],
    ["abcdéf", /plain ASCII \(U\+00E9\)/],
    ["abc\u0000def", /plain ASCII \(U\+0000\)/],
    ["", /is empty/],
  ])("%j is refused with the reason, without the key itself", async (key, reason) => {
    const error = await failure(testClient(FAR, { key }).token.meta({ address: USDC }));
    expect(error).toBeInstanceOf(AuthError);
    expect(error.message).toMatch(reason);
    if (key.length > 3) expect(inspect(error)).not.toContain(key);
  });

  it("is never sent unencrypted to another host", async () => {
    const error = await failure(testClient({ url: "http://api.example.test" }).token.meta({ address: USDC }));
    expect(error).toMatchObject({ exitCode: 2, code: "INSECURE" });
    expect(error.message).toContain("plain HTTP");
  });

  it("is in no event, error or inspection of the client, even if the server repeats it", async () => {
    const events: ClientEvent[] = [];
    const server = await serve((request, response, count) =>
      count === 1
        ? json(response, refusal(503, `Busy with ${request.headers.token}`), 503)
        : json(response, refusal(401, `Token ${request.headers.token} is invalid`), 401),
    );
    const client = testClient(server, { onEvent: (event) => events.push(event) });
    const error = await failure(client.request(`/token/meta?address=${KEY}`));
    expect(error.message).toContain("Token *** is invalid");
    const everything = inspect([events, error, client, client.token.meta({ address: USDC })], {
      depth: 10,
      showHidden: true,
    });
    expect(everything).not.toContain(KEY);
    expect(events.map(({ type }) => type)).toEqual(["request", "response", "retry", "request", "response"]);
    expect(events[0]).toMatchObject({ headers: { token: "***" }, attempt: 1 });
  });

  it("is not in the error of a body that cannot be decoded", async () => {
    const server = await serve((_request, response) => json(response, `not json: ${KEY}`));
    expect(inspect(await failure(testClient(server).token.list()), { depth: 10, showHidden: true })).not.toContain(KEY);
  });
});

describe("the key in repetitions of the server", () => {
  const SECRET = "ab+c/d=9&x<yz-Secret";
  const forms: readonly (readonly [string, string])[] = [
    ["as it is", SECRET],
    ["URL-encoded", encodeURIComponent(SECRET)],
    ["URL-encoded in lower case", encodeURIComponent(SECRET).replace(/%../g, (hex) => hex.toLowerCase())],
    ["URL-encoded twice", encodeURIComponent(encodeURIComponent(SECRET))],
    ["with escaped slashes", SECRET.replaceAll("/", "\\/")],
    ["in code points", [...SECRET].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`).join("")],
    ["as HTML", SECRET.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll("/", "&#x2F;")],
    ["as HTML numbers", [...SECRET].map((c) => `&#${c.charCodeAt(0)};`).join("")],
  ];
  /** Parts of the key that are long enough to recognise it. */
  const parts = (text: string) => Array.from({ length: text.length - 9 }, (_, at) => text.slice(at, at + 10));
  const picture = (value: unknown) => inspect(value, { depth: 10, showHidden: true, maxStringLength: null });

  it.each(forms)("is masked %s, wherever the quotation is cut off", (_how, form) => {
    expect(maskKey(`a ${form} b`, SECRET)).toBe("a *** b");
  });

  it.each(forms)("is in no message, cause or event %s", async (_how, form) => {
    const bodies = [
      [200, `no JSON ${form}`],
      [200, `{"success":true, ${form}`],
      [200, `<html><title>${form}</title>`],
      [401, `{"message":"Token ${form} is bad"}`],
      [500, `${"x".repeat(190)}${form}`],
      [200, form],
    ] as const;
    for (const [status, body] of bodies) {
      const events: ClientEvent[] = [];
      const server = await serve((_request, response) => json(response, body, status, { "x-echo": form }));
      const client = testClient(server, { key: SECRET, onEvent: (event) => events.push(event) });
      const display = picture([await failure(client.token.list()), events]);
      for (const part of [...parts(SECRET), ...parts(form)]) expect(display).not.toContain(part);
    }
  });

  it("is masked in headers and unchanged in data", async () => {
    const server = await serve((_request, response) =>
      json(response, success({ echo: KEY }), 200, { "x-echo": `Bearer ${KEY}` }),
    );
    const answer = await testClient(server).token.meta({ address: USDC }).answer();
    expect(answer.headers["x-echo"]).toBe("Bearer ***");
    expect(answer.data).toEqual({ echo: KEY });
    expect(answer.body).toContain(KEY);
  });

  it("is masked in headers as a word when it is short", async () => {
    const server = await serve((_request, response) =>
      json(response, success({ a: "abc" }), 200, { "x-echo": "token=abc", "x-other": "abcdef" }),
    );
    const answer = await testClient(server, { key: "abc" }).token.meta({ address: USDC }).answer();
    expect(answer.headers).toMatchObject({ "x-echo": "token=***", "x-other": "abcdef" });
    expect(answer.data).toEqual({ a: "abc" });
  });
});

describe("this machine", () => {
  it.each([
    ["localhost", true],
    ["api.localhost", true],
    ["127.0.0.1", true],
    ["127.8.9.1", true],
    ["[::1]", true],
    ["localhost.example.test", false],
    ["127.0.0.1.example.test", false],
    ["[::2]", false],
    ["0.0.0.0", false],
    ["10.0.0.1", false],
  ])("does not include every host: %s %s", (host, expected) => {
    expect(isLoopback(new URL(`http://${host}/`).hostname)).toBe(expected);
  });
});

describe("redirects", () => {
  it("on the same host are followed with the key", async () => {
    const server = await serve((request, response) =>
      request.url?.startsWith("/v2.0/new")
        ? json(response, success({ ok: 1 }))
        : json(response, "", 302, { location: "/v2.0/new?x=1" }),
    );
    expect(await testClient(server).token.meta({ address: USDC })).toEqual({ ok: 1 });
    expect(server.requests.map(({ headers }) => headers.token)).toEqual([KEY, KEY]);
  });

  it("to another host or port are refused, and nothing is sent there", async () => {
    const other = await serve((_request, response) => json(response, success({ ok: true })));
    for (const status of [301, 302, 303, 307, 308]) {
      const server = await serve((_request, response) =>
        json(response, "", status, { location: `${other.url}/steal` }),
      );
      const error = await failure(testClient(server).token.meta({ address: USDC }));
      expect(error).toMatchObject({ code: "REDIRECT", exitCode: 9, status });
      expect(error.message).toContain(new URL(other.url).host);
      expect(server.requests).toHaveLength(1);
    }
    expect(other.requests).toHaveLength(0);
  });

  it("to plain HTTP are refused, also on the same host and port", async () => {
    const server = await serveTls("signed", ({ headers }, response) =>
      json(response, "", 302, { location: `http://${headers.host}/v2.0/token/list` }),
    );
    const error = await failure(testClient(server, { caCert: pem("ca"), retries: 0 }).token.list());
    expect(error).toMatchObject({ code: "REDIRECT", exitCode: 9 });
    expect(server.requests).toHaveLength(1);
  });

  it("without a host are refused by name", async () => {
    const server = await serve((_request, response) => json(response, "", 302, { location: "file:///etc/passwd" }));
    const error = await failure(testClient(server).token.list());
    expect(error).toMatchObject({ code: "REDIRECT", exitCode: 9 });
    expect(error.message).toContain("redirects to file:///etc/passwd (302)");
  });

  it("in a loop are given up", async () => {
    const server = await serve((_request, response, count) => json(response, "", 302, { location: `/v2.0/${count}` }));
    expect(await failure(testClient(server).token.list())).toMatchObject({ code: "REDIRECT", exitCode: 9 });
    expect(server.requests).toHaveLength(6);
  });
});

describe("methods", () => {
  it("exist for every endpoint of the catalogue", () => {
    const client = createExactClient() as unknown as Record<string, Record<string, unknown>>;
    for (const { family, group, call } of endpoints) {
      const root = family === "legacy" ? (client.legacy as Record<string, Record<string, unknown>>) : client;
      expect(group === "" ? root[call] : root[group]?.[call], `${family} ${group} ${call}`).toBeTypeOf("function");
    }
  });

  it("send to the server of their family", async () => {
    const server = await serve(({ url }, response) =>
      json(response, success(url?.includes("/account/5") ? { ok: 1 } : [])),
    );
    const client = testClient(server);
    await client.chaininfo();
    await client.account.transfer({ address: WALLET, flow: "in" });
    await client.legacy.account.detail({ account: WALLET });
    expect(server.requests.map(({ url }) => url)).toEqual([
      "/chaininfo",
      `/v2.0/account/transfer?address=${WALLET}&flow=in`,
      `/v1.0/account/${WALLET}`,
    ]);
    const split = testClient(server, { baseUrls: { legacy: `${server.url}/old/` } });
    await split.legacy.block.last();
    expect(server.requests.at(-1)?.url).toBe("/old/block/last");
  });

  it.each([{}, [], null])("of one thing report that it does not exist when the answer is %j", async (data) => {
    const server = await serve((_request, response) => json(response, success(data)));
    const client = testClient(server);
    const missing = { name: "NotFoundError", exitCode: 5, code: 404, status: 404 };
    expect(await failure(client.token.meta({ address: USDC }))).toMatchObject({
      ...missing,
      message: `The API has no data for ${USDC}.`,
      hint: `Check what this address is: solx show ${USDC}`,
    });
    expect(await failure(client.legacy.transaction.detail({ signature: SIGNATURE }))).toMatchObject(missing);
    expect(await failure(client.block.detail({ block: 5 }))).toMatchObject({ ...missing, hint: undefined });
    expect(await client.token.list()).toEqual(data);
    // Things without an identifier and raw requests have what the API answers, as far as it is an answer.
    const others = [client.chaininfo(), client.request(`/token/meta?address=${USDC}`).then((answer) => answer.data)];
    const outcomes = await Promise.all(others.map(async (other) => (data === null ? failure(other) : other)));
    const malformed = expect.objectContaining({ name: "ServerError", code: "MALFORMED" });
    expect(outcomes).toEqual(data === null ? [malformed, malformed] : [data, data]);
  });

  it("send nothing until they are awaited, and once however often they are", async () => {
    const server = await serve((_request, response) => json(response, success({ symbol: "USDC" })));
    const call = testClient(server).token.meta({ address: USDC });
    expect(server.requests).toHaveLength(0);
    expect([await call, await call, (await call.answer()).status]).toEqual([
      { symbol: "USDC" },
      { symbol: "USDC" },
      200,
    ]);
    expect(server.requests).toHaveLength(1);
  });

  it("are complete promises", async () => {
    const server = await serve((_request, response) => json(response, refusal(500, "Oops"), 500));
    const client = testClient(server);
    expect(await client.token.list().catch(String)).toContain("Oops");
    let ended = false;
    await failure(
      client.token.list().finally(() => {
        ended = true;
      }),
    );
    expect(ended).toBe(true);
  });

  it("check before they send", async () => {
    const server = await serve((_request, response) => json(response, success([])));
    const error = await failure(testClient(server).account.transfer({ address: "nonsense" }));
    expect(error).toMatchObject({ code: 1100, message: "Validation Error: Address [nonsense] is invalid" });
    expect(server.requests).toHaveLength(0);
  });

  it("return their rows", async () => {
    const server = await serve((_request, response) => json(response, success([{ symbol: "A" }, { symbol: "B" }])));
    const symbols: unknown[] = [];
    for await (const { symbol } of testClient(server).token.list().rows({ limit: 1 })) symbols.push(symbol);
    expect(symbols).toEqual(["A"]);
  });

  it("report how they interpreted their arguments", async () => {
    const events: ClientEvent[] = [];
    const server = await serve((_request, response) => json(response, success([])));
    await testClient(server, { onEvent: (event) => events.push(event) }).account.transfer({
      address: WALLET,
      from_time: "7d",
    });
    expect(events[0]).toEqual({ type: "note", text: "from_time: 7d is 2024-06-28T12:00:00Z" });
  });
});

describe("answers that do not match the catalogue", () => {
  const drifted = success({ address: USDC, symbol: 7, decimals: "six", supply: "1", unheard_of: true });

  it("are returned unchanged, and reported only on request", async () => {
    const events: ClientEvent[] = [];
    const server = await serve((_request, response) => json(response, drifted));
    const onEvent = (event: ClientEvent) => events.push(event);
    expect(await testClient(server, { onEvent }).token.meta({ address: USDC })).toEqual(drifted.data);
    expect(events.map(({ type }) => type)).not.toContain("drift");
    await testClient(server, { onEvent, drift: true }).token.meta({ address: USDC });
    const drift = events.find(({ type }) => type === "drift");
    expect(drift).toMatchObject({ endpoint: "v2-token-meta" });
    expect(JSON.stringify(drift)).toContain("symbol: expected string, received number");
    expect(JSON.stringify(drift)).not.toContain("unheard_of");
  });

  it("are refused with strict", async () => {
    const server = await serve((_request, response) => json(response, drifted));
    const error = await failure(testClient(server, { strict: true }).token.meta({ address: USDC }));
    expect(error).toMatchObject({ code: "DRIFT", exitCode: 8 });
    expect(server.requests).toHaveLength(1);
  });

  it("do not include numbers beyond a double", async () => {
    const row =
      '{"address":"x","decimals":6,"name":"A","symbol":"A","market_cap":18446744073709551615,"price":0.10,"holder":1,"created_time":1,"price_24h_change":-0}';
    const server = await serve((_request, response) => json(response, `{"success":true,"data":[${row}]}`));
    const rows = await testClient(server, { strict: true }).token.list();
    expect(JSON.stringify(rows)).toBe(`[${row}]`);
  });
});

describe("options", () => {
  it.each<[ClientOptions, RegExp]>([
    [{ baseUrl: "nonsense" }, /base URL nonsense/],
    [{ baseUrl: "ftp://x" }, /not an http or https/],
    [{ baseUrl: "https://user:hunter2@x" }, /neither user, query nor fragment/],
    [{ baseUrl: "https://x/?key=1" }, /neither user, query nor fragment/],
    [{ plan: "gold" as "lite" }, /plan must be one of lite/],
    [{ keyHeader: "a b" }, /keyHeader/],
    [{ retries: -1 }, /retries/],
    [{ maxWait: Number.NaN }, /maxWait/],
    [{ timeouts: { total: 0 } }, /timeouts\.total/],
  ])("%j are refused", (options, message) => {
    expect(() => createExactClient(options)).toThrow(message);
    expect(() => createExactClient(options)).not.toThrow(/hunter2/);
  });

  it("have defaults that reach the API", () => {
    const client = createExactClient();
    const meta = endpointByPath("v2", "/token/meta");
    if (!meta) throw new Error("No /token/meta.");
    expect(client.url(client.prepare(meta, { address: USDC })).href).toBe(
      `https://pro-api.solscan.io/v2.0/token/meta?address=${USDC}`,
    );
  });
});
