/** The index of all pages as they are with the settings that nobody changed. */
import { SERVERS } from "../../../catalogue/servers.ts";
import { indexOf, type SearchIndex } from "../search/search-index.ts";
import { allPages } from "./all-pages.ts";
import type { CommandNode } from "./command-tree.ts";
import type { Page } from "./page.ts";

/** Midnight of a day, in milliseconds: examples with relative times look alike whenever they are made. */
const MOMENT = Date.UTC(2026, 6, 1);

/** Every page of a tree of commands, the same on every machine and at any time. */
export function referencePages(tree: CommandNode): readonly Page[] {
  return allPages(tree, { baseUrls: SERVERS, now: () => MOMENT });
}

/** What the search looks through. */
export function indexAll(tree: CommandNode): SearchIndex {
  return indexOf(referencePages(tree));
}
