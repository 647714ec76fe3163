/** Checks of a Solana node: whether it responds and is healthy, its cluster, its lag, its history and its methods. */
import { groupThousands, isObject, type Json, pluralize, SolxError, toSentence } from "../../base/index.ts";
import { allEndpoints, nodeSupportOf } from "../../catalogue/index.ts";
import { countOf, type NodeConnection, textOf } from "../../chain/solana/index.ts";
import type { CheckContext } from "./context.ts";
import type { Check, Outcome } from "./finding.ts";

/** Response time in milliseconds above which a node counts as slow. */
const SLOW_MS = 1500;
/** Seconds between the newest block and the clock above which a node lags. */
const LAG_SECONDS = 30;

/** The clusters by the hash of their first block. */
const CLUSTERS: Readonly<Record<string, string>> = {
  "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d": "mainnet",
  EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG: "devnet",
  "4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY": "testnet",
};

/** Creates a check that calls the node. */
function nodeCheck(
  name: string,
  run: (node: NodeConnection, signal: AbortSignal, context: CheckContext) => Promise<Outcome>,
): Check {
  return {
    area: "network",
    name,
    sends: true,
    run: async (checkContext, signal) => run((await checkContext.client()).node(), signal, checkContext),
  };
}

const response = nodeCheck("node", async (node, signal) => {
  const start = performance.now();
  const version = await node.call("getVersion", [], { signal, fresh: true });
  const milliseconds = Math.round(performance.now() - start);
  const software = isObject(version) ? Object.entries(version).find(([key]) => key.endsWith("-core")) : undefined;
  const value = { node: node.name, milliseconds, version };
  const message = `${node.name} responds within ${milliseconds} ms${software ? `, ${software[0]} ${String(software[1])}` : ""}`;
  if (milliseconds <= SLOW_MS) return { level: "ok", value, message };
  return { level: "warning", value, message, hint: "A node that is nearer or less busy answers faster." };
});

const health = nodeCheck("health", async (node, signal) => {
  try {
    await node.call("getHealth", [], { signal, fresh: true });
    return { level: "ok", value: "ok", message: "in sync with its cluster" };
  } catch (error) {
    if (!(error instanceof SolxError) || error.code !== -32005) throw error;
    return { level: "warning", value: "behind", message: toSentence(error), hint: error.hint };
  }
});

const cluster = nodeCheck("cluster", async (node, signal) => {
  const genesis = textOf(await node.call("getGenesisHash", [], { signal, fresh: true }), "result");
  const name = CLUSTERS[genesis];
  return {
    level: "ok",
    value: { name: name ?? null, genesis },
    message: name ?? `local or private (genesis ${genesis})`,
  };
});

const lag = nodeCheck("newest block", async (node, signal, { context }) => {
  const options = { signal, fresh: true };
  const slot = countOf(await node.call("getSlot", [{ commitment: node.commitment }], options), "result");
  const time = countOf(await node.call("getBlockTime", [slot], options), "result");
  const seconds = Math.max(0, Math.round(context.io.now() / 1000 - time));
  const value = { slot, seconds };
  const message = `slot ${groupThousands(String(slot))} (${node.commitment}), ${pluralize(seconds, "second")} old`;
  if (seconds <= LAG_SECONDS) return { level: "ok", value, message };
  return {
    level: "warning",
    value,
    message,
    hint: "The node or the clock of this machine lags, or the cluster is idle.",
  };
});

const history = nodeCheck("history", async (node, signal) => {
  const slot = countOf(await node.call("getFirstAvailableBlock", [], { signal, fresh: true }), "result");
  return { level: "ok", value: slot, message: `blocks from slot ${groupThousands(String(slot))} on` };
});

/** A mint, an account and a program that every cluster has. */
const [WRAPPED_SOL, SYSTEM, CONFIG] = [
  "So11111111111111111111111111111111111111112",
  "11111111111111111111111111111111",
  "Config1111111111111111111111111111111111111",
];

/** Cheap calls of the methods that nodes disable or do not index. */
const PROBES: Readonly<Record<string, readonly Json[]>> = {
  getProgramAccounts: [CONFIG, { encoding: "base64", dataSlice: { offset: 0, length: 0 }, filters: [{ dataSize: 1 }] }],
  getTokenLargestAccounts: [WRAPPED_SOL],
  getTokenAccountsByOwner: [SYSTEM, { mint: WRAPPED_SOL }, { encoding: "base64" }],
  getSignaturesForAddress: [WRAPPED_SOL, { limit: 1 }],
  getInflationReward: [[SYSTEM]],
  getRecentPrioritizationFees: [[]],
  getRecentPerformanceSamples: [1],
  getVoteAccounts: [{ votePubkey: SYSTEM }],
};

const methods = nodeCheck("methods", async (node, signal) => {
  const names = Object.keys(PROBES);
  const outcomes = await node.callMany(
    names.map((method) => ({ method, params: PROBES[method] ?? [] })),
    { signal, fresh: true },
  );
  const refused = names.filter((_, at) => {
    const outcome = outcomes[at];
    return outcome instanceof SolxError && outcome.exit === "permission";
  });
  if (refused.length === 0) return { level: "ok", value: [], message: "serves all methods that commands use" };
  const commands = allEndpoints.filter((endpoint) =>
    nodeSupportOf(endpoint).methods.some((name) => refused.includes(name)),
  );
  return {
    level: "warning",
    value: refused,
    message: `does not serve ${refused.join(", ")}`,
    hint: `Affected: ${commands.map(({ command }) => command).join(", ")}. Use another node: --rpc <url>`,
  };
});

/** Two methods that no other check calls. */
const PAIR = ["getEpochSchedule", "getTransactionCount"] as const;

const batches = nodeCheck("batches", async (node, signal, { context }) => {
  let isBatch = false;
  // A node that refuses batches gets the calls again, one by one.
  const stopListening = context.reporter.onEvent((event) => {
    const sent = event.type === "request" ? event.rpc : undefined;
    if (PAIR.some((method) => sent?.includes(method))) isBatch = PAIR.every((method) => sent?.includes(method));
    return false;
  });
  try {
    await node.callMany(
      PAIR.map((method) => ({ method, params: [] })),
      { signal, fresh: true },
    );
  } finally {
    stopListening();
  }
  return { level: "ok", value: isBatch, message: isBatch ? "several calls in one request" : "one call per request" };
});

/** Checks of the node; they replace those of the API's servers and of the key. */
export const NODE_CHECKS: readonly Check[] = [response, health, cluster, lag, history, methods, batches];
