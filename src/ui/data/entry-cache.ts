/** The entries that are kept: one for each request, the ones that were looked at last, within bounds. */
import { type EndpointRequest, IDLE_QUERY, type QueryState, queryKey } from "./store.ts";

/** An entry with what belongs to it. */
export interface CacheEntry {
  readonly key: string;
  readonly request: EndpointRequest;
  entry: QueryState;
  readonly listeners: Set<() => void>;
  /** What is under way. */
  asking: AbortController | undefined;
  /** Whether it was asked ahead, so that nobody has to look. */
  isPrefetch: boolean;
  /** Whether kept answers were to be passed over when it was asked last. */
  bypassCache: boolean;
  /** Failures in a row. */
  failures: number;
  stopRetry: () => void;
}

/** How much is kept. */
export interface CacheLimits {
  readonly entries: number;
  /** About as many bytes. */
  readonly bytes: number;
}

/** Enough for hours of going back and forth. */
export const DEFAULT_LIMITS: CacheLimits = { entries: 200, bytes: 48 * 1_048_576 };

/** What an entry weighs beside its answer. */
const ENTRY_OVERHEAD = 2048;
/** Bytes for a character of a body: itself, and the values made of it. */
const BYTES_PER_CHARACTER = 6;

/** The slots, the one that was used last at the end. */
export class EntryCache {
  readonly #bounds: CacheLimits;
  readonly #slots = new Map<string, CacheEntry>();
  /** The keys of requests that were looked up: parts of a screen look the same one up for each frame. */
  readonly #keys = new WeakMap<EndpointRequest, string>();

  constructor(limits: CacheLimits = DEFAULT_LIMITS) {
    this.#bounds = limits;
  }

  find(request: EndpointRequest): CacheEntry | undefined {
    return this.#slots.get(this.#keyOf(request));
  }

  #keyOf(request: EndpointRequest): string {
    const key = this.#keys.get(request) ?? queryKey(request);
    this.#keys.set(request, key);
    return key;
  }

  /** The slot of a request, which is now the one that was used last. */
  use(request: EndpointRequest): CacheEntry {
    const key = this.#keyOf(request);
    const entry = this.#slots.get(key) ?? createEntry(key, request);
    this.#slots.delete(key);
    this.#slots.set(key, entry);
    return entry;
  }

  remove(entry: CacheEntry): void {
    if (this.#slots.get(entry.key) === entry) this.#slots.delete(entry.key);
  }

  all(): readonly CacheEntry[] {
    return [...this.#slots.values()];
  }

  /** Lets go of what was not used for longest, while there is too much; what somebody looks at or waits for stays. */
  trim(): void {
    let bytes = this.all().reduce((sum, entry) => sum + sizeOf(entry), 0);
    for (const entry of this.all()) {
      if (this.#slots.size <= this.#bounds.entries && bytes <= this.#bounds.bytes) return;
      if (entry.listeners.size > 0 || entry.asking) continue;
      entry.stopRetry();
      this.#slots.delete(entry.key);
      bytes -= sizeOf(entry);
    }
  }
}

function sizeOf({ entry }: CacheEntry): number {
  return ENTRY_OVERHEAD + (entry.answer?.body.length ?? 0) * BYTES_PER_CHARACTER;
}

function createEntry(key: string, request: EndpointRequest): CacheEntry {
  return {
    key,
    request,
    entry: IDLE_QUERY,
    listeners: new Set(),
    asking: undefined,
    isPrefetch: false,
    bypassCache: false,
    failures: 0,
    stopRetry: () => {},
  };
}
