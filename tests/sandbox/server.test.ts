import http from "node:http";
import net from "node:net";
import { hostname } from "node:os";
import { Pool } from "undici";
import { describe, expect, onTestFinished, test } from "vitest";
import type { LedgerReader } from "../../src/chain/ledger/index.ts";
import { type HttpServerOptions, startHttpServer } from "../../src/sandbox/server.ts";
import { createHostCheck, isControlRequest } from "../../src/sandbox/service/access.ts";
import { type AppOptions, createApp } from "../../src/sandbox/service/app.ts";
import { createLimits } from "../../src/sandbox/service/limits.ts";
import { openChain } from "../../src/sandbox/state/chain.ts";
import { SandboxClock } from "../../src/sandbox/state/clock.ts";
import { controlRoutes, createControls } from "../../src/sandbox/state/controls.ts";
import { KEY, type TestService, testService, USDC } from "./api.ts";

const META = `/v2.0/token/meta?address=${USDC}`;

async function start(
  service: TestService = testService(),
  {
    acceptsHost,
    controlToken,
    ...options
  }: Partial<HttpServerOptions> & Pick<AppOptions, "acceptsHost" | "controlToken"> = {},
) {
  const info = () => ({ seed: "tests", faults: service.faults.list });
  const clock = new SandboxClock(Date.now);
  const ledger = { reader: {} as LedgerReader, close() {} };
  const chain = await openChain({ ledger, clock, original: undefined });
  const limits = { current: createLimits({}) };
  const state = createControls({ clock, chain, usage: service.usage, limits });
  const controls = controlRoutes({ service, info, controls: state });
  const openapi = async () => ({ openapi: "3.1.0", info: { title: "Text. ".repeat(1000) } });
  const app = createApp({ service, controls, acceptsHost, controlToken, openapi });
  const server = await startHttpServer(app, { port: 0, ...options });
  onTestFinished(() => server.close());
  return server;
}

/** Sends a request with Node's HTTP client. */
function request(
  url: string,
  {
    method = "GET",
    headers = { token: KEY },
    body,
  }: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<{ status: number; headers: http.IncomingHttpHeaders; text: string; chunks: number; cut: boolean }> {
  return new Promise((resolve, reject) => {
    const outgoing = http.request(url, { method, headers, agent: false }, (incoming) => {
      const parts: Buffer[] = [];
      const done = (cut: boolean) =>
        resolve({
          status: incoming.statusCode ?? 0,
          headers: incoming.headers,
          text: Buffer.concat(parts).toString(),
          chunks: parts.length,
          cut,
        });
      incoming.on("data", (part: Buffer) => parts.push(part));
      incoming.on("error", () => done(true));
      incoming.on("end", () => done(false));
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

describe("the API over HTTP", () => {
  test("answers as in process, with its length", async () => {
    const service = testService();
    const { url } = await start(service);
    const [over, inside] = [await request(url + META), await service.get(META)];
    expect([over.status, over.text]).toEqual([200, inside.text]);
    for (const [name, value] of Object.entries(inside.headers)) expect(over.headers[name]).toBe(value);
  });

  test("undici and fetch are served as well", async () => {
    const { url } = await start();
    const pool = new Pool(url);
    onTestFinished(() => pool.close());
    const { statusCode, body } = await pool.request({ path: META, method: "GET", headers: { TOKEN: KEY } });
    expect([statusCode, ((await body.json()) as { success: boolean }).success]).toEqual([200, true]);
    const answer = await fetch(url + META, { headers: { token: KEY, origin: "https://a.page" } });
    expect([answer.status, answer.headers.get("access-control-allow-origin")]).toEqual([200, "*"]);
  });

  test("HEAD returns the head, OPTIONS the CORS headers, others are rejected in the envelope", async () => {
    const { url } = await start();
    const head = await request(url + META, { method: "HEAD" });
    expect([head.status, head.text, Number(head.headers["content-length"]) > 50]).toEqual([200, "", true]);
    const preflight = await request(url + META, { method: "OPTIONS", headers: {} });
    expect([preflight.status, preflight.headers["access-control-allow-headers"]]).toEqual([204, "*"]);
    const post = await request(url + META, { method: "POST", body: "x".repeat(100_000) });
    expect([post.status, JSON.parse(post.text).success]).toEqual([405, false]);
  });

  test("large bodies are compressed for clients that accept gzip", async () => {
    const list = { data: Array.from({ length: 100 }, (_, index) => ({ index, address: USDC })) };
    const { url } = await start(testService({ findQuery: () => () => list }));
    const path = "/v2.0/token/trending";
    const plain = await request(url + path);
    expect(plain.text.length).toBeGreaterThan(1400);
    expect(plain.headers).not.toHaveProperty("content-encoding");
    const compressed = await request(url + path, { headers: { token: KEY, "accept-encoding": "br, gzip;q=0.5" } });
    expect(compressed.headers).toMatchObject({ "content-encoding": "gzip", vary: "accept-encoding" });
    expect(Number(compressed.headers["content-length"])).toBeLessThan(plain.text.length / 2);
    const decoded = await fetch(url + path, { headers: { token: KEY } });
    expect([decoded.headers.get("content-encoding"), await decoded.text()]).toEqual(["gzip", plain.text]);
    for (const [method, encodings] of [
      ["GET", "gzip;q=0"],
      ["HEAD", "gzip"],
    ] as const) {
      const answer = await request(url + path, { method, headers: { token: KEY, "accept-encoding": encodings } });
      expect([method, answer.headers["content-encoding"]]).toEqual([method, undefined]);
      expect([method, answer.headers["content-length"]]).toEqual([method, plain.headers["content-length"]]);
    }
  });

  test("the OpenAPI document needs no key and is readable for pages of other origins", async () => {
    const { url } = await start();
    const answer = await fetch(`${url}/openapi.json`, { headers: { origin: "https://editor.example" } });
    expect([answer.status, answer.headers.get("access-control-allow-origin")]).toEqual([200, "*"]);
    expect(answer.headers.get("content-encoding")).toBe("gzip");
    expect(await answer.json()).toMatchObject({ openapi: "3.1.0" });
  });

  test("unusual paths, hosts and requests never return HTML", async () => {
    const { url, port } = await start();
    for (const path of [
      "/",
      "/favicon.ico",
      "/%00",
      "/v2.0/%E0%A4%A",
      "//v2.0//",
      "/..%2f..%2fetc/passwd",
      "/?a=%zz",
    ]) {
      const { status, text } = await request(url + path);
      expect([path, status, JSON.parse(text)]).toEqual([path, 404, expect.objectContaining({ success: false })]);
    }
    const raw = (text: string) =>
      new Promise<string>((resolve) => {
        const socket = net.connect(port, "127.0.0.1", () => socket.write(text));
        let answer = "";
        socket.on("data", (part) => {
          answer += part;
        });
        socket.on("close", () => resolve(answer));
      });
    expect(await raw(`GET ${META} HTTP/1.0\r\ntoken: ${KEY}\r\n\r\n`)).toMatch(/^HTTP\/1.1 200/);
    expect(await raw(`GET ${META} HTTP/1.1\r\nHost: a b c\r\nConnection: close\r\ntoken: ${KEY}\r\n\r\n`)).not.toMatch(
      /<html/i,
    );
    expect(await raw("nonsense\r\n\r\n")).toMatch(/^HTTP\/1.1 400/);
  });

  test("the globals of the process are unchanged", async () => {
    const before = [globalThis.Request, globalThis.Response];
    await start();
    expect([globalThis.Request, globalThis.Response]).toEqual(before);
  });
});

describe("faults on real connections", () => {
  const faulty = async (fault: string) => start(testService({ fault: [fault] }));

  test.each([
    ["500", 500, /Internal Server Error/],
    ["429:retry-after=2", 429, /Too many requests/],
    ["html", 502, /^<!DOCTYPE html>/],
    ["empty", 200, /^$/],
    ["empty=204", 204, /^$/],
    ["refused", 200, /"success":false/],
    ["bad-json", 200, /^\{"success"=true/],
    ["wrong-type", 200, /"success":true/],
  ])("%s", async (fault, status, text) => {
    const { url } = await faulty(fault);
    const answer = await request(url + META);
    expect([answer.status, answer.cut]).toEqual([status, false]);
    expect(answer.text).toMatch(text);
    if (fault.includes("retry-after")) expect(answer.headers["retry-after"]).toBe("2");
    if (fault === "wrong-type") expect(answer.headers["content-type"]).toBe("text/html; charset=utf-8");
  });

  test("bad-gzip is declared as gzip but is not", async () => {
    const { url } = await faulty("bad-gzip");
    await expect(fetch(url + META, { headers: { token: KEY } }).then((answer) => answer.text())).rejects.toThrow();
  });

  test("truncate: less than the announced length, then the end", async () => {
    const { url } = await faulty("truncate");
    const answer = await request(url + META);
    expect(answer.cut).toBe(true);
    expect(answer.text.length).toBe(Math.floor(Number(answer.headers["content-length"]) / 2));
  });

  test("reset: no answer at all", async () => {
    const { url } = await faulty("reset");
    await expect(request(url + META)).rejects.toMatchObject({ code: "ECONNRESET" });
  });

  test("drip: the whole answer, a byte at a time", async () => {
    const { url } = await faulty("drip=1ms");
    const answer = await request(url + META);
    expect([answer.cut, JSON.parse(answer.text).success]).toEqual([false, true]);
    expect(answer.chunks).toBeGreaterThan(10);
  });

  test("hang and latency wait until the client disconnects", async () => {
    for (const fault of ["hang", "latency=10m"]) {
      const { url } = await faulty(fault);
      await expect(fetch(url + META, { signal: AbortSignal.timeout(50), headers: { token: KEY } })).rejects.toThrow();
    }
  });

  test("latency: a complete answer, later", async () => {
    const { url } = await faulty("latency=60ms");
    const began = performance.now();
    expect((await request(url + META)).status).toBe(200);
    expect(performance.now() - began).toBeGreaterThan(55);
  });

  test("one of several parallel clients is affected, at its own call", async () => {
    const service = testService({ fault: ["reset@client=ann#3", "503@client#5"] });
    const { url } = await start(service);
    const run = async (client: string) => {
      const statuses: number[] = [];
      for (let call = 1; call <= 6; call++) {
        statuses.push(
          await request(url + client + META).then(
            ({ status }) => status,
            () => 0,
          ),
        );
      }
      return statuses;
    };
    const runs = await Promise.all(["/_client/ann", "/_client/bob", ""].map(run));
    expect(runs).toEqual([
      [200, 200, 0, 200, 503, 200],
      [200, 200, 200, 200, 503, 200],
      [200, 200, 200, 200, 503, 200],
    ]);
    expect(service.log.list().filter(({ client }) => client === "bob")).toHaveLength(6);
    expect(new Set(service.log.list().map(({ path }) => path))).toEqual(new Set(["/v2.0/token/meta"]));
    expect((await request(`${url}/_client/${"x".repeat(65)}${META}`)).status).toBe(404);
  });

  test("the server handles the next request", async () => {
    const { url } = await start(testService({ fault: ["reset#1", "truncate#2", "500#4"] }));
    await expect(request(url + META)).rejects.toThrow();
    expect((await request(url + META)).cut).toBe(true);
    const statuses = [await request(url + META), await request(url + META)].map(({ status }) => status);
    expect(statuses).toEqual([200, 500]);
  });
});

describe("control endpoints", () => {
  const put = (url: string, value: unknown, headers: Record<string, string> = {}) =>
    request(url, { method: "PUT", body: JSON.stringify(value), headers });

  test("describes the sandbox without a key", async () => {
    const { url } = await start();
    const { status, text } = await request(`${url}/_sandbox`, { headers: {} });
    expect([status, JSON.parse(text)]).toEqual([200, { seed: "tests", faults: [] }]);
    expect((await request(`${url}/_sandbox/nothing`, { headers: {} })).status).toBe(404);
  });

  test("sets and removes faults; invalid ones are rejected with a message", async () => {
    const { url } = await start();
    expect((await put(`${url}/_sandbox/faults`, ["500#1-2"])).text).toBe('{"faults":["500#1-2"]}');
    expect((await request(url + META)).status).toBe(500);
    const wrong = await put(`${url}/_sandbox/faults`, ["oops"]);
    expect([wrong.status, JSON.parse(wrong.text).errors.code]).toEqual([400, "BAD_FAULT"]);
    expect((await put(`${url}/_sandbox/faults`, { a: 1 })).status).toBe(400);
    expect((await put(`${url}/_sandbox/faults`, ["a".repeat(4_194_304)])).status).toBe(413);
    expect((await request(`${url}/_sandbox/faults`, { method: "PUT", body: "{", headers: {} })).status).toBe(400);
    expect((await request(url + META)).status).toBe(500);
    expect((await request(`${url}/_sandbox/faults`, { method: "DELETE", headers: {} })).text).toBe('{"faults":[]}');
    expect((await request(url + META)).status).toBe(200);
  });

  test("lists requests, also without a route, but not control requests", async () => {
    const { url } = await start();
    await request(url + META);
    await request(`${url}/nowhere`);
    const { total, requests } = JSON.parse((await request(`${url}/_sandbox/requests`, { headers: {} })).text);
    expect(total).toBe(2);
    expect(requests).toMatchObject([
      { route: "v2-token-meta", status: 200 },
      { path: "/nowhere", status: 404 },
    ]);
    expect(requests[1].route).toBeUndefined();
  });

  test("sets the usage", async () => {
    const service = testService({ now: Date.now });
    const { url } = await start(service);
    expect((await put(`${url}/_sandbox/usage`, { units: 5000 })).status).toBe(200);
    expect(JSON.parse((await request(`${url}/v2.0/monitor/usage`)).text).data.usage_cus).toBe(5000);
    for (const wrong of [{ units: -1 }, { units: "5" }, { units: 1.5 }, [], 5, null]) {
      expect((await put(`${url}/_sandbox/usage`, wrong)).status).toBe(400);
    }
  });

  test.each([
    ["a page with its origin", 403, { origin: "https://a.page" }],
    ["a page without an origin, such as a form or an image", 403, { "sec-fetch-site": "cross-site" }],
    ["a sandboxed frame", 403, { origin: "null", "sec-fetch-site": "cross-site" }],
    ["a name that resolves to this machine", 403, { host: "a.page" }],
    ["a name below localhost", 403, { host: "a.localhost" }],
    ["a name that starts like an address", 403, { host: "127.0.0.1.a.page" }],
    ["a name of numbers", 403, { host: "127.0.0.999" }],
    ["an address of a network", 403, { host: "192.168.0.1" }],
    ["a short form of an address", 403, { host: "127.1" }],
    ["a program", 200, {}],
    ["localhost", 200, { host: "LOCALHOST:8787" }],
    ["IPv6", 200, { host: "[::1]:8787" }],
    ["the address bar", 200, { "sec-fetch-site": "none" }],
    ["a page of this machine", 200, { origin: "http://127.0.0.1:3000", "sec-fetch-site": "cross-site" }],
    ["a page of localhost", 200, { "sec-fetch-site": "same-site" }],
  ])("%s: %i", async (_client, status, headers) => {
    const service = testService();
    const { url } = await start(service);
    expect((await put(`${url}/_sandbox/faults`, ["500"], headers)).status).toBe(status);
    expect(service.faults.list).toEqual(status === 200 ? ["500"] : []);
    for (const path of ["", "/requests"]) {
      expect((await request(`${url}/_sandbox${path}`, { headers })).status).toBe(status);
    }
  });

  test("a client at another address is rejected, whatever it sends", () => {
    const headers = { host: "127.0.0.1:8787" };
    expect(isControlRequest("::ffff:127.0.0.1", headers)).toBe(true);
    for (const address of ["172.17.0.1", "::ffff:172.17.0.1", "fe80::1", "", undefined]) {
      expect(isControlRequest(address, headers)).toBe(false);
    }
  });
});

test("control endpoints accept the control token, wherever the request is from", async () => {
  const { url } = await start(testService(), { host: "0.0.0.0", controlToken: "a-token" });
  // As a page of another site would be: not from this machine.
  const statusFor = async (authorization?: string) =>
    (
      await request(`${url}/_sandbox/time`, {
        headers: { origin: "https://example.com", ...(authorization !== undefined && { authorization }) },
      })
    ).status;
  expect(await statusFor("Bearer a-token")).toBe(200);
  for (const wrong of ["Bearer a-token2", "Bearer ", "a-token", undefined]) expect(await statusFor(wrong)).toBe(403);
  const closed = await start(testService(), { host: "0.0.0.0" });
  const options = { headers: { origin: "https://example.com", authorization: "Bearer undefined" } };
  expect((await request(`${closed.url}/_sandbox/time`, options)).status).toBe(403);
});

describe("listening", () => {
  test.each(["example.com", "127.0.0.1.example.com", "127.0.0.999", ""])("%j is not an address", async (host) => {
    await expect(start(testService(), { host })).rejects.toMatchObject({ name: "UsageError", code: "BAD_HOST" });
  });

  test("all addresses: the URL is that for this machine, and names have to be accepted", async () => {
    const { url } = await start(testService(), { host: "0.0.0.0", acceptsHost: createHostCheck(["Sandbox"]) });
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const statusFor = async (host: string) => (await request(url + META, { headers: { token: KEY, host } })).status;
    for (const host of ["localhost", "192.168.0.1:8787", "[fe80::1]:8787", hostname(), "sandbox:8787", "SANDBOX"]) {
      expect([host, await statusFor(host)]).toEqual([host, 200]);
    }
    for (const host of ["a.page", "a.page:8787", "localhost.a.page", "sandbox.a.page"]) {
      expect([host, await statusFor(host)]).toEqual([host, 403]);
    }
    const answer = await request(url + META, { headers: { token: KEY, host: "a.page" } });
    expect(answer.headers["x-solx-hint"]).toContain("--allow-host");
  });

  test.each([-1, 65_536, 1.5, Number.NaN])("%d is not a port", async (port) => {
    await expect(start(testService(), { port })).rejects.toMatchObject({ name: "UsageError", code: "BAD_PORT" });
  });

  test("a port in use is reported with a remedy", async () => {
    const { port } = await start();
    await expect(start(testService(), { port })).rejects.toMatchObject({
      name: "UsageError",
      code: "PORT_TAKEN",
      message: `port ${port} is in use`,
      hint: expect.stringContaining("--port 0"),
    });
  });

  test("IPv6 loopback, where available", async ({ skip }) => {
    const server = await start(testService(), { host: "::1" }).catch(() => skip("no IPv6"));
    expect(server.url).toMatch(/^http:\/\/\[::1\]:\d+$/);
    expect((await request(server.url + META)).status).toBe(200);
  });

  test("closes within a second, whatever is open", async () => {
    const service = testService({ fault: ["hang#1", "drip=10m#2", "latency=10m#3"] });
    const server = await start(service);
    const idle = net.connect(server.port, "127.0.0.1");
    const half = net.connect(server.port, "127.0.0.1", () => half.write("GET / HTTP/1.1\r\n"));
    const sockets = [idle, half].map((socket) => new Promise((gone) => socket.on("error", gone).on("close", gone)));
    const pending = [1, 2, 3, 4].map(() =>
      fetch(server.url + META, { headers: { token: KEY } }).catch(() => undefined),
    );
    await new Promise((passed) => setTimeout(passed, 50));
    await Promise.all([server.close(), server.close()]);
    await Promise.all([...sockets, ...pending]);
    await expect(request(server.url + META)).rejects.toMatchObject({ code: "ECONNREFUSED" });
  });
});
