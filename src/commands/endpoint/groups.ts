/** The groups of commands. */

/** What each group is about, and its other names. */
export const GROUPS: Readonly<Record<string, { readonly summary: string; readonly aliases?: readonly string[] }>> = {
  account: {
    summary: "Balances, transfers, transactions, stakes and portfolios of an account",
    aliases: ["wallet", "accounts"],
  },
  token: { summary: "Metadata, prices, holders, markets and transfers of a token", aliases: ["tokens", "mint"] },
  nft: { summary: "NFT collections, items and trades", aliases: ["nfts"] },
  transaction: { summary: "Transactions in every detail", aliases: ["tx", "txs", "transactions"] },
  block: { summary: "Blocks and what is in them", aliases: ["blocks"] },
  market: { summary: "Pools, their reserves and volumes", aliases: ["markets", "pool", "pools"] },
  program: { summary: "Programs and platforms by activity", aliases: ["programs"] },
  monitor: { summary: "Usage of the API key" },
};

/** The group that goes by a name: its own or another one. */
export function findGroup(name: string): string | undefined {
  return Object.keys(GROUPS).find((group) => group === name || GROUPS[group]?.aliases?.includes(name));
}
