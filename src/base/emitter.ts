/** An event without a payload. */

/** Notifies listeners. Its functions need no receiver. */
export interface Emitter {
  readonly emit: () => void;
  /** Adds a listener; returns the function that removes it. */
  readonly on: (listener: () => void) => () => void;
  readonly clear: () => void;
}

/** Creates an event; listeners that are added or removed while it is emitted count from the next time on. */
export function createEmitter(): Emitter {
  const listeners = new Set<() => void>();
  return {
    emit() {
      for (const listener of [...listeners]) listener();
    },
    on(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    clear: () => listeners.clear(),
  };
}
