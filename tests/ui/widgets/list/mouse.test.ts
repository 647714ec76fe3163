import { describe, expect, it } from "vitest";
import type { MouseEvent } from "../../../../src/ui/app/keys/keymap.ts";
import { measureColumns } from "../../../../src/ui/widgets/list/column-layout.ts";
import { layOutList, selectVisibleRows } from "../../../../src/ui/widgets/list/model.ts";
import { columnAt, mouseHandler } from "../../../../src/ui/widgets/list/mouse.ts";
import { INITIAL_LIST_STATE, type ListState } from "../../../../src/ui/widgets/list/reducer.ts";
import type { Movement } from "../../../../src/ui/widgets/viewport.ts";
import { CLOCK, transfer, transferTable } from "./samples.ts";

const table = transferTable([transfer(), transfer({ trans_id: "b" }), transfer({ trans_id: "c" })]);
const layout = layOutList(
  INITIAL_LIST_STATE,
  selectVisibleRows(table, "", undefined, CLOCK),
  measureColumns(table),
  table,
  {
    width: 120,
    height: 10,
  },
);

/** Returns the effect of a mouse event on a list 5 lines below the top. */
function dispatch(event: MouseEvent) {
  let state: ListState = INITIAL_LIST_STATE;
  const calls: string[] = [];
  const scene = {
    list: {
      set(change: (before: ListState) => ListState) {
        state = change(state);
      },
    },
    layout,
    region: { width: 120, height: 12, top: 5 },
    actions: {
      moveRows: ({ direction, distance }: Movement) => calls.push(`${distance} ${direction}`),
      openLink: () => calls.push("open"),
    },
  };
  mouseHandler(scene as unknown as Parameters<typeof mouseHandler>[0]).onMouse?.(event);
  return { row: state.row, column: state.column, calls };
}

describe("the mouse on a list", () => {
  it("selects the clicked cell, and opens the selected one", () => {
    const x = 2 + (layout.columns.visible[0]?.width ?? 0) + 3;
    expect(columnAt(layout, x)).toBe(1);
    expect(dispatch({ type: "click", x, y: 9 })).toEqual({ row: 2, column: 1, calls: [] });
    expect(dispatch({ type: "click", x: 3, y: 7 }).calls).toEqual(["open"]);
  });

  it("selects the column of a clicked heading, and nothing below the rows", () => {
    expect(dispatch({ type: "click", x: 16, y: 6 })).toMatchObject({ row: 0, column: 1 });
    expect(dispatch({ type: "click", x: 16, y: 14 })).toEqual({ row: 0, column: 0, calls: [] });
  });

  it("scrolls some rows with the wheel", () => {
    expect(dispatch({ type: "down", x: 0, y: 8 }).calls).toEqual(["wheel 1"]);
    expect(dispatch({ type: "up", x: 0, y: 8 }).calls).toEqual(["wheel -1"]);
  });
});
