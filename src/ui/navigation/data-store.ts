/**
 * Interface of the data store. All pages share one entry per request, so that going back shows the previous answer at
 * once, with its age. A request in flight is aborted when its entry has no listener left.
 */

import type { Json, SolxError } from "../../base/index.ts";
import type { Endpoint, ParameterValues } from "../../catalogue/index.ts";
import type { Answer } from "../../client/index.ts";
import type { IdentifierUse, NameRequest, Names } from "../../output/index.ts";

/** A request: an endpoint and its parameters. */
export interface EndpointRequest {
  readonly endpoint: Endpoint;
  readonly params: ParameterValues;
}

/** The state of a query. */
export interface QueryState {
  readonly isLoading: boolean;
  /** The newest answer; undefined before the first. */
  readonly answer: Answer | undefined;
  /** When the answer was produced, in milliseconds since the epoch: time of arrival less its age in the cache. */
  readonly at: number | undefined;
  /** Why the last attempt failed, also while it is repeated; the previous answer stays and is stale. */
  readonly problem: SolxError | undefined;
  /** Time of the automatic retry in milliseconds since the epoch, for example after a 429. */
  readonly retryAt: number | undefined;
  /** For lists: all parameters of the next page, and whether there is one; undefined when unknown without a request. */
  readonly next: ParameterValues | undefined;
  readonly hasMore: boolean | undefined;
}

/** Requests and compute units used by the session. */
export interface SessionUsage {
  readonly requests: number;
  readonly units: number;
}

/** The remaining quota; unknown parts are undefined. */
export interface QuotaView {
  /** Requests in the current window. */
  readonly requests: { readonly remaining: number; readonly limit: number } | undefined;
  /** Compute units, and when the API reported them, in milliseconds since the epoch. */
  readonly units: { readonly remaining: number; readonly limit: number; readonly at: number } | undefined;
  /** End of the current rate-limit wait in milliseconds since the epoch. */
  readonly waitingUntil: number | undefined;
  /** The latest report of a walk, until its answer arrives. */
  readonly walk?: WalkView | undefined;
}

/** How far a walk along the signatures of an account is. */
export interface WalkView {
  /** Signatures that are known so far, and whether these are all. */
  readonly signatures: number;
  readonly complete: boolean;
  readonly done: number;
}

/** The rows of a list that are loaded so far. */
export interface ListLoad {
  readonly rows: readonly Json[];
  readonly firstRows: readonly Json[];
  readonly isLoading: boolean;
  readonly isComplete: boolean;
  readonly total: number | undefined;
  readonly requests: number;
  readonly units: number;
  readonly problem: SolxError | undefined;
}

/** Loads lists. */
export interface ListLoads {
  /** Returns what is loaded of a list; the same object until that changes. The parameters are those without a page. */
  read(request: EndpointRequest): ListLoad;
  watch(request: EndpointRequest, listener: () => void): () => void;
  /** Loads further pages (default: all), after those that are loaded. */
  start(request: EndpointRequest, pages?: number): void;
  stop(request: EndpointRequest): void;
  discard(request: EndpointRequest): void;
  close(): void;
}

/** The requests for the names of addresses. */
export interface NamePlan {
  readonly requests: readonly NameRequest[];
  readonly addresses: number;
  readonly units: number;
}

/** What the requests of a plan answered. */
export interface NameLoad {
  readonly named: number;
  readonly requests: number;
  readonly units: number;
  readonly problem: SolxError | undefined;
}

/** Requests names of addresses. */
export interface NameLoads {
  /** Plans the requests for those identifiers that are addresses, have no name and were not requested by this session. */
  plan(uses: readonly IdentifierUse[]): NamePlan;
  start(plan: NamePlan): Promise<NameLoad>;
  /** Requests the names of identifiers that a list consists of without being asked, while the quota is ample. */
  show(uses: readonly IdentifierUse[]): void;
  close(): void;
}

/** Prices of tokens in view, of one sort. */
export interface VisiblePrices<T> {
  /** Whether such prices can be requested in this run. */
  isAvailable(): boolean;
  isOn(): boolean;
  readonly toggle: () => void;
  /** Returns the prices of a token; undefined until they are known. */
  of(mint: string): T | undefined;
  /** Reports the tokens that a part of the screen shows: their prices are requested, if the quota is ample. */
  show(part: string, mints: readonly string[]): void;
  version(): number;
  subscribe(listener: () => void): () => void;
  close(): void;
}

/** The daily prices of the last days, oldest first. */
export type PriceTrends = VisiblePrices<readonly number[]>;

/** Stores and requests answers. */
export interface DataStore {
  readonly trends: PriceTrends;
  readonly prices: VisiblePrices<Json>;
  readonly loads: ListLoads;
  readonly nameLoads: NameLoads;
  /** Returns the state of a query; the same object until something changes. */
  read(request: EndpointRequest): QueryState;
  /**
   * Subscribes to a query and sends its request unless it is loaded, in flight or failed permanently. Returns the function
   * that unsubscribes: without listeners, the request is aborted and not retried.
   */
  watch(request: EndpointRequest, listener: () => void): () => void;
  /** Sends the request again, bypassing caches, and retries failed queries with listeners; previous answers stay. */
  refresh(request: EndpointRequest): void;
  cancel(request: EndpointRequest): void;
  /** Sends a request in advance if the quota is ample. */
  prefetch(request: EndpointRequest): void;
  /** The names of addresses: built in, in the answers of this session, and stored by earlier ones. */
  readonly names: Names;
  /** Returns the name of an address as safe text, with the mark of an imitation before it. */
  nameOf(address: string): string | undefined;
  onKeyChanged(): void;
  quota(): QuotaView;
  sessionUsage(): SessionUsage;
  subscribe(listener: () => void): () => void;
  close(): Promise<void>;
}

/** The state of a query without a request. */
export const IDLE_QUERY: QueryState = {
  isLoading: false,
  answer: undefined,
  at: undefined,
  problem: undefined,
  retryAt: undefined,
  next: undefined,
  hasMore: undefined,
};

/** Returns the cache key of a request; equal for equivalent parameters. */
export function queryKey({ endpoint, params }: EndpointRequest): string {
  const present = Object.entries(params).filter(([, value]) => value !== undefined && value !== null);
  const plain = present.map(([name, value]) => [name, plainValue(value)] as const);
  return JSON.stringify([endpoint.route, ...plain.toSorted(([a], [b]) => (a < b ? -1 : 1))]);
}

function plainValue(value: unknown): string | readonly string[] {
  if (Array.isArray(value)) return value.map(String);
  return value instanceof Date ? value.toISOString() : String(value);
}

/** Returns the rows of a query. */
export function rowsOf(entry: QueryState): readonly Json[] | undefined {
  return entry.answer?.rows;
}

/** The state of a list of which nothing is loaded. */
export const NO_LOAD: ListLoad = {
  rows: [],
  firstRows: [],
  isLoading: false,
  isComplete: false,
  total: undefined,
  requests: 0,
  units: 0,
  problem: undefined,
};
