/**
 * The law of lists, for every source: whatever a server does with pages, each row is there once and in order, or an
 * IncompleteError says that the list was not read to its end. `LAW_CASES` is the number of cases of all sources together.
 */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { IncompleteError, isObject, type Json, type JsonObject } from "../../src/base/index.ts";
import { allEndpoints, type Endpoint } from "../../src/catalogue/index.ts";
import { type ConnectedClient, createClient } from "../../src/sources/index.ts";
import { endpointOf as listEndpoint, rowOf } from "../client/list-server.ts";
import { testClient, WALLET } from "../client/servers.ts";
import { type JsonRpcServer, serveJsonRpc } from "../support/node/json-rpc-server.ts";
import { startTestNode, type TestNode } from "../support/node/node.ts";
import type { Wire } from "../support/node/wire.ts";
import { connectTo } from "../support/node-connection.ts";
import { sendJson, serve } from "../support/server.ts";
import { MisbehavingList, type Misbehaviour, misbehaviours, WELL_BEHAVED } from "./misbehaving-list.ts";

const CASES = Number(process.env.LAW_CASES ?? 300);
/** The tests that share the cases. */
const TESTS = 11;
/** The number of requests after which a reading counts as endless. */
const ENDLESS = 1000;

const endpointOf = (route: string) => {
  const match = allEndpoints.find((endpoint) => endpoint.route === route);
  if (!match) throw new Error(`No endpoint ${route}`);
  return match;
};

interface Reading {
  readonly ids: readonly string[];
  readonly error: unknown;
}

/** Fails when a reading breaks the law. */
function checkLaw(list: MisbehavingList<string>, { ids, error }: Reading, isOldestFirst = false): void {
  if (error !== undefined) {
    expect(error).toBeInstanceOf(IncompleteError);
    return;
  }
  const steady = list.steady;
  const read = isOldestFirst ? ids.toReversed() : ids;
  expect(new Set(read).size, "rows that are there twice").toBe(read.length);
  const positions = read.map((id) => list.positionOf(id));
  expect(positions, "order").toEqual(positions.toSorted((a, b) => a - b));
  expect(
    read.filter((id) => steady.includes(id)),
    "rows that were there all the time",
  ).toEqual(steady);
}

describe("a node", () => {
  let node: TestNode;
  let gateway: JsonRpcServer;
  let client: ConnectedClient;
  let rows: readonly (Wire & { signature: string })[];
  let list: MisbehavingList<string>;

  beforeAll(async () => {
    node = await startTestNode();
    for (let block = 0; block < 20; block++) {
      await node.chain.inOneBlock(async () => {
        // Rows that arrive later are of other blocks.
        for (let at = 0; at <= (block < 16 ? block % 3 : 0); at++)
          await node.airdrop(WALLET, BigInt(1_000_000 + block * 10 + at));
      });
    }
    const direct = connectTo(node.url, "confirmed");
    rows = (await direct.call("getSignaturesForAddress", [WALLET, { commitment: "confirmed" }])) as never;
    const bySignature = new Map(rows.map((row) => [row.signature, row]));
    gateway = await serveJsonRpc(async (method, params) => {
      if (method !== "getSignaturesForAddress") return (await direct.call(method, params as Json[])) as Wire;
      if (list.requests > ENDLESS) throw new Error("endless");
      const { before, limit = 1000 } = params[1] as { before?: string; limit?: number };
      const after = before === undefined ? undefined : (signature: string) => signature === before;
      return list.page({ limit, after }).map((signature) => bySignature.get(signature) ?? null);
    });
    client = createClient({ rpc: gateway.url, retries: 0 });
  });
  afterAll(async () => {
    await client.close();
    await gateway.close();
    await node.close();
  });

  test.each([
    ["v2-account-transfer", { address: WALLET }],
    ["v2-account-transfer", { address: WALLET, sort_order: "asc" }],
    ["v2-account-balance-change", { address: WALLET }],
    ["v2-account-transactions", { address: WALLET }],
    ["account-transactions", { account: WALLET }],
    ["v2-account-transactions-enhanced", { address: WALLET }],
    ["v2-account-transfer-export", { address: WALLET }],
  ] as const)("%s %j", async (route, params) => {
    const run = async (size: number, what: Misbehaviour) => {
      list = new MisbehavingList(
        rows.slice(0, size).map(({ signature }) => signature),
        what,
      );
      checkLaw(list, await readAll(client, endpointOf(route), params), "sort_order" in params);
    };
    await run(rows.length, WELL_BEHAVED);
    await fc.assert(fc.asyncProperty(fc.nat({ max: rows.length }), misbehaviours, run), {
      numRuns: Math.ceil(CASES / TESTS),
    });
  });
});

/** Reads a list to its end, or to the error that ends it. */
async function readAll(
  client: ConnectedClient,
  endpoint: Endpoint,
  params: Readonly<Record<string, string>>,
): Promise<Reading> {
  const ids: string[] = [];
  try {
    for await (const page of client.pages(endpoint, params, { all: true })) ids.push(...page.rows.map(identify));
    return { ids, error: undefined };
  } catch (error) {
    return { ids, error };
  }
}

describe("the API", () => {
  const COUNT = 130;
  /** The second of a row: three rows share one. The newest three arrive later, after the time of the first answer. */
  const secondOf = (at: number) => (at < 3 ? 4_000_000_000 - at : 1_720_000_000 - Math.floor(at / 3));

  /**
   * What a server of the API may do at a time. It charges for requests, so a short page and an empty one are an end, as are
   * two empty pages, or a short page that repeats the last one.
   */
  const ofCursors = (what: Misbehaviour): Misbehaviour => {
    const isShort = what.cap !== undefined || what.oneShort || what.cuts.length > 0;
    if (isShort) return { ...what, empty: [], repeated: [], isDeaf: false, isInclusive: false };
    return what.empty.length > 0 ? { ...what, repeated: [], isDeaf: false } : what;
  };
  /** A server of numbered pages decides itself in which order rows are, and how many a page has. */
  const ofPages = (what: Misbehaviour): Misbehaviour => ({
    ...ofCursors({ ...what, cuts: [] }),
    ...{ repeated: [], sparesEnd: true, isInclusive: false, order: "right", isDeaf: false },
    // A row that disappears and one that arrives keep the total.
    ...(what.shrinks.length > 0 && { grows: [] }),
  });

  test.each([
    ["account transfers", "/account/transfer", "v2", ofPages],
    ["token holders", "/token/holders", "v2", ofPages],
    ["account transactions", "/account/transactions", "v2", ofCursors],
    ["transfers of the legacy family", "/account/splTransfers", "legacy", ofPages],
  ] as const)("%s", async (_, path, family, adapt) => {
    const endpoint = listEndpoint(path, family);
    const rows = Array.from({ length: COUNT }, (_row, at) => {
      const time = "from_time" in endpoint.query || endpoint.paging === "cursor" ? secondOf(at) : undefined;
      return { ...rowOf(endpoint, at, time), ...(endpoint.paging === "cursor" && { slot: 1_000_000 - at }) };
    });
    const byId = new Map(rows.map((row) => [identify(row), row]));
    const ids = [...byId.keys()];
    let list: MisbehavingList<string>;
    const server = await serve((request, response) => {
      const query = new URL(request.url ?? "", "http://x").searchParams;
      const data = list.requests > ENDLESS ? [] : list.page(pageRequest(query, byId));
      const { at, total } = endpoint.returns;
      const items = data.map((id) => byId.get(id));
      sendJson(
        response,
        JSON.stringify({ success: true, data: at ? { [at]: items, [total ?? ""]: list.length } : items }),
      );
    });
    const client = testClient(server, { retries: 0 });
    const run = async (size: number, anything: Misbehaviour) => {
      list = new MisbehavingList(ids.slice(0, size), adapt(anything));
      const reading = await readAll(client, endpoint, { [family === "v2" ? "address" : "account"]: WALLET });
      expect(list.requests).toBeLessThan(ENDLESS);
      checkLaw(list, reading);
    };
    await run(COUNT, WELL_BEHAVED);
    await fc.assert(fc.asyncProperty(fc.nat({ max: COUNT }), misbehaviours, run), {
      numRuns: Math.ceil(CASES / TESTS),
    });
    await server.close();
  });

  function pageRequest(query: URLSearchParams, byId: ReadonlyMap<string, JsonObject>) {
    const limit = Number(query.get("page_size") ?? query.get("limit") ?? 10);
    const [before, to] = [query.get("before"), Number(query.get("to_time") ?? Number.POSITIVE_INFINITY)];
    return {
      limit,
      page: Number(query.get("page") ?? 1) - 1,
      offset: Number(query.get("offset") ?? 0),
      after: before === null ? undefined : (id: string) => byId.get(id)?.tx_hash === before,
      matches: (id: string) => Number(byId.get(id)?.block_time ?? 0) <= to,
    };
  }
});

/** Returns what identifies a row. */
function identify(row: Json): string {
  const { trans_id, tx_hash, txHash, Signature, transaction, address, _id } = row as JsonObject;
  const [signature] = isObject(transaction) ? (transaction.signatures as string[]) : [];
  return String(trans_id ?? tx_hash ?? txHash ?? Signature ?? signature ?? _id ?? address);
}
