/**
 * The API over HTTP: transport, retries and rate limits. What loads a network stack, a database or a Redis client is
 * exported as a function that loads it on its first call.
 */
import type { RateLimiter } from "../../client/index.ts";
import type { Transport } from "./http/exchange.ts";
import type { TransportOptions } from "./http/transport.ts";
import type { SharedRateLimiterOptions } from "./rate-limit/shared-limiter.ts";
import type { SqliteFileOptions } from "./rate-limit/sqlite-store.ts";
import type { RateLimitStore } from "./rate-limit/store.ts";

export { MASK, maskError, maskKey } from "./http/api-key.ts";
export type { HttpRequest, Transport } from "./http/exchange.ts";
export { type Timeouts, toNetworkError, totalTimeoutError } from "./http/network-errors.ts";
export { displayProxy, type ProxyEnv, resolveProxy } from "./http/proxy.ts";
export { isTransient, withRetries } from "./http/retry.ts";
export { createBucket, createRateLimiter } from "./rate-limit/limiter.ts";
export { displayRedisAddress } from "./rate-limit/redis-address.ts";
export { createSharedRateLimiter, type SharedRateLimiterOptions } from "./rate-limit/shared-limiter.ts";
export { accountId, type RateLimitBucket, type RateLimitStore } from "./rate-limit/store.ts";
export type { ApiSettings, Connection, SendSettings } from "./source.ts";

/** Loads the answers of the API. */
export const loadApiAnswers = () => import("./source.ts");

/** Loads and creates a rate limiter that other processes or machines share. */
export async function openSharedRateLimiter(options: SharedRateLimiterOptions): Promise<RateLimiter> {
  const shared = await import("./rate-limit/shared-limiter.ts");
  return shared.createSharedRateLimiter(options);
}

/** Reads the compute units that all who share a rate limiter have spent today (UTC), as far as they can be reached. */
export async function readUnitsSpentToday(options: SharedRateLimiterOptions): Promise<number> {
  const shared = await import("./rate-limit/shared-limiter.ts");
  return shared.readUnitsSpentToday(options);
}

/**
 * Opens the store of permits that all processes of this machine share.
 * @throws when the file cannot be used
 */
export async function openSqliteStore(options: SqliteFileOptions): Promise<RateLimitStore> {
  const sqlite = await import("./rate-limit/sqlite-store.ts");
  return sqlite.openSqliteStore(options);
}

/**
 * Opens a store of permits on a Redis or Valkey server.
 * @param url such as `redis://user:password@host:6379/0`, or another form of `SharedRateLimiterOptions.redis`
 * @throws when the server cannot be reached or denies access
 */
export async function openRedisStore(url: string): Promise<RateLimitStore> {
  const redis = await import("./rate-limit/redis-store.ts");
  return redis.openRedisStore(url);
}

/** Loads and creates a transport over the network. It connects when it first sends. */
export async function openTransport(options: TransportOptions): Promise<Transport> {
  const { createTransport } = await import("./http/transport.ts");
  return createTransport(options);
}
