/** The mouse on a list: the wheel moves, a click goes to a cell, another click on it follows. */

import { COLUMN_GAP } from "../../../output/table/column-widths.ts";
import type { Region } from "../../app/context.ts";
import type { KeyLayer, MouseEvent } from "../../app/keys/keymap.ts";
import { itemAtLine, wheelMovement } from "../viewport.ts";
import type { ListOps } from "./keys.ts";
import { GUTTER, type Stand } from "./model.ts";
import { toColumn, toRow } from "./reducer.ts";
import type { List } from "./use-list.ts";

/** What the mouse is on. */
export interface MouseScene {
  readonly list: List;
  readonly stand: Stand;
  readonly region: Region;
  readonly ops: ListOps;
}

/** Lines above the rows. */
const ABOVE = 2;

/** What the mouse does. */
export function mouseOf({ list, stand, region, ops }: MouseScene): Pick<KeyLayer, "onMouse"> {
  const onMouse = ({ type: what, x, y }: MouseEvent) => {
    if (what !== "click") return ops.moveRows(wheelMovement(what));
    const at = y - region.top - ABOVE;
    const column = columnAt(stand, x);
    if (at === -1)
      return column === undefined ? undefined : list.set((before) => toColumn(before, column, stand.sight));
    const { keys, height } = stand.sight;
    const row = itemAtLine({ count: keys.length }, { top: stand.first, height }, at);
    if (row === undefined) return;
    if (row === stand.selected && (column === undefined || column === stand.columnIndex)) return ops.follow();
    list.set((before) => {
      const there = toRow(before, row, stand.sight);
      return column === undefined ? there : toColumn(there, column, stand.sight);
    });
  };
  return { onMouse };
}

/** The column at a cell of the line. */
export function columnAt({ layout }: Pick<Stand, "layout">, x: number): number | undefined {
  let end = GUTTER;
  for (const { index, width } of layout.shown) {
    if (x >= end && x < end + width) return index;
    end += width + COLUMN_GAP;
  }
  return undefined;
}
