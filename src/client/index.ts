/**
 * The client of the API and everything that other modules use of it. Nothing here writes to the terminal.
 *
 * What few commands need, and what loads a database, a network stack or a Redis client, is exported as a function that
 * loads it on its first call, so that commands without it start fast.
 */
export {
  type Answer,
  formatSkew,
  type HttpResponse,
  isCutJson,
  measureSkew,
  retryAfterSeconds,
  SKEW_SECONDS,
  tooManyValuesError,
  truncatedError,
} from "./answer/answer.ts";
export { parseErrorBody } from "./answer/api-errors.ts";
export { decode, htmlMessage, isHtml, rawAnswer } from "./answer/decode.ts";
export { type FieldDrift, findFieldDrift, findSchemaDrift } from "./answer/schema-drift.ts";
export type { BatchItem, ManyOptions } from "./batch/batch.ts";
export { checkSharedParams, findPacking, parseIdentifier, withItemName } from "./batch/items.ts";
export { readLists } from "./batch/lists.ts";
export { AnswerStore, clearCachedAnswers, packBody, readCacheStats, unpackBody } from "./cache/answer-store.ts";
export { type Call, type ClientCore, createCore, createMethods, type ListCall } from "./client.ts";
export { findMissingColumns, isLongExport } from "./export/read-export.ts";
export { resolveExportRange } from "./export/time-range.ts";
export { FlowFacts, type FlowRole } from "./flow/flow-facts.ts";
export {
  type Flow,
  type FlowDirection,
  FlowGraph,
  type FlowHop,
  type FlowSum,
  listHops,
  sumFlows,
  type ValueOfFlow,
} from "./flow/flow-graph.ts";
export type { FlowAccount, FlowEdge, FlowRequest, MoneyFlow } from "./flow/read-flow.ts";
export {
  type CacheOptions,
  type ClientEvent,
  type CoreOptions,
  checkCount,
  checkSeconds,
  type Exchange,
  optionError,
  resolveSharedOptions,
  type SharedOptions,
  type SharedSettings,
} from "./options.ts";
export { checkRequests } from "./paging/completeness.ts";
export {
  type Effort,
  type ExportEstimate,
  estimateLength,
  estimateRequests,
  maxPageSize,
} from "./paging/estimate.ts";
export type { FindRemoved, KeyedRow } from "./paging/head-poller.ts";
export type { Page, PagingOptions, ReadOptions } from "./paging/page.ts";
export { totalRows } from "./paging/page-strategy.ts";
export { endTimeOfState, readPages } from "./paging/read-pages.ts";
export { hashText } from "./paging/row-keys.ts";
export { startAtRow } from "./paging/skip.ts";
export { checkRequest, checkValue, type PreparedRequest, prepare, type ValueProblem } from "./request/prepare.ts";
export {
  explainMismatch,
  isMeantAsIdentifier,
  type Recognised,
  recognise,
  type Target,
  unrecognisedError,
} from "./request/recognise.ts";
export * from "./request/url.ts";
export { formatIso, matchEnumValue, parseUnixTime, shortForms } from "./request/wire-values.ts";
export { closedError, requireSupport } from "./sender.ts";
export {
  type AcquireOptions,
  type DataFacts,
  FULL_SUPPORT,
  type Permit,
  type RateLimiter,
  type RateLimitStatus,
  type SendOptions,
  type Source,
  type Support,
  type WalkCost,
} from "./source.ts";
export { displayText, durationText, excerpt } from "./text.ts";
export { isTokenSymbol, type ResolvedToken, type ResolveOptions, resolveToken } from "./tokens/resolve-token.ts";
export { TokenPrices, valueAtPrice } from "./tokens/token-prices.ts";
export { parseAmount, TokenResolver, toBaseUnits } from "./tokens/token-resolver.ts";
export { type Forecast, forecastText, forecastUsage, hourlyRates, spentUsage } from "./usage/forecast.ts";
export {
  type RequestCount,
  type RequestOutcome,
  readRequestCounts,
  readUserCounts,
  USAGE_FILE,
  type UsageSample,
  UsageSamples,
} from "./usage/usage-file.ts";
export * from "./usage/usage-report.ts";
export { orderUsers, type UsageUser, type UserUsage, userKey } from "./usage/usage-users.ts";
export type { Timing } from "./watch/schedule.ts";
export type { Cursors, Poller, PollTimes, SubjectNews, Watched } from "./watch/subject.ts";

/** Loads what polls subjects for their news. */
export const loadWatch = () => import("./watch/watch.ts");
/** Loads what follows the money. */
export const loadFlow = () => import("./flow/read-flow.ts");
/** Loads the file with the counts of requests. */
export const loadUsageFile = () => import("./usage/usage-file.ts");
