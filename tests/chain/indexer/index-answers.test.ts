/** What an index answers: every endpoint has rows, or is refused with what is missing and who can answer. */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  DAY_SECONDS,
  isArray,
  isObject,
  type Json,
  type JsonObject,
  parseJson,
  toHints,
} from "../../../src/base/index.ts";
import { type Endpoint, endpoints, QueryParams } from "../../../src/catalogue/index.ts";
import { USDC, WRAPPED_SOL } from "../../../src/catalogue/samples.ts";
import { blockToFacts, createKnowledge, transactionsToFacts } from "../../../src/chain/indexer/facts/convert.ts";
import { type ChainLedgerWriter, openChainLedger } from "../../../src/chain/ledger/store/chain-writer.ts";
import { createLedgerReader, type LedgerReader } from "../../../src/chain/ledger/store/reader.ts";
import { decodeBlock, decodeTransaction } from "../../../src/chain/solana/index.ts";
import { describeSource } from "../../../src/sources/open-source.ts";
import { busySubjects, filterCombinations } from "../../support/filter-combinations.ts";
import { REQUESTS } from "../../support/node/requests.ts";
import { useScenario } from "../../support/node/use-test-node.ts";
import { connectTo } from "../../support/node-connection.ts";
import { answerParams, queryRows } from "../../support/query.ts";

const shared = useScenario();
const swaps = parseJson(
  readFileSync(new URL("../../fixtures/solana-swaps.json", import.meta.url), "utf8"),
) as JsonObject;
const transactions = Object.values(swaps).flatMap((each) => decodeTransaction(each as Json) ?? []);
const { supports } = describeSource({ kind: "index", name: "test" });
let writer: ChainLedgerWriter;
let reader: LedgerReader;
let nextDay: LedgerReader;

/** The story of the test node, and trades of mainnet. */
beforeAll(async () => {
  const knowledge = createKnowledge();
  const node = connectTo(shared.node.url);
  const slots = (await node.call("getBlocks", [0, shared.node.chain.tip.slot])) as readonly number[];
  const options = { encoding: "base64", rewards: true, maxSupportedTransactionVersion: 1 };
  const blocks = [];
  for (const slot of slots) {
    const block = decodeBlock(await node.call("getBlock", [slot, options]), slot);
    if (block) blocks.push(await blockToFacts(block, { knowledge }));
  }
  const trades = await transactionsToFacts(transactions, { knowledge });
  const time = blocks.at(-1)?.time ?? 0;
  writer = openChainLedger(":memory:", "chain:test");
  writer.write({ blocks: [...blocks, ...trades.map((block, at) => ({ ...block, time: time + at }))] });
  [reader, nextDay] = [0, DAY_SECONDS].map((later) =>
    createLedgerReader(writer.db, () => ({ shift: 0, end: time + trades.length + later }), { isChain: true }),
  ) as [LedgerReader, LedgerReader];
});
afterAll(() => writer.close());

/** Whether an answer says something beyond what was asked. */
function hasContent(value: unknown, asked: ReadonlySet<string>): boolean {
  if (isArray(value as Json)) return (value as Json[]).length > 0;
  if (!isObject(value as Json))
    return ![undefined, null, 0, "0"].includes(value as string) && !asked.has(String(value));
  return Object.values(value as JsonObject).some((each) => hasContent(each, asked));
}

function requestsOf(endpoint: Endpoint) {
  const { addresses, signatures } = shared.scenario;
  const texts = (value: unknown) => [value].flat().map(String);
  const own = REQUESTS[endpoint.route]?.(addresses, signatures) ?? [];
  const ofNode = own.map((values) => new Map(Object.entries(values).map(([name, value]) => [name, texts(value)])));
  const busy = busySubjects(reader);
  const pool = queryRows(reader, "v2-market-list", { sort_by: "trades_24h" })[0] ?? {};
  const subjects = {
    ...busy,
    pools: [String(pool.pool_address)],
    tokens: [...busy.tokens, String(pool.token1)],
    signature: String(transactions[0]?.signatures[0]),
  };
  const all: readonly ReadonlyMap<string, readonly string[]>[] = [...ofNode, ...filterCombinations(endpoint, subjects)];
  return all.map((values) => ({
    params: new QueryParams(endpoint.query, values),
    asked: new Set([...values.values()].flat()),
  }));
}

/** Statistics of days are those of complete days. */
const isAnswered = (endpoint: Endpoint) =>
  requestsOf(endpoint).some(({ params, asked }) =>
    [reader, nextDay].some((each) => {
      const answer = answerParams(each, endpoint, params);
      return "csv" in answer ? answer.csv.length > 1 : hasContent(answer.data, asked);
    }),
  );

/** Answers that have rows without what they are about, and the one that comes from the service. */
const NOT_COMPARED = new Set([
  ...["v2-token-price-multi", "v2-token-price-history", "v2-token-price-ohlcv", "v2-account-leaderboard"],
  ...["analytics-stake", "v2-monitor-usage"],
  // What says which collections there are is read by an indexer, which this ledger has not: see nfts.test.ts.
  ...["v2-nft-news", "v2-nft-collection-lists", "v2-nft-collection-items"],
]);

test.each(endpoints.map((endpoint) => [endpoint.route, endpoint] as const))("%s", (_, endpoint) => {
  const { level, refusal } = supports(endpoint);
  if (level === "none") {
    expect(refusal?.reason).toMatch(/^An index cannot answer ".+": .+/);
    expect(toHints(refusal?.instead).command).toMatch(/API|--rpc|--sandbox/);
  }
  // What is refused has nothing to say, and nothing else is empty.
  if (!NOT_COMPARED.has(endpoint.route)) expect(isAnswered(endpoint)).toBe(level !== "none");
});

test("pools have the same sides, whatever was traded first, and platforms have their programs", () => {
  const markets = queryRows(reader, "v2-market-list", { sort_by: "trades_24h", page_size: 100 });
  expect(markets.length).toBeGreaterThan(3);
  const priced = markets.filter(({ token1, token2 }) => [token1, token2].includes(USDC));
  expect(priced.map(({ token2 }) => token2)).toEqual(priced.map(() => USDC));
  const others = markets.filter((market) => !priced.includes(market) && market.token1 === WRAPPED_SOL);
  expect(others).toEqual([]);
  const platforms = queryRows(reader, "v2-program-popular-platforms");
  expect(platforms.map(({ platform_id: id }) => id)).toEqual(expect.arrayContaining(["jupiter", "raydium"]));
});
