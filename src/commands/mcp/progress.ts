/** Progress notifications of a call. While it waits they continue, so that clients do not regard it as stuck. */

/** A progress notification without its token. */
export interface ProgressUpdate {
  readonly progress: number;
  readonly total?: number;
  readonly message: string;
}

/** Milliseconds between notifications during a wait; clients time out after 30 or 60 seconds without any. */
const HEARTBEAT_MS = 5000;

/** The smallest step of the progress, which has to increase with every notification. */
const STEP = 0.001;

/** The progress of one call. */
export class CallProgress {
  readonly #notify: (update: ProgressUpdate) => void;
  #last: ProgressUpdate | undefined;
  #heartbeat: NodeJS.Timeout | undefined;

  constructor(notify: (update: ProgressUpdate) => void) {
    this.#notify = notify;
  }

  /** Reports how much is done. */
  advance(done: number, total: number | undefined, message: string): void {
    this.end();
    this.#send({ progress: done, ...(total === undefined ? {} : { total }), message });
  }

  /** Reports a wait, repeatedly until the next progress. */
  wait(reason: string, seconds: number | undefined): void {
    this.end();
    const until = seconds === undefined ? undefined : performance.now() + seconds * 1000;
    const report = () => {
      const remaining = until === undefined ? "" : ` (${Math.max(0, Math.ceil((until - performance.now()) / 1000))} s)`;
      const { progress = 0, ...last } = this.#last ?? {};
      this.#send({ ...last, progress: progress + STEP, message: `${reason}${remaining}` });
    };
    report();
    this.#heartbeat = setInterval(report, HEARTBEAT_MS);
    this.#heartbeat.unref();
  }

  /** Ends the notifications. */
  end(): void {
    clearInterval(this.#heartbeat);
  }

  #send(update: ProgressUpdate): void {
    const progress = this.#last ? Math.max(update.progress, this.#last.progress + STEP) : update.progress;
    this.#last = { ...update, progress };
    this.#notify(this.#last);
  }
}
