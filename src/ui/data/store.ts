/**
 * Answers as screens see them. Each request is one entry that all screens share: going back shows at once what was
 * there, with its age. An entry that nobody looks at any more is aborted while it is under way. No React here.
 */

import type { SolxError } from "../../base/errors.ts";
import type { Json } from "../../base/json.ts";
import type { Endpoint } from "../../catalogue/endpoint.ts";
import type { ParameterValues } from "../../catalogue/index.ts";
import type { Answer } from "../../client/index.ts";

/** What is asked. */
export interface EndpointRequest {
  readonly endpoint: Endpoint;
  readonly params: ParameterValues;
}

/** What is known of a request's answer. */
export interface QueryState {
  /** Whether it is asked for now; `data` of before stays. */
  readonly isLoading: boolean;
  /** The newest answer; undefined before the first. */
  readonly answer: Answer | undefined;
  /** Milliseconds since the epoch when it came, less its age where it was kept. */
  readonly at: number | undefined;
  /** Why the newest try failed; the answer of before stays, and is stale. */
  readonly problem: SolxError | undefined;
  /** When it is asked for again by itself, in milliseconds since the epoch, as after a 429. */
  readonly retryAt: number | undefined;
  /** For lists: all parameters of the next page, and whether one follows; undefined where only asking would tell. */
  readonly next: ParameterValues | undefined;
  readonly more: boolean | undefined;
}

/** What the session has used. */
export interface SessionUsage {
  readonly requests: number;
  readonly units: number;
}

/** The gauge of the header; what is not known is undefined. */
export interface QuotaView {
  /** Requests left in the window, and of how many. */
  readonly requests: { readonly remaining: number; readonly limit: number } | undefined;
  /** Compute units left, and when that was known, in milliseconds since the epoch. */
  readonly units: { readonly remaining: number; readonly limit: number; readonly at: number } | undefined;
  /** What is waited for: a turn, or the end of a pause, until then. */
  readonly waitingUntil: number | undefined;
}

/** The answers. */
export interface DataStore {
  /** What is known; the same object until something changes. */
  read(request: EndpointRequest): QueryState;
  /**
   * Looks at a request: asks for it unless it is there, under way or failed for good. The returned function looks away:
   * what nobody looks at any more is aborted, and a failure that passes is tried again only while somebody looks.
   */
  watch(request: EndpointRequest, listener: () => void): () => void;
  /** Asks anew, also where an answer is kept, and for what failed of what is looked at; the old ones stay until then. */
  refresh(request: EndpointRequest): void;
  /** Stops asking. */
  cancel(request: EndpointRequest): void;
  /** Asks ahead, without anybody looking, where the budget has plenty. */
  prefetch(request: EndpointRequest): void;
  /** The name that an answer of this session told of an address, as harmless text. */
  nameOf(address: string): string | undefined;
  /** The addresses that answers of this session called so, whatever the case. */
  addressesOf(name: string): readonly string[];
  /** The symbols of the tokens that answers of this session told of, by their mints, as harmless text. */
  tokens(): ReadonlyMap<string, string>;
  /** Asks anew, with another key, for what failed, what is under way, and what is told of the key. */
  onKeyChanged(): void;
  quota(): QuotaView;
  sessionUsage(): SessionUsage;
  /** Told when gauge or spent change. */
  subscribe(listener: () => void): () => void;
  /** Aborts everything. */
  close(): Promise<void>;
}

/** What is known of a request that nobody looked at yet. */
export const IDLE_QUERY: QueryState = {
  isLoading: false,
  answer: undefined,
  at: undefined,
  problem: undefined,
  retryAt: undefined,
  next: undefined,
  more: undefined,
};

/** What an entry is kept under: requests that ask the same have the same, however their parameters are written. */
export function queryKey({ endpoint, params }: EndpointRequest): string {
  const present = Object.entries(params).filter(([, value]) => value !== undefined && value !== null);
  const plain = present.map(([name, value]) => [name, plainValue(value)] as const);
  return JSON.stringify([endpoint.route, ...plain.toSorted(([a], [b]) => (a < b ? -1 : 1))]);
}

function plainValue(value: unknown): string | readonly string[] {
  if (Array.isArray(value)) return value.map(String);
  return value instanceof Date ? value.toISOString() : String(value);
}

/** The rows of an entry. */
export function rowsOf(entry: QueryState): readonly Json[] | undefined {
  return entry.answer?.rows;
}
