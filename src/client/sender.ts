/** Sends the requests of a client: the pipeline, with the cache in front of it. Both are loaded on demand. */
import type PQueue from "p-queue";
import { throwIfAborted, UsageError } from "../base/index.ts";
import type { NodeConnection } from "../chain/solana/index.ts";
import type { NodePipeline, Pipeline, SendOptions } from "../sources/api/pipeline.ts";
import type { Answer } from "./answer/decode.ts";
import type { Cache } from "./cache/cache.ts";
import { type ClientSettings, checkSeconds } from "./options.ts";
import type { PreparedRequest } from "./request/prepare.ts";

/** Sends requests, or answers them from the cache. */
export interface Sender {
  send(request: PreparedRequest, options: SendOptions): Promise<Answer>;
  /** Returns the pipeline; undefined before the first request was sent. */
  pipeline(): Pipeline | undefined;
  /**
   * Returns the node, which connects with the first call.
   * @throws UsageError for a client without one
   */
  node(): NodeConnection;
  /** Opens the pipeline of the node; as {@link Sender.node}. */
  nodePipeline(): Promise<NodePipeline>;
  close(): Promise<void>;
}

/** Creates a sender. It connects when it first sends. */
export function createSender(settings: ClientSettings): Sender {
  const { cache: cacheOptions, concurrency, node, now } = settings;
  let pipeline: Promise<Pipeline> | undefined;
  let ready: Pipeline | undefined;
  let cache: Promise<Cache> | undefined;

  const open = async <P extends Pipeline>(load: () => Promise<P>): Promise<P> => {
    pipeline ??= load();
    ready ??= await pipeline;
    return ready as P;
  };
  const openNode = () => {
    if (!node) throw noNodeError();
    return open(async () =>
      (await import("../sources/node/connection/pipeline.ts")).createNodePipeline({ ...settings, node }),
    );
  };
  const openApi = () => open(async () => (await import("../sources/api/pipeline.ts")).createPipeline(settings));
  const sendNow = async (request: PreparedRequest, options: SendOptions): Promise<Answer> =>
    (await (node ? openNode() : openApi())).send(request, options);
  const sendUncached = concurrency === undefined ? sendNow : limitConcurrency(sendNow, concurrency);
  return {
    async send(prepared, options) {
      if (!node && prepared.endpoint?.family === "node") throw noNodeError(prepared.endpoint.command);
      const request = node ? withoutCost(prepared) : prepared;
      if (options.timeout !== undefined) checkSeconds("timeout", options.timeout, 0.001);
      if (!cacheOptions) return sendUncached(request, options);
      cache ??= import("./cache/cache.ts").then(({ createCache }) =>
        createCache({ ...settings, cache: cacheOptions }, sendUncached),
      );
      return (await cache).send(request, options);
    },
    pipeline: () => ready,
    nodePipeline: async () => openNode(),
    node() {
      if (!node) throw noNodeError();
      const { name, commitment } = node;
      return {
        name,
        commitment,
        now,
        call: async (...args) => (await openNode()).node.call(...args),
        callMany: async (...args) => (await openNode()).node.callMany(...args),
      };
    },
    async close() {
      await (await cache)?.close();
      // A pipeline that could not be opened has failed the request.
      await (await pipeline?.catch(() => undefined))?.close();
    },
  };
}

/** Returns a function that sends a limited number of requests at a time; the others wait, before their permits. */
function limitConcurrency(send: Sender["send"], concurrency: number): Sender["send"] {
  let queue: Promise<PQueue> | undefined;
  return async (request, options) => {
    queue ??= import("p-queue").then(({ default: Queue }) => new Queue({ concurrency }));
    return (await queue).add(() => {
      throwIfAborted(options.signal);
      return send(request, options);
    });
  };
}

/** A node charges no compute units. */
export const withoutCost = (request: PreparedRequest): PreparedRequest => ({ ...request, cost: 0 });

function noNodeError(command?: string): UsageError {
  const problem = command === undefined ? "This client uses no Solana node." : `"${command}" needs a Solana node.`;
  return new UsageError(problem, {
    code: "NO_NODE",
    hint: "Set one: --rpc mainnet, devnet, testnet, localnet or a URL, or createClient({ rpc: url }).",
  });
}
