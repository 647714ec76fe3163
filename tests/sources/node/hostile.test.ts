/** Answers of nodes that are recorded, damaged or empty: rows, or typed errors; never a wrong digit. */

import fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import {
  isArray,
  isObject,
  type Json,
  type JsonObject,
  numericText,
  parseJson,
  SolxError,
} from "../../../src/base/index.ts";
import { QueryParams } from "../../../src/catalogue/index.ts";
import { decodeTransaction, Member, type RpcCall } from "../../../src/chain/solana/index.ts";
import { createClient } from "../../../src/sources/index.ts";
import { createSession } from "../../../src/sources/node/index.ts";
import { walkRows } from "../../../src/sources/node/walk/walk.ts";
import { type Recording, recordingsOf, resultOf } from "../../support/node/recorded.ts";
import { type Addresses, REQUESTS } from "../../support/node/requests.ts";
import { useScenario } from "../../support/node/use-test-node.ts";
import { toJson } from "../../support/node/wire.ts";
import { answer, connect, endpointOf } from "./answers.ts";

/** Throws when a value is not JSON: undefined and NaN are no values of an answer. */
function requireValues(value: unknown, path = "data"): void {
  if (value === undefined || (typeof value === "number" && !Number.isFinite(value)))
    throw new Error(`${path}: ${value}`);
  if (typeof value === "string" && /^(undefined|NaN|null)$/.test(value)) throw new Error(`${path}: "${value}"`);
  if (typeof value === "object" && value !== null) {
    for (const [name, member] of Object.entries(value)) requireValues(member, `${path}.${name}`);
  }
}

const lamports = (value: Json | undefined) => BigInt(typeof value === "string" ? value : numericText(value as number));

const jsonOf = (recording: Recording): Json => parseJson(toJson(resultOf(recording) ?? null));

const transactions = recordingsOf("getTransaction", { complete: true });
const blocks = recordingsOf("getBlock", { complete: true });

describe.skipIf(transactions.length === 0)("recorded answers", () => {
  test.each(transactions.map((each) => [each.name, each] as const))("%s", async (_, recording) => {
    const result = jsonOf(recording);
    const chain = decodeTransaction(result);
    if (!chain) return;
    const node = connect((method) => {
      if (method === "getTransaction") return result;
      return { context: { slot: 0 }, value: new Array(100).fill(null) };
    });
    const tx = chain.signatures[0] ?? "";
    for (const [route, name] of [
      ["v2-transaction-detail", "tx"],
      ["v2-transaction-actions", "tx"],
      ["transaction-detail", "signature"],
    ] as const) {
      const answered = await answer(node, route, { [name]: tx });
      const data = "data" in answered ? answered.data : null;
      requireValues(data);
      expect(isObject(data) ? (data.tx_hash ?? data.txHash) : data).toBe(tx);
      if (route === "v2-transaction-detail") requireBalances(data as JsonObject, result as JsonObject);
    }
  });

  test.each(blocks.map((each) => [each.name, each] as const))("%s", async (_, recording) => {
    const result = jsonOf(recording);
    const slot = Number(recording.params?.[0] ?? 0);
    const node = connect((method) => (method === "getBlock" ? result : method === "getSlot" ? slot : null));
    for (const route of ["v2-block-detail", "v2-block-transactions", "block-detail", "block-transactions"]) {
      const isSmall = isObject(result) && isArray(result.transactions);
      if (route.endsWith("transactions") && !isSmall) continue;
      if (isObject(result) && !isSmall && !isArray(result.signatures)) {
        await expect(answer(node, route, { block: String(slot) })).rejects.toMatchObject({ code: "MALFORMED_ANSWER" });
        continue;
      }
      const answered = await answer(node, route, { block: String(slot) });
      const data = "data" in answered ? answered.data : null;
      // What the node itself wrote is repeated as it is.
      if (route !== "block-transactions") requireValues(data);
      if (route === "v2-block-detail" && isObject(data)) expect(data.blockhash).toBe((result as JsonObject).blockhash);
    }
  });
});

/** The balances in a detail are those of the recording, and their changes add up to the fee. */
function requireBalances(detail: JsonObject, result: JsonObject): void {
  const { meta } = result;
  if (!isObject(meta)) return;
  const changes = detail.sol_bal_change as readonly JsonObject[];
  expect(changes.map(({ pre_balance }) => lamports(pre_balance))).toEqual((meta.preBalances as Json[]).map(lamports));
  expect(changes.map(({ post_balance }) => lamports(post_balance))).toEqual(
    (meta.postBalances as Json[]).map(lamports),
  );
  const sum = changes.reduce((total, { change_amount }) => total + lamports(change_amount), 0n);
  expect(sum).toBe(-lamports(meta.fee));
  for (const { pre_balance, post_balance, change_amount } of detail.token_bal_change as readonly JsonObject[]) {
    expect(lamports(post_balance) - lamports(pre_balance)).toBe(lamports(change_amount));
  }
}

describe("balances of 64 bits", () => {
  const shared = useScenario();

  test.each(["9223372036854775807", "9223372036854775808", "18446744073709551615"])(
    "%s lamports, of an account that a transaction changes and of one that it names",
    async (amount) => {
      const tx = shared.scenario.signatures.tokenTransfer;
      const source = createClient({ rpc: shared.node.url });
      const node = connect(async (method, params) => {
        const result = (await source.node().call(method, params)) as JsonObject;
        if (method !== "getTransaction") return result;
        const { preBalances, postBalances, ...meta } = result.meta as { preBalances: Json[]; postBalances: Json[] };
        const large = (balances: Json[], positions: number[]) =>
          balances.map((balance, at) => (positions.includes(at) ? parseJson(amount) : balance));
        const balances = { preBalances: large(preBalances, [1]), postBalances: large(postBalances, [1, 2]) };
        return { ...result, meta: { ...meta, ...balances } };
      });
      onTestFinished(() => source.close());
      const answered = await answer(node, "v2-transaction-detail", { tx });
      const { sol_bal_change: changes } = ("data" in answered ? answered.data : {}) as { sol_bal_change: JsonObject[] };
      expect(changes.map(({ post_balance }) => String(post_balance)).filter((post) => post === amount)).toHaveLength(2);
    },
  );

  test("more is malformed", () => {
    for (const amount of ["18446744073709551616", "-18446744073709551616"]) {
      expect(() => new Member(parseJson(amount)).amount()).toThrow(
        expect.objectContaining({ code: "MALFORMED_ANSWER" }),
      );
    }
  });
});

/** Returns a value in which one member is replaced; the numbers choose which and by what. */
function damage(value: Json, path: readonly number[], replacement: Json): Json {
  const [step, ...rest] = path;
  if (step === undefined) return replacement;
  if (isArray(value) && value.length > 0) {
    const at = step % value.length;
    return value.map((item, index) => (index === at ? damage(item, rest, replacement) : item));
  }
  if (!isObject(value)) return replacement;
  const entries = Object.entries(value);
  if (entries.length === 0) return replacement;
  const [name = "", member = null] = entries[step % entries.length] ?? [];
  return { ...value, [name]: damage(member, rest, replacement) };
}

/** Routes whose answers have transactions and accounts in the form of the node. */
const REPEATED = /transactions-enhanced|^block-transactions|^transaction-last|^node-(account|program)|data-decoded/;

/** Returns parameters as they are in a query. */
const textsOf = (params: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(params).map(([name, value]) => [name, [value].flat().map(String)]));

describe("damaged answers", () => {
  const shared = useScenario();
  const DAMAGED: readonly Json[] = [null, true, -1, 1.5, "", "x", [], {}, [null], 1e300, "18446744073709551616"];
  test("are typed errors, or answers without undefined values", async () => {
    await using client = createClient({ rpc: shared.node.url });
    const real = client.node();
    const { addresses, signatures } = shared.scenario;
    const requests = Object.entries(REQUESTS).flatMap(([route, requestsOf]) =>
      requestsOf(addresses as Addresses, signatures).map((params) => ({ route, params: textsOf(params) })),
    );
    const damages = fc.record({
      request: fc.constantFrom(...requests),
      call: fc.nat(8),
      path: fc.array(fc.nat(50), { maxLength: 7 }),
      replacement: fc.constantFrom(...DAMAGED),
    });
    await fc.assert(
      fc.asyncProperty(damages, async ({ request: { route, params }, call, path, replacement }) => {
        let calls = 0;
        const node = connect(async (method, params) => {
          const result = await real.call(method, params);
          return calls++ === call ? damage(result, path, replacement) : result;
        });
        try {
          const result = await answer(node, route, params);
          // What the node itself wrote is repeated as it is.
          if (!REPEATED.test(route) && "data" in result) requireValues(result.data);
        } catch (error) {
          if (!(error instanceof SolxError) || error.exit === "unexpected") throw error;
        }
      }),
      { numRuns: Number(process.env.LAW_CASES ?? 250) },
    );
  });

  const READING = [
    ["v2-transaction-detail", "tx"],
    ["v2-transaction-detail-multi", "tx"],
    ["v2-transaction-actions", "tx"],
    ["transaction-detail", "tx"],
    ["node-instructions", "tx"],
    ["v2-account-transfer", "address"],
    ["v2-account-transactions", "address"],
    ["v2-account-transactions-enhanced", "address"],
    ["v2-account-funded-by", "address"],
    ["v2-block-transactions", "block"],
  ] as const;

  /** Answers a request from the story, in which each transaction is replaced, and returns what it reports. */
  async function answerFrom(
    [route, name]: readonly [route: string, name: "tx" | "address" | "block"],
    replace: (entry: JsonObject, params: RpcCall["params"]) => Json,
  ) {
    await using client = createClient({ rpc: shared.node.url });
    const real = client.node();
    const node = connect(async (method, params) => {
      const result = await real.call(method, params);
      if (!isObject(result)) return result;
      if (method === "getTransaction") return replace(result, params);
      const list = method === "getBlock" && isArray(result.transactions) ? result.transactions : [];
      return list.length === 0
        ? result
        : { ...result, transactions: list.map((one) => replace(one as JsonObject, [])) };
    });
    const { addresses, signatures } = shared.scenario;
    const value = { tx: signatures.tokenTransferChecked, address: addresses.bob, block: "1020" }[name];
    const parameter = route === "transaction-detail" ? "signature" : name;
    const encoding = route.endsWith("enhanced") ? { encoding: "jsonParsed" } : undefined;
    const texts: string[] = [];
    const result = await answer(node, route, { [parameter]: value, ...encoding }, (report) => {
      if (report.type === "coverage") texts.push(report.text);
    });
    return { result, texts };
  }

  test.each(READING)("%s: a transaction without effects is an error", async (...request) => {
    const error = { code: "MISSING_EFFECTS", exit: "server" };
    await expect(answerFrom(request, (entry) => ({ ...entry, meta: null }))).rejects.toMatchObject(error);
  });

  test.each(READING)("%s: effects that the node did not record are reported", async (...request) => {
    const notes = (texts: readonly string[]) => texts.filter((text) => text.includes("inner instructions"));
    expect(notes((await answerFrom(request, (entry) => entry)).texts)).toEqual([]);
    for (const name of ["innerInstructions", "preTokenBalances", "postTokenBalances"]) {
      const without = (entry: JsonObject) => ({ ...entry, meta: { ...(entry.meta as JsonObject), [name]: null } });
      expect(notes((await answerFrom(request, without)).texts)).not.toEqual([]);
    }
  });

  test.each(READING.filter(([, name]) => name !== "block"))(
    "%s: the result of another request is an error",
    async (...request) => {
      const { solTransfer } = shared.scenario.signatures;
      await using client = createClient({ rpc: shared.node.url });
      const other = async (encoding: Json) =>
        (await client
          .node()
          .call("getTransaction", [solTransfer, { encoding, commitment: "confirmed" }])) as JsonObject;
      const results = { base64: await other("base64"), jsonParsed: await other("jsonParsed") };
      const foreign = (_: JsonObject, [, options]: RpcCall["params"]) =>
        results[(options as { encoding: "base64" | "jsonParsed" }).encoding];
      const error = { code: "MALFORMED_ANSWER", message: expect.stringContaining("the requested transaction") };
      await expect(answerFrom(request, foreign)).rejects.toMatchObject(error);
    },
  );

  test.each(READING.filter(([, name]) => name === "address"))(
    "%s: a transaction that is listed and not returned is an error",
    async (...request) => {
      let missing: Json | undefined;
      const withoutFirst = (entry: JsonObject, [signature]: RpcCall["params"]) => {
        missing ??= signature;
        return signature === missing ? null : entry;
      };
      const error = { code: "MISSING_HISTORY", exit: "incomplete" };
      await expect(answerFrom(request, withoutFirst)).rejects.toMatchObject(error);
    },
  );

  test("a wrong time of one listed transaction ends no list", async () => {
    await using client = createClient({ rpc: shared.node.url });
    const real = client.node();
    const { bob } = shared.scenario.addresses;
    const endpoint = endpointOf("v2-account-transfer");
    const from = 1_720_180_805;
    const rowsWith = async (wrong?: { readonly at: number; readonly time: number }) => {
      const node = connect(async (method, params) => {
        const result = await real.call(method, params);
        if (method !== "getSignaturesForAddress" || params[0] !== bob || !isArray(result)) return result;
        return result.map((row, at) => (at === wrong?.at ? { ...(row as JsonObject), blockTime: wrong.time } : row));
      });
      const values = new Map([
        ["address", [bob]],
        ["from_time", [String(from)]],
      ]);
      const params = new QueryParams(endpoint.query, values);
      const rows: Json[] = [];
      for await (const part of walkRows({ node, endpoint, params, session: createSession(), sending: {} }))
        rows.push(...part.rows);
      return rows;
    };
    const rows = await rowsWith();
    expect(rows.length).toBeGreaterThan(10);
    for (const at of [0, 1, 3, 9]) {
      for (const time of [0, -1, 1, from - 1])
        expect({ at, time, rows: await rowsWith({ at, time }) }).toEqual({ at, time, rows });
    }
  });

  test("transactions that were requested and are unknown are reported", async () => {
    await using client = createClient({ rpc: shared.node.url });
    const { solTransfer, tokenTransfer } = shared.scenario.signatures;
    const node = connect((method, params) =>
      method === "getTransaction" && params[0] === solTransfer ? null : client.node().call(method, params),
    );
    const reports: unknown[] = [];
    await answer(node, "v2-transaction-detail-multi", { tx: [solTransfer, tokenTransfer] }, (report) =>
      reports.push(report),
    );
    const text = `The node has no data for 1 of 2 transactions: ${solTransfer}.`;
    expect(reports).toContainEqual({ type: "coverage", text });
  });

  test("a transaction that the node lists but does not return is an error", async () => {
    await using client = createClient({ rpc: shared.node.url });
    const real = client.node();
    const { solTransfer } = shared.scenario.signatures;
    const node = connect((method, params) =>
      method === "getTransaction" && params[0] === solTransfer ? null : real.call(method, params),
    );
    const endpoint = endpointOf("v2-account-transfer");
    const params = new QueryParams(endpoint.query, new Map([["address", [shared.scenario.addresses.bob]]]));
    const pages = walkRows({ node, endpoint, params, session: createSession(), sending: {} });
    const read = async () => {
      for await (const page of pages) requireValues(page.rows);
    };
    await expect(read()).rejects.toMatchObject({ code: "MISSING_HISTORY", exit: "incomplete" });
  });
});
