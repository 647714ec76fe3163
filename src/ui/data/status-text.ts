/** Status texts of queries: loading, failed, stale, waiting, and the keys that help. */

import { DAY_SECONDS, type ExitName, formatSpan, groupThousands, SolxError, toSentence } from "../../base/index.ts";
import type { DataFacts } from "../../client/index.ts";
import { clip, safeText, wrap } from "../../output/index.ts";
import type { QueryState, WalkView } from "../navigation/data-store.ts";
import { formatKeyHints, type KeyHint, type KeyLabels } from "../navigation/keys/bindings.ts";
import { span, type TextLine, textLine } from "../navigation/theme/text-line.ts";

/** What status texts depend on besides the query. */
export interface StatusOptions {
  readonly now: number;
  readonly unicode: boolean;
  /** Time zone of clock times (default: the system's). */
  readonly timeZone?: string | undefined;
  readonly keyOf: KeyLabels;
  /** What answers: the errors of some say what to do (default: the API). */
  readonly source?: Pick<DataFacts, "key"> | undefined;
  /** How far the walk along signatures is, if one is in progress. */
  readonly walk?: WalkView | undefined;
}

interface ProblemText {
  readonly title: string;
  /** What to do (default: the hint of the error). */
  readonly help?: string;
  readonly keys: readonly KeyHint[];
}

const RETRY: readonly KeyHint[] = [["view.refresh", "retry"]];
const TRY_NOW: readonly KeyHint[] = [["view.refresh", "try now"]];
const REFRESH: readonly KeyHint[] = [["view.refresh", "refresh"]];
const STOP: readonly KeyHint[] = [["view.cancel", "cancel"]];

const PROBLEM_TEXTS: Readonly<Partial<Record<ExitName, ProblemText>>> = {
  usage: { title: "Invalid request", keys: [["list.form", "edit filters"]] },
  auth: {
    title: "Missing or invalid API key",
    help: "To try solx without a key: solx explore --sandbox",
    keys: [["solx.key", "enter a key"], ...RETRY],
  },
  permission: {
    title: "Not included in the plan of this key",
    help: "HTTP 403: the plan of the key does not include this endpoint, or the key has no permission.",
    keys: RETRY,
  },
  notFound: { title: "Not found", keys: RETRY },
  rateLimited: { title: "Too many requests", help: "The rate limit of the key is reached.", keys: RETRY },
  quota: {
    title: "No compute units left",
    help: "They renew when the billing period ends. Data that is already loaded stays available.",
    keys: [["go.usage", "show usage"]],
  },
  server: { title: "API error", keys: RETRY },
  network: { title: "The API cannot be reached", keys: RETRY },
  incomplete: { title: "The list cannot be continued", keys: RETRY },
  interrupted: { title: "Canceled", help: "", keys: REFRESH },
};

const KEYLESS_PROBLEM_TEXTS: Readonly<Partial<Record<ExitName, ProblemText>>> = {
  auth: { title: "The node refuses access", keys: RETRY },
  permission: { title: "Not available from this node", keys: RETRY },
  rateLimited: { title: "Too many calls", keys: RETRY },
  server: { title: "Error of the node", keys: RETRY },
  network: { title: "The node cannot be reached", keys: RETRY },
};

/** Errors of an index in ClickHouse, whose hints say what to do. */
const STORE_PROBLEM_TEXTS: typeof PROBLEM_TEXTS = {
  auth: { title: "ClickHouse refuses access", keys: RETRY },
  server: { title: "Error of ClickHouse", keys: RETRY },
  network: { title: "ClickHouse cannot be reached", keys: RETRY },
};

const UNEXPECTED: ProblemText = { title: "Unexpected error", keys: RETRY };

/** The user's spending limit; the hint of the error says how to raise it. */
const LOCAL_LIMIT: ProblemText = { title: "Daily spending limit reached", keys: RETRY };

const problemText = ({ exit, code }: SolxError, { source }: Pick<StatusOptions, "source">): ProblemText => {
  if (code === "UNITS_PER_DAY") return LOCAL_LIMIT;
  const texts = /^STORE/.test(String(code)) ? STORE_PROBLEM_TEXTS : source?.key === "none" ? KEYLESS_PROBLEM_TEXTS : {};
  return texts[exit] ?? PROBLEM_TEXTS[exit] ?? UNEXPECTED;
};

/** Returns whether an answer is empty. */
export function isEmpty({ answer }: QueryState): boolean {
  if (!answer) return false;
  return answer.rows === undefined ? answer.data === null : answer.rows.length === 0;
}

const SPINNER = { unicode: "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏", plain: "|/-\\" };
/** Milliseconds per frame of the spinner. */
export const SPINNER_MS = 125;

/** Returns the frame of the spinner at a time. */
export function spinnerAt(now: number, unicode: boolean): string {
  const signs = [...(unicode ? SPINNER.unicode : SPINNER.plain)];
  return signs[Math.floor(now / SPINNER_MS) % signs.length] ?? "";
}

/** Formats a duration in its largest unit: `12s`, `3m`, `5h`, `2d`. */
export function ageText(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m`;
  return seconds < 172_800 ? `${Math.floor(seconds / 3600)}h` : `${Math.floor(seconds / DAY_SECONDS)}d`;
}

/**
 * Returns one line about a query that is loading, waiting, failed or stale; undefined otherwise. The most important part
 * comes first, since the line may be truncated.
 */
export function statusLine(entry: QueryState, options: StatusOptions): TextLine | undefined {
  const { isLoading, answer, problem, retryAt } = entry;
  if (isLoading) return loadingLine(entry, options);
  if (!problem) return undefined;
  const wait = retryAt === undefined ? undefined : waitText(retryAt, options);
  if (answer) return staleLine(problem, wait, options);
  const { title, keys } = problemText(problem, options);
  if (wait !== undefined)
    return [span(wait, "warning"), ...keyHintSpans(TRY_NOW, options), ...describeDetail(problem, options)];
  const role = problem.exit === "interrupted" ? "warning" : "bad";
  return [span(title, role), ...keyHintSpans(keys, options), ...describeDetail(problem, options)];
}

function keyHintSpans(keys: readonly KeyHint[], { keyOf }: StatusOptions): TextLine {
  const hints = formatKeyHints(keyOf, keys);
  return hints === "" ? [] : [span(` · ${hints}`, "note")];
}

/** @param isNamed whether the line says what failed before */
function loadingLine({ answer, problem, retryAt }: QueryState, options: StatusOptions, isNamed = true): TextLine {
  const { now, unicode } = options;
  const sign = span(`${spinnerAt(now, unicode)} `, "hotkey");
  const stop = keyHintSpans(STOP, options);
  if (retryAt !== undefined && retryAt > now) {
    const isLimit = problem === undefined || problem.exit === "rateLimited";
    const retry = `etrying in ${formatSpan(Math.ceil((retryAt - now) / 1000))}`;
    const failure = isLimit ? "" : isNamed ? `${problemText(problem, options).title}: r${retry}` : `R${retry}`;
    return [sign, span(isLimit ? waitText(retryAt, options) : failure, "warning"), ...stop];
  }
  const text = problem && !answer ? "Retrying…" : answer ? "Refreshing…" : "Loading…";
  return [sign, span(text), ...walkSpans(options), ...stop];
}

/** Returns how far a walk is: each transaction is a call. */
function walkSpans({ walk }: StatusOptions): TextLine {
  if (!walk) return [];
  const known = `${groupThousands(walk.signatures)}${walk.complete ? "" : "+"}`;
  return [span(` · read ${groupThousands(walk.done)} of ${known} transactions, a call each`, "note")];
}

/** Returns why the last refresh failed; the header shows the age of the answer. */
function staleLine(problem: SolxError, wait: string | undefined, options: StatusOptions): TextLine {
  if (wait !== undefined) return [span(wait, "warning"), ...keyHintSpans(TRY_NOW, options)];
  const { title, keys } = problemText(problem, options);
  const failure = problem.exit === "interrupted" ? "Refresh canceled" : `Refresh failed: ${title}`;
  return [span(failure, "warning"), ...keyHintSpans(keys, options), ...describeDetail(problem, options)];
}

/** Returns the message of the error, unless it repeats the title. */
function describeDetail(problem: SolxError, options: StatusOptions): TextLine {
  const { title } = problemText(problem, options);
  return problem.exit === "interrupted" || repeatsTitle(problem, title)
    ? []
    : [span(` · ${sentence(problem)}`, "note")];
}

/** Returns whether the message of an error says little more than its title. */
const repeatsTitle = ({ message }: SolxError, title: string) => message.toLowerCase().startsWith(title.toLowerCase());

function waitText(until: number, { now, timeZone }: StatusOptions): string {
  const seconds = Math.ceil((until - now) / 1000);
  if (seconds <= 0) return "Retrying now";
  return `Rate limited: waiting ${formatSpan(seconds)}, until ${clockTime(until, timeZone)}`;
}

const clocks = new Map<string | undefined, Intl.DateTimeFormat>();

/** Formats a time of day: `14:03:20`. */
function clockTime(moment: number, timeZone: string | undefined): string {
  let clock = clocks.get(timeZone);
  if (!clock) {
    const two = "2-digit";
    clock = new Intl.DateTimeFormat("en-GB", { timeZone, hour: two, minute: two, second: two, hourCycle: "h23" });
    clocks.set(timeZone, clock);
  }
  return clock.format(moment);
}

/** Maximum length of an error message: a body that is not an answer of the API may be anything. */
const MAX_SENTENCE = 400;

const sentence = (problem: SolxError) => clip(safeText(toSentence(problem).slice(0, 4 * MAX_SENTENCE)), MAX_SENTENCE);

/** What a region shows while a request of another part of the screen waits for the rate limit. */
const RATE_LIMIT = new SolxError("rateLimited", "");

/** Returns what a region shows instead of an answer: what happened, why, what helps, and keys. Never wider than `width`. */
export function statusLines(
  entry: QueryState,
  options: StatusOptions,
  width: number,
  empty = "No data.",
): readonly TextLine[] {
  const { isLoading, answer, retryAt } = entry;
  const problem = entry.problem ?? (isLoading && retryAt !== undefined ? RATE_LIMIT : undefined);
  const first = statusLine(entry, options);
  if (!problem && !isLoading) return [...wrapLines(empty, width), ...keyHintLines(REFRESH, options)];
  if (!problem || answer || problem.exit === "interrupted") return first ? [first] : [];
  if (isLoading) return [...problemLines(problem, options, width), [], loadingLine(entry, options, false)];
  const { keys } = problemText(problem, options);
  const wait = retryAt === undefined ? undefined : waitText(retryAt, options);
  return [
    ...problemLines(problem, options, width),
    ...(wait === undefined ? [] : wrapLines(`${wait}. The request is retried then.`, width)),
    ...keyHintLines(wait === undefined ? keys : TRY_NOW, options),
  ];
}

const wrapLines = (text: string, width: number) => wrap(text, Math.max(1, width)).map((part) => textLine(part));

function problemLines(problem: SolxError, options: StatusOptions, width: number): readonly TextLine[] {
  const { title, help } = problemText(problem, options);
  const hints = (help ?? problem.hint ?? "").split("\n").filter((text) => text.trim() !== "");
  const detail = problem === RATE_LIMIT || repeatsTitle(problem, title) ? [] : wrapLines(sentence(problem), width);
  return [textLine(title, "bad"), ...detail, ...hints.flatMap((text) => wrapLines(safeText(text), width))];
}

function keyHintLines(keys: readonly KeyHint[], { keyOf }: StatusOptions): readonly TextLine[] {
  const hints = formatKeyHints(keyOf, keys);
  return hints === "" ? [] : [textLine(""), textLine(hints, "note")];
}
