/**
 * A connection to a node: single calls and batches, with shared calls and permanent results.
 *
 * Equal calls at the same time are one call. A node that refuses batches is remembered, and gets single calls from then
 * on; one that finds a batch too large gets smaller ones. Replies are matched by id, whatever their order.
 */
import { InterruptedError, isArray, isObject, type Json, SolxError, throwIfAborted } from "../../../base/index.ts";
import {
  type CallOptions,
  type Commitment,
  NODE_ERROR,
  type NodeConnection,
  type RpcCall,
} from "../../../chain/solana/index.ts";
import { type Channel, callKey, requestsNewVersions, withOldVersions } from "./exchange.ts";
import type { FinalResults } from "./final-results.ts";
import {
  FIRST_ID,
  isBatchRefusal,
  isTooLarge,
  mayRetry,
  readReplies,
  readReply,
  readResult,
  unansweredError,
} from "./replies.ts";

/** Calls in one batch at most, where the limit of the node does not require less. */
const MAX_BATCH = 50;
/** Expected bytes of the answer to a batch at most. */
const MAX_BYTES = 8_000_000;
/** Requests at the same time; a transport has as many connections. */
const CONCURRENT = 16;

/** Expected bytes of an answer by method; for those with lists of keys, of one key. */
const BYTES: Readonly<Record<string, number>> = {
  getTransaction: 16_000,
  getSignaturesForAddress: 300_000,
  getMultipleAccounts: 1000,
  getProgramAccounts: 4_000_000,
  getTokenAccountsByOwner: 200_000,
  getBlocks: 500_000,
  getVoteAccounts: 2_000_000,
  getClusterNodes: 2_000_000,
};
const OTHER_BYTES = 4000;

/** Expected bytes of a block by the details that are requested of its transactions. */
const BLOCK_BYTES: Readonly<Record<string, number>> = { none: 50_000, signatures: 200_000, accounts: 2_000_000 };
const FULL_BLOCK_BYTES = 4_000_000;

function expectedBytes({ method, params }: RpcCall): number {
  if (method === "getBlock") return BLOCK_BYTES[transactionDetails(params[1])] ?? FULL_BLOCK_BYTES;
  const [first] = params;
  return (BYTES[method] ?? OTHER_BYTES) * (isArray(first) ? first.length : 1);
}

function transactionDetails(config: Json | undefined): string {
  return isObject(config) && typeof config.transactionDetails === "string" ? config.transactionDetails : "full";
}

/** Divides calls into batches, in their order. */
export function batchCalls<T>(
  items: readonly T[],
  callOf: (item: T) => RpcCall,
  maxCount: number,
): readonly (readonly T[])[] {
  const batches: T[][] = [];
  let bytes = 0;
  for (const item of items) {
    const size = expectedBytes(callOf(item));
    const last = batches.at(-1);
    if (last && last.length < maxCount && bytes + size <= MAX_BYTES) {
      last.push(item);
      bytes += size;
    } else {
      batches.push([item]);
      bytes = size;
    }
  }
  return batches;
}

async function eachConcurrently<T>(items: readonly T[], action: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values();
  const run = async () => {
    for (const item of queue) await action(item);
  };
  await Promise.all(Array.from({ length: Math.min(CONCURRENT, items.length) }, run));
}

interface PendingCall {
  readonly call: RpcCall;
  readonly key: string;
  readonly settle: (outcome: Promise<Json>) => void;
}

/** A connection over a channel. */
export class HttpNodeConnection implements NodeConnection {
  readonly name: string;
  readonly isLocal: boolean;
  readonly commitment: Commitment;
  readonly now: () => number;
  readonly #channel: Channel;
  readonly #results: FinalResults | undefined;
  readonly #shared = new Map<string, Promise<Json>>();
  /** Calls in one batch at most. */
  #maxBatch: number;
  #hasOldVersions = false;

  /** @param results the cache of results that never change; undefined without a cache */
  constructor(channel: Channel, results: FinalResults | undefined) {
    const { name, isLocal, commitment, rate, methodRate } = channel.address;
    [this.name, this.isLocal, this.commitment, this.now] = [name, isLocal, commitment, channel.settings.now];
    this.#channel = channel;
    this.#results = results;
    // Half of a limit, so that a batch does not wait for the whole window.
    const halves = [rate, methodRate].flatMap((limit) => (limit ? [Math.floor(limit.requests / 2)] : []));
    this.#maxBatch = Math.max(1, Math.min(MAX_BATCH, ...halves));
  }

  async call(method: string, params: readonly Json[] = [], options: CallOptions = {}): Promise<Json> {
    throwIfAborted(options.signal);
    const call = { method, params };
    const cached = await this.#results?.find(call, options);
    if (cached !== undefined) return cached;
    const key = callKey(call);
    const shared = this.#shared.get(key);
    return shared ? this.#join(shared, call, options) : this.#share(key, this.#send(call, options));
  }

  async callMany(calls: readonly RpcCall[], options: CallOptions = {}): Promise<readonly (Json | SolxError)[]> {
    throwIfAborted(options.signal);
    const results = new Map<string, Promise<Json>>();
    const pending: PendingCall[] = [];
    const cached = await Promise.all(calls.map((call) => this.#results?.find(call, options)));
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
    const channel = this.#channel;
    const result = await channel.retried(options, async (attempt) =>
      readResult(await channel.send([call], options, attempt), call.method, channel.context),
    );
    await this.#results?.add(call, result, options);
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
      await this.#channel.retried(options, async (attempt) => {
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
    const channel = this.#channel;
    const isOld = this.#hasOldVersions;
    const calls = batch.map(({ call }) => (isOld ? withOldVersions(call) : call));
    const response = await channel.send(calls, options, attempt);
    const replies = readReplies(response, channel.context);
    const repeated = new Map<PendingCall, SolxError>();
    for (const [at, each] of batch.entries()) {
      const { call } = each;
      const reply = replies.get(at + FIRST_ID);
      try {
        if (!reply) throw unansweredError(this.name, call.method);
        const result = readReply(reply, response, call.method, channel.context);
        await this.#results?.add(call, result, options);
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

const isInvalid = (error: unknown) => error instanceof SolxError && error.code === NODE_ERROR.invalidParams;

/** Returns the error of a call as its outcome. @throws an interruption, and what is no error of a node */
function toOutcome(error: unknown): SolxError {
  if (error instanceof SolxError && !(error instanceof InterruptedError)) return error;
  throw error;
}
