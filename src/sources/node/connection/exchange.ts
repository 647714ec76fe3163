/** Exchanges with a node over HTTP: permits, retries, events. Nothing that is reported contains a key. */
import {
  isObject,
  type Json,
  type JsonObject,
  RateLimitError,
  type SolxError,
  stringifyJson,
} from "../../../base/index.ts";
import type { Rate } from "../../../catalogue/index.ts";
import type { CallOptions, RpcCall } from "../../../chain/solana/index.ts";
import type { AcquireOptions, HttpResponse, Permit, RateLimiter } from "../../../client/index.ts";
import { createRateLimiter, MASK, maskError, type SendSettings, type Transport, withRetries } from "../../api/index.ts";
import type { NodeAddress } from "./address.ts";
import { FIRST_ID, mayRetry, type ResponseContext } from "./replies.ts";

/** The permits of calls to a node: those of all methods together, and those of each method. */
export class NodePermits {
  readonly #limiter: RateLimiter;
  readonly #methodRate: Rate | undefined;
  readonly #byMethod = new Map<string, RateLimiter>();

  /**
   * @param limiter counts the calls of all methods; the caller closes it
   * @param methodRate the limit of each method
   */
  constructor(limiter: RateLimiter, methodRate: Rate | undefined) {
    this.#limiter = limiter;
    this.#methodRate = methodRate;
  }

  /**
   * Waits until calls may be sent in one request; each counts.
   * @returns a function to call when the answer came, or when none will
   */
  async acquire(methods: readonly string[], options: AcquireOptions): Promise<() => void> {
    const granted: Permit[] = [];
    const release = () => {
      for (const permit of granted) permit.release();
    };
    const acquireAll = async (limiters: readonly RateLimiter[]) => {
      const waits = limiters.map((each) => each.acquire(0, options).then((permit) => granted.push(permit)));
      const outcomes = await Promise.allSettled(waits);
      const failed = outcomes.find((outcome) => outcome.status === "rejected");
      if (failed) throw failed.reason;
    };
    try {
      // The method's permits come first: while they are awaited, other methods can be called.
      await acquireAll(methods.flatMap((method) => this.#limiterOf(method)));
      await acquireAll(methods.map(() => this.#limiter));
    } catch (error) {
      release();
      throw error;
    }
    return release;
  }

  #limiterOf(method: string): readonly RateLimiter[] {
    if (this.#methodRate === undefined) return [];
    const known = this.#byMethod.get(method) ?? createRateLimiter({ rate: this.#methodRate });
    this.#byMethod.set(method, known);
    return [known];
  }

  /** Sends nothing for a while: the node answered that there were too many calls. */
  pause(milliseconds: number): void {
    this.#limiter.pause(milliseconds);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#byMethod.values()].map((each) => each.close()));
  }
}

/** Sends requests to one node. */
export class Channel {
  readonly address: NodeAddress;
  readonly settings: SendSettings;
  readonly #permits: NodePermits;
  readonly #transport: Transport;

  constructor(address: NodeAddress, settings: SendSettings, permits: NodePermits, transport: Transport) {
    this.address = address;
    this.settings = settings;
    this.#permits = permits;
    this.#transport = transport;
  }

  get context(): ResponseContext {
    return { node: this.address.name, now: this.settings.now() };
  }

  /** Returns an error without keys. */
  masked(error: SolxError): SolxError {
    maskError(error, this.address.mask);
    return error;
  }

  /** Runs attempts until one succeeds or fails permanently. @throws the last error, without keys */
  async retried<T>(options: CallOptions, attempt: (number: number) => Promise<T>): Promise<T> {
    const { maxWait, onEvent } = this.settings;
    const { mask } = this.address;
    // Everyone who shares the rate limiter waits as long as the node requests.
    const pause = (milliseconds: number) => this.#permits.pause(Math.min(milliseconds, maxWait));
    try {
      return await withRetries(
        {
          signal: options.signal,
          isTransient: mayRetry,
          attempt: (number) =>
            attempt(number).catch((error) => {
              if (error instanceof RateLimitError && error.retryAfter !== undefined) pause(error.retryAfter * 1000);
              throw error;
            }),
          onRetry: ({ error, attempt: number, delay }) => {
            maskError(error, mask);
            if (error instanceof RateLimitError && error.retryAfter === undefined) pause(delay);
            onEvent({ type: "retry", error, attempt: number, seconds: delay / 1000 });
          },
        },
        this.settings,
      );
    } catch (error) {
      maskError(error, mask);
      throw error;
    }
  }

  /** Sends calls in one request: a batch, or a single call. Their ids are their positions, from 1. */
  async send(calls: readonly RpcCall[], options: CallOptions, attempt: number): Promise<HttpResponse> {
    const { settings } = this;
    const methods = calls.map(({ method }) => method);
    let isReported = false;
    const release = await this.#permits.acquire(methods, {
      signal: options.signal,
      priority: options.priority,
      maxWaitMs: settings.wait ? options.maxWaitMs : 0,
      onWait: (wait) => {
        if (isReported) return;
        isReported = true;
        settings.onEvent({ type: "wait", reason: "rate", seconds: wait === undefined ? undefined : wait / 1000 });
      },
    });
    try {
      return await this.#exchange(calls, options, attempt);
    } finally {
      release();
    }
  }

  async #exchange(calls: readonly RpcCall[], options: CallOptions, attempt: number): Promise<HttpResponse> {
    const { address } = this;
    const { onEvent, onExchange, now, userAgent } = this.settings;
    const rpc = describeCalls(calls);
    const headers = { accept: "application/json", "content-type": "application/json", "user-agent": userAgent };
    const hidden = Object.keys(address.headers).map((name) => [name, MASK] as const);
    const reported = { url: address.origin, rpc, attempt };
    onEvent({ type: "request", method: "POST", headers: { ...headers, ...Object.fromEntries(hidden) }, ...reported });
    const start = now();
    const request = {
      method: "POST",
      url: address.url,
      headers: { ...headers, ...address.headers },
      body: requestBody(calls),
      signal: options.signal,
    } as const;
    let status: number | undefined;
    const response = await this.#transport
      .send(request, options.timeout)
      .then((received) => {
        status = received.status;
        return received;
      })
      .finally(() => {
        for (const { method } of calls) onExchange?.({ route: `rpc:${method}`, status, units: 0 });
      });
    const masked = Object.entries(response.headers).map(([name, value]) => [name, address.mask(value)] as const);
    onEvent({
      type: "response",
      status: response.status,
      headers: Object.fromEntries(masked),
      size: response.body.length,
      milliseconds: now() - start,
      ...reported,
    });
    return response;
  }
}

/** Returns the methods of calls, with their numbers: `getTransaction ×20`. */
function describeCalls(calls: readonly RpcCall[]): string {
  const counts = Map.groupBy(calls, ({ method }) => method);
  return [...counts].map(([method, { length }]) => (length === 1 ? method : `${method} ×${length}`)).join(", ");
}

function requestBody(calls: readonly RpcCall[]): string {
  const requests = calls.map(
    ({ method, params }, at): JsonObject => ({ jsonrpc: "2.0", id: at + FIRST_ID, method, params }),
  );
  return stringifyJson(requests.length === 1 ? (requests[0] as JsonObject) : requests);
}

/** Returns a call as a text: equal calls have equal texts. */
export const callKey = ({ method, params }: RpcCall): string => `${method} ${stringifyJson(params)}`;

/** The parameter of versions, and the value that old nodes accept. */
const VERSION_PARAM = "maxSupportedTransactionVersion";

/** Whether a call requests transactions of a version that old nodes do not know. */
export const requestsNewVersions = ({ params }: RpcCall): boolean =>
  params.some((param) => isObject(param) && param[VERSION_PARAM] === 1);

/** Returns a call that requests no transactions but those of versions that every node knows. */
export function withOldVersions(call: RpcCall): RpcCall {
  const params = call.params.map((param): Json => {
    const hasVersion = isObject(param) && param[VERSION_PARAM] === 1;
    return hasVersion ? { ...param, [VERSION_PARAM]: 0 } : param;
  });
  return { ...call, params };
}
