/** Places where one was: those of this session before those of former ones, each once, the newest first. */
import type { Explorer } from "../app/context.ts";
import { HOME, isSame, type Place } from "../app/route.ts";
import type { Memory } from "../app/services.ts";

/** Places that are kept. */
export const MOST_RECENT = 100;

/** The list with a place at its front. */
export function withRecent(recent: readonly Place[], place: Place): readonly Place[] {
  return [place, ...recent.filter((one) => !isSame(one, place))].slice(0, MOST_RECENT);
}

/** Keeps every place that is gone to, but home, where everybody is. The returned function ends it. */
export function keepRecent({ navigation, services }: Pick<Explorer, "navigation" | "services">): () => void {
  let last: { readonly id: number; readonly place: Place } = { id: 0, place: HOME };
  const look = () => {
    const { id, place } = navigation.current();
    const before = last;
    if (isSame(place, before.place)) return;
    last = { id, place };
    // A step that became another, such as a block after a block, is one place.
    if (place.kind !== "hall") keep(services.memory, place, id === before.id ? before.place : undefined);
  };
  look();
  return navigation.subscribe(look);
}

function keep(memory: Memory, place: Place, instead: Place | undefined): void {
  const others = memory.recent().filter((one) => instead === undefined || !isSame(one, instead));
  // What cannot be written is logged where it is written; nobody waits for it.
  void memory.setRecent(withRecent(others, place));
}

/** The places of a palette: those of this session, also where they are not kept yet, and kept ones; not the one where one is. */
export function recentPlaces({ navigation, services }: Pick<Explorer, "navigation" | "services">): readonly Place[] {
  const all = navigation.trail().reduce((list, { place }) => withRecent(list, place), services.memory.recent());
  return all.filter((place) => !isSame(place, navigation.current().place));
}
