/**
 * Where one is and has been: a history like a browser's. Each entry keeps what its screen looked like (row, column,
 * scroll, filter, sort, tab, …), so that going back restores it. No React here.
 */
import { isSameRoute, type Route } from "./route.ts";

/** A place that was visited, and what its screen remembers, by the name of the part. */
export interface HistoryEntry {
  /** Tells visits of one place apart. */
  readonly id: number;
  readonly route: Route;
  readonly viewState: ReadonlyMap<string, unknown>;
}

/** The history. */
export interface Navigation {
  readonly current: () => HistoryEntry;
  /** The visits up to now, the oldest first. */
  readonly trail: () => readonly HistoryEntry[];
  readonly canGoBack: () => boolean;
  readonly canGoForward: () => boolean;
  /** Goes to a place; what was ahead is forgotten. The same place again is no step. */
  open(route: Route): void;
  /** The same step with another place, as when a filter changes what is asked. */
  replace(route: Route): void;
  /** @returns whether there was a step to go */
  back(): boolean;
  forward(): boolean;
  /** Keeps what a part of a visit's screen looks like. */
  saveViewState(entryId: number, part: string, state: unknown): void;
  subscribe(listener: () => void): () => void;
}

/** Steps that are kept. */
const MAX_ENTRIES = 200;

/** Begins a history. */
export function createNavigation(start: Route): Navigation {
  const listeners = new Set<() => void>();
  let count = 0;
  const createEntry = (route: Route): HistoryEntry => {
    count += 1;
    return { id: count, route, viewState: new Map() };
  };
  let entries: readonly HistoryEntry[] = [createEntry(start)];
  let at = 0;
  let trail = entries;
  const go = (next: readonly HistoryEntry[], to: number) => {
    [entries, at, trail] = [next, to, next.slice(0, to + 1)];
    for (const listener of listeners) listener();
  };
  const current = () => entries[at] as HistoryEntry;
  return {
    current,
    trail: () => trail,
    canGoBack: () => at > 0,
    canGoForward: () => at < entries.length - 1,
    open(route) {
      if (isSameRoute(route, current().route)) return;
      const nextEntries = [...entries.slice(0, at + 1), createEntry(route)].slice(-MAX_ENTRIES);
      go(nextEntries, nextEntries.length - 1);
    },
    replace(route) {
      go(entries.with(at, { ...current(), route }), at);
    },
    back() {
      if (at === 0) return false;
      go(entries, at - 1);
      return true;
    },
    forward() {
      if (at >= entries.length - 1) return false;
      go(entries, at + 1);
      return true;
    },
    saveViewState(id, part, state) {
      const index = entries.findIndex((one) => one.id === id);
      const entry = entries[index];
      if (!entry || entry.viewState.get(part) === state) return;
      go(entries.with(index, { ...entry, viewState: new Map(entry.viewState).set(part, state) }), at);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
