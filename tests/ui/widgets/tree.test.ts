/** Foldable rows with links: visible rows, cursor and folds. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Route } from "../../../src/ui/navigation/route.ts";
import { lineWidth, span, type TextLine } from "../../../src/ui/navigation/theme/text-line.ts";
import {
  cursorAfter,
  highlightRow,
  INITIAL_TREE_STATE,
  linkStops,
  moveSideways,
  rowLine,
  scrollLine,
  type TreeRow,
  type TreeState,
  toggleAll,
  toggleRow,
  treeTop,
  visibleCursor,
  visibleRows,
} from "../../../src/ui/widgets/tree/rows.ts";

const text = (line: TextLine) => line.map((one) => one.text).join("");
const route: Route = { kind: "entity", entity: "block", id: "7" };
const leaf = (key: string): TreeRow => ({ key, line: [span(key)] });
const tree: readonly TreeRow[] = [
  {
    key: "a",
    line: [span("a")],
    isOpen: true,
    children: [leaf("a1"), { ...leaf("a2"), children: () => [leaf("a21")] }],
  },
  leaf("b"),
];
const keys = (rows: readonly TreeRow[], state: TreeState = INITIAL_TREE_STATE) =>
  visibleRows(rows, state.folds).map(({ row }) => row.key);

describe("folds", () => {
  test("children of open rows are visible", () => {
    expect(keys(tree)).toEqual(["a", "a1", "a2", "b"]);
    const visible = visibleRows(tree, {});
    expect(visible.map((one) => text(rowLine(one, 20, true)))).toEqual(["▾ a", "    a1", "  ▸ a2", "  b"]);
    expect(visible.map((one) => text(rowLine(one, 20, false)))).toEqual(["- a", "    a1", "  + a2", "  b"]);
  });

  test("the row at the cursor is folded and unfolded", () => {
    const closed = toggleRow(INITIAL_TREE_STATE, visibleRows(tree, {}));
    expect(keys(tree, closed)).toEqual(["a", "b"]);
    expect(keys(tree, toggleRow(closed, visibleRows(tree, closed.folds)))).toEqual(["a", "a1", "a2", "b"]);
  });

  test("folding all moves the cursor to the row above its own", () => {
    const closed = toggleAll({ ...INITIAL_TREE_STATE, cursor: 2 }, tree);
    expect(keys(tree, closed)).toEqual(["a", "b"]);
    expect(closed.cursor).toBe(0);
    const open = toggleAll({ ...closed, cursor: 1 }, tree);
    expect(keys(tree, open)).toEqual(["a", "a1", "a2", "a21", "b"]);
    expect(open.cursor).toBe(4);
  });

  test("a very deep tree is displayed, indented by at most a third of the width", () => {
    let deep = leaf("end");
    for (let depth = 0; depth < 500; depth += 1)
      deep = { key: `${depth}`, line: [span("x")], isOpen: true, children: [deep] };
    const visible = visibleRows([deep], {});
    expect(visible).toHaveLength(501);
    const last = visible.at(-1);
    expect(last && text(rowLine(last, 60, true)).length).toBeLessThanOrEqual(25);
  });
});

describe("the cursor", () => {
  const heading = (key: string): TreeRow => ({ ...leaf(key), isStatic: true });
  const rows = visibleRows([heading("h"), leaf("1"), heading("g"), leaf("2"), heading("end")], {});

  test("skips headings and stops at the ends", () => {
    expect(visibleCursor(INITIAL_TREE_STATE, rows)).toBe(1);
    expect(cursorAfter(rows, 1, 1)).toBe(3);
    expect(cursorAfter(rows, 3, 1)).toBe(3);
    expect(cursorAfter(rows, 3, -1)).toBe(1);
    expect(cursorAfter(rows, 1, -1)).toBe(1);
  });

  test("shows the heading above the first row", () => {
    expect(treeTop({ ...INITIAL_TREE_STATE, cursor: 1, top: 1 }, rows, 3)).toBe(0);
  });

  test("is always visible, and the window never exceeds the end", () => {
    const many = fc.array(fc.boolean(), { minLength: 1, maxLength: 60 });
    const moves = fc.array(fc.integer({ min: -70, max: 70 }), { maxLength: 20 });
    fc.assert(
      fc.property(many, moves, fc.integer({ min: 1, max: 20 }), (statics, steps, height) => {
        const visible = visibleRows(
          statics.map((isStatic, at) => ({ ...leaf(`${at}`), isStatic })),
          {},
        );
        let state = { ...INITIAL_TREE_STATE, cursor: visibleCursor(INITIAL_TREE_STATE, visible) };
        for (const by of steps) {
          state = { ...state, cursor: cursorAfter(visible, state.cursor, by) };
          state = { ...state, top: treeTop(state, visible, height) };
          expect(state.cursor).toBeGreaterThanOrEqual(state.top);
          expect(state.cursor).toBeLessThan(state.top + height);
          expect(state.top).toBeLessThanOrEqual(Math.max(0, visible.length - height));
          if (statics.includes(false)) expect(statics[state.cursor]).toBe(false);
        }
      }),
    );
  });
});

describe("links", () => {
  const row: TreeRow = {
    key: "r",
    line: [span("from "), { text: "AAAA", target: route }, span(" to "), { text: "BBBB", target: route }],
  };
  const [one] = visibleRows([row], {});
  const line = one ? rowLine(one, 80, true) : [];

  test("are the stops of a row; a row that folds is a stop itself", () => {
    expect(one && linkStops(one, line).map(({ at }) => at && line[at]?.text)).toEqual(["AAAA", "BBBB"]);
    const [folding] = visibleRows([{ ...row, children: [] }], {});
    expect(folding && linkStops(folding, line).map(({ at }) => at && line[at]?.text)).toEqual([
      undefined,
      "AAAA",
      "BBBB",
    ]);
  });

  test("are scrolled into view, and back", () => {
    const next = moveSideways(INITIAL_TREE_STATE, one, 1, line, 12);
    expect(next.stopIndex).toBe(1);
    expect(text(scrollLine(line, next.scrollLeft)).slice(0, 12)).toContain("BBBB");
    const back = moveSideways(next, one, -1, line, 12);
    expect([back.stopIndex, back.scrollLeft]).toEqual([0, 5]);
    expect(moveSideways(back, one, -1, line, 12).scrollLeft).toBe(0);
  });

  test("are highlighted in the highlighted row of the cursor", () => {
    const highlighted = highlightRow(line, 3, 30, 0);
    expect(lineWidth(highlighted)).toBe(30);
    expect(highlighted.every(({ cursor }) => cursor !== undefined)).toBe(true);
    expect(highlighted.filter(({ cursor }) => cursor === "cell")).toHaveLength(1);
  });

  test("scrolling removes exactly the given cells, wide characters included", () => {
    const pieces = fc.array(fc.constantFrom("a", "漢字", "é", "👍", "ab c", "1"), { maxLength: 12 });
    fc.assert(
      fc.property(pieces, fc.integer({ min: 0, max: 30 }), (parts, by) => {
        const whole = parts.map((part) => span(part));
        expect(lineWidth(scrollLine(whole, by))).toBe(Math.max(0, lineWidth(whole) - by));
      }),
    );
  });
});
