/**
 * Reads a complete export, although one answer has at most 5000 rows and only one export per minute is allowed: the
 * time range is read window by window (`windows.ts`), newest first unless the rows are in the opposite order.
 *
 * Rows are never lost silently. A second that alone has as many rows as an export contains is returned as far as
 * possible and reported: at once as a warning, and at the end as an IncompleteError. Rows with times outside the
 * request are left out and reported there, too, unless the window was the whole range, where no other window can
 * contain them. A full answer with such rows, or with rows without a time, cannot be split: reading ends there.
 *
 * Waiting for the next export is not a failure: when the API refuses an export because another one was too recent, it
 * is requested again a minute later.
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
} from "../../catalogue/index.ts";
import { type Answer, SKEW_SECONDS } from "../answer/answer.ts";
import type { ClientEvent } from "../options.ts";
import {
  type ExportEstimate,
  estimateExports,
  estimateRequests,
  fetchOldestTime,
  maxPageSize,
} from "../paging/estimate.ts";
import { limitError, type Page } from "../paging/page.ts";
import { findEndTime } from "../paging/time-windows.ts";
import { formatIso } from "../request/wire-values.ts";
import { type ExportRange, resolveExportRange } from "./time-range.ts";
import {
  type ClassifiedRows,
  checkColumns,
  classifyRows,
  createRowClock,
  type ExportProgress,
  type ExportWindow,
  judgeAnswer,
  nextWindow,
  parseProgress,
  type RowClock,
  remainingSeconds,
  remainingWindows,
  serializeProgress,
  startProgress,
  TARGET_FILL,
  type Verdict,
} from "./windows.ts";

/** An export that can be read. */
export interface ExportSource {
  readonly endpoint: Endpoint;
  readonly params: ParameterValues;
  readonly fetch: (endpoint: Endpoint, params: ParameterValues) => Promise<Answer>;
  /** When reading began, in milliseconds since the epoch. */
  readonly now: number;
  readonly onEvent: (event: ClientEvent) => void;
  /** Waits after a refusal; without it, a refusal ends reading. */
  readonly sleep?: ((milliseconds: number) => Promise<void>) | undefined;
  /** The rate of other requests, to estimate reading by pages. */
  readonly rate?: Rate | undefined;
  readonly maxRows?: number | undefined;
}

/** How much of an export to read. */
export interface ExportOptions {
  readonly limit?: number | undefined;
  /** The state of a page that was read earlier: reading resumes after that page. */
  readonly resume?: JsonObject | undefined;
  /** Called before the first row, and awaited, when one export does not contain all rows. */
  readonly onEstimate?: ((estimate: ExportEstimate) => Promise<void> | void) | undefined;
}

/** Consecutive refusals after which reading fails. */
const MAX_REFUSALS = 10;

/**
 * Reads an export window by window; each page is a window.
 * @throws what fetching throws; UsageError for invalid parameters, a limit below 1 or an invalid state; IncompleteError
 * after the rows when some could not be read
 */
export async function* readExportWindows(
  source: ExportSource,
  options: ExportOptions = {},
): AsyncGenerator<Page, void> {
  const { limit = Number.POSITIVE_INFINITY, resume } = options;
  if (!(limit >= 1)) throw limitError(limit);
  const range = resolveExportRange(source.endpoint, source.params, source.now);
  for (const text of range.request.notes) source.onEvent({ type: "note", text });
  const clock = await createRowClock(source.endpoint);
  let progress = resume
    ? resumeProgress(resume)
    : startProgress(range.from, range.to, source.params.sort_order === "asc");
  let isEstimated = resume !== undefined;
  let isFirst = resume === undefined;
  while (remainingSeconds(progress) > 0 && progress.rows < limit) {
    const step = await read(source, { range, clock, progress, isFirst });
    isFirst = false;
    if (!step) throw notAListError(source);
    if ("nonList" in step)
      return yield { ...NOTHING, rows: [step.nonList.data], answer: step.nonList, state: () => ({}) };
    const { answer, sorted, rows: windowRows, verdict } = step;
    progress = verdict.progress;
    if (verdict.kind === "again") {
      if (!isEstimated)
        progress = { ...progress, oldest: await estimate(source, options, { range, progress, sorted }) };
      isEstimated = true;
      continue;
    }
    const rows = windowRows.slice(0, limit - progress.rows);
    progress = { ...progress, rows: progress.rows + rows.length };
    const state = { start: source.now, ...serializeProgress(progress) };
    reportProgress(source, progress);
    const cut = rows.length < windowRows.length;
    const more = cut || (remainingSeconds(progress) > 0 ? undefined : false);
    yield { rows, answer, hasMore: more, isCut: cut, dropped: sorted.beside, next: undefined, state: () => state };
  }
  checkComplete(source, progress);
}

const NOTHING = { hasMore: false, isCut: false, dropped: 0, next: undefined } as const;

interface ExportReading {
  readonly range: ExportRange;
  readonly clock: RowClock;
  readonly progress: ExportProgress;
  readonly isFirst: boolean;
}

/** An answer and its evaluation; or a first answer that is not a list. */
type WindowRead =
  | {
      readonly answer: Answer;
      readonly sorted: ClassifiedRows;
      readonly rows: ClassifiedRows["inside"];
      readonly verdict: Verdict;
    }
  | { readonly nonList: Answer };

async function read(source: ExportSource, reading: ExportReading): Promise<WindowRead | undefined> {
  const { maxRows = MAX_EXPORT_ROWS } = source;
  const { range, clock } = reading;
  const { answer, progress } = await (reading.isFirst && range.isOpen ? fetchOpenRange : fetchWindow)(source, reading);
  const window = nextWindow(progress);
  if (answer.rows === undefined) return progress.windows === 0 ? { nonList: answer } : undefined;
  const sorted = classifyRows(answer.rows, clock, window);
  const isFull = sorted.times.count >= maxRows;
  if (isFull && (sorted.strays.length > 0 || sorted.undated > 0)) throw cannotSplitError(source, window, sorted);
  const verdict = judgeAnswer(progress, window, sorted.times, maxRows);
  if (verdict.kind === "again") return { answer, sorted, rows: sorted.inside, verdict };
  const columns = checkColumns(sorted.inside, progress.columns, window);
  const isWhole = window.from === progress.from && window.to === progress.to;
  reportAnomalies(source, window, { sorted, verdict, isWhole });
  const strays = verdict.progress.strays + (isWhole ? 0 : sorted.strays.length);
  const rows = isWhole && sorted.strays.length > 0 ? answer.rows : sorted.inside;
  return { answer, sorted, rows, verdict: { ...verdict, progress: { ...verdict.progress, columns, strays } } };
}

async function fetchWindow(source: ExportSource, { range, progress }: ExportReading) {
  const { from, to } = nextWindow(progress);
  return {
    answer: await fetchPatiently(source, () => source.fetch(source.endpoint, range.between(from, to))),
    progress,
  };
}

/**
 * Requests a range without an end. It ends at the time of the server: with a slow local clock the newest rows would be
 * left out. Where the endpoint needs an end and the local time is too early, the range is requested again.
 */
async function fetchOpenRange(source: ExportSource, { range, clock, progress }: ExportReading) {
  const fetch = (to: number | undefined) =>
    fetchPatiently(source, () => source.fetch(source.endpoint, range.between(range.from, to)));
  const answer = await fetch(range.firstTo);
  const end = Math.max(range.from, findEndTime(answer, source.now, (answer.rows ?? []).map(clock)));
  const endAt = (to: number) => startProgress(range.from, to, progress.ascending);
  if (range.firstTo === undefined) return { answer, progress: endAt(end) };
  if (end <= range.firstTo + SKEW_SECONDS.tolerable) return { answer, progress };
  return { answer: await fetch(end), progress: endAt(end) };
}

/** Repeats a request a minute later while the API answers that it is too soon. */
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

/** @throws UsageError when it is not the state of an export */
function resumeProgress(state: JsonObject): ExportProgress {
  const progress = parseProgress(state);
  if (progress) return progress;
  throw new UsageError("Reading cannot resume: this is not the state of an export.", { code: "BAD_STATE" });
}

/**
 * Reports the effort of reading, estimated from a full answer over the whole range and the oldest row.
 * @returns the time of the oldest row, where it could be requested
 */
async function estimate(
  { endpoint, fetch, rate, maxRows = MAX_EXPORT_ROWS }: ExportSource,
  { limit, onEstimate }: ExportOptions,
  { range, progress, sorted }: Omit<ExportReading, "clock" | "isFirst"> & { readonly sorted: ClassifiedRows },
): Promise<number | undefined> {
  const sibling = pagedSourceOf(endpoint);
  const { earliest = progress.from, latest = progress.to } = sorted.times;
  const whole = range.between(progress.from, progress.to);
  const oldest =
    limit === undefined && sibling
      ? await fetchOldestTime(sibling, whole, (params) => fetch(sibling, params)).catch(ignoreFailure)
      : undefined;
  const dense = Math.round((maxRows * (latest - (oldest ?? latest))) / Math.max(1, latest - earliest));
  const rows = limit ?? (oldest === undefined ? undefined : Math.max(maxRows, dense));
  const pages =
    sibling && rows !== undefined && estimateRequests(sibling, Math.ceil(rows / maxPageSize(sibling)), rate);
  await onEstimate?.({
    rows,
    // The full answer was one more request.
    exports: rows === undefined ? undefined : estimateExports(endpoint, 1 + Math.ceil(rows / (TARGET_FILL * maxRows))),
    ...(pages && { pages }),
  });
  return oldest;
}

function reportProgress({ onEvent }: ExportSource, progress: ExportProgress): void {
  const remaining = remainingWindows(progress);
  const { windows, rows } = progress;
  onEvent({
    type: "export",
    window: windows,
    of: windows + remaining,
    rows,
    seconds: remaining * EXPORT_INTERVAL_SECONDS,
  });
}

function reportAnomalies(
  { onEvent, maxRows = MAX_EXPORT_ROWS }: ExportSource,
  { first, from, to }: ExportWindow,
  {
    sorted,
    verdict,
    isWhole,
  }: { readonly sorted: ClassifiedRows; readonly verdict: Verdict; readonly isWhole: boolean },
): void {
  const note = (text: string) => onEvent({ type: "warning", text });
  const period = `${formatIso(from)} to ${formatIso(to)}`;
  if (verdict.kind === "gap")
    note(`${formatIso(first)} alone has ${maxRows} rows or more; those beyond ${maxRows} cannot be exported.`);
  if (sorted.undated > 0) note(`${sorted.undated} rows of ${period} have no valid time.`);
  const { length } = sorted.strays;
  if (length > 0) note(`${length} rows have times outside ${period}${isWhole ? "" : " and are left out"}.`);
}

function notAListError({ endpoint }: ExportSource): ServerError {
  return new ServerError(`The API answered ${endpoint.command} with something that is not a list.`, {
    code: "MALFORMED",
    hint: "Read the rest in parts, or try again later.",
  });
}

function cannotSplitError(
  { endpoint }: ExportSource,
  { from, to }: ExportWindow,
  { strays, times }: ClassifiedRows,
): IncompleteError {
  const what = strays.length > 0 ? "with times outside the request" : "without a time";
  return new IncompleteError(
    `The export cannot be split: from ${formatIso(from)} to ${formatIso(to)} the API returned its maximum of ${times.count} rows, some of them ${what}.`,
    { code: "STUCK", hint: viaPages(endpoint) ?? "Request a shorter time range with fewer rows." },
  );
}

function viaPages(endpoint: Endpoint): string | undefined {
  const paged = pagedSourceOf(endpoint);
  return paged && `To read the rows by pages: solx ${paged.command} … --all`;
}

function checkComplete(
  { endpoint, params, maxRows = MAX_EXPORT_ROWS }: ExportSource,
  { gaps, strays }: ExportProgress,
): void {
  if (gaps.length === 0 && strays === 0) return;
  const seconds = gaps.map((second) => `${formatIso(second)} (${second})`).join(", ");
  const many = gaps.length === 1 ? "one second has" : `${gaps.length} seconds have`;
  const gap = `${many} ${maxRows} rows or more, the maximum of an export; the rows beyond it are missing: ${seconds}.`;
  const stray = `${strays} rows had times outside the request and were left out.`;
  const parts = [...(gaps.length > 0 ? [gap] : []), ...(strays > 0 ? [stray] : [])];
  const message = `The export is incomplete: ${parts.join(" ")}`;
  throw new IncompleteError(message, { code: "INCOMPLETE_EXPORT", hint: gapHint(endpoint, params, gaps[0]) });
}

function gapHint(endpoint: Endpoint, params: ParameterValues, second: number | undefined): string {
  const sibling = pagedSourceOf(endpoint);
  if (!sibling || second === undefined) return "Use other filters, such as one activity type or one token.";
  const { block_time, from_time, to_time, ...filters } = params;
  const window = { ...filters, from_time: second, to_time: second };
  return `To read all rows of a second by pages: ${commandLine(sibling, window, ["--all"])}`;
}
