/** LRU cache of query states, limited by count and size. */
import { type EndpointRequest, IDLE_QUERY, type QueryState, queryKey } from "../navigation/data-store.ts";

/** A query with its bookkeeping. */
export interface CacheEntry {
  readonly key: string;
  readonly request: EndpointRequest;
  state: QueryState;
  readonly listeners: Set<() => void>;
  /** Aborts the request in flight. */
  controller: AbortController | undefined;
  /** Whether it is a prefetch, which needs no listener. */
  isPrefetch: boolean;
  /** Whether the last request bypassed the client's cache. */
  bypassCache: boolean;
  /** Failures in a row. */
  failures: number;
  stopRetry: () => void;
}

/** Limits of the cache. */
export interface CacheLimits {
  readonly entries: number;
  /** Approximate bytes. */
  readonly bytes: number;
}

/** Enough for hours of navigation. */
const DEFAULT_LIMITS: CacheLimits = { entries: 200, bytes: 48 * 1_048_576 };

/** Bytes of an entry without its answer. */
const ENTRY_OVERHEAD = 2048;
/** Bytes per character of a body: the text and the values parsed from it. */
const BYTES_PER_CHARACTER = 6;

/** The cache; the most recently used entry is the last one. */
export class EntryCache {
  readonly #limits: CacheLimits;
  readonly #entries = new Map<string, CacheEntry>();
  /** Keys of request objects: components look the same ones up for each frame. */
  readonly #keys = new WeakMap<EndpointRequest, string>();

  constructor(limits: CacheLimits = DEFAULT_LIMITS) {
    this.#limits = limits;
  }

  find(request: EndpointRequest): CacheEntry | undefined {
    return this.#entries.get(this.#keyOf(request));
  }

  #keyOf(request: EndpointRequest): string {
    const key = this.#keys.get(request) ?? queryKey(request);
    this.#keys.set(request, key);
    return key;
  }

  /** Returns the entry of a request, created if needed, as the most recently used one. */
  use(request: EndpointRequest): CacheEntry {
    const key = this.#keyOf(request);
    const entry = this.#entries.get(key) ?? createEntry(key, request);
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry;
  }

  remove(entry: CacheEntry): void {
    if (this.#entries.get(entry.key) === entry) this.#entries.delete(entry.key);
  }

  all(): readonly CacheEntry[] {
    return [...this.#entries.values()];
  }

  /** Evicts the least recently used entries beyond the limits, except those with listeners or a request in flight. */
  trim(): void {
    let bytes = this.all().reduce((sum, entry) => sum + estimateSize(entry), 0);
    for (const entry of this.all()) {
      if (this.#entries.size <= this.#limits.entries && bytes <= this.#limits.bytes) return;
      if (entry.listeners.size > 0 || entry.controller) continue;
      entry.stopRetry();
      this.#entries.delete(entry.key);
      bytes -= estimateSize(entry);
    }
  }
}

function estimateSize({ state }: CacheEntry): number {
  return ENTRY_OVERHEAD + (state.answer?.body.length ?? 0) * BYTES_PER_CHARACTER;
}

function createEntry(key: string, request: EndpointRequest): CacheEntry {
  return {
    key,
    request,
    state: IDLE_QUERY,
    listeners: new Set(),
    controller: undefined,
    isPrefetch: false,
    bypassCache: false,
    failures: 0,
    stopRetry: () => {},
  };
}
