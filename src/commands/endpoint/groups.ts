/** The groups of API commands. */

/** Summary and aliases of each group. */
export const GROUPS: Readonly<Record<string, { readonly summary: string; readonly aliases?: readonly string[] }>> = {
  account: {
    summary: "Balances, transfers, transactions and portfolio of an account",
    aliases: ["wallet", "accounts"],
  },
  token: { summary: "Metadata, prices, holders, markets and transfers of a token", aliases: ["tokens", "mint"] },
  nft: { summary: "NFT collections, items and trades", aliases: ["nfts"] },
  transaction: { summary: "Transactions, their details and actions", aliases: ["tx", "txs", "transactions"] },
  block: { summary: "Blocks and their transactions", aliases: ["blocks"] },
  market: { summary: "Pools, their reserves and volume", aliases: ["markets", "pool", "pools"] },
  program: { summary: "Programs and platforms by activity", aliases: ["programs"] },
  analytics: { summary: "Daily statistics of the network", aliases: ["network"] },
  monitor: { summary: "Usage of the API key" },
  node: { summary: "The cluster, its validators, raw accounts and transactions", aliases: ["cluster"] },
};

/** Returns the group of a name or alias. */
export function findGroup(name: string): string | undefined {
  return Object.keys(GROUPS).find((group) => group === name || GROUPS[group]?.aliases?.includes(name));
}
