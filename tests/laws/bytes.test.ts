/**
 * The law of received bytes, for what is sent over a network and what was recorded of it: bytes that are no text, and
 * members that an answer has twice, are errors. They never become other text, or one of two values.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findRepeatedMember, type Json, type JsonObject, parseJson } from "../../src/base/index.ts";
import { type ClientOptions, createClient } from "../../src/sources/index.ts";
import { USDC, WALLET } from "../client/servers.ts";
import { serve, type TestServer } from "../support/server.ts";
import { CASES_EACH, endpointOf, UNLIMITED } from "./readings.ts";

const folder = mkdtempSync(join(tmpdir(), "solx-bytes-"));
let server: TestServer;
/** What the server sends next. */
let sent: Uint8Array = Buffer.from("");

beforeAll(async () => {
  server = await serve((_, response) => {
    response.writeHead(200, { "content-type": "application/json" }).end(sent);
  });
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Requests of a source, the text of an answer, and what solx reads of it by itself. */
const SOURCES = [
  {
    name: "an object of the API",
    ask: (options: ClientOptions) =>
      createClient({ ...options, baseUrl: server.url }).fetch(endpointOf("v2-token-meta"), { address: USDC }),
    answer: { success: true, data: { address: USDC, name: "USD Coin", symbol: "USDC" } },
    members: ["success", "data"],
  },
  {
    name: "a list of the API",
    ask: (options: ClientOptions) =>
      createClient({ ...options, baseUrl: server.url }).fetch(endpointOf("v2-token-holders"), { address: USDC }),
    answer: { success: true, data: { total: 1, items: [{ address: WALLET, owner: WALLET, amount: 5, data: "x" }] } },
    members: ["success", "data", "total", "items"],
  },
  {
    name: "a node",
    ask: (options: ClientOptions) =>
      createClient({ ...options, rpc: server.url })
        .node()
        .call("getVersion"),
    answer: { jsonrpc: "2.0", id: 1, result: { "solana-core": "2.0.0", name: "node", error: null } },
    members: ["result"],
  },
] as const;

const common = { key: "k", retries: 0, rateLimiter: UNLIMITED };
let recordings = 0;

describe.each(SOURCES)("$name", ({ ask, answer, members }) => {
  const text = JSON.stringify(answer);

  /** Asks a server, in recording it, and what was recorded of it, which gives the same. */
  async function askEach(bytes: Buffer): Promise<unknown> {
    sent = bytes;
    const recording = join(folder, String(++recordings));
    const outcomes: unknown[] = [];
    for (const options of [{}, { record: { folder: recording } }, { replay: recording }])
      outcomes.push(await ask({ ...common, ...options }).catch((error: unknown) => error));
    const errors = outcomes.map((outcome) => (outcome instanceof Error ? Reflect.get(outcome, "code") : undefined));
    expect(new Set(errors).size).toBe(1);
    return outcomes[0];
  }

  test("is read, as it is", async () => {
    expect(await askEach(Buffer.from(text))).not.toBeInstanceOf(Error);
  });

  test("with bytes that are no text is an error", async () => {
    const bytes = fc.uint8Array({ minLength: 1, maxLength: 3 }).map((some) => Buffer.from(some));
    const places = fc.constantFrom(...[...text.matchAll(/(?<=:"[^"]*)\w/g)].map(({ index }) => index));
    const run = async (at: number, some: Buffer) => {
      fc.pre(!Buffer.from(some.toString()).equals(some));
      const outcome = await askEach(Buffer.concat([Buffer.from(text.slice(0, at)), some, Buffer.from(text.slice(at))]));
      expect(outcome).toMatchObject({ exit: "server", code: "ENCODING" });
    };
    await fc.assert(fc.asyncProperty(places, bytes, run), { numRuns: 4 * CASES_EACH });
  });

  test.each(members)("with %s twice is an error", async (name) => {
    const spelled = (spelling: string) => `"${spelling}"`;
    const escaped = `\\u00${name.charCodeAt(0).toString(16)}${name.slice(1)}`;
    for (const spelling of [name, escaped]) {
      for (const value of ["null", "true", "[]", '{"a":1}']) {
        const first = text.replace(spelled(name), `${spelled(spelling)} : ${value},${spelled(name)}`);
        expect(await askEach(Buffer.from(first))).toMatchObject({
          exit: "server",
          message: expect.stringContaining("twice"),
        });
      }
    }
  });
});

test("members that are there twice are found wherever they are, and no others", () => {
  const name = fc.constantFrom("data", "total", "other", '"data":', "\\");
  const { json } = fc.letrec<{ readonly json: Json }>((tie) => ({
    json: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom<Json>(null, 1, "data", '"data":1', 'a\\"'),
      fc.array(tie("json"), { maxLength: 3 }),
      fc.dictionary(name, tie("json"), { maxKeys: 4 }),
    ),
  }));
  const run = (value: Json, at: number) => {
    const text = JSON.stringify({ data: value, total: 1 }, null, at % 2);
    const parsed = [parseJson(text) as JsonObject];
    expect(findRepeatedMember(text, parsed, ["data", "total"])).toBeUndefined();
    const places = [...text.matchAll(/"data":(?=.)/g)].filter(({ index }) => text[index - 1] !== "\\");
    const { index = 0 } = places[at % places.length] ?? {};
    const twice = `${text.slice(0, index)}"data":{"total":0},${text.slice(index)}`;
    expect(findRepeatedMember(twice, parsed, ["total", "data"])).toBe("data");
  };
  fc.assert(fc.property(json, fc.nat(), run), { numRuns: 200 });
});
