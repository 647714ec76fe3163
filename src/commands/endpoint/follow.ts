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
import type { Endpoint } from "../../catalogue/endpoint.ts";
import type { ParameterValues } from "../../catalogue/index.ts";
import type { Page } from "../../client/index.ts";
import { createRowKeyer } from "../../client/paging/row-keys.ts";
import type { RunContext } from "../run/context.ts";
import { counted, shortSpan } from "../run/progress-text.ts";
import { shownAs } from "./answers.ts";
import { checkFollow, type End, endOf, intervalOf, sizesOf } from "./follow-options.ts";
import { MAX_PAGES, type Round, watcher } from "./follow-poller.ts";

type Rows = AsyncGenerator<readonly Json[], void>;

/** What the waiting is done with, so that tests need not wait. */
export interface Waiting {
  readonly now: () => number;
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
}

const HOUR = 3600;
/** Seconds between two looks while they fail, at most; a longer interval stays as it is. */
const LONGEST_WAIT = 600;

/**
 * Follows a list until something ends it.
 * @throws UsageError for what cannot be followed; the first failure that will not pass; CheckError for `--fail-empty`
 */
export async function follow(
  context: RunContext,
  endpoint: Endpoint,
  params: ParameterValues,
  { limit }: { readonly limit?: number },
  waiting: Waiting = { now: context.io.now, sleep: realSleep },
): Promise<void> {
  const { globals } = context;
  checkFollow(endpoint, params, globals);
  const interval = intervalOf(globals.follow ?? true);
  const end = await endIn(context, waiting.now());
  const look = await looker(context, endpoint, params);
  // Each retry within a request would be told otherwise, look after look.
  const stopListening = context.reporter.onEvent(({ type }) => type === "retry" || type === "wait");
  try {
    const price = (endpoint.cost.units * HOUR) / interval;
    const moment = end !== undefined && "at" in end ? end.at : undefined;
    const until = moment === undefined ? "" : `, until ${new Date(moment).toISOString().replace(".000Z", "Z")}`;
    const hourly = counted(Math.ceil(HOUR / interval), "request");
    await context.note(
      `Asking every ${shortSpan(interval)}${until}: an hour costs ${hourly} and ${counted(Math.ceil(price), "compute unit")}.`,
    );
    const rounds = rowsOf(context, look, { interval, moment, waiting });
    const chosen = end !== undefined && "condition" in end ? upTo(context, rounds, end.condition) : rounds;
    const rows = await printed(context, endpoint, firstOf(chosen, limit));
    if (rows === 0 && globals.failEmpty) throw new CheckError("There are no rows.", { code: "EMPTY" });
  } finally {
    stopListening();
  }
}

async function endIn({ globals, io }: RunContext, now: number): Promise<End | undefined> {
  if (globals.until === undefined) return undefined;
  const end = await endOf(globals.until, now);
  if ("condition" in end) await (await import("../../output/jq/condition.ts")).checkCondition(end.condition, io.signal);
  return end;
}

/** A function that looks at the list. The first look gives as many rows as a page of it usually has. */
async function looker(context: RunContext, endpoint: Endpoint, params: ParameterValues): Promise<() => Promise<Round>> {
  const client = await context.client();
  const { size, first } = sizesOf(endpoint, params);
  const read = async (at: ParameterValues = {}) => {
    const given = { ...params, ...size, ...at };
    const pages = client.pages(endpoint, given, { signal: context.io.signal, priority: "background" });
    const page = (await pages.next()).value ?? undefined;
    await pages.return();
    return { rows: listIn(page), more: page?.more, next: page?.next };
  };
  const look = watcher(createRowKeyer(endpoint.identity), read);
  let isFirst = true;
  return async () => {
    const round = await look();
    const rows = isFirst ? round.rows.slice(-first) : round.rows;
    isFirst = false;
    return { ...round, rows };
  };
}

/** @throws ServerError when an answer is no list; nothing at all is an empty one */
function listIn(page: Page | undefined): readonly Json[] {
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
interface Pace {
  readonly interval: number;
  /** When following ends. */
  readonly moment?: number | undefined;
  readonly waiting: Waiting;
}

/** The new rows of each look. The last look is at the moment of the end. */
async function* rowsOf(context: RunContext, look: () => Promise<Round>, { interval, moment, waiting }: Pace): Rows {
  const { signal } = context.io;
  const trouble = troubles(context, interval, waiting.now);
  let hasBegun = false;
  for (;;) {
    const round = await look().catch((error: unknown) => {
      if (!hasBegun || !mayPass(error) || signal.aborted) throw error;
      return error;
    });
    const hasFailed = round instanceof SolxError;
    const delay = hasFailed ? await trouble.met(round) : interval;
    if (!hasFailed) {
      hasBegun = true;
      await trouble.over();
      if (!round.isWhole) await context.note(gapText(interval));
      yield round.rows;
    }
    const left = moment === undefined ? Number.POSITIVE_INFINITY : (moment - waiting.now()) / 1000;
    if (left <= 0) return;
    await waiting.sleep(Math.min(delay, left) * 1000, signal);
    await checkReader(context);
  }
}

function gapText(interval: number): string {
  const shorter = interval > 2 ? "A shorter interval or a filter helps." : "A filter helps.";
  return `More rows came than ${MAX_PAGES} pages hold: some before the next ones are missing. ${shorter}`;
}

/** Failures in a row: told once when they begin and once when they are over. */
function troubles(context: RunContext, interval: number, now: () => number) {
  let delay = interval;
  let since: number | undefined;
  return {
    /** @returns the seconds to wait */
    async met(error: SolxError): Promise<number> {
      if (since === undefined) {
        since = now();
        await context.note(`${toSentence(error)} Following goes on when that has passed.`);
      }
      delay = Math.min(delay * 2, Math.max(interval, LONGEST_WAIT));
      return Math.max(delay, error.retryAfter ?? 0);
    },
    async over(): Promise<void> {
      if (since !== undefined) await context.note(`It works again, after ${shortSpan((now() - since) / 1000)}.`);
      since = undefined;
      delay = interval;
    },
  };
}

/** Whether the same look may succeed later. */
function mayPass(error: unknown): error is SolxError {
  return (
    error instanceof RateLimitError ||
    error instanceof ServerError ||
    (error instanceof NetworkError && error.retryable)
  );
}

/** Ends the run when nobody reads any more, as far as that shows without writing: sockets tell it, pipes do not. */
async function checkReader({ io }: RunContext): Promise<void> {
  const { getStreamSink: streamSink } = await import("../../output/index.ts");
  await streamSink(io.stdout).flush(io.signal);
}

/** The rows up to the new one that fulfils a condition; those that were there at the beginning do not count. */
async function* upTo(context: RunContext, rounds: Rows, condition: string): Rows {
  const { evaluateCondition: judge } = await import("../../output/jq/condition.ts");
  let hasFailed = false;
  const { value: known, done } = await rounds.next();
  if (done) return;
  yield known;
  for await (const rows of rounds) {
    const verdicts = await judge(rows, condition, context.io.signal);
    const failure = verdicts.find((verdict) => typeof verdict === "string");
    if (failure !== undefined && !hasFailed) {
      hasFailed = true;
      await context.note(`--until could not judge a row, which counts as no: ${failure}`);
    }
    const at = verdicts.indexOf(true);
    yield at < 0 ? rows : rows.slice(0, at + 1);
    if (at >= 0) return;
  }
}

/** So many rows. */
async function* firstOf(rounds: Rows, limit = Number.POSITIVE_INFINITY): Rows {
  let left = limit;
  for await (const rows of rounds) {
    yield rows.slice(0, left);
    left -= rows.length;
    if (left <= 0) return;
  }
}

/** Prints rows as they come; a jq program runs on the rows of each look. */
async function printed(context: RunContext, endpoint: Endpoint, rounds: Rows): Promise<number> {
  const shown = shownAs(endpoint);
  if (context.globals.jq === undefined) return (await context.print({ kind: "rows", pages: rounds }, shown)).rows;
  let count = 0;
  for await (const rows of rounds) {
    if (rows.length > 0) await context.print({ kind: "object", value: rows }, shown);
    count += rows.length;
  }
  return count;
}
