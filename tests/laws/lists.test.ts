/**
 * The law of lists, for every source: whatever a server does with pages, each row is there once and in order, or an
 * IncompleteError says that the list was not read to its end. `LAW_CASES` is the number of cases of all sources together.
 */
import { base58 } from "@scure/base";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { IncompleteError, isObject, type Json, type JsonObject, SolxError } from "../../src/base/index.ts";
import { allEndpoints, type Endpoint } from "../../src/catalogue/index.ts";
import type { ReadOptions } from "../../src/client/index.ts";
import { type ConnectedClient, createClient } from "../../src/sources/index.ts";
import { endpointOf as listEndpoint, rowOf } from "../client/list-server.ts";
import { testClient, WALLET } from "../client/servers.ts";
import { RpcError } from "../support/node/errors.ts";
import type { FaultRule } from "../support/node/faults.ts";
import { type JsonRpcServer, serveJsonRpc } from "../support/node/json-rpc-server.ts";
import { startTestNode, type TestNode } from "../support/node/node.ts";
import type { Wire, WireObject } from "../support/node/wire.ts";
import { connectTo } from "../support/node-connection.ts";
import { sendJson, serve } from "../support/server.ts";
import { nodeFaults } from "./faults.ts";
import { MisbehavingList, type Misbehaviour, misbehaviours, ofTransactions, WELL_BEHAVED } from "./misbehaving-list.ts";

const CASES = Number(process.env.LAW_CASES ?? 300);
/** The tests that share the cases. */
const TESTS = 20;
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

/**
 * Fails when a reading breaks the law. Where rows share a time, `rankOf` returns it as a number that rises; `part` has the
 * numbers of the first row that was read and of the one behind the last.
 */
function checkLaw(
  list: MisbehavingList<string>,
  { ids, error }: Reading,
  {
    isOldestFirst = false,
    rankOf = (position: number) => position,
    part = [],
  }: {
    readonly isOldestFirst?: boolean;
    readonly rankOf?: (position: number) => number;
    readonly part?: readonly number[];
  } = {},
): void {
  if (error !== undefined) {
    expect(error).toBeInstanceOf(IncompleteError);
    return;
  }
  const steady = list.steady.slice(...part);
  const read = isOldestFirst ? ids.toReversed() : ids;
  expect(new Set(read).size, "rows that are there twice").toBe(read.length);
  const ranks = read.map((id) => rankOf(list.positionOf(id)));
  expect(ranks, "order").toEqual(ranks.toSorted((a, b) => a - b));
  const found = read.filter((id) => steady.includes(id));
  expect(
    found.toSorted((a, b) => list.positionOf(a) - list.positionOf(b)),
    "rows that were there all the time",
  ).toEqual(steady);
}

describe("a node", () => {
  let node: TestNode;
  let gateway: JsonRpcServer;
  let client: ConnectedClient;
  let rows: readonly (WireObject & { signature: string })[];
  let list: MisbehavingList<string>;
  /** What readings say that rows may be missing for. */
  const doubts: string[] = [];
  /** What the gateway's list says of transactions, other than these say themselves. */
  let claims: ReadonlyMap<string, WireObject> = new Map();
  /** What the gateway does with a cursor, if it knows none. */
  let forget: (() => Wire) | undefined;

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
      if (before !== undefined && forget) return forget();
      const after = before === undefined ? undefined : (signature: string) => signature === before;
      const page = list.page({ limit, after }).map((signature) => bySignature.get(signature) ?? null);
      return page.map((row) => row && { ...row, ...claims.get(row.signature) });
    });
    client = createClient({
      rpc: gateway.url,
      retries: 0,
      onEvent: (event) => event.type === "coverage" && doubts.push(event.text),
    });
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
      checkLaw(list, await readAll(client, endpointOf(route), params), { isOldestFirst: "sort_order" in params });
    };
    await run(rows.length, WELL_BEHAVED);
    await fc.assert(fc.asyncProperty(fc.nat({ max: rows.length }), misbehaviours, run), {
      numRuns: Math.ceil(CASES / TESTS),
    });
  });

  /** Lists in all forms, with pages of ten. */
  const PAGED_LISTS = [
    ["v2-account-transfer", { address: WALLET, page_size: 10 }],
    ["v2-account-transfer", { address: WALLET, sort_order: "asc" }],
    ["v2-account-balance-change", { address: WALLET }],
    ["v2-account-transactions", { address: WALLET, limit: 10 }],
    ["account-transactions", { account: WALLET, limit: 10 }],
    ["v2-account-transactions-enhanced", { address: WALLET, limit: 10 }],
    ["v2-account-transfer-export", { address: WALLET }],
  ] as const;

  test.each(PAGED_LISTS)("that fails now and then, %s %j", async (route, params) => {
    const run = async (size: number, what: Misbehaviour, faults: readonly FaultRule[], retries: number) => {
      const ids = rows.slice(0, size).map(({ signature }) => signature);
      list = new MisbehavingList(ids, what);
      // What one client has read is not read again.
      await using other = createClient({ rpc: gateway.url, retries, sleep: async () => {} });
      gateway.faults.clear();
      for (const fault of faults) gateway.faults.add(fault);
      const reading = await readAll(other, endpointOf(route), params);
      gateway.faults.clear();
      if (faults.length === 0 || !reading.error)
        return checkLaw(list, reading, { isOldestFirst: "sort_order" in params });
      expect(reading.error).toBeInstanceOf(SolxError);
      expect((reading.error as SolxError).exit).not.toBe("unexpected");
    };
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: rows.length }), misbehaviours, nodeFaults, fc.constantFrom(0, 2), run),
      {
        numRuns: Math.ceil(CASES / TESTS),
      },
    );
  });

  test.each(PAGED_LISTS)(
    "that never lists some transactions, or as failed ones, says so (%s %j)",
    async (route, params) => {
      const signatures = rows.map(({ signature }) => signature);
      const run = async (hidden: readonly number[], cap: number, areFailed = false) => {
        const listed = signatures.filter((_, at) => !hidden.includes(at));
        list = new MisbehavingList(areFailed ? signatures : listed, { ...WELL_BEHAVED, cap });
        claims = new Map(areFailed ? hidden.map((at) => [signatures[at] as string, { err: "AccountInUse" }]) : []);
        doubts.length = 0;
        const { ids, error } = await readAll(client, endpointOf(route), params);
        // Transactions that are read show it.
        if (areFailed && error) return void expect(error).toMatchObject({ code: "MALFORMED_ANSWER" });
        expect(error).toBeUndefined();
        expect(["sort_order" in params ? ids.toReversed() : ids]).toEqual([listed]);
        // A node that has not yet listed the newest ones has a list of an earlier time.
        const isEarlier = signatures.at(-listed.length) === listed[0] && !(areFailed && hidden.length > 0);
        expect(doubts.length > 0, doubts.join()).toBe(!isEarlier);
      };
      await run([], 1000);
      // The newest one, those around the end of a page, and the oldest one.
      for (const at of [0, 9, 10, signatures.length - 1]) {
        await run([at], 1000);
        await run([at], 1000, true);
      }
      const positions = fc.uniqueArray(fc.nat({ max: signatures.length - 1 }), { maxLength: 5 });
      await fc.assert(fc.asyncProperty(positions, fc.integer({ min: 1, max: 40 }), fc.boolean(), run), {
        numRuns: Math.ceil(CASES / TESTS),
      });
      claims = new Map();
    },
  );

  test.each([
    ["v2-account-transfer", { address: WALLET }],
    ["v2-account-transactions", { address: WALLET }],
    ["account-transactions", { account: WALLET }],
    ["v2-account-transactions-enhanced", { address: WALLET }],
  ] as const)("that knows no cursor does not end %s", async (route, params) => {
    const signatures = rows.map(({ signature }) => signature);
    const answers = [
      () => [],
      () => {
        throw new RpcError(-32020, "Transaction history is not available from this node");
      },
    ];
    for (const answer of answers) {
      forget = answer;
      // A gateway with short pages: each of them needs a cursor.
      list = new MisbehavingList(signatures, { ...WELL_BEHAVED, cap: 7 });
      const { error } = await readAll(client, endpointOf(route), params);
      expect(error).toBeInstanceOf(SolxError);
    }
    forget = undefined;
  });

  test.each([
    ["v2-account-transfer", {}],
    ["v2-account-transfer", { sort_order: "asc" }],
    ["v2-account-balance-change", {}],
    ["v2-account-transactions-enhanced", {}],
  ])("whose list has other times than its transactions does not select rows by them (%s %j)", async (route, params) => {
    const middle = rows[Math.floor(rows.length / 2)];
    list = new MisbehavingList(
      rows.map(({ signature }) => signature),
      WELL_BEHAVED,
    );
    for (const shift of [0, 86_400]) {
      claims = new Map(rows.map(({ signature, blockTime }) => [signature, { blockTime: Number(blockTime) + shift }]));
      doubts.length = 0;
      const range = { from_time: Number(middle?.blockTime), to_time: Number(middle?.blockTime) + 2 * 86_400 };
      const { error } = await readAll(client, endpointOf(route), { address: WALLET, ...range, ...params });
      expect([error, doubts.length > 0]).toEqual([undefined, shift > 0]);
    }
    claims = new Map();
  });

  test("that does not know the cursor of a request does not answer with an empty list", async () => {
    list = new MisbehavingList([], WELL_BEHAVED);
    const before = base58.encode(new Uint8Array(64).fill(7));
    const { ids, error } = await readAll(client, endpointOf("v2-account-transactions"), { address: WALLET, before });
    expect([ids, error]).toEqual([[], expect.any(IncompleteError)]);
  });
});

/** Reads a list to its end, or to the error that ends it. */
async function readAll(
  client: ConnectedClient,
  endpoint: Endpoint,
  params: Readonly<Record<string, string | number>>,
  options: ReadOptions = { all: true },
): Promise<Reading> {
  const ids: string[] = [];
  try {
    for await (const page of client.pages(endpoint, params, options)) ids.push(...page.rows.map(identify));
    return { ids, error: undefined };
  } catch (error) {
    return { ids, error };
  }
}

describe("the API", () => {
  const COUNT = 130;
  /** Rows of the smallest page that can be requested. */
  const SMALLEST = 10;
  const PAGE_SIZES = [SMALLEST, 20, 30, 40, 60, 100];
  /** Rows that arrive later, after the time of the first answer. */
  let arrivals = 0;
  /** The second of a row: three rows share one. */
  const secondOf = (at: number) => (at < arrivals ? 4_000_000_000 - at : 1_720_000_000 - Math.floor(at / 3));

  /**
   * Nothing but a total shows that the last page of a number had fewer rows than there are, unless it has as many as the
   * smallest page: a page of another size then shows it.
   */
  const ofEvents = (what: Misbehaviour): Misbehaviour => ({
    ...ofTransactions(what),
    cuts: [],
    countsAsked: what.countsAsked && !what.oneShort && (what.cap ?? SMALLEST) >= SMALLEST,
  });
  /** A page that has the row of its cursor only is an end, unless pages of one row are usual. */
  const ofCursors = (what: Misbehaviour): Misbehaviour => ({
    ...what,
    isInclusive: what.isInclusive && what.cuts.length === 0,
  });
  /** Where rows have no time, the server decides in which order they are. */
  const ofObjects = (what: Misbehaviour): Misbehaviour => ({ ...ofEvents(what), order: "right" });
  const withTotal = (what: Misbehaviour): Misbehaviour => ({ ...what, order: "right" });

  test.each([
    ["account transfers", "/account/transfer", "v2", ofEvents],
    ["token holders", "/token/holders", "v2", withTotal],
    ["tokens", "/token/list", "v2", ofObjects],
    ["account transactions", "/account/transactions", "v2", ofCursors],
    ["transfers of the legacy family", "/account/splTransfers", "legacy", withTotal],
    ["transfers of SOL of the legacy family", "/account/solTransfers", "legacy", withTotal],
  ] as const)("%s", async (_, path, family, adapt) => {
    const endpoint = listEndpoint(path, family);
    const rows = Array.from({ length: COUNT }, (_row, at) => {
      return { ...rowOf(endpoint, at), ...(endpoint.paging === "cursor" && { slot: 1_000_000 - at }) };
    });
    const ids = rows.map(identify);
    const isTimed = "from_time" in endpoint.query || endpoint.paging === "cursor";
    const positions = new Map(ids.map((id, at) => [id, at]));
    const secondOfId = (id: string) => (isTimed ? secondOf(positions.get(id) ?? 0) : undefined);
    const rowOfId = (id: string) => {
      const second = secondOfId(id);
      return { ...rows[positions.get(id) ?? 0], ...(second !== undefined && { block_time: second }) };
    };
    let list: MisbehavingList<string>;
    const server = await serve((request, response) => {
      const query = new URL(request.url ?? "", "http://x").searchParams;
      const data = list.requests > ENDLESS ? [] : list.page(pageRequest(query, secondOfId));
      const { at, total } = endpoint.returns;
      const items = data.map(rowOfId);
      sendJson(
        response,
        JSON.stringify({ success: true, data: at ? { [at]: items, [total ?? ""]: list.length } : items }),
      );
    });
    const client = testClient(server, { retries: 0 });
    const run = async (size: number, anything: Misbehaviour) => {
      arrivals = anything.grows.length;
      list = new MisbehavingList(ids.slice(0, size), adapt(anything));
      const [subject] = ["address", "account"].filter((name) => name in endpoint.query);
      const reading = await readAll(client, endpoint, subject === undefined ? {} : { [subject]: WALLET });
      expect(list.requests).toBeLessThan(ENDLESS);
      const isSorted = adapt === ofEvents && anything.order !== "right";
      checkLaw(list, reading, isSorted ? { rankOf: (at) => -secondOf(at) } : {});
    };
    await run(COUNT, WELL_BEHAVED);
    // Two stale pages look like the end of a server whose pages begin with the row of their cursor.
    await run(12, { ...WELL_BEHAVED, cap: 2, cuts: [0, 0.49999999999999994, 0.49999999999999994], repeated: [9, 8] });
    // A row that disappears shows the page again, on which a row had been left out for another one.
    await run(4, { ...WELL_BEHAVED, cap: 4, shrinks: [1], doubled: [{ request: 0, count: 1, isInPlace: true }] });
    // A page again in place of a short one.
    await run(62, { ...WELL_BEHAVED, cap: 10, cuts: [0, 0.09999999999999994, 0, 0, 0], repeated: [1, 8] });
    await fc.assert(fc.asyncProperty(fc.nat({ max: COUNT }), misbehaviours, run), {
      numRuns: Math.ceil(CASES / TESTS),
    });
    /** Reads a part of a list that does not change. The rows of a single page are what the server says. */
    const runPart = async (size: number, anything: Misbehaviour, { skip, limit, page }: Part) => {
      arrivals = 0;
      const { isDeaf, countsAsked } = anything;
      const { doubled } = adapt(anything);
      const cap = anything.cap === undefined ? undefined : Math.max(anything.cap, SMALLEST);
      list = new MisbehavingList(ids.slice(0, size), { ...WELL_BEHAVED, cap, isDeaf, countsAsked, doubled });
      const [subject] = ["address", "account"].filter((name) => name in endpoint.query);
      const isPage = page > 1 && "page" in endpoint.query;
      const params = { ...(subject && { [subject]: WALLET }), ...(isPage && { page }) };
      const reading = await readAll(client, endpoint, params, { skip, limit });
      expect(list.requests).toBeLessThan(ENDLESS);
      const first = skip + (isPage ? (page - 1) * SMALLEST : 0);
      // A first page that has just as many rows as the total lets follow the start of the page that was requested is
      // that page, as far as one answer shows it.
      const isTaken = isDeaf && PAGE_SIZES.some((one) => first - (first % one) + (cap ?? one) === size);
      if (!isTaken) checkLaw(list, reading, { part: [first, first + limit] });
    };
    // The first page of a deaf server has as many rows as the part, or as the total lets follow.
    await runPart(21, { ...WELL_BEHAVED, cap: 11, isDeaf: true }, { skip: 0, limit: 11, page: 3 });
    await runPart(59, { ...WELL_BEHAVED, cap: 20, isDeaf: true }, { skip: 39, limit: 21, page: 0 });
    // With a row more than once, pages of another size reach the total, too.
    const doubled = [
      { request: 0, count: 6, isInPlace: false },
      { request: 0, count: 1, isInPlace: true },
    ];
    await runPart(48, { ...WELL_BEHAVED, cap: 12, doubled }, { skip: 30, limit: 11, page: 0 });
    await fc.assert(fc.asyncProperty(fc.nat({ max: COUNT }), misbehaviours, parts, runPart), {
      numRuns: Math.ceil(CASES / TESTS),
    });
    await server.close();
  });

  interface Part {
    readonly skip: number;
    readonly limit: number;
    readonly page: number;
  }
  const often = (max: number) => fc.oneof(fc.constant(0), fc.nat({ max }));
  const parts: fc.Arbitrary<Part> = fc.record({
    skip: often(COUNT),
    limit: fc.integer({ min: 1, max: 110 }),
    page: often(8),
  });

  function pageRequest(query: URLSearchParams, secondOfId: (id: string) => number | undefined) {
    const limit = Number(query.get("page_size") ?? query.get("limit") ?? 10);
    const [before, to] = [query.get("before"), Number(query.get("to_time") ?? Number.POSITIVE_INFINITY)];
    return {
      limit,
      page: Number(query.get("page") ?? 1) - 1,
      offset: Number(query.get("offset") ?? 0),
      after: before === null ? undefined : (id: string) => id === before,
      matches: (id: string) => (secondOfId(id) ?? 0) <= to,
    };
  }
});

/** Returns what identifies a row. */
function identify(row: Json): string {
  const { trans_id, tx_hash, txHash, Signature, transaction, address, _id } = row as JsonObject;
  const [signature] = isObject(transaction) ? (transaction.signatures as string[]) : [];
  return String(trans_id ?? tx_hash ?? txHash ?? Signature ?? signature ?? _id ?? address);
}
