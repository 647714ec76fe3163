/**
 * Two stores, one behind the other: a permit is taken from the inner one, which always answers, then from the outer one,
 * which more clients share. While the outer store cannot be reached, the inner one continues alone: it knows every permit
 * that was taken through it, so no burst starts. Where the outer one is a server that machines share, the inner one then
 * grants this machine's share only.
 */
import { affordable } from "./allocate.ts";
import type { PermitRequest, RateLimitBucket, RateLimitStore, ServerState, StepRequest, StepResult } from "./store.ts";
import { EMPTY_STEP, UNUSED } from "./store.ts";

/** The outer store: how it is reached, and the notes about it. */
export interface OuterStore {
  /** @throws when it cannot be reached */
  open(): Promise<RateLimitStore>;
  /** Milliseconds after which a lost store is tried again. */
  readonly retryMs: number;
  /** Whether it is a server that several machines share: while it is lost, each of them uses its share of the limit. */
  readonly isServer: boolean;
  /** Returns the note to report when the store is lost; `machines` share a server. */
  lostNote(cause: unknown, bucket: RateLimitBucket, machines: number | undefined): string;
  readonly recoveredNote: string;
}

/** What a layered store depends on. */
interface LayeredOptions {
  readonly inner: RateLimitStore;
  readonly outer: OuterStore;
  readonly onNote: (text: string) => void;
  readonly now: () => number;
}

type Permits = Pick<StepRequest, "interactive" | "background">;

/** Permits that the inner store granted, and those of them that the outer one is sent. */
interface Requested {
  readonly granted: Permits;
  readonly request: StepRequest;
}

/** A store of two; closing it closes both. */
export class LayeredStore implements RateLimitStore {
  readonly #options: LayeredOptions;
  #outer: RateLimitStore | undefined;
  #opening: Promise<void> | undefined;
  #isLost = false;
  /** Why the store was lost, until that is reported. */
  #unreportedLoss: { readonly cause: unknown } | undefined;
  #isClosed = false;
  #retryAt = 0;
  /** The buckets that wait in the outer store. */
  readonly #queued = new Set<RateLimitBucket>();
  /** The server, as each bucket last saw it since it was opened. */
  readonly #servers = new Map<RateLimitBucket, ServerState>();

  constructor(options: LayeredOptions) {
    this.#options = options;
  }

  async step(bucket: RateLimitBucket, step: StepRequest): Promise<StepResult> {
    // Reaching the outer store may take long, so no permit is taken before.
    const outer = await this.#reach(bucket);
    return outer === undefined ? this.#stepAlone(bucket, step) : this.#stepBoth(outer, bucket, step);
  }

  async #stepBoth(outer: RateLimitStore, bucket: RateLimitBucket, step: StepRequest): Promise<StepResult> {
    const { inner } = this.#options;
    // Permits that the outer store may refuse cost nothing in the inner one, where others would miss the units.
    const local = await inner.step(bucket, {
      ...step,
      interactive: withoutCost(step.interactive),
      background: withoutCost(step.background),
      server: this.#servers.get(bucket),
    });
    const granted = {
      interactive: step.interactive.slice(0, local.interactive),
      background: step.background.slice(0, local.background),
    };
    const paid = affordable(bucket, local.units, granted, local);
    const request = {
      ...step,
      interactive: granted.interactive.slice(0, paid.interactive),
      background: granted.background.slice(0, paid.background),
      machine: local.machine,
    };
    try {
      // Where units are missing, the outer store is stepped without requests: it knows how many units others have spent.
      const isShort = paid.interactive < local.interactive || paid.background < local.background;
      const nothing = { ...local, interactive: 0, background: 0 };
      const isNeeded = isShort || this.#needsStep(bucket, request);
      const shared = isNeeded ? await this.#stepOuter(outer, bucket, request) : nothing;
      return await this.#combine(bucket, { request, granted }, local, shared);
    } catch (cause) {
      this.#lose(outer, cause);
      const { interactive, background, server } = step;
      const released = unused([...granted.interactive, ...granted.background]);
      return this.#stepAlone(bucket, { ...EMPTY_STEP, interactive, background, server, released });
    }
  }

  async #stepAlone(bucket: RateLimitBucket, step: StepRequest): Promise<StepResult> {
    const { inner, outer, onNote } = this.#options;
    const result = await inner.step(bucket, outer.isServer ? { ...step, server: { isReached: false } } : step);
    const loss = this.#unreportedLoss;
    this.#unreportedLoss = undefined;
    if (loss !== undefined) onNote(outer.lostNote(loss.cause, bucket, result.machine?.machines));
    return result;
  }

  async #stepOuter(outer: RateLimitStore, bucket: RateLimitBucket, request: StepRequest): Promise<StepResult> {
    const result = await outer.step(bucket, request);
    if (result.server !== undefined) this.#servers.set(bucket, result.server);
    if (this.#isLost && outer === this.#outer) {
      this.#isLost = false;
      this.#options.onNote(this.#options.outer.recoveredNote);
    }
    return result;
  }

  #needsStep(bucket: RateLimitBucket, request: StepRequest): boolean {
    const { interactive, background, released, units, pause, server } = request;
    const permits = interactive.length + background.length;
    const hasContent = permits + released.length + pause > 0 || units !== 0;
    return hasContent || this.#queued.has(bucket) || server !== undefined;
  }

  /** Returns what both stores grant. Permits that the outer one refused go back to the inner one; the others are paid. */
  async #combine(
    bucket: RateLimitBucket,
    { request, granted }: Requested,
    local: StepResult,
    shared: StepResult,
  ): Promise<StepResult> {
    const { interactive, background } = shared;
    const isWaiting = interactive < request.interactive.length || background < request.background.length;
    if (isWaiting) this.#queued.add(bucket);
    else this.#queued.delete(bucket);
    const refused = [...granted.interactive.slice(interactive), ...granted.background.slice(background)];
    const paid = [...request.interactive.slice(0, interactive), ...request.background.slice(0, background)];
    const cost = paid.reduce((sum, permit) => sum + permit.cost, 0);
    const isShort = refused.length > 0;
    if (isShort || cost > 0) {
      await this.#options.inner.step(bucket, { ...EMPTY_STEP, released: unused(refused), units: cost });
    }
    return {
      interactive,
      background,
      wait: isShort ? shared.wait : local.wait,
      pollAfter: isShort ? shared.pollAfter : local.pollAfter,
      remaining: Math.min(local.remaining, shared.remaining),
      units: Math.max(local.units + cost, shared.units),
      share: shared.share ?? local.share,
      machine: shared.machine,
    };
  }

  /** Returns the outer store if it can be reached. Only the first attempt, and one that is overdue, is waited for. */
  async #reach(bucket: RateLimitBucket): Promise<RateLimitStore | undefined> {
    const { outer, now } = this.#options;
    if (!this.#outer && !this.#isClosed) {
      const delay = now() - this.#retryAt;
      if (this.#isLost && delay < 0) return undefined;
      this.#opening ??= this.#open();
      if (!this.#isLost || delay > outer.retryMs) await this.#opening;
    }
    if (this.#outer && outer.isServer && !this.#servers.has(bucket)) await this.#join(this.#outer, bucket);
    return this.#outer;
  }

  async #open(): Promise<void> {
    try {
      const store = await this.#options.outer.open();
      if (this.#isClosed) return await store.close();
      this.#servers.clear();
      this.#outer = store;
    } catch (cause) {
      this.#lose(undefined, cause);
    } finally {
      this.#opening = undefined;
    }
  }

  /** Exchanges what the machine and the server know of each other, before a permit is requested. */
  async #join(outer: RateLimitStore, bucket: RateLimitBucket): Promise<void> {
    const { machine } = await this.#options.inner.step(bucket, { ...EMPTY_STEP, server: "unknown" });
    try {
      await this.#stepOuter(outer, bucket, { ...EMPTY_STEP, machine });
    } catch (cause) {
      this.#lose(outer, cause);
    }
  }

  #lose(store: RateLimitStore | undefined, cause: unknown): void {
    const { outer, now } = this.#options;
    if (store !== this.#outer) return;
    this.#outer = undefined;
    this.#queued.clear();
    this.#retryAt = now() + outer.retryMs;
    void closeQuietly(store);
    if (!this.#isLost && !this.#isClosed) this.#unreportedLoss = { cause };
    this.#isLost = true;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#opening;
    await closeQuietly(this.#outer);
    await this.#options.inner.close();
  }
}

const withoutCost = (permits: readonly PermitRequest[]): readonly PermitRequest[] =>
  permits.map(({ id }) => ({ id, cost: 0 }));

const unused = (permits: readonly PermitRequest[]) => permits.map(({ id }) => ({ id, ago: UNUSED }));

/** Closes a store; one that is lost may fail to close. */
async function closeQuietly(store: RateLimitStore | undefined): Promise<void> {
  try {
    await store?.close();
  } catch {}
}
