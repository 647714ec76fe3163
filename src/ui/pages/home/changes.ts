/** What differs between two answers of a list. Pure. */
import { useEffect, useMemo, useState } from "react";
import { compareDecimals, decimalOf, type JsonObject } from "../../../base/index.ts";
import { TIMERS, type Timers } from "../../data/timers.ts";

interface WatchedFields {
  readonly id: string;
  readonly fields: readonly string[];
}

/** The changes of a list. */
export interface RowChanges {
  /** Rows that were not there before, by their identifier. */
  readonly added: ReadonlySet<unknown>;
  /** Returns whether a quantity rose (1) or fell (-1). */
  readonly trend: (row: JsonObject, field: string) => 1 | -1 | undefined;
}

/** No changes. */
export const NO_CHANGES: RowChanges = { added: new Set(), trend: () => undefined };

/** Returns what changed from one answer to the next; {@link NO_CHANGES} for the first answer and for equal ones. */
export function changesOf(
  before: readonly JsonObject[],
  after: readonly JsonObject[],
  { id, fields }: WatchedFields,
): RowChanges {
  if (before.length === 0) return NO_CHANGES;
  const known = new Map(before.map((row) => [row[id], row]));
  const added = new Set(after.map((row) => row[id]).filter((one) => !known.has(one)));
  const trends = new Map<string, 1 | -1>();
  for (const row of after) {
    for (const field of fields) {
      const [old, now] = [decimalOf(known.get(row[id])?.[field]), decimalOf(row[field])];
      const order = old && now ? compareDecimals(now, old) : 0;
      if (order !== 0) trends.set(`${String(row[id])} ${field}`, order > 0 ? 1 : -1);
    }
  }
  if (added.size === 0 && trends.size === 0) return NO_CHANGES;
  return { added, trend: (row, field) => trends.get(`${String(row[id])} ${field}`) };
}

/** Returns how many rows at the top of a list are new. */
export function addedOnTop(rows: readonly JsonObject[], { added }: RowChanges, id: string): number {
  const first = rows.findIndex((row) => !added.has(row[id]));
  return first < 0 ? 0 : first;
}

/** Steps in which new rows slide in, the duration of a step, and how long changes are highlighted afterwards. */
const SLIDE_STEPS = 2;
const SLIDE_MS = 120;
const FLASH_MS = 1200;

interface Appearance {
  readonly rows: readonly JsonObject[];
  readonly changes: RowChanges;
  /** Rows that slide in: how many there are, and how many are still hidden. */
  readonly arriving: number;
  readonly hidden: number;
}

interface ChangingRows {
  readonly rows: readonly JsonObject[];
  readonly changes: RowChanges;
}

/** Returns rows with their changes. Both are the same objects until something changes. */
export function useChanges(all: readonly JsonObject[], watched: WatchedFields, timing: Timers = TIMERS): ChangingRows {
  const [state, set] = useState<Appearance>({ rows: all, changes: NO_CHANGES, arriving: 0, hidden: 0 });
  if (state.rows !== all) set(appearanceOf(state.rows, all, watched));
  const { hidden, changes } = state;
  useEffect(() => {
    if (changes === NO_CHANGES) return;
    return timing.after(hidden > 0 ? SLIDE_MS : FLASH_MS, () => set(nextAppearance));
  }, [timing, hidden, changes]);
  return useMemo(() => ({ rows: hidden === 0 ? all : all.slice(hidden), changes }), [all, hidden, changes]);
}

function appearanceOf(before: readonly JsonObject[], rows: readonly JsonObject[], watched: WatchedFields): Appearance {
  const changes = changesOf(before, rows, watched);
  const arriving = addedOnTop(rows, changes, watched.id);
  return { rows, changes, arriving, hidden: hiddenAfterStep(arriving, arriving) };
}

function nextAppearance(now: Appearance): Appearance {
  if (now.hidden === 0) return { ...now, changes: NO_CHANGES };
  return { ...now, hidden: hiddenAfterStep(now.hidden, now.arriving) };
}

const hiddenAfterStep = (hidden: number, arriving: number) => Math.max(0, hidden - Math.ceil(arriving / SLIDE_STEPS));
