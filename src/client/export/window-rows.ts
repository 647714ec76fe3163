/** Classifies the rows of an export by their times. */
import { isObject, type Json, ServerError } from "../../base/index.ts";
import { type Endpoint, loadEntities, loadFields } from "../../catalogue/index.ts";
import { formatIso } from "../request/times.ts";
import { displayText } from "../text.ts";
import type { AnswerTimes, ExportWindow } from "./windows.ts";

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
      ascending: directionOf(known),
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

function directionOf(times: readonly number[]): boolean | undefined {
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
