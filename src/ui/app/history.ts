/**
 * Where one is and has been: a history like a browser's. Each entry keeps what its screen looked like (row, column,
 * scroll, filter, sort, tab, …), so that going back restores it. No React here.
 */
import { isSame, type Place } from "./route.ts";

/** A place that was visited, and what its screen remembers, by the name of the part. */
export interface Visit {
  /** Tells visits of one place apart. */
  readonly id: number;
  readonly place: Place;
  readonly memory: ReadonlyMap<string, unknown>;
}

/** The history. */
export interface Navigation {
  readonly current: () => Visit;
  /** The visits up to now, the oldest first. */
  readonly trail: () => readonly Visit[];
  readonly canGoBack: () => boolean;
  readonly canGoForward: () => boolean;
  /** Goes to a place; what was ahead is forgotten. The same place again is no step. */
  open(place: Place): void;
  /** The same step with another place, as when a filter changes what is asked. */
  replace(place: Place): void;
  /** @returns whether there was a step to go */
  back(): boolean;
  forward(): boolean;
  /** Keeps what a part of a visit's screen looks like. */
  remember(visit: number, part: string, state: unknown): void;
  subscribe(listener: () => void): () => void;
}

/** Steps that are kept. */
const MOST_VISITS = 200;

/** Begins a history. */
export function createNavigation(start: Place): Navigation {
  const listeners = new Set<() => void>();
  let count = 0;
  const visit = (place: Place): Visit => {
    count += 1;
    return { id: count, place, memory: new Map() };
  };
  let visits: readonly Visit[] = [visit(start)];
  let at = 0;
  let trail = visits;
  const go = (next: readonly Visit[], to: number) => {
    [visits, at, trail] = [next, to, next.slice(0, to + 1)];
    for (const listener of listeners) listener();
  };
  const current = () => visits[at] as Visit;
  return {
    current,
    trail: () => trail,
    canGoBack: () => at > 0,
    canGoForward: () => at < visits.length - 1,
    open(place) {
      if (isSame(place, current().place)) return;
      const kept = [...visits.slice(0, at + 1), visit(place)].slice(-MOST_VISITS);
      go(kept, kept.length - 1);
    },
    replace(place) {
      go(visits.with(at, { ...current(), place }), at);
    },
    back() {
      if (at === 0) return false;
      go(visits, at - 1);
      return true;
    },
    forward() {
      if (at >= visits.length - 1) return false;
      go(visits, at + 1);
      return true;
    },
    remember(id, part, state) {
      const index = visits.findIndex((one) => one.id === id);
      const found = visits[index];
      if (!found || found.memory.get(part) === state) return;
      go(visits.with(index, { ...found, memory: new Map(found.memory).set(part, state) }), at);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
