/**
 * `--follow`: polls a list and prints new rows, each once and in order. The interval is never shortened to catch up:
 * after a suspended laptop wakes, one poll finds everything. Temporary failures are retried with increasing delays;
 * other failures end the run. So do a closed pipe, the time or row of `--until`, and `--limit`. A run that lost rows
 * because too many arrived at once ends as incomplete.
 */
import {
  CheckError,
  formatMoment,
  formatSpan,
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
  UsageError,
} from "../../base/index.ts";
import { type Endpoint, findParamByRole, optionName, type ParameterValues } from "../../catalogue/index.ts";
import { createRowKeyer, type Page } from "../../client/index.ts";
import { compileProgram, evaluateCondition, findFormat, getStreamSink } from "../../output/index.ts";
import { parseInterval } from "../number-option.ts";
import { failsOn, type GlobalOptions, TIME_KEYS } from "../options/global-options.ts";
import { parseDuration } from "../run/arguments.ts";
import type { DisplayOptions, RunContext } from "../run/context.ts";
import { sourceOf } from "../run/data-source.ts";
import { deriveFields, displayFor, type Query } from "./answers.ts";
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
  { endpoint, params, requestedRows: { limit, skip } }: Query,
  timing: Timing = { now: context.io.now, sleep: realSleep },
): Promise<void> {
  const { globals } = context;
  checkFollow(endpoint, params, globals);
  if (skip !== undefined)
    throw new UsageError("--follow takes a number of rows as --limit: following starts with the newest rows.");
  const interval = parseInterval("--follow", globals.follow ?? true, INTERVAL);
  const end = await readStopCondition(context, timing.now());
  const poll = await createListPoller(context, endpoint, params);
  const totals = { rows: 0, requests: 0 };
  // Suppresses messages about retries within each poll.
  const stopListening = context.reporter.onEvent(({ type }) => {
    if (type === "request") totals.requests += 1;
    return type === "retry" || type === "wait";
  });
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
    const printed = countRows(limitRows(matching, limit), totals);
    await printBatches(context, derived?.extend(displayFor(endpoint)) ?? displayFor(endpoint), printed);
    if (gaps > 0) throw lostRowsError(gaps);
    if (totals.rows === 0 && failsOn(globals, "empty")) throw new CheckError("There are no rows.", { code: "EMPTY" });
  } finally {
    stopListening();
    const { rows, requests } = totals;
    // At a terminal the rows themselves are seen.
    if (requests > 0 && !context.io.stderr.isTTY)
      await context.reporter.note(`${pluralize(rows, "row")}, ${pluralize(requests, "request")}.`);
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
    return { rows: rowsOfPage(page), hasMore: page?.hasMore, next: page?.next };
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
    throw new ServerError("The answer of the API is not a list.", { code: "MALFORMED", status });
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

async function* limitRows(batches: RowBatches, limit = Number.POSITIVE_INFINITY): RowBatches {
  let remaining = limit;
  for await (const rows of batches) {
    yield rows.slice(0, remaining);
    remaining -= rows.length;
    if (remaining <= 0) return;
  }
}

async function* countRows(batches: RowBatches, totals: { rows: number }): RowBatches {
  for await (const rows of batches) {
    totals.rows += rows.length;
    yield rows;
  }
}

/** Prints rows as they arrive; a jq program runs on the rows of each poll. */
async function printBatches(context: RunContext, display: DisplayOptions, batches: RowBatches): Promise<void> {
  if (context.globals.jq === undefined)
    return void (await context.printer.print({ kind: "rows", pages: batches }, display));
  for await (const rows of batches)
    if (rows.length > 0) await context.printer.print({ kind: "object", value: rows }, display);
}

/** The polling interval in seconds. */
const INTERVAL = { min: 2, default: 30 };

/** When following ends: at a time in milliseconds since the epoch, or with the first row that matches a condition. */
export type StopCondition = { readonly at: number } | { readonly condition: string };

const TIME_OF_DAY = /^(\d{1,2}):(\d{2})$/;
/** A single word is not a condition on a row. */
const WORD = /^[A-Za-z][\w-]*$/;
const MOMENT = /^(\d+|\d{4}-\d{2}-\d{2}([T ].*)?|now|today|yesterday)$/i;

/**
 * Parses `--until`: a duration from now (`2h`), a time (ISO 8601, Unix seconds, or `18:00` local time), or else a jq
 * condition.
 * @throws UsageError when it is empty, invalid or in the past
 */
export async function parseUntil(text: string, now: number): Promise<StopCondition> {
  const input = text.trim();
  if (input === "") throw new UsageError("--until needs a value.", { hint: "For example: --until 2h" });
  if (/[a-z]$/i.test(input)) {
    const span = parseDuration(input);
    if (span !== undefined) return { at: now + span * 1000 };
  }
  const at = nextTimeOfDay(input, now) ?? (MOMENT.test(input) ? await parseMoment(input, now) : undefined);
  if (at === undefined && WORD.test(input)) {
    throw new UsageError(`invalid value "${input}" for --until: expected a duration, a time or a jq condition`, {
      hint: "For example: --until 2h, --until 18:00, --until '.amount > 1000000'",
    });
  }
  if (at === undefined) return { condition: input };
  if (at <= now)
    throw new UsageError(`--until ${input} is in the past.`, { hint: "Give a future time, or a duration such as 2h." });
  return { at };
}

async function parseMoment(text: string, now: number): Promise<number> {
  const { parseUnixTime: momentOf } = await import("../../client/index.ts");
  return momentOf(text, "--until", now) * 1000;
}

/** Returns the next occurrence of a time of day in local time. */
function nextTimeOfDay(text: string, now: number): number | undefined {
  const [, hour, minute] = TIME_OF_DAY.exec(text) ?? [];
  if (hour === undefined || Number(hour) > 23 || Number(minute) > 59) return undefined;
  const moment = new Date(now);
  moment.setHours(Number(hour), Number(minute), 0, 0);
  if (moment.getTime() <= now) moment.setDate(moment.getDate() + 1);
  return moment.getTime();
}

const CONFLICTS: Readonly<Partial<Record<keyof GlobalOptions, readonly [flag: string, why: string]>>> = {
  all: ["--all", "a followed list has no end."],
  out: ["--out", "the file would never be complete. Redirect the rows to a file with >."],
  resume: ["--resume", "following starts with the newest rows."],
  envelope: ["--envelope", "rows come from many answers."],
};

/** Checks that a list can be followed with the given options. @throws UsageError with the reason when it cannot */
export function checkFollow(endpoint: Endpoint, params: ParameterValues, globals: GlobalOptions): void {
  const refusal = (message: string, hint?: string) => new UsageError(message, { hint });
  if (globals.cache === "only")
    throw refusal("--follow and --cache only cannot be used together: new rows are not in the cache.");
  for (const [name, [flag, why]] of Object.entries(CONFLICTS)) {
    if (globals[name as keyof GlobalOptions] !== undefined)
      throw refusal(`--follow and ${flag} cannot be used together: ${why}`);
  }
  if (globals.jq === undefined && findFormat(globals.output)?.isEndless === false) {
    throw refusal(
      "--follow cannot print a JSON document: a followed list has no end.",
      "Use -o ndjson, which prints one row per line.",
    );
  }
  const problem = orderProblem(endpoint, params) ?? windowProblem(endpoint, params);
  if (problem !== undefined) throw refusal(`--follow: ${problem}`, FOLLOWABLE_HINT);
}

const FOLLOWABLE_HINT =
  "Only lists with the newest rows first can be followed: solx account transfer <address> --follow";

/** Whether a list returns the newest rows first, with an identity for each row. */
export function isNewestFirst(endpoint: Endpoint, params: ParameterValues = {}): boolean {
  return orderProblem(endpoint, params) === undefined;
}

function orderProblem(endpoint: Endpoint, params: ParameterValues): string | undefined {
  const { query, identity, returns, newestFirst } = endpoint;
  if (returns.shape !== "rows" || identity === undefined) return `${endpoint.command} does not return a growing list.`;
  const value = (name: string) => params[name] ?? query[name]?.default;
  const key = value("sort_by");
  if (query.sort_by === undefined ? !newestFirst : !TIME_KEYS.has(key)) {
    const by = key === undefined ? "" : `; they are sorted by ${String(key)}`;
    return `${endpoint.command} does not return the newest rows first${by}.`;
  }
  return value("sort_order") === "asc" ? "with --sort-order asc, the newest rows come last." : undefined;
}

/** Returns why the selected part of the list can never contain new rows, if so. */
function windowProblem(endpoint: Endpoint, params: ParameterValues): string | undefined {
  const input = Object.entries(endpoint.query).filter(([name]) => params[name] !== undefined);
  const endParam = input.find(([, { role, type, arity }]) => role === "to" || (type === "time" && arity === "range"));
  if (endParam) return `${optionFlag(endParam[0])} ends the list before any new rows.`;
  const startParam = input.find(([, { role }]) => role === "page" || role === "offset" || role === "cursor");
  return startParam && `${optionFlag(startParam[0])} starts below the newest rows.`;
}

const optionFlag = (name: string) => `--${optionName(name)}`;

/** Returns the page size of a poll (the maximum, which costs the same) and the number of rows the first poll prints. */
export function pageSizes(
  endpoint: Endpoint,
  params: ParameterValues,
): { readonly size: ParameterValues; readonly first: number } {
  const [name, param] = findParamByRole(endpoint, "size") ?? [];
  if (name === undefined || param === undefined) return { size: {}, first: Number.POSITIVE_INFINITY };
  const requestedSize = params[name];
  const sizes = param.values?.map(Number) ?? [Number(param.max ?? param.default)];
  const first = Number(requestedSize ?? param.default ?? Math.min(...sizes));
  return { size: requestedSize === undefined ? { [name]: Math.max(...sizes) } : {}, first };
}
