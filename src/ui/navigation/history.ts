/**
 * Navigation history, like that of a browser. Each entry stores the state of its parts (row, column, scroll, filter, sort,
 * tab, …), so that going back restores it. Recent routes are those of earlier sessions too.
 */
import { createEmitter, type Json, omitUndefined } from "../../base/index.ts";
import { HOME, isSameRoute, type Route } from "./route.ts";
import type { ExplorerMemory } from "./services.ts";
import { type View, withOpenTab } from "./view.ts";

/** A visited view: its state is that with which it was opened. */
export interface HistoryEntry extends View {
  /** Distinguishes entries of the same route. */
  readonly id: number;
  /** The state of its parts since then, by their names. */
  readonly live: ReadonlyMap<string, LiveState>;
}

interface LiveState {
  readonly value: unknown;
  /** Returns what is kept of it in a view. */
  readonly toJson: () => Json | undefined;
}

/** The navigation history. */
export type Navigation = ReturnType<typeof createNavigation>;

const MAX_ENTRIES = 200;

/**
 * Creates a history that starts at a route.
 * @param resolve returns the route that is opened in place of another one
 * @param state that of the view that it starts at (default: as at first)
 */
export function createNavigation(
  start: Route,
  resolve: (route: Route) => Route = (route) => route,
  state?: View["state"],
) {
  const changes = createEmitter();
  let count = 0;
  const createEntry = ({ route, state }: View): HistoryEntry => {
    count += 1;
    return { id: count, route, state, live: new Map() };
  };
  let entries: readonly HistoryEntry[] = [createEntry({ route: resolve(start), state })];
  let at = 0;
  let trail = entries;
  const go = (next: readonly HistoryEntry[], to: number) => {
    [entries, at, trail] = [next, to, next.slice(0, to + 1)];
    changes.emit();
  };
  const current = () => entries[at] as HistoryEntry;
  return {
    current,
    /** Returns the entries up to the current one, oldest first. */
    trail: () => trail,
    canGoBack: () => at > 0,
    canGoForward: () => at < entries.length - 1,
    /**
     * Opens a route and drops the forward entries. Opening the current route again does nothing.
     * @param state that of the view that is opened (default: as at first)
     */
    open(requested: Route, state?: View["state"]) {
      const route = resolve(requested);
      if (state === undefined && isSameRoute(route, current().route)) return;
      const nextEntries = [...entries.slice(0, at + 1), createEntry({ route, state })].slice(-MAX_ENTRIES);
      go(nextEntries, nextEntries.length - 1);
    },
    /** Returns the current page with what is kept of the state of its parts. */
    view(): View {
      const { route, state, live } = current();
      const changed = Object.fromEntries([...live].map(([part, { toJson }]) => [part, toJson()]));
      return withOpenTab({ route, state: { ...state, ...omitUndefined(changed) } });
    },
    /** Replaces the route of the current entry, for example when a filter changes the request. */
    replace(requested: Route) {
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
    saveState<S>(id: number, part: string, value: S, toJson: (state: S) => Json | undefined = () => undefined) {
      const index = entries.findIndex((one) => one.id === id);
      const entry = entries[index];
      const before = entry?.live.get(part);
      if (!entry || (before && before.value === value)) return;
      const live = new Map(entry.live).set(part, { value, toJson: () => toJson(value) });
      go(entries.with(index, { ...entry, live }), at);
    },
    subscribe: changes.on,
  };
}

const MAX_RECENT = 100;

interface RecentSources {
  readonly navigation: Navigation;
  readonly services: { readonly memory: ExplorerMemory };
}

function withRecent(recent: readonly Route[], route: Route): readonly Route[] {
  return [route, ...recent.filter((one) => !isSameRoute(one, route))].slice(0, MAX_RECENT);
}

/** Records every visited route that is not a page such as home. Returns the function that stops it. */
export function recordRecentRoutes({ navigation, services }: RecentSources): () => void {
  let last: { readonly id: number; readonly route: Route } = { id: 0, route: HOME };
  const record = () => {
    const { id, route } = navigation.current();
    const before = last;
    if (isSameRoute(route, before.route)) return;
    last = { id, route };
    // A replaced route, such as the next block, replaces the recorded one.
    if (route.kind !== "page") saveRecent(services.memory, route, id === before.id ? before.route : undefined);
  };
  record();
  return navigation.subscribe(record);
}

function saveRecent(memory: ExplorerMemory, route: Route, replaced: Route | undefined): void {
  const others = memory.recent().filter((one) => replaced === undefined || !isSameRoute(one, replaced));
  // Write errors are logged by the memory; nothing waits for the write.
  void memory.setRecent(withRecent(others, route));
}

/** Returns the recent routes of this and earlier sessions, without the current one. */
export function recentRoutes({ navigation, services }: RecentSources): readonly Route[] {
  const all = navigation.trail().reduce((list, { route }) => withRecent(list, route), services.memory.recent());
  return all.filter((route) => !isSameRoute(route, navigation.current().route));
}
