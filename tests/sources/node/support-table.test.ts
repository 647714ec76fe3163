/** What the catalogue says about answers from a node, compared with the answers. */

import { describe, expect, test } from "vitest";
import { isArray, isObject, type Json, type JsonObject } from "../../../src/base/index.ts";
import { allEndpoints, type Endpoint, loadEntities, nodeSupportOf, recordOf } from "../../../src/catalogue/index.ts";
import { listFields } from "../../../src/catalogue/schemas.ts";
import { PROGRAM } from "../../../src/chain/solana/index.ts";
import { createClient } from "../../../src/sources/index.ts";
import { useScenario } from "../../support/node/use-test-node.ts";

const shared = useScenario();
type Addresses = Readonly<Record<string, unknown>>;
type Requests = (addresses: Addresses, signatures: Addresses) => readonly Readonly<Record<string, unknown>>[];

/** The transactions of the story that together have every field. */
const named = (signatures: Addresses) =>
  [
    "tableTransfer",
    "innerTransfer",
    "tokenTransferChecked",
    "failedTokenTransfer",
    "computeBudget",
    "manyAccounts",
  ].map((name) => signatures[name]);

/** Requests that together show every field that a node knows, by route. */
const REQUESTS: Readonly<Record<string, Requests>> = {
  "v2-account-detail": ({ alice }) => [{ address: alice }],
  "account-detail": ({ mint }) => [{ account: mint }],
  "v2-account-data-decoded": ({ mint }) => [{ address: mint }],
  "v2-account-token-accounts": ({ alice }) => [{ address: alice, type: "token" }],
  "account-tokens": ({ alice }) => [{ account: alice }],
  "v2-account-portfolio": ({ alice }) => [{ address: alice }],
  "v2-account-stake": ({ alice }) => [{ address: alice }],
  "account-stake-accounts": ({ alice }) => [{ account: alice }],
  "v2-account-stake-reward": ({ stake }) => [{ address: stake, from_time: 1_600_000_000 }],
  "v2-account-reward-export": ({ stake }) => [{ address: stake, time_from: 1_600_000_000 }],
  "account-export-rewards": ({ stake }) => [{ account: stake, fromTime: 1_600_000_000 }],
  "v2-account-metadata": ({ aliceToken }) => [{ address: aliceToken }, { address: PROGRAM.token }],
  "v2-account-metadata-multi": ({ aliceToken }) => [{ address: [aliceToken, PROGRAM.token] }],
  "v2-token-meta": ({ mint, feeMint }) => [{ address: mint }, { address: feeMint }],
  "v2-token-meta-multi": ({ mint, feeMint }) => [{ address: [mint, feeMint] }],
  "token-meta": ({ mint }) => [{ tokenAddress: mint }],
  "v2-token-holders": ({ mint }) => [{ address: mint }],
  "token-holders": ({ mint }) => [{ tokenAddress: mint }],
  "v2-nft-collection-items": ({ collection }) => [{ collection }],
  chaininfo: () => [{}],
  "v2-block-last": () => [{}],
  "v2-block-detail": () => [{ block: 1006 }],
  "v2-block-transactions": () => [{ block: 1006 }],
  "block-last": () => [{}],
  "block-detail": () => [{ block: 1006 }, { block: 1009 }],
  "block-transactions": () => Array.from({ length: 12 }, (_, offset) => ({ block: 1006 + offset })),
  "v2-transaction-last": () => [{}],
  "transaction-last": () => [{ limit: 20 }],
  "v2-transaction-fees": () => [{}],
  "v2-transaction-detail": (_, signatures) => named(signatures).map((tx) => ({ tx })),
  "v2-transaction-detail-multi": (_, signatures) => [{ tx: named(signatures) }],
  "v2-transaction-actions": (_, signatures) => named(signatures).map((tx) => ({ tx })),
  "v2-transaction-actions-multi": (_, signatures) => [{ tx: named(signatures) }],
  "transaction-detail": (_, signatures) => named(signatures).map((signature) => ({ signature })),
  "v2-account-transactions": ({ bob }) => [{ address: bob }],
  "v2-account-transactions-enhanced": ({ carol }) => [
    { address: carol, limit: 40 },
    { address: carol, limit: 40, encoding: "json" },
  ],
  "account-transactions": ({ bob }) => [{ account: bob }],
  "v2-account-funded-by": ({ bob }) => [{ address: [bob] }],
  "v2-account-transfer": ({ bob }) => [{ address: bob }],
  "v2-account-transfer-total": ({ bob }) => [{ address: bob, from_time: 1 }],
  "v2-account-transfer-export": ({ bob }) => [{ address: bob }],
  "v2-account-balance-change": ({ bob }) => [{ address: bob }],
  "account-spl-transfers": ({ bob }) => [{ account: bob }],
  "account-sol-transfers": ({ bob }) => [{ account: bob }],
  "account-export-transactions": ({ bob }) => [{ account: bob, type: "all", fromTime: 1, toTime: 4_000_000_000 }],
  "v2-token-transfer": ({ mint }) => [{ address: mint }],
  "token-transfer": ({ mint, bob }) => [{ tokenAddress: mint, address: bob }],
  "node-status": () => [{}],
  "node-performance": () => [{}],
  "node-epoch": () => [{}, { epoch: 2 }],
  "node-account": ({ mint }) => [{ address: mint }],
  "node-instructions": (_, { failedTokenTransfer }) => [{ tx: failedTokenTransfer }],
  "node-block-programs": () => [{ block: 1020 }],
  "node-block-accounts": () => [{ block: 1020 }],
};

/** Returns the paths of all fields in a value: `amount_info.token1`, `creators[].address`. */
function pathsOf(value: Json, path = ""): readonly string[] {
  if (isArray(value)) return value.flatMap((item) => pathsOf(item, `${path}[]`));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const inner = path === "" ? name : `${path}.${name}`;
    return [inner, ...pathsOf(member, inner)];
  });
}

/** An empty cell of a CSV text is a missing field. */
const filledCells = (row: unknown): Json =>
  Object.fromEntries(Object.entries(row as JsonObject).filter(([, cell]) => cell !== ""));

const DETAIL_ONLY = [
  // Of programs with an interface, of tips, and of kinds of transfers that the story does not have.
  ...["parsed_instructions.idl_data", "parsed_instructions.tags", "parsed_instructions.transfers.extra_data"],
  ...["parsed_instructions.transfers.outer_program_id", "transfers.extra_data"],
];
const ACTIONS_ONLY = ["transfers.event", "transfers.fee", "activities.inst_type", "activities.program_invoke_level"];

/** Fields of an entity that other endpoints have, or data that the story does not have. */
const ELSEWHERE: Readonly<Record<string, readonly string[]>> = {
  // Of data of an unknown form.
  "node-account": ["data_base64"],
  "node-instructions": ["data"],
  "v2-block-detail": ["current_slot"],
  "block-last": ["result.code", "result.message"],
  "transaction-last": ["transaction.message.addressTableLookups"],
  "account-transactions": ["name", "data", "dataEncode", "params"].map((name) => `parsedInstruction.${name}`),
  "v2-token-transfer": ["flow"],
  "v2-transaction-detail": DETAIL_ONLY,
  "v2-transaction-detail-multi": DETAIL_ONLY,
  "v2-transaction-actions": ACTIONS_ONLY,
  "v2-transaction-actions-multi": ACTIONS_ONLY,
};

const plain = (path: string) => path.replaceAll("[]", "");

describe.each(
  allEndpoints.filter(({ route }) => REQUESTS[route]).map((endpoint) => [endpoint.route, endpoint] as const),
)("%s", (route, endpoint: Endpoint) => {
  test("has the fields that the catalogue says, and no others", async () => {
    const { node, scenario } = shared;
    await using client = createClient({ rpc: node.url });
    const requests = REQUESTS[route]?.(scenario.addresses as Addresses, scenario.signatures) ?? [];
    const answers = await Promise.all(requests.map((params) => client.fetch(endpoint, params)));
    const rows = answers.flatMap(({ rows: list, data }) => list ?? [recordOf(endpoint, data)]);
    expect(rows.length).toBeGreaterThan(0);
    const isCsv = endpoint.returns.shape === "csv";
    const present = new Set(rows.flatMap((row) => pathsOf(isCsv ? filledCells(row) : (row as Json))).map(plain));
    const entities = await loadEntities();
    const documented = listFields(entities[endpoint.returns.entity] as never).map(({ path }) => plain(path));
    const { missing = [], level } = nodeSupportOf(endpoint);
    const isMissing = (path: string) => missing.some((known) => path === known || path.startsWith(`${known}.`));
    expect({
      missing: documented.filter((path) => !present.has(path) && !isMissing(path) && !ELSEWHERE[route]?.includes(path)),
    }).toEqual({ missing: [] });
    expect({ invented: missing.filter((path) => present.has(path)) }).toEqual({ invented: [] });
    if (level === "full") expect(missing).toEqual([]);
  });
});
