/**
 * The explorer: a full-screen Ink app, and the same pages as lines of text. Components load lazily: {@link loadExplorer}
 * and {@link loadUsageWatch} import React and Ink, everything exported directly does not.
 */

export { viewArguments } from "./actions/view-command.ts";
export { ENTITY_KINDS, type EntityKind, entityPage, PAGE_NAMES, type PageName } from "./app/entity-pages.ts";
export { ACTIONS, type Action } from "./app/keys/actions.ts";
export { readCustomKeys } from "./app/keys/custom-keys.ts";
export { keyLabel } from "./app/keys/keymap.ts";
export { isTooSmall, MIN_WINDOW } from "./app/layout.ts";
export { endpointOfRoute, HOME, type Route } from "./app/route.ts";
export { routeForIdentifier } from "./app/route-for.ts";
export type {
  ActionResult,
  AddressBook,
  ApiKeyEntry,
  Bookmark,
  CommandLines,
  Customization,
  ExplorerMemory,
  LineCompletions,
  LineView,
  ListSettings,
  NodeServices,
  OpenExternally,
  Progress,
  Services,
  SwitchName,
} from "./app/services.ts";
export { createDataStore } from "./data/query-store.ts";
export { runPlainExplorer } from "./plain/session.ts";
export { createWatcher, type Watcher } from "./watch/watcher.ts";

/** Loads the full-screen explorer. */
export const loadExplorer = () => import("./start.tsx");

/** Loads the full-screen view of `solx usage --watch`. */
export const loadUsageWatch = () => import("./watch/screen.tsx");
