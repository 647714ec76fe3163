/** A client with the source that its options select. */

import { type Json, UsageError } from "../base/index.ts";
import type { NodeConnection } from "../chain/solana/index.ts";
import { type Client, type ClientCore, type CoreOptions, createCore, createMethods } from "../client/index.ts";
import { NO_NODE_HINT, openSource } from "./open-source.ts";
import type { SourceOptions } from "./options.ts";

/** Options of a client; all have defaults. Times are in seconds. */
export type ClientOptions = CoreOptions & SourceOptions;

/** Access to the Solana node of a client. */
export interface NodeAccess<Value = Json> {
  /**
   * Returns the node, to call its methods. It connects with the first call.
   * @throws UsageError for a client without one
   */
  node(): NodeConnection<Value>;
}

/** The part of a client that sends, and its node. */
export type ConnectedCore<Value = Json> = ClientCore<Value> & NodeAccess<Value>;

/** A client of the API, and its node. */
export type ConnectedClient = Client & NodeAccess;

/**
 * Creates a client with exact numbers. It connects when it first sends, and should be closed when it is no longer
 * needed.
 * @throws UsageError for an invalid option
 */
export const createClient = (options: ClientOptions = {}): ConnectedClient =>
  createConnectedMethods(createConnectedCore(options));

/** Creates the methods for endpoints over those that send. What only a node answers is called as `client.node.status()`. */
export function createConnectedMethods(core: ConnectedCore): ConnectedClient {
  const methods = createMethods(core);
  return Object.assign(methods, core, { node: Object.assign(() => core.node(), methods.node) });
}

/**
 * Creates the part of a client that sends.
 * @throws UsageError for an invalid option
 */
export function createConnectedCore(options: ClientOptions): ConnectedCore {
  const cache = cacheOf(options);
  const source = openSource({ ...options, cache });
  return {
    ...createCore(source, { ...options, cache }),
    node() {
      if (source.node) return source.node;
      throw new UsageError("This client uses no Solana node.", { code: "NO_NODE", hint: NO_NODE_HINT });
    },
  };
}

/** Returns the cache of a client: recordings are complete, so answers are requested even if they are cached. */
function cacheOf({ cache, record, replay }: ClientOptions): CoreOptions["cache"] {
  if (replay !== undefined) return undefined;
  return cache && record !== undefined ? { ...cache, mode: "refresh" } : cache;
}
