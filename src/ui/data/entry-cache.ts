/** The entries that are kept: one for each request, the ones that were looked at last, within bounds. */
import { type Entry, keyOf, NOTHING, type Request } from "./store.ts";

/** An entry with what belongs to it. */
export interface Slot {
  readonly key: string;
  readonly request: Request;
  entry: Entry;
  readonly listeners: Set<() => void>;
  /** What is under way. */
  asking: AbortController | undefined;
  /** Whether it was asked ahead, so that nobody has to look. */
  ahead: boolean;
  /** Whether kept answers were to be passed over when it was asked last. */
  fresh: boolean;
  /** Failures in a row. */
  failures: number;
  stopRetry: () => void;
}

/** How much is kept. */
export interface Bounds {
  readonly entries: number;
  /** About as many bytes. */
  readonly bytes: number;
}

/** Enough for hours of going back and forth. */
export const BOUNDS: Bounds = { entries: 200, bytes: 48 * 1_048_576 };

/** What an entry weighs beside its answer. */
const OWN_BYTES = 2048;
/** Bytes for a character of a body: itself, and the values made of it. */
const BYTES_EACH = 6;

/** The slots, the one that was used last at the end. */
export class Slots {
  readonly #bounds: Bounds;
  readonly #slots = new Map<string, Slot>();
  /** The keys of requests that were looked up: parts of a screen look the same one up for each frame. */
  readonly #keys = new WeakMap<Request, string>();

  constructor(bounds: Bounds = BOUNDS) {
    this.#bounds = bounds;
  }

  find(request: Request): Slot | undefined {
    return this.#slots.get(this.#keyOf(request));
  }

  #keyOf(request: Request): string {
    const key = this.#keys.get(request) ?? keyOf(request);
    this.#keys.set(request, key);
    return key;
  }

  /** The slot of a request, which is now the one that was used last. */
  use(request: Request): Slot {
    const key = this.#keyOf(request);
    const slot = this.#slots.get(key) ?? newSlot(key, request);
    this.#slots.delete(key);
    this.#slots.set(key, slot);
    return slot;
  }

  remove(slot: Slot): void {
    if (this.#slots.get(slot.key) === slot) this.#slots.delete(slot.key);
  }

  all(): readonly Slot[] {
    return [...this.#slots.values()];
  }

  /** Lets go of what was not used for longest, while there is too much; what somebody looks at or waits for stays. */
  trim(): void {
    let bytes = this.all().reduce((sum, slot) => sum + weightOf(slot), 0);
    for (const slot of this.all()) {
      if (this.#slots.size <= this.#bounds.entries && bytes <= this.#bounds.bytes) return;
      if (slot.listeners.size > 0 || slot.asking) continue;
      slot.stopRetry();
      this.#slots.delete(slot.key);
      bytes -= weightOf(slot);
    }
  }
}

function weightOf({ entry }: Slot): number {
  return OWN_BYTES + (entry.answer?.body.length ?? 0) * BYTES_EACH;
}

function newSlot(key: string, request: Request): Slot {
  return {
    key,
    request,
    entry: NOTHING,
    listeners: new Set(),
    asking: undefined,
    ahead: false,
    fresh: false,
    failures: 0,
    stopRetry: () => {},
  };
}
