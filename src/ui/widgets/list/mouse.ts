/** The mouse on a list: the wheel scrolls, a click selects a cell, a click on the selected cell opens it. */

import { COLUMN_GAP } from "../../../output/index.ts";
import type { Region } from "../../app/context.ts";
import type { KeyLayer, MouseEvent } from "../../app/keys/keymap.ts";
import { itemAtLine, wheelMovement } from "../viewport.ts";
import type { ListActions } from "./keys.ts";
import { GUTTER, type ListLayout } from "./model.ts";
import { moveToColumn, moveToRow } from "./reducer.ts";
import type { List } from "./use-list.ts";

/** The context of the mouse handler. */
export interface MouseContext {
  readonly list: List;
  readonly layout: ListLayout;
  readonly region: Region;
  readonly actions: ListActions;
}

/** Lines above the rows. */
const LINES_ABOVE = 2;

/** Returns the mouse handler of a list. */
export function mouseHandler({ list, layout, region, actions }: MouseContext): Pick<KeyLayer, "onMouse"> {
  const onMouse = ({ type, x, y }: MouseEvent) => {
    if (type !== "click") return actions.moveRows(wheelMovement(type));
    const line = y - region.top - LINES_ABOVE;
    const column = columnAt(layout, x);
    if (line === -1)
      return column === undefined ? undefined : list.set((before) => moveToColumn(before, column, layout.viewport));
    const { keys, height } = layout.viewport;
    const row = itemAtLine({ count: keys.length }, { top: layout.top, height }, line);
    if (row === undefined) return;
    if (row === layout.selected && (column === undefined || column === layout.columnIndex)) return actions.openLink();
    list.set((before) => {
      const moved = moveToRow(before, row, layout.viewport);
      return column === undefined ? moved : moveToColumn(moved, column, layout.viewport);
    });
  };
  return { onMouse };
}

/** Returns the column at a cell of a line. */
export function columnAt({ columns }: Pick<ListLayout, "columns">, x: number): number | undefined {
  let end = GUTTER;
  for (const { index, width } of columns.visible) {
    if (x >= end && x < end + width) return index;
    end += width + COLUMN_GAP;
  }
  return undefined;
}
