/** Bookmarks: views that the user keeps. Changes apply at once; the memory logs a failure to write them. */
import type { Explorer } from "./context.ts";
import { formatKeyHints, type KeyLabels } from "./keys/bindings.ts";
import { isSameRoute, type Route } from "./route.ts";
import type { ExplorerMemory } from "./services.ts";
import { type Bookmark, type View, viewTitle } from "./view.ts";

/** Returns whether a route can be bookmarked; home and bookmarks have their own keys. */
export function canBookmark(route: Route): boolean {
  return route.kind !== "page" || (route.page !== "bookmarks" && route.page !== "home");
}

/** Returns the bookmarks of a page, whatever the state of its parts. */
export function bookmarksOf({ bookmarks }: Pick<ExplorerMemory, "bookmarks">, route: Route): readonly Bookmark[] {
  return bookmarks().filter((one) => isSameRoute(one.route, route));
}

/** Adds a bookmark of a view, with a name that no other one has. */
export function addBookmark(
  { services: { memory }, data, toast }: Pick<Explorer, "services" | "data" | "toast">,
  view: View,
  keyOf: KeyLabels,
): void {
  const title = viewTitle(view, data.nameOf);
  const names = new Set(memory.bookmarks().map((one) => one.name));
  let name = title;
  for (let count = 2; names.has(name); count += 1) name = `${title} ${count}`;
  void memory.setBookmarks([...memory.bookmarks(), { ...view, name }]);
  const hint = formatKeyHints(keyOf, [["go.bookmarks", "list bookmarks"]]);
  toast([`Bookmarked ${name}`, hint].filter(Boolean).join(" · "), "good");
}

/** Replaces a bookmark, or removes it. Returns a function that undoes that; undefined when the bookmark is gone. */
export function changeBookmark(
  memory: Pick<ExplorerMemory, "bookmarks" | "setBookmarks">,
  before: Bookmark,
  after?: Bookmark,
): (() => void) | undefined {
  const changed = after ? [after] : [];
  const at = memory.bookmarks().indexOf(before);
  if (at < 0) return undefined;
  void memory.setBookmarks(memory.bookmarks().toSpliced(at, 1, ...changed));
  return () => void memory.setBookmarks(memory.bookmarks().toSpliced(at, changed.length, before));
}
