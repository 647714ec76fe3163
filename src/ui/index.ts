/**
 * The explorer: a full-screen Ink app, and the same pages as lines of text. Components load lazily: {@link loadExplorer}
 * and {@link loadUsageWatch} import React and Ink, everything exported directly does not.
 */

export { viewArguments } from "./actions/current-view.ts";
export { isTooSmall, MIN_WINDOW } from "./frame/layout.ts";
export { ENTITY_KINDS, type EntityKind, entityPage, PAGE_NAMES, type PageName } from "./navigation/entity-pages.ts";
export { ACTIONS, type Action } from "./navigation/keys/actions.ts";
export { NO_CUSTOM_KEYS } from "./navigation/keys/custom-keys.ts";
export { keyLabel } from "./navigation/keys/keymap.ts";
export { parseListSettings } from "./navigation/list-settings.ts";
export { MAX_COMPARED } from "./navigation/popups.ts";
export { comparedRoute, HOME, type Route, routeForIdentifier } from "./navigation/route.ts";
export type {
  FoundEvent,
  ParkedEvent,
  RuleField,
  RulesState,
  RuleTexts,
  RuleWatch,
  WatchedSubject,
} from "./navigation/rule-watch.ts";
export type {
  ActionResult,
  AddressBook,
  ApiKeyEntry,
  CommandLines,
  Customization,
  DesktopServices,
  DisplayServices,
  EventServices,
  ExplorerMemory,
  LineCompletions,
  LineView,
  OpenExternally,
  Progress,
  RunProgram,
  Services,
  StoredUsage,
  UserServices,
} from "./navigation/services.ts";
export { type Bookmark, MAX_LOOKS, parseLook, type View } from "./navigation/view.ts";
export { summarizeObject } from "./pages/bookmarks/looks.ts";
export type { ExitReason } from "./terminal/full-screen.tsx";
export { UsageWatcher } from "./watch/watcher.ts";

/** Loads the full-screen explorer. */
export const loadExplorer = () => import("./app/start.tsx");

/** Loads what reads the keys of users, with the library for their schema. */
export const loadCustomKeys = () => import("./navigation/keys/read-custom-keys.ts");

/** Loads the explorer in plain lines. */
export const loadPlainExplorer = () => import("./plain/start.ts");

/** Loads the records of the pages, with what they show: most of the explorer, which its first frame does not need. */
export const loadPages = () => import("./pages/records.ts");

/** Loads the full-screen view of `solx usage --watch`. */
export const loadUsageWatch = () => import("./watch/screen.tsx");
