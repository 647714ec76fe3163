/** Bookmarks and recent pages as rows and lines. Pure. */
import { clip, pad, safeText, textWidth } from "../../../output/index.ts";
import type { Size } from "../../navigation/context.ts";
import type { KeyHint, KeyLabels } from "../../navigation/keys/bindings.ts";
import { menuLine } from "../../navigation/pointer/pointer.ts";
import { describeRoute, isSameRoute, type Route, routeTitle } from "../../navigation/route.ts";
import type { Bookmark } from "../../navigation/services.ts";
import { span, type TextLine } from "../../navigation/theme/text-line.ts";
import { fieldLine, type TextField } from "../../widgets/text-field.ts";
import { centredTop } from "../../widgets/viewport.ts";

/** A bookmark or a recent page. */
export interface BookmarkRow {
  readonly kind: "bookmark" | "recent";
  readonly name: string;
  readonly route: Route;
}

/** Returns the bookmarks in their order, then the recent pages that are not bookmarked. */
export function bookmarkRows(
  bookmarks: readonly Bookmark[],
  recent: readonly Route[],
  nameOf?: (address: string) => string | undefined,
): readonly BookmarkRow[] {
  const recentRoutes = recent.filter(
    (route) => route.kind !== "page" && !bookmarks.some((one) => isSameRoute(one.route, route)),
  );
  return [
    ...bookmarks.map(({ name, route }): BookmarkRow => ({ kind: "bookmark", name, route })),
    ...recentRoutes.map((route): BookmarkRow => ({ kind: "recent", name: routeTitle(route, nameOf), route })),
  ];
}

interface BookmarksState {
  readonly rows: readonly BookmarkRow[];
  readonly selected: number;
  /** The new name of the selected bookmark while it is typed. */
  readonly renaming: TextField | undefined;
  readonly keyOf: KeyLabels;
}

const HINTS: readonly KeyHint[] = [
  ["view.bookmark", "bookmark the current page"],
  ["go.search", "search names and commands; open an address, signature, slot or link"],
];

function noBookmarksLines(keyOf: KeyLabels): readonly TextLine[] {
  const hints = HINTS.flatMap(([name, does]): readonly TextLine[] => {
    const key = keyOf(name);
    return key === undefined ? [] : [[span(`  ${key}`, "hotkey"), span(` ${does}`)]];
  });
  return [[], [span("  No bookmarks yet.", "title")], [], ...hints];
}

/** Returns exactly as many lines as the region has: the rows under their headings, around the cursor. */
export function bookmarksLines(
  { rows, selected, renaming, keyOf }: BookmarksState,
  { width, height }: Size,
): readonly TextLine[] {
  const bookmarks = rows.filter(({ kind }) => kind === "bookmark");
  const recent = rows.slice(bookmarks.length);
  const nameWidth = Math.min(
    Math.max(MIN_NAME, ...rows.map(({ name }) => textWidth(safeText(name)))),
    Math.floor(width / 2),
  );
  const draw = (row: BookmarkRow, index: number) =>
    index === selected && renaming
      ? renamingLine(renaming, width)
      : menuLine(rowLine(row, nameWidth, width), index, index === selected);
  const first =
    bookmarks.length === 0 ? noBookmarksLines(keyOf) : [heading("Bookmarks", bookmarks.length), ...bookmarks.map(draw)];
  const second = recent.map((row, index) => draw(row, index + bookmarks.length));
  const lines = second.length === 0 ? first : [...first, [], heading("Recent pages", recent.length), ...second];
  const cursor = selected < bookmarks.length ? selected + 1 : first.length + 2 + selected - bookmarks.length;
  const from = centredTop({ count: lines.length }, height, rows.length === 0 || selected === 0 ? 0 : cursor);
  return lines.slice(from, from + height);
}

const MIN_NAME = 24;

const heading = (text: string, count: number): TextLine => [span(text, "heading"), span(`  ${count}`, "note")];

function rowLine(row: BookmarkRow, nameWidth: number, width: number): TextLine {
  const space = Math.max(0, width - nameWidth - 4);
  const [name, about] = rowTexts(row);
  return [
    span(`  ${pad(clip(safeText(name), nameWidth), nameWidth)}  `, "link"),
    span(pad(clip(about, space), space), "note"),
  ];
}

/** Returns the name of a row and what it is; of an entity without a name, its kind and its identifier. */
function rowTexts({ name, route }: BookmarkRow): readonly [string, string] {
  const title = routeTitle(route);
  const description = describeRoute(route);
  if (route.kind === "entity" && name === title) return [route.entity, safeText(route.id)];
  return [name, route.kind === "endpoint" && name !== title ? `${title}  ${description}` : description];
}

function renamingLine(field: TextField, width: number): TextLine {
  const label = "  name: ";
  return [span(label, "active"), ...fieldLine(field, Math.max(1, width - label.length), true)];
}
