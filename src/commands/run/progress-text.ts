/** Progress as text: what was done, how fast, what remains. Pure functions; the caller has the clock. */

import { DAY_SECONDS, groupThousands, pluralize } from "../../base/index.ts";
import { textWidth } from "../../output/index.ts";

/** Why no request is sent at the moment. */
export interface Pause {
  readonly reason: "rate" | "export" | "retry";
  /** Seconds until the next request, as far as known. */
  readonly seconds?: number | undefined;
}

/** The progress of some work. Times are seconds. */
export interface ProgressState {
  readonly title?: string | undefined;
  readonly rows: number;
  /** Rows of earlier runs. */
  readonly before?: number | undefined;
  /** Rows expected in all. */
  readonly total?: number | undefined;
  readonly requests: number;
  /** Compute units of these requests. */
  readonly units: number;
  /** Since the start. */
  readonly elapsed: number;
  /** Requests that may still start in the window of the rate limit. */
  readonly left?: { readonly requests: number; readonly of: number } | undefined;
  readonly pause?: Pause | undefined;
  /** The part of the work that is under way. */
  readonly part?: string | undefined;
  /** Remaining seconds, if the work itself knows them. */
  readonly eta?: number | undefined;
}

const SEPARATOR = ", ";
/** Below this many rows a second, a fraction is displayed. */
const SLOW = 10;

/** Returns what is known, the most important first. */
export function progressParts(state: ProgressState): string[] {
  const { rows, before = 0, total, requests, units, left, pause, part } = state;
  const available = before + rows;
  const eta = estimateRemaining(state);
  return [
    total === undefined ? pluralize(available, "row") : `${groupThousands(available)} of ${pluralize(total, "row")}`,
    pause && formatPause(pause),
    eta === undefined ? undefined : `${formatSpan(eta)} left`,
    part,
    requests > 0 ? pluralize(requests, "request") : undefined,
    formatRate(state),
    left && Number.isFinite(left.of)
      ? `${groupThousands(left.requests)} of ${groupThousands(left.of)} requests free`
      : undefined,
    units > 0 ? pluralize(units, "unit") : undefined,
  ].filter((text): text is string => text !== undefined);
}

/** Returns a line of at most `columns` cells: the least important parts are left out; the first part always stays. */
export function formatProgress(state: ProgressState, columns: number): string {
  const title = state.title === undefined ? "" : `${state.title}: `;
  const [first = "", ...others] = progressParts(state);
  let line = title + first;
  for (const part of others) {
    const longer = line + SEPARATOR + part;
    if (textWidth(longer) > columns) break;
    line = longer;
  }
  return line;
}

function formatPause({ reason, seconds }: Pause): string {
  const span = seconds === undefined ? "" : `${formatSpan(seconds)} `;
  if (reason === "retry") return `retrying in ${span.trim()}`;
  return `waiting ${span}for the ${reason === "export" ? "next export" : "rate limit"}`;
}

/** Returns the seconds until all rows are read, at the speed so far. */
function estimateRemaining({ rows, before = 0, total, elapsed, eta }: ProgressState): number | undefined {
  if (eta !== undefined || total === undefined) return eta;
  const left = total - before - rows;
  return rows > 0 && left > 0 && elapsed > 0 ? (left * elapsed) / rows : undefined;
}

function formatRate({ rows, elapsed }: ProgressState): string | undefined {
  if (rows === 0 || elapsed <= 0) return undefined;
  const rate = rows / elapsed;
  return `${rate < SLOW ? rate.toFixed(1) : groupThousands(Math.round(rate))} rows/s`;
}

/** Returns a duration in at most two units: `42 s`, `3 min 5 s`, `2 h 4 min`, `3 d 2 h`. */
export function formatSpan(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds));
  const index = UNITS.findIndex(([length]) => whole >= length);
  const [length, name] = UNITS[index] ?? SECOND;
  const [smaller, smallerName] = UNITS[index + 1] ?? SECOND;
  const rest = length === 1 || index < 0 ? 0 : Math.floor((whole % length) / smaller);
  return `${Math.floor(whole / length)} ${name}${rest === 0 ? "" : ` ${rest} ${smallerName}`}`;
}

const SECOND = [1, "s"] as const;
const UNITS = [[DAY_SECONDS, "d"], [3600, "h"], [60, "min"], SECOND] as const;
