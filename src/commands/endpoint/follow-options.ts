/** Options of `--follow`: what can be followed, how often and until when. Checked before the first request. */

import { DAY_SECONDS, UsageError } from "../../base/index.ts";
import { type Endpoint, optionName, type ParameterValues } from "../../catalogue/index.ts";
import { findParamByRole } from "../../client/index.ts";
import { findFormat } from "../../output/index.ts";
import type { GlobalOptions } from "../options/parsed-options.ts";
import { parseDuration } from "./follow-argument.ts";

/** Default and limits of the polling interval in seconds. */
const DEFAULT_INTERVAL = 30;
const MIN_INTERVAL = 2;
const MAX_INTERVAL = DAY_SECONDS;

/**
 * Returns the polling interval in seconds.
 * @throws UsageError when it is not a duration, or out of range
 */
export function parseInterval(input: string | true): number {
  if (input === true || input === "") return DEFAULT_INTERVAL;
  const seconds = parseDuration(input);
  if (seconds !== undefined && seconds >= MIN_INTERVAL && seconds <= MAX_INTERVAL) return seconds;
  throw new UsageError(
    seconds === undefined
      ? `invalid value "${input}" for --follow: expected an interval such as 30s, 2m or 1h`
      : `invalid value "${input}" for --follow: expected an interval from ${MIN_INTERVAL}s to ${MAX_INTERVAL / 3600}h`,
    { hint: `Each poll costs a request. Default: ${DEFAULT_INTERVAL}s.` },
  );
}

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

/** Sort keys that order rows by time. */
const TIME_KEYS: ReadonlySet<unknown> = new Set(["block_time", "created_time"]);

/** Options that cannot be used together with `--follow`, with the reason. */
const CONFLICTS: Readonly<Partial<Record<keyof GlobalOptions, readonly [flag: string, why: string]>>> = {
  all: ["--all", "a followed list has no end."],
  out: ["--out", "the file would never be complete. Redirect the rows to a file with >."],
  resume: ["--resume", "following starts with the newest rows."],
  envelope: ["--envelope", "rows come from many answers."],
};

/**
 * Checks that a list can be followed with the given options.
 * @throws UsageError with the reason when it cannot
 */
export function checkFollow(endpoint: Endpoint, params: ParameterValues, globals: GlobalOptions): void {
  const refusal = (message: string, hint?: string) => new UsageError(message, hint === undefined ? {} : { hint });
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
