/**
 * A connection to a node: single calls and batches, with shared calls and permanent results.
 *
 * Equal calls at the same time are one call. A node that refuses batches is remembered, and gets single calls from then
 * on; one that finds a batch too large gets smaller ones. Replies are matched by id, whatever their order.
 */
import { InterruptedError, type Json, SolxError, throwIfAborted } from "../../../base/index.ts";
import {
  type CallOptions,
  type Commitment,
  NODE_ERROR,
  type NodeConnection,
  type RpcCall,
} from "../../../chain/solana/index.ts";
import { batchCalls, eachConcurrently } from "./batches.ts";
import { type Channel, callKey, requestsNewVersions, withOldVersions } from "./channel.ts";
import { isTooLarge, mayRetry, unansweredError } from "./errors.ts";
import type { FinalResults } from "./final-results.ts";
import { isBatchRefusal, readReplies, readReply, readResult } from "./response.ts";

/** What a connection is made of. */
export interface ConnectionParts {
  readonly name: string;
  readonly isLocal: boolean;
  readonly commitment: Commitment;
  readonly now: () => number;
  readonly channel: Channel;
  /** The cache of results that never change; undefined without a cache. */
  readonly results: FinalResults | undefined;
  /** Calls in one batch at most. */
  readonly maxBatch: number;
}

/** Creates a connection. */
export function createConnection(parts: ConnectionParts): NodeConnection {
  const calls = new Calls(parts);
  return {
    name: parts.name,
    isLocal: parts.isLocal,
    commitment: parts.commitment,
    now: parts.now,
    call: (method, params = [], options = {}) => calls.call({ method, params }, options),
    callMany: (list, options = {}) => calls.callMany(list, options),
  };
}

/** A call whose result is awaited. */
interface PendingCall {
  readonly call: RpcCall;
  readonly key: string;
  readonly settle: (outcome: Promise<Json>) => void;
}

class Calls {
  readonly #parts: ConnectionParts;
  /** Calls under way, by key. */
  readonly #shared = new Map<string, Promise<Json>>();
  #maxBatch: number;
  #hasOldVersions = false;

  constructor(parts: ConnectionParts) {
    this.#parts = parts;
    this.#maxBatch = parts.maxBatch;
  }

  async call(call: RpcCall, options: CallOptions): Promise<Json> {
    throwIfAborted(options.signal);
    const cached = await this.#parts.results?.find(call, options);
    if (cached !== undefined) return cached;
    const key = callKey(call);
    const shared = this.#shared.get(key);
    return shared ? this.#join(shared, call, options) : this.#share(key, this.#send(call, options));
  }

  async callMany(calls: readonly RpcCall[], options: CallOptions): Promise<readonly (Json | SolxError)[]> {
    throwIfAborted(options.signal);
    const results = new Map<string, Promise<Json>>();
    const pending: PendingCall[] = [];
    const cached = await Promise.all(calls.map((call) => this.#parts.results?.find(call, options)));
    for (const [at, call] of calls.entries()) {
      const [key, known] = [callKey(call), cached[at]];
      if (results.has(key)) continue;
      const shared = this.#shared.get(key);
      if (known !== undefined) results.set(key, Promise.resolve(known));
      else if (shared) results.set(key, this.#join(shared, call, options));
      else results.set(key, this.#share(key, new Promise((settle) => pending.push({ call, key, settle }))));
    }
    for (const result of results.values()) result.catch(() => {});
    await this.#sendAll(pending, options);
    const outcomes = calls.map((call) => (results.get(callKey(call)) as Promise<Json>).catch(toOutcome));
    return Promise.all(outcomes);
  }

  /** Makes a call available to equal ones until it is over. */
  #share(key: string, result: Promise<Json>): Promise<Json> {
    this.#shared.set(key, result);
    const end = () => this.#shared.delete(key);
    result.then(end, end);
    return result;
  }

  /** Awaits a call of another caller; when that caller gives up, the call is sent again. */
  async #join(shared: Promise<Json>, call: RpcCall, options: CallOptions): Promise<Json> {
    const { signal } = options;
    const aborted = Promise.withResolvers<never>();
    const onAbort = () => aborted.reject(new InterruptedError());
    signal?.addEventListener("abort", onAbort, { once: true });
    try {
      return await Promise.race([shared, aborted.promise]);
    } catch (error) {
      if (!(error instanceof InterruptedError)) throw error;
      throwIfAborted(signal);
      return await this.#send(call, options);
    } finally {
      signal?.removeEventListener("abort", onAbort);
    }
  }

  /** Sends one call. Nodes that do not know the latest version of transactions get a request for older ones. */
  async #send(call: RpcCall, options: CallOptions): Promise<Json> {
    if (!requestsNewVersions(call)) return this.#sendOnce(call, options);
    if (this.#hasOldVersions) return this.#sendOnce(withOldVersions(call), options);
    return this.#sendOnce(call, options).catch((error) => {
      if (!isInvalid(error)) throw error;
      return this.#sendOld(call, options);
    });
  }

  /** Sends a call whose version the node rejected; when the older version succeeds, it was the version. */
  async #sendOld(call: RpcCall, options: CallOptions): Promise<Json> {
    const result = await this.#sendOnce(withOldVersions(call), options);
    this.#hasOldVersions = true;
    return result;
  }

  async #sendOnce(call: RpcCall, options: CallOptions): Promise<Json> {
    const { channel, results } = this.#parts;
    const result = await channel.retried(options, async (attempt) =>
      readResult(await channel.send([call], options, attempt), call.method, channel.context),
    );
    await results?.add(call, result, options);
    return result;
  }

  /** Sends calls in batches as large as the node accepts, and settles all of them. */
  async #sendAll(pending: readonly PendingCall[], options: CallOptions): Promise<void> {
    const batches = batchCalls(pending, ({ call }) => call, this.#maxBatch);
    await eachConcurrently(batches, (batch) => this.#sendBatch(batch, options));
  }

  async #sendBatch(batch: readonly PendingCall[], options: CallOptions): Promise<void> {
    const [first] = batch;
    if (first && batch.length === 1) {
      const result = this.#send(first.call, options);
      first.settle(result);
      return result.then(ignore, ignore);
    }
    // Another batch may have failed since this one was formed.
    if (batch.length > this.#maxBatch) return this.#sendAll(batch, options);
    let remaining = batch;
    let errors = new Map<PendingCall, SolxError>();
    try {
      await this.#parts.channel.retried(options, async (attempt) => {
        errors = new Map();
        errors = await this.#attemptBatch(remaining, options, attempt);
        remaining = [...errors.keys()];
        const [error] = errors.values();
        if (error) throw error;
      });
    } catch (error) {
      // A batch that was partly answered is no longer one that was refused.
      const isRefused = errors.size === 0 && isBatchRefusal(error);
      if (isRefused || isTooLarge(error)) {
        this.#maxBatch = isRefused ? 1 : Math.max(1, Math.min(this.#maxBatch, Math.floor(remaining.length / 2)));
        return this.#sendAll(remaining, options);
      }
      for (const each of remaining) each.settle(Promise.reject(errors.get(each) ?? error));
    }
  }

  /** Sends a batch once and settles what is answered for good; returns the calls to repeat, with their errors. */
  async #attemptBatch(
    batch: readonly PendingCall[],
    options: CallOptions,
    attempt: number,
  ): Promise<Map<PendingCall, SolxError>> {
    const { channel, results, name } = this.#parts;
    const isOld = this.#hasOldVersions;
    const calls = batch.map(({ call }) => (isOld ? withOldVersions(call) : call));
    const response = await channel.send(calls, options, attempt);
    const replies = readReplies(response, channel.context);
    const repeated = new Map<PendingCall, SolxError>();
    for (const [at, each] of batch.entries()) {
      const { call } = each;
      const reply = replies.get(at + 1);
      try {
        if (!reply) throw unansweredError(name, call.method);
        const result = readReply(reply, response, call.method, channel.context);
        await results?.add(call, result, options);
        each.settle(Promise.resolve(result));
      } catch (error) {
        if (!(error instanceof SolxError)) throw error;
        if (!isOld && isInvalid(error) && requestsNewVersions(call)) each.settle(this.#sendOld(call, options));
        else if (mayRetry(error, attempt)) repeated.set(each, error);
        else each.settle(Promise.reject(channel.masked(error)));
      }
    }
    return repeated;
  }
}

const ignore = () => {};

/** Whether the node rejects the parameters of a call. */
const isInvalid = (error: unknown) => error instanceof SolxError && error.code === NODE_ERROR.invalidParams;

/** Returns the error of a call as its outcome. @throws an interruption, and what is no error of a node */
function toOutcome(error: unknown): SolxError {
  if (error instanceof SolxError && !(error instanceof InterruptedError)) return error;
  throw error;
}
