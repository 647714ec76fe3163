import { existsSync, readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { stringifyJson } from "../../../../src/base/json.ts";
import { joinReceived } from "../../../../src/base/received-rows.ts";
import type { Endpoint, Family } from "../../../../src/catalogue/endpoint.ts";
import { endpointByPath, returnsList } from "../../../../src/catalogue/index.ts";
import { decode } from "../../../../src/client/answer/decode.ts";
import type { PreparedRequest } from "../../../../src/client/request/prepare.ts";
import { failure, NOW, refusal, USDC } from "../../../client/servers.ts";

interface ResponseParts {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly path?: string;
  readonly family?: Family;
}

function decoded(
  body: unknown,
  { status = 200, headers = {}, path = "/token/meta", family = "v2" }: ResponseParts = {},
) {
  const endpoint = endpointByPath(family, path);
  const request: PreparedRequest = { ...(endpoint && { endpoint }), family, path, query: [], cost: 100, notes: [] };
  const url = new URL("https://api.example.test/x");
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return decode({ url, status, headers, body: text }, request, NOW);
}
const failed = (body: unknown, parts: ResponseParts = {}) => failure(decoded(body, parts));

describe("answers", () => {
  it("have the data of the envelope, and the envelope", async () => {
    const answer = await decoded({ success: true, data: { symbol: "USDC" }, metadata: { a: 1 } });
    expect(answer).toMatchObject({ data: { symbol: "USDC" }, rows: undefined, envelope: { metadata: { a: 1 } } });
  });

  it("may have no envelope", async () => {
    const bare = { blockHeight: 1, data: [1] };
    expect((await decoded(bare, { family: "legacy", path: "/account/x" })).data).toEqual(bare);
    expect(await decoded([{ currentSlot: 1 }], { family: "legacy", path: "/block/last" })).toMatchObject({
      envelope: undefined,
      rows: [{ currentSlot: 1 }],
    });
    const total = await decoded({ total: 9, data: [{ a: 1 }] }, { family: "legacy", path: "/token/holders" });
    expect(total).toMatchObject({ rows: [{ a: 1 }], at: "data", data: { total: 9 } });
    expect((await decoded({ data: { symbol: "USDC" } })).data).toEqual({ symbol: "USDC" });
  });

  it.each([
    ["where the catalogue says", { total: 1, items: [{ a: 1 }], other: [{ b: 1 }] }, "items"],
    ["in data", { total: 1, data: [{ a: 1 }], other: [{ b: 1 }] }, "data"],
    ["in the only list of objects", { total: 1, holders: [{ a: 1 }], tags: ["x"] }, "holders"],
  ])("have their rows %s", async (_where, data, at) => {
    expect(await decoded({ success: true, data }, { path: "/token/holders" })).toMatchObject({ rows: [{ a: 1 }], at });
  });

  it("have the text of their rows", async () => {
    const rows = '{"a":1.10},{"a":2}';
    const { rows: atTop = [] } = await decoded(`\uFEFF{"success":true,"data":[${rows}]}\n`, { path: "/token/list" });
    const { rows: below = [] } = await decoded(`{"data":{"total":2,"items":[${rows}]}}`, { path: "/token/holders" });
    const marks = { lead: "[", separator: ",\n", end: "]" };
    for (const list of [atTop, below]) expect(joinReceived(list, marks)).toEqual(Buffer.from('[{"a":1.10},\n{"a":2}]'));
  });

  it("without rows are empty lists", async () => {
    expect((await decoded({ success: true, data: null }, { path: "/token/list" })).rows).toEqual([]);
    expect((await decoded({ success: true, data: {} }, { path: "/token/historical-data" })).rows).toEqual([]);
    expect((await decoded({ success: true, data: { a: [{}], b: [{}] } }, { path: "/token/top" })).rows).toBeUndefined();
    expect(
      (await decoded({ success: true, data: { tokens: [{}] } }, { path: "/account/portfolio" })).rows,
    ).toBeUndefined();
  });

  it.each([
    ["a byte order mark", `\uFEFF{"success":true,"data":{"symbol":"USDC"}}`],
    ["white space around", ` \n{"success":true,"data":{"symbol":"USDC"}}\n`],
  ])("may have %s", async (_what, body) => {
    const answer = await decoded(body, { headers: { "content-type": "text/html" } });
    expect(answer.data).toEqual({ symbol: "USDC" });
    expect(answer.body).toBe(body);
  });

  it("have every digit of numbers", async () => {
    const digits = fc.stringMatching(/^-?(0|[1-9]\d{0,39})(\.\d{1,40})?([eE][+-]?\d{1,3})?$/);
    await fc.assert(
      fc.asyncProperty(digits, async (number) => {
        expect(stringifyJson((await decoded(`{"success":true,"data":{"n":${number}}}`)).data)).toBe(`{"n":${number}}`);
      }),
    );
  });
});

describe("CSV", () => {
  const path = "/account/reward/export";
  const csv = "Epoch, Effective Slot, Amount\n972,420336000,0.10\n973,420336001\n";
  const rows = [
    { Epoch: "972", "Effective Slot": "420336000", Amount: "0.10" },
    { Epoch: "973", "Effective Slot": "420336001" },
  ];

  it.each([
    ["as it is", csv],
    ["with a byte order mark and CRLF", `\uFEFF${csv.replaceAll("\n", "\r\n")}`],
    ["in a JSON string", JSON.stringify(csv)],
    ["in an envelope", JSON.stringify({ success: true, data: csv })],
  ])("%s becomes rows of text", async (_how, body) => {
    const answer = await decoded(body, { path });
    expect(answer.rows).toEqual(rows);
    expect(answer.data).toEqual(rows);
    expect(answer.body).toBe(body);
  });

  it("may be quoted, have no rows, or too many cells", async () => {
    const parts = { path, headers: { "content-type": "text/csv" } };
    expect((await decoded('"a","b"\n"x,1","y""2"', parts)).rows).toEqual([{ a: "x,1", b: 'y"2' }]);
    expect((await decoded("a,b\n", parts)).rows).toEqual([]);
    expect((await decoded("a,b\n1,2,3", parts)).rows).toEqual([{ a: "1", b: "2", column_3: "3" }]);
  });

  it("is recognised by its header: a known name, five names, or two and the content type", async () => {
    expect((await decoded("epoch,x\n", { path })).rows).toEqual([]);
    expect((await decoded("a,b,c,d,e\n1,2,3,4,5", { path })).rows).toHaveLength(1);
    expect(await failed("a,b\n1,2", { path })).toMatchObject({ exitCode: 8, code: "MALFORMED" });
  });

  it.each([
    ["in the middle of a row", "Epoch,Amount,Balance\n972,0.10,7\n973,0.1"],
    ["inside quotes", 'Epoch,Amount\n972,"0.10"\n973,"0.'],
  ])("that ends %s is incomplete", async (_where, text) => {
    expect(await failed(text, { path })).toMatchObject({ exitCode: 8, code: "TRUNCATED", retryable: true });
  });

  it("is incomplete where the status says that it is a part", async () => {
    expect(await failed("Epoch,Amount\n972,0.10\n", { path, status: 206 })).toMatchObject({ code: "TRUNCATED" });
  });

  it("is complete without a final line break if its last row is", async () => {
    expect((await decoded("Epoch,Amount\n972,0.10\n973,0.1", { path })).rows).toHaveLength(2);
    expect((await decoded("Epoch,Amount\n972,0.10\n973\n", { path })).rows).toHaveLength(2);
    expect((await decoded("Epoch,Amount\n972,0.10\n973\n974", { path })).rows).toHaveLength(3);
  });

  it("may repeat its header, also with another order of columns", async () => {
    const text = "Epoch,Amount\n972,0.10\nEpoch,Amount\n973,0.11\nAmount,Epoch\n0.12,974\n";
    expect((await decoded(text, { path })).rows).toEqual([
      { Epoch: "972", Amount: "0.10" },
      { Epoch: "973", Amount: "0.11" },
      { Epoch: "974", Amount: "0.12" },
    ]);
  });

  it("loses no cell when column names are repeated", async () => {
    expect((await decoded("Epoch,a,a,a_2,a,\n1,2,3,4,5,6", { path })).rows).toEqual([
      { Epoch: "1", a: "2", a_3: "3", a_2: "4", a_4: "5", column_6: "6" },
    ]);
  });

  it.each([undefined, "text/csv"])("is not a sentence with commas (content type %s)", async (type) => {
    const parts = { path, ...(type !== undefined && { headers: { "content-type": type, "retry-after": "9" } }) };
    expect(await failed("Too many requests, try later", parts)).toMatchObject({ name: "RateLimitError", exitCode: 6 });
    for (const text of [
      "Sorry, the service is unavailable",
      "Something went wrong, and so, as it were, we, your servers, are down",
      '[{"a":1,"b":2,"c":3,"d":4,"e":5}]',
      "5",
    ]) {
      expect(await failed(text, parts)).toMatchObject({ name: "ServerError", exitCode: 8, code: "MALFORMED" });
    }
  });

  it("is not an error", async () => {
    expect(await failed(refusal(1100, "Validation Error: no"), { path })).toMatchObject({ exitCode: 2, code: 1100 });
    expect(await failed("<html>no</html>", { path })).toMatchObject({ exitCode: 8, code: "HTML" });
    expect(await failed("", { path })).toMatchObject({ exitCode: 8, code: "EMPTY" });
    expect(await failed("try later", { path })).toMatchObject({ exitCode: 8, code: "MALFORMED" });
  });
});

describe("error responses", () => {
  it.each([
    [400, "UsageError", 2],
    [401, "AuthError", 3],
    [403, "PermissionError", 4],
    [404, "NotFoundError", 5],
    [429, "RateLimitError", 6],
    [500, "ServerError", 8],
    [503, "ServerError", 8],
    [414, "UsageError", 2],
    [407, "NetworkError", 9],
    [304, "ServerError", 8],
  ])("%i is a %s in each of the three shapes", async (status, name, exitCode) => {
    for (const body of [
      refusal(status, "The very words"),
      { error_message: "The very words" },
      { message: "The very words" },
      { success: false, error: "The very words" },
      "The very words",
    ]) {
      const error = await failed(body, { status });
      expect(error).toMatchObject({ name, exitCode, status });
      expect(error.message).toContain("The very words");
    }
    expect(await failed("", { status })).toMatchObject({ name, exitCode, status });
  });

  it.each([
    [1100, 2],
    [400, 2],
    [401, 3],
    [403, 4],
    [404, 5],
    [429, 6],
    [500, 8],
    [7, 8],
    ["ODD", 8],
  ])("with status 200 are classified by their code %s: exit %i", async (code, exitCode) => {
    const error = await failed({ success: false, errors: { code, message: "No." } });
    expect(error).toMatchObject({ exitCode, code });
    expect(error.message).toContain("No");
  });

  it("with status 200 are recognised without code or message, too", async () => {
    expect((await failed({ success: false })).exitCode).toBe(8);
    expect((await failed({ error_message: "Token is missing" })).exitCode).toBe(8);
    expect((await failed({ success: "false", data: [] })).exitCode).toBe(8);
  });

  it.each([
    [{ error: { code: 401, message: "No token" } }, 3, "No token"],
    [{ errors: [{ code: 403, message: "No plan" }] }, 4, "No plan"],
    [{ errors: ["boom", "bang"] }, 8, "boom"],
    [{ errors: "boom" }, 8, "boom"],
    [{ success: 0, message: "boom" }, 8, "boom"],
    [{ success: null }, 8, "without a reason"],
    [{ success: true, data: null, errors: { code: 404, message: "Nothing" } }, 5, "Nothing"],
    [{ success: true, errors: { code: 429, message: "Slow down" } }, 6, "Slow down"],
    [{ code: 401, message: "No token" }, 3, "No token"],
    [{ statusCode: 404, message: "Nothing here", path: "/x", timestamp: "now" }, 5, "Nothing here"],
    [{ status: 500, error: "Internal", request_id: "1" }, 8, "Internal"],
    [{ message: "boom" }, 8, "boom"],
  ])("with status 200 are recognised by their form: %j is exit %i", async (body, exitCode, words) => {
    for (const path of ["/token/meta", "/token/list"]) {
      const error = await failed(body, { path });
      expect(error.exitCode).toBe(exitCode);
      expect(error.message).toContain(words);
    }
  });

  it("are not data with such names", async () => {
    const legacy = { family: "legacy", path: "/transaction/x" } as const;
    for (const bare of [
      { status: "Success", fee: 5000, message: "x" },
      { status: "ok", code: 1 },
      { error: null, fee: 1 },
    ]) {
      expect((await decoded(bare, legacy)).data).toEqual(bare);
    }
    expect((await decoded({ success: true, data: { error: "x" }, errors: null })).data).toEqual({ error: "x" });
    const unknown = { path: "/no/such" };
    expect((await decoded({ code: 1, message: "x" }, unknown)).data).toEqual({ code: 1, message: "x" });
    for (const scalar of ["text", 5, true]) {
      expect((await decoded(JSON.stringify(scalar), unknown)).data).toBe(scalar);
      expect(await failed(JSON.stringify(scalar))).toMatchObject({ code: "MALFORMED", exitCode: 8 });
    }
  });

  it("with status 200 carry the wait that the server requests", async () => {
    expect(await failed(refusal(429, "Slow down"), { headers: { "retry-after": "7" } })).toMatchObject({
      name: "RateLimitError",
      retryAfter: 7,
    });
  });

  it.each([
    [429, "Too many requests for your subscription plan, limit exceeded", "RateLimitError"],
    [429, "Check your billing: monthly limit exceeded", "RateLimitError"],
    [429, "Rate limit exceeded: 100 CU per second", "RateLimitError"],
    [429, "Your credits are used up", "QuotaError"],
    [429, "Quota exceeded", "QuotaError"],
    [429, "Insufficient CUs", "QuotaError"],
    [403, "Compute units exhausted", "QuotaError"],
    [403, "Your subscription plan has expired, see billing", "PermissionError"],
  ])("%i %s is a %s", async (status, message, name) => {
    expect(await failed(refusal(status, message), { status })).toMatchObject({ name });
  });

  it("have the API's message and code for validation", async () => {
    const message = `Validation Error: Address [${USDC}x] is invalid`;
    expect(await failed(refusal(1100, message), { status: 400 })).toMatchObject({ message, code: 1100, status: 400 });
  });

  it("distinguish an invalid key, a small plan, spent units and too many requests", async () => {
    const spent = "Your monthly compute units limit has been exceeded";
    const haste = "Too many requests, please try again later.";
    expect((await failed(refusal(401, "Token is invalid"), { status: 401 })).hint).toContain("solx auth login");
    expect((await failed({ message: "Upgrade your plan" }, { status: 403 })).hint).toContain("plan");
    for (const status of [402, 403, 429]) {
      expect(await failed({ error_message: spent }, { status })).toMatchObject({ name: "QuotaError", exitCode: 7 });
    }
    expect((await failed(refusal(429, haste), { status: 429 })).exitCode).toBe(6);
    expect((await failed(refusal(400, "Invalid token"), { status: 400 })).exitCode).toBe(3);
  });

  it("of chaininfo are rate limits with 403", async () => {
    const chain = { family: "public", path: "/chaininfo", status: 403 } as const;
    expect(await failed(refusal(403, "Too Many Requests"), chain)).toMatchObject({
      name: "RateLimitError",
      exitCode: 6,
    });
  });

  it("carry the wait that the server requests", async () => {
    const error = await failed(refusal(429, "Slow down"), { status: 429, headers: { "retry-after": "7" } });
    expect(error).toMatchObject({ retryAfter: 7, hint: "Try again in 7 s." });
  });
});

describe("bodies that are not answers", () => {
  const challenge =
    '<!DOCTYPE html><html><head><title>Just a moment...</title><script>let x="</p>";</script></head><body>\u001b[2J</body></html>';

  const block = (title: string) =>
    `<!DOCTYPE html><html><head><title>${title}</title></head><body>Ray ID: <strong>8a1b2c3d4e5f6a7b</strong></body></html>`;

  it.each<[string, string, ResponseParts]>([
    ["chaininfo, where 403 is a rate limit", block("Attention Required! | Cloudflare"), { path: "/chaininfo" }],
    ["another endpoint", block("403 Forbidden"), {}],
    ["text without a page", "error code: 1020", { path: "/chaininfo", headers: { "cf-ray": "8a1b2c3d4e5f6a7b" } }],
    ["a challenge with the status of an overload", block("Just a moment..."), { status: 503 }],
    ["a challenge with the status of a rate limit", block("Just a moment..."), { status: 429 }],
    ["a challenge by its header", block("Loading"), { status: 503, headers: { "cf-mitigated": "challenge" } }],
  ])("are refusals of a firewall: %s", async (_where, body, parts) => {
    const family = parts.path === "/chaininfo" ? "public" : "v2";
    const error = await failed(body, { status: 403, family, ...parts });
    expect(error).toMatchObject({ code: "HTML", exitCode: 4, retryable: false });
    expect(error.message).toContain("Cloudflare ray 8a1b2c3d4e5f6a7b");
    expect(error.message).toMatch(/: (Attention Required!|403 Forbidden|error code: 1020|Just a moment|Loading)/);
    expect(error.hint).toContain("firewall");
  });

  it("with the page of an overload or of a rate limit are what their status says", async () => {
    const page = "<html><head><title>Service unavailable</title></head></html>";
    expect(await failed(page, { status: 503 })).toMatchObject({ exitCode: 8, retryable: true });
    expect(await failed(page, { status: 429 })).toMatchObject({ exitCode: 6, retryable: true });
  });

  it("are explained when they are HTML pages", async () => {
    const error = await failed(challenge, {
      headers: { "content-type": "text/html", "cf-ray": "8a1b2c3d4e5f6a7b-FRA" },
    });
    expect(error).toMatchObject({ code: "HTML", exitCode: 8, status: 200 });
    expect(error.message).toBe(
      "Expected JSON, got HTML (status 200, Cloudflare ray 8a1b2c3d4e5f6a7b-FRA): Just a moment...",
    );
  });

  it.each([
    [401, 3],
    [403, 4],
    [404, 5],
    [429, 6],
    [502, 8],
  ])("do not change the meaning of status %i: exit %i", async (status, exitCode) => {
    const error = await failed(`<html><body><h1>Bad\u001b[31m Gateway</h1>${"words ".repeat(100)}</body></html>`, {
      status,
    });
    expect(error.exitCode).toBe(exitCode);
    expect(error.message).toContain(`got HTML (status ${status})`);
    expect(error.message).not.toContain("\u001b");
    expect(error.message.length).toBeLessThan(300);
  });

  it.each([
    ["", "EMPTY"],
    ["  \n", "EMPTY"],
    ["null", "EMPTY"],
    ["OK", "MALFORMED"],
    ['{"success":true,}', "MALFORMED"],
    ['{"success":true,"data":[{"a":1', "TRUNCATED"],
  ])("%j is %s", async (body, code) => {
    const error = await failed(body);
    expect(error).toMatchObject({ code, exitCode: 8 });
    expect(error.message).not.toMatch(/Unexpected token/);
  });

  it("never throw anything untyped", async () => {
    const status = fc.constantFrom(200, 400, 401, 403, 429, 500, 302);
    const body = fc.oneof(fc.string({ unit: "binary" }), fc.json(), fc.constantFrom("<", "{}", "[]", '"', "\uFEFF"));
    const path = fc.constantFrom("/token/meta", "/token/list", "/account/reward/export", "/unknown");
    await fc.assert(
      fc.asyncProperty(status, body, path, async (code, text, at) => {
        const outcome = await decoded(text, { status: code, path: at }).catch((error) => error);
        if (outcome instanceof Error) expect(outcome).toHaveProperty("exitCode");
        else expect(code).toBe(200);
      }),
    );
  });
});

const folder = new URL("../../../../shared/recorded/", import.meta.url);

describe.skipIf(!existsSync(folder))("recorded answers", () => {
  const files = existsSync(folder) ? readdirSync(folder) : [];
  const read = (name: string) => JSON.parse(readFileSync(new URL(name, folder), "utf8"));
  const bodyOf = (text: string) => {
    const at = text.search(/"body":/);
    return text.slice(at + '"body":'.length, text.trimEnd().lastIndexOf("}")).trim();
  };

  it.each(files.filter((name) => read(name).body !== undefined && read(name).status === 200))(
    "%s is decoded",
    async (name) => {
      const { family, endpoint: path } = read(name);
      const body = bodyOf(readFileSync(new URL(name, folder), "utf8"));
      const endpoint: Endpoint | undefined = endpointByPath(family, path);
      const answer = await decoded(body, { family, path });
      if (endpoint && returnsList(endpoint)) expect(answer.rows?.length).toBeGreaterThan(0);
      const compact = (text: string) => text.replace(/\s/g, "");
      if (answer.envelope) expect(compact(stringifyJson(answer.envelope))).toBe(compact(body));
    },
  );

  it.each(files.filter((name) => read(name).body_text !== undefined))("%s is decoded", async (name) => {
    const { family, endpoint: path, body_text } = read(name);
    const answer = await decoded(body_text, { family, path });
    expect(answer.rows?.length).toBe(1);
    expect(Object.keys(answer.rows?.[0] ?? {}).every((key) => key === key.trim())).toBe(true);
  });

  it.each(files.filter((name) => name.includes("error")))("%s is a failure of its kind", async (name) => {
    const { family, endpoint: path, status, body } = read(name);
    const exits: Record<number, number> = { 400: 2, 401: 3, 429: 6, 500: 8 };
    expect((await failed(body, { family, path, status })).exitCode).toBe(exits[status]);
  });
});
