/**
 * The times, slots and heights of blocks: sparse over three months, dense in the last minute. They fit the date of the
 * world's end on mainnet: slot 390.2 million, epoch 903. Readers shift times towards the present, but no slots, so that
 * blocks, epochs and the sample slot of the documentation are the same at any time.
 */
import { DAY_SECONDS } from "../../base/index.ts";
import { SLOT } from "../../catalogue/index.ts";
import type { LeaderSchedule } from "../ledger/index.ts";
import type { Random } from "./random.ts";

/** The end of the world in Unix seconds: 2026-01-01T00:00:00Z. */
export const END = 1_767_225_600;
/** The beginning of the world in Unix seconds, 92.5 days before the end. */
const START = END - 7_992_000;
/** The time of the sample slot of the documentation, in Unix seconds: an evening, twenty days before the end. */
const SLOT_TIME = END - 1_760_000;
const SLOTS_PER_SECOND = 2.5;
/** Number of slots at the end of which the ledger has all blocks. */
const DENSE_SLOTS = 150;
/** Additional blocks of the first day, which publish the initial state. */
const FIRST_BLOCKS = 40;

const slotAt = (time: number): number => SLOT + Math.round((time - SLOT_TIME) * SLOTS_PER_SECOND);
/** Returns the time of a slot in Unix seconds. */
export const timeOf = (slot: number): number => Math.floor(SLOT_TIME + (slot - SLOT) / SLOTS_PER_SECOND);

/** Activity by hour of the day (UTC), about 1 on average. */
const HOURLY_ACTIVITY: readonly number[] = [
  0.7, 0.65, 0.6, 0.55, 0.5, 0.55, 0.65, 0.8, 0.95, 1, 1.05, 1.1, 1.15, 1.3, 1.5, 1.6, 1.6, 1.5, 1.35, 1.2, 1.15, 1.1,
  1, 0.85,
];

/** Returns the activity at a time, about 1 on average: it depends on the hour and is lower on weekends. */
export function activityLevel(time: number): number {
  const weekday = Math.floor(time / DAY_SECONDS + 4) % 7;
  const hour = HOURLY_ACTIVITY[Math.floor((time % DAY_SECONDS) / 3600)] ?? 1;
  return weekday === 0 || weekday === 6 ? hour * 0.8 : hour;
}

/** A slot with a block. */
export interface BlockSlot {
  readonly slot: number;
  /** Whether it is one of the dense slots at the end. */
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

/** Returns the relative density of blocks at a time: it grows, as the chain does. */
function growth(time: number): number {
  const part = (time - START) / (END - START);
  const fourth = part * part * part * part;
  return 0.5 + 6 * fourth * fourth;
}

/** Returns the periods of sparse blocks with their numbers of blocks: days, of which one is split at the sample slot. */
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
 * Yields the slots of blocks with transactions without an end, among those that have blocks.
 * @param count approximate number of sparse slots
 * @param interval seconds between two blocks after the end; as between dense slots by default
 */
export function* blockSlots(
  schedule: LeaderSchedule,
  random: Random,
  count: number,
  interval?: number,
): Generator<BlockSlot> {
  let last = 0;
  for (const { slot: wanted, dense } of wantedSlots(random, count, interval)) {
    const slot = schedule.firstFrom(wanted);
    if (slot <= last) continue;
    last = slot;
    yield { slot, dense };
  }
}

/** Yields sparse slots, which include the sample slot, then dense slots, which include the slot of {@link END}. */
function* wantedSlots(random: Random, count: number, interval: number | undefined): Generator<BlockSlot> {
  // The last slot of this second: ledgers end there, whatever the interval.
  const last = slotAt(END) + Math.floor(SLOTS_PER_SECOND);
  for (const { from, to, count: blocks } of sparsePeriods(count)) {
    const exact = from === SLOT || from === slotAt(START);
    if (exact) yield { slot: from, dense: false };
    for (const slot of spreadSlots(random, exact ? from + 1 : from, to, blocks)) yield { slot, dense: false };
  }
  const isOpen = interval === undefined;
  for (let slot = last - DENSE_SLOTS; isOpen || slot <= last; slot++) yield { slot, dense: true };
  for (let slot = last, n = 1; interval !== undefined; n++) {
    slot = Math.max(slot + 1, last + Math.round(n * interval * SLOTS_PER_SECOND));
    yield { slot, dense: true };
  }
}
