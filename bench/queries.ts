/**
 * Queries of the sandbox: every endpoint with every combination of filters on the subjects with the most rows. Prints
 * the slowest combinations, and the slowest of all beside the median request of the same run.
 * Usage: node bench/queries.ts [size] [route prefix]
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { endpoints, QueryParams } from "../src/catalogue/index.ts";
import { findQuery } from "../src/chain/ledger/queries/index.ts";
import { answerQuery } from "../src/chain/ledger/queries/query.ts";
import { openLedger } from "../src/chain/ledger/store/store.ts";
import { createWorld } from "../src/chain/world/world.ts";
import { busySubjects, filterCombinations, type RequestValues } from "../tests/support/filter-combinations.ts";
import { quantile, report } from "./report.ts";

const size = Number(process.argv[2] ?? 1);
const prefix = process.argv[3] ?? "";
/** Milliseconds of the slowest combination, by size. */
const GOAL = size > 1 ? 250 : 50;
/** Milliseconds for the combinations of one endpoint; the rest is left out. */
const MAX_ENDPOINT_MS = 30_000;
const SHOWN = 12;

const folder = mkdtempSync(join(tmpdir(), "solx-bench-queries-"));
const started = performance.now();
const { reader } = await openLedger({ folder, source: createWorld({ seed: "solx", size }) });
console.error(`ledger of size ${size}: ${((performance.now() - started) / 1000).toFixed(1)} s`);
const subjects = busySubjects(reader);
const caller = { usage: () => ({}) };
const times: number[] = [];
const slowest: { readonly milliseconds: number; readonly path: string; readonly values: RequestValues }[] = [];

for (const endpoint of endpoints.filter(({ route }) => route.startsWith(prefix))) {
  const query = await findQuery(endpoint.route);
  if (!query) throw new Error(`No query answers ${endpoint.route}.`);
  const measure = (values: RequestValues): number => {
    const begun = performance.now();
    answerQuery(query, endpoint, { db: reader, params: new QueryParams(endpoint.query, values), caller });
    return performance.now() - begun;
  };
  let worst: { milliseconds: number; values: RequestValues } | undefined;
  const until = performance.now() + MAX_ENDPOINT_MS;
  for (const values of filterCombinations(endpoint, subjects)) {
    // The second of two runs: the first may compile the statement and read the pages from the disk.
    const milliseconds = Math.min(measure(values), measure(values));
    times.push(milliseconds);
    if (milliseconds > (worst?.milliseconds ?? 0)) worst = { milliseconds, values };
    if (performance.now() > until) break;
  }
  if (worst) slowest.push({ ...worst, path: `${endpoint.family} ${endpoint.path}` });
}

slowest.sort((a, b) => b.milliseconds - a.milliseconds);
for (const { milliseconds, path, values } of slowest.slice(0, SHOWN)) {
  const query = [...values].map(([name, list]) => `${name}=${list.join()}`).join("&");
  console.error(`${milliseconds.toFixed(1).padStart(8)} ms  ${path}  ${query}`);
}
const median = quantile(times, 0.5);
const worst = slowest[0]?.milliseconds ?? 0;
report({
  measure: "slowest combination of filters",
  value: worst,
  unit: "ms",
  digits: 0,
  atMost: GOAL,
  note: `${times.length} requests, median ${median.toFixed(2)} ms`,
});
rmSync(folder, { recursive: true, force: true });
