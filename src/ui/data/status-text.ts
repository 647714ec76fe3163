/** The state of an answer in words: what is going on, why, and which key to press. */

import { type ExitName, type SolxError, toSentence } from "../../base/errors.ts";
import { DAY_SECONDS } from "../../base/time.ts";
import { safeText } from "../../output/text/safe.ts";
import { clip, wrap } from "../../output/text/width.ts";
import { formatKeyHints, type KeyHint, type KeyLabels } from "../app/keys/key-hints.ts";
import { span, type TextLine, textLine } from "../app/theme/text-line.ts";
import type { QueryState } from "./store.ts";

/** What the words depend on beside the entry. */
export interface StatusOptions {
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly unicode: boolean;
  /** The zone of clock times; the system's where it is undefined. */
  readonly timeZone?: string | undefined;
  readonly keyOf: KeyLabels;
}

/** What a failure is called, and what helps. */
interface ProblemText {
  readonly title: string;
  /** What to do; without it, the failure's own hint. */
  readonly help?: string | ((keyOf: KeyLabels) => string);
  readonly keys: readonly KeyHint[];
}

const TRY_AGAIN: readonly KeyHint[] = [["view.refresh", "tries again"]];
const TRY_NOW: readonly KeyHint[] = [["view.refresh", "tries now"]];
const REFRESH: readonly KeyHint[] = [["view.refresh", "asks again"]];
const STOP: readonly KeyHint[] = [["view.cancel", "stops"]];

/** Where a key can be entered, that is told; what helps without one is. */
const noKeyHelp = (keyOf: KeyLabels) =>
  `${formatKeyHints(keyOf, [["solx.key", "enters one here. "]])}Without one, on made-up data: solx explore --sandbox.`;

const PROBLEM_TEXTS: Readonly<Partial<Record<ExitName, ProblemText>>> = {
  usage: { title: "The API would refuse this", keys: [["list.form", "changes the filters"]] },
  auth: {
    title: "No key that the API accepts",
    help: noKeyHelp,
    keys: [["solx.key", "enters a key"], ...TRY_AGAIN],
  },
  permission: {
    title: "Not in the plan of this key",
    help: "The API answered 403: the plan of the key does not include this, or the key may not see it.",
    keys: TRY_AGAIN,
  },
  notFound: { title: "Not found", help: "The API knows nothing by this name, address or number.", keys: TRY_AGAIN },
  rateLimited: { title: "Too many requests", help: "The rate of the key is used up for the moment.", keys: TRY_AGAIN },
  quota: {
    title: "No compute units left",
    help: "They come back when the period of the key ends. What was loaded before can still be looked at.",
    keys: [["go.usage", "shows the usage"]],
  },
  server: { title: "The API failed", keys: TRY_AGAIN },
  network: { title: "The API cannot be reached", keys: TRY_AGAIN },
  incomplete: { title: "The list cannot be read on", keys: TRY_AGAIN },
  interrupted: { title: "Stopped", help: "", keys: REFRESH },
};

const UNEXPECTED: ProblemText = { title: "Something unexpected happened", keys: TRY_AGAIN };

/** The user's own limit: its hint says how to lift it. */
const LOCAL_LIMIT: ProblemText = { title: "The limit for today is reached", keys: TRY_AGAIN };

const problemText = ({ exit, code }: SolxError): ProblemText =>
  code === "UNITS_PER_DAY" ? LOCAL_LIMIT : (PROBLEM_TEXTS[exit] ?? UNEXPECTED);

/** Whether an answer came that holds nothing. */
export function isEmpty({ answer }: QueryState): boolean {
  if (!answer) return false;
  return answer.rows === undefined ? answer.data === null : answer.rows.length === 0;
}

const SPINNER = { unicode: "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏", plain: "|/-\\" };
/** Milliseconds for which one sign of the spinner stays. */
export const SPINNER_MS = 125;

/** The sign of something under way, which turns with time. */
export function spinnerAt(now: number, unicode: boolean): string {
  const signs = [...(unicode ? SPINNER.unicode : SPINNER.plain)];
  return signs[Math.floor(now / SPINNER_MS) % signs.length] ?? "";
}

/** A time span in its greatest unit: `12s`, `3m`, `5h`, `2d`. */
export function ageText(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m`;
  return seconds < 172_800 ? `${Math.floor(seconds / 3600)}h` : `${Math.floor(seconds / DAY_SECONDS)}d`;
}

/**
 * One line about a resource: that it is loading, waited for, failed or stale. Undefined where there is an answer and
 * nothing is to be said about it. What matters comes first: the line may be cut.
 */
export function statusLine(entry: QueryState, options: StatusOptions): TextLine | undefined {
  const { isLoading, answer, problem, retryAt } = entry;
  if (isLoading) return loadingLine(entry, options);
  if (!problem) return undefined;
  const wait = retryAt === undefined ? undefined : waitText(retryAt, options);
  if (answer) return staleLine(entry, problem, wait, options);
  const { title, keys } = problemText(problem);
  if (wait !== undefined) return [span(wait, "warning"), ...keyHintSpans(TRY_NOW, options), ...detailOf(problem)];
  const role = problem.exit === "interrupted" ? "warning" : "bad";
  return [span(title, role), ...keyHintSpans(keys, options), ...detailOf(problem)];
}

/** The keys behind what is told; nothing where there are none. */
function keyHintSpans(keys: readonly KeyHint[], { keyOf }: StatusOptions): TextLine {
  const hints = formatKeyHints(keyOf, keys);
  return hints === "" ? [] : [span(` · ${hints}`, "note")];
}

function loadingLine({ answer, retryAt }: QueryState, options: StatusOptions): TextLine {
  const { now, unicode } = options;
  const sign = span(`${spinnerAt(now, unicode)} `, "hotkey");
  if (retryAt !== undefined && retryAt > now) {
    return [sign, span(waitText(retryAt, options), "warning"), ...keyHintSpans(STOP, options)];
  }
  return [sign, span(answer ? "Asking again…" : "Loading…"), ...keyHintSpans(STOP, options)];
}

function staleLine({ at }: QueryState, problem: SolxError, wait: string | undefined, options: StatusOptions): TextLine {
  const age = at === undefined ? "stale" : `stale: ${ageText(options.now - at)}`;
  if (wait !== undefined) return [span(`${age} · ${wait}`, "warning"), ...keyHintSpans(TRY_NOW, options)];
  const { title, keys } = problemText(problem);
  const failure = problem.exit === "interrupted" ? "last refresh stopped" : `last refresh failed: ${title}`;
  return [span(`${age}, ${failure}`, "warning"), ...keyHintSpans(keys, options), ...detailOf(problem)];
}

/** What the failure itself says, beyond its title. */
function detailOf(problem: SolxError): TextLine {
  const { title } = problemText(problem);
  return problem.exit === "interrupted" || repeatsTitle(problem, title)
    ? []
    : [span(` · ${sentence(problem)}`, "note")];
}

/** Whether a failure says no more than its title. */
const repeatsTitle = ({ message }: SolxError, title: string) =>
  message.replace(/\.$/, "").toLowerCase() === title.toLowerCase();

/** `The API asks to wait 12 s, until 14:03:20`. */
function waitText(until: number, { now, timeZone }: StatusOptions): string {
  const seconds = Math.ceil((until - now) / 1000);
  if (seconds <= 0) return "Trying again now";
  return `The API asks to wait ${durationText(seconds)}, until ${clockTime(until, timeZone)}`;
}

function durationText(seconds: number): string {
  if (seconds < 100) return `${seconds} s`;
  return seconds < 6000 ? `${Math.ceil(seconds / 60)} min` : `${Math.ceil(seconds / 3600)} h`;
}

const clocks = new Map<string | undefined, Intl.DateTimeFormat>();

/** A moment as a clock on the wall shows it: `14:03:20`. */
function clockTime(moment: number, timeZone: string | undefined): string {
  let clock = clocks.get(timeZone);
  if (!clock) {
    const two = "2-digit";
    clock = new Intl.DateTimeFormat("en-GB", { timeZone, hour: two, minute: two, second: two, hourCycle: "h23" });
    clocks.set(timeZone, clock);
  }
  return clock.format(moment);
}

/** Characters of a failure's own words: a body that is no answer of the API may be anything. */
const MAX_SENTENCE = 400;

const sentence = (problem: SolxError) => clip(safeText(toSentence(problem).slice(0, 4 * MAX_SENTENCE)), MAX_SENTENCE);

/** What fills a region in place of an answer: what happened, why, what helps, and the keys. Never wider than `width`. */
export function statusLines(
  entry: QueryState,
  options: StatusOptions,
  width: number,
  empty = "Nothing here.",
): readonly TextLine[] {
  const { isLoading, answer, problem, retryAt } = entry;
  const first = statusLine(entry, options);
  const wrapped = (text: string) => wrap(text, Math.max(1, width)).map((part) => textLine(part));
  if (!problem && !isLoading) return [...wrapped(empty), ...keyHintLines(REFRESH, options)];
  if (!problem || isLoading || answer || problem.exit === "interrupted") return first ? [first] : [];
  const { title, help, keys } = problemText(problem);
  const helpText = typeof help === "function" ? help(options.keyOf) : help;
  const hints = (helpText ?? problem.hint ?? "").split("\n").filter((text) => text.trim() !== "");
  const wait = retryAt === undefined ? undefined : waitText(retryAt, options);
  return [
    textLine(title, "bad"),
    ...(repeatsTitle(problem, title) ? [] : wrapped(sentence(problem))),
    ...hints.flatMap((text) => wrapped(safeText(text))),
    ...(wait === undefined ? [] : wrapped(`${wait}. It is tried again then.`)),
    ...keyHintLines(wait === undefined ? keys : TRY_NOW, options),
  ];
}

function keyHintLines(keys: readonly KeyHint[], { keyOf }: StatusOptions): readonly TextLine[] {
  const hints = formatKeyHints(keyOf, keys);
  return hints === "" ? [] : [textLine(""), textLine(hints, "note")];
}
