/** Rows with links: what is on view, where the cursor goes, what folds. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Route } from "../../../src/ui/app/route.ts";
import { lineWidth, span, type TextLine } from "../../../src/ui/app/theme/text-line.ts";
import {
  cursorAfter,
  cursorLine,
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
  test("rows below are shown where their row is open", () => {
    expect(keys(tree)).toEqual(["a", "a1", "a2", "b"]);
    const shown = visibleRows(tree, {});
    expect(shown.map((one) => text(rowLine(one, 20, true)))).toEqual(["▾ a", "    a1", "  ▸ a2", "  b"]);
    expect(shown.map((one) => text(rowLine(one, 20, false)))).toEqual(["- a", "    a1", "  + a2", "  b"]);
  });

  test("the row of the cursor is folded and unfolded", () => {
    const shut = toggleRow(INITIAL_TREE_STATE, visibleRows(tree, {}));
    expect(keys(tree, shut)).toEqual(["a", "b"]);
    expect(keys(tree, toggleRow(shut, visibleRows(tree, shut.folds)))).toEqual(["a", "a1", "a2", "b"]);
  });

  test("all are folded, the cursor goes to the row above its own", () => {
    const shut = toggleAll({ ...INITIAL_TREE_STATE, cursor: 2 }, tree);
    expect(keys(tree, shut)).toEqual(["a", "b"]);
    expect(shut.cursor).toBe(0);
    const open = toggleAll({ ...shut, cursor: 1 }, tree);
    expect(keys(tree, open)).toEqual(["a", "a1", "a2", "a21", "b"]);
    expect(open.cursor).toBe(4);
  });

  test("a tree as deep as the chain never has it is shown whole, its indentation within a third of the width", () => {
    let deep = leaf("end");
    for (let depth = 0; depth < 500; depth += 1)
      deep = { key: `${depth}`, line: [span("x")], isOpen: true, children: [deep] };
    const shown = visibleRows([deep], {});
    expect(shown).toHaveLength(501);
    const last = shown.at(-1);
    expect(last && text(rowLine(last, 60, true)).length).toBeLessThanOrEqual(25);
  });
});

describe("the cursor", () => {
  const heading = (key: string): TreeRow => ({ ...leaf(key), isStatic: true });
  const rows = visibleRows([heading("h"), leaf("1"), heading("g"), leaf("2"), heading("end")], {});

  test("passes over headings, and stays where nothing follows", () => {
    expect(visibleCursor(INITIAL_TREE_STATE, rows)).toBe(1);
    expect(cursorAfter(rows, 1, 1)).toBe(3);
    expect(cursorAfter(rows, 3, 1)).toBe(3);
    expect(cursorAfter(rows, 3, -1)).toBe(1);
    expect(cursorAfter(rows, 1, -1)).toBe(1);
  });

  test("the heading above the first row is on view with it", () => {
    expect(treeTop({ ...INITIAL_TREE_STATE, cursor: 1, top: 1 }, rows, 3)).toBe(0);
  });

  test("is always on view, and the window never goes beyond the end", () => {
    const many = fc.array(fc.boolean(), { minLength: 1, maxLength: 60 });
    const moves = fc.array(fc.integer({ min: -70, max: 70 }), { maxLength: 20 });
    fc.assert(
      fc.property(many, moves, fc.integer({ min: 1, max: 20 }), (statics, steps, height) => {
        const shown = visibleRows(
          statics.map((isStatic, at) => ({ ...leaf(`${at}`), isStatic })),
          {},
        );
        let state = { ...INITIAL_TREE_STATE, cursor: visibleCursor(INITIAL_TREE_STATE, shown) };
        for (const by of steps) {
          state = { ...state, cursor: cursorAfter(shown, state.cursor, by) };
          state = { ...state, top: treeTop(state, shown, height) };
          expect(state.cursor).toBeGreaterThanOrEqual(state.top);
          expect(state.cursor).toBeLessThan(state.top + height);
          expect(state.top).toBeLessThanOrEqual(Math.max(0, shown.length - height));
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

  test("are the stops of a row; one that folds can be stopped at as a whole first", () => {
    expect(one && linkStops(one, line).map(({ at }) => at && line[at]?.text)).toEqual(["AAAA", "BBBB"]);
    const [folding] = visibleRows([{ ...row, children: [] }], {});
    expect(folding && linkStops(folding, line).map(({ at }) => at && line[at]?.text)).toEqual([
      undefined,
      "AAAA",
      "BBBB",
    ]);
  });

  test("are scrolled to where they are seen, and back", () => {
    const next = moveSideways(INITIAL_TREE_STATE, one, 1, line, 12);
    expect(next.stopIndex).toBe(1);
    expect(text(scrollLine(line, next.scrollLeft)).slice(0, 12)).toContain("BBBB");
    const back = moveSideways(next, one, -1, line, 12);
    expect([back.stopIndex, back.scrollLeft]).toEqual([0, 5]);
    expect(moveSideways(back, one, -1, line, 12).scrollLeft).toBe(0);
  });

  test("the row of the cursor is lit over the whole width, and the very link", () => {
    const lit = cursorLine(line, 3, 30, 0);
    expect(lineWidth(lit)).toBe(30);
    expect(lit.every(({ cursor }) => cursor !== undefined)).toBe(true);
    expect(lit.filter(({ cursor }) => cursor === "cell")).toHaveLength(1);
  });

  test("what is scrolled away takes exactly its cells, wide characters included", () => {
    const pieces = fc.array(fc.constantFrom("a", "漢字", "é", "👍", "ab c", "1"), { maxLength: 12 });
    fc.assert(
      fc.property(pieces, fc.integer({ min: 0, max: 30 }), (parts, by) => {
        const whole = parts.map((part) => span(part));
        expect(lineWidth(scrollLine(whole, by))).toBe(Math.max(0, lineWidth(whole) - by));
      }),
    );
  });
});
