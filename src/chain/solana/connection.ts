/** What everything that reads from a Solana node depends on; the client implements it over HTTP. */
import type { Json, SolxError } from "../../base/index.ts";

/** How far a state must be confirmed to be used. */
export const COMMITMENTS = ["processed", "confirmed", "finalized"] as const;

/** How far a state must be confirmed to be used. */
export type Commitment = (typeof COMMITMENTS)[number];

/** A call of a JSON-RPC method. */
export interface RpcCall {
  readonly method: string;
  readonly params: readonly Json[];
}

/** How calls are sent. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Interactive calls are sent before background ones. */
  readonly priority?: "interactive" | "background" | undefined;
  /** Seconds for one exchange, instead of the client's setting. */
  readonly timeout?: number | undefined;
  /** Milliseconds that a call may wait for its permit. */
  readonly maxWaitMs?: number | undefined;
  /** Whether cached results are not used; new ones are cached. */
  readonly fresh?: boolean | undefined;
  /** Whether a result never changes, so that it is cached permanently. */
  readonly isFinal?: ((result: Json) => boolean) | undefined;
}

/** A connection to a Solana node. Results have exact numbers (see `Json`), or those of a client's number mode. */
export interface NodeConnection<Value = Json> {
  /** The node as messages name it: its host, without paths and queries, which can contain keys. */
  readonly name: string;
  /** Whether the node runs on this machine: then no others answer in its place, of which some may lag behind. */
  readonly isLocal?: boolean;
  /** The commitment of calls that accept one; callers put it into the parameters. */
  readonly commitment: Commitment;
  /** Returns the time in milliseconds since the epoch. */
  readonly now: () => number;
  /**
   * Calls a method and returns its result.
   * @throws a typed error with advice for every JSON-RPC error and every failure of the transport
   */
  call(method: string, params?: readonly Json[], options?: CallOptions): Promise<Value>;
  /**
   * Sends several calls at once: in one request where the node accepts batches, else concurrently. Results are in the
   * order of the calls; a failed call is its error.
   */
  callMany(calls: readonly RpcCall[], options?: CallOptions): Promise<readonly (Value | SolxError)[]>;
}
