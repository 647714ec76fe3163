/**
 * The mouse on a list: the wheel scrolls, a click on a heading sorts, a click on a row selects a cell, a click on the
 * selected cell opens it, a click on a filter removes it.
 */

import { COLUMN_GAP } from "../../../output/index.ts";
import type { MouseHandler } from "../../navigation/pointer/pointer.ts";
import type { MouseEvent } from "../../terminal/mouse.ts";
import { itemAtLine, wheelMovement } from "../viewport.ts";
import type { ListPointer } from "./actions.ts";
import { GUTTER, type ListLayout } from "./model.ts";
import { moveToColumn, moveToRow } from "./rows.ts";
import type { List } from "./use-list.ts";

/** The context of the mouse handler. */
export interface MouseContext {
  readonly list: List;
  readonly layout: ListLayout;
  readonly pointer: ListPointer;
  /** Cells of the rows; the preview may be to their right. */
  readonly width: number;
  /** Lines above the headings: the status, and the filters if there are any. */
  readonly head: number;
}

/** Returns the mouse handler of a list. */
export function mouseHandler({ list, layout, pointer, width, head }: MouseContext): MouseHandler {
  const clickCell = (column: number | undefined, line: number) => {
    const { keys, height } = layout.viewport;
    const row = itemAtLine({ count: keys.length }, { top: layout.top, height }, line);
    if (row === undefined) return;
    if (row === layout.selected && (column === undefined || column === layout.columnIndex)) return pointer.openLink();
    list.setRows((before) => {
      const moved = moveToRow(before, row, layout.viewport);
      return column === undefined ? moved : moveToColumn(moved, column, layout.viewport);
    });
  };
  return (event: MouseEvent) => {
    const wheel = wheelMovement(event);
    if (wheel) return pointer.moveRows(wheel);
    const { type, x, y, hit } = event;
    if (type !== "click") return;
    if (y < head) return typeof hit === "number" ? pointer.removeFilter(hit) : undefined;
    if (x >= width) return;
    const column = columnAt(layout, x);
    if (y > head) clickCell(column, y - head - 1);
    else if (column !== undefined) pointer.sortColumn(column);
  };
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
