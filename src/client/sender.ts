/** Sends the requests of a client: the pipeline, with the cache in front of it. Both are loaded on demand. */
import type { Cache } from "./cache/cache.ts";
import type { Answer } from "./http/decode.ts";
import { type ClientSettings, checkSeconds } from "./options.ts";
import type { Pipeline, SendOptions } from "./pipeline.ts";
import type { PreparedRequest } from "./request/prepare.ts";

/** Sends requests, or answers them from the cache. */
export interface Sender {
  send(request: PreparedRequest, options: SendOptions): Promise<Answer>;
  /** Returns the pipeline; undefined before the first request was sent. */
  pipeline(): Pipeline | undefined;
  close(): Promise<void>;
}

/** Creates a sender. It connects when it first sends. */
export function createSender(settings: ClientSettings): Sender {
  const { cache: cacheOptions } = settings;
  let pipeline: Promise<Pipeline> | undefined;
  let ready: Pipeline | undefined;
  let cache: Promise<Cache> | undefined;

  const sendUncached = async (request: PreparedRequest, options: SendOptions): Promise<Answer> => {
    pipeline ??= import("./pipeline.ts").then(({ createPipeline }) => createPipeline(settings));
    ready ??= await pipeline;
    return ready.send(request, options);
  };
  return {
    async send(request, options) {
      if (options.timeout !== undefined) checkSeconds("timeout", options.timeout, 0.001);
      if (!cacheOptions) return sendUncached(request, options);
      cache ??= import("./cache/cache.ts").then(({ createCache }) =>
        createCache({ ...settings, cache: cacheOptions }, sendUncached),
      );
      return (await cache).send(request, options);
    },
    pipeline: () => ready,
    async close() {
      await (await cache)?.close();
      await (await pipeline)?.close();
    },
  };
}
