/** Recent routes of this and earlier sessions, each once, newest first. */
import type { Explorer } from "../navigation/context.ts";
import { HOME, isSameRoute, type Route } from "../navigation/route.ts";
import type { ExplorerMemory } from "../navigation/services.ts";

/** Maximum number of recent routes. */
const MAX_RECENT = 100;

/** Returns the list with a route at its front. */
function withRecent(recent: readonly Route[], route: Route): readonly Route[] {
  return [route, ...recent.filter((one) => !isSameRoute(one, route))].slice(0, MAX_RECENT);
}

/** Records every visited route that is not a page such as home. Returns the function that stops it. */
export function recordRecentRoutes({ navigation, services }: Pick<Explorer, "navigation" | "services">): () => void {
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
export function recentRoutes({ navigation, services }: Pick<Explorer, "navigation" | "services">): readonly Route[] {
  const all = navigation.trail().reduce((list, { route }) => withRecent(list, route), services.memory.recent());
  return all.filter((route) => !isSameRoute(route, navigation.current().route));
}
