/** `solx mcp` with the client of the MCP SDK. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Json, type JsonObject, parseJson, stringifyJson } from "../../src/base/json.ts";
import { endpoints } from "../../src/catalogue/index.ts";
import { BONK, JUPITER, USDC, WALLET } from "../../src/catalogue/samples.ts";
import { allRows, type McpConnection, startMcp } from "../support/mcp.ts";
import { sandboxEnv } from "../support/sandbox.ts";
import { sendJson, serve, type TestServer } from "../support/server.ts";
import { createTempFolder, solx, startSolx } from "../support/solx.ts";

/** Control characters, bidirectional controls and invisible characters. */
const HAZARD =
  /[\0-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\udb40[\udc00-\udc7f]/;

/** Emoji may contain invisible characters. */
const EMOJI = new RegExp(["\\p{RGI_Emoji}"].join(), "gv");

/** A sandbox with hostile names and memos. */
const ENV = sandboxEnv({ SOLX_SANDBOX_HOSTILE: "on", SOLX_SANDBOX_NOW: "2026-06-01" });
const PAGED = { endpoint: "account transfer", params: { address: WALLET } };

function textsIn(value: Json): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value as JsonObject).flatMap(textsIn) : [];
}

describe("with the sandbox", () => {
  let server: McpConnection;
  beforeAll(async () => {
    server = await startMcp(["--sandbox", "--max-bytes", "8000"], ENV);
  });
  afterAll(() => server.client.close());

  test("the tools are read-only and briefly described", async () => {
    const { tools } = await server.client.listTools();
    expect(tools.map(({ name }) => name).sort()).toEqual(
      ["call_endpoint", "describe_endpoint", "more", "search_endpoints", "show", "usage"].sort(),
    );
    // A token is about four characters. Models do not read the schemas of results.
    const described = JSON.stringify(tools.map(({ outputSchema: _, ...tool }) => tool));
    expect(described.length + (server.client.getInstructions() ?? "").length).toBeLessThan(4 * 1050);
    for (const { annotations, inputSchema, description } of tools) {
      expect(annotations?.readOnlyHint).toBe(true);
      expect(inputSchema.type).toBe("object");
      expect(description).toMatch(/\.$/);
    }
    expect(server.client.getInstructions()).toMatch(/data, never instructions/);
  });

  test("lists of days start with the latest one, and the cursor continues with older ones", async () => {
    const params = { address: USDC, range: 30 };
    const first = await server.call("call_endpoint", { endpoint: "token historical-data", params, rows: 3 });
    const rest = await server.call("more", { cursor: first.value.cursor, rows: 3 });
    const days = [first, rest].flatMap(({ value }) => (value.rows as readonly JsonObject[]).map(({ date }) => date));
    expect(days).toHaveLength(6);
    expect(days).toEqual(days.toSorted().toReversed());
    expect([20260531, 20260601]).toContain(days[0]);
  });

  test("search_endpoints, describe_endpoint, call_endpoint and more work together", async () => {
    const all = await server.call("search_endpoints");
    expect(all.value.endpoints).toEqual(endpoints.map(({ command }) => command));
    const matches = await server.call("search_endpoints", { query: "who holds a token" });
    const [first] = matches.value.endpoints as readonly JsonObject[];
    expect(first?.endpoint).toBe("token holders");
    const { value } = await server.call("describe_endpoint", { endpoint: "token holders" });
    expect(Object.keys(value.params as JsonObject)).toEqual(expect.arrayContaining(["address", "from_amount"]));
    expect(Object.keys(value.fields as JsonObject)).toContain("amount");
    expect(value.cost).toBe("100 compute units per request");
    const params = { address: USDC };
    const one = await server.call("call_endpoint", { endpoint: "token holders", params, rows: 2 });
    expect(one.value).toMatchObject({ endpoint: "token holders", range: "1-2", more: "yes", units: 100 });
    const next = await server.call("more", { cursor: one.value.cursor, rows: 1 });
    // The remaining rows of a requested page are free.
    expect(next.value).toMatchObject({ range: "3-3", units: 0 });
    expect((next.value.rows as readonly JsonObject[])[0]?.rank).toBe(3);
    // A cursor can be used repeatedly.
    const again = await server.call("more", { cursor: one.value.cursor, rows: 1 });
    expect(again.value.rows).toEqual(next.value.rows);
  });

  test("cursors return the same rows as --all", async () => {
    const rows = await allRows(server, PAGED, 45);
    const options = ["--all", "-o", "ndjson", "--sandbox"];
    const { stdout } = await solx(["account", "transfer", WALLET, ...options], { env: ENV });
    expect(rows.length).toBeGreaterThan(100);
    expect(rows.map((row) => stringifyJson(row))).toEqual(
      stdout
        .trim()
        .split("\n")
        .map((line) => stringifyJson(parseJson(line))),
    );
  });

  test("a call with several requests reports progress", async () => {
    const before = server.messages.length;
    const { value } = await server.call(
      "call_endpoint",
      { endpoint: "account transactions", params: { address: WALLET }, rows: 100, fields: ["fee"] },
      { onprogress: () => {} },
    );
    const notifications = server.messages.slice(before) as { method?: string; params?: { progress: number } }[];
    const progress = notifications.filter(({ method }) => method === "notifications/progress");
    expect(progress.map(({ params }) => params?.progress)).toEqual([40, 80, 100]);
    expect(value.units).toBe(300);
  });

  test("arguments are read leniently", async () => {
    const plain = await server.call("call_endpoint", {
      endpoint: "account transfer",
      params: {
        address: WALLET,
        flow: "in",
        activity_type: ["ACTIVITY_SPL_TRANSFER", "ACTIVITY_SPL_BURN"],
        value: [0, 50],
      },
      rows: 3,
    });
    const odd = await server.call("call_endpoint", {
      endpoint: "/account/transfer",
      params: JSON.stringify({ "activity-type": "transfer, burn", "value[]": { min: "0", max: 50 } }),
      address: `https://solscan.io/account/${WALLET}`,
      flow: "IN",
      limit: "3",
    });
    expect(plain.value.rows).toHaveLength(3);
    expect(odd.value.rows).toEqual(plain.value.rows);
    expect(String(odd.value.notes)).toMatch(/address: taken from the link/);
    const selected = await server.call("call_endpoint", { ...PAGED, rows: 1, fields: "amount, trans_id" });
    expect(Object.keys((selected.value.rows as readonly JsonObject[])[0] ?? {})).toEqual(["amount", "trans_id"]);
  });

  test("text from the chain is escaped, and no result is too large", async () => {
    const named = await Promise.all(
      ["token latest", "nft news", "nft collection-lists", "transaction last"].map((endpoint) =>
        server.call("call_endpoint", { endpoint, rows: 100 }),
      ),
    );
    const contents = named.map(({ isError, texts, value, structured }) => {
      expect(isError).toBe(false);
      expect(Buffer.byteLength(texts[0] ?? "")).toBeLessThanOrEqual(8000);
      for (const text of texts) expect(text).not.toMatch(HAZARD);
      for (const text of textsIn(structured)) expect(text.replace(EMOJI, "")).not.toMatch(HAZARD);
      return textsIn(value).join("\n");
    });
    // The sandbox is hostile.
    expect(contents.join("\n")).toMatch(HAZARD);
  });

  test("a large object is returned in parts that concatenate to the whole", async () => {
    const params = { address: WALLET };
    const lists = { endpoint: "account transactions", params: { address: JUPITER } };
    const { value } = await server.call("call_endpoint", { ...lists, rows: 20, fields: ["tx_hash"] });
    let what = "";
    let brief: Awaited<ReturnType<typeof server.call>> | undefined;
    for (const row of value.rows as readonly JsonObject[]) {
      what = String(row.tx_hash);
      brief = await server.call("show", { what });
      if (brief.value.notes !== undefined) break;
    }
    expect(brief?.value.notes).toEqual([expect.stringMatching(/^Omitted: parsed_instructions, .*"full": true/)]);
    let result = await server.call("show", { what, full: true });
    expect(result.value.note).toMatch(/select "fields".*"rows".*Largest fields: /);
    let whole = "";
    for (let parts = 1; result.value.part !== undefined; parts += 1) {
      whole += result.texts[1];
      expect(result.structured.text).toBe(result.texts[1]);
      expect(Buffer.byteLength(result.texts[1] ?? "")).toBeLessThanOrEqual(8000);
      if (result.value.cursor === undefined) break;
      result = await server.call("more", { cursor: result.value.cursor });
      expect(parts).toBeLessThan(50);
    }
    const { data } = parseJson(whole) as JsonObject;
    expect(data as JsonObject).toHaveProperty("parsed_instructions");
    const few = await server.call("call_endpoint", { endpoint: "account portfolio", params, rows: 2 });
    expect((few.value.data as JsonObject).tokens).toHaveLength(2);
    expect(String(few.value.notes)).toMatch(/tokens: 2 of \d+ rows/);
  });

  test("a page that is likely empty is not requested", async () => {
    const short = { address: WALLET, token: [USDC], flow: "in", from_time: "1d" };
    const { value } = await server.call("call_endpoint", { endpoint: "account transfer", params: short, rows: 100 });
    expect(value).toMatchObject({ more: "unlikely", units: 100, cursor: expect.any(String) });
    const rest = await server.call("more", { cursor: value.cursor });
    expect(rest.value).toMatchObject({ more: "no", units: 100, rows: [] });
    const none = { address: WALLET, from_time: "2020-01-01", to_time: "2020-01-02" };
    const empty = await server.call("call_endpoint", { endpoint: "account transfer", params: none });
    expect(empty.value).toMatchObject({ more: "no", units: 100, rows: [] });
    expect(empty.value.cursor).toBeUndefined();
  });

  test("errors have hints in terms of the tools", async () => {
    const failures = await Promise.all([
      server.call("call_endpoint", { endpoint: "token holdrs" }),
      server.call("call_endpoint", { endpoint: "token holders", params: { address: "xyz" } }),
      server.call("call_endpoint", { endpoint: "token holders", params: { addres: USDC } }),
      server.call("call_endpoint", { endpoint: "token holders", params: { address: USDC }, fields: ["amout"] }),
      server.call("call_endpoint", { ...PAGED, rows: 0 }),
      server.call("more", { cursor: "c1-zzzzzz" }),
      server.call("more", { cursor: "next page" }),
      server.call("show", { what: "0x52908400098527886E0F7030069857D2E4169EE7" }),
      server.call("show", {}),
      server.call("show", { what: "nosuchtoken" }),
      server.call("call_endpoint", { ...PAGED, params: { address: WALLET, value: 5 } }),
      server.call("call_endpoint", { ...PAGED, params: { address: WALLET, activity_type: "foo" } }),
      server.call("call_endpoint", { endpoint: `/account/transfer?address=${WALLET}&flow=up` }),
      server.call("search_endpoints", { q: "holders" }),
      server.call("search_endpoints", { query: 5 }),
      server.call("describe_endpoint", {}),
      server.call("call_endpoint", { endpoint: "account transfer" }),
      server.call("call_endpoint", { endpoint: "account transfer", params: {} }),
    ]);
    const texts = failures.map(({ isError, value, structured }) => {
      expect(isError).toBe(true);
      expect(structured).toEqual(value);
      const { parameter, message, hint, exit, exit_code: code } = value.error as JsonObject;
      expect([exit, code]).toEqual(["usage", 2]);
      return `${parameter}: ${message} ${hint}`;
    });
    expect(texts).toEqual([
      expect.stringMatching(/^endpoint: unknown endpoint "token holdrs" Did you mean token holders\b/),
      expect.stringMatching(/^address: No token has the symbol "xyz"\./),
      expect.stringMatching(/^addres: .* Did you mean address\?/),
      expect.stringMatching(/^fields: .* Did you mean amount\?/),
      expect.stringMatching(/^rows: .* from 1 to 1000/),
      expect.stringMatching(/^cursor: cursor "c1-zzzzzz" has expired Repeat the call/),
      expect.stringMatching(/^cursor: invalid cursor "next page"/),
      expect.stringMatching(/^what: .* EVM chain/),
      expect.stringMatching(/^what: "what" is required/),
      expect.stringMatching(/^what: No token has the symbol "nosuchtoken"\. .*call_endpoint.*"token search"/),
      expect.stringMatching(/^value: .* as a list: \[1, 100\]/),
      expect.stringMatching(/^activity_type: .* Short values: one of transfer, .*; newer servers also accept/),
      expect.stringMatching(/^flow: .* must be one of/),
      expect.stringMatching(/^q: unknown argument "q" of search_endpoints Arguments: query\.$/),
      expect.stringMatching(/^query: "query" must be a string/),
      expect.stringMatching(/^endpoint: "endpoint" is required .*Example: \{"endpoint":"account transfer"\}/),
      expect.stringMatching(/^address: .*[Aa]ddress.* Example: \{"params":\{"address":"/),
      expect.stringMatching(/^address: .*[Aa]ddress.* Example: \{"params":\{"address":"/),
    ]);
    // An unknown tool is a protocol error.
    await expect(server.call("nothing_like_it")).rejects.toThrow(/not found/);
  });

  test("symbols stand for mints, and an impostor is refused with its candidates", async () => {
    const meta = await server.call("call_endpoint", { endpoint: "token meta", params: { address: "bonk" } });
    expect(meta.value.data).toMatchObject({ address: BONK });
    expect((await server.call("show", { what: "BONK" })).value).toMatchObject({ is: "token", id: BONK });
    const params = { address: WALLET, amount: "1.5usdc.." };
    expect((await server.call("call_endpoint", { endpoint: "account transfer", params })).isError).toBeFalsy();
    const fake = await server.call("show", { what: "USD\u0421" });
    expect(fake.value.error).toMatchObject({
      code: "AMBIGUOUS_SYMBOL",
      parameter: "what",
      candidates: [{ symbol: "USD\u0421", is_verified: false }],
    });
  });

  test("names of the address book stand for addresses, which the result states", async () => {
    await solx(["names", "add", "cold-wallet", WALLET], { env: ENV });
    const note = `cold-wallet is ${WALLET} (address book)`;
    const detail = await server.call("call_endpoint", {
      endpoint: "account detail",
      params: { address: "Cold-Wallet" },
    });
    expect(detail.value).toMatchObject({ data: { account: WALLET }, notes: expect.arrayContaining([note]) });
    expect((await server.call("show", { what: "cold-wallet" })).value).toMatchObject({ id: WALLET, notes: [note] });
    const typo = await server.call("call_endpoint", { endpoint: "account detail", params: { address: "cold-walet" } });
    expect(typo.value.error).toMatchObject({ code: "UNKNOWN_NAME", parameter: "address" });
    await solx(["names", "remove", "cold-wallet"], { env: ENV });
  });

  test("usage returns the units of the key and of this server", async () => {
    const { value } = await server.call("usage");
    expect(Object.keys(value.key as JsonObject)).toContain("remaining_cus");
    const { units, requests } = value.this_server as JsonObject;
    expect(units).toBe(100 * Number(requests));
  });
});

describe("with a network", () => {
  const home = createTempFolder();
  let api: TestServer;
  let server: McpConnection;
  const blockedCalls: { closed: Promise<void>; received: Promise<void> }[] = [];
  beforeAll(async () => {
    const received = Promise.withResolvers<void>();
    const closed = Promise.withResolvers<void>();
    blockedCalls.push({ received: received.promise, closed: closed.promise });
    api = await serve((request, response) => {
      if (request.url?.includes("/block/detail")) {
        response.on("close", () => closed.resolve());
        return received.resolve();
      }
      if (request.url?.includes("/token/trending")) return sendJson(response, "{}", 429, { "retry-after": "600" });
      if (request.headers.token === undefined) return sendJson(response, '{"success":false}', 401);
      sendJson(response, `{"success":true,"data":{"account":"${WALLET}","lamports":18446744073709551615,"rent":0.10}}`);
    });
    const options = [`SOLX_BASE_URL=${api.url}`, "--max-units", "400"];
    server = await startMcp(
      options,
      {
        SOLX_HOME: home,
        SOLX_API_KEY: undefined,
        SOLX_CACHE: "off",
        SOLX_RETRIES: "0",
        SOLX_BUDGET: "process",
        SOLX_CONFIRM_UNITS: "600",
      },
      true,
    );
  });
  afterAll(async () => {
    await server.client.close();
    await api.close();
  });

  test("negotiates the latest protocol version", () => {
    expect(server.client.getNegotiatedProtocolVersion()).toBe("2026-07-28");
  });

  test("a key saved while the server runs is used, and numbers are exact", async () => {
    const params = { address: WALLET };
    const { isError, value } = await server.call("call_endpoint", { endpoint: "account detail", params });
    expect(isError).toBe(true);
    expect(value.error).toMatchObject({ exit: "auth", exit_code: 3, hint: expect.stringMatching(/solx auth login/) });
    writeFileSync(join(home, "credentials.json"), '{"default":"test-key-0123456789abcdef"}', { mode: 0o600 });
    const { texts, structured } = await server.call("call_endpoint", { endpoint: "account detail", params });
    expect(texts[0]).toContain('"lamports":18446744073709551615,"rent":0.10');
    expect(structured.data).toEqual({ account: WALLET, lamports: "18446744073709551615", rent: "0.10" });
    expect(api.requests.at(-1)?.headers.token).toBe("test-key-0123456789abcdef");
    const mistake = { endpoint: "account detail", params: { address: "test-key-0123456789abcdef" } };
    const failed = JSON.stringify(await server.call("call_endpoint", mistake));
    expect(failed).toContain("***");
    expect(failed).not.toContain("test-key-0123456789abcdef");
  });

  test("a cancelled call aborts its request, other calls continue", async () => {
    const controller = new AbortController();
    const [block] = blockedCalls;
    const call = server.call("show", { what: "385804412" }, { signal: controller.signal });
    const failure = expect(call).rejects.toThrow();
    await block?.received;
    controller.abort();
    await failure;
    await block?.closed;
    expect((await server.call("search_endpoints", { query: "block" })).isError).toBe(false);
  });

  test("a long rate-limit wait is reported instead of waited for", async () => {
    const { isError, value } = await server.call("call_endpoint", { endpoint: "token trending" });
    expect(isError).toBe(true);
    expect(value.error).toMatchObject({ exit: "rateLimited", exit_code: 6, retryable: true, retry_after: 600 });
    expect((value.error as JsonObject).hint).toMatch(/^Wait 600 s/);
  });

  test("the spending limits of a call and of the server apply", async () => {
    const params = {
      address: [WALLET, USDC, WALLET.replace("5", "6"), USDC.replace("E", "F"), "11111111111111111111111111111111"],
    };
    const sent = api.requests.length;
    const { value } = await server.call("call_endpoint", { endpoint: "account metadata-multi", params });
    expect(value.error).toMatchObject({ exit: "quota", exit_code: 7, code: "MAX_UNITS" });
    expect((value.error as JsonObject).message).toMatch(/^This call costs 500 compute units, but \d+ of the 400 /);
    const more = { address: [...params.address, WALLET.replace("5", "7"), WALLET.replace("5", "8")] };
    const refused = await server.call("call_endpoint", { endpoint: "account metadata-multi", params: more });
    expect(refused.value.error).toMatchObject({ exit: "usage", code: "NOT_CONFIRMED" });
    expect(api.requests).toHaveLength(sent);
  });
});

test("invalid lines get errors, requests get responses, and the end of the input ends the server", async () => {
  const call = (id: number, name: string, input: object) =>
    JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: input } });
  const clientInfo = { name: "test", version: "1" };
  const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
  const lines = [
    JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params }),
    "{ not json",
    '{"neither":"request nor answer"}',
    JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" }),
    call(2, "show", { what: "385804412" }),
    call(3, "describe_endpoint", { endpoint: "block detail" }),
  ];
  const { code, stdout, stderr } = await solx(["mcp"], { input: lines.join("\n"), env: { SOLX_API_KEY: undefined } });
  expect(code).toBe(0);
  expect(stderr).toMatch(/invalid JSON/);
  // stdout has nothing but messages.
  const all = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(all.filter(({ id }) => id === null).map(({ error }) => error.code)).toEqual([-32700, -32600]);
  const answers = all.filter(({ id }) => id !== null);
  expect(answers.map(({ id }) => id).sort()).toEqual([1, 2, 3]);
  const [, second, third] = answers.sort((a, b) => a.id - b.id);
  // Tools without requests work without a key.
  expect(second.result.structuredContent.error).toMatchObject({ exit: "auth", code: "NO_KEY" });
  expect(second.result.structuredContent.error.hint).toMatch(/SOLX_API_KEY/);
  expect(third.result.isError).toBeUndefined();
});

test("a call without a response times out after the end of the input, and usage works when all units are spent", async () => {
  const api = await serve(() => {});
  const call = (id: number, name: string, input: object) =>
    JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: input } });
  const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } };
  const lines = [
    JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params }),
    call(2, "show", { what: "385804412" }),
    call(3, "usage", {}),
  ];
  const options = [`SOLX_BASE_URL=${api.url}`, "--max-wait", "1", "--max-units", "100"];
  const { code, stdout } = await solx(["mcp", ...options], { input: lines.join("\n") });
  await api.close();
  expect(code).toBe(0);
  const answers = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const [late, usage] = [2, 3].map((id) => answers.find((answer) => answer.id === id).result.structuredContent);
  expect(late.error).toMatchObject({
    code: "TIMEOUT",
    exit: "network",
    message: expect.stringMatching(/within 1 s/),
    retryable: true,
  });
  expect(usage).toMatchObject({
    this_server: { requests: 0, units_allowed: 100 },
    note: expect.stringMatching(/costs 100 compute units/),
  });
});

test("a signal stops it, invalid options prevent the start", async () => {
  const child = startSolx(["mcp", "--sandbox"], { env: ENV });
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  child.stdin.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
  child.stdout.once("data", () => child.kill("SIGTERM"));
  const [code, wrong] = await Promise.all([ended, solx(["mcp", "--max-rows", "many"])]);
  expect(code).toBe(143);
  expect(wrong).toMatchObject({ code: 2, stdout: "" });
  expect(wrong.stderr).toMatch(/for --max-rows: expected a whole number from 1 to 5000/);
});
