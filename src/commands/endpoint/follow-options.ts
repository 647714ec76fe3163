/** What can be followed, how often, and until when: decided before anything is asked for. */

import { UsageError } from "../../base/errors.ts";
import { DAY_SECONDS } from "../../base/time.ts";
import { optionName } from "../../catalogue/command-line.ts";
import type { Endpoint } from "../../catalogue/endpoint.ts";
import type { ParameterValues } from "../../catalogue/index.ts";
import { findParamByRole } from "../../client/paging/page-strategy.ts";
import type { GlobalOptions } from "../options/global-options.ts";
import { parseDuration } from "./follow-argument.ts";

/** Seconds between two looks: when nothing is said, and at least. */
export const DEFAULT_INTERVAL = 30;
const MIN_INTERVAL = 2;
const MAX_INTERVAL = DAY_SECONDS;

/**
 * Seconds between two looks.
 * @throws UsageError when it is no span, or too short
 */
export function parseInterval(input: string | true): number {
  if (input === true || input === "") return DEFAULT_INTERVAL;
  const seconds = parseDuration(input);
  if (seconds !== undefined && seconds >= MIN_INTERVAL && seconds <= MAX_INTERVAL) return seconds;
  throw new UsageError(
    seconds === undefined
      ? `--follow ${input}: that is no interval.`
      : `--follow ${input}: the interval must be ${MIN_INTERVAL}s to ${MAX_INTERVAL / 3600}h.`,
    { hint: `Intervals look like 30s, 2m or 1h; each look costs a request. Without one: ${DEFAULT_INTERVAL}s.` },
  );
}

/** When following ends: at a moment, in milliseconds since the epoch, or with a row. */
export type StopCondition = { readonly at: number } | { readonly condition: string };

const TIME_OF_DAY = /^(\d{1,2}):(\d{2})$/;
/** A word alone tells nothing of a row. */
const WORD = /^[A-Za-z][\w-]*$/;
const MOMENT = /^(\d+|\d{4}-\d{2}-\d{2}([T ].*)?|now|today|yesterday)$/i;

/**
 * Reads `--until`: a span from now on (`2h`), a moment (ISO 8601, Unix seconds, `18:00` of the clock on the wall), and
 * everything else as a jq condition.
 * @throws UsageError when it is empty, or a moment that is no moment or has passed
 */
export async function parseUntil(text: string, now: number): Promise<StopCondition> {
  const input = text.trim();
  if (input === "") throw new UsageError("--until is empty.", { hint: "For example: --until 2h" });
  if (/[a-z]$/i.test(input)) {
    const span = parseDuration(input);
    if (span !== undefined) return { at: now + span * 1000 };
  }
  const at = nextTimeOfDay(input, now) ?? (MOMENT.test(input) ? await parseMoment(input, now) : undefined);
  if (at === undefined && WORD.test(input)) {
    throw new UsageError(`--until ${input} is no time to end at, and no jq condition on a row.`, {
      hint: "For example: --until 2h, --until 18:00, --until '.amount > 1000000'",
    });
  }
  if (at === undefined) return { condition: input };
  if (at <= now) throw new UsageError(`--until ${input} is in the past.`, { hint: "Give a moment to come, or 2h." });
  return { at };
}

async function parseMoment(text: string, now: number): Promise<number> {
  const { parseUnixTime: momentOf } = await import("../../client/index.ts");
  return momentOf(text, "--until", now) * 1000;
}

/** The next time that the clock shows this. */
function nextTimeOfDay(text: string, now: number): number | undefined {
  const [, hour, minute] = TIME_OF_DAY.exec(text) ?? [];
  if (hour === undefined || Number(hour) > 23 || Number(minute) > 59) return undefined;
  const moment = new Date(now);
  moment.setHours(Number(hour), Number(minute), 0, 0);
  if (moment.getTime() <= now) moment.setDate(moment.getDate() + 1);
  return moment.getTime();
}

/** Keys of rows that say when they came. */
const TIME_KEYS: ReadonlySet<unknown> = new Set(["block_time", "created_time"]);

/** Options that are of no use with it, and why. */
const CONFLICTS: Readonly<Partial<Record<keyof GlobalOptions, readonly [flag: string, why: string]>>> = {
  all: ["--all", "what is followed has no end."],
  out: ["--out", "a file is there when it is complete. Send the rows to a file with >."],
  resume: ["--resume", "it begins with the newest rows."],
  via: ["--via", "nothing is exported."],
  envelope: ["--envelope", "rows of many answers are printed."],
  offline: ["--offline", "what is new is not in the cache."],
};

/**
 * Refuses to follow what cannot be followed.
 * @throws UsageError that says why
 */
export function checkFollow(endpoint: Endpoint, params: ParameterValues, globals: GlobalOptions): void {
  const refusal = (message: string, hint?: string) => new UsageError(message, hint === undefined ? {} : { hint });
  for (const [name, [flag, why]] of Object.entries(CONFLICTS)) {
    if (globals[name as keyof GlobalOptions] !== undefined)
      throw refusal(`--follow and ${flag} contradict each other: ${why}`);
  }
  if (globals.jq === undefined && (globals.json || globals.output === "json")) {
    throw refusal("A JSON document has an end, and what is followed has none.", "Use -o ndjson: a line for each row.");
  }
  const problem = orderProblem(endpoint, params) ?? windowProblem(endpoint, params);
  if (problem !== undefined) throw refusal(`--follow: ${problem}`, FOLLOWABLE_HINT);
}

const FOLLOWABLE_HINT =
  "What can be followed are lists with their newest rows first: solx account transfer <address> --follow";

/** Whether the rows come with the newest first, and can be told apart. */
export function isNewestFirst(endpoint: Endpoint, params: ParameterValues = {}): boolean {
  return orderProblem(endpoint, params) === undefined;
}

function orderProblem(endpoint: Endpoint, params: ParameterValues): string | undefined {
  const { query, identity, returns, newestFirst } = endpoint;
  if (returns.shape !== "rows" || identity === undefined) return `${endpoint.command} gives no list that grows.`;
  const value = (name: string) => params[name] ?? query[name]?.default;
  const key = value("sort_by");
  if (query.sort_by === undefined ? !newestFirst : !TIME_KEYS.has(key)) {
    const by = key === undefined ? "" : `; they are sorted by ${String(key)}`;
    return `the rows of ${endpoint.command} do not come newest first${by}.`;
  }
  return value("sort_order") === "asc" ? "with --sort-order asc the newest rows come last." : undefined;
}

/** Why the part of the list that the parameters name never has anything new. */
function windowProblem(endpoint: Endpoint, params: ParameterValues): string | undefined {
  const input = Object.entries(endpoint.query).filter(([name]) => params[name] !== undefined);
  const endParam = input.find(([, { role, type, arity }]) => role === "to" || (type === "time" && arity === "range"));
  if (endParam) return `${optionFlag(endParam[0])} ends the list, and nothing new would be in it.`;
  const startParam = input.find(([, { role }]) => role === "page" || role === "offset" || role === "cursor");
  return startParam && `${optionFlag(startParam[0])} begins below the newest rows.`;
}

const optionFlag = (name: string) => `--${optionName(name)}`;

/** The sizes of a look: the greatest page, for it costs the same, and how many rows the first one prints. */
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
