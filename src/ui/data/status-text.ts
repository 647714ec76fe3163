/** The state of an answer in words: what is going on, why, and which key to press. */
import { type ExitName, type SolxError, toSentence } from "../../base/errors.ts";
import { safeText } from "../../output/text/safe.ts";
import { clip, wrap } from "../../output/text/width.ts";
import { type Deed, type KeyNames, keyWords } from "../app/keys/key-hints.ts";
import { span, type TextLine, textLine } from "../app/theme/text-line.ts";
import type { Entry } from "./store.ts";

/** What the words depend on beside the entry. */
export interface Telling {
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly unicode: boolean;
  /** The zone of clock times; the system's where it is undefined. */
  readonly timeZone?: string | undefined;
  readonly keyOf: KeyNames;
}

/** What a failure is called, and what helps. */
interface Meaning {
  readonly title: string;
  /** What to do; without it, the failure's own hint. */
  readonly help?: string | ((keyOf: KeyNames) => string);
  readonly keys: readonly Deed[];
}

const AGAIN: readonly Deed[] = [["view.refresh", "tries again"]];
const NOW: readonly Deed[] = [["view.refresh", "tries now"]];
const ANEW: readonly Deed[] = [["view.refresh", "asks again"]];
const STOP: readonly Deed[] = [["view.cancel", "stops"]];

/** Where a key can be entered, that is told; what helps without one is. */
const withoutKey = (keyOf: KeyNames) =>
  `${keyWords(keyOf, [["solx.key", "enters one here. "]])}Without one, on made-up data: solx explore --sandbox.`;

const MEANINGS: Readonly<Partial<Record<ExitName, Meaning>>> = {
  usage: { title: "The API would refuse this", keys: [["list.form", "changes the filters"]] },
  auth: {
    title: "No key that the API accepts",
    help: withoutKey,
    keys: [["solx.key", "enters a key"], ...AGAIN],
  },
  permission: {
    title: "Not in the plan of this key",
    help: "The API answered 403: the plan of the key does not include this, or the key may not see it.",
    keys: AGAIN,
  },
  notFound: { title: "Not found", help: "The API knows nothing by this name, address or number.", keys: AGAIN },
  rateLimited: { title: "Too many requests", help: "The rate of the key is used up for the moment.", keys: AGAIN },
  quota: {
    title: "No compute units left",
    help: "They come back when the period of the key ends. What was loaded before can still be looked at.",
    keys: [["go.usage", "shows the usage"]],
  },
  server: { title: "The API failed", keys: AGAIN },
  network: { title: "The API cannot be reached", keys: AGAIN },
  incomplete: { title: "The list cannot be read on", keys: AGAIN },
  interrupted: { title: "Stopped", help: "", keys: ANEW },
};

const UNEXPECTED: Meaning = { title: "Something unexpected happened", keys: AGAIN };

/** The user's own limit: its hint says how to lift it. */
const OWN_LIMIT: Meaning = { title: "The limit for today is reached", keys: AGAIN };

const meaningOf = ({ exit, code }: SolxError): Meaning =>
  code === "UNITS_PER_DAY" ? OWN_LIMIT : (MEANINGS[exit] ?? UNEXPECTED);

/** Whether an answer came that holds nothing. */
export function isEmpty({ answer }: Entry): boolean {
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
  return seconds < 172_800 ? `${Math.floor(seconds / 3600)}h` : `${Math.floor(seconds / 86_400)}d`;
}

/**
 * One line about a resource: that it is loading, waited for, failed or stale. Undefined where there is an answer and
 * nothing is to be said about it. What matters comes first: the line may be cut.
 */
export function stateLine(entry: Entry, telling: Telling): TextLine | undefined {
  const { isLoading, answer, problem, retryAt } = entry;
  if (isLoading) return loadingLine(entry, telling);
  if (!problem) return undefined;
  const wait = retryAt === undefined ? undefined : waitText(retryAt, telling);
  if (answer) return staleLine(entry, problem, wait, telling);
  const { title, keys } = meaningOf(problem);
  if (wait !== undefined) return [span(wait, "warning"), ...keysSpan(NOW, telling), ...detailOf(problem)];
  const role = problem.exit === "interrupted" ? "warning" : "bad";
  return [span(title, role), ...keysSpan(keys, telling), ...detailOf(problem)];
}

/** The keys behind what is told; nothing where there are none. */
function keysSpan(keys: readonly Deed[], { keyOf }: Telling): TextLine {
  const words = keyWords(keyOf, keys);
  return words === "" ? [] : [span(` · ${words}`, "note")];
}

function loadingLine({ answer, retryAt }: Entry, telling: Telling): TextLine {
  const { now, unicode } = telling;
  const sign = span(`${spinnerAt(now, unicode)} `, "hotkey");
  if (retryAt !== undefined && retryAt > now) {
    return [sign, span(waitText(retryAt, telling), "warning"), ...keysSpan(STOP, telling)];
  }
  return [sign, span(answer ? "Asking again…" : "Loading…"), ...keysSpan(STOP, telling)];
}

function staleLine({ at }: Entry, problem: SolxError, wait: string | undefined, telling: Telling): TextLine {
  const age = at === undefined ? "stale" : `stale: ${ageText(telling.now - at)}`;
  if (wait !== undefined) return [span(`${age} · ${wait}`, "warning"), ...keysSpan(NOW, telling)];
  const { title, keys } = meaningOf(problem);
  const failure = problem.exit === "interrupted" ? "last refresh stopped" : `last refresh failed: ${title}`;
  return [span(`${age}, ${failure}`, "warning"), ...keysSpan(keys, telling), ...detailOf(problem)];
}

/** What the failure itself says, beyond its title. */
function detailOf(problem: SolxError): TextLine {
  const { title } = meaningOf(problem);
  return problem.exit === "interrupted" || isSaid(problem, title) ? [] : [span(` · ${sentence(problem)}`, "note")];
}

/** Whether a failure says no more than its title. */
const isSaid = ({ message }: SolxError, title: string) =>
  message.replace(/\.$/, "").toLowerCase() === title.toLowerCase();

/** `The API asks to wait 12 s, until 14:03:20`. */
function waitText(until: number, { now, timeZone }: Telling): string {
  const left = Math.ceil((until - now) / 1000);
  if (left <= 0) return "Trying again now";
  return `The API asks to wait ${spanOf(left)}, until ${clockTime(until, timeZone)}`;
}

function spanOf(seconds: number): string {
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
const MOST_SAID = 400;

const sentence = (problem: SolxError) => clip(safeText(toSentence(problem).slice(0, 4 * MOST_SAID)), MOST_SAID);

/** What fills a region in place of an answer: what happened, why, what helps, and the keys. Never wider than `width`. */
export function stateLines(
  entry: Entry,
  telling: Telling,
  width: number,
  empty = "Nothing here.",
): readonly TextLine[] {
  const { isLoading, answer, problem, retryAt } = entry;
  const first = stateLine(entry, telling);
  const wrapped = (text: string) => wrap(text, Math.max(1, width)).map((part) => textLine(part));
  if (!problem && !isLoading) return [...wrapped(empty), ...keysLines(ANEW, telling)];
  if (!problem || isLoading || answer || problem.exit === "interrupted") return first ? [first] : [];
  const { title, help, keys } = meaningOf(problem);
  const said = typeof help === "function" ? help(telling.keyOf) : help;
  const hints = (said ?? problem.hint ?? "").split("\n").filter((text) => text.trim() !== "");
  const wait = retryAt === undefined ? undefined : waitText(retryAt, telling);
  return [
    textLine(title, "bad"),
    ...(isSaid(problem, title) ? [] : wrapped(sentence(problem))),
    ...hints.flatMap((text) => wrapped(safeText(text))),
    ...(wait === undefined ? [] : wrapped(`${wait}. It is tried again then.`)),
    ...keysLines(wait === undefined ? keys : NOW, telling),
  ];
}

function keysLines(keys: readonly Deed[], { keyOf }: Telling): readonly TextLine[] {
  const words = keyWords(keyOf, keys);
  return words === "" ? [] : [textLine(""), textLine(words, "note")];
}
