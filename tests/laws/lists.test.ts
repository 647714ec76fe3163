/**
 * The law of lists, for every source: whatever a server does with pages, each row is there once and in order, or an
 * IncompleteError says that the list was not read to its end. `LAW_CASES` is the number of cases of all sources together.
 */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { IncompleteError, isObject, type Json, type JsonObject } from "../../src/base/index.ts";
import { allEndpoints } from "../../src/catalogue/index.ts";
import { type ConnectedClient, createClient } from "../../src/sources/index.ts";
import { type JsonRpcServer, serveJsonRpc } from "../support/node/json-rpc-server.ts";
import { startTestNode, type TestNode } from "../support/node/node.ts";
import type { Wire } from "../support/node/wire.ts";
import { connectTo } from "../support/node-connection.ts";
import { MisbehavingList, type Misbehaviour, misbehaviours, WELL_BEHAVED } from "./misbehaving-list.ts";

const CASES = Number(process.env.LAW_CASES ?? 300);
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
  const steady = list.steady;
  const read = isOldestFirst ? ids.toReversed() : ids;
  expect(new Set(read).size, "rows that are there twice").toBe(read.length);
  const positions = read.map((id) => list.positionOf(id));
  expect(positions, "order").toEqual(positions.toSorted((a, b) => a - b));
  if (error !== undefined) {
    expect(error).toBeInstanceOf(IncompleteError);
    expect(list.isRecoverable, String(error)).toBe(false);
    return;
  }
  expect(
    read.filter((id) => steady.includes(id)),
    "rows that were there all the time",
  ).toEqual(steady);
}

describe("a node", () => {
  const WALLET = "5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1";
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
    const read = async (): Promise<Reading> => {
      const ids: string[] = [];
      try {
        for await (const page of client.pages(endpointOf(route), params, { all: true }))
          ids.push(...page.rows.map(identify));
        return { ids, error: undefined };
      } catch (error) {
        return { ids, error };
      }
    };
    const run = async (size: number, what: Misbehaviour) => {
      list = new MisbehavingList(
        rows.slice(0, size).map(({ signature }) => signature),
        what,
      );
      checkLaw(list, await read(), "sort_order" in params);
    };
    await run(rows.length, WELL_BEHAVED);
    await fc.assert(fc.asyncProperty(fc.nat({ max: rows.length }), misbehaviours, run), {
      numRuns: Math.ceil(CASES / 20),
    });
  });
});

/** Returns what identifies a row. */
function identify(row: Json): string {
  const { trans_id, tx_hash, txHash, Signature, transaction } = row as JsonObject;
  const [signature] = isObject(transaction) ? (transaction.signatures as string[]) : [];
  return String(trans_id ?? tx_hash ?? txHash ?? Signature ?? signature);
}
