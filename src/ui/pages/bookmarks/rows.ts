/** Bookmarks and recent pages as rows. No React here. */
import { clip, pad, safeText, textWidth } from "../../../output/index.ts";
import type { KeyHint, KeyLabels } from "../../navigation/keys/bindings.ts";
import { describeRoute, isSameRoute, type Route, routeTitle } from "../../navigation/route.ts";
import { span, type TextLine } from "../../navigation/theme/text-line.ts";
import { type Bookmark, type View, viewTitle } from "../../navigation/view.ts";
import type { TreeRow } from "../../widgets/tree/rows.ts";
import { headingRow, joinSections, titledRows } from "../entity/rows.ts";

/** A bookmark or a recent page. */
export interface BookmarkRow extends View {
  readonly name: string;
  /** Undefined for a recent page. */
  readonly bookmark?: Bookmark;
}

const NO_NAMES = () => undefined;

/**
 * Returns the bookmarks in their order, then the recent pages that are not bookmarked, each by its name. Addresses in the
 * names of bookmarks, which may have got a name since, are replaced unless the user named the bookmark.
 */
export function bookmarkRows(
  bookmarks: readonly Bookmark[],
  recent: readonly Route[],
  nameOf: (address: string) => string | undefined = NO_NAMES,
): readonly BookmarkRow[] {
  const recentRoutes = recent.filter(
    (route) => route.kind !== "page" && !bookmarks.some((one) => isSameRoute(one.route, route)),
  );
  return [
    ...bookmarks.map((bookmark): BookmarkRow => {
      const isNamed = bookmark.name !== viewTitle(bookmark, NO_NAMES);
      return { ...bookmark, name: isNamed ? bookmark.name : viewTitle(bookmark, nameOf), bookmark };
    }),
    ...recentRoutes.map((route): BookmarkRow => ({ name: viewTitle({ route }, nameOf), route })),
  ];
}

const HINTS: readonly KeyHint[] = [
  ["view.bookmark", "bookmark the current page"],
  ["go.search", "search names and commands; open an address, signature, slot or link"],
];

function hintRows(keyOf: KeyLabels): readonly TreeRow[] {
  const rows = HINTS.flatMap(([name, does]): readonly TreeRow[] => {
    const key = keyOf(name);
    return key === undefined
      ? []
      : [{ key: name, line: [span(`  ${key}`, "hotkey"), span(` ${does}`)], isStatic: true }];
  });
  return [headingRow("No bookmarks yet."), ...rows];
}

const MIN_NAME = 24;
const MAX_NAME = 60;

/**
 * Returns the rows under their headings; without bookmarks, how to add one. The key of a row is its position.
 * @param lookAt returns what a bookmark shows now; where that is nothing, its row says what it is
 */
export function bookmarkTree(
  rows: readonly BookmarkRow[],
  keyOf: KeyLabels,
  lookAt: (bookmark: Bookmark) => TextLine = () => [],
): readonly TreeRow[] {
  const names = rows.map(({ name }) => textWidth(safeText(name)));
  const nameWidth = Math.min(MAX_NAME, Math.max(MIN_NAME, ...names));
  const all = rows.map((row, at): TreeRow => {
    const look = row.bookmark ? lookAt(row.bookmark) : [];
    const [name, about] = look.length > 0 ? [row.name, ""] : rowTexts(row);
    const end = look.length === 0 ? [span(about, "note")] : look;
    const line = [span(pad(clip(safeText(name), nameWidth), nameWidth), "link"), span("  "), ...end];
    return { key: `${at}`, line, target: row.route, state: row.state };
  });
  const count = rows.filter(({ bookmark }) => bookmark !== undefined).length;
  const [bookmarks, recent] = [all.slice(0, count), all.slice(count)];
  return joinSections([
    count === 0 ? hintRows(keyOf) : titledRows(`Bookmarks  ${count}`, bookmarks),
    titledRows(`Recent pages  ${recent.length}`, recent),
  ]);
}

/** Returns the name of a row and what it is; of an entity without a name, its kind and its identifier. */
function rowTexts({ name, route }: BookmarkRow): readonly [string, string] {
  const title = routeTitle(route);
  const description = describeRoute(route);
  if (route.kind === "entity" && name === viewTitle({ route }, NO_NAMES))
    return [[route.entity, route.tab].filter(Boolean).join(" "), safeText(route.id)];
  return [name, route.kind === "endpoint" && name !== title ? `${title}  ${description}` : description];
}
