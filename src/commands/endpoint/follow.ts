/**
 * `--follow`: polls a list and prints new rows, each once and in order.
 *
 * The interval is never shortened to catch up: after a suspended laptop wakes, one poll finds everything. Temporary
 * failures are retried with increasing delays; other failures end the run. So do a closed pipe, the time or row of
 * `--until`, and `--limit`. A run that lost rows because too many arrived at once ends as incomplete.
 */

import {
  CheckError,
  formatMoment,
  HOUR_SECONDS,
  IncompleteError,
  type Json,
  NetworkError,
  pluralize,
  RateLimitError,
  sleep as realSleep,
  ServerError,
  SolxError,
  toSentence,
} from "../../base/index.ts";
import type { Endpoint, ParameterValues } from "../../catalogue/index.ts";
import { createRowKeyer, type Page } from "../../client/index.ts";
import { compileProgram, evaluateCondition, getStreamSink } from "../../output/index.ts";
import { parseFailOn } from "../options/word-options.ts";
import type { DisplayOptions, RunContext } from "../run/context.ts";
import { sourceOf } from "../run/data-source.ts";
import { formatSpan } from "../run/progress-text.ts";
import { deriveFields, displayFor } from "./answers.ts";
import { checkFollow, pageSizes, parseInterval, parseUntil, type StopCondition } from "./follow-options.ts";
import { createPoller, MAX_PAGES, type PollResult } from "./follow-poller.ts";

type RowBatches = AsyncGenerator<readonly Json[], void>;

/** The clock and timer, replaceable in tests. */
export interface Timing {
  readonly now: () => number;
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
}

/** Maximum delay in seconds between failing polls; a longer interval stays unchanged. */
const MAX_DELAY = 600;

/**
 * Follows a list until it is stopped.
 * @throws UsageError when the list cannot be followed; the first permanent failure; IncompleteError at the end when rows
 * are missing; CheckError for `--fail-on empty`
 */
export async function follow(
  context: RunContext,
  endpoint: Endpoint,
  params: ParameterValues,
  { limit }: { readonly limit?: number },
  timing: Timing = { now: context.io.now, sleep: realSleep },
): Promise<void> {
  const { globals } = context;
  checkFollow(endpoint, params, globals);
  const interval = parseInterval(globals.follow ?? true);
  const end = await readStopCondition(context, timing.now());
  const poll = await createListPoller(context, endpoint, params);
  // Suppresses messages about retries within each poll.
  const stopListening = context.reporter.onEvent(({ type }) => type === "retry" || type === "wait");
  try {
    const price = (endpoint.cost.units * HOUR_SECONDS) / interval;
    const moment = end !== undefined && "at" in end ? end.at : undefined;
    const until = moment === undefined ? "" : `, until ${formatMoment(moment)}`;
    const hourly = pluralize(Math.ceil(HOUR_SECONDS / interval), "request");
    const { facts } = sourceOf(await context.session.settings());
    const cost = facts.chargesUnits ? `: ${hourly} and ${pluralize(Math.ceil(price), "compute unit")} per hour` : "";
    await context.reporter.note(`Polling every ${formatSpan(interval)}${until}${cost}.`);
    let gaps = 0;
    const onGap = () => {
      gaps += 1;
    };
    const polled = pollRows(context, poll, { interval, moment, timing, onGap });
    const derived = await deriveFields(context, endpoint);
    const batches = derived?.addToPages(polled) ?? polled;
    const matching = end !== undefined && "condition" in end ? untilMatch(context, batches, end.condition) : batches;
    const rows = await printBatches(
      context,
      derived?.extend(displayFor(endpoint)) ?? displayFor(endpoint),
      limitRows(matching, limit),
    );
    if (gaps > 0) throw lostRowsError(gaps);
    if (rows === 0 && parseFailOn(globals).has("empty")) throw new CheckError("There are no rows.", { code: "EMPTY" });
  } finally {
    stopListening();
  }
}

async function readStopCondition({ globals, io }: RunContext, now: number): Promise<StopCondition | undefined> {
  if (globals.until === undefined) return undefined;
  const end = await parseUntil(globals.until, now);
  if ("condition" in end) await compileProgram(end.condition, io.signal);
  return end;
}

/** Returns a function that polls the list. The first poll returns as many rows as a page usually has. */
async function createListPoller(
  context: RunContext,
  endpoint: Endpoint,
  params: ParameterValues,
): Promise<() => Promise<PollResult>> {
  const client = await context.session.client();
  const { size, first } = pageSizes(endpoint, params);
  const read = async (at: ParameterValues = {}) => {
    const query = { ...params, ...size, ...at };
    const pages = client.pages(endpoint, query, { signal: context.io.signal, priority: "background" });
    const page = (await pages.next()).value ?? undefined;
    await pages.return();
    return { rows: rowsOfPage(page), more: page?.more, next: page?.next };
  };
  const poll = createPoller(createRowKeyer(endpoint.identity), read);
  let isFirst = true;
  return async () => {
    const result = await poll();
    const rows = isFirst ? result.rows.slice(-first) : result.rows;
    isFirst = false;
    return { ...result, rows };
  };
}

/** @throws ServerError when an answer is not a list; no data counts as an empty list */
function rowsOfPage(page: Page | undefined): readonly Json[] {
  const { rows, data = null, status } = page?.answer ?? {};
  if (rows === undefined && data !== null) {
    throw new ServerError("The answer of the API is not a list.", {
      code: "MALFORMED",
      ...(status && { status }),
    });
  }
  return rows === undefined ? [] : (page?.rows ?? []);
}

/** When a list is polled; the interval in seconds, times in milliseconds since the epoch. */
interface PollSchedule {
  readonly interval: number;
  /** The time at which following ends. */
  readonly moment?: number | undefined;
  readonly timing: Timing;
  /** Called for each poll that did not reach the rows of the previous one. */
  readonly onGap: () => void;
}

/** Yields the new rows of each poll. The last poll is at the end time. */
async function* pollRows(
  context: RunContext,
  poll: () => Promise<PollResult>,
  { interval, moment, timing, onGap }: PollSchedule,
): RowBatches {
  const { signal } = context.io;
  const backoff = createBackoff(context, interval, timing.now);
  let hasBegun = false;
  for (;;) {
    const result = await poll().catch((error: unknown) => {
      if (!hasBegun || !isRetryable(error) || signal.aborted) throw error;
      return error;
    });
    const hasFailed = result instanceof SolxError;
    const delay = hasFailed ? await backoff.failed(result) : interval;
    if (!hasFailed) {
      hasBegun = true;
      await backoff.recovered();
      if (!result.isComplete) {
        onGap();
        await context.reporter.note(gapText(interval));
      }
      yield result.rows;
    }
    const remaining = moment === undefined ? Number.POSITIVE_INFINITY : (moment - timing.now()) / 1000;
    if (remaining <= 0) return;
    await timing.sleep(Math.min(delay, remaining) * 1000, signal);
    await checkPipe(context);
  }
}

function gapText(interval: number): string {
  const shorter = interval > 2 ? "Use a shorter interval or a filter." : "Use a filter.";
  return `More new rows than ${MAX_PAGES} pages contain: some rows before the next ones are missing. ${shorter}`;
}

function lostRowsError(gaps: number): IncompleteError {
  const times = gaps === 1 ? "once" : `${gaps} times`;
  return new IncompleteError(`Rows are missing: ${times}, more rows arrived between two polls than were read.`, {
    code: "LOST_ROWS",
    hint: "Use a shorter interval or a filter. To read the missing rows: --from-time, --to-time and --all.",
  });
}

/** Handles consecutive failures: reported once when they start and once when they end. */
function createBackoff(context: RunContext, interval: number, now: () => number) {
  let delay = interval;
  let since: number | undefined;
  return {
    /** Returns the delay in seconds before the next poll. */
    async failed(error: SolxError): Promise<number> {
      if (since === undefined) {
        since = now();
        await context.reporter.note(`${toSentence(error)} Following continues when the problem is resolved.`);
      }
      delay = Math.min(delay * 2, Math.max(interval, MAX_DELAY));
      return Math.max(delay, error.retryAfter ?? 0);
    },
    async recovered(): Promise<void> {
      if (since !== undefined) await context.reporter.note(`Recovered after ${formatSpan((now() - since) / 1000)}.`);
      since = undefined;
      delay = interval;
    },
  };
}

/** Whether a later poll may succeed. */
function isRetryable(error: unknown): error is SolxError {
  return (
    error instanceof RateLimitError ||
    error instanceof ServerError ||
    (error instanceof NetworkError && error.retryable)
  );
}

/** Ends the run when the reader has gone. Without writing, this can be detected for sockets but not for pipes. */
async function checkPipe({ io }: RunContext): Promise<void> {
  await getStreamSink(io.stdout).flush(io.signal);
}

/** Yields rows up to the first new one that matches a condition; rows of the first poll are not tested. */
async function* untilMatch(context: RunContext, batches: RowBatches, condition: string): RowBatches {
  let hasFailed = false;
  const options = { signal: context.io.signal, jqTimeout: (await context.session.settings()).get("jq-timeout") };
  const { value: initialRows, done } = await batches.next();
  if (done) return;
  yield initialRows;
  for await (const rows of batches) {
    const verdicts = await evaluateCondition(rows, condition, options);
    const failure = verdicts.find((verdict) => typeof verdict === "string");
    if (failure !== undefined && !hasFailed) {
      hasFailed = true;
      await context.reporter.note(`--until could not evaluate a row, which counts as no match: ${failure}`);
    }
    const at = verdicts.indexOf(true);
    yield at < 0 ? rows : rows.slice(0, at + 1);
    if (at >= 0) return;
  }
}

/** Yields at most `limit` rows. */
async function* limitRows(batches: RowBatches, limit = Number.POSITIVE_INFINITY): RowBatches {
  let remaining = limit;
  for await (const rows of batches) {
    yield rows.slice(0, remaining);
    remaining -= rows.length;
    if (remaining <= 0) return;
  }
}

/** Prints rows as they arrive; a jq program runs on the rows of each poll. */
async function printBatches(context: RunContext, display: DisplayOptions, batches: RowBatches): Promise<number> {
  if (context.globals.jq === undefined)
    return (await context.printer.print({ kind: "rows", pages: batches }, display)).rows;
  let count = 0;
  for await (const rows of batches) {
    if (rows.length > 0) await context.printer.print({ kind: "object", value: rows }, display);
    count += rows.length;
  }
  return count;
}
