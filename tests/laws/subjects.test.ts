/**
 * The law of the subject: an answer whose objects or rows say that they are about something else than was requested is an
 * error, whoever answers, and however it is read: by itself, as a list, or for many identifiers.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fieldAt, type Json, SolxError, stringifyJson } from "../../src/base/index.ts";
import { allEndpoints, type ParameterValues, positionalOf, returnsList } from "../../src/catalogue/index.ts";
import { findRows } from "../../src/client/answer/decode.ts";
import { openSandbox } from "../../src/sandbox/index.ts";
import { type ClientOptions, type ConnectedClient, createClient, describeSource } from "../../src/sources/index.ts";
import { addressFor } from "../support/chain.ts";
import { worldsFolder } from "../support/ledger.ts";
import { type JsonRpcServer, serveJsonRpc } from "../support/node/json-rpc-server.ts";
import { REQUESTS } from "../support/node/requests.ts";
import { useScenario } from "../support/node/use-test-node.ts";
import type { Wire } from "../support/node/wire.ts";
import { connectTo } from "../support/node-connection.ts";
import { CASES_EACH, endpointOf, UNLIMITED } from "./readings.ts";

const folder = mkdtempSync(join(tmpdir(), "solx-law-"));
const now = Date.UTC(2024, 6, 5, 12);
const world = { seed: "test", size: 0.05, now: now / 1000, folder: worldsFolder(), usage: "memory" } as const;
const common = { rateLimiter: UNLIMITED, retries: 0, now: () => now } as const;
let sandbox: Awaited<ReturnType<typeof openSandbox>>;
beforeAll(async () => {
  sandbox = await openSandbox(world);
});
afterAll(async () => {
  await sandbox.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Endpoints whose answers name what was requested. */
const named = allEndpoints.flatMap((endpoint) => {
  const [name, param] = positionalOf(endpoint) ?? [];
  return endpoint.echo !== undefined && name !== undefined && param?.type !== "text"
    ? [[endpoint.route, { endpoint, name, path: endpoint.echo.split(".") }] as const]
    : [];
});
type Named = (typeof named)[number][1];

/** What a server answers with in place of the subject: another one of the same kind. */
const other = (subject: string) =>
  /^\d+$/.test(subject) ? String(Number(subject) + 1) : subject.length > 50 ? "3".repeat(88) : addressFor("other");

/** All the times that a text occurs. */
const ALL = Array.from({ length: 1000 }, (_, at) => at);

/** Replaces a text where it occurs for some of the times. */
function replaceSome(body: string, text: string, replacement: string, times: readonly number[]): string {
  return body.split(text).reduce((before, after, at) => before + (times.includes(at - 1) ? replacement : text) + after);
}

type Handle = (url: URL) => Promise<{ status: number; headers: Readonly<Record<string, string>>; body: string }>;
type Read = (client: ConnectedClient) => Promise<void>;

/** The sources that answer with the texts of a server. */
const SOURCES: Readonly<Record<string, (handle: Handle, read: Read) => Promise<ClientOptions>>> = {
  "the API": async (handle) => ({ key: "k", transport: transportOf(handle) }),
  "the sandbox in process": async (handle) => ({ key: sandbox.key, ledger: ledgerOf(handle, "sandbox") }),
  "an index": async (handle) => ({ key: sandbox.key, ledger: ledgerOf(handle, "index") }),
  async "a recording"(handle, read) {
    const recordings = mkdtempSync(join(folder, "recording-"));
    await using client = createClient({
      ...{ ...common, key: "k", transport: transportOf(handle), record: { folder: recordings } },
    });
    // What is recorded does not depend on whether it is an answer.
    await read(client).catch(() => {});
    return { replay: recordings };
  },
};
const transportOf = (handle: Handle) => ({
  send: async ({ url }: { url: URL }) => ({ url, ...(await handle(url)) }),
  close: async () => {},
});
const ledgerOf = (handle: Handle, kind: "sandbox" | "index") => ({
  open: async () => ({ handle: ({ url }: { url: string }) => handle(new URL(url)), close: async () => {} }),
  source: { kind, name: "law" },
  failure: { code: "LAW", hint: "" },
});

const askSandbox: Handle = ({ href: url }) => {
  const { signal } = new AbortController();
  return sandbox.handle({ method: "GET", url, headers: { token: sandbox.key }, signal });
};

/** Returns what an answer says that it is about. */
function subjectsOf({ endpoint: { returns }, path }: Named, body: string): readonly string[] {
  const answer = JSON.parse(body) as { success?: true; data?: Json };
  const data = answer.success ? (answer.data ?? null) : (answer as Json);
  const things = findRows(data, returns.at, returns.shape === "rows")?.rows ?? [data];
  return things.map((thing) => fieldAt(thing, path)).flatMap((id) => (id === undefined ? [] : [String(id)]));
}

/** The ways to read an answer. */
function waysToRead({ endpoint, name }: Named, params: ParameterValues): readonly Read[] {
  const { [name]: subject, ...rest } = params;
  return [
    async (client) => void (await client.fetch(endpoint, params)),
    async (client) => {
      for await (const _ of client.pages(endpoint, params, { limit: 10 }));
    },
    async (client) => {
      for await (const { error } of client.many(endpoint, [subject].flat().map(String), rest)) if (error) throw error;
    },
  ];
}

describe.each(Object.keys(SOURCES))("%s", (source) => {
  const { supports } = describeSource({ kind: source === "an index" ? "index" : "sandbox", name: "" });
  const answered = named.filter(([, { endpoint }]) => supports(endpoint).level !== "none");

  test.each(answered)("%s", async (_, one) => {
    const params = one.endpoint.examples[0]?.params ?? {};
    const asked = [params[one.name]].flat().map(String);
    const [subject = ""] = asked;
    const run = async (times: readonly number[]) => {
      for (const read of waysToRead(one, params)) {
        let isAbout = true;
        const handle: Handle = async (url) => {
          const answer = await askSandbox(url);
          const body = replaceSome(answer.body, subject, other(subject), times);
          isAbout &&= subjectsOf(one, body).every((id) => asked.includes(id));
          return { ...answer, body };
        };
        await using client = createClient({ ...common, ...(await SOURCES[source]?.(handle, read)) });
        const error = await read(client).then(
          () => undefined,
          (failure: unknown) => failure,
        );
        if (isAbout) expect(error).toBeUndefined();
        else expect(error).toMatchObject({ code: "MALFORMED", exit: "server" });
        if (times === ALL) expect(isAbout).toBe(false);
      }
    };
    await run([]);
    await run(ALL);
    await fc.assert(fc.asyncProperty(fc.uniqueArray(fc.nat({ max: 12 }), { maxLength: 3 }), run), {
      numRuns: CASES_EACH,
    });
  });
});

describe("a node", () => {
  const shared = useScenario();
  let gateway: JsonRpcServer;
  let replace = (text: string) => text;
  beforeAll(async () => {
    const direct = connectTo(shared.node.url, "confirmed");
    gateway = await serveJsonRpc(async (method, params) => {
      const sent = JSON.parse(replace(JSON.stringify(params))) as Json[];
      return (await direct.call(method, sent)) as Wire;
    });
  });
  afterAll(() => gateway.close());

  const { supports } = describeSource({ kind: "rpc", name: "" });
  const answered = named.filter(([route, { endpoint }]) => supports(endpoint).level !== "none" && REQUESTS[route]);

  /** What is read of the node, and the error that ended it. */
  const ask = async (route: string, params: ParameterValues) => {
    await using client = createClient({ rpc: gateway.url, retries: 0 });
    return await client.fetch(endpointOf(route), params).then(
      ({ data }) => ({ text: stringifyJson(data), error: undefined }),
      (error: unknown) => ({ text: "", error }),
    );
  };

  test.each(answered)("that reads something else for %s", async (route, { endpoint, name }) => {
    const { addresses, signatures } = shared.scenario;
    const ids = [...Object.values(addresses), ...Object.values(signatures)].map(String);
    const run = async (params: ParameterValues, at: number) => {
      replace = (text) => text;
      const [subject = ""] = [params[name]].flat().map(String);
      const truth = await ask(route, params);
      const others = ids.filter((id) => id.length > 50 === subject.length > 50 && !truth.text.includes(id));
      const other = others[at % others.length] ?? "";
      replace = (text) => text.replaceAll(JSON.stringify(subject), JSON.stringify(other));
      const { text, error } = await ask(route, params);
      // An account has no name of its own: only what lists it has.
      if (subject.length > 50) expect(error).toBeInstanceOf(SolxError);
      else if (returnsList(endpoint)) expect(text).not.toContain(other);
    };
    const requests = REQUESTS[route]?.(addresses, signatures) as readonly ParameterValues[];
    await run(requests[0] ?? {}, 0);
    await fc.assert(fc.asyncProperty(fc.constantFrom(...requests), fc.nat(), run), { numRuns: CASES_EACH });
  });
});
