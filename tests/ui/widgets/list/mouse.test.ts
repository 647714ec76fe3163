import { describe, expect, it } from "vitest";
import type { MouseEvent } from "../../../../src/ui/terminal/mouse.ts";
import { measureColumns } from "../../../../src/ui/widgets/list/column-layout.ts";
import { layOutList } from "../../../../src/ui/widgets/list/model.ts";
import { columnAt, mouseHandler } from "../../../../src/ui/widgets/list/panel.tsx";
import { INITIAL_ROWS, type RowsState, selectVisibleRows } from "../../../../src/ui/widgets/list/rows.ts";
import type { Movement } from "../../../../src/ui/widgets/viewport.ts";
import { transfer, transferTable } from "./samples.ts";

const table = transferTable([transfer(), transfer({ trans_id: "b" }), transfer({ trans_id: "c" })]);
const layout = layOutList(
  INITIAL_ROWS,
  {
    visible: selectVisibleRows(table, INITIAL_ROWS, () => []),
    measure: measureColumns(table),
    table,
    naturalColumn: 0,
    widths: {},
  },
  {
    width: 120,
    height: 10,
  },
);

/** Returns the effect of a mouse event on a list. */
function dispatch(event: MouseEvent) {
  let state: RowsState = INITIAL_ROWS;
  const calls: string[] = [];
  const scene = {
    list: {
      setRows(change: (before: RowsState) => RowsState) {
        state = change(state);
      },
    },
    layout,
    width: 120,
    head: 2,
    pointer: {
      moveRows: ({ direction, distance }: Movement) => calls.push(`${distance} ${direction}`),
      openLink: () => calls.push("open"),
      sortColumn: (index: number) => calls.push(`sort ${index}`),
      removeFilter: (index: number) => calls.push(`remove ${index}`),
    },
  };
  mouseHandler(scene as unknown as Parameters<typeof mouseHandler>[0])(event);
  return { row: state.row, column: state.column, calls };
}

/** A cell of the second column. */
const x1 = 2 + (layout.columns.visible[0]?.width ?? 0) + 3;

describe("the mouse on a list", () => {
  it("selects the clicked cell, and opens the selected one", () => {
    expect(columnAt(layout, x1)).toBe(1);
    expect(dispatch({ type: "click", x: x1, y: 5 })).toEqual({ row: 2, column: 1, calls: [] });
    expect(dispatch({ type: "click", x: 3, y: 3 }).calls).toEqual(["open"]);
    // Beside the rows is the preview.
    expect(dispatch({ type: "click", x: 125, y: 5 })).toEqual({ row: 0, column: undefined, calls: [] });
  });

  it("sorts by a clicked heading, removes a clicked filter, and does nothing below the rows", () => {
    expect(dispatch({ type: "click", x: x1, y: 2 }).calls).toEqual(["sort 1"]);
    expect(dispatch({ type: "click", x: 16, y: 1, hit: 1 }).calls).toEqual(["remove 1"]);
    expect(dispatch({ type: "click", x: 16, y: 1 }).calls).toEqual([]);
    expect(dispatch({ type: "click", x: 16, y: 9 })).toEqual({ row: 0, column: undefined, calls: [] });
  });

  it("scrolls some rows with the wheel", () => {
    expect(dispatch({ type: "down", x: 0, y: 4 }).calls).toEqual(["wheel 1"]);
    expect(dispatch({ type: "up", x: 0, y: 3 }).calls).toEqual(["wheel -1"]);
  });
});
