/** One opening of the palette: what there was when it opened, and the keys that came before it was drawn. */
import type { Explorer } from "../app/context.ts";
import type { Route } from "../app/route.ts";
import { EDIT_KEYS } from "../form/text-field.ts";
import { type Candidate, listCandidates } from "./candidates.ts";
import { entitiesInView } from "./known-identifiers.ts";
import type { EntityRef } from "./prompt.ts";
import { recentRoutes } from "./recent-routes.ts";

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
export interface PaletteSession {
  readonly candidates: readonly Candidate[];
  readonly known: readonly EntityRef[];
  /** Where one was, and what one keeps. */
  readonly routes: readonly Route[];
  /** Hands over the keys that came since, to be pressed again; from now on none are held. */
  readonly releaseKeys: () => readonly { readonly name: string; readonly text?: string }[];
}

/** Milliseconds in which the palette is drawn at the latest. */
const MAX_BUFFER_MS = 1000;

/** Begins: from now on keys are held, since those of the screen below are no text. */
export function startPaletteSession(explorer: Explorer): PaletteSession {
  const { keys, navigation, services } = explorer;
  const bookmarks = services.memory.bookmarks();
  const recent = recentRoutes(explorer);
  const actions = keys.active().filter(({ name }) => name !== "go.search");
  const candidates = listCandidates({ bindings: actions, bookmarks, recent, unicode: services.unicode });
  const known = entitiesInView(navigation.current().route, explorer.subject());
  const buffered: { readonly name: string; readonly text?: string }[] = [];
  const owner = {};
  const all = [...EDIT_KEYS, ...Object.values(PALETTE_KEYS).flat()];
  keys.set(owner, {
    layer: "overlay",
    modal: true,
    bindings: [{ keys: all, label: "type", group: "go", run: (name) => void buffered.push({ name }) }],
    onText: (text) => void buffered.push({ name: text === " " ? "space" : text, text }),
  });
  // In a window that is too small nothing is drawn, and keys must not be held for ever.
  setTimeout(() => keys.remove(owner), MAX_BUFFER_MS).unref();
  return {
    candidates,
    known,
    routes: [...recent, ...bookmarks.map(({ route }) => route)],
    releaseKeys() {
      keys.remove(owner);
      return buffered.splice(0);
    },
  };
}
