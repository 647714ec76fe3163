/**
 * Navigation history, like that of a browser. Each entry stores the state of its views (row, column, scroll, filter, sort,
 * tab, …), so that going back restores it.
 */
import { createEmitter } from "../../base/index.ts";
import { isSameRoute, type Route } from "./route.ts";

/** A visited route and the state of its views, by the name of the component. */
export interface HistoryEntry {
  /** Distinguishes entries of the same route. */
  readonly id: number;
  readonly route: Route;
  readonly viewState: ReadonlyMap<string, unknown>;
}

/** The navigation history. */
export interface Navigation {
  readonly current: () => HistoryEntry;
  /** Returns the entries up to the current one, oldest first. */
  readonly trail: () => readonly HistoryEntry[];
  readonly canGoBack: () => boolean;
  readonly canGoForward: () => boolean;
  /** Opens a route and drops the forward entries. Opening the current route again does nothing. */
  open(route: Route): void;
  /** Replaces the route of the current entry, for example when a filter changes the request. */
  replace(route: Route): void;
  /** Goes back; returns whether there was an entry. */
  back(): boolean;
  forward(): boolean;
  /** Stores the state of a component in an entry. */
  saveViewState(entryId: number, part: string, state: unknown): void;
  subscribe(listener: () => void): () => void;
}

/** Maximum number of entries. */
const MAX_ENTRIES = 200;

/**
 * Creates a history that starts at a route.
 * @param resolve returns the route that is opened in place of another one
 */
export function createNavigation(start: Route, resolve: (route: Route) => Route = (route) => route): Navigation {
  const changes = createEmitter();
  let count = 0;
  const createEntry = (route: Route): HistoryEntry => {
    count += 1;
    return { id: count, route, viewState: new Map() };
  };
  let entries: readonly HistoryEntry[] = [createEntry(resolve(start))];
  let at = 0;
  let trail = entries;
  const go = (next: readonly HistoryEntry[], to: number) => {
    [entries, at, trail] = [next, to, next.slice(0, to + 1)];
    changes.emit();
  };
  const current = () => entries[at] as HistoryEntry;
  return {
    current,
    trail: () => trail,
    canGoBack: () => at > 0,
    canGoForward: () => at < entries.length - 1,
    open(requested) {
      const route = resolve(requested);
      if (isSameRoute(route, current().route)) return;
      const nextEntries = [...entries.slice(0, at + 1), createEntry(route)].slice(-MAX_ENTRIES);
      go(nextEntries, nextEntries.length - 1);
    },
    replace(requested) {
      go(entries.with(at, { ...current(), route: resolve(requested) }), at);
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
    subscribe: changes.on,
  };
}
