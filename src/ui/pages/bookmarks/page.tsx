/** The page of bookmarks and recent pages. */
import { Box } from "ink";
import { useState } from "react";
import { safeText } from "../../../output/index.ts";
import { Lines } from "../../frame/lines.tsx";
import { addBookmark, changeBookmark } from "../../navigation/bookmarks.ts";
import { useBindings, useExplorer, useLatestState } from "../../navigation/context.ts";
import { queryKey } from "../../navigation/data-store.ts";
import { bindAction, formatKeyHints, keyLabelsOf } from "../../navigation/keys/bindings.ts";
import type { Binding } from "../../navigation/keys/keymap.ts";
import { isSameRoute } from "../../navigation/route.ts";
import type { ExplorerMemory } from "../../navigation/services.ts";
import { span } from "../../navigation/theme/text-line.ts";
import { EDIT_KEYS, editField, fieldLine, insertText, type TextField, textField } from "../../widgets/text-field.ts";
import { useTree } from "../../widgets/tree/panel.tsx";
import { fillLines } from "../../widgets/viewport.ts";
import { contentRegion, ScopedPane } from "../entity/pane-grid.tsx";
import { EndpointPanel } from "../entity/panels.tsx";
import type { PageProps } from "../props.ts";
import { type BookmarkRow, bookmarkRows, bookmarkTree } from "./rows.ts";
import { useLooks } from "./use-looks.ts";

/** Shows bookmarks and recent pages. */
export function BookmarksPage({ region }: PageProps) {
  const explorer = useExplorer();
  const { services, toast } = explorer;
  const keyOf = keyLabelsOf(explorer);
  const { memory } = services;
  const [renaming, setRenaming, newestName] = useLatestState<RenameField>(() => undefined);
  const [undo, setUndo] = useState<() => void>();
  const [, setChanges] = useState(0);
  const rows = bookmarkRows(memory.bookmarks(), memory.recent(), explorer.data.nameOf);
  const height = region.height - (renaming ? 1 : 0);
  const { lookAt, requests } = useLooks(memory.bookmarks(), region.height);
  const treeRows = bookmarkTree(rows, keyOf, lookAt);
  const below = height - treeRows.length - 1;
  const hasPreview = below >= MIN_PREVIEW;
  const treeHeight = hasPreview ? treeRows.length + 1 : height;
  const tree = useTree({ rows: treeRows, region: { ...region, height: treeHeight }, part: "bookmarks" });
  const row = rows[Number(tree.selected?.key ?? Number.NaN)];
  const preview = hasPreview && row?.bookmark ? requests.get(row.bookmark) : undefined;

  // Memory changes immediately; failures to write are logged by the memory.
  const redraw = () => setChanges((count) => count + 1);
  const remove = (one: BookmarkRow) => {
    const putBack = one.bookmark ? changeBookmark(memory, one.bookmark) : removeRecent(memory, one);
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
  const keep = (one: BookmarkRow) => {
    addBookmark(explorer, { route: one.route }, keyOf);
    redraw();
  };
  const rename = (name: string) => {
    setRenaming(() => undefined);
    if (name.trim() !== "" && row?.bookmark)
      changeBookmark(memory, row.bookmark, { ...row.bookmark, name: name.trim() });
  };
  const isBookmark = row?.bookmark !== undefined;
  useBindings("panel", [
    bindAction("bookmarks.delete", "delete", () => row && remove(row), { hint: 2, active: row !== undefined }),
    bindAction("bookmarks.undo", "undo", restore, { hint: 3, active: undo !== undefined }),
    bindAction("bookmarks.rename", "rename", () => setRenaming(() => textField(row?.name)), {
      hint: 4,
      active: isBookmark,
    }),
    bindAction("bookmarks.keep", "bookmark", () => row && keep(row), {
      hint: 5,
      active: row !== undefined && !isBookmark,
    }),
  ]);
  useRenameKeys(renaming !== undefined, setRenaming, () => rename(newestName()?.text ?? ""));
  const input = renaming && [span("name: ", "active"), ...fieldLine(renaming, Math.max(1, region.width - 6), true)];
  const lines = input ? [...fillLines(tree.lines, treeHeight), input] : tree.lines;
  const drawn = region.height - (preview ? below : 0);
  const place = { width: region.width, height: below, top: region.top + drawn };
  return (
    <Box flexDirection="column">
      <Lines lines={lines} width={region.width} height={drawn} onMouse={tree.onMouse} />
      {preview && row && (
        <ScopedPane
          key={queryKey(preview)}
          {...{ tab: row.name, isFocused: false, fullHeight: region.height }}
          frame={{ title: safeText(row.name) }}
          place={place}
          setFocus={() => explorer.navigation.open(row.route, row.state ?? {})}
          reportHeight={() => {}}
        >
          <EndpointPanel {...preview} region={contentRegion(place)} part="preview" />
        </ScopedPane>
      )}
    </Box>
  );
}

/** Lines of the preview of a bookmark at least, with its border. */
const MIN_PREVIEW = 10;

/** Removes a recent page. Returns a function that restores it; undefined when it did not exist. */
function removeRecent({ recent, setRecent }: ExplorerMemory, { route }: BookmarkRow): (() => void) | undefined {
  const at = recent().findIndex((one) => isSameRoute(one, route));
  if (at < 0) return undefined;
  void setRecent(recent().toSpliced(at, 1));
  return () => void setRecent(recent().toSpliced(at, 0, route));
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
