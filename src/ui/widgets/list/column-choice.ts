/** Choosing columns: pure functions. */
import type { ListColumn } from "./columns.ts";

/** A column that may be shown. */
export interface Item {
  readonly key: string;
  readonly head: string;
  readonly about: string;
  readonly isOn: boolean;
}

/** What the picker knows. */
export interface Picking {
  readonly items: readonly Item[];
  readonly at: number;
}

/** All columns: those on view first, in their order. */
export function picking(shown: readonly ListColumn[], all: readonly ListColumn[]): Picking {
  const on = new Set(shown.map(({ key }) => key));
  const item = ({ key, head, sources: places }: ListColumn): Item => ({
    key,
    head,
    about: places[0]?.meta?.description ?? "",
    isOn: on.has(key),
  });
  return { items: [...shown.map(item), ...all.filter(({ key }) => !on.has(key)).map(item)], at: 0 };
}

/** Moves the cursor. */
export function move(state: Picking, by: number): Picking {
  return { ...state, at: Math.max(0, Math.min(state.at + by, state.items.length - 1)) };
}

/** Shows or hides the column of the cursor. */
export function toggle({ items, at }: Picking): Picking {
  return { items: items.map((item, index) => (index === at ? { ...item, isOn: !item.isOn } : item)), at };
}

/** Moves the column of the cursor, and the cursor with it. */
export function carry(state: Picking, by: 1 | -1): Picking {
  const to = state.at + by;
  const [here, there] = [state.items[state.at], state.items[to]];
  if (!here || !there) return state;
  return { items: state.items.with(to, here).with(state.at, there), at: to };
}

/** The keys of the columns that are to be shown, in their order. */
export function picked({ items }: Picking): readonly string[] {
  return items.filter(({ isOn }) => isOn).map(({ key }) => key);
}
