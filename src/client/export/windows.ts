/**
 * How the time of an export is cut into windows: pure decisions, one answer after the other.
 *
 * Every second of the range belongs to one window, and a window gives out the rows of its own seconds alone. Whether a
 * server counts the bounds of a window in is not documented, so one second more is asked for at each end, until a row
 * at such a bound has proved that it is counted in. Nothing depends on it then, and no row comes twice.
 *
 * The first window is the whole range: most accounts fit into one answer. An answer with as many rows as an export gives
 * is not believed: its rows tell how dense they are, and a narrower window is asked for. After an answer that is believed
 * the next window is as wide as its density makes about 70 % of an answer, and grows at most tenfold, which crosses empty
 * years in a few requests; where the oldest row is known, the window that reaches it takes the rest. A single second that is full cannot be cut: what came of it is all that can be had.
 */
import { isArray, isObject, type JsonObject, toNumber } from "../../base/index.ts";

/** Which ends of a window must be asked for one second wider. */
export interface Margins {
  readonly from: boolean;
  readonly to: boolean;
}

/** How far reading has come. Times are Unix seconds. */
export interface ExportProgress {
  /** The range, both ends included. */
  readonly from: number;
  readonly to: number;
  /** Whether the oldest rows come first. */
  readonly ascending: boolean;
  /** The first second that no window has had yet, in the direction of reading; past the range when all is read. */
  readonly next: number;
  /** Seconds of the next window. */
  readonly width: number;
  /** Whether the window before was full, so that the next must not be wider than this. */
  readonly isSplit: boolean;
  /** The time of the oldest row, where it is known. */
  readonly oldest: number | undefined;
  readonly margins: Margins;
  /** Windows that were believed, and the rows given out. */
  readonly windows: number;
  readonly rows: number;
  /** Seconds that had more rows than an export gives. */
  readonly gaps: readonly number[];
  /** Rows that were left out because they came with times outside of what was asked for. */
  readonly strays: number;
}

/** A window: its own seconds, and what is asked for. All four are included. */
export interface ExportWindow {
  readonly first: number;
  readonly last: number;
  readonly from: number;
  readonly to: number;
}

/** What an answer says about time. */
export interface AnswerTimes {
  /** Rows in all. */
  readonly count: number;
  /** The earliest and the latest time; undefined where no row has one. */
  readonly earliest: number | undefined;
  readonly latest: number | undefined;
  /** Whether the times never fall, or never rise; undefined where they do both, or are all the same. */
  readonly ascending: boolean | undefined;
  /** Whether a row has the time of the bound that was asked for. */
  readonly atFrom: boolean;
  readonly atTo: boolean;
}

/** What follows from an answer: it is believed, asked again more narrowly, or a full second. */
export interface Verdict {
  readonly kind: "believed" | "again" | "gap";
  /** Without the rows given out, which the caller counts. */
  readonly progress: ExportProgress;
}

/** The part of an answer that a window aims at. */
export const TARGET_FILL = 0.7;
/** How many times wider than the last one a window may be. */
const GROWTH = 10;

/** The beginning of a reading. */
export function startProgress(from: number, to: number, ascending: boolean): ExportProgress {
  const margins = { from: true, to: true };
  const none = { isSplit: false, oldest: undefined };
  const nothing = { windows: 0, rows: 0, gaps: [], strays: 0 };
  return { from, to, ascending, next: ascending ? from : to, width: to - from + 1, margins, ...none, ...nothing };
}

/** Seconds that no window has had yet. */
export function remainingSeconds({ from, to, ascending, next }: ExportProgress): number {
  return Math.max(0, ascending ? to - next + 1 : next - from + 1);
}

/** Windows that are still to come, at a guess. */
export function remainingWindows(progress: ExportProgress): number {
  const { ascending, next, oldest, width } = progress;
  const remaining = remainingSeconds(progress);
  if (ascending || oldest === undefined || remaining === 0) return Math.ceil(remaining / width);
  return Math.max(1, Math.ceil((next - oldest + 1) / width));
}

/** The next window; the one that reaches the oldest row takes the empty rest of the range with it. */
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
 * What follows from the answer to a window.
 * @param maxRows rows that an export gives
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
  // The rows of a neighbouring second may have filled it: now that its bound is known to count, it is not asked for.
  const split = { ...progress, width, isSplit: true };
  const next = nextWindow(split);
  if (next.from !== window.from || next.to !== window.to) return { kind: "again", progress: split };
  const gaps = [...progress.gaps, window.first];
  return { kind: "gap", progress: { ...advance(progress, window, width), gaps } };
}

/** Takes up which bounds count, and before anything was given out, in which order rows come. */
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

/** As wide as the rows of a window let the next one be; the empty time before its first row says nothing of it. */
function nextWidth({ first, last }: ExportWindow, times: AnswerTimes, maxRows: number, ascending: boolean): number {
  const width = last - first + 1;
  if (times.count === 0) return width * GROWTH;
  const { earliest = first, latest = last } = times;
  const span = ascending ? last - Math.max(first, earliest) + 1 : Math.min(last, latest) - first + 1;
  const fitting = Math.floor((Math.max(1, span) * TARGET_FILL * maxRows) / times.count);
  return Math.max(1, Math.min(fitting, width * GROWTH));
}

/**
 * As wide as the rows of a full answer let the window be: where they are in order, they are all there is at its
 * beginning, as far as they reach; else at most half of it.
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

/** The progress as plain JSON. */
export function serializeProgress(progress: ExportProgress): JsonObject {
  const { margins, gaps, isSplit, oldest, ...rest } = progress;
  return { ...rest, margins: { ...margins }, gaps: [...gaps], ...(oldest !== undefined && { oldest }) };
}

/** The progress in a state; undefined where it is none. */
export function parseProgress(state: JsonObject): ExportProgress | undefined {
  const number = (name: string) => {
    const value = state[name];
    return toNumber(value) ?? Number.NaN;
  };
  const { margins, gaps, ascending } = state;
  const names = ["from", "to", "next", "width", "windows", "rows", "strays"] as const;
  const numbers = Object.fromEntries(names.map((name) => [name, number(name)])) as Record<
    (typeof names)[number],
    number
  >;
  const isGood = Object.values(numbers).every((value) => Number.isSafeInteger(value)) && numbers.width >= 1;
  if (!isGood || typeof ascending !== "boolean" || !isObject(margins ?? null) || !isArray(gaps ?? null))
    return undefined;
  const { from, to } = margins as JsonObject;
  const seconds = (gaps as readonly number[]).map(Number);
  const oldest = Number.isSafeInteger(number("oldest")) ? number("oldest") : undefined;
  return {
    ...numbers,
    isSplit: false,
    oldest,
    ascending,
    margins: { from: from !== false, to: to !== false },
    gaps: seconds,
  };
}
