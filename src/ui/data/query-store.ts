/** The data store: requests, retries, and answers that all pages share. */
import { InterruptedError, type Json } from "../../base/index.ts";
import type { Answer, ClientCore, ClientEvent } from "../../client/index.ts";
import { createNames, nameText } from "../../output/index.ts";
import {
  type DataStore,
  type EndpointRequest,
  IDLE_QUERY,
  type ListLoads,
  type NameLoads,
  type PriceTrends,
  type QueryState,
  queryKey,
  type VisiblePrices,
} from "../navigation/data-store.ts";
import type { Services } from "../navigation/services.ts";
import { ListLoadStore } from "./list-loads.ts";
import { NameLoadStore, syncNames } from "./names.ts";
import { isPermanent, type QueryResult, retryDelay, runQuery, toSolxError } from "./query.ts";
import { canPrefetch, dependsOnKey, QuotaTracker } from "./quota.ts";
import { TIMERS, type Timers } from "./timers.ts";
import { LATEST_PRICES, PRICE_TRENDS, VisiblePriceStore } from "./visible-prices.ts";

interface DataStoreOptions {
  readonly timing?: Timers;
  readonly bounds?: CacheLimits;
}

/** Creates a store that uses the client of the services. */
export function createDataStore(services: Services, { timing = TIMERS, bounds }: DataStoreOptions = {}): DataStore {
  return new QueryStore(services, timing, new EntryCache(bounds));
}

interface QueryOptions {
  readonly priority: "interactive" | "background";
  readonly fresh: boolean;
}

const LOAD: QueryOptions = { priority: "interactive", fresh: false };
const REFRESH: QueryOptions = { priority: "interactive", fresh: true };
const PREFETCH: QueryOptions = { priority: "background", fresh: false };

class QueryStore implements DataStore {
  readonly loads: ListLoads;
  readonly trends: PriceTrends;
  readonly prices: VisiblePrices<Json>;
  readonly nameLoads: NameLoads;
  readonly #services: Services;
  readonly #timing: Timers;
  readonly #cache: EntryCache;
  readonly #tracker: QuotaTracker;
  readonly names = createNames();
  readonly #unsubscribe: () => void;
  readonly #stopNames: (() => void) | undefined;
  #client: ClientCore | undefined;
  #isClosed = false;

  constructor(services: Services, timing: Timers, cache: EntryCache) {
    [this.#services, this.#timing, this.#cache] = [services, timing, cache];
    if (services.addressBook) this.names.setOwn(services.addressBook.names());
    this.#tracker = new QuotaTracker(services, timing);
    this.loads = new ListLoadStore({
      client: () => services.client(),
      timing,
      onAnswer: (answer) => this.#learn(answer),
      onEnd: () => this.#tracker.endWalk(),
    });
    const context = { services, timing, quota: this.quota };
    this.trends = new VisiblePriceStore(PRICE_TRENDS, context);
    this.prices = new VisiblePriceStore(LATEST_PRICES, context);
    this.nameLoads = new NameLoadStore({
      services,
      names: this.names,
      quota: this.quota,
      onAnswer: (answer) => this.#learn(answer),
    });
    this.#stopNames = services.names && syncNames(this.names, services.names, timing);
    this.#unsubscribe = services.onEvent?.((event) => this.#onClientEvent(event)) ?? (() => {});
  }

  read(request: EndpointRequest): QueryState {
    return this.#cache.find(request)?.state ?? IDLE_QUERY;
  }

  watch(request: EndpointRequest, listener: () => void): () => void {
    const entry = this.#cache.use(request);
    const subscription = () => listener();
    entry.listeners.add(subscription);
    entry.isPrefetch = false;
    this.#load(entry);
    this.#cache.trim();
    return () => {
      entry.listeners.delete(subscription);
      // Deferred: unsubscribing and subscribing again at once, as a remount does, aborts nothing.
      queueMicrotask(() => this.#release(entry));
    };
  }

  refresh(request: EndpointRequest): void {
    const entry = this.#cache.use(request);
    entry.isPrefetch = false;
    entry.failures = 0;
    if (!entry.controller) void this.#query(entry, REFRESH);
    // Refreshing one part of a page retries the parts that failed as well.
    for (const other of this.#cache.all()) {
      if (other !== entry && other.listeners.size > 0 && other.state.problem && !other.controller)
        void this.#query(other, REFRESH);
    }
  }

  cancel(request: EndpointRequest): void {
    const entry = this.#cache.find(request);
    if (!entry) return;
    const { answer, problem, retryAt } = entry.state;
    if (!entry.controller && retryAt === undefined) return;
    this.#stop(entry);
    if (!answer && !problem) this.#update(entry, { problem: new InterruptedError("Stopped.") });
  }

  prefetch(request: EndpointRequest): void {
    if (this.#isClosed || this.#cache.find(request) || request.endpoint.returns.shape === "csv") return;
    const isBusy = this.#cache.all().some(({ isPrefetch, controller }) => isPrefetch && controller);
    if (isBusy || !canPrefetch(this.#tracker.quota())) return;
    const entry = this.#cache.use(request);
    entry.isPrefetch = true;
    void this.#query(entry, PREFETCH);
  }

  onKeyChanged(): void {
    this.#tracker.reset();
    for (const entry of this.#cache.all()) {
      const { state, request, listeners, controller } = entry;
      if (!state.problem && !controller && !dependsOnKey(request)) continue;
      if (controller) this.#stop(entry);
      entry.failures = 0;
      if (listeners.size > 0) void this.#query(entry, REFRESH);
      else this.#cache.remove(entry);
    }
  }

  nameOf = (address: string) => nameText(this.names.of(address));
  quota = () => this.#tracker.quota();
  sessionUsage = () => this.#tracker.sessionUsage();
  subscribe = (listener: () => void) => this.#tracker.subscribe(listener);

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#unsubscribe();
    this.#stopNames?.();
    this.loads.close();
    this.trends.close();
    this.prices.close();
    this.nameLoads.close();
    this.#tracker.close();
    for (const entry of this.#cache.all()) {
      entry.stopRetry();
      entry.controller?.abort(new InterruptedError());
      entry.controller = undefined;
    }
  }

  /** Loads an entry with a new listener, unless it is loaded or failed permanently. */
  #load(entry: CacheEntry): void {
    const { answer, problem, retryAt } = entry.state;
    if (entry.controller) return;
    if (retryAt !== undefined) this.#retryAt(entry, retryAt);
    else if (problem ? !isPermanent(problem) : !answer) void this.#query(entry, LOAD);
  }

  /** Aborts the request of an entry without listeners. */
  #release(entry: CacheEntry): void {
    if (entry.listeners.size > 0 || entry.isPrefetch) return;
    entry.stopRetry();
    if (!entry.controller) return;
    this.#stop(entry);
    if (!entry.state.answer && !entry.state.problem) this.#cache.remove(entry);
  }

  #stop(entry: CacheEntry): void {
    const { controller } = entry;
    entry.stopRetry();
    entry.controller = undefined;
    entry.isPrefetch = false;
    controller?.abort(new InterruptedError());
    this.#update(entry, { isLoading: false, retryAt: undefined });
  }

  async #query(entry: CacheEntry, { priority, fresh }: QueryOptions): Promise<void> {
    if (this.#isClosed) return;
    entry.stopRetry();
    const controller = new AbortController();
    entry.controller = controller;
    entry.bypassCache = fresh;
    this.#update(entry, { isLoading: true, retryAt: undefined });
    try {
      const client = await this.#services.client();
      this.#client = client;
      const result = await runQuery(client, entry.request, {
        priority,
        signal: controller.signal,
        onRetry: (problem, seconds) => {
          const retryAt = this.#services.now() + seconds * 1000;
          if (entry.controller === controller) this.#update(entry, { problem, retryAt });
        },
        ...(fresh && { fresh }),
      });
      if (entry.controller === controller) this.#succeed(entry, result);
    } catch (error) {
      if (entry.controller === controller) this.#fail(entry, error);
    }
    this.#tracker.endWalk();
    this.#tracker.refresh(this.#client);
  }

  #succeed(entry: CacheEntry, { answer, next, hasMore }: QueryResult): void {
    entry.controller = undefined;
    entry.failures = 0;
    this.#learn(answer);
    const at = this.#services.now() - (answer.age ?? 0) * 1000;
    // An answer that has not changed stays the same object, so that nothing is drawn again.
    const { answer: before } = entry.state;
    const latest = before?.body === answer.body ? before : answer;
    this.#update(entry, {
      isLoading: false,
      answer: latest,
      at,
      problem: undefined,
      retryAt: undefined,
      next,
      hasMore,
    });
    this.#cache.trim();
    const isBusy = this.#cache.all().some(({ controller, isPrefetch }) => controller && !isPrefetch);
    if (!isBusy && this.#client) this.#tracker.requestUsage(this.#client);
  }

  #learn(answer: Answer): void {
    this.names.learn(answer.data);
    if (answer.envelope?.metadata !== undefined) this.names.learn(answer.envelope.metadata);
    this.#tracker.onAnswer(answer);
  }

  #fail(entry: CacheEntry, error: unknown): void {
    entry.controller = undefined;
    const problem = toSolxError(error);
    if (problem.exit === "unexpected") this.#services.log(problem.stack ?? problem.message);
    // A failed prefetch is forgotten; the request is sent when it is needed.
    if (entry.isPrefetch) {
      this.#cache.remove(entry);
      return;
    }
    entry.failures += 1;
    const delay = retryDelay(problem, entry.failures);
    const retryAt = delay === undefined ? undefined : this.#services.now() + delay;
    this.#update(entry, { isLoading: false, problem, retryAt });
    if (retryAt !== undefined && entry.listeners.size > 0) this.#retryAt(entry, retryAt);
  }

  #retryAt(entry: CacheEntry, moment: number): void {
    entry.stopRetry();
    entry.stopRetry = this.#timing.after(moment - this.#services.now(), () => {
      if (entry.listeners.size > 0 && !entry.controller) void this.#query(entry, entry.bypassCache ? REFRESH : LOAD);
    });
  }

  #onClientEvent(event: ClientEvent): void {
    const until = this.#tracker.onEvent(event);
    if (event.type === "response") this.#tracker.refresh(this.#client);
    if (until === undefined) return;
    for (const entry of this.#cache.all()) if (entry.controller) this.#update(entry, { retryAt: until });
  }

  #update(entry: CacheEntry, update: Partial<QueryState>): void {
    entry.state = { ...entry.state, ...update };
    for (const listener of [...entry.listeners]) listener();
  }
}

interface CacheEntry {
  readonly key: string;
  readonly request: EndpointRequest;
  state: QueryState;
  readonly listeners: Set<() => void>;
  controller: AbortController | undefined;
  /** Whether it is a prefetch, which needs no listener. */
  isPrefetch: boolean;
  /** Whether the last request bypassed the client's cache. */
  bypassCache: boolean;
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
class EntryCache {
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
