/** Timers of the data layer, replaceable in tests. */

/** Delayed calls. */
export interface Timers {
  /** Calls `call` after some milliseconds; returns the function that cancels it. */
  readonly after: (milliseconds: number, call: () => void) => () => void;
}

/** Maximum delay of Node's timers; longer ones fire immediately. */
const MAX_TIMEOUT = 2 ** 31 - 1;

/** Timers that do not keep the process alive. */
export const TIMERS: Timers = {
  after(milliseconds, call) {
    const timer = setTimeout(call, Math.min(Math.max(0, milliseconds), MAX_TIMEOUT)).unref();
    return () => clearTimeout(timer);
  },
};
