/** How the changes of a list appear: new rows slide in at the top, then they and changed values flash for a moment. */
import { useEffect, useMemo, useState } from "react";
import type { JsonObject } from "../../../base/index.ts";
import { TIMERS, type Timers } from "../../data/timers.ts";
import { addedOnTop, changesOf, NO_CHANGES, type RowChanges, type WatchedFields } from "./changes.ts";

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

/** The rows to draw, and which of them are highlighted. */
export interface ChangingRows {
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
