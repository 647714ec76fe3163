/** One opening of the palette: what there was when it opened, and the keys that came before it was drawn. */
import type { Explorer } from "../app/context.ts";
import type { Place } from "../app/route.ts";
import { EDIT_KEYS } from "../form/text-field.ts";
import { type Candidate, candidatesOf } from "./candidates.ts";
import { atHandOf } from "./known-identifiers.ts";
import type { AtHand } from "./prompt.ts";
import { recentPlaces } from "./recent-routes.ts";

/** The keys of the palette beside those that edit its line. */
export const PALETTE_KEYS = {
  down: ["down", "ctrl+n"],
  up: ["up", "ctrl+p"],
  pageDown: ["pagedown"],
  pageUp: ["pageup"],
  complete: ["tab"],
  enter: ["enter"],
  close: ["esc", "ctrl+c"],
} as const;

/** What an opening knows. */
export interface Session {
  readonly candidates: readonly Candidate[];
  readonly atHand: readonly AtHand[];
  /** Where one was, and what one keeps. */
  readonly places: readonly Place[];
  /** Hands over the keys that came since, to be pressed again; from now on none are held. */
  readonly takeKeys: () => readonly { readonly name: string; readonly text?: string }[];
}

/** Milliseconds in which the palette is drawn at the latest. */
const LONGEST_HELD = 1000;

/** Begins: from now on keys are held, since those of the screen below are no text. */
export function beginSession(explorer: Explorer): Session {
  const { keys, navigation, services } = explorer;
  const bookmarks = services.memory.bookmarks();
  const recent = recentPlaces(explorer);
  const actions = keys.active().filter(({ name }) => name !== "go.search");
  const candidates = candidatesOf({ actions, bookmarks, recent, unicode: services.unicode });
  const atHand = atHandOf(navigation.current().place, explorer.subject());
  const held: { readonly name: string; readonly text?: string }[] = [];
  const owner = {};
  const all = [...EDIT_KEYS, ...Object.values(PALETTE_KEYS).flat()];
  keys.set(owner, {
    layer: "overlay",
    modal: true,
    bindings: [{ keys: all, label: "type", group: "go", run: (name) => void held.push({ name }) }],
    onText: (text) => void held.push({ name: text === " " ? "space" : text, text }),
  });
  // In a window that is too small nothing is drawn, and keys must not be held for ever.
  setTimeout(() => keys.remove(owner), LONGEST_HELD).unref();
  return {
    candidates,
    atHand,
    places: [...recent, ...bookmarks.map(({ place }) => place)],
    takeKeys() {
      keys.remove(owner);
      return held.splice(0);
    },
  };
}
