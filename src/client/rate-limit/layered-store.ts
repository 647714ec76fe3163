/**
 * Two stores, one around the other: a turn is taken in the inner one, which always answers, and then in the outer one,
 * which more people share. While the outer one is lost the inner one goes on alone: it knows every turn that was taken
 * here, so nothing starts in a burst.
 */
import { affordable } from "./allocate.ts";
import type { PermitRequest, RateLimitBucket, RateLimitStore, StepRequest, StepResult } from "./store.ts";
import { UNUSED } from "./store.ts";

/** The outer store: how it is reached, and what is told of it. */
export interface OuterStore {
  /** @throws when it cannot be reached */
  open(): Promise<RateLimitStore>;
  /** Milliseconds after which it is tried again when it is lost. */
  readonly retryMs: number;
  /** What is told when it is lost. */
  lostNote(cause: unknown): string;
  /** What is told when it is there again. */
  readonly recoveredNote: string;
}

/** What a layered store works with. */
export interface LayeredOptions {
  readonly inner: RateLimitStore;
  readonly outer: OuterStore;
  readonly onNote: (text: string) => void;
  /** Milliseconds. */
  readonly now: () => number;
}

/** Turns that the inner store gave, and those of them that the outer one was asked for. */
interface Asked {
  readonly taken: Pick<StepRequest, "interactive" | "background">;
  readonly asked: Pick<StepRequest, "interactive" | "background">;
}

/** Makes a store of two; closing it closes both. */
export function createLayeredStore(options: LayeredOptions): RateLimitStore {
  return new LayeredStore(options);
}

class LayeredStore implements RateLimitStore {
  readonly #options: LayeredOptions;
  #outer: RateLimitStore | undefined;
  #opening: Promise<void> | undefined;
  #isLost = false;
  #isClosed = false;
  #tryFrom = 0;
  /** The lanes that wait in the outer store. */
  readonly #queued = new Set<RateLimitBucket>();

  constructor(options: LayeredOptions) {
    this.#options = options;
  }

  async step(lane: RateLimitBucket, ask: StepRequest): Promise<StepResult> {
    const { inner } = this.#options;
    // Reaching the outer store may take long: no turn is held meanwhile.
    const outer = await this.#reach();
    if (outer === undefined) return inner.step(lane, ask);
    // Turns that the outer store may refuse cost nothing in the inner one, where others would find their units missing.
    const own = await inner.step(lane, {
      ...ask,
      interactive: free(ask.interactive),
      background: free(ask.background),
    });
    const taken = {
      interactive: ask.interactive.slice(0, own.interactive),
      background: ask.background.slice(0, own.background),
    };
    const paid = affordable(lane, own.units, taken, own);
    const asked = {
      ...ask,
      interactive: taken.interactive.slice(0, paid.interactive),
      background: taken.background.slice(0, paid.background),
    };
    try {
      // What nobody can pay for is not asked for; how much others spent is, so that it can be told.
      const isShort = paid.interactive < own.interactive || paid.background < own.background;
      const none = { ...own, interactive: 0, background: 0 };
      const grant = isShort || this.#hasNews(lane, asked) ? await outer.step(lane, asked) : none;
      return await this.#join(lane, { asked, taken }, own, grant);
    } catch (cause) {
      this.#lose(outer, cause);
      return inner.step(lane, {
        ...NOTHING,
        ...wantedOf(ask),
        released: unused([...taken.interactive, ...taken.background]),
      });
    }
  }

  /** Whether the outer store is to be asked at all. */
  #hasNews(lane: RateLimitBucket, { interactive, background, released: done, units, pause }: StepRequest): boolean {
    const wants = interactive.length + background.length;
    return wants + done.length + pause > 0 || units !== 0 || this.#queued.has(lane);
  }

  /** What both grant; turns of the inner store that the outer one refused are given back at once, the others paid for. */
  async #join(lane: RateLimitBucket, { asked, taken }: Asked, own: StepResult, grant: StepResult): Promise<StepResult> {
    const { interactive, background } = grant;
    const isWaiting = interactive < asked.interactive.length || background < asked.background.length;
    if (isWaiting) this.#queued.add(lane);
    else this.#queued.delete(lane);
    const back = [...taken.interactive.slice(interactive), ...taken.background.slice(background)];
    const given = [...asked.interactive.slice(0, interactive), ...asked.background.slice(0, background)];
    const cost = given.reduce((sum, one) => sum + one.cost, 0);
    const isChanged = back.length > 0 || cost > 0;
    if (isChanged) await this.#options.inner.step(lane, { ...NOTHING, released: unused(back), units: cost });
    const isShort = back.length > 0;
    return {
      interactive,
      background,
      wait: isShort ? grant.wait : own.wait,
      pollAfter: isShort ? grant.pollAfter : own.pollAfter,
      remaining: Math.min(own.remaining, grant.remaining),
      units: Math.max(own.units + cost, grant.units),
    };
  }

  /** The outer store if it is there. Only the first try is waited for. */
  async #reach(): Promise<RateLimitStore | undefined> {
    if (this.#outer || this.#isClosed) return this.#outer;
    if (this.#isLost && this.#options.now() < this.#tryFrom) return undefined;
    this.#opening ??= this.#open();
    if (!this.#isLost) await this.#opening;
    return this.#outer;
  }

  async #open(): Promise<void> {
    const { outer, onNote } = this.#options;
    try {
      const store = await outer.open();
      if (this.#isClosed) return await store.close();
      this.#outer = store;
      if (this.#isLost) onNote(outer.recoveredNote);
      this.#isLost = false;
    } catch (cause) {
      this.#lose(undefined, cause);
    } finally {
      this.#opening = undefined;
    }
  }

  #lose(store: RateLimitStore | undefined, cause: unknown): void {
    const { outer, onNote, now } = this.#options;
    if (store !== this.#outer) return;
    this.#outer = undefined;
    this.#queued.clear();
    this.#tryFrom = now() + outer.retryMs;
    void closeQuietly(store);
    if (!this.#isLost && !this.#isClosed) onNote(outer.lostNote(cause));
    this.#isLost = true;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#opening;
    await closeQuietly(this.#outer);
    await this.#options.inner.close();
  }
}

const NOTHING: StepRequest = { interactive: [], background: [], released: [], units: 0, pause: 0 };

const free = (wanted: readonly PermitRequest[]): readonly PermitRequest[] => wanted.map(({ id }) => ({ id, cost: 0 }));

const wantedOf = ({ interactive, background }: StepRequest) => ({ interactive, background });

const unused = (turns: readonly PermitRequest[]) => turns.map(({ id }) => ({ id, ago: UNUSED }));

/** What is lost may not even be closed. */
async function closeQuietly(store: RateLimitStore | undefined): Promise<void> {
  try {
    await store?.close();
  } catch {}
}
