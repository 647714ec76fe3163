/** Requests to a node on which the story of scenario.ts has happened, for every endpoint that it answers. */
import { PROGRAM } from "../../../src/chain/solana/index.ts";

export type Addresses = Readonly<Record<string, unknown>>;
type Requests = (addresses: Addresses, signatures: Addresses) => readonly Readonly<Record<string, unknown>>[];

/** The transactions of the story that together have every field. */
const named = (signatures: Addresses) =>
  [
    "tableTransfer",
    "innerTransfer",
    "tokenTransferChecked",
    "failedTokenTransfer",
    "computeBudget",
    "manyAccounts",
  ].map((name) => signatures[name]);

/** Requests that together show every field that a node knows, by route. */
export const REQUESTS: Readonly<Record<string, Requests>> = {
  "v2-account-detail": ({ alice }) => [{ address: alice }],
  "account-detail": ({ mint }) => [{ account: mint }],
  "v2-account-data-decoded": ({ mint }) => [{ address: mint }],
  "v2-account-token-accounts": ({ alice }) => [{ address: alice, type: "token" }],
  "account-tokens": ({ alice }) => [{ account: alice }],
  "v2-account-portfolio": ({ alice }) => [{ address: alice }],
  "v2-account-stake": ({ alice }) => [{ address: alice }],
  "account-stake-accounts": ({ alice }) => [{ account: alice }],
  "v2-account-stake-reward": ({ stake }) => [{ address: stake, from_time: 1_600_000_000 }],
  "v2-account-reward-export": ({ stake }) => [{ address: stake, time_from: 1_600_000_000 }],
  "account-export-rewards": ({ stake }) => [{ account: stake, fromTime: 1_600_000_000 }],
  "v2-account-leaderboard": () => [{}],
  "v2-account-metadata": ({ aliceToken }) => [{ address: aliceToken }, { address: PROGRAM.token }],
  "v2-account-metadata-multi": ({ aliceToken }) => [{ address: [aliceToken, PROGRAM.token] }],
  "v2-token-meta": ({ mint, feeMint }) => [{ address: mint }, { address: feeMint }],
  "v2-token-meta-multi": ({ mint, feeMint }) => [{ address: [mint, feeMint] }],
  "token-meta": ({ mint }) => [{ tokenAddress: mint }],
  "v2-token-holders": ({ mint }) => [{ address: mint }],
  "token-holders": ({ mint }) => [{ tokenAddress: mint }],
  "v2-nft-collection-items": ({ collection }) => [{ collection }],
  chaininfo: () => [{}],
  "v2-block-last": () => [{}],
  "v2-block-detail": () => [{ block: 1006 }],
  "v2-block-transactions": () => Array.from({ length: 60 }, (_, offset) => ({ block: 1006 + offset })),
  "block-last": () => [{}],
  "block-detail": () => [{ block: 1006 }, { block: 1009 }],
  "block-transactions": () => Array.from({ length: 60 }, (_, offset) => ({ block: 1006 + offset })),
  "v2-transaction-last": () => [{ limit: 100 }],
  "transaction-last": () => [{ limit: 20 }],
  "v2-transaction-fees": () => [{}],
  "v2-transaction-detail": (_, signatures) => named(signatures).map((tx) => ({ tx })),
  "v2-transaction-detail-multi": (_, signatures) => [{ tx: named(signatures) }],
  "v2-transaction-actions": (_, signatures) => named(signatures).map((tx) => ({ tx })),
  "v2-transaction-actions-multi": (_, signatures) => [{ tx: named(signatures) }],
  "transaction-detail": (_, signatures) => named(signatures).map((signature) => ({ signature })),
  "v2-account-transactions": ({ bob }) => [{ address: bob, limit: 40 }],
  "v2-account-transactions-enhanced": ({ carol }) => [
    { address: carol, limit: 40 },
    { address: carol, limit: 40, encoding: "json" },
  ],
  "account-transactions": ({ bob }) => [{ account: bob, limit: 40 }],
  "v2-account-funded-by": ({ bob }) => [{ address: [bob] }],
  "v2-account-transfer": ({ bob }) => [{ address: bob }],
  "v2-account-transfer-total": ({ bob }) => [{ address: bob, from_time: 1 }],
  "v2-account-transfer-export": ({ bob }) => [{ address: bob }],
  "v2-account-balance-change": ({ bob }) => [{ address: bob }],
  "account-spl-transfers": ({ bob }) => [{ account: bob }],
  "account-sol-transfers": ({ bob }) => [{ account: bob }],
  "account-export-transactions": ({ bob }) => [{ account: bob, type: "all", fromTime: 1, toTime: 4_000_000_000 }],
  "v2-token-transfer": ({ mint }) => [{ address: mint }],
  "token-transfer": ({ mint, bob }) => [{ tokenAddress: mint, address: bob }],
  "node-status": () => [{}],
  "node-performance": () => [{}],
  "node-epoch": () => [{}, { epoch: 2 }],
  "node-account": ({ mint }) => [{ address: mint }],
  "node-instructions": (_, { failedTokenTransfer }) => [{ tx: failedTokenTransfer }],
  "node-block-programs": () => [{ block: 1020 }],
  "node-block-accounts": () => [{ block: 1020 }],
};
