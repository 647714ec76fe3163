/**
 * Splits the time range of an export into windows: pure decisions, one answer at a time.
 *
 * Every second of the range belongs to one window, and a window returns only rows of its seconds. Whether servers
 * include the bounds of a request is not documented, so one more second is requested at each end, until a row at such a
 * bound proves that it is included. Therefore no row is lost or returned twice either way.
 *
 * The first window is the whole range, because the rows of most accounts fit into one answer. An answer with the
 * maximum number of rows is discarded: its rows show their density, and a narrower window is requested. After an
 * accepted answer, the next window is as wide as its density fills about 70 % of an answer, and at most ten times wider
 * than the last, which crosses empty years in a few requests. Where the oldest row is known, the window that reaches it
 * includes the rest of the range. A single second that is full cannot be split: its remaining rows are not available.
 */
import {
  isArray,
  isObject,
  type Json,
  type JsonObject,
  listOf,
  omitUndefined,
  ServerError,
  toNumber,
} from "../../base/index.ts";
import { type Endpoint, loadEntities, loadFields } from "../../catalogue/index.ts";
import { formatIso } from "../request/wire-values.ts";
import { displayText } from "../text.ts";

/** Which ends of a window have to be requested one second wider. */
interface Margins {
  readonly from: boolean;
  readonly to: boolean;
}

/** The progress of reading. Times are Unix seconds. */
export interface ExportProgress {
  /** The range, both ends included. */
  readonly from: number;
  readonly to: number;
  /** Whether the oldest rows are first. */
  readonly ascending: boolean;
  /** The first second that no window has covered, in the direction of reading; beyond the range at the end. */
  readonly next: number;
  /** Seconds of the next window. */
  readonly width: number;
  /** Whether the previous window was full, so that the next one must not be wider than `width`. */
  readonly isSplit: boolean;
  readonly oldest: number | undefined;
  readonly margins: Margins;
  /** Number of accepted windows, and of rows returned. */
  readonly windows: number;
  readonly rows: number;
  /** Seconds with more rows than an export contains. */
  readonly gaps: readonly number[];
  /** Number of rows left out because their times were outside the request. */
  readonly strays: number;
  /** The columns of the rows so far; none before the first row. */
  readonly columns: readonly string[];
}

/** A window: its own seconds, and those requested. All bounds are included. */
export interface ExportWindow {
  readonly first: number;
  readonly last: number;
  readonly from: number;
  readonly to: number;
}

interface AnswerTimes {
  readonly count: number;
  /** The earliest and the latest time; undefined without a row that has one. */
  readonly earliest: number | undefined;
  readonly latest: number | undefined;
  /** Whether the times ascend, or descend; undefined where they do both or are all equal. */
  readonly ascending: boolean | undefined;
  /** Whether a row has the time of the requested bound. */
  readonly atFrom: boolean;
  readonly atTo: boolean;
}

/** The evaluation of an answer: accepted, to be requested again with a narrower window, or a full second. */
export interface Verdict {
  readonly kind: "believed" | "again" | "gap";
  /** Without the rows returned, which the caller counts. */
  readonly progress: ExportProgress;
}

/** The share of an answer that a window is meant to fill. */
export const TARGET_FILL = 0.7;
/** How many times wider than the last window the next one may be. */
const GROWTH = 10;

/** Returns the progress at the start of reading. */
export function startProgress(from: number, to: number, ascending: boolean): ExportProgress {
  const margins = { from: true, to: true };
  const none = { isSplit: false, oldest: undefined };
  const nothing = { windows: 0, rows: 0, gaps: [], strays: 0, columns: [] };
  return { from, to, ascending, next: ascending ? from : to, width: to - from + 1, margins, ...none, ...nothing };
}

/** Returns the seconds that no window has covered. */
export function remainingSeconds({ from, to, ascending, next }: ExportProgress): number {
  return Math.max(0, ascending ? to - next + 1 : next - from + 1);
}

/** Returns the estimated number of windows that remain. */
export function remainingWindows(progress: ExportProgress): number {
  const { ascending, next, oldest, width } = progress;
  const remaining = remainingSeconds(progress);
  if (ascending || oldest === undefined || remaining === 0) return Math.ceil(remaining / width);
  return Math.max(1, Math.ceil((next - oldest + 1) / width));
}

/** Returns the next window; the one that reaches the oldest row includes the empty rest of the range. */
export function nextWindow(progress: ExportProgress): ExportWindow {
  const { from, to, ascending, next, margins, isSplit, oldest } = progress;
  const remaining = remainingSeconds(progress);
  const isLast = !ascending && !isSplit && oldest !== undefined && next - progress.width + 1 <= oldest;
  const width = isLast ? remaining : Math.min(progress.width, remaining);
  const [first, last] = ascending ? [next, next + width - 1] : [next - width + 1, next];
  return {
    first,
    last,
    from: margins.from && first > from ? first - 1 : first,
    to: margins.to && last < to ? last + 1 : last,
  };
}

/**
 * Evaluates the answer to a window.
 * @param maxRows maximum number of rows of an export
 */
export function judgeAnswer(
  before: ExportProgress,
  window: ExportWindow,
  times: AnswerTimes,
  maxRows: number,
): Verdict {
  const progress = applyObservations(before, window, times);
  const width = window.last - window.first + 1;
  if (times.count < maxRows)
    return {
      kind: "believed",
      progress: advance(progress, window, nextWidth(window, times, maxRows, progress.ascending)),
    };
  if (width > 1)
    return {
      kind: "again",
      progress: { ...progress, isSplit: true, width: splitWidth(window, times, progress.ascending) },
    };
  // Rows of a neighbouring second may have filled it; now that its bound is known to be included, it is not requested.
  const split = { ...progress, width, isSplit: true };
  const next = nextWindow(split);
  if (next.from !== window.from || next.to !== window.to) return { kind: "again", progress: split };
  const gaps = [...progress.gaps, window.first];
  return { kind: "gap", progress: { ...advance(progress, window, width), gaps } };
}

/** Records which bounds are included, and before any row was returned, the order of the rows. */
function applyObservations(
  progress: ExportProgress,
  window: ExportWindow,
  { atFrom, atTo, ascending }: AnswerTimes,
): ExportProgress {
  const margins = { from: progress.margins.from && !atFrom, to: progress.margins.to && !atTo };
  if (progress.windows > 0 || ascending === undefined || ascending === progress.ascending)
    return { ...progress, margins };
  const { from, to } = progress;
  const isWhole = window.first === from && window.last === to;
  return isWhole ? { ...progress, margins, ascending, next: ascending ? from : to } : { ...progress, margins };
}

function advance(progress: ExportProgress, { first, last }: ExportWindow, width: number): ExportProgress {
  const next = progress.ascending ? last + 1 : first - 1;
  return { ...progress, next, width, isSplit: false, windows: progress.windows + 1 };
}

/** Returns the width that the density of a window permits; empty time before its first row does not count. */
function nextWidth({ first, last }: ExportWindow, times: AnswerTimes, maxRows: number, ascending: boolean): number {
  const width = last - first + 1;
  if (times.count === 0) return width * GROWTH;
  const { earliest = first, latest = last } = times;
  const span = ascending ? last - Math.max(first, earliest) + 1 : Math.min(last, latest) - first + 1;
  const fitting = Math.floor((Math.max(1, span) * TARGET_FILL * maxRows) / times.count);
  return Math.max(1, Math.min(fitting, width * GROWTH));
}

/**
 * Returns the width that the rows of a full answer permit: rows in order are complete from their start, as far as they
 * reach; otherwise at most half of the window.
 */
function splitWidth({ first, last }: ExportWindow, times: AnswerTimes, ascending: boolean): number {
  const { earliest = first, latest = last } = times;
  if (times.ascending === ascending) {
    const empty = ascending ? earliest - first : last - latest;
    return Math.max(1, Math.min(last - first, Math.max(0, empty) + Math.floor(TARGET_FILL * (latest - earliest + 1))));
  }
  const reach = Math.min(last - earliest + 1, latest - first + 1);
  return Math.max(1, Math.min(Math.floor(TARGET_FILL * reach), Math.floor((last - first + 1) / 2)));
}

/** Converts the progress to plain JSON. */
export const serializeProgress = ({ isSplit: _, ...progress }: ExportProgress): JsonObject =>
  omitUndefined({ ...progress, margins: { ...progress.margins } });

const NUMBERS = ["from", "to", "next", "width", "windows", "rows", "strays"] as const;

/** Returns the progress in a state; undefined when it is not one. */
export function parseProgress(state: JsonObject): ExportProgress | undefined {
  const isInteger = (name: string) => Number.isSafeInteger(toNumber(state[name]));
  const { margins, gaps, ascending, columns } = state;
  const isGood = NUMBERS.every(isInteger) && Number(state.width) >= 1 && typeof ascending === "boolean";
  if (!isGood || !isObject(margins) || !isArray(gaps)) return undefined;
  const oldest = isInteger("oldest") ? toNumber(state.oldest) : undefined;
  const numbers = Object.fromEntries(NUMBERS.map((name) => [name, Number(state[name])]));
  const lists = { gaps: gaps.map(Number), columns: listOf(columns).map(String) };
  const bounds = { from: margins.from !== false, to: margins.to !== false };
  return { ...numbers, ...lists, ascending, oldest, isSplit: false, margins: bounds } as unknown as ExportProgress;
}

/** Returns the time of a row in Unix seconds; undefined where it has none. */
export type RowClock = (row: Json) => number | undefined;

/** The rows of an answer from the point of view of its window. */
export interface ClassifiedRows {
  /** Rows of the window's own seconds, and those without a time. */
  readonly inside: readonly Json[];
  /** Number of rows of the neighbouring seconds that were requested, too. */
  readonly beside: number;
  /** Rows with times outside the request. */
  readonly strays: readonly Json[];
  /** Number of rows without a time. */
  readonly undated: number;
  readonly times: AnswerTimes;
}

/**
 * Creates a clock for the rows of an endpoint from the time columns in the catalogue. Text columns are only used where
 * they have a time zone.
 */
export async function createRowClock({ returns }: Endpoint): Promise<RowClock> {
  const [entities, { listFields }] = await Promise.all([loadEntities(), loadFields()]);
  const fields = listFields(entities[returns.entity]);
  const named = (kind: string) => fields.filter((field) => field.kind === kind).map(({ path }) => path);
  const [numbers, texts] = [named("unixTime"), named("isoTime")];
  return (row) => {
    if (!isObject(row)) return undefined;
    const number = numbers.map((name) => row[name]).find((cell) => typeof cell === "string" && /^\d{1,11}$/.test(cell));
    if (number !== undefined) return Number(number);
    const text = texts.map((name) => row[name]).find((cell) => typeof cell === "string" && /\dZ$/.test(cell));
    const time = text === undefined ? Number.NaN : Date.parse(text as string);
    return Number.isNaN(time) ? undefined : Math.floor(time / 1000);
  };
}

/** Classifies the rows of an answer; their order is preserved. */
export function classifyRows(
  rows: readonly Json[],
  clock: RowClock,
  { first, last, from, to }: ExportWindow,
): ClassifiedRows {
  const times = rows.map(clock);
  const known = times.filter((time) => time !== undefined);
  const isInside = (time: number | undefined) => time === undefined || (time >= first && time <= last);
  const isStray = (time: number | undefined) => time !== undefined && (time < from || time > to);
  const inside = rows.filter((_, at) => isInside(times[at]));
  const strays = rows.filter((_, at) => isStray(times[at]));
  return {
    inside,
    strays,
    beside: rows.length - inside.length - strays.length,
    undated: rows.length - known.length,
    times: {
      count: rows.length,
      ...extremes(known),
      ascending: detectDirection(known),
      atFrom: known.includes(from),
      atTo: known.includes(to),
    },
  };
}

function extremes(times: readonly number[]): Pick<AnswerTimes, "earliest" | "latest"> {
  const earlier = (one: number, other: number) => Math.min(one, other);
  const later = (one: number, other: number) => Math.max(one, other);
  if (times.length === 0) return { earliest: undefined, latest: undefined };
  return { earliest: times.reduce(earlier), latest: times.reduce(later) };
}

function detectDirection(times: readonly number[]): boolean | undefined {
  const steps = times.slice(1).map((time, at) => time - (times[at] ?? time));
  const [rises, falls] = [steps.some((step) => step > 0), steps.some((step) => step < 0)];
  return rises === falls ? undefined : rises;
}

/**
 * Compares the columns of a window with those of earlier ones.
 * @returns the columns of the export, in the order in which they appeared
 * @throws ServerError when they differ
 */
export function checkColumns(
  rows: readonly Json[],
  before: readonly string[],
  { from, to }: ExportWindow,
): readonly string[] {
  const names = new Set<string>();
  for (const row of rows) if (isObject(row)) for (const name in row) names.add(name);
  if (names.size === 0) return before;
  const columns = [...names];
  if (before.length === 0) return columns;
  const isSame = columns.length === before.length && columns.every((name) => before.includes(name));
  // Rows may lack their last columns.
  if (isSame || columns.every((name, at) => name === before[at])) return before;
  const list = (all: readonly string[]) => all.map(displayText).join(", ");
  throw new ServerError(
    `The columns of the export changed: from ${formatIso(from)} to ${formatIso(to)} they are ${list(columns)}; before, they were ${list(before)}.`,
    {
      code: "COLUMNS",
      retryable: true,
      hint: "The rows before are complete. Try again later, or export the rest to another file.",
    },
  );
}
