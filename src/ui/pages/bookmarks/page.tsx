/** The page of bookmarks and recent pages. */
import { useState } from "react";
import { safeText } from "../../../output/index.ts";
import { Lines } from "../../frame/lines.tsx";
import { useBindings, useExplorer, useLatestState, useViewState } from "../../navigation/context.ts";
import { bindAction, formatKeyHints, keyLabelsOf } from "../../navigation/keys/bindings.ts";
import type { Binding } from "../../navigation/keys/keymap.ts";
import { menuMouse } from "../../navigation/pointer/pointer.ts";
import { isSameRoute, type Route } from "../../navigation/route.ts";
import type { ExplorerMemory } from "../../navigation/services.ts";
import { EDIT_KEYS, editField, insertText, type TextField, textField } from "../../widgets/text-field.ts";
import { clampIndex, itemAfter, type Movement, moveBindings } from "../../widgets/viewport.ts";
import type { PageProps } from "../props.ts";
import { type BookmarkRow, bookmarkRows, bookmarksLines } from "./rows.ts";

/** Shows bookmarks and recent pages. */
export function BookmarksPage({ region }: PageProps) {
  const explorer = useExplorer();
  const { services, navigation, toast } = explorer;
  const keyOf = keyLabelsOf(explorer);
  const { memory } = services;
  const [position, setAt] = useViewState("bookmarks", 0);
  const [renaming, setRenaming, newestName] = useLatestState<RenameField>(() => undefined);
  const [undo, setUndo] = useState<() => void>();
  const [, setChanges] = useState(0);
  const rows = bookmarkRows(memory.bookmarks(), memory.recent(), explorer.data.nameOf);
  const selected = clampIndex(position, rows.length);
  const row = rows[selected];

  // Memory changes immediately; failures to write are logged by the memory.
  const redraw = () => setChanges((count) => count + 1);
  const remove = (one: BookmarkRow) => {
    const putBack = removeRow(memory, one);
    // Keys may arrive faster than frames: a row that is gone is not deleted again.
    if (!putBack) return;
    setUndo(() => putBack);
    redraw();
    const hint = formatKeyHints(keyOf, [["bookmarks.undo", "undo"]]);
    toast([`Deleted ${safeText(one.name)}`, hint].filter(Boolean).join(" · "));
  };
  const restore = () => {
    undo?.();
    setUndo(undefined);
  };
  const addBookmark = ({ route, name }: BookmarkRow) => {
    void memory.setBookmarks([...memory.bookmarks(), { route, name }]);
    redraw();
    toast(`Bookmarked ${safeText(name)}`, "good");
  };
  const rename = (name: string) => {
    setRenaming(() => undefined);
    if (name.trim() === "") return;
    void memory.setBookmarks(
      memory.bookmarks().map((one) => (row && isSameRoute(one.route, row.route) ? { ...one, name: name.trim() } : one)),
    );
  };

  const hasRow = row !== undefined;
  const isBookmark = row?.kind === "bookmark";
  const move = (movement: Movement) => setAt((now) => itemAfter({ count: rows.length }, region.height, now, movement));
  const onMouse = menuMouse(
    (by) => move({ direction: by, distance: "wheel" }),
    (index) => (index === selected ? row && navigation.open(row.route) : setAt(index)),
  );
  useBindings("panel", [
    bindAction("go.open", "open", () => row && navigation.open(row.route), { hint: 1, active: hasRow }),
    bindAction("bookmarks.delete", "delete", () => row && remove(row), { hint: 2, active: hasRow }),
    bindAction("bookmarks.undo", "undo", restore, { hint: 3, active: undo !== undefined }),
    bindAction("bookmarks.rename", "rename", () => setRenaming(() => textField(row?.name)), {
      hint: 4,
      active: isBookmark,
    }),
    bindAction("bookmarks.keep", "bookmark", () => row && addBookmark(row), { hint: 5, active: hasRow && !isBookmark }),
    ...moveBindings(move, rows.length > 1),
  ]);
  useRenameKeys(renaming !== undefined, setRenaming, () => rename(newestName()?.text ?? ""));

  return (
    <Lines
      lines={bookmarksLines({ rows, selected, renaming, keyOf }, region)}
      width={region.width}
      height={region.height}
      onMouse={onMouse}
    />
  );
}

/** Removes a row from memory. Returns a function that restores it; undefined when it did not exist. */
function removeRow(memory: ExplorerMemory, { kind, route }: BookmarkRow): (() => void) | undefined {
  if (kind === "recent") return removeRoute(memory.recent, memory.setRecent, route, (one) => one);
  return removeRoute(memory.bookmarks, memory.setBookmarks, route, (one) => one.route);
}

function removeRoute<T>(
  read: () => readonly T[],
  write: (list: readonly T[]) => unknown,
  route: Route,
  routeOf: (item: T) => Route,
): (() => void) | undefined {
  const index = read().findIndex((item) => isSameRoute(routeOf(item), route));
  const item = read()[index];
  if (item === undefined) return undefined;
  write(read().toSpliced(index, 1));
  return () => void write(read().toSpliced(index, 0, item));
}

type RenameField = TextField | undefined;
type RenameChange = (before: RenameField) => RenameField;

function useRenameKeys(isOn: boolean, setRenaming: (change: RenameChange) => void, onDone: () => void): void {
  const change = (next: (field: TextField) => TextField) => setRenaming((before) => before && next(before));
  const insert = (text: string) => change((field) => insertText(field, text));
  const bindings: readonly Binding[] = [
    { keys: ["enter"], label: "save the name", group: "view", hint: 1, run: onDone },
    { keys: ["esc", "ctrl+c"], label: "cancel", group: "view", hint: 2, run: () => setRenaming(() => undefined) },
    { keys: EDIT_KEYS, label: "edit the name", group: "view", run: (key) => change((field) => editField(field, key)) },
  ];
  useBindings("overlay", isOn ? bindings : [], isOn ? { modal: true, onText: insert, onPaste: insert } : {});
}
