/** One timer for all clocks, spinners and countdowns on the screen: it runs only while something wants it. */

/** Who is called every so often. */
interface Subscription {
  readonly everyMs: number;
  readonly call: () => void;
  due: number;
}

/** Calls several at their own pace from one timer. */
export class Ticker {
  readonly #subscriptions = new Set<Subscription>();
  #timer: NodeJS.Timeout | undefined;
  #count = 0;

  /** How often it has ticked. */
  count = (): number => this.#count;

  /** Calls every so many milliseconds until the function given back is called. */
  every(everyMs: number, call: () => void): () => void {
    const subscription = { everyMs, call, due: Date.now() + everyMs };
    this.#subscriptions.add(subscription);
    this.#arm();
    return () => {
      this.#subscriptions.delete(subscription);
      this.#arm();
    };
  }

  #arm(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#subscriptions.size === 0) return;
    const due = Math.min(...[...this.#subscriptions].map((subscription) => subscription.due));
    this.#timer = setTimeout(() => this.#tick(), Math.max(0, due - Date.now())).unref();
  }

  #tick(): void {
    const now = Date.now();
    this.#count += 1;
    for (const subscription of [...this.#subscriptions]) {
      if (subscription.due > now) continue;
      // What was missed, as while the machine slept, is not made up for.
      subscription.due = now + subscription.everyMs;
      subscription.call();
    }
    this.#arm();
  }
}

/** The timer of the screen. */
export const ticker = new Ticker();
