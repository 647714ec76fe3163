/** Checks of a Solana node: whether it responds and is healthy, its cluster, its lag, its history and its methods. */
import { groupThousands, isObject, type Json, pluralize, SolxError, toSentence } from "../../base/index.ts";
import { allEndpoints, CLUSTERS, nodeSupportOf, PROGRAM, WRAPPED_SOL } from "../../catalogue/index.ts";
import { Member, type NodeConnection } from "../../chain/solana/index.ts";
import { type Check, type Outcome, ok, rate, warning } from "./checks.ts";
import type { CheckContext } from "./context.ts";

const SLOW_MS = 1500;
/** Seconds between the newest block and the clock above which a node lags. */
const LAG_SECONDS = 30;

/** Calls a method of the node, never from the cache. */
type NodeCall = (method: string, params?: readonly Json[]) => Promise<Json>;

type NodeCheck = (call: NodeCall, node: NodeConnection, context: CheckContext, signal: AbortSignal) => Promise<Outcome>;

/** Cheap calls of the methods that nodes disable or do not index, about accounts that every cluster has. */
const PROBES: Readonly<Record<string, readonly Json[]>> = {
  getProgramAccounts: [
    PROGRAM.config,
    { encoding: "base64", dataSlice: { offset: 0, length: 0 }, filters: [{ dataSize: 1 }] },
  ],
  getTokenLargestAccounts: [WRAPPED_SOL],
  getTokenAccountsByOwner: [PROGRAM.system, { mint: WRAPPED_SOL }, { encoding: "base64" }],
  getSignaturesForAddress: [WRAPPED_SOL, { limit: 1 }],
  getInflationReward: [[PROGRAM.system]],
  getRecentPrioritizationFees: [[]],
  getRecentPerformanceSamples: [1],
  getVoteAccounts: [{ votePubkey: PROGRAM.system }],
};

/** Two methods that no other check calls. */
const PAIR = ["getEpochSchedule", "getTransactionCount"] as const;

/** Errors that say something about the method, not about the connection. */
const ABOUT_METHODS: ReadonlySet<string> = new Set(["permission", "usage", "notFound"]);

/** Whether a call has not shown whether the node serves its method. */
const isUnchecked = (result: unknown): result is SolxError =>
  result instanceof SolxError && !ABOUT_METHODS.has(result.exit);

const CHECKS: Readonly<Record<string, NodeCheck>> = {
  async node(call, node) {
    const start = performance.now();
    const version = await call("getVersion");
    const milliseconds = Math.round(performance.now() - start);
    const software = isObject(version) ? Object.entries(version).find(([key]) => key.endsWith("-core")) : undefined;
    return rate(
      `${node.name} responds within ${milliseconds} ms${software ? `, ${software[0]} ${String(software[1])}` : ""}`,
      { node: node.name, milliseconds, version },
      [milliseconds > SLOW_MS, "warning", "A node that is nearer or less busy answers faster."],
    );
  },

  async health(call) {
    try {
      await call("getHealth");
      return ok("in sync with its cluster", "ok");
    } catch (error) {
      if (!(error instanceof SolxError) || error.code !== -32005) throw error;
      return warning(toSentence(error), { value: "behind", hint: error.hint });
    }
  },

  async cluster(call) {
    const genesis = new Member(await call("getGenesisHash")).text();
    const name = CLUSTERS[genesis];
    return ok(name ?? `local or private (genesis ${genesis})`, { name: name ?? null, genesis });
  },

  async "newest block"(call, { commitment }, { context }) {
    const slot = new Member(await call("getSlot", [{ commitment }])).count();
    const time = new Member(await call("getBlockTime", [slot])).count();
    const seconds = Math.max(0, Math.round(context.io.now() / 1000 - time));
    const message = `slot ${groupThousands(String(slot))} (${commitment}), ${pluralize(seconds, "second")} old`;
    const hint = "The node or the clock of this machine lags, or the cluster is idle.";
    return rate(message, { slot, seconds }, [seconds > LAG_SECONDS, "warning", hint]);
  },

  async history(call) {
    const slot = new Member(await call("getFirstAvailableBlock")).count();
    return ok(`blocks from slot ${groupThousands(String(slot))} on`, slot);
  },

  async methods(_call, node, _context, signal) {
    const calls = Object.entries(PROBES).map(([method, params]) => ({ method, params }));
    const results: readonly unknown[] = await node.callMany(calls, { signal, fresh: true });
    const isRefused = (result: unknown) => result instanceof SolxError && result.exit === "permission";
    const refused = calls.flatMap(({ method }, at) => (isRefused(results[at]) ? [method] : []));
    const unchecked = calls.flatMap(({ method }, at) => (isUnchecked(results[at]) ? [method] : []));
    if (unchecked.length === calls.length) throw results[0];
    if (refused.length === 0 && unchecked.length > 0) {
      const hint = "The node answered the other calls. To check again: solx doctor";
      return warning(`not checked: ${unchecked.join(", ")}`, { value: unchecked, hint });
    }
    if (refused.length === 0) return ok("serves all methods that commands use", []);
    const affected = allEndpoints
      .filter((endpoint) => nodeSupportOf(endpoint).methods.some((name) => refused.includes(name)))
      .map(({ command }) => command);
    const hint = `Affected: ${affected.join(", ")}. Use another node: --rpc <url>`;
    return warning(`does not serve ${refused.join(", ")}`, { value: refused, hint });
  },

  async batches(_call, node, { context }, signal) {
    let isBatch = false;
    // A node that refuses batches gets the calls again, one by one.
    const stopListening = context.reporter.onEvent((event) => {
      const sent = event.type === "request" ? event.rpc : undefined;
      if (PAIR.some((method) => sent?.includes(method))) isBatch = PAIR.every((method) => sent?.includes(method));
      return false;
    });
    const calls = PAIR.map((method) => ({ method, params: [] }));
    const results = await node.callMany(calls, { signal, fresh: true }).finally(stopListening);
    const failure = results.find(isUnchecked);
    if (failure) throw failure;
    return ok(isBatch ? "several calls in one request" : "one call per request", isBatch);
  },
};

/** Checks of the node; they replace those of the API's servers and of the key. */
export const NODE_CHECKS: readonly Check[] = Object.entries(CHECKS).map(([name, check]) => ({
  area: "network",
  name,
  sends: true,
  async run(checkContext, signal) {
    const node = (await checkContext.client()).node();
    const call: NodeCall = (method, params = []) => node.call(method, params, { signal, fresh: true });
    return check(call, node, checkContext, signal);
  },
}));
