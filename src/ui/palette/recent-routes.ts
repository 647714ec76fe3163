/** Places where one was: those of this session before those of former ones, each once, the newest first. */
import type { Explorer } from "../app/context.ts";
import { HOME, isSameRoute, type Route } from "../app/route.ts";
import type { ExplorerMemory } from "../app/services.ts";

/** Places that are kept. */
export const MAX_RECENT = 100;

/** The list with a place at its front. */
export function withRecent(recent: readonly Route[], route: Route): readonly Route[] {
  return [route, ...recent.filter((one) => !isSameRoute(one, route))].slice(0, MAX_RECENT);
}

/** Keeps every place that is gone to, but home, where everybody is. The returned function ends it. */
export function recordRecentRoutes({ navigation, services }: Pick<Explorer, "navigation" | "services">): () => void {
  let last: { readonly id: number; readonly route: Route } = { id: 0, route: HOME };
  const record = () => {
    const { id, route } = navigation.current();
    const before = last;
    if (isSameRoute(route, before.route)) return;
    last = { id, route };
    // A step that became another, such as a block after a block, is one place.
    if (route.kind !== "page") saveRecent(services.memory, route, id === before.id ? before.route : undefined);
  };
  record();
  return navigation.subscribe(record);
}

function saveRecent(memory: ExplorerMemory, route: Route, replaced: Route | undefined): void {
  const others = memory.recent().filter((one) => replaced === undefined || !isSameRoute(one, replaced));
  // What cannot be written is logged where it is written; nobody waits for it.
  void memory.setRecent(withRecent(others, route));
}

/** The places of a palette: those of this session, also where they are not kept yet, and kept ones; not the one where one is. */
export function recentRoutes({ navigation, services }: Pick<Explorer, "navigation" | "services">): readonly Route[] {
  const all = navigation.trail().reduce((list, { route }) => withRecent(list, route), services.memory.recent());
  return all.filter((route) => !isSameRoute(route, navigation.current().route));
}
