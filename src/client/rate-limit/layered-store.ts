/**
 * Two stores, one around the other: a turn is taken in the inner one, which always answers, and then in the outer one,
 * which more people share. While the outer one is lost the inner one goes on alone: it knows every turn that was taken
 * here, so nothing starts in a burst.
 */
import { payable } from "./allocate.ts";
import type { Ask, Grant, Lane, Store, Wanted } from "./store.ts";
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

/** Turns that the inner store gave, and those of them that the outer one was asked for. */
interface Asked {
  readonly taken: Pick<Ask, "interactive" | "background">;
  readonly asked: Pick<Ask, "interactive" | "background">;
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
    const paid = payable(lane, own.units, taken, own);
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
        done: unused([...taken.interactive, ...taken.background]),
      });
    }
  }

  /** Whether the outer store is to be asked at all. */
  #hasNews(lane: Lane, { interactive, background, done, units, pause }: Ask): boolean {
    const wants = interactive.length + background.length;
    return wants + done.length + pause > 0 || units !== 0 || this.#queued.has(lane);
  }

  /** What both grant; turns of the inner store that the outer one refused are given back at once, the others paid for. */
  async #join(lane: Lane, { asked, taken }: Asked, own: Grant, grant: Grant): Promise<Grant> {
    const { interactive, background } = grant;
    const isWaiting = interactive < asked.interactive.length || background < asked.background.length;
    if (isWaiting) this.#queued.add(lane);
    else this.#queued.delete(lane);
    const back = [...taken.interactive.slice(interactive), ...taken.background.slice(background)];
    const given = [...asked.interactive.slice(0, interactive), ...asked.background.slice(0, background)];
    const cost = given.reduce((sum, one) => sum + one.cost, 0);
    const isChanged = back.length > 0 || cost > 0;
    if (isChanged) await this.#options.inner.step(lane, { ...NOTHING, done: unused(back), units: cost });
    const isShort = back.length > 0;
    return {
      interactive,
      background,
      wait: isShort ? grant.wait : own.wait,
      wake: isShort ? grant.wake : own.wake,
      left: Math.min(own.left, grant.left),
      units: Math.max(own.units + cost, grant.units),
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

const NOTHING: Ask = { interactive: [], background: [], done: [], units: 0, pause: 0 };

const free = (wanted: readonly Wanted[]): readonly Wanted[] => wanted.map(({ id }) => ({ id, cost: 0 }));

const wantedOf = ({ interactive, background }: Ask) => ({ interactive, background });

const unused = (turns: readonly Wanted[]) => turns.map(({ id }) => ({ id, ago: UNUSED }));

/** What is lost may not even be closed. */
async function closeQuietly(store: Store | undefined): Promise<void> {
  try {
    await store?.close();
  } catch {}
}
