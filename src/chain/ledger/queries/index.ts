/** Finds queries by the catalogue's route. Groups are loaded on demand: a single command needs one of them. */
import type { QueriesByRoute, Query } from "./query.ts";

/**
 * Groups of queries by the prefix of their routes; the first group with a matching prefix that has the query is used.
 */
const QUERY_GROUPS: readonly (readonly [prefix: string, load: () => Promise<QueriesByRoute>])[] = [
  ["v2-account-", async () => (await import("./account/account.ts")).accountQueries],
  ["v2-token-", async () => (await import("./token/token.ts")).tokenQueries],
  ["v2-nft-", async () => (await import("./nft/nft.ts")).nftQueries],
  ["v2-transaction-", async () => (await import("./transaction/transaction.ts")).transactionQueries],
  ["v2-block-", async () => (await import("./block/block.ts")).blockQueries],
  ["v2-market-", async () => (await import("./market/market.ts")).marketQueries],
  ["v2-program-", async () => (await import("./market/program.ts")).programQueries],
  ["v2-monitor-", async () => (await import("./status.ts")).statusQueries],
  ["analytics-", async () => (await import("./analytics/analytics.ts")).analyticsQueries],
  ["chaininfo", async () => (await import("./status.ts")).statusQueries],
  ["account-", async () => (await import("./legacy/account.ts")).legacyAccountQueries],
  ["token-", async () => (await import("./legacy/token.ts")).legacyTokenQueries],
  ["market-", async () => (await import("./legacy/token.ts")).legacyTokenQueries],
  ["block-", async () => (await import("./legacy/block.ts")).legacyBlockQueries],
  ["transaction-", async () => (await import("./legacy/transaction.ts")).legacyTransactionQueries],
];

const loadedQueries = new Map<string, Query>();

/**
 * Returns the query of a route, or undefined when there is none. Queries that were loaded before are returned
 * synchronously.
 */
export function findQuery(route: string): Query | Promise<Query | undefined> {
  return loadedQueries.get(route) ?? loadQuery(route);
}

async function loadQuery(route: string): Promise<Query | undefined> {
  for (const [prefix, loadGroup] of QUERY_GROUPS) {
    if (!route.startsWith(prefix)) continue;
    const query = (await loadGroup())[route];
    if (!query) continue;
    loadedQueries.set(route, query);
    return query;
  }
  return undefined;
}
