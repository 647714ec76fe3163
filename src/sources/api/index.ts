/**
 * The API over HTTP: transport, retries and rate limits. What loads a network stack, a database or a Redis client is
 * exported as a function that loads it on its first call.
 */
import type { Transport } from "./http/message.ts";
import type { TransportOptions } from "./http/transport.ts";

export { MASK, maskError, maskKey } from "./http/api-key.ts";
export { decodeBody } from "./http/body.ts";
export type { HttpRequest, Transport } from "./http/message.ts";
export { type Timeouts, toNetworkError, totalTimeoutError } from "./http/network-errors.ts";
export { displayProxy, type ProxyEnv, resolveProxy } from "./http/proxy.ts";
export { isTransient, withRetries } from "./http/retry.ts";
export { createRateLimiter } from "./rate-limit/limiter.ts";
export { describeLoss, displayRedisAddress } from "./rate-limit/redis-address.ts";
export type { RedisScript } from "./rate-limit/redis-store.ts";
export { createSharedRateLimiter, type SharedRateLimiterOptions } from "./rate-limit/shared-limiter.ts";
export { accountId } from "./rate-limit/store.ts";
export type { ApiSettings, Connection, SendSettings } from "./source.ts";

/** Loads the answers of the API. */
export const loadApiAnswers = () => import("./source.ts");

/** Loads rate limiters that other processes or machines share, and what reads their counts. */
export const loadSharedLimiter = () => import("./rate-limit/shared-limiter.ts");

/** Loads what runs scripts at a Redis server. */
export const loadRedis = () => import("./rate-limit/redis-store.ts");

/** Loads what opens the connections to a server. */
export const loadUpstreams = () => import("./http/transport.ts");

/** Loads and creates a transport over the network. It connects when it first sends. */
export async function openTransport(options: TransportOptions): Promise<Transport> {
  const { createTransport } = await import("./http/transport.ts");
  return createTransport(options);
}
