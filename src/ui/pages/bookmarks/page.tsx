/** Bookmarks, and the places where one was. */

import { useState } from "react";
import { safeText } from "../../../output/text/safe.ts";
import { useBindings, useExplorer, useViewState } from "../../app/context.ts";
import { actionBinding } from "../../app/keys/actions.ts";
import { formatKeyHints, keyLabelsOf } from "../../app/keys/key-hints.ts";
import type { Binding } from "../../app/keys/keymap.ts";
import { Lines } from "../../app/lines.tsx";
import type { ExplorerMemory } from "../../app/services.ts";
import { useLatestReducer } from "../../app/use-latest-reducer.ts";
import { EDIT_KEYS, editField, insertText, type TextField, textField } from "../../form/text-field.ts";
import { clampIndex, itemAfter, moveBindings } from "../../widgets/viewport.ts";
import type { ScreenProps } from "../props.ts";
import { type BookmarkRow, bookmarkRows, bookmarksLines, withoutPlace } from "./rows.ts";

export function BookmarksScreen({ region }: ScreenProps) {
  const explorer = useExplorer();
  const { services, navigation, toast } = explorer;
  const keyOf = keyLabelsOf(explorer);
  const { memory } = services;
  const [position, setAt] = useViewState("bookmarks", 0);
  const [renaming, setRenaming, newestName] = useLatestReducer(renamingStep, () => undefined);
  const [undo, setUndo] = useState<() => void>();
  const [, setChanges] = useState(0);
  const rows = bookmarkRows(memory.bookmarks(), memory.recent());
  const at = clampIndex(position, rows.length);
  const row = rows[at];

  // The memory changes at once; what cannot be written is logged where it is written.
  const redraw = () => setChanges((count) => count + 1);
  const remove = (one: BookmarkRow) => {
    const back = removed(memory, one);
    // Keys may come faster than frames: what is gone already is not deleted again.
    if (!back) return;
    setUndo(() => back);
    redraw();
    toast(`Deleted ${safeText(one.name)}. ${formatKeyHints(keyOf, [["bookmarks.undo", "brings it back."]])}`.trimEnd());
  };
  const keep = ({ place, name }: BookmarkRow) => {
    void memory.setBookmarks([...memory.bookmarks(), { route: place, name }]);
    redraw();
    toast(`Bookmarked ${safeText(name)}.`, "good");
  };
  const rename = (name: string) => {
    setRenaming(() => undefined);
    if (name.trim() === "") return;
    void memory.setBookmarks(
      memory.bookmarks().map((one) => (one.route === row?.place ? { ...one, name: name.trim() } : one)),
    );
  };

  const isThere = row !== undefined;
  const isBookmark = row?.kind === "bookmark";
  useBindings("panel", [
    {
      ...actionBinding("go.open"),
      label: "open",
      group: "data",
      hint: 1,
      active: isThere,
      run: () => row && navigation.open(row.place),
    },
    {
      ...actionBinding("bookmarks.delete"),
      label: "delete",
      group: "data",
      hint: 2,
      active: isThere,
      run: () => row && remove(row),
    },
    {
      ...actionBinding("bookmarks.undo"),
      label: "undo",
      group: "data",
      hint: 3,
      active: undo !== undefined,
      run: () => {
        undo?.();
        setUndo(undefined);
      },
    },
    {
      ...actionBinding("bookmarks.rename"),
      label: "rename",
      group: "data",
      hint: 4,
      active: isBookmark,
      run: () => setRenaming(() => textField(row?.name)),
    },
    {
      ...actionBinding("bookmarks.keep"),
      label: "bookmark",
      group: "data",
      hint: 5,
      active: isThere && !isBookmark,
      run: () => row && keep(row),
    },
    ...moveBindings(
      (movement) => setAt((now) => itemAfter({ count: rows.length }, region.height, now, movement)),
      rows.length > 1,
    ),
  ]);
  useRenaming(renaming !== undefined, setRenaming, () => rename(newestName()?.text ?? ""));

  return (
    <Lines lines={bookmarksLines({ rows, at, renaming, keyOf }, region)} width={region.width} height={region.height} />
  );
}

/** Takes a row out of the memory; gives what puts it back where it was, or undefined where it was not there. */
function removed(memory: ExplorerMemory, { kind, place }: BookmarkRow): (() => void) | undefined {
  if (kind === "recent") {
    const gone = withoutPlace(memory.recent(), place, (one) => one);
    if (!gone) return undefined;
    void memory.setRecent(gone.list);
    return () => void memory.setRecent(memory.recent().toSpliced(gone.index, 0, gone.item));
  }
  const gone = withoutPlace(memory.bookmarks(), place, (one) => one.route);
  if (!gone) return undefined;
  void memory.setBookmarks(gone.list);
  return () => void memory.setBookmarks(memory.bookmarks().toSpliced(gone.index, 0, gone.item));
}

type Renaming = TextField | undefined;
type Change = (before: Renaming) => Renaming;
const renamingStep = (renaming: Renaming, change: Change): Renaming => change(renaming);

/** The keys of the name that is typed; none while nothing is. */
function useRenaming(isOn: boolean, setRenaming: (change: Change) => void, done: () => void): void {
  const change = (next: (field: TextField) => TextField) => setRenaming((before) => before && next(before));
  const insert = (text: string) => change((field) => insertText(field, text));
  const bindings: readonly Binding[] = [
    { keys: ["enter"], label: "save the name", group: "data", hint: 1, run: done },
    { keys: ["esc", "ctrl+c"], label: "cancel", group: "data", hint: 2, run: () => setRenaming(() => undefined) },
    { keys: EDIT_KEYS, label: "edit the name", group: "view", run: (key) => change((field) => editField(field, key)) },
  ];
  useBindings("overlay", isOn ? bindings : [], isOn ? { modal: true, onText: insert, onPaste: insert } : {});
}
