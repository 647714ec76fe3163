/** Queries of ledgers of a chain: every endpoint answers, and nothing that is unknown is invented. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../../src/base/json.ts";
import { endpoints, QueryParams } from "../../../src/catalogue/index.ts";
import { NATIVE_SOL, WRAPPED_SOL } from "../../../src/catalogue/samples.ts";
import { UnknownFactError } from "../../../src/chain/ledger/queries/query.ts";
import type { SourceBlock, TransactionFact } from "../../../src/chain/ledger/source/source.ts";
import { createMemoryLedger } from "../../../src/chain/ledger/store/growing-ledgers.ts";
import type { LedgerReader } from "../../../src/chain/ledger/store/reader.ts";
import { createLedgerReader } from "../../../src/chain/ledger/store/reader.ts";
import { busySubjects, filterCombinations } from "../../support/filter-combinations.ts";
import { keyFor, MAX_AMOUNT, MINTS, ObservedChain, POOL, UNKNOWN_PROGRAM } from "../../support/observed-chain.ts";
import { LedgerFolder } from "../../support/observed-ledger.ts";
import { answerParams, queryCsv, queryData, queryRows } from "../../support/query.ts";

const folder = new LedgerFolder();
const chain = new ObservedChain({ seed: 4 });
const blocks: SourceBlock[] = [];
let grown: LedgerReader;
const memory = createMemoryLedger({ opening: chain.opening() });

beforeAll(() => {
  const writer = folder.open(chain);
  for (let n = 0; n < 40; n++) blocks.push(chain.block(n % 7 === 6 ? 0 : 6));
  // The oldest blocks of mainnet have neither a height nor a time.
  const { height: _, time: __, ...oldest } = blocks[0] as SourceBlock;
  blocks[0] = oldest;
  writer.write({ blocks });
  grown = createLedgerReader(writer.db, () => ({ shift: 0, end: chain.time }), { isChain: true });
  memory.add(...blocks);
});
afterAll(() => {
  memory.close();
  folder.remove();
});

/** Returns the places of an answer with invalid numbers or the words undefined, null and NaN. */
function flaws(value: Json | undefined, path = ""): readonly string[] {
  if (value === undefined || (typeof value === "number" && !Number.isFinite(value))) return [`${path}: ${value}`];
  if (typeof value === "string") return /^(undefined|null|NaN)$/.test(value) ? [`${path}: "${value}"`] : [];
  if (typeof value !== "object" || value === null || "rawJSON" in value) return [];
  return Object.entries(value).flatMap(([name, each]) => flaws(each as Json, `${path}.${name}`));
}

/** Returns the answer to a request; undefined where it is refused, since the blocks of a chain do not say it. */
function answerOrRefusal(...request: Parameters<typeof answerParams>) {
  try {
    return answerParams(...request);
  } catch (error) {
    if (error instanceof UnknownFactError) return undefined;
    throw error;
  }
}

describe.each([
  ["in a file", () => grown],
  ["in memory", () => memory.reader],
] as const)("a ledger %s", (_, reader) => {
  test.each(endpoints.map((endpoint) => [endpoint.route, endpoint] as const))("answers %s", (_route, endpoint) => {
    const subjects = busySubjects(reader());
    const known = {
      ...subjects,
      tokens: [...subjects.tokens, ...Object.values(MINTS)],
      accounts: [...subjects.accounts, keyFor("unused"), keyFor("leader"), UNKNOWN_PROGRAM],
      pools: [POOL],
      quietWallet: chain.wallet(0),
    };
    const problems = [...filterCombinations(endpoint, known)].flatMap((values) => {
      const answer = answerOrRefusal(reader(), endpoint, new QueryParams(endpoint.query, values));
      if (answer === undefined) return [];
      const each = "csv" in answer ? flaws(answer.csv as unknown as Json) : flaws(answer.data);
      return each.map((flaw) => `${JSON.stringify([...values])}: ${flaw}`);
    });
    expect(problems).toEqual([]);
  });
});

const transactions = () => blocks.flatMap((block) => block.transactions.map((fact) => ({ block, fact })));

describe("transactions of a chain", () => {
  test("have their own blockhash, data, lamports, error and logs, and no derived ones", () => {
    for (const { fact } of transactions()) {
      const detail = queryData(grown, "v2-transaction-detail", { tx: fact.signature }) as JsonObject;
      expect(detail).toMatchObject({ recent_block_hash: fact.recentBlockhash, fee: 5000, version: 0 });
      expect(detail).not.toHaveProperty("log_message");
      expect(detail.status).toBe(fact.error === undefined ? 1 : 0);
      const lamports = new Map(fact.keys.map(({ address, lamports: each }) => [address, String(each)]));
      const changes = detail.sol_bal_change as readonly JsonObject[];
      expect(changes.map(({ address, post_balance: post }) => [address, post])).toEqual([...lamports]);
      const [encoded] = queryRows(grown, "v2-account-transactions-enhanced", {
        ...{ address: fact.keys[0]?.address ?? "", encoding: "json", limit: 1, to_signature: fact.signature },
      });
      expect(encoded === undefined || "transaction" in encoded).toBe(true);
    }
  });

  test("are answered as nodes encode them", () => {
    const { fact, block } = transactions().find(({ fact: { error } }) => error !== undefined) ?? {};
    if (!fact || !block) throw new Error("No transaction failed.");
    const rows = queryRows(grown, "block-transactions", { block: block.slot, limit: 50 });
    const row = rows.find(({ transaction }) => JSON.stringify(transaction).includes(fact.signature)) as JsonObject;
    expect(row.meta).toMatchObject({ err: { InstructionError: [1, { Custom: 6001 }] }, logMessages: null });
    const message = (row.transaction as JsonObject).message as JsonObject;
    const [first] = message.instructions as readonly JsonObject[];
    expect(first).toMatchObject({ data: expect.stringMatching(/^[1-9A-HJ-NP-Za-km-z]+$/) });
  });
});

describe("what is unknown", () => {
  test("is absent: values, prices, names, decimals, supply and holders", () => {
    const meta = queryData(grown, "v2-token-meta", { address: MINTS.bare }) as JsonObject;
    for (const name of ["name", "symbol", "decimals", "supply", "holder", "price", "market_cap", "created_time"])
      expect(meta).not.toHaveProperty(name);
    const transfers = queryRows(grown, "v2-token-transfer", { address: MINTS.bare, page_size: 100 });
    expect(transfers.length).toBeGreaterThan(0);
    for (const transfer of transfers) expect(transfer).not.toHaveProperty("token_decimals");
    const swaps = queryRows(grown, "v2-token-defi-activities", { address: MINTS.plain, page_size: 100 });
    expect(swaps.length).toBeGreaterThan(0);
    for (const swap of swaps) expect(swap).not.toHaveProperty("value");
    const portfolio = queryData(grown, "v2-account-portfolio", { address: chain.wallet(0) }) as JsonObject;
    expect(portfolio).not.toHaveProperty("total_value");
    expect(portfolio.native_balance).toMatchObject({ amount_str: expect.stringMatching(/^\d+$/) });
    expect(portfolio.native_balance).not.toHaveProperty("value");
    const [market] = queryRows(grown, "v2-market-list", { sort_by: "volumes_24h" });
    expect(market).toMatchObject({ pool_address: POOL });
    expect(market).not.toHaveProperty("created_time");
    expect(queryData(grown, "v2-account-detail", { address: UNKNOWN_PROGRAM })).toEqual({
      ...{ account: UNKNOWN_PROGRAM, lamports: 1, is_oncurve: expect.any(Boolean) },
    });
  });

  test("is in no range of a filter, and last in lists", () => {
    expect(queryRows(grown, "v2-account-transfer", { address: chain.wallet(1), value: [0, 1e12] })).toEqual([]);
    for (const sort_order of ["asc", "desc"]) {
      const tokens = queryRows(grown, "v2-token-list", { sort_by: "holder", sort_order, page_size: 100 });
      expect(tokens.map(({ address }) => address)).toContain(MINTS.bare);
      const holders = tokens.map(({ holder }) => holder);
      expect(holders.slice(holders.indexOf(undefined as never))).toEqual(
        holders.filter((holder) => holder === undefined),
      );
    }
  });

  test("is the time of the oldest blocks", () => {
    const [first] = blocks as [SourceBlock];
    expect(queryData(grown, "v2-block-detail", { block: first.slot })).toEqual({
      ...{
        blockhash: first.hash,
        fee_rewards: Number(first.feeRewards),
        transactions_count: first.transactions.length,
      },
      ...{ parent_slot: first.parentSlot, previous_block_hash: first.parentHash },
    });
    const [{ signature }] = first.transactions as [TransactionFact, ...TransactionFact[]];
    expect(queryData(grown, "v2-transaction-detail", { tx: signature })).not.toHaveProperty("block_time");
  });
});

describe("amounts beyond 2^63", () => {
  test("are exact in holders, portfolios, filters and exports", () => {
    const holders = queryRows(grown, "v2-token-holders", { address: MINTS.big, page_size: 40 });
    const amounts = holders.map(({ amount_str: text }) => BigInt(String(text)));
    expect(amounts.reduce((sum, each) => sum + each, 0n)).toBe(MAX_AMOUNT);
    expect(amounts).toEqual(amounts.toSorted((a, b) => (a > b ? -1 : 1)));
    const largest = String(amounts[0]);
    const params = { address: MINTS.big, from_amount: largest, to_amount: largest };
    expect(queryRows(grown, "v2-token-holders", params)).toMatchObject([{ amount_str: largest }]);
    expect(queryData(grown, "v2-token-meta", { address: MINTS.big })).toMatchObject({ supply: String(MAX_AMOUNT) });
    const owner = String(holders[0]?.owner);
    const owned = [...chain.holdings.values()].filter((each) => each.owner === owner && each.mint === MINTS.big);
    const { tokens } = queryData(grown, "v2-account-portfolio", { address: owner }) as JsonObject;
    expect((tokens as readonly JsonObject[]).find(({ token_address: mint }) => mint === MINTS.big)).toMatchObject({
      amount_str: String(owned.reduce((sum, { amount }) => sum + amount, 0n)),
    });
    const moved = transactions().flatMap(({ fact }) => fact.transfers.filter(({ token }) => token === MINTS.big));
    const most = moved.reduce((max, { amount }) => (amount > max ? amount : max), 0n);
    const matching = queryRows(grown, "v2-token-transfer", {
      address: MINTS.big,
      amount: [String(most), String(most)],
    });
    expect(matching.length).toBe(moved.filter(({ amount }) => amount === most).length);
    const changes = transactions().flatMap(({ fact }) =>
      fact.changes.filter(({ token, owner: holder }) => token === MINTS.big && holder === owner),
    );
    const listed = queryRows(grown, "v2-account-balance-change", { address: owner, token: MINTS.big, page_size: 100 });
    expect(listed.map(({ amount }) => BigInt(JSON.stringify(amount)))).toEqual(
      changes.map(({ pre, post }) => (post > pre ? post - pre : pre - post)).reverse(),
    );
  });

  test("have the lamports of token accounts apart from their tokens", () => {
    const [account] = [...chain.holdings.keys()];
    const lamports = Number(chain.lamports.get(account ?? ""));
    expect(queryData(grown, "v2-account-detail", { address: account ?? "" })).toMatchObject({ lamports });
    expect(queryData(memory.reader, "v2-account-detail", { address: account ?? "" })).toMatchObject({ lamports });
  });
});

describe("a ledger in memory", () => {
  test("answers as one in a file does", () => {
    for (const { fact } of transactions().slice(0, 60)) {
      for (const route of ["v2-transaction-detail", "v2-transaction-actions"]) {
        const params = { tx: fact.signature };
        expect(queryData(memory.reader, route, params)).toEqual(queryData(grown, route, params));
      }
    }
    for (const address of [chain.wallet(0), chain.wallet(3), POOL]) {
      for (const route of ["v2-account-transfer", "v2-account-balance-change", "v2-account-transactions"])
        expect(queryRows(memory.reader, route, { address })).toEqual(queryRows(grown, route, { address }));
      const records = queryCsv(grown, "v2-account-transfer-export", { address });
      expect(queryCsv(memory.reader, "v2-account-transfer-export", { address })).toEqual(records);
    }
  });

  test("decodes instructions when they are read", () => {
    const ledger = createMemoryLedger({
      blocks: blocks.slice(1, 3),
      decode: {
        instruction: ({ data, accounts }) => ({ info: { size: data.length, accounts: accounts.length } }),
        failure: ({ error }) => ({ value: error }),
      },
    });
    const [{ signature }] = (blocks[1] as SourceBlock).transactions as [TransactionFact, ...TransactionFact[]];
    const { parsed_instructions: instructions } = queryData(ledger.reader, "v2-transaction-detail", {
      tx: signature,
    }) as JsonObject;
    expect((instructions as readonly JsonObject[]).length).toBeGreaterThan(0);
    expect(ledger.reader.facts.isComplete).toBe(false);
    ledger.close();
  });

  test("takes blocks without any introduction", () => {
    const ledger = createMemoryLedger({ blocks });
    expect(queryRows(ledger.reader, "v2-block-last", { limit: 100 })).toHaveLength(blocks.length);
    expect(queryData(ledger.reader, "v2-token-meta", { address: WRAPPED_SOL })).toEqual({});
    expect(queryData(ledger.reader, "v2-token-meta", { address: NATIVE_SOL })).toMatchObject({ decimals: 9 });
    ledger.close();
  });
});
