/** Makes the store of answers. */
import { InterruptedError } from "../../base/errors.ts";
import type { Client, ClientEvent } from "../../client/index.ts";
import type { Services } from "../app/services.ts";
import { createNames } from "./address-names.ts";
import { type Bounds, type Slot, Slots } from "./entry-cache.ts";
import { isOfKey, mayAskAhead, Usage } from "./key-usage.ts";
import { ask, type Found, typed } from "./query.ts";
import { Meter } from "./quota-tracker.ts";
import { delayAfter, isForGood } from "./retry-policy.ts";
import { type DataStore, type Entry, NOTHING, type Request } from "./store.ts";
import { TIMERS, type Timing } from "./timers.ts";

/** What a store is made with; each has a default. */
export interface DataOptions {
  readonly timing?: Timing;
  readonly bounds?: Bounds;
}

/** Makes a store over the client of the services. */
export function createData(services: Services, { timing = TIMERS, bounds }: DataOptions = {}): DataStore {
  return new Data(services, timing, new Slots(bounds));
}

/** How a request is asked. */
interface How {
  readonly priority: "interactive" | "background";
  readonly fresh: boolean;
}

const LOOK: How = { priority: "interactive", fresh: false };
const ANEW: How = { priority: "interactive", fresh: true };
const AHEAD: How = { priority: "background", fresh: false };

class Data implements DataStore {
  readonly #services: Services;
  readonly #timing: Timing;
  readonly #slots: Slots;
  readonly #meter: Meter;
  readonly #usage: Usage;
  readonly #names = createNames();
  readonly #stopHearing: () => void;
  #client: Client | undefined;
  #isClosed = false;

  constructor(services: Services, timing: Timing, slots: Slots) {
    [this.#services, this.#timing, this.#slots] = [services, timing, slots];
    this.#meter = new Meter(services, timing);
    this.#usage = new Usage(services, this.#meter);
    this.#stopHearing = services.onEvent?.((event) => this.#hear(event)) ?? (() => {});
  }

  read(request: Request): Entry {
    return this.#slots.find(request)?.entry ?? NOTHING;
  }

  watch(request: Request, listener: () => void): () => void {
    const slot = this.#slots.use(request);
    const own = () => listener();
    slot.listeners.add(own);
    slot.ahead = false;
    this.#look(slot);
    this.#slots.trim();
    return () => {
      slot.listeners.delete(own);
      // Who looks away and back at once, as when a screen is drawn anew, aborts nothing.
      queueMicrotask(() => this.#leave(slot));
    };
  }

  refresh(request: Request): void {
    const slot = this.#slots.use(request);
    slot.ahead = false;
    slot.failures = 0;
    if (!slot.asking) void this.#ask(slot, ANEW);
    // Whoever tries one part of a screen again means the parts that failed as well.
    for (const other of this.#slots.all()) {
      if (other !== slot && other.listeners.size > 0 && other.entry.problem && !other.asking)
        void this.#ask(other, ANEW);
    }
  }

  cancel(request: Request): void {
    const slot = this.#slots.find(request);
    if (!slot) return;
    const { answer, problem, retryAt } = slot.entry;
    if (!slot.asking && retryAt === undefined) return;
    this.#stop(slot);
    if (!answer && !problem) this.#change(slot, { problem: new InterruptedError("Stopped.") });
  }

  prefetch(request: Request): void {
    if (this.#isClosed || this.#slots.find(request) || request.endpoint.returns.shape === "csv") return;
    const isBusy = this.#slots.all().some(({ ahead, asking }) => ahead && asking);
    if (isBusy || !mayAskAhead(this.#meter.gauge())) return;
    const slot = this.#slots.use(request);
    slot.ahead = true;
    void this.#ask(slot, AHEAD);
  }

  renew(): void {
    this.#usage.forget();
    for (const slot of this.#slots.all()) {
      const { entry, request, listeners, asking } = slot;
      if (!entry.problem && !asking && !isOfKey(request)) continue;
      if (asking) this.#stop(slot);
      slot.failures = 0;
      if (listeners.size > 0) void this.#ask(slot, ANEW);
      else this.#slots.remove(slot);
    }
  }

  nameOf = (address: string) => this.#names.of(address);
  addressesOf = (name: string) => this.#names.addressesOf(name);
  tokens = () => this.#names.tokens();
  gauge = () => this.#meter.gauge();
  spent = () => this.#meter.spent();
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
  #look(slot: Slot): void {
    const { answer, problem, retryAt } = slot.entry;
    if (slot.asking) return;
    if (retryAt !== undefined) this.#retryAt(slot, retryAt);
    else if (problem ? !isForGood(problem) : !answer) void this.#ask(slot, LOOK);
  }

  /** Aborts what nobody looks at any more. */
  #leave(slot: Slot): void {
    if (slot.listeners.size > 0 || slot.ahead) return;
    slot.stopRetry();
    if (!slot.asking) return;
    this.#stop(slot);
    if (!slot.entry.answer && !slot.entry.problem) this.#slots.remove(slot);
  }

  #stop(slot: Slot): void {
    const { asking } = slot;
    slot.stopRetry();
    slot.asking = undefined;
    slot.ahead = false;
    asking?.abort(new InterruptedError());
    this.#change(slot, { isLoading: false, retryAt: undefined });
  }

  async #ask(slot: Slot, { priority, fresh }: How): Promise<void> {
    if (this.#isClosed) return;
    slot.stopRetry();
    const asking = new AbortController();
    slot.asking = asking;
    slot.fresh = fresh;
    this.#change(slot, { isLoading: true, retryAt: undefined });
    try {
      const client = await this.#services.client();
      this.#client = client;
      const found = await ask(client, slot.request, { priority, signal: asking.signal, ...(fresh && { fresh }) });
      if (slot.asking === asking) this.#succeed(slot, found);
    } catch (error) {
      if (slot.asking === asking) this.#fail(slot, error);
    }
    this.#meter.look(this.#client);
  }

  #succeed(slot: Slot, { answer, next, more }: Found): void {
    slot.asking = undefined;
    slot.failures = 0;
    this.#names.learn(answer.data);
    if (answer.envelope?.metadata !== undefined) this.#names.learn(answer.envelope.metadata);
    const at = this.#services.now() - (answer.age ?? 0) * 1000;
    this.#change(slot, { isLoading: false, answer, at, problem: undefined, retryAt: undefined, next, more });
    this.#slots.trim();
    this.#usage.hear(answer);
    const isBusy = this.#slots.all().some(({ asking, ahead }) => asking && !ahead);
    if (!isBusy && this.#client) this.#usage.askFrom(this.#client);
  }

  #fail(slot: Slot, error: unknown): void {
    slot.asking = undefined;
    const problem = typed(error);
    if (problem.exit === "unexpected") this.#services.log(problem.stack ?? problem.message);
    // What was asked ahead in vain is asked when it is looked at.
    if (slot.ahead) {
      this.#slots.remove(slot);
      return;
    }
    slot.failures += 1;
    const delay = delayAfter(problem, slot.failures);
    const retryAt = delay === undefined ? undefined : this.#services.now() + delay;
    this.#change(slot, { isLoading: false, problem, retryAt });
    if (retryAt !== undefined && slot.listeners.size > 0) this.#retryAt(slot, retryAt);
  }

  #retryAt(slot: Slot, moment: number): void {
    slot.stopRetry();
    slot.stopRetry = this.#timing.after(moment - this.#services.now(), () => {
      if (slot.listeners.size > 0 && !slot.asking) void this.#ask(slot, slot.fresh ? ANEW : LOOK);
    });
  }

  #hear(event: ClientEvent): void {
    const until = this.#meter.hear(event);
    if (event.type === "response") this.#meter.look(this.#client);
    if (until === undefined) return;
    for (const slot of this.#slots.all()) if (slot.asking) this.#change(slot, { retryAt: until });
  }

  #change(slot: Slot, change: Partial<Entry>): void {
    slot.entry = { ...slot.entry, ...change };
    for (const listener of [...slot.listeners]) listener();
  }
}
