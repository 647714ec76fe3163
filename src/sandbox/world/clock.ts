/** When blocks are: the world's own time, sparse over three months and dense in its last minute. */
import { DAY_SECONDS } from "../../base/index.ts";
import { SLOT } from "../../catalogue/index.ts";
import type { Random } from "./random.ts";

/** The world's last moment: 2026-01-01T00:00:00Z. */
export const END = 1_767_225_600;
/** The world's first moment, 92 and a half days earlier. */
export const START = END - 7_992_000;
/** When the slot of the documentation's examples was: in the evening, twenty days before the end. */
const SLOT_TIME = END - 1_760_000;
const SLOTS_PER_SECOND = 2.5;
/** Slots at the end whose blocks are nearly all there. */
const DENSE_SLOTS = 150;
/** Blocks of the first day beside its share: what there was before is told in them. */
const FIRST_BLOCKS = 40;

/** The slot of a time. */
const slotAt = (time: number): number => SLOT + Math.round((time - SLOT_TIME) * SLOTS_PER_SECOND);
/** Unix seconds of a slot. */
export const timeOf = (slot: number): number => Math.floor(SLOT_TIME + (slot - SLOT) / SLOTS_PER_SECOND);

/** How busy an hour of the day is, 1 on average. */
const HOURLY_ACTIVITY: readonly number[] = [
  0.7, 0.65, 0.6, 0.55, 0.5, 0.55, 0.65, 0.8, 0.95, 1, 1.05, 1.1, 1.15, 1.3, 1.5, 1.6, 1.6, 1.5, 1.35, 1.2, 1.15, 1.1,
  1, 0.85,
];

/** How busy a time is: its hour, and quieter weekends. */
export function activityLevel(time: number): number {
  const weekday = Math.floor(time / DAY_SECONDS + 4) % 7;
  const hour = HOURLY_ACTIVITY[Math.floor((time % DAY_SECONDS) / 3600)] ?? 1;
  return weekday === 0 || weekday === 6 ? hour * 0.8 : hour;
}

/** A slot with a block, and whether it is one of the dense ones. */
export interface BlockSlot {
  readonly slot: number;
  readonly dense: boolean;
}

function* spreadSlots(random: Random, first: number, end: number, count: number): Generator<number> {
  const step = (end - first) / count;
  let last = first - 1;
  for (let index = 0; index < count; index++) {
    const slot = Math.floor(first + (index + random.fraction()) * step);
    if (slot > last && slot < end) {
      last = slot;
      yield slot;
    }
  }
}

/** How many blocks there are at a time, against others: more and more of them, as the chain grows. */
function growth(time: number): number {
  const part = (time - START) / (END - START);
  const square = part * part;
  return 0.7 + 2.9 * square * square;
}

/** Stretches of sparse blocks: days, and what the slot of the examples makes of its day. */
function sparsePeriods(
  count: number,
): readonly { readonly from: number; readonly to: number; readonly count: number }[] {
  const bounds = [SLOT_TIME];
  for (let time = START; time < END; time += DAY_SECONDS) bounds.push(time);
  bounds.sort((a, b) => a - b);
  const days = bounds.map((from, n) => {
    const to = bounds[n + 1] ?? END - DENSE_SLOTS / SLOTS_PER_SECOND;
    return { from, to, weight: growth((from + to) / 2) * (to - from) };
  });
  const total = days.reduce((sum, { weight }) => sum + weight, 0);
  let [sum, allocated] = [0, 0];
  return days.map(({ from, to, weight }, n) => {
    sum += weight;
    const whole = Math.round(((count - FIRST_BLOCKS) * sum) / total);
    const blocks = whole - allocated + (n === 0 ? FIRST_BLOCKS : 0);
    allocated = whole;
    return { from: slotAt(from), to: slotAt(to), count: blocks };
  });
}

/**
 * The slots of the blocks, without an end: sparse ones, the one of the examples among them, then dense ones, of which
 * {@link END} has one.
 * @param count how many sparse ones there are, about
 */
export function* blockSlots(random: Random, count: number): Generator<BlockSlot> {
  const last = slotAt(END);
  for (const { from, to, count: blocks } of sparsePeriods(count)) {
    const exact = from === SLOT || from === slotAt(START);
    if (exact) yield { slot: from, dense: false };
    for (const slot of spreadSlots(random, exact ? from + 1 : from, to, blocks)) yield { slot, dense: false };
  }
  for (let slot = last - DENSE_SLOTS; ; slot++) if (slot === last || random.chance(0.94)) yield { slot, dense: true };
}
