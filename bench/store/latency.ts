/** How long endpoints take that an index in ClickHouse answers. */
import { endpoints, QueryParams } from "../../src/catalogue/index.ts";
import { createStoredDecoder } from "../../src/chain/indexer/state/interfaces.ts";
import type { StoreServer } from "../../src/chain/ledger/clickhouse/server.ts";
import { readStore } from "../../src/chain/ledger/clickhouse/store.ts";
import { UnknownFactError } from "../../src/chain/ledger/queries/query.ts";
import type { SourceBlock } from "../../src/chain/ledger/source/source.ts";
import { openChainLedger } from "../../src/chain/ledger/store/chain-writer.ts";
import { createLedgerReader } from "../../src/chain/ledger/store/reader.ts";
import { describeSource } from "../../src/sources/open-source.ts";
import { type BusySubjects, busySubjects, filterCombinations } from "../../tests/support/filter-combinations.ts";
import { answerParams } from "../../tests/support/query.ts";
import { writeBlocks } from "./blocks.ts";

/** Requests of an endpoint, about busy and about quiet subjects, and how often each is sent. */
const [REQUESTS, ROUNDS] = [4, 2];

/** What requests are about. */
export type Subjects = Readonly<Record<"busy" | "quiet", BusySubjects>>;

/** What requests of an endpoint took: milliseconds, and the most runs of a query and statements. */
export interface Latencies {
  readonly busy: readonly number[];
  readonly quiet: readonly number[];
  readonly runs: number;
  readonly statements: number;
}

/** Returns the subjects of blocks: the busy ones have rows in all copies. A file that is only shipped answers nothing. */
export async function findSubjects(path: string, blocks: AsyncIterable<SourceBlock>): Promise<Subjects> {
  const ledger = openChainLedger(path, "chain:bench");
  const list: SourceBlock[] = [];
  for await (const block of blocks) list.push(block);
  writeBlocks(ledger, list);
  const reader = createLedgerReader(ledger.db, () => ({ end: Number(ledger.meta("end")), shift: 0 }), {
    isChain: true,
  });
  const found = busySubjects(reader);
  const first = (sql: string) => String(Object.values(reader.get(sql) ?? {})[0]);
  const busy: BusySubjects = {
    ...found,
    signature: first(
      "SELECT signature FROM transactions t JOIN defi d ON d.id / 1024 = t.id ORDER BY d.id DESC LIMIT 1",
    ),
  };
  const quietPool = first(
    "SELECT a.address FROM pools p JOIN routes r ON r.pool_id = p.account_id JOIN accounts a ON a.id = p.account_id GROUP BY 1 ORDER BY count(*) LIMIT 1",
  );
  ledger.close();
  const quiet = {
    ...busy,
    accounts: [busy.quietWallet],
    tokens: [busy.quietToken],
    pools: [quietPool],
    tokenAccounts: busy.tokenAccounts,
  };
  return { busy, quiet };
}

/** Measures every endpoint, and returns the milliseconds of its requests. */
export async function measureEndpoints(
  server: StoreServer,
  subjects: Subjects,
): Promise<ReadonlyMap<string, Latencies>> {
  let asked = 0;
  const ask: StoreServer["ask"] = (...statement) => {
    asked += 1;
    return server.ask(...statement);
  };
  const store = await readStore({ ...server, ask }, createStoredDecoder);
  const { supports } = describeSource({ kind: "index", name: "bench" });
  const results = new Map<string, Latencies>();
  for (const endpoint of endpoints) {
    if (supports(endpoint).level === "none") continue;
    const times = { busy: [] as number[], quiet: [] as number[] };
    const most = { runs: 0, statements: 0 };
    for (const kind of ["busy", "quiet"] as const) {
      const all = new Map(
        [...filterCombinations(endpoint, subjects[kind])].map((values) => [JSON.stringify([...values]), values]),
      );
      const step = Math.max(1, Math.floor(all.size / REQUESTS));
      for (const [text, values] of [...all].filter((_, at) => at % step === 0).slice(0, REQUESTS))
        for (let round = 0; round < ROUNDS; round++) {
          const begun = performance.now();
          let runs = 0;
          asked = 0;
          await store
            .ask((reader) => {
              most.runs = Math.max(most.runs, ++runs);
              return answerParams(reader, endpoint, new QueryParams(endpoint.query, values));
            })
            .catch((error: Error) => {
              if (!(error instanceof UnknownFactError))
                console.error(`${endpoint.route} ${text}: ${error.message.slice(0, 300)}`);
            });
          times[kind].push(performance.now() - begun);
          most.statements = Math.max(most.statements, asked);
        }
    }
    results.set(endpoint.route, { ...times, ...most });
  }
  return results;
}
