/** Sends JSON-RPC requests to a node over HTTP: permits, retries, events. Nothing that is reported contains a key. */
import {
  isObject,
  type Json,
  type JsonObject,
  RateLimitError,
  type SolxError,
  stringifyJson,
} from "../../../base/index.ts";
import type { CallOptions, RpcCall } from "../../../chain/solana/index.ts";
import type { HttpResponse } from "../../../client/index.ts";
import { MASK, maskError, type SendSettings, type Transport, withRetries } from "../../api/index.ts";
import type { NodeAddress } from "./address.ts";
import { mayRetry } from "./errors.ts";
import type { NodePermits } from "./permits.ts";
import type { ResponseContext } from "./response.ts";

/** What a channel is made of. */
export interface ChannelParts {
  readonly settings: SendSettings;
  readonly address: NodeAddress;
  readonly permits: NodePermits;
  readonly transport: Transport;
}

/** Sends requests to one node. */
export class Channel {
  readonly #parts: ChannelParts;

  constructor(parts: ChannelParts) {
    this.#parts = parts;
  }

  /** What decoding a response depends on. */
  get context(): ResponseContext {
    const { address, settings } = this.#parts;
    return { node: address.name, now: settings.now() };
  }

  /** Returns an error without keys. */
  masked(error: SolxError): SolxError {
    maskError(error, this.#parts.address.mask);
    return error;
  }

  /**
   * Runs attempts until one succeeds or fails permanently.
   * @throws the last error, without keys
   */
  async retried<T>(options: CallOptions, attempt: (number: number) => Promise<T>): Promise<T> {
    const { settings, permits, address } = this.#parts;
    const { maxWait, onEvent } = settings;
    try {
      return await withRetries(
        {
          signal: options.signal,
          isTransient: mayRetry,
          attempt: (number) =>
            attempt(number).catch((error) => {
              // Everyone who shares the rate limiter waits as long as the node requests.
              const seconds = error instanceof RateLimitError ? error.retryAfter : undefined;
              if (seconds !== undefined) permits.pause(Math.min(seconds * 1000, maxWait));
              throw error;
            }),
          onRetry: ({ error, attempt: number, delay }) => {
            maskError(error, address.mask);
            if (error instanceof RateLimitError && error.retryAfter === undefined) {
              permits.pause(Math.min(delay, maxWait));
            }
            onEvent({ type: "retry", error, attempt: number, seconds: delay / 1000 });
          },
        },
        settings,
      );
    } catch (error) {
      maskError(error, address.mask);
      throw error;
    }
  }

  /** Sends calls in one request: a batch, or a single call. Their ids are their positions, from 1. */
  async send(calls: readonly RpcCall[], options: CallOptions, attempt: number): Promise<HttpResponse> {
    const { settings, permits } = this.#parts;
    const methods = calls.map(({ method }) => method);
    let isReported = false;
    const release = await permits.acquire(methods, {
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
    const { settings, address, transport } = this.#parts;
    const { onEvent, now, userAgent } = settings;
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
    const response = await transport
      .send(request, options.timeout)
      .then((received) => {
        status = received.status;
        return received;
      })
      .finally(() => {
        for (const { method } of calls) settings.onExchange?.({ route: `rpc:${method}`, status, units: 0 });
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
  const requests = calls.map(({ method, params }, at): JsonObject => ({ jsonrpc: "2.0", id: at + 1, method, params }));
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
