/** Transactions and blocks from a node. */

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isArray, isObject, type Json, type JsonObject } from "../../../src/base/index.ts";
import { allEndpoints, type Endpoint } from "../../../src/catalogue/index.ts";
import type { ConnectedClient } from "../../../src/sources/index.ts";
import { createClient } from "../../../src/sources/index.ts";
import { type ChainIndex, indexChain } from "../../support/node/index-of.ts";
import { SCENARIO_OPTIONS } from "../../support/node/scenario.ts";
import { useScenario, useTestNode } from "../../support/node/use-test-node.ts";

const shared = useScenario();
let client: ConnectedClient;
let index: ChainIndex;

beforeAll(async () => {
  client = createClient({ rpc: shared.node.url });
  index = await indexChain(client.node(), SCENARIO_OPTIONS.firstSlot ?? 0);
});

afterAll(async () => {
  index.close();
  await client.close();
});

const endpointOf = (route: string): Endpoint => {
  const match = allEndpoints.find((endpoint) => endpoint.route === route);
  if (!match) throw new Error(`No endpoint ${route}`);
  return match;
};

type Params = Parameters<ChainIndex["answer"]>[1];

const read = async (route: string, params: Params): Promise<Json> =>
  (await client.fetch(endpointOf(route), params)).data;

async function indexed(route: string, params: Params): Promise<Json> {
  const result = await index.answer(endpointOf(route), params);
  if ("csv" in result) throw new Error("CSV");
  return result.data;
}

const signatures = () => Object.values(shared.scenario.signatures).filter((signature) => signature !== "");

describe("a transaction that failed says why", () => {
  const program = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA";
  const message = "Instruction 1 (Token Program) failed: insufficient funds (custom error 1)";
  const error = {
    message,
    reason: "insufficient funds (1)",
    name: "Custom",
    code: 1,
    instruction: 1,
    program,
    program_name: "Token Program",
    path: [program],
    value: { InstructionError: [0, { Custom: 1 }] },
  };

  test.each(["v2-transaction-detail", "v2-transaction-actions"])("%s", async (route) => {
    const params = { tx: shared.scenario.signatures.failedTokenTransfer };
    expect(await read(route, params)).toMatchObject({ error });
    expect(await indexed(route, params)).toMatchObject({ error });
    expect(await read(route, { tx: shared.scenario.signatures.tokenTransferChecked })).not.toHaveProperty("error");
  });

  test.each([
    ["v2-account-transactions", "address", 40, "tx_hash"],
    ["v2-transaction-last", undefined, 100, "tx_hash"],
    ["account-transactions", "account", 40, "txHash"],
  ])("%s, in its row", async (route, subject, limit, id) => {
    const detail = await read("v2-transaction-detail", { tx: shared.scenario.signatures.failedTokenTransfer });
    const [payer = ""] = (detail as { readonly signer: readonly string[] }).signer;
    const params = { ...(subject === undefined ? {} : { [subject]: payer }), limit };
    for (const rows of [await read(route, params), await indexed(route, params)]) {
      const all = (rows as readonly JsonObject[]).map((row) => [row[id], row.status, row.error] as const);
      expect(all).toContainEqual([shared.scenario.signatures.failedTokenTransfer, "Fail", error]);
      expect(all.filter(([, status, reason]) => (status === "Fail") !== (reason !== undefined))).toEqual([]);
    }
  });

  test("v2-block-transactions, in its row", async () => {
    const { block_id: block } = (await read("v2-transaction-detail", {
      tx: shared.scenario.signatures.failedTokenTransfer,
    })) as JsonObject;
    for (const data of [
      await read("v2-block-transactions", { block: block as number }),
      await indexed("v2-block-transactions", { block: block as number }),
    ])
      expect((data as JsonObject).transactions).toContainEqual(expect.objectContaining({ status: "Fail", error }));
  });

  test.each(["jsonParsed", "json", "base64", "base58", "block"])("beside the form of a node: %s", async (form) => {
    const { failedTokenTransfer } = shared.scenario.signatures;
    const detail = (await read("v2-transaction-detail", { tx: failedTokenTransfer })) as JsonObject;
    const [address = ""] = detail.signer as readonly string[];
    const [route, params] =
      form === "block"
        ? ["block-transactions", { block: Number(detail.block_id), limit: 40 }]
        : ["v2-account-transactions-enhanced", { address, limit: 40, encoding: form }];
    for (const data of [await read(route, params as Params), await indexed(route, params as Params)]) {
      const list = isObject(data) ? data.transactions : data;
      const rows = (list as readonly JsonObject[]).map((row) => [(row.meta as JsonObject).err, row.error] as const);
      expect(rows).toContainEqual([error.value, error]);
      expect(rows.filter(([err, reason]) => (err === null) !== (reason === undefined))).toEqual([]);
    }
  });

  test("node-instructions, at the instruction", async () => {
    const rows = await read("node-instructions", { tx: shared.scenario.signatures.failedTokenTransfer });
    expect(rows).toMatchObject([{ status: "failed", error: "insufficient funds (custom error 1)" }]);
  });
});

describe("is what an index of the same chain answers", () => {
  test.each([
    ["v2-transaction-detail", "tx"],
    ["v2-transaction-actions", "tx"],
    ["transaction-detail", "signature"],
  ])("%s of every transaction", async (route, name) => {
    for (const signature of signatures()) {
      const params = { [name]: signature };
      expect([signature, await read(route, params)]).toEqual([signature, await indexed(route, params)]);
    }
  });

  test("blocks and their transactions", async () => {
    const slots = (await read("v2-block-last", { limit: 20 })) as readonly JsonObject[];
    expect(slots).toHaveLength(20);
    expect(slots).toEqual(await indexed("v2-block-last", { limit: 20 }));
    for (const { current_slot: block } of slots) {
      for (const route of ["v2-block-detail", "block-detail", "v2-block-transactions"]) {
        expect(await read(route, { block: Number(block) })).toEqual(await indexed(route, { block: Number(block) }));
      }
    }
  });

  test.each([{}, { exclude_vote: "true" }, { page_size: 10, page: 2 }])(
    "the transactions of a block: %j",
    async (more) => {
      const params = { block: 1020, ...more };
      expect(await read("v2-block-transactions", params)).toEqual(await indexed("v2-block-transactions", params));
    },
  );

  test("which addresses have no account, where the index knows it", async () => {
    const types = [];
    for (const address of index.addresses) {
      const [node, known] = [
        await read("v2-account-detail", { address }),
        await indexed("v2-account-detail", { address }),
      ];
      const [{ type }, { type: indexedType, owner_program: owner }] = [node as JsonObject, known as JsonObject];
      if (indexedType === "no_account" || (indexedType !== undefined && type === "no_account"))
        types.push([address, type, indexedType, owner]);
    }
    expect(types.length).toBeGreaterThan(0);
    for (const [address, ...rest] of types)
      expect([address, ...rest]).toEqual([address, "no_account", "no_account", undefined]);
  });

  test("the newest transactions", async () => {
    const params = { limit: 40 };
    expect(await read("v2-transaction-last", params)).toEqual(await indexed("v2-transaction-last", params));
  });

  test("transactions of an account, page by page", async () => {
    const { alice, aliceToken } = shared.scenario.addresses;
    for (const address of [alice, aliceToken]) {
      const rows: Json[] = [];
      for await (const page of client.pages(endpointOf("v2-account-transactions"), { address }, { all: true })) {
        rows.push(...page.rows);
      }
      expect(rows).toEqual(await indexed("v2-account-transactions", { address, limit: 1000 }));
    }
    const { bob } = shared.scenario.addresses;
    expect(await read("account-transactions", { account: bob, limit: 50 })).toEqual(
      await indexed("account-transactions", { account: bob, limit: 50 }),
    );
  });

  test("who funded an account", async () => {
    const { alice, bob, friends, closedToken } = shared.scenario.addresses;
    const address = [alice, bob, friends[3] ?? "", closedToken];
    const rows = await read("v2-account-funded-by", { address });
    expect(rows).toHaveLength(4);
    expect(rows).toMatchObject([{ address: alice, tx_hash: shared.scenario.signatures.airdrop }, {}, {}, {}]);
  });
});

describe("transactions in the form of the node", () => {
  /** Reads all pages; each has few rows, so that pages end within a slot too. */
  async function enhanced(params: Params): Promise<readonly string[]> {
    const list: string[] = [];
    const endpoint = endpointOf("v2-account-transactions-enhanced");
    for await (const page of client.pages(endpoint, { limit: 2, ...params }, { all: true })) {
      list.push(...page.rows.map((row) => signatureOf(row)));
    }
    return list;
  }

  const signatureOf = (row: Json): string => {
    const transaction = isObject(row) ? row.transaction : undefined;
    const list = isObject(transaction) ? transaction.signatures : undefined;
    return isArray(list) ? String(list[0]) : "";
  };

  test.each([
    ["of a wallet", {}],
    ["with those of its token accounts", { token_account: "true" }],
    ["failed ones", { status: "false" }],
    ["of a signer", { signer: "alice" }],
    ["with a program", { program: "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA" }],
    ["with a token, also of token accounts", { token: "mint", token_account: "true" }],
    ["between slots", { from_slot: 1006, to_slot: 1030 }],
    ["in a time range", { from_time: 1_720_180_803, to_time: 1_720_180_812 }],
    ["between two transactions", { from_signature: "solTransfer", to_signature: "burn" }],
  ])("%s", async (_, filter) => {
    const names = { ...shared.scenario.addresses, ...shared.scenario.signatures } as Readonly<Record<string, unknown>>;
    const resolved = Object.fromEntries(
      Object.entries(filter).map(([name, value]) => [name, names[value as string] ?? value]),
    ) as Params;
    const params = { address: shared.scenario.addresses.bob, ...resolved };
    const expected = (await indexed("v2-account-transactions-enhanced", {
      ...params,
      limit: 1000,
      encoding: "json",
    })) as JsonObject;
    const list = (expected.transactions as readonly Json[]).map(signatureOf);
    expect(list.length).toBeGreaterThan(1);
    expect(await enhanced(params)).toEqual(list);
  });

  test("refuses the cursor of another server", async () => {
    const params = { address: shared.scenario.addresses.bob, cursor: "bmV4dA" };
    await expect(read("v2-account-transactions-enhanced", params)).rejects.toMatchObject({ code: "BAD_CURSOR" });
  });
});

describe("what does not exist", () => {
  const UNKNOWN = "1".repeat(64);

  test("is not found, or left out of several", async () => {
    const { solTransfer } = shared.scenario.signatures;
    const several = await read("v2-transaction-detail-multi", { tx: [solTransfer, UNKNOWN] });
    expect(several).toMatchObject([{ tx_hash: solTransfer }]);
    expect(await read("v2-block-transactions", { block: 1009 })).toEqual({ total: 0, transactions: [] });
  });

  test("a skipped slot and a future one have the errors of a node in the legacy family", async () => {
    const { slot } = shared.node.chain.tip;
    expect(await read("block-detail", { block: 1009 })).toMatchObject({ result: { code: -32007 } });
    expect(await read("block-detail", { block: slot + 1000 })).toMatchObject({ result: { code: -32004 } });
  });

  test("history that the node does not have is an error with advice", async () => {
    const answer = read("v2-block-detail", { block: 5 });
    await expect(answer).rejects.toMatchObject({
      code: -32001,
      exit: "notFound",
      hint: expect.stringContaining("archive"),
    });
  });
});

describe("finality", () => {
  const young = useTestNode({ finality: "manual" });

  test("what is only confirmed says so, and is read again until it is finalised", async () => {
    await using other = createClient({ rpc: young.url });
    const tx = await young.airdrop(young.faucet.address, 7n);
    const detail = async () => (await other.fetch(endpointOf("v2-transaction-detail"), { tx })).data;
    await expect(detail()).rejects.toMatchObject({ exit: "notFound" });
    young.chain.commit("confirmed");
    expect(await detail()).toMatchObject({ tx_status: "confirmed" });
    const { slot } = young.chain.tip;
    expect((await other.fetch(endpointOf("v2-block-detail"), { block: slot })).data).toMatchObject({
      transactions_count: 1,
    });
    young.chain.commit("finalized");
    expect(await detail()).toMatchObject({ tx_status: "finalized" });
    young.resetCounters();
    expect(await detail()).toMatchObject({ tx_status: "finalized" });
    expect(young.calls().getTransaction).toBeUndefined();
  });

  test("finalised transactions are read once in a session", async () => {
    const { node, scenario } = shared;
    await using other = createClient({ rpc: node.url });
    const tx = scenario.signatures.burn;
    await other.fetch(endpointOf("v2-transaction-detail"), { tx });
    node.resetCounters();
    await other.fetch(endpointOf("v2-transaction-actions"), { tx });
    expect(node.calls().getTransaction ?? 0).toBe(0);
  });
});

test("chaininfo and current fees", async () => {
  const { tip } = shared.node.chain;
  const info = await read("chaininfo", {});
  expect(info).toMatchObject({ absoluteSlot: tip.slot });
  const fees = (await read("v2-transaction-fees", {})) as Readonly<Record<string, number>>;
  expect(fees).toMatchObject({ min_fee: 0.000005 });
  expect(fees.avg_fee).toBeGreaterThanOrEqual(fees.min_fee ?? 0);
  expect(fees.max_fee).toBeGreaterThanOrEqual(fees.avg_fee ?? 0);
});
