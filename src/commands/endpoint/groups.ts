/** The groups of API commands. */
import type { Family } from "../../catalogue/index.ts";

interface Group {
  readonly summary: string;
  /** The summary of the group in the legacy family. */
  readonly legacy?: string;
  readonly aliases?: readonly string[];
}

/** Each group of commands. */
export const GROUPS: Readonly<Record<string, Group>> = {
  account: {
    summary: "Balances, transfers, transactions and portfolio of an account",
    legacy: "Tokens, stakes, transfers and transactions of a wallet",
    aliases: ["wallet", "accounts"],
  },
  token: {
    summary: "Metadata, prices, holders, markets and transfers of a token",
    legacy: "Metadata, holders and transfers of a token",
    aliases: ["tokens", "mint"],
  },
  nft: { summary: "NFT collections, items and trades", aliases: ["nfts"] },
  transaction: {
    summary: "Transactions, their details and actions",
    legacy: "Latest transactions, and one transaction",
    aliases: ["tx", "txs", "transactions"],
  },
  block: { summary: "Blocks and their transactions", aliases: ["blocks"] },
  market: {
    summary: "Pools, their reserves and volume",
    legacy: "Price, volume and pools of a token",
    aliases: ["markets", "pool", "pools"],
  },
  program: { summary: "Programs and platforms by activity", aliases: ["programs"] },
  analytics: { summary: "Daily statistics of the network", aliases: ["network"] },
  monitor: { summary: "Usage of the API key" },
  node: { summary: "The cluster, its validators, raw accounts and transactions", aliases: ["cluster"] },
};

/** Returns what the commands of a group are about. */
export const groupSummary = (group: string, family: Family): string =>
  (family === "legacy" ? GROUPS[group]?.legacy : undefined) ?? GROUPS[group]?.summary ?? group;

/** Returns the group of a name or alias. */
export function findGroup(name: string): string | undefined {
  return Object.keys(GROUPS).find((group) => group === name || GROUPS[group]?.aliases?.includes(name));
}
