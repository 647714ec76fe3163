/**
 * Two stores, one around the other: a turn is taken in the inner one, which always answers, and then in the outer one,
 * which more people share. While the outer one is lost the inner one goes on alone: it knows every turn that was taken
 * here, so nothing starts in a burst.
 */
import type { Ask, Grant, Lane, Store } from "./store.ts";
import { UNUSED } from "./store.ts";

/** The outer store: how it is reached, and what is told of it. */
export interface Outer {
  /** @throws when it cannot be reached */
  open(): Promise<Store>;
  /** Milliseconds after which it is tried again when it is lost. */
  readonly retry: number;
  /** What is told when it is lost. */
  lost(cause: unknown): string;
  /** What is told when it is there again. */
  readonly back: string;
}

/** What a layered store works with. */
export interface LayeredOptions {
  readonly inner: Store;
  readonly outer: Outer;
  readonly onNote: (text: string) => void;
  /** Milliseconds. */
  readonly now: () => number;
}

/** Makes a store of two; closing it closes both. */
export function createLayeredStore(options: LayeredOptions): Store {
  return new LayeredStore(options);
}

class LayeredStore implements Store {
  readonly #options: LayeredOptions;
  #outer: Store | undefined;
  #opening: Promise<void> | undefined;
  #isLost = false;
  #isClosed = false;
  #tryFrom = 0;
  /** The lanes that wait in the outer store. */
  readonly #queued = new Set<Lane>();

  constructor(options: LayeredOptions) {
    this.#options = options;
  }

  async step(lane: Lane, ask: Ask): Promise<Grant> {
    const { inner } = this.#options;
    // Reaching the outer store may take long: no turn is held meanwhile.
    const outer = await this.#reach();
    const own = await inner.step(lane, ask);
    if (outer === undefined) return own;
    const asked = {
      ...ask,
      interactive: ask.interactive.slice(0, own.interactive),
      background: ask.background.slice(0, own.background),
    };
    if (!this.#hasNews(lane, asked)) return own;
    try {
      const grant = await outer.step(lane, asked);
      return await this.#join(lane, asked, own, grant);
    } catch (cause) {
      this.#lose(outer, cause);
      return own;
    }
  }

  /** Whether the outer store is to be asked at all. */
  #hasNews(lane: Lane, { interactive, background, done, units, pause }: Ask): boolean {
    const wants = interactive.length + background.length;
    return wants + done.length + units + pause > 0 || this.#queued.has(lane);
  }

  /** What both grant; turns of the inner store that the outer one refused are given back at once. */
  async #join(lane: Lane, asked: Ask, own: Grant, grant: Grant): Promise<Grant> {
    const back = [...asked.interactive.slice(grant.interactive), ...asked.background.slice(grant.background)];
    if (back.length === 0) this.#queued.delete(lane);
    else {
      this.#queued.add(lane);
      const done = back.map((id) => ({ id, ago: UNUSED }));
      await this.#options.inner.step(lane, { interactive: [], background: [], done, units: 0, pause: 0 });
    }
    const isShort = back.length > 0;
    return {
      interactive: grant.interactive,
      background: grant.background,
      wait: isShort ? grant.wait : own.wait,
      wake: isShort ? grant.wake : own.wake,
      left: Math.min(own.left, grant.left),
      units: Math.max(own.units, grant.units),
    };
  }

  /** The outer store if it is there. Only the first try is waited for. */
  async #reach(): Promise<Store | undefined> {
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
      if (this.#isLost) onNote(outer.back);
      this.#isLost = false;
    } catch (cause) {
      this.#lose(undefined, cause);
    } finally {
      this.#opening = undefined;
    }
  }

  #lose(store: Store | undefined, cause: unknown): void {
    const { outer, onNote, now } = this.#options;
    if (store !== this.#outer) return;
    this.#outer = undefined;
    this.#queued.clear();
    this.#tryFrom = now() + outer.retry;
    void closeQuietly(store);
    if (!this.#isLost && !this.#isClosed) onNote(outer.lost(cause));
    this.#isLost = true;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#opening;
    await closeQuietly(this.#outer);
    await this.#options.inner.close();
  }
}

/** What is lost may not even be closed. */
async function closeQuietly(store: Store | undefined): Promise<void> {
  try {
    await store?.close();
  } catch {}
}
