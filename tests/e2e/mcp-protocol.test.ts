/** What MCP clients expect besides tools: schemas, resources, prompts, progress; over both transports. */
import { registerSchema, validate } from "@hyperjump/json-schema/draft-2020-12";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { JsonObject } from "../../src/base/json.ts";
import { endpoints } from "../../src/catalogue/index.ts";
import { SIGNATURE, USDC, WALLET } from "../../src/catalogue/samples.ts";
import { type McpConnection, type McpHttpServer, startMcp, startMcpHttp } from "../support/mcp.ts";
import { sandboxEnv } from "../support/sandbox.ts";
import { sendJson, serve } from "../support/server.ts";
import { solx } from "../support/solx.ts";

const ENV = sandboxEnv({ SOLX_SANDBOX_NOW: "2026-06-01" });
const ARGS = ["--sandbox", "--max-bytes", "8000"];
const HOLDERS = { endpoint: "token holders", params: { address: USDC } };

type Connection = Omit<McpConnection, "stderr">;

/** What both transports and both generations of the protocol have in common. */
const TRANSPORTS: readonly (readonly [string, () => Promise<Connection>])[] = [
  ["stdio", () => startMcp(ARGS, ENV)],
  ["stdio, newest protocol", () => startMcp(ARGS, ENV, true)],
  ["HTTP", () => connectHttp(false)],
  ["HTTP, newest protocol", () => connectHttp(true)],
];

async function connectHttp(modern: boolean): Promise<Connection> {
  const server = await startMcpHttp(ARGS, ENV);
  onTestFinished(async () => void (await server.stop()));
  return server.connect(modern);
}

describe.each(TRANSPORTS)("over %s", (_name, connect) => {
  test("tools, resources, prompts and completion", async () => {
    const { client, call } = await connect();
    onTestFinished(() => client.close());
    const { tools } = await client.listTools();
    expect(tools).toHaveLength(6);
    const first = await call("call_endpoint", { ...HOLDERS, rows: 2 });
    expect(first.value).toMatchObject({ range: "1-2", more: "yes" });
    // The cursor of one request is valid in the next one.
    const next = await call("more", { cursor: first.value.cursor, rows: 1 });
    expect(next.value).toMatchObject({ range: "3-3", units: 0 });
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toContain("solx://docs/exit-codes");
    const { contents } = await client.readResource({ uri: "solx://docs/account-transfer" });
    expect(contents).toEqual([
      expect.objectContaining({ mimeType: "text/markdown", text: expect.stringMatching(/^# .*account transfer/m) }),
    ]);
    await expect(client.readResource({ uri: "solx://docs/exit-code" })).rejects.toThrow(/solx:\/\/docs\/exit-codes/);
    const ref = { type: "ref/resource", uri: "solx://docs/{page}" } as const;
    const { completion } = await client.complete({ ref, argument: { name: "page", value: "token-price" } });
    expect(completion.values).toEqual(expect.arrayContaining(["token-price", "token-price-latest"]));
    const { prompts } = await client.listPrompts();
    const [prompt] = prompts.filter(({ name }) => name === "explain_transaction");
    expect(prompt?.arguments).toEqual([expect.objectContaining({ name: "signature", required: true })]);
    const { messages } = await client.getPrompt({ name: "explain_transaction", arguments: { signature: SIGNATURE } });
    expect(messages).toEqual([
      { role: "user", content: { type: "text", text: expect.stringContaining(`transaction ${SIGNATURE}`) } },
    ]);
    await expect(client.getPrompt({ name: "explain_transaction" })).rejects.toThrow(/signature/);
  });
});

describe("schemas", () => {
  let server: McpConnection;
  beforeAll(async () => {
    server = await startMcp(ARGS, ENV);
  });
  afterAll(() => server.client.close());

  test("arguments are strict, with the maximum of rows", async () => {
    const { tools } = await server.client.listTools();
    for (const { inputSchema } of tools) expect(inputSchema.additionalProperties).toBe(false);
    const rows = tools.flatMap(({ inputSchema }) => inputSchema.properties?.rows ?? []);
    expect(rows).toEqual(new Array(3).fill(expect.objectContaining({ minimum: 1, maximum: 1000 })));
    const many = await server.call("call_endpoint", { ...HOLDERS, rows: 1001 });
    expect(many.value.error).toMatchObject({ parameter: "rows", message: expect.stringContaining("from 1 to 1000") });
    const reduced = await server.call("call_endpoint", { ...HOLDERS, rows: 150 });
    expect(reduced.value.notes).toEqual(
      expect.arrayContaining(['A result has at most 100 rows; with "fields" at most 1000.']),
    );
  });

  test("structured content of every form matches the schema of the tool", async () => {
    const { tools } = await server.client.listTools();
    const calls: readonly (readonly [string, Record<string, unknown>])[] = [
      ["search_endpoints", {}],
      ["search_endpoints", { query: "who holds a token" }],
      ["search_endpoints", { query: "xyzzy" }],
      ["describe_endpoint", { endpoint: "token holders" }],
      ...endpoints.map(({ command, examples }) => {
        const params = examples[0]?.params ?? {};
        return ["call_endpoint", { endpoint: command, params, rows: 3 }] as const;
      }),
      ["call_endpoint", { endpoint: "account portfolio", params: { address: WALLET } }],
      ["call_endpoint", { endpoint: "nothing" }],
      ["more", { cursor: (await server.call("call_endpoint", { ...HOLDERS, rows: 2 })).value.cursor }],
      ["show", { what: WALLET }],
      ["show", { what: USDC }],
      ["show", { what: SIGNATURE }],
      ["show", { what: SIGNATURE, full: true }],
      ["usage", {}],
    ];
    for (const { name, outputSchema } of tools) {
      const $schema = "https://json-schema.org/draft/2020-12/schema";
      registerSchema({ $schema, ...(outputSchema as JsonObject) } as never, `https://solx.test/mcp/${name}`);
    }
    const forms = new Set<string>();
    for (const [name, args] of calls) {
      const schema = tools.find((tool) => tool.name === name)?.outputSchema as JsonObject;
      // The client validates too, but not errors.
      const { structured } = await server.call(name, args);
      const output = (await validate(`https://solx.test/mcp/${name}`))(structured as never, "BASIC");
      expect([name, args, output]).toEqual([name, args, { valid: true }]);
      expect(Object.keys(schema.properties as JsonObject)).toEqual(expect.arrayContaining(Object.keys(structured)));
      forms.add(Object.keys(structured).find((member) => ["rows", "data", "part", "error"].includes(member)) ?? name);
    }
    expect([...forms]).toEqual(expect.arrayContaining(["rows", "data", "part", "error", "usage"]));
  });
});

test("a call that waits for the rate limit reports progress", async () => {
  const api = await serve((_request, response) => sendJson(response, '{"success":true,"data":{"account":"a"}}'));
  onTestFinished(() => api.close());
  const options = [`SOLX_BASE_URL=${api.url}`, "--cache", "off"];
  const server = await startMcp(options, {
    SOLX_API_KEY: "test-key-0123456789abcdef",
    SOLX_RATE: "1/2",
    SOLX_BUDGET: "process",
  });
  onTestFinished(() => server.client.close());
  const request = { endpoint: "account detail", params: { address: WALLET } };
  await server.call("call_endpoint", request);
  await server.call("call_endpoint", request, { onprogress: () => {} });
  const messages = server.messages as { method?: string; params?: { progress: number; message: string } }[];
  const notifications = messages.filter(({ method }) => method === "notifications/progress");
  expect(notifications.map(({ params }) => params?.message)).toEqual([
    expect.stringMatching(/^Waiting for the rate limit \(\d+ s\)$/),
  ]);
});

describe("the HTTP server", () => {
  let server: McpHttpServer;
  beforeAll(async () => {
    server = await startMcpHttp(ARGS, ENV);
  });
  afterAll(() => server.stop());

  const send = (headers: Record<string, string>, { method = "POST", path = "" } = {}) =>
    fetch(server.url + path, {
      method,
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
      ...(method === "POST" ? { body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' } : {}),
    });
  const statusOf = async (...args: Parameters<typeof send>) => (await send(...args)).status;

  test("requires the token", async () => {
    expect(new URL(server.url).hostname).toBe("127.0.0.1");
    const authorization = `Bearer ${server.token}`;
    expect(await statusOf({ authorization })).toBe(200);
    const refused = await send({});
    expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([401, expect.stringMatching(/^Bearer/)]);
    for (const wrong of ["Bearer ", "Bearer x", `Basic ${server.token}`, `Bearer ${server.token}x`]) {
      expect([wrong, await statusOf({ authorization: wrong })]).toEqual([wrong, 401]);
    }
  });

  test("rejects web pages of other sites, other host names and other paths", async () => {
    const authorization = `Bearer ${server.token}`;
    for (const origin of ["https://evil.example", "http://127.0.0.1.evil.example", "null"]) {
      expect([origin, await statusOf({ authorization, origin })]).toEqual([origin, 403]);
    }
    expect(await statusOf({ authorization, origin: "http://localhost:6274" })).toBe(200);
    expect(await statusOf({ authorization }, { path: "/other" })).toBe(404);
    expect(await statusOf({ authorization }, { method: "GET" })).toBe(405);
    // fetch sets the header Host itself.
    const { request } = await import("node:http");
    const status = await new Promise((resolve, reject) => {
      const outgoing = request(server.url, { headers: { authorization, host: "rebound.example" } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      outgoing.on("error", reject);
      outgoing.end();
    });
    expect(status).toBe(403);
  });

  test("serves several clients at once, which share the spending of the server", async () => {
    const [one, two] = await Promise.all([server.connect(), server.connect(true)]);
    const before = ((await one.call("usage")).value.this_server as JsonObject).requests as number;
    await Promise.all([one, two].map(({ call }, page) => call("call_endpoint", { ...HOLDERS, rows: 2 + page })));
    const { requests } = (await two.call("usage")).value.this_server as JsonObject;
    expect(requests).toBeGreaterThan(before + 1);
    await Promise.all([one.client.close(), two.client.close()]);
  });

  test("a chosen token is not printed, and stopping the server is a success", async () => {
    const token = "chosen-token-0123456789";
    const chosen = await startMcpHttp(ARGS, { ...ENV, SOLX_MCP_TOKEN: token });
    const { client } = await chosen.connect();
    expect((await client.listTools()).tools).toHaveLength(6);
    await client.close();
    expect(await chosen.stop()).toBe(process.platform === "win32" ? null : 0);
  });

  test("invalid options prevent the start", async () => {
    const { port } = new URL(server.url);
    const failures = await Promise.all([
      solx(["mcp", "--http", "--sandbox", "--port", port], { env: ENV }),
      solx(["mcp", "--http", "--port", "70000"], { env: ENV }),
      solx(["mcp", "--port", "0"], { env: ENV }),
      solx(["mcp", "--http"], { env: { ...ENV, SOLX_MCP_TOKEN: "short" } }),
    ]);
    expect(failures.map(({ code, stdout }) => [code, stdout])).toEqual(failures.map(() => [2, ""]));
    expect(failures.map(({ stderr }) => stderr)).toEqual([
      expect.stringContaining("is in use"),
      expect.stringContaining("for --port: expected"),
      expect.stringContaining("--port requires --http"),
      expect.stringContaining("SOLX_MCP_TOKEN"),
    ]);
  });
});
