/** An index in ClickHouse answers like one in a file: every endpoint, with all filters and pages, byte for byte. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Json, type JsonObject, parseJson, stringifyJson } from "../../../src/base/index.ts";
import { type Endpoint, endpoints, QueryParams } from "../../../src/catalogue/index.ts";
import { createStoredDecoder } from "../../../src/chain/indexer/state/interfaces.ts";
import { keyOf } from "../../../src/chain/ledger/clickhouse/keys.ts";
import { connectToStore } from "../../../src/chain/ledger/clickhouse/server.ts";
import { ledgerToShip } from "../../../src/chain/ledger/clickhouse/shipping.ts";
import { readStore } from "../../../src/chain/ledger/clickhouse/store.ts";
import { openStoreWriter } from "../../../src/chain/ledger/clickhouse/writer.ts";
import { UnknownFactError } from "../../../src/chain/ledger/queries/query.ts";
import { type ChainLedgerWriter, openChainLedger } from "../../../src/chain/ledger/store/chain-writer.ts";
import { type FactReader, readFacts, readProperties, writeFacts } from "../../../src/chain/ledger/store/exchange.ts";
import { createLedgerReader, type LedgerReader } from "../../../src/chain/ledger/store/reader.ts";
import { SLOT_END } from "../../../src/chain/ledger/store/schema.ts";
import { type Ledger, openGrowingLedger, type RemoteLedger } from "../../../src/chain/ledger/store/store.ts";
import { describeSource } from "../../../src/sources/open-source.ts";
import { describeDifference } from "../../support/clickhouse/difference.ts";
import { startClickHouse, storeAt } from "../../support/clickhouse/start.ts";
import { filterCombinations } from "../../support/filter-combinations.ts";
import { useScenario } from "../../support/node/use-test-node.ts";
import { CHDB, describeWith } from "../../support/programs.ts";
import { answerParams } from "../../support/query.ts";
import { storyBlocks, storySubjects } from "../../support/story-index.ts";

/** Requests of an endpoint, of all combinations of its filters. */
const REQUESTS = Number(process.env.STORE_REQUESTS ?? 25);

/** Times that a query may be run, since it needs the rows of one statement for another. */
const MAX_RUNS = 8;
/** Statements of an answer, on average: rows of a page ask for theirs in one. */
const MAX_STATEMENTS = 20;

const shared = useScenario();
const folder = mkdtempSync(join(tmpdir(), "solx-store-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Reads facts with the accounts in the order of their keys: equal values are listed in the order of accounts. */
async function* factsByKey(ledger: Ledger, table: Parameters<FactReader>[0]): AsyncGenerator<readonly Json[]> {
  const pages = table === "ledger" ? [readProperties(ledger, SLOT_END)] : [...readFacts(ledger, table, SLOT_END)];
  const rows = parseJson(stringifyJson(pages.flat() as Json)) as JsonObject[];
  if (table === "accounts")
    rows.sort((a, b) => Number(keyOf(String(a.address)) ?? 0n) - Number(keyOf(String(b.address)) ?? 0n));
  yield rows;
}

/** Writes the story into a ledger, as for answers from it, or to ship it. */
async function writeStory(path: string, isShipped: boolean): Promise<ChainLedgerWriter> {
  const writer = openChainLedger(path, "chain:test", isShipped);
  writer.write({ blocks: await storyBlocks(shared.node), meta: { commitment: "finalized", filter: "" } });
  return writer;
}

async function writeInOrderOfKeys(): Promise<Ledger> {
  const own = mkdtempSync(join(folder, "files-"));
  const [path, ordered] = [join(own, "story.db"), join(own, "ordered.db")];
  (await writeStory(path, false)).close();
  const original = openGrowingLedger(path) as Ledger;
  await writeFacts(ordered, (table) => factsByKey(original, table));
  original.close();
  return openGrowingLedger(ordered) as Ledger;
}

describeWith(CHDB)("an index in ClickHouse", () => compareAnswers());
// Of two shards: see shards.ts.
describeWith(CHDB)("an index on a cluster of ClickHouse", () => compareAnswers("duo", REQUESTS / 4));

function compareAnswers(cluster?: string, count = REQUESTS): void {
  const { supports } = describeSource({ kind: "index", name: "test" });
  let file: LedgerReader;
  let store: RemoteLedger;
  let statements = 0;

  beforeAll(async () => {
    const data = mkdtempSync(join(folder, "data-"));
    const server = await startClickHouse(afterAll, { folder: data, hasShards: cluster !== undefined });
    const address = storeAt(server.url, "solana", cluster);
    const ledger = await writeInOrderOfKeys();
    afterAll(() => ledger.close());
    const { slot } = ledger.reader.get("SELECT max(slot) AS slot FROM blocks") ?? {};
    const shipped = await writeStory(join(mkdtempSync(join(folder, "files-")), "shipped.db"), true);
    afterAll(() => shipped.close());
    const writer = await openStoreWriter(address);
    await writer.ship(ledgerToShip(shipped), { from: 0, end: Number(slot) + 1, isComplete: true, writer: "test" });
    await writer.refreshStatistics(true);
    await writer.close();
    const connection = await connectToStore(address);
    const ask: typeof connection.ask = (...statement) => {
      statements += 1;
      return connection.ask(...statement);
    };
    store = await readStore({ ...connection, ask }, createStoredDecoder);
    afterAll(() => store.close());
    const decode = await createStoredDecoder((name) => {
      const row = ledger.reader.get("SELECT value FROM meta WHERE name = ?", name);
      return row && String(row.value);
    });
    file = createLedgerReader(ledger.db, () => ledger.reader.clock, { isChain: true, decode });
  });

  const answerOf = (reader: LedgerReader, endpoint: Endpoint, params: QueryParams): string => {
    try {
      return stringifyJson(answerParams(reader, endpoint, params) as Json);
    } catch (error) {
      if (error instanceof UnknownFactError) return error.message;
      throw error;
    }
  };

  test.each(
    endpoints
      .filter((endpoint) => supports(endpoint).level !== "none")
      .map((endpoint) => [endpoint.route, endpoint] as const),
  )("answers %s", async (_, endpoint) => {
    const all = new Map(
      [...filterCombinations(endpoint, storySubjects(file))].map((values) => [JSON.stringify([...values]), values]),
    );
    const step = Math.max(1, Math.floor(all.size / count));
    const requests = [...all].filter((_request, at) => at % step === 0);
    statements = 0;
    const answers = await Promise.all(
      requests.map(async ([text, values]) => {
        const params = () => new QueryParams(endpoint.query, values);
        const expected = answerOf(file, endpoint, params());
        let runs = 0;
        const answer = store.ask((reader) => {
          runs += 1;
          return answerOf(reader, endpoint, params());
        });
        return [text, await answer.catch(String), expected, runs] as const;
      }),
    );
    expect(
      answers.flatMap(([text, answer, expected]) =>
        answer === expected ? [] : describeDifference(text, answer, expected),
      ),
    ).toEqual([]);
    // What the rows of a page need is asked for together.
    expect(Math.max(0, ...answers.map(([, , , runs]) => runs))).toBeLessThanOrEqual(MAX_RUNS);
    expect(statements / answers.length).toBeLessThanOrEqual(MAX_STATEMENTS);
  });
}
