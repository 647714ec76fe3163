/**
 * The client of the API and everything that other modules use of it. Nothing here writes to the terminal.
 *
 * What few commands need, and what loads a database, a network stack or a Redis client, is exported as a function that
 * loads it on its first call, so that commands without it start fast.
 */
import type { Transport } from "../sources/api/http/message.ts";
import type { TransportOptions } from "../sources/api/http/transport.ts";
import type { RateLimiter } from "../sources/api/rate-limit/limiter.ts";
import type { SharedRateLimiterOptions } from "../sources/api/rate-limit/shared-limiter.ts";
import type { SqliteFileOptions } from "../sources/api/rate-limit/sqlite-file.ts";
import type { RateLimitStore } from "../sources/api/rate-limit/store.ts";
import type { RequestCount } from "./usage/requests.ts";

export { maskKey } from "../sources/api/http/api-key.ts";
export type { HttpRequest, HttpResponse, Transport } from "../sources/api/http/message.ts";
export { type Timeouts, toNetworkError, totalTimeoutError } from "../sources/api/http/network-errors.ts";
export { displayProxy, resolveProxy } from "../sources/api/http/proxy.ts";
export { isTransient } from "../sources/api/http/retry.ts";
export type { SendOptions, WalkCost } from "../sources/api/pipeline.ts";
export { accountId } from "../sources/api/rate-limit/account.ts";
export {
  createBucket,
  createRateLimiter,
  type Permit,
  type RateLimiter,
  type RateLimitStatus,
} from "../sources/api/rate-limit/limiter.ts";
export { displayRedisAddress } from "../sources/api/rate-limit/redis-address.ts";
export type { AcquireOptions } from "../sources/api/rate-limit/request-queue.ts";
export { createSharedRateLimiter, type SharedRateLimiterOptions } from "../sources/api/rate-limit/shared-limiter.ts";
export type { RateLimitBucket, RateLimitStore } from "../sources/api/rate-limit/store.ts";
export { type RpcOptions, resolveNode } from "../sources/node/connection/address.ts";
export { type Answer, decode } from "./answer/decode.ts";
export { type FieldDrift, findFieldDrift, findSchemaDrift } from "./answer/schema-drift.ts";
export { formatSkew, measureSkew, SKEW_SECONDS } from "./answer/server-clock.ts";
export type { BatchItem, ManyOptions } from "./batch/batch.ts";
export { checkSharedParams, findPacking, parseIdentifier, withItemName } from "./batch/items.ts";
export { readLists } from "./batch/lists.ts";
export { clearCachedAnswers, readCacheStats } from "./cache/answer-store.ts";
export type { Call, ReadOptions } from "./call.ts";
export { type Client, type ClientCore, createClient, createCore, createMethods } from "./client.ts";
export { findMissingColumns, requirePagedSibling } from "./export/paged-export.ts";
export { isLongExport } from "./export/read-export.ts";
export { resolveExportRange } from "./export/time-range.ts";
export type { Facade } from "./facade.ts";
export {
  type CacheOptions,
  type ClientEvent,
  type ClientOptions,
  type Exchange,
  type RecordOptions,
  resolveRate,
} from "./options.ts";
export { countOverlap } from "./paging/drift-check.ts";
export {
  type Effort,
  type ExportEstimate,
  estimateLength,
  estimateRequests,
  maxPageSize,
} from "./paging/estimate.ts";
export type { Page, PagingOptions } from "./paging/page.ts";
export { findParamByRole, totalRows } from "./paging/page-strategy.ts";
export { readPages } from "./paging/read-pages.ts";
export {
  allKeys,
  createRowKeyer,
  isSameRun,
  type RowKey,
  type RowKeyer,
  type RowKeys,
} from "./paging/row-keys.ts";
export { checkRequests } from "./paging/shrink-check.ts";
export { type PreparedRequest, prepare } from "./request/prepare.ts";
export { type RawOptions, rawRequest } from "./request/raw-request.ts";
export {
  explainMismatch,
  isMeantAsIdentifier,
  type Recognised,
  recognise,
  type Target,
  unrecognisedError,
} from "./request/recognise.ts";
export { formatIso, parseUnixTime } from "./request/times.ts";
export { type BaseUrls, curlCommand, isLoopback, requestPath, requestUrl } from "./request/url.ts";
export { matchEnumValue, shortForms, toWireValues } from "./request/wire-values.ts";
export { displayText, durationText } from "./text.ts";
export { parseAmount, toBaseUnits } from "./tokens/amounts.ts";
export { isTokenSymbol, type ResolvedToken, type ResolveOptions, resolveToken } from "./tokens/resolve-token.ts";
export { TokenResolver } from "./tokens/token-resolver.ts";
export { USAGE_FILE } from "./usage/file.ts";
export { type Forecast, forecastText, forecastUsage, spentUsage } from "./usage/forecast.ts";
export { type RequestCount, type RequestOutcome, readRequestCounts } from "./usage/requests.ts";
export { openUsageSamples, type UsageSample, type UsageSamples } from "./usage/samples.ts";
export { type EndpointUsage, LOW_SUCCESS_RATE, successRate, type UsageReport } from "./usage/usage-report.ts";

/** Loads and creates a rate limiter that other processes or machines share. */
export async function openSharedRateLimiter(options: SharedRateLimiterOptions): Promise<RateLimiter> {
  const { createSharedRateLimiter } = await import("../sources/api/rate-limit/shared-limiter.ts");
  return createSharedRateLimiter(options);
}

/** Reads the compute units that all who share a rate limiter have spent today (UTC), as far as they can be reached. */
export async function readUnitsSpentToday(options: SharedRateLimiterOptions): Promise<number> {
  const shared = await import("../sources/api/rate-limit/shared-limiter.ts");
  return shared.readUnitsSpentToday(options);
}

/**
 * Opens the store of permits that all processes of this machine share.
 * @throws when the file cannot be used
 */
export async function openSqliteStore(options: SqliteFileOptions): Promise<RateLimitStore> {
  const sqlite = await import("../sources/api/rate-limit/sqlite-store.ts");
  return sqlite.openSqliteStore(options);
}

/**
 * Opens a store of permits on a Redis or Valkey server.
 * @param url such as `redis://user:password@host:6379/0`, or another form of `SharedRateLimiterOptions.redis`
 * @throws when the server cannot be reached or denies access
 */
export async function openRedisStore(url: string): Promise<RateLimitStore> {
  const redis = await import("../sources/api/rate-limit/redis-store.ts");
  return redis.openRedisStore(url);
}

/** Loads and creates a transport over the network. It connects when it first sends. */
export async function openTransport(options: TransportOptions): Promise<Transport> {
  const { createTransport } = await import("../sources/api/http/transport.ts");
  return createTransport(options);
}

/**
 * Adds counts to those of an account, and removes counts older than a week.
 * @throws when the file cannot be written
 */
export async function recordRequests(
  folder: string,
  account: string,
  counts: readonly RequestCount[],
  now: number,
): Promise<void> {
  const requests = await import("./usage/requests.ts");
  requests.recordRequests(folder, account, counts, now);
}
