/** Ranges of slots. */
import { type Column, firstPosition, firstRowOfSlot } from "../store/schema.ts";

/** Slots from the first one on, without the end. */
export interface SlotRange {
  readonly from: number;
  readonly end: number;
}

/** Blocks of one fork. */
export interface ForkRange extends SlotRange {
  readonly fork: number;
}

/** What a row is known at that says nothing: less than any slot, so that any other row is newer. */
export const UNKNOWN_AGE = 2 ** 40;

/** Returns the SQL for the slot after the last one that a writer knew with a row. */
export const knownAt = (table: string): string =>
  table === "funders"
    ? `intDiv(transfer_id, ${firstRowOfSlot(1)}) + 1`
    : `if(known_at < 0, known_at + ${UNKNOWN_AGE}, known_at)`;

/** Returns the same slots in their order, without ranges that touch. */
export function mergeSlots(ranges: readonly SlotRange[]): readonly SlotRange[] {
  const merged: SlotRange[] = [];
  for (const range of ranges.toSorted((a, b) => a.from - b.from)) {
    const last = merged.at(-1);
    if (last && range.from <= last.end) merged[merged.length - 1] = { ...last, end: Math.max(last.end, range.end) };
    else merged.push(range);
  }
  return merged;
}

/** Returns the parts of a range before a slot and from it on, as far as there are any. */
export const divideAt = (range: SlotRange, slot: number): SlotRange[] => [
  ...subtractSlots([range], [{ from: slot, end: slot }]),
];

/** Returns the slots that are not among others. */
export const subtractSlots = (ranges: readonly SlotRange[], others: readonly SlotRange[]): readonly SlotRange[] =>
  others.reduce<readonly SlotRange[]>(
    (rest, other) =>
      rest.flatMap(({ from, end }) =>
        [
          { from, end: Math.min(end, other.from) },
          { from: Math.max(from, other.end), end },
        ].filter((piece) => piece.from < piece.end),
      ),
    ranges,
  );

/** Returns the SQL condition that a position is in a range of slots. */
export const isInRange = (position: Pick<Column, "name" | "type">, { from, end }: SlotRange): string =>
  `${position.name} >= ${firstPosition(position, from)} AND ${position.name} < ${firstPosition(position, end)}`;

/** Returns the SQL condition that a position is in any of some ranges. */
export const isInSlots = (position: Pick<Column, "name" | "type">, ranges: readonly SlotRange[]): string =>
  ranges.length === 0 ? "false" : `(${ranges.map((range) => `(${isInRange(position, range)})`).join(" OR ")})`;
