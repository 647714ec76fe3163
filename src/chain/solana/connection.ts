/** What everything that reads from a Solana node depends on, and what its errors mean; the client implements it over HTTP. */
import { type Json, SolxError } from "../../base/index.ts";

/** How far a state must be confirmed to be used. */
export type Commitment = "processed" | "confirmed" | "finalized";

/** A call of a JSON-RPC method. */
export interface RpcCall<Value = Json> {
  /** The name of the method. */
  readonly method: string;
  /** Its parameters. */
  readonly params: readonly Value[];
}

/** How calls are sent. */
export interface CallOptions {
  /** Aborts the call. */
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
   * @throws a SolxError with advice for every JSON-RPC error and every failure of the transport
   */
  call(method: string, params?: readonly Value[], options?: CallOptions): Promise<Value>;
  /**
   * Sends several calls at once: in one request where the node accepts batches, else concurrently. Results are in the
   * order of the calls; a failed call is its error.
   */
  callMany(calls: readonly RpcCall<Value>[], options?: CallOptions): Promise<readonly (Value | SolxError)[]>;
}

/** JSON-RPC error codes of a node that callers distinguish. */
export const NODE_ERROR = {
  cleanedUp: -32001,
  notYetAvailable: -32004,
  skipped: -32007,
  skippedOrMissing: -32009,
  excluded: -32010,
  historyUnavailable: -32011,
  unsupportedVersion: -32015,
  noSlotHistory: -32021,
  unknownMethod: -32601,
  invalidParams: -32602,
} as const;

const REFUSED: ReadonlySet<number | string> = new Set([NODE_ERROR.excluded, NODE_ERROR.unknownMethod, 403, 410]);
const SKIPPED: ReadonlySet<number | string> = new Set([NODE_ERROR.skipped, NODE_ERROR.skippedOrMissing]);
const PRUNED: ReadonlySet<number | string> = new Set([
  ...[NODE_ERROR.cleanedUp, NODE_ERROR.historyUnavailable, NODE_ERROR.noSlotHistory],
]);

const hasCode = (error: unknown, codes: ReadonlySet<number | string>) =>
  error instanceof SolxError && codes.has(error.code);

/** Whether the node does not serve a method, or not for these keys, so that another method may help. */
export const isMethodRefused = (error: unknown): error is SolxError => hasCode(error, REFUSED);

/** Whether the node will not answer a call, however often it is asked, so that another method may help. */
export const isCallDenied = (error: unknown): error is SolxError =>
  error instanceof SolxError && !error.retryable && ["permission", "usage", "server"].includes(error.exit);

/** Whether there is no block in a slot: it was skipped, or it is missing in the node's history. */
export const isSkippedSlot = (error: unknown): error is SolxError => hasCode(error, SKIPPED);

/** Whether the node does not have history as old as requested. */
export const isHistoryPruned = (error: unknown): error is SolxError => hasCode(error, PRUNED);
