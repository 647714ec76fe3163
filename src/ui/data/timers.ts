/** Timers of the explorer's data, so that tests can give other ones. */

/** Calls later. */
export interface Timers {
  /** Calls after some milliseconds, unless the function given back is called before. */
  readonly after: (milliseconds: number, call: () => void) => () => void;
}

/** Node's timers fire at once beyond this. */
const MAX_TIMEOUT = 2 ** 31 - 1;

/** Timers that keep no process alive. */
export const TIMERS: Timers = {
  after(milliseconds, call) {
    const timer = setTimeout(call, Math.min(Math.max(0, milliseconds), MAX_TIMEOUT)).unref();
    return () => clearTimeout(timer);
  },
};
