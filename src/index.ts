/**
 * solx as a library: the data API of a Solana blockchain explorer, typed from one catalogue.
 *
 *     import { createClient } from "solx";
 *
 *     const client = createClient({ key: process.env.SOLX_API_KEY });
 *     const meta = await client.token.meta({ address: "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v" });
 *     for await (const row of client.account.transfer({ address, flow: "in" }).rows({ limit: 500 })) { … }
 *     await client.close();
 *
 * Numbers keep their digits: where a double would change one it is a {@link RawNumber}; {@link numericText} gives the
 * digits of both kinds. Every failure is a {@link SolxError}.
 */
export {
  AuthError,
  CheckError,
  type ErrorDetails,
  ExitCode,
  type ExitName,
  errorObject,
  IncompleteError,
  InterruptedError,
  NetworkError,
  NotFoundError,
  PermissionError,
  QuotaError,
  RateLimitError,
  ServerError,
  SolxError,
  UsageError,
} from "./base/errors.ts";
export {
  isNumeric,
  isRawNumber,
  type Json,
  type JsonObject,
  type Numeric,
  numericOf,
  numericText,
  parseJson,
  type RawNumber,
  stringifyJson,
} from "./base/json.ts";
export type { ArgumentsOf, Column, DataOf, Endpoint, Family, Paging, Returns, RowOf } from "./catalogue/endpoint.ts";
export { catalogue, endpointByPath, endpointByRoute, endpoints } from "./catalogue/index.ts";
export type { Param } from "./catalogue/param.ts";
export { PLANS, type Plan, type PlanName, type Rate } from "./catalogue/plans.ts";
// The names of version 0.1, deprecated.
export {
  type AcquireOptions,
  /** @deprecated Use `AcquireOptions`. */
  type AcquireOptions as Taking,
  type Answer,
  type BaseUrls,
  type BatchItem,
  type CacheOptions,
  type Call,
  type Client,
  type ClientCore,
  type ClientEvent,
  type ClientOptions,
  createClient,
  createRateLimiter,
  /** @deprecated Use `createRateLimiter`. */
  createRateLimiter as createBudget,
  createSharedRateLimiter,
  /** @deprecated Use `createSharedRateLimiter`. */
  createSharedRateLimiter as createSharedBudget,
  type Exchange,
  type ExportEstimate,
  type HttpRequest,
  /** @deprecated Use `HttpRequest`. */
  type HttpRequest as Outgoing,
  type HttpResponse,
  /** @deprecated Use `HttpResponse`. */
  type HttpResponse as Reply,
  type ManyOptions,
  type Page,
  type PagingOptions,
  type Permit,
  /** @deprecated Use `Permit`. */
  type Permit as Turn,
  type PreparedRequest,
  prepare,
  type RateLimiter,
  /** @deprecated Use `RateLimiter`. */
  type RateLimiter as Budget,
  type RateLimitStatus,
  /** @deprecated Use `RateLimitStatus`. */
  type RateLimitStatus as Left,
  type RawOptions,
  type ReadOptions,
  type Recognised,
  rawRequest,
  recognise,
  type SendOptions,
  type SharedRateLimiterOptions,
  /** @deprecated Use `SharedRateLimiterOptions`. */
  type SharedRateLimiterOptions as SharedBudgetOptions,
  type Target,
  type Timeouts,
  type Transport,
} from "./client/index.ts";
export { startSandbox } from "./library-sandbox.ts";
export type { RequestEntry, RunningSandbox, SandboxInfo, SandboxOptions, ServerOptions } from "./sandbox/index.ts";
