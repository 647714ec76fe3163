/** `solx rpc`. */
import type { CommandDefinition } from "../run/command-definition.ts";

/** Methods that read, for completion. */
const METHODS = `
  getAccountInfo getBalance getBlock getBlockHeight getBlockTime getBlocks getBlocksWithLimit getClusterNodes
  getEpochInfo getEpochSchedule getFeeForMessage getFirstAvailableBlock getGenesisHash getHealth getIdentity
  getInflationReward getLatestBlockhash getLeaderSchedule getMinimumBalanceForRentExemption getMultipleAccounts
  getProgramAccounts getRecentPerformanceSamples getRecentPrioritizationFees getSignatureStatuses
  getSignaturesForAddress getSlot getSlotLeaders getSupply getTokenAccountBalance getTokenAccountsByOwner
  getTokenLargestAccounts getTokenSupply getTransaction getTransactionCount getVersion getVoteAccounts
  minimumLedgerSlot simulateTransaction
`
  .trim()
  .split(/\s+/);

/** The command. */
export const RPC: CommandDefinition = {
  name: "rpc",
  summary: "Call a JSON-RPC method of a Solana node",
  audience: "request",
  flags: ["--envelope", "--dry-run", "--curl"],
  excludedFlags: ["--sandbox"],
  arguments: [
    { name: "<method>", description: "method such as getSlot", values: METHODS },
    { name: "[params...]", description: "parameters: JSON, or text; @file or - calls once for each identifier in it" },
  ],
  examples: [
    ["The newest slot", "solx rpc getSlot --rpc mainnet"],
    ["A parameter that is an object", `solx rpc getBlock 385804412 '{"transactionDetails":"none"}' --rpc mainnet`],
    ["A parameter that is a list", `solx rpc getMultipleAccounts '["<address>","<address>"]' --rpc mainnet`],
    ["One call for each line of a file", "solx rpc getBalance @addresses.txt --rpc localnet -o ndjson"],
    ["The result only", "solx rpc getEpochInfo --rpc devnet --jq .epoch"],
  ],
  details: [
    "The result is printed as the node sends it, with exact digits. Numbers, true, false, null, objects,",
    "lists and quoted texts are JSON; any other parameter is a text.",
  ].join(" "),
  run: async (context, { args: [method = "", ...params] }) => (await import("./rpc.ts")).rpc(context, method, params),
};
