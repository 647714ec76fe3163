/**
 * The client of the API and everything that other modules use of it. Nothing here writes to the terminal.
 *
 * What few commands need, and what loads a database, a network stack or a Redis client, is exported as a function that
 * loads it on its first call, so that commands without it start fast.
 */
import type { RequestCount } from "./usage/requests.ts";

export { parseErrorBody } from "./answer/api-errors.ts";
export { decode, htmlMessage, isHtml, rawAnswer } from "./answer/decode.ts";
export { decodeUtf8, type HttpResponse, truncatedError } from "./answer/response.ts";
export { retryAfterSeconds } from "./answer/retry-after.ts";
export { type FieldDrift, findFieldDrift, findSchemaDrift } from "./answer/schema-drift.ts";
export { formatSkew, measureSkew, SKEW_SECONDS } from "./answer/server-clock.ts";
export type { Answer } from "./answer.ts";
export type { BatchItem, ManyOptions } from "./batch/batch.ts";
export { checkSharedParams, findPacking, parseIdentifier, withItemName } from "./batch/items.ts";
export { readLists } from "./batch/lists.ts";
export { AnswerStore, clearCachedAnswers, readCacheStats } from "./cache/answer-store.ts";
export { compressBody, decompressBody, PACKED_FROM } from "./cache/compression.ts";
export type { Call, ReadOptions } from "./call.ts";
export { type Client, type ClientCore, createCore, createMethods } from "./client.ts";
export type { ClientEvent, Exchange } from "./events.ts";
export { findMissingColumns } from "./export/paged-export.ts";
export { isLongExport } from "./export/read-export.ts";
export { resolveExportRange } from "./export/time-range.ts";
export type { Facade } from "./facade.ts";
export type { AcquireOptions, Permit, RateLimiter, RateLimitStatus } from "./limiter.ts";
export {
  type CacheOptions,
  type CoreOptions,
  checkCount,
  checkSeconds,
  optionError,
  resolveSharedOptions,
  type SharedOptions,
  type SharedSettings,
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
export { type BaseUrls, curlCommand, isLoopback, requestPath, requestUrl, resolveBaseUrls } from "./request/url.ts";
export { matchEnumValue, shortForms, toWireValues } from "./request/wire-values.ts";
export {
  type DataFacts,
  FULL_SUPPORT,
  requireSupport,
  type SendOptions,
  type Source,
  type Support,
  type WalkCost,
} from "./source.ts";
export { displayText, durationText, excerpt } from "./text.ts";
export { parseAmount, toBaseUnits } from "./tokens/amounts.ts";
export { isTokenSymbol, type ResolvedToken, type ResolveOptions, resolveToken } from "./tokens/resolve-token.ts";
export { TokenResolver } from "./tokens/token-resolver.ts";
export { USAGE_FILE } from "./usage/file.ts";
export { type Forecast, forecastText, forecastUsage, spentUsage } from "./usage/forecast.ts";
export { hourlyRates } from "./usage/rates.ts";
export { type RequestCount, type RequestOutcome, readRequestCounts } from "./usage/requests.ts";
export { openUsageSamples, type UsageSample, type UsageSamples } from "./usage/samples.ts";
export {
  describePeriod,
  describeRequests,
  type EndpointUsage,
  hasLowSuccess,
  STATE_ROLES,
  successRate,
  type UsageReport,
} from "./usage/usage-report.ts";

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
