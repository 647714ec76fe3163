/** Misbehaving servers: the exit code, the error as JSON, and nothing on standard output. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { runInProcess } from "../support/in-process.ts";
import { sendJson, serve } from "../support/server.ts";
import { solx } from "../support/solx.ts";

const USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const KEY = "key-that-must-not-leak-0123456789";

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

const html =
  (status: number): Handler =>
  (_, response) =>
    response
      .writeHead(status, { "content-type": "text/html" })
      .end("<!doctype html><title>Just a moment...</title><p>challenge");
const failure =
  (status: number, text: string): Handler =>
  (_, response) =>
    sendJson(response, text, status);
const body =
  (text: string, type = "application/json"): Handler =>
  (_, response) =>
    response.writeHead(200, { "content-type": type }).end(text);

const CASES: readonly (readonly [title: string, exit: number, handler: Handler])[] = [
  [
    "400 with the validation code",
    2,
    failure(400, '{"success":false,"errors":{"code":1100,"message":"Validation Error: x"}}'),
  ],
  ["401 with errors", 3, failure(401, '{"success":false,"errors":{"code":401,"message":"Token is invalid"}}')],
  ["401 with error_message", 3, failure(401, '{"error_message":"Token is missing"}')],
  ["401 with message", 3, failure(401, '{"message":"Token is missing"}')],
  ["403", 4, failure(403, '{"success":false,"errors":{"code":403,"message":"Upgrade your plan"}}')],
  ["404", 5, failure(404, '{"success":false,"errors":{"code":404,"message":"Not found"}}')],
  ["429", 6, failure(429, '{"success":false,"errors":{"code":429,"message":"Too many requests"}}')],
  [
    "429 because compute units are used up",
    7,
    failure(429, '{"success":false,"errors":{"code":429,"message":"Compute units limit exceeded"}}'),
  ],
  ["500", 8, failure(500, '{"success":false,"errors":{"code":500,"message":"Internal Server Error"}}')],
  ["502 with HTML", 8, html(502)],
  ["403 with HTML", 4, html(403)],
  ["200 with HTML", 8, html(200)],
  ["an empty body", 8, body("")],
  ["null", 8, body("null")],
  ["text that is not JSON", 8, body("upstream said no", "text/plain")],
  ["a truncated document", 8, body('{"success":true,"data":{"a":1')],
  [
    "success:false under 200 with the validation code",
    2,
    body('{"success":false,"errors":{"code":1100,"message":"Validation Error: y"}}'),
  ],
  ["success:false under 200 with 401", 3, body('{"success":false,"errors":{"code":401,"message":"Token is invalid"}}')],
  ["success:false under 200 without a reason", 8, body('{"success":false}')],
  [
    "a body shorter than announced",
    8,
    (request, response) => {
      response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
      response.write('{"success":true,', () => request.socket.destroySoon());
    },
  ],
  [
    "chunks without an end",
    8,
    (request, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.write('{"success":true,', () => request.socket.end());
    },
  ],
  [
    "broken compression",
    8,
    (_, response) => response.writeHead(200, { "content-encoding": "gzip" }).end("not gzip at all"),
  ],
  ["a connection reset", 9, (request) => request.socket.resetAndDestroy()],
  ["no answer at all", 9, () => {}],
  ["a head without a body", 9, (_, response) => response.writeHead(200).flushHeaders()],
  [
    "a slow drip of bytes",
    9,
    (_, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      const timer = setInterval(() => response.write(" "), 50);
      response.on("close", () => clearInterval(timer));
    },
  ],
  [
    "a redirect to another host",
    9,
    (_, response) => response.writeHead(302, { location: "http://127.0.0.2:9/elsewhere" }).end(),
  ],
  ["a redirect loop", 9, (request, response) => response.writeHead(302, { location: request.url ?? "/" }).end()],
];

describe("a misbehaving server", () => {
  test.each(CASES)("%s", async (_title, exit, handler) => {
    const { url } = await serve(handler);
    const args = ["token", "meta", USDC, `SOLX_BASE_URL=${url}`, "SOLX_RETRIES=0", "--timeout", "1", "-v"];
    const { code, stdout, stderr } = await runInProcess(args, { env: { SOLX_API_KEY: KEY } });
    expect(stdout).toBe("");
    expect(code).toBe(exit);
    expect(stderr).not.toContain(KEY);
    expect(stderr).not.toMatch(/^\s+at /m);
    const { errors } = JSON.parse(stderr.trimEnd().split("\n").at(-1) ?? "");
    expect(errors.message).toMatch(/\S.*\S/);
    expect(Object.keys(errors)).toEqual(["code", "message", "status", "retryable", "hint"]);
  });

  test("connection refused", async () => {
    const server = await serve(() => {});
    await server.close();
    const { code, stderr } = await solx(["chaininfo", `SOLX_BASE_URL=${server.url}`, "SOLX_RETRIES=0"]);
    expect(code).toBe(9);
    expect(JSON.parse(stderr).errors.message).toContain("refuses connections");
  });

  test("a temporary failure is retried", async () => {
    const server = await serve((_, response, count) =>
      count === 1 ? sendJson(response, "{}", 503) : sendJson(response, '{"success":true,"data":{"a":1}}'),
    );
    const { code, stdout } = await runInProcess(["token", "meta", USDC, `SOLX_BASE_URL=${server.url}`]);
    expect({ code, data: JSON.parse(stdout) }).toEqual({ code: 0, data: { a: 1 } });
    expect(server.requests).toHaveLength(2);
  });

  test("a wait beyond --max-wait fails at once and says when to retry", async () => {
    const server = await serve((_, response) =>
      sendJson(response, '{"success":false}', 429, { "retry-after": "86400" }),
    );
    const { code, stderr } = await runInProcess([
      "token",
      "meta",
      USDC,
      `SOLX_BASE_URL=${server.url}`,
      "--max-wait",
      "5",
    ]);
    expect(code).toBe(6);
    expect(JSON.parse(stderr).errors.hint + JSON.parse(stderr).errors.message).toMatch(
      /86 ?400|24 h|1 day|2026|\d\d:\d\d/,
    );
    expect(server.requests).toHaveLength(1);
  });

  test("a key in the server's message is masked", async () => {
    const { url } = await serve((request, response) =>
      sendJson(
        response,
        JSON.stringify({ success: false, errors: { code: 401, message: `Key ${request.headers.token} is unknown` } }),
        401,
      ),
    );
    const { code, stderr } = await solx(["token", "meta", USDC, `SOLX_BASE_URL=${url}`], {
      env: { SOLX_API_KEY: KEY },
    });
    expect(code).toBe(3);
    expect(stderr).not.toContain(KEY);
  });

  test("unusual but readable answers are accepted", async () => {
    for (const handler of [
      body('\uFEFF{"success":true,"data":{"a":1}}'),
      body('{"success":true,"data":{"a":1}}', "text/plain"),
      ((_, response) =>
        response
          .writeHead(200, { "content-encoding": "gzip" })
          .end(gzipSync('{"success":true,"data":{"a":1}}'))) as Handler,
    ]) {
      const { url } = await serve(handler);
      expect(JSON.parse((await runInProcess(["token", "meta", USDC, `SOLX_BASE_URL=${url}`])).stdout)).toEqual({
        a: 1,
      });
    }
  });
});
