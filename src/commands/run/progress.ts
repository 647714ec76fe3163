/**
 * The progress of long work on standard error: a line at a terminal, redrawn a few times a second; elsewhere a note
 * every half minute. Short work has none, and neither has `--quiet`. There is no line while rows are printed to the
 * terminal too: they are the progress. Timers never keep the process alive.
 */
import { formatSpan, groupThousands, pluralize } from "../../base/index.ts";
import { type ClientEvent, type Page, totalRows } from "../../client/index.ts";
import { textWidth } from "../../output/index.ts";
import type { RunContext } from "./context.ts";
import { availableColumns, canRedraw, getStatusLine, type StatusEntry } from "./status-line.ts";

/** Reports the progress of some work. */
export interface Progress {
  /**
   * Adds what was done since the last call.
   * @param requests requests that were sent for it
   * @param units compute units of these requests
   */
  add(rows: number, requests?: number, units?: number): void;
  total(rows: number): void;
  /** Erases the line and stops reporting. */
  end(): Promise<void>;
}

/** The title of the work, rows of earlier runs, and rows expected in all. */
export interface ProgressOptions {
  readonly title?: string;
  readonly before?: number;
  readonly total?: number;
}

/** Milliseconds before the line appears, between two redraws, and between two notes. */
const SHORT_MS = 1000;
const REDRAW_MS = 100;
const NOTE_MS = 30_000;

/** Starts to report the progress of some work; the caller ends it. */
export function startProgress(context: RunContext, options: ProgressOptions = {}): Progress {
  if (context.globals.quiet || printsRowsToTerminal(context))
    return { add: () => {}, total: () => {}, end: async () => {} };
  const totals = { rows: 0, requests: 0, units: 0, total: options.total };
  const start = performance.now();
  const tracker = createEventTracker();
  const state = (): ProgressState => {
    const left = context.session.remainingRequests();
    const now = performance.now();
    const { title, before } = options;
    const elapsed = (now - start) / 1000;
    return { title, before, ...totals, elapsed, left, ...tracker.state(now, totals.total === undefined) };
  };
  const isDrawn = canRedraw(context.io);
  const stop = isDrawn ? startRedrawing(context, start, state) : startNotes(context, state);
  const stopListening = context.reporter.onEvent((event) => tracker.record(event, performance.now()) && isDrawn);
  return {
    add(rows, requests = 0, units = 0) {
      totals.rows += rows;
      totals.requests += requests;
      totals.units += units;
    },
    total(rows) {
      totals.total = rows;
    },
    async end() {
      stopListening();
      await stop();
    },
  };
}

/** Reports the progress of a list while its pages are read; a page counts when the next one is requested. */
export async function* withProgress(
  context: RunContext,
  pages: AsyncIterable<Page>,
  { limit = Number.POSITIVE_INFINITY, before = 0 }: { readonly limit?: number | undefined; readonly before?: number },
): AsyncGenerator<Page, void> {
  const progress = startProgress(context, { before });
  // Requests are counted, not pages: some pages are requested again, and some come from the cache.
  let answers = 0;
  const stopListening = context.reporter.onEvent((event) => {
    if (event.type === "request") progress.add(0, 1);
    if (event.type === "response" && event.status < 300) answers += 1;
    return false;
  });
  try {
    for await (const page of pages) {
      const total = Math.min(limit, totalRows(page.answer) ?? Number.POSITIVE_INFINITY);
      if (Number.isFinite(total)) progress.total(total);
      const { length } = page.rows;
      yield page;
      progress.add(length, 0, answers * page.answer.request.cost);
      answers = 0;
    }
  } finally {
    stopListening();
    await progress.end();
  }
}

/** Returns whether rows are printed to the same terminal. */
function printsRowsToTerminal({ io, globals }: RunContext): boolean {
  return io.stdout.isTTY === true && io.stderr.isTTY === true && globals.out === undefined;
}

function startRedrawing(context: RunContext, start: number, state: () => ProgressState): () => Promise<void> {
  const line = getStatusLine(context);
  let entry: StatusEntry | undefined;
  const draw = () => {
    if (performance.now() - start < SHORT_MS) return;
    entry ??= line.open();
    entry.show(formatProgress(state(), availableColumns(context.io.stderr.columns)));
  };
  const timer = setInterval(draw, REDRAW_MS);
  timer.unref();
  return async () => {
    clearInterval(timer);
    entry?.close();
  };
}

function startNotes(context: RunContext, state: () => ProgressState): () => Promise<void> {
  let writing: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    writing = writing
      .then(() => context.reporter.note(`${formatProgress(state(), Number.POSITIVE_INFINITY)}.`))
      .catch(() => undefined);
  }, NOTE_MS);
  timer.unref();
  return () => {
    clearInterval(timer);
    return writing;
  };
}

/** Returns how far a walk along signatures is. */
function walkText({ done, signatures, complete }: ClientEvent & { readonly type: "walk" }): string {
  const known = pluralize(signatures, "transaction");
  return `${groupThousands(done)} of ${complete ? known : `at least ${known}`} read`;
}

/** Tracks pauses, export windows and walks in the events of the client. Times are milliseconds of a monotonic clock. */
function createEventTracker() {
  let window: { readonly part: string; readonly end: number } | undefined;
  let walk: { readonly part: string; readonly end: number | undefined } | undefined;
  let walkStart: number | undefined;
  let pause: { readonly reason: Pause["reason"]; readonly until: number | undefined } | undefined;
  const wait = (reason: Pause["reason"], seconds: number | undefined, now: number) => {
    pause = { reason, until: seconds === undefined ? undefined : now + seconds * 1000 };
    return true;
  };
  return {
    /** Records an event; returns whether the state displays it. */
    record(event: ClientEvent, now: number): boolean {
      if (event.type === "wait") return wait(event.reason, event.seconds, now);
      if (event.type === "retry") return wait("retry", event.seconds, now);
      if (event.type === "export") {
        const { window: number, of, seconds } = event;
        window = { part: `window ${number} of about ${of}`, end: now + seconds * 1000 };
        return true;
      }
      if (event.type === "walk") {
        walkStart ??= now;
        const { done, calls, complete } = event;
        const end = complete && done > 0 ? now + ((now - walkStart) * calls) / done : undefined;
        walk = { part: walkText(event), end };
        return true;
      }
      // A request that is sent waits no longer.
      if (event.type === "request") pause = undefined;
      return false;
    },
    /** @param readsAll whether the remaining time is that of everything, not of a number of rows */
    state(now: number, readsAll: boolean): Pick<ProgressState, "pause" | "part" | "eta"> {
      const { part, end = undefined } = window ?? walk ?? {};
      const eta = end === undefined || (walk && !readsAll) ? undefined : Math.max(0, (end - now) / 1000);
      const exporting = { ...(part !== undefined && { part }), ...(eta !== undefined && { eta }) };
      if (!pause || (pause.until !== undefined && pause.until <= now)) return exporting;
      const { reason, until } = pause;
      return { ...exporting, pause: { reason, seconds: until === undefined ? undefined : (until - now) / 1000 } };
    },
  };
}

/** Why no request is sent at the moment. */
export interface Pause {
  readonly reason: "rate" | "export" | "retry";
  /** Seconds until the next request, as far as known. */
  readonly seconds?: number | undefined;
}

/** The progress of some work. Times are seconds. */
export interface ProgressState {
  readonly title?: string | undefined;
  readonly rows: number;
  /** Rows of earlier runs. */
  readonly before?: number | undefined;
  /** Rows expected in all. */
  readonly total?: number | undefined;
  readonly requests: number;
  /** Compute units of these requests. */
  readonly units: number;
  /** Since the start. */
  readonly elapsed: number;
  /** Requests that may still start in the window of the rate limit. */
  readonly left?: { readonly requests: number; readonly of: number } | undefined;
  readonly pause?: Pause | undefined;
  /** The part of the work that is under way. */
  readonly part?: string | undefined;
  /** Remaining seconds, if the work itself knows them. */
  readonly eta?: number | undefined;
}

const SEPARATOR = ", ";
/** Below this many rows a second, a fraction is displayed. */
const SLOW = 10;

/** Returns what is known, the most important first. */
export function progressParts(state: ProgressState): string[] {
  const { rows, before = 0, total, requests, units, left, pause, part } = state;
  const available = before + rows;
  const eta = estimateRemaining(state);
  return [
    total === undefined ? pluralize(available, "row") : `${groupThousands(available)} of ${pluralize(total, "row")}`,
    pause && formatPause(pause),
    eta === undefined ? undefined : `${formatSpan(eta)} left`,
    part,
    requests > 0 ? pluralize(requests, "request") : undefined,
    formatRate(state),
    left && Number.isFinite(left.of)
      ? `${groupThousands(left.requests)} of ${groupThousands(left.of)} requests free`
      : undefined,
    units > 0 ? pluralize(units, "unit") : undefined,
  ].filter((text): text is string => text !== undefined);
}

/** Returns a line of at most `columns` cells: the least important parts are left out; the first part always stays. */
export function formatProgress(state: ProgressState, columns: number): string {
  const title = state.title === undefined ? "" : `${state.title}: `;
  const [first = "", ...others] = progressParts(state);
  let line = title + first;
  for (const part of others) {
    const longer = line + SEPARATOR + part;
    if (textWidth(longer) > columns) break;
    line = longer;
  }
  return line;
}

function formatPause({ reason, seconds }: Pause): string {
  const span = seconds === undefined ? "" : `${formatSpan(seconds)} `;
  if (reason === "retry") return `retrying in ${span.trim()}`;
  return `waiting ${span}for the ${reason === "export" ? "next export" : "rate limit"}`;
}

/** Returns the seconds until all rows are read, at the speed so far. */
function estimateRemaining({ rows, before = 0, total, elapsed, eta }: ProgressState): number | undefined {
  if (eta !== undefined || total === undefined) return eta;
  const left = total - before - rows;
  return rows > 0 && left > 0 && elapsed > 0 ? (left * elapsed) / rows : undefined;
}

function formatRate({ rows, elapsed }: ProgressState): string | undefined {
  if (rows === 0 || elapsed <= 0) return undefined;
  const rate = rows / elapsed;
  return `${rate < SLOW ? rate.toFixed(1) : groupThousands(Math.round(rate))} rows/s`;
}
