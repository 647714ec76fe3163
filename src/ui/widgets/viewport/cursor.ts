/** The row of a short list that the cursor is on, as a pure function of keys. */
import { type ActionName, bound } from "../../app/keys/actions.ts";
import type { Binding } from "../../app/keys/keymap.ts";

/** How far keys go: rows down, or to an end. */
const STEPS = {
  "move.down": (at) => at + 1,
  "move.up": (at) => at - 1,
  "move.first": () => 0,
  "move.last": (_, total) => total - 1,
  "move.half-down": (at, _, page) => at + Math.max(1, Math.floor(page / 2)),
  "move.half-up": (at, _, page) => at - Math.max(1, Math.floor(page / 2)),
  "move.page-down": (at, _, page) => at + page,
  "move.page-up": (at, _, page) => at - page,
} as const satisfies Partial<Record<ActionName, (at: number, total: number, page: number) => number>>;

/** A way of moving the cursor. */
export type Move = keyof typeof STEPS;

/** The row after a move, within the list. */
export function rowAfter(move: Move, at: number, total: number, page: number): number {
  return within(STEPS[move](at, total, page), total);
}

/** A row that is there. */
export function within(at: number, total: number): number {
  return Math.max(0, Math.min(total - 1, at));
}

/** The first row on view where `height` rows are shown: the cursor's row is always among them, in the middle if it can. */
export function firstShown(at: number, total: number, height: number): number {
  return Math.max(0, Math.min(total - height, at - Math.floor(height / 2)));
}

/** Where the rows of a list are in its region. */
export interface Rows {
  /** Lines above the first row, and the first row on view. */
  readonly above: number;
  readonly from: number;
  readonly total: number;
  readonly height: number;
}

/** The row at a line of the region, counted from its top; undefined where there is none. */
export function rowAt(y: number, { above, from, total, height }: Rows): number | undefined {
  const at = y - above + from;
  return y >= above && y < above + height && at < total ? at : undefined;
}

/** Rows by which the wheel moves. */
const WHEEL = 3;

/** The row after a turn of the wheel. */
export function wheeled(what: "up" | "down", at: number, total: number): number {
  return within(at + (what === "up" ? -WHEEL : WHEEL), total);
}

/** The keys that move the cursor of a list of `total` rows, `page` of them on view. */
export function moves(
  total: number,
  page: number,
  set: (next: (at: number) => number) => void,
  active = true,
): readonly Binding[] {
  const binding = (name: Move, label: string): Binding => ({
    ...bound(name),
    label,
    group: "move",
    run: () => set((at) => rowAfter(name, within(at, total), total, page)),
    active: active && total > 1,
  });
  return [
    binding("move.down", "next row"),
    binding("move.up", "previous row"),
    binding("move.first", "first row"),
    binding("move.last", "last row"),
    binding("move.half-down", "half a page down"),
    binding("move.half-up", "half a page up"),
    binding("move.page-down", "a page down"),
    binding("move.page-up", "a page up"),
  ];
}
