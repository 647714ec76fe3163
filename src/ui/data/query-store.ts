/** Makes the store of answers. */
import { InterruptedError } from "../../base/errors.ts";
import type { Client, ClientEvent } from "../../client/index.ts";
import type { Services } from "../app/services.ts";
import { createAddressNames } from "./address-names.ts";
import { type CacheEntry, type CacheLimits, EntryCache } from "./entry-cache.ts";
import { canPrefetch, dependsOnKey, KeyUsage } from "./key-usage.ts";
import { type QueryResult, runQuery, toSolxError } from "./query.ts";
import { QuotaTracker } from "./quota-tracker.ts";
import { isPermanent, retryDelay } from "./retry-policy.ts";
import { type DataStore, type EndpointRequest, IDLE_QUERY, type QueryState } from "./store.ts";
import { TIMERS, type Timers } from "./timers.ts";

/** What a store is made with; each has a default. */
export interface DataStoreOptions {
  readonly timing?: Timers;
  readonly bounds?: CacheLimits;
}

/** Makes a store over the client of the services. */
export function createDataStore(services: Services, { timing = TIMERS, bounds }: DataStoreOptions = {}): DataStore {
  return new QueryStore(services, timing, new EntryCache(bounds));
}

/** How a request is asked. */
interface QueryOptions {
  readonly priority: "interactive" | "background";
  readonly fresh: boolean;
}

const LOAD: QueryOptions = { priority: "interactive", fresh: false };
const REFRESH: QueryOptions = { priority: "interactive", fresh: true };
const PREFETCH: QueryOptions = { priority: "background", fresh: false };

class QueryStore implements DataStore {
  readonly #services: Services;
  readonly #timing: Timers;
  readonly #slots: EntryCache;
  readonly #meter: QuotaTracker;
  readonly #usage: KeyUsage;
  readonly #names = createAddressNames();
  readonly #stopHearing: () => void;
  #client: Client | undefined;
  #isClosed = false;

  constructor(services: Services, timing: Timers, cache: EntryCache) {
    [this.#services, this.#timing, this.#slots] = [services, timing, cache];
    this.#meter = new QuotaTracker(services, timing);
    this.#usage = new KeyUsage(services, this.#meter);
    this.#stopHearing = services.onEvent?.((event) => this.#hear(event)) ?? (() => {});
  }

  read(request: EndpointRequest): QueryState {
    return this.#slots.find(request)?.entry ?? IDLE_QUERY;
  }

  watch(request: EndpointRequest, listener: () => void): () => void {
    const slot = this.#slots.use(request);
    const subscription = () => listener();
    slot.listeners.add(subscription);
    slot.isPrefetch = false;
    this.#look(slot);
    this.#slots.trim();
    return () => {
      slot.listeners.delete(subscription);
      // Who looks away and back at once, as when a screen is drawn anew, aborts nothing.
      queueMicrotask(() => this.#leave(slot));
    };
  }

  refresh(request: EndpointRequest): void {
    const slot = this.#slots.use(request);
    slot.isPrefetch = false;
    slot.failures = 0;
    if (!slot.asking) void this.#ask(slot, REFRESH);
    // Whoever tries one part of a screen again means the parts that failed as well.
    for (const other of this.#slots.all()) {
      if (other !== slot && other.listeners.size > 0 && other.entry.problem && !other.asking)
        void this.#ask(other, REFRESH);
    }
  }

  cancel(request: EndpointRequest): void {
    const slot = this.#slots.find(request);
    if (!slot) return;
    const { answer, problem, retryAt } = slot.entry;
    if (!slot.asking && retryAt === undefined) return;
    this.#stop(slot);
    if (!answer && !problem) this.#change(slot, { problem: new InterruptedError("Stopped.") });
  }

  prefetch(request: EndpointRequest): void {
    if (this.#isClosed || this.#slots.find(request) || request.endpoint.returns.shape === "csv") return;
    const isBusy = this.#slots.all().some(({ isPrefetch: ahead, asking: controller }) => ahead && controller);
    if (isBusy || !canPrefetch(this.#meter.quota())) return;
    const slot = this.#slots.use(request);
    slot.isPrefetch = true;
    void this.#ask(slot, PREFETCH);
  }

  onKeyChanged(): void {
    this.#usage.reset();
    for (const slot of this.#slots.all()) {
      const { entry, request, listeners, asking: controller } = slot;
      if (!entry.problem && !controller && !dependsOnKey(request)) continue;
      if (controller) this.#stop(slot);
      slot.failures = 0;
      if (listeners.size > 0) void this.#ask(slot, REFRESH);
      else this.#slots.remove(slot);
    }
  }

  nameOf = (address: string) => this.#names.of(address);
  addressesOf = (name: string) => this.#names.addressesOf(name);
  tokens = () => this.#names.tokens();
  quota = () => this.#meter.quota();
  sessionUsage = () => this.#meter.sessionUsage();
  subscribe = (listener: () => void) => this.#meter.subscribe(listener);

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stopHearing();
    this.#usage.close();
    this.#meter.close();
    for (const slot of this.#slots.all()) {
      slot.stopRetry();
      slot.asking?.abort(new InterruptedError());
      slot.asking = undefined;
    }
  }

  /** Asks for what somebody begins to look at, where that may bring something. */
  #look(slot: CacheEntry): void {
    const { answer, problem, retryAt } = slot.entry;
    if (slot.asking) return;
    if (retryAt !== undefined) this.#retryAt(slot, retryAt);
    else if (problem ? !isPermanent(problem) : !answer) void this.#ask(slot, LOAD);
  }

  /** Aborts what nobody looks at any more. */
  #leave(slot: CacheEntry): void {
    if (slot.listeners.size > 0 || slot.isPrefetch) return;
    slot.stopRetry();
    if (!slot.asking) return;
    this.#stop(slot);
    if (!slot.entry.answer && !slot.entry.problem) this.#slots.remove(slot);
  }

  #stop(slot: CacheEntry): void {
    const { asking: controller } = slot;
    slot.stopRetry();
    slot.asking = undefined;
    slot.isPrefetch = false;
    controller?.abort(new InterruptedError());
    this.#change(slot, { isLoading: false, retryAt: undefined });
  }

  async #ask(slot: CacheEntry, { priority, fresh }: QueryOptions): Promise<void> {
    if (this.#isClosed) return;
    slot.stopRetry();
    const controller = new AbortController();
    slot.asking = controller;
    slot.bypassCache = fresh;
    this.#change(slot, { isLoading: true, retryAt: undefined });
    try {
      const client = await this.#services.client();
      this.#client = client;
      const result = await runQuery(client, slot.request, {
        priority,
        signal: controller.signal,
        ...(fresh && { fresh }),
      });
      if (slot.asking === controller) this.#succeed(slot, result);
    } catch (error) {
      if (slot.asking === controller) this.#fail(slot, error);
    }
    this.#meter.refresh(this.#client);
  }

  #succeed(slot: CacheEntry, { answer, next, more }: QueryResult): void {
    slot.asking = undefined;
    slot.failures = 0;
    this.#names.learn(answer.data);
    if (answer.envelope?.metadata !== undefined) this.#names.learn(answer.envelope.metadata);
    const at = this.#services.now() - (answer.age ?? 0) * 1000;
    this.#change(slot, { isLoading: false, answer, at, problem: undefined, retryAt: undefined, next, more });
    this.#slots.trim();
    this.#usage.onAnswer(answer);
    const isBusy = this.#slots.all().some(({ asking: controller, isPrefetch: ahead }) => controller && !ahead);
    if (!isBusy && this.#client) this.#usage.request(this.#client);
  }

  #fail(slot: CacheEntry, error: unknown): void {
    slot.asking = undefined;
    const problem = toSolxError(error);
    if (problem.exit === "unexpected") this.#services.log(problem.stack ?? problem.message);
    // What was asked ahead in vain is asked when it is looked at.
    if (slot.isPrefetch) {
      this.#slots.remove(slot);
      return;
    }
    slot.failures += 1;
    const delay = retryDelay(problem, slot.failures);
    const retryAt = delay === undefined ? undefined : this.#services.now() + delay;
    this.#change(slot, { isLoading: false, problem, retryAt });
    if (retryAt !== undefined && slot.listeners.size > 0) this.#retryAt(slot, retryAt);
  }

  #retryAt(slot: CacheEntry, moment: number): void {
    slot.stopRetry();
    slot.stopRetry = this.#timing.after(moment - this.#services.now(), () => {
      if (slot.listeners.size > 0 && !slot.asking) void this.#ask(slot, slot.bypassCache ? REFRESH : LOAD);
    });
  }

  #hear(event: ClientEvent): void {
    const until = this.#meter.onEvent(event);
    if (event.type === "response") this.#meter.refresh(this.#client);
    if (until === undefined) return;
    for (const slot of this.#slots.all()) if (slot.asking) this.#change(slot, { retryAt: until });
  }

  #change(slot: CacheEntry, update: Partial<QueryState>): void {
    slot.entry = { ...slot.entry, ...update };
    for (const listener of [...slot.listeners]) listener();
  }
}
