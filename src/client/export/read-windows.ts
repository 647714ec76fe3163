/**
 * Everything of an export, though one answer has at most 5000 rows and one export a minute is allowed: the time range is
 * read window by window (`exports-windows.ts`), newest first unless the rows come the other way round.
 *
 * Never a silent hole. A second that alone has as many rows as an export gives is given as far as it came, and named:
 * at once as a note, and at the end as an IncompleteError. Rows with times that were not asked for are left out and
 * counted there too, unless the window was the whole range, where no other window can have them. A full answer that
 * holds such rows, or rows without a time, cannot be cut: reading ends there.
 *
 * Waiting for an export's turn is no failure: when the API refuses an export because another came before it, it is asked
 * for again a minute later.
 */

import {
  IncompleteError,
  ignoreFailure,
  type JsonObject,
  RateLimitError,
  ServerError,
  UsageError,
} from "../../base/index.ts";
import {
  commandLine,
  type Endpoint,
  EXPORT_INTERVAL_SECONDS,
  MAX_EXPORT_ROWS,
  type ParameterValues,
  pagedSourceOf,
  type Rate,
  VALIDATION_CODE,
  validationMessages,
} from "../../catalogue/index.ts";
import type { Answer } from "../http/decode.ts";
import type { ClientEvent } from "../options.ts";
import {
  type ExportEstimate,
  estimateExports,
  estimateRequests,
  fetchOldestTime,
  maxPageSize,
} from "../paging/estimate.ts";
import type { Page } from "../paging/page.ts";
import { formatIso } from "../request/times.ts";
import { type ExportRange, resolveExportRange } from "./time-range.ts";
import { type ClassifiedRows, classifyRows, createRowClock, type RowClock } from "./window-rows.ts";
import {
  type ExportProgress,
  type ExportWindow,
  judgeAnswer,
  nextWindow,
  parseProgress,
  remainingSeconds,
  remainingWindows,
  serializeProgress,
  startProgress,
  TARGET_FILL,
  type Verdict,
} from "./windows.ts";

/** An export that can be asked for. */
export interface ExportSource {
  readonly endpoint: Endpoint;
  readonly params: ParameterValues;
  readonly fetch: (endpoint: Endpoint, params: ParameterValues) => Promise<Answer>;
  /** Milliseconds since the epoch when reading begins. */
  readonly now: number;
  readonly onEvent: (event: ClientEvent) => void;
  /** Waits after a refusal; without it, a refusal ends reading. */
  readonly sleep?: ((milliseconds: number) => Promise<void>) | undefined;
  /** The rate of other requests, to tell what pages would take. */
  readonly rate?: Rate | undefined;
  /** Rows that one answer has at most. */
  readonly maxRows?: number | undefined;
}

/** How much of an export is wanted. */
export interface ExportOptions {
  readonly limit?: number | undefined;
  /** The state of a page of an earlier reading: reading goes on after that page. */
  readonly resume?: JsonObject | undefined;
  /** Told before the first row, and waited for, when one export does not hold all rows. */
  readonly onEstimate?: ((estimate: ExportEstimate) => Promise<void> | void) | undefined;
}

/** Refusals in a row after which an export is given up. */
const MAX_REFUSALS = 10;

/**
 * Reads an export window by window; each page is a window.
 * @throws what fetching throws; UsageError for parameters that the API would refuse, a limit below 1 or a foreign
 *   state; IncompleteError after the rows when some could not be had
 */
export async function* readExportWindows(
  source: ExportSource,
  options: ExportOptions = {},
): AsyncGenerator<Page, void> {
  const { limit = Number.POSITIVE_INFINITY, resume } = options;
  if (!(limit >= 1)) throw new UsageError(validationMessages.atLeast("limit", 1), { code: VALIDATION_CODE });
  const range = resolveExportRange(source.endpoint, source.params, source.now);
  for (const text of range.request.notes) source.onEvent({ type: "note", text });
  const clock = await createRowClock(source.endpoint);
  let progress = resume
    ? resumeProgress(resume)
    : startProgress(range.from, range.to, source.params.sort_order === "asc");
  let isEstimated = resume !== undefined;
  while (remainingSeconds(progress) > 0 && progress.rows < limit) {
    const step = await read(source, { range, clock, progress });
    if (!step) throw notAListError(source);
    if ("other" in step) return yield { ...NOTHING, rows: [step.other.data], answer: step.other, state: () => ({}) };
    const { answer, sorted, given, verdict } = step;
    progress = verdict.progress;
    if (verdict.kind === "again") {
      if (!isEstimated) progress = { ...progress, oldest: await estimate(source, options, { range, sorted }) };
      isEstimated = true;
      continue;
    }
    const rows = given.slice(0, limit - progress.rows);
    progress = { ...progress, rows: progress.rows + rows.length };
    const state = { start: source.now, ...serializeProgress(progress) };
    reportProgress(source, progress);
    const cut = rows.length < given.length;
    const more = cut || (remainingSeconds(progress) > 0 ? undefined : false);
    yield { rows, answer, more, cut, dropped: sorted.beside, next: undefined, state: () => state };
  }
  checkComplete(source, progress);
}

const NOTHING = { more: false, cut: false, dropped: 0, next: undefined } as const;

/** The windows that were read, and how to read their rows. */
interface ExportReading {
  readonly range: ExportRange;
  readonly clock: RowClock;
  readonly progress: ExportProgress;
}

/** An answer and what follows from it; an answer that is no list where it is the first one. */
type Step =
  | {
      readonly answer: Answer;
      readonly sorted: ClassifiedRows;
      readonly given: ClassifiedRows["inside"];
      readonly verdict: Verdict;
    }
  | { readonly other: Answer };

/** Asks for the next window; undefined where a later answer is no list. */
async function read(source: ExportSource, { range, clock, progress }: ExportReading): Promise<Step | undefined> {
  const { maxRows: most = MAX_EXPORT_ROWS, endpoint } = source;
  const window = nextWindow(progress);
  const answer = await fetchPatiently(source, () => source.fetch(endpoint, range.between(window.from, window.to)));
  if (answer.rows === undefined) return progress.windows === 0 ? { other: answer } : undefined;
  const sorted = classifyRows(answer.rows, clock, window);
  const isFull = sorted.times.count >= most;
  if (isFull && (sorted.strays.length > 0 || sorted.undated > 0)) throw cannotSplitError(source, window, sorted);
  const verdict = judgeAnswer(progress, window, sorted.times, most);
  const isWhole = window.from === progress.from && window.to === progress.to;
  reportAnomalies(source, window, { sorted, verdict, isWhole });
  if (sorted.strays.length === 0) return { answer, sorted, given: sorted.inside, verdict };
  if (isWhole) return { answer, sorted, given: answer.rows, verdict };
  const strays = verdict.progress.strays + sorted.strays.length;
  return { answer, sorted, given: sorted.inside, verdict: { ...verdict, progress: { ...verdict.progress, strays } } };
}

/** Asks again, a minute later, while the API says that it is too soon. */
async function fetchPatiently(source: ExportSource, fetch: () => Promise<Answer>): Promise<Answer> {
  for (let refusals = 1; ; refusals += 1) {
    try {
      return await fetch();
    } catch (error) {
      if (!(error instanceof RateLimitError) || !source.sleep || refusals >= MAX_REFUSALS) throw error;
      const seconds = Math.max(EXPORT_INTERVAL_SECONDS, error.retryAfter ?? 0);
      source.onEvent({ type: "wait", reason: "export", seconds });
      await source.sleep(seconds * 1000);
    }
  }
}

/** @throws UsageError when it is no state of an export */
function resumeProgress(state: JsonObject): ExportProgress {
  const progress = parseProgress(state);
  if (progress) return progress;
  throw new UsageError("The reading cannot go on: its state is not that of an export.", { code: "BAD_STATE" });
}

/**
 * Tells what the reading takes, as far as a full answer over the whole range and the oldest row let it be known.
 * @returns the time of the oldest row, where it could be asked for
 */
async function estimate(
  { endpoint, fetch, rate, maxRows: most = MAX_EXPORT_ROWS }: ExportSource,
  { limit, onEstimate }: ExportOptions,
  { range, sorted }: { readonly range: ExportRange; readonly sorted: ClassifiedRows },
): Promise<number | undefined> {
  const sibling = pagedSourceOf(endpoint);
  const { earliest = range.from, latest = range.to } = sorted.times;
  const whole = range.between(range.from, range.to);
  const oldest =
    limit === undefined && sibling
      ? await fetchOldestTime(sibling, whole, (given) => fetch(sibling, given)).catch(ignoreFailure)
      : undefined;
  const dense = Math.round((most * (latest - (oldest ?? latest))) / Math.max(1, latest - earliest));
  const rows = limit ?? (oldest === undefined ? undefined : Math.max(most, dense));
  const pages =
    sibling && rows !== undefined && estimateRequests(sibling, Math.ceil(rows / maxPageSize(sibling)), rate);
  await onEstimate?.({
    rows,
    // The one that was full is one more.
    exports: rows === undefined ? undefined : estimateExports(endpoint, 1 + Math.ceil(rows / (TARGET_FILL * most))),
    ...(pages && { pages }),
  });
  return oldest;
}

function reportProgress({ onEvent: tell }: ExportSource, progress: ExportProgress): void {
  const remaining = remainingWindows(progress);
  const { windows, rows } = progress;
  tell({
    type: "export",
    window: windows,
    of: windows + remaining,
    rows,
    seconds: remaining * EXPORT_INTERVAL_SECONDS,
  });
}

function reportAnomalies(
  { onEvent: tell, maxRows: most = MAX_EXPORT_ROWS }: ExportSource,
  { first, from, to }: ExportWindow,
  {
    sorted,
    verdict,
    isWhole,
  }: { readonly sorted: ClassifiedRows; readonly verdict: Verdict; readonly isWhole: boolean },
): void {
  const note = (text: string) => tell({ type: "warning", text });
  const asked = `${formatIso(from)} to ${formatIso(to)}`;
  if (verdict.kind === "gap") note(`${formatIso(first)} alone has ${most} rows or more: the rest of it cannot be had.`);
  if (sorted.undated > 0) note(`${sorted.undated} rows of ${asked} have no time that can be read.`);
  const { length } = sorted.strays;
  if (length > 0) note(`${length} rows came with times outside of ${asked}${isWhole ? "" : "; they are left out"}.`);
}

function notAListError({ endpoint }: ExportSource): ServerError {
  return new ServerError(`The API answered ${endpoint.command} with something that is no list.`, {
    code: "MALFORMED",
    hint: "Read the rest in parts, or try again later.",
  });
}

function cannotSplitError(
  { endpoint }: ExportSource,
  { from, to }: ExportWindow,
  { strays, times }: ClassifiedRows,
): IncompleteError {
  const what = strays.length > 0 ? "with times that were not asked for" : "without a time";
  return new IncompleteError(
    `The export cannot be cut: of ${formatIso(from)} to ${formatIso(to)} the API gave ${times.count} rows, its most, some of them ${what}.`,
    { code: "STUCK", hint: viaPages(endpoint) ?? "Ask for shorter times with fewer rows." },
  );
}

const viaPages = (endpoint: Endpoint) =>
  pagedSourceOf(endpoint) && `Page by page they can be had: solx ${endpoint.command} … --all --via pages`;

/** @throws IncompleteError when rows could not be had */
function checkComplete(
  { endpoint, params, maxRows: most = MAX_EXPORT_ROWS }: ExportSource,
  { gaps, strays }: ExportProgress,
): void {
  if (gaps.length === 0 && strays === 0) return;
  const seconds = gaps.map((second) => `${formatIso(second)} (${second})`).join(", ");
  const many = gaps.length === 1 ? "one second has" : `${gaps.length} seconds have`;
  const gap = `${many} ${most} rows or more, the most that an export gives, and rows beyond that are missing: ${seconds}.`;
  const stray = `${strays} rows came with times that were not asked for, and were left out.`;
  const parts = [...(gaps.length > 0 ? [gap] : []), ...(strays > 0 ? [stray] : [])];
  const message = `The export is not complete: ${parts.join(" ")}`;
  throw new IncompleteError(message, { code: "INCOMPLETE_EXPORT", hint: gapHint(endpoint, params, gaps[0]) });
}

/** The command that has all rows of a second. */
function gapHint(endpoint: Endpoint, params: ParameterValues, second: number | undefined): string {
  const sibling = pagedSourceOf(endpoint);
  if (!sibling || second === undefined) return "Ask for the same with other filters, such as one kind or one token.";
  const { block_time, from_time, to_time, ...filters } = params;
  const window = { ...filters, from_time: second, to_time: second };
  return `All rows of a second, page by page: ${commandLine(sibling, window, ["--all"])}`;
}
