/**
 * `--follow`: prints what is new at the head of a list, again and again, each row once and in order.
 *
 * The list is looked at every so often, never more often to catch up: after a laptop slept, one look tells all. Failures
 * that may pass are outlived, with longer and longer waits; those that will not end the run. So does a reader that
 * closed its pipe, the moment or the row of `--until`, and `--limit`.
 */

import { sleep as realSleep } from "../../base/abort.ts";
import { CheckError, NetworkError, RateLimitError, ServerError, SolxError, toSentence } from "../../base/errors.ts";
import type { Json } from "../../base/json.ts";
import { pluralize } from "../../base/text.ts";
import { HOUR_SECONDS } from "../../base/time.ts";
import type { Endpoint } from "../../catalogue/endpoint.ts";
import type { ParameterValues } from "../../catalogue/index.ts";
import type { Page } from "../../client/index.ts";
import { createRowKeyer } from "../../client/paging/row-keys.ts";
import type { RunContext } from "../run/context.ts";
import { formatSpan } from "../run/progress-text.ts";
import { displayFor } from "./answers.ts";
import { checkFollow, pageSizes, parseInterval, parseUntil, type StopCondition } from "./follow-options.ts";
import { createPoller, MAX_PAGES, type PollResult } from "./follow-poller.ts";

type RowBatches = AsyncGenerator<readonly Json[], void>;

/** What the waiting is done with, so that tests need not wait. */
export interface Timing {
  readonly now: () => number;
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
}

/** Seconds between two looks while they fail, at most; a longer interval stays as it is. */
const MAX_DELAY = 600;

/**
 * Follows a list until something ends it.
 * @throws UsageError for what cannot be followed; the first failure that will not pass; CheckError for `--fail-empty`
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
  // Each retry within a request would be told otherwise, look after look.
  const stopListening = context.reporter.onEvent(({ type }) => type === "retry" || type === "wait");
  try {
    const price = (endpoint.cost.units * HOUR_SECONDS) / interval;
    const moment = end !== undefined && "at" in end ? end.at : undefined;
    const until = moment === undefined ? "" : `, until ${new Date(moment).toISOString().replace(".000Z", "Z")}`;
    const hourly = pluralize(Math.ceil(HOUR_SECONDS / interval), "request");
    await context.reporter.note(
      `Asking every ${formatSpan(interval)}${until}: an hour costs ${hourly} and ${pluralize(Math.ceil(price), "compute unit")}.`,
    );
    const batches = pollRows(context, poll, { interval, moment, timing });
    const matching = end !== undefined && "condition" in end ? untilMatch(context, batches, end.condition) : batches;
    const rows = await printBatches(context, endpoint, limitRows(matching, limit));
    if (rows === 0 && globals.failEmpty) throw new CheckError("There are no rows.", { code: "EMPTY" });
  } finally {
    stopListening();
  }
}

async function readStopCondition({ globals, io }: RunContext, now: number): Promise<StopCondition | undefined> {
  if (globals.until === undefined) return undefined;
  const end = await parseUntil(globals.until, now);
  if ("condition" in end) await (await import("../../output/jq/condition.ts")).checkCondition(end.condition, io.signal);
  return end;
}

/** A function that looks at the list. The first look gives as many rows as a page of it usually has. */
async function createListPoller(
  context: RunContext,
  endpoint: Endpoint,
  params: ParameterValues,
): Promise<() => Promise<PollResult>> {
  const client = await context.client();
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

/** @throws ServerError when an answer is no list; nothing at all is an empty one */
function rowsOfPage(page: Page | undefined): readonly Json[] {
  const { rows, data = null, status } = page?.answer ?? {};
  if (rows === undefined && data !== null) {
    throw new ServerError("The API answered with something that is no list.", {
      code: "MALFORMED",
      ...(status && { status }),
    });
  }
  return rows === undefined ? [] : (page?.rows ?? []);
}

/** How a list is looked at; times in seconds and, for moments, milliseconds since the epoch. */
interface PollSchedule {
  readonly interval: number;
  /** When following ends. */
  readonly moment?: number | undefined;
  readonly timing: Timing;
}

/** The new rows of each look. The last look is at the moment of the end. */
async function* pollRows(
  context: RunContext,
  poll: () => Promise<PollResult>,
  { interval, moment, timing }: PollSchedule,
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
      if (!result.isComplete) await context.reporter.note(gapText(interval));
      yield result.rows;
    }
    const remaining = moment === undefined ? Number.POSITIVE_INFINITY : (moment - timing.now()) / 1000;
    if (remaining <= 0) return;
    await timing.sleep(Math.min(delay, remaining) * 1000, signal);
    await checkPipe(context);
  }
}

function gapText(interval: number): string {
  const shorter = interval > 2 ? "A shorter interval or a filter helps." : "A filter helps.";
  return `More rows came than ${MAX_PAGES} pages hold: some before the next ones are missing. ${shorter}`;
}

/** Failures in a row: told once when they begin and once when they are over. */
function createBackoff(context: RunContext, interval: number, now: () => number) {
  let delay = interval;
  let since: number | undefined;
  return {
    /** @returns the seconds to wait */
    async failed(error: SolxError): Promise<number> {
      if (since === undefined) {
        since = now();
        await context.reporter.note(`${toSentence(error)} Following goes on when that has passed.`);
      }
      delay = Math.min(delay * 2, Math.max(interval, MAX_DELAY));
      return Math.max(delay, error.retryAfter ?? 0);
    },
    async recovered(): Promise<void> {
      if (since !== undefined)
        await context.reporter.note(`It works again, after ${formatSpan((now() - since) / 1000)}.`);
      since = undefined;
      delay = interval;
    },
  };
}

/** Whether the same look may succeed later. */
function isRetryable(error: unknown): error is SolxError {
  return (
    error instanceof RateLimitError ||
    error instanceof ServerError ||
    (error instanceof NetworkError && error.retryable)
  );
}

/** Ends the run when nobody reads any more, as far as that shows without writing: sockets tell it, pipes do not. */
async function checkPipe({ io }: RunContext): Promise<void> {
  const { getStreamSink: streamSink } = await import("../../output/index.ts");
  await streamSink(io.stdout).flush(io.signal);
}

/** The rows up to the new one that fulfils a condition; those that were there at the beginning do not count. */
async function* untilMatch(context: RunContext, batches: RowBatches, condition: string): RowBatches {
  const { evaluateCondition: judge } = await import("../../output/jq/condition.ts");
  let hasFailed = false;
  const { value: initialRows, done } = await batches.next();
  if (done) return;
  yield initialRows;
  for await (const rows of batches) {
    const verdicts = await judge(rows, condition, context.io.signal);
    const failure = verdicts.find((verdict) => typeof verdict === "string");
    if (failure !== undefined && !hasFailed) {
      hasFailed = true;
      await context.reporter.note(`--until could not judge a row, which counts as no: ${failure}`);
    }
    const at = verdicts.indexOf(true);
    yield at < 0 ? rows : rows.slice(0, at + 1);
    if (at >= 0) return;
  }
}

/** So many rows. */
async function* limitRows(batches: RowBatches, limit = Number.POSITIVE_INFINITY): RowBatches {
  let remaining = limit;
  for await (const rows of batches) {
    yield rows.slice(0, remaining);
    remaining -= rows.length;
    if (remaining <= 0) return;
  }
}

/** Prints rows as they come; a jq program runs on the rows of each look. */
async function printBatches(context: RunContext, endpoint: Endpoint, batches: RowBatches): Promise<number> {
  const display = displayFor(endpoint);
  if (context.globals.jq === undefined) return (await context.print({ kind: "rows", pages: batches }, display)).rows;
  let count = 0;
  for await (const rows of batches) {
    if (rows.length > 0) await context.print({ kind: "object", value: rows }, display);
    count += rows.length;
  }
  return count;
}
