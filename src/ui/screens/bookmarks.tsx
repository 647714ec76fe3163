/** Bookmarks, and the places where one was. */
import { useState } from "react";
import { useBindings, useExplorer, useMemory } from "../frame/context.ts";
import type { Binding } from "../frame/keys.ts";
import { Lines } from "../frame/lines.tsx";
import { EDIT_KEYS, edited, inserted, type TextField, textField } from "../palette/field.ts";
import { useLatest } from "../palette/latest.ts";
import { type BookmarkRow, bookmarkRows, bookmarksLines, withoutPlace } from "./bookmarks-view.ts";
import type { ScreenProps } from "./props.ts";

export function BookmarksScreen({ region }: ScreenProps) {
  const { services, navigation, toast } = useExplorer();
  const { memory } = services;
  const [position, setAt] = useMemory("bookmarks", 0);
  const [renaming, setRenaming, newestName] = useLatest(renamingStep, () => undefined);
  const [undo, setUndo] = useState<() => void>();
  const [, setChanges] = useState(0);
  const rows = bookmarkRows(memory.bookmarks(), memory.recent());
  const at = Math.max(0, Math.min(position, rows.length - 1));
  const row = rows[at];

  // The memory changes at once; what cannot be written is logged where it is written.
  const redraw = () => setChanges((count) => count + 1);
  const move = (by: number) =>
    setAt((before) => Math.max(0, Math.min(rows.length - 1, Math.min(before, rows.length - 1) + by)));
  const remove = (one: BookmarkRow) => {
    const back = removal(one);
    setUndo(() => back);
    redraw();
    toast(`Deleted ${one.name}. u brings it back.`);
  };
  /** Takes a row away; the returned function puts it back where it was. */
  const removal = ({ kind, place }: BookmarkRow): (() => void) => {
    if (kind === "recent") {
      const gone = withoutPlace(memory.recent(), place, (one) => one);
      if (gone) void memory.setRecent(gone.list);
      return () => gone && void memory.setRecent(memory.recent().toSpliced(gone.index, 0, gone.item));
    }
    const gone = withoutPlace(memory.bookmarks(), place, (one) => one.place);
    if (gone) void memory.setBookmarks(gone.list);
    return () => gone && void memory.setBookmarks(memory.bookmarks().toSpliced(gone.index, 0, gone.item));
  };
  const keep = ({ place, name }: BookmarkRow) => {
    void memory.setBookmarks([...memory.bookmarks(), { place, name }]);
    redraw();
    toast(`Bookmarked ${name}.`, "good");
  };
  const rename = (name: string) => {
    setRenaming(() => undefined);
    if (name.trim() === "") return;
    void memory.setBookmarks(
      memory.bookmarks().map((one) => (one.place === row?.place ? { ...one, name: name.trim() } : one)),
    );
  };

  const isThere = row !== undefined;
  const isBookmark = row?.kind === "bookmark";
  const going = (keys: readonly string[], label: string, by: number): Binding => ({
    keys,
    label,
    group: "move",
    active: rows.length > 1,
    run: () => move(by),
  });
  useBindings("panel", [
    {
      keys: ["enter"],
      label: "open",
      group: "data",
      hint: 1,
      active: isThere,
      run: () => row && navigation.open(row.place),
    },
    { keys: ["d"], label: "delete", group: "data", hint: 2, active: isThere, run: () => row && remove(row) },
    {
      keys: ["u"],
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
      keys: ["R"],
      label: "rename",
      group: "data",
      hint: 4,
      active: isBookmark,
      run: () => setRenaming(() => textField(row?.name)),
    },
    {
      keys: ["b"],
      label: "bookmark",
      group: "data",
      hint: 5,
      active: isThere && !isBookmark,
      run: () => row && keep(row),
    },
    going(["j", "down"], "down", 1),
    going(["k", "up"], "up", -1),
    going(["G", "end"], "bottom", rows.length),
    going(["g", "home"], "top", -rows.length),
    going(["ctrl+d"], "half page down", Math.floor(region.height / 2)),
    going(["ctrl+u"], "half page up", -Math.floor(region.height / 2)),
    going(["pagedown"], "page down", region.height),
    going(["pageup"], "page up", -region.height),
  ]);
  useRenaming(renaming !== undefined, setRenaming, () => rename(newestName()?.text ?? ""));

  return <Lines lines={bookmarksLines({ rows, at, renaming }, region)} width={region.width} height={region.height} />;
}

type Renaming = TextField | undefined;
type Change = (before: Renaming) => Renaming;
const renamingStep = (renaming: Renaming, change: Change): Renaming => change(renaming);

/** The keys of the name that is typed; none while nothing is. */
function useRenaming(isOn: boolean, setRenaming: (change: Change) => void, done: () => void): void {
  const change = (next: (field: TextField) => TextField) => setRenaming((before) => before && next(before));
  const insert = (text: string) => change((field) => inserted(field, text));
  const bindings: readonly Binding[] = [
    { keys: ["enter"], label: "save the name", group: "data", hint: 1, run: done },
    { keys: ["esc", "ctrl+c"], label: "cancel", group: "data", hint: 2, run: () => setRenaming(() => undefined) },
    { keys: EDIT_KEYS, label: "edit the name", group: "view", run: (key) => change((field) => edited(field, key)) },
  ];
  useBindings("overlay", isOn ? bindings : [], isOn ? { modal: true, onText: insert, onPaste: insert } : {});
}
