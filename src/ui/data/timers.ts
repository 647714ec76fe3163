/** Timers of the explorer's data, so that tests can give other ones. */

/** Calls later. */
export interface Timing {
  /** Calls after some milliseconds, unless the function given back is called before. */
  readonly after: (milliseconds: number, call: () => void) => () => void;
}

/** Node's timers fire at once beyond this. */
const LONGEST = 2 ** 31 - 1;

/** Timers that keep no process alive. */
export const TIMERS: Timing = {
  after(milliseconds, call) {
    const timer = setTimeout(call, Math.min(Math.max(0, milliseconds), LONGEST)).unref();
    return () => clearTimeout(timer);
  },
};
