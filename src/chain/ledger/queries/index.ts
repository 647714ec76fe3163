/** Finds queries by the catalogue's route. Groups are loaded on demand: a single command needs one of them. */
import type { QueriesByRoute, Query } from "./query.ts";

/** Loads the queries of a group, those of the legacy family included. */
const GROUPS: Readonly<Record<string, () => Promise<QueriesByRoute>>> = {
  account: async () => (await import("./account/account.ts")).accountQueries,
  token: async () => (await import("./token/token.ts")).tokenQueries,
  nft: async () => (await import("./nft.ts")).nftQueries,
  transaction: async () => (await import("./transaction/transaction.ts")).transactionQueries,
  block: async () => (await import("./blocks.ts")).blockQueries,
  market: async () => (await import("./market/market.ts")).marketQueries,
  program: async () => (await import("./programs.ts")).programQueries,
  monitor: async () => (await import("./network.ts")).networkQueries,
  analytics: async () => (await import("./network.ts")).networkQueries,
  chaininfo: async () => (await import("./network.ts")).networkQueries,
};

const loadedQueries = new Map<string, Query>();

/**
 * Returns the query of a route, or undefined when there is none. Queries that were loaded before are returned
 * synchronously.
 */
export function findQuery(route: string): Query | Promise<Query | undefined> {
  return loadedQueries.get(route) ?? loadQuery(route);
}

async function loadQuery(route: string): Promise<Query | undefined> {
  const [, group = ""] = /^(?:v2-)?([^-]+)/.exec(route) ?? [];
  const queries = Object.hasOwn(GROUPS, group) ? await GROUPS[group]?.() : undefined;
  const query = queries?.[route];
  if (query) loadedQueries.set(route, query);
  return query;
}
