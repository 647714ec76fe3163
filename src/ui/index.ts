/**
 * The explorer and the usage watch. The only way into this module.
 *
 * The static exports load neither Ink nor React; the functions below load the interactive parts on first use.
 */
import type { createDataStore } from "./data/query-store.ts";
import type { runPlainExplorer } from "./plain/session.ts";
import type { ExploreOptions } from "./start.tsx";
import type { ExitReason } from "./terminal/full-screen.tsx";
import type { WatchOptions } from "./watch/screen.tsx";

export { ENTITY_KINDS, type EntityKind, entityPage, PAGE_NAMES, type PageName } from "./app/entity-pages.ts";
export { ACTIONS, type Action } from "./app/keys/actions.ts";
export { readCustomKeys } from "./app/keys/custom-keys.ts";
export { keyLabel } from "./app/keys/keymap.ts";
export { isTooSmall, MIN_WINDOW } from "./app/layout.ts";
export { HOME, type Route } from "./app/route.ts";
export { routeForIdentifier } from "./app/route-for.ts";
export type {
  ActionResult,
  ApiKeyEntry,
  Bookmark,
  Customization,
  ExplorerMemory,
  OpenExternally,
  Services,
} from "./app/services.ts";
export type { ColorDepth } from "./app/theme/style.ts";
export { detectColorScheme } from "./app/theme/theme.ts";
export { findTheme, parseThemeSettings, type ThemeName, unknownThemeMessage } from "./app/theme/themes.ts";
export { createWatcher, type Watcher } from "./watch/watcher.ts";

/** Runs the explorer in a terminal. */
export async function explore(options: ExploreOptions): Promise<ExitReason> {
  const { explore: start } = await import("./start.tsx");
  return start(options);
}

/** Runs the usage watch in a terminal. */
export async function runWatch(options: WatchOptions): Promise<ExitReason> {
  const { runWatch: start } = await import("./watch/screen.tsx");
  return start(options);
}

/** The functions that run the explorer in plain lines. */
export interface PlainExplorer {
  readonly createDataStore: typeof createDataStore;
  readonly runPlainExplorer: typeof runPlainExplorer;
}

/** Loads the explorer in plain lines, which needs neither Ink nor React. */
export async function loadPlainExplorer(): Promise<PlainExplorer> {
  const [data, plain] = await Promise.all([import("./data/query-store.ts"), import("./plain/session.ts")]);
  return { createDataStore: data.createDataStore, runPlainExplorer: plain.runPlainExplorer };
}
