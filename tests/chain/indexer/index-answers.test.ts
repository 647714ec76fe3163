/** What an index does not answer is nothing that its blocks say; see tests/laws/sources.test.ts for what it answers. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { DAY_SECONDS } from "../../../src/base/index.ts";
import { type Endpoint, endpoints, QueryParams } from "../../../src/catalogue/index.ts";
import { USDC, WRAPPED_SOL } from "../../../src/catalogue/samples.ts";
import { type ChainLedgerWriter, openChainLedger } from "../../../src/chain/ledger/store/chain-writer.ts";
import { createLedgerReader, type LedgerReader } from "../../../src/chain/ledger/store/reader.ts";
import { describeSource } from "../../../src/sources/open-source.ts";
import { filterCombinations } from "../../support/filter-combinations.ts";
import { useScenario } from "../../support/node/use-test-node.ts";
import { answerParams, queryRows } from "../../support/query.ts";
import { hasContent, storyBlocks, storySubjects } from "../../support/story-index.ts";

const shared = useScenario();
const { supports } = describeSource({ kind: "index", name: "test" });
let writer: ChainLedgerWriter;
let reader: LedgerReader;
let nextDay: LedgerReader;

beforeAll(async () => {
  const blocks = await storyBlocks(shared.node);
  writer = openChainLedger(":memory:", "chain:test");
  writer.write({ blocks });
  const end = Number(blocks.at(-1)?.time) + 1;
  [reader, nextDay] = [0, DAY_SECONDS].map((later) =>
    createLedgerReader(writer.db, () => ({ shift: 0, end: end + later }), { isChain: true }),
  ) as [LedgerReader, LedgerReader];
});
afterAll(() => writer.close());

/** Whether the queries have something to say, today or of a complete day. */
const isAnswered = (endpoint: Endpoint) =>
  [...filterCombinations(endpoint, storySubjects(reader))].some((values) =>
    [reader, nextDay].some((each) => {
      const answer = answerParams(each, endpoint, new QueryParams(endpoint.query, values));
      return "csv" in answer ? answer.csv.length > 1 : hasContent(answer.data, new Set([...values.values()].flat()));
    }),
  );

/** Answers that have rows without what they are about, and what is read by an indexer, which this ledger has not. */
const NOT_COMPARED = new Set([
  ...["v2-token-price-multi", "v2-token-price-history", "v2-token-price-ohlcv", "v2-account-leaderboard"],
  ...["analytics-stake"],
]);

test.each(
  endpoints
    .filter((endpoint) => supports(endpoint).level === "none" && !NOT_COMPARED.has(endpoint.route))
    .map((endpoint) => [endpoint.route, endpoint] as const),
)("%s is refused because there is nothing to say", (_, endpoint) => {
  expect(isAnswered(endpoint)).toBe(false);
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
