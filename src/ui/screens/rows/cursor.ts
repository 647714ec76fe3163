/** The row of a short list that the cursor is on, as a pure function of keys. */
import type { Binding } from "../../frame/keys.ts";

/** How far keys go: rows down, or to an end. */
const STEPS: Readonly<Record<string, (at: number, total: number, page: number) => number>> = {
  j: (at) => at + 1,
  down: (at) => at + 1,
  k: (at) => at - 1,
  up: (at) => at - 1,
  g: () => 0,
  home: () => 0,
  G: (_, total) => total - 1,
  end: (_, total) => total - 1,
  "ctrl+d": (at, _, page) => at + Math.max(1, Math.floor(page / 2)),
  "ctrl+u": (at, _, page) => at - Math.max(1, Math.floor(page / 2)),
  pagedown: (at, _, page) => at + page,
  pageup: (at, _, page) => at - page,
};

/** The row after a key, within the list; other keys leave it. */
export function rowAfter(key: string, at: number, total: number, page: number): number {
  const step = Object.hasOwn(STEPS, key) ? STEPS[key] : undefined;
  return within(step ? step(at, total, page) : at, total);
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
  const run = (key: string) => set((at) => rowAfter(key, within(at, total), total, page));
  const binding = (keys: readonly string[], label: string): Binding => ({
    keys,
    label,
    group: "move",
    run,
    active: active && total > 1,
  });
  return [
    binding(["j", "down"], "next row"),
    binding(["k", "up"], "previous row"),
    binding(["g", "home"], "first row"),
    binding(["G", "end"], "last row"),
    binding(["ctrl+d"], "half a page down"),
    binding(["ctrl+u"], "half a page up"),
    binding(["pagedown"], "a page down"),
    binding(["pageup"], "a page up"),
  ];
}
