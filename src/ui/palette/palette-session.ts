/** A session of the palette: what was known when it was opened. */
import { pluralize } from "../../base/index.ts";
import type { Explorer } from "../navigation/context.ts";
import type { Route } from "../navigation/route.ts";
import { type Candidate, listCandidates } from "./candidates.ts";
import { entitiesInView } from "./known-identifiers.ts";
import type { EntityRef } from "./prompt.ts";
import { recentRoutes } from "./recent-routes.ts";

/** The keys of the palette, besides those that edit its input. */
export const PALETTE_KEYS = {
  down: ["down", "ctrl+n"],
  up: ["up", "ctrl+p"],
  pageDown: ["pagedown"],
  pageUp: ["pageup"],
  complete: ["tab"],
  enter: ["enter"],
  close: ["esc", "ctrl+c"],
} as const;

/** A session of the palette. */
export interface PaletteSession {
  /** The initial input, and a note about what was left out of it. */
  readonly text: string;
  readonly note: string | undefined;
  readonly candidates: readonly Candidate[];
  readonly known: readonly EntityRef[];
  /** Recent and bookmarked routes. */
  readonly routes: readonly Route[];
}

const LINE_BREAK = /[\r\n]+/;

/** The end of a line that a shell continues on the next one, as long commands are displayed. */
const CONTINUATION = /\\\r?\n[ \t]*/g;

/** Returns the lines of a text without empty ones. */
const linesOf = (text: string): readonly string[] => text.replace(CONTINUATION, "").trim().split(LINE_BREAK);

/** Returns the first line of a text that is not empty; a command on several lines is one. */
export function firstLine(text: string): string {
  return linesOf(text)[0] ?? "";
}

/** Starts a session. */
export function startPaletteSession(explorer: Explorer, text: string): PaletteSession {
  const { keys, navigation, services } = explorer;
  const bookmarks = services.memory.bookmarks();
  const recent = recentRoutes(explorer);
  const actions = keys.active().filter(({ name }) => name !== "go.search");
  const { unicode, supports, source } = services;
  const candidates = listCandidates({
    bindings: actions,
    bookmarks,
    recent,
    unicode,
    supports,
    customThemes: services.customization?.themes,
    nameOf: explorer.data.nameOf,
    source,
  });
  const known = entitiesInView(navigation.current().route, explorer.subjects.current());
  const more = linesOf(text).length - 1;
  return {
    text: firstLine(text),
    note: more > 0 ? `${pluralize(more, "more line")} left out` : undefined,
    candidates,
    known,
    routes: [...recent, ...bookmarks.map(({ route }) => route)],
  };
}
