/**
 * solx as a library: the data API of a Solana blockchain explorer, with types from one catalogue.
 *
 *     import { createClient } from "solx";
 *
 *     const client = createClient({ key: process.env.SOLX_API_KEY });
 *     const meta = await client.token.meta({ address: "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v" });
 *     for await (const row of client.account.transfer({ address, flow: "in" })) { … }
 *     await client.close();
 *
 * Whole numbers that can exceed 2^53 are bigints, unless the option `numbers` selects another {@link NumberMode}. Every
 * failure is a {@link SolxError}.
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
  type InvalidParameter,
  type Json,
  type JsonObject,
  NetworkError,
  NotFoundError,
  PermissionError,
  QuotaError,
  RateLimitError,
  ServerError,
  SolxError,
  UsageError,
} from "./base/index.ts";
export {
  type Column,
  type Coverage,
  type Endpoint,
  endpointByPath,
  endpointByRoute,
  endpoints,
  type Family,
  type JsonOf,
  type LargeNumbers,
  type NumberMode,
  type Paging,
  type Param,
  type ParameterValues,
  PLANS,
  type Plan,
  type PlanName,
  type Rate,
  type Returns,
} from "./catalogue/index.ts";
export type { CallOptions, Commitment, NodeConnection, RpcCall } from "./chain/solana/index.ts";
export {
  type AcquireOptions,
  type Answer,
  type BaseUrls,
  type BatchItem,
  type CacheOptions,
  type Call,
  type ClientCore,
  type ClientEvent,
  type Exchange,
  type ExportEstimate,
  type HttpResponse,
  type ListCall,
  type ManyOptions,
  type Page,
  type PagingOptions,
  type Permit,
  type PreparedRequest,
  prepare,
  type RateLimiter,
  type RateLimitStatus,
  type RawOptions,
  type ReadOptions,
  type Recognised,
  type ResolvedToken,
  type ResolveOptions,
  rawRequest,
  recognise,
  type SendOptions,
  type Target,
  type WalkCost,
} from "./client/index.ts";
export {
  type Client,
  type ClientOptions,
  createClient,
  parseJson,
  raw,
  resolveToken,
  stringifyJson,
} from "./library-client.ts";
export type * from "./library-methods.ts";
export {
  createRateLimiter,
  type HttpRequest,
  type Timeouts,
  type Transport,
} from "./sources/api/index.ts";
export type { RpcOptions } from "./sources/node/index.ts";
export type { RecordOptions } from "./sources/recording/index.ts";
