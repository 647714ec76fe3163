/** Rows with links: what is on view, where the cursor goes, what folds. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Route } from "../../../src/ui/app/route.ts";
import { lineWidth, span, type TextLine } from "../../../src/ui/app/theme/text-line.ts";
import {
  AT_START,
  allToggled,
  cursorAfter,
  cursorOf,
  type LinkRow,
  type LinkState,
  lineOf,
  litLine,
  shifted,
  shownRows,
  sideways,
  stopsOf,
  toggled,
  topFor,
} from "../../../src/ui/widgets/tree/rows.ts";

const text = (line: TextLine) => line.map((one) => one.text).join("");
const place: Route = { kind: "entity", entity: "block", id: "7" };
const leaf = (key: string): LinkRow => ({ key, line: [span(key)] });
const tree: readonly LinkRow[] = [
  { key: "a", line: [span("a")], open: true, children: [leaf("a1"), { ...leaf("a2"), children: () => [leaf("a21")] }] },
  leaf("b"),
];
const keys = (rows: readonly LinkRow[], state: LinkState = AT_START) =>
  shownRows(rows, state.folds).map(({ row }) => row.key);

describe("folds", () => {
  test("rows below are shown where their row is open", () => {
    expect(keys(tree)).toEqual(["a", "a1", "a2", "b"]);
    const shown = shownRows(tree, {});
    expect(shown.map((one) => text(lineOf(one, 20, true)))).toEqual(["▾ a", "    a1", "  ▸ a2", "  b"]);
    expect(shown.map((one) => text(lineOf(one, 20, false)))).toEqual(["- a", "    a1", "  + a2", "  b"]);
  });

  test("the row of the cursor is folded and unfolded", () => {
    const shut = toggled(AT_START, shownRows(tree, {}));
    expect(keys(tree, shut)).toEqual(["a", "b"]);
    expect(keys(tree, toggled(shut, shownRows(tree, shut.folds)))).toEqual(["a", "a1", "a2", "b"]);
  });

  test("all are folded, the cursor goes to the row above its own", () => {
    const shut = allToggled({ ...AT_START, cursor: 2 }, tree);
    expect(keys(tree, shut)).toEqual(["a", "b"]);
    expect(shut.cursor).toBe(0);
    const open = allToggled({ ...shut, cursor: 1 }, tree);
    expect(keys(tree, open)).toEqual(["a", "a1", "a2", "a21", "b"]);
    expect(open.cursor).toBe(4);
  });

  test("a tree as deep as the chain never has it is shown whole, its indentation within a third of the width", () => {
    let deep = leaf("end");
    for (let depth = 0; depth < 500; depth += 1)
      deep = { key: `${depth}`, line: [span("x")], open: true, children: [deep] };
    const shown = shownRows([deep], {});
    expect(shown).toHaveLength(501);
    const last = shown.at(-1);
    expect(last && text(lineOf(last, 60, true)).length).toBeLessThanOrEqual(25);
  });
});

describe("the cursor", () => {
  const heading = (key: string): LinkRow => ({ ...leaf(key), still: true });
  const rows = shownRows([heading("h"), leaf("1"), heading("g"), leaf("2"), heading("end")], {});

  test("passes over headings, and stays where nothing follows", () => {
    expect(cursorOf(AT_START, rows)).toBe(1);
    expect(cursorAfter(rows, 1, 1)).toBe(3);
    expect(cursorAfter(rows, 3, 1)).toBe(3);
    expect(cursorAfter(rows, 3, -1)).toBe(1);
    expect(cursorAfter(rows, 1, -1)).toBe(1);
  });

  test("the heading above the first row is on view with it", () => {
    expect(topFor({ ...AT_START, cursor: 1, top: 1 }, rows, 3)).toBe(0);
  });

  test("is always on view, and the window never goes beyond the end", () => {
    const many = fc.array(fc.boolean(), { minLength: 1, maxLength: 60 });
    const moves = fc.array(fc.integer({ min: -70, max: 70 }), { maxLength: 20 });
    fc.assert(
      fc.property(many, moves, fc.integer({ min: 1, max: 20 }), (stills, steps, height) => {
        const shown = shownRows(
          stills.map((still, at) => ({ ...leaf(`${at}`), still })),
          {},
        );
        let state = { ...AT_START, cursor: cursorOf(AT_START, shown) };
        for (const by of steps) {
          state = { ...state, cursor: cursorAfter(shown, state.cursor, by) };
          state = { ...state, top: topFor(state, shown, height) };
          expect(state.cursor).toBeGreaterThanOrEqual(state.top);
          expect(state.cursor).toBeLessThan(state.top + height);
          expect(state.top).toBeLessThanOrEqual(Math.max(0, shown.length - height));
          if (stills.includes(false)) expect(stills[state.cursor]).toBe(false);
        }
      }),
    );
  });
});

describe("links", () => {
  const row: LinkRow = {
    key: "r",
    line: [span("from "), { text: "AAAA", target: place }, span(" to "), { text: "BBBB", target: place }],
  };
  const [one] = shownRows([row], {});
  const line = one ? lineOf(one, 80, true) : [];

  test("are the stops of a row; one that folds can be stopped at as a whole first", () => {
    expect(one && stopsOf(one, line).map(({ at }) => at && line[at]?.text)).toEqual(["AAAA", "BBBB"]);
    const [folding] = shownRows([{ ...row, children: [] }], {});
    expect(folding && stopsOf(folding, line).map(({ at }) => at && line[at]?.text)).toEqual([
      undefined,
      "AAAA",
      "BBBB",
    ]);
  });

  test("are scrolled to where they are seen, and back", () => {
    const next = sideways(AT_START, one, 1, line, 12);
    expect(next.stop).toBe(1);
    expect(text(shifted(line, next.shift)).slice(0, 12)).toContain("BBBB");
    const back = sideways(next, one, -1, line, 12);
    expect([back.stop, back.shift]).toEqual([0, 5]);
    expect(sideways(back, one, -1, line, 12).shift).toBe(0);
  });

  test("the row of the cursor is lit over the whole width, and the very link", () => {
    const lit = litLine(line, 3, 30, 0);
    expect(lineWidth(lit)).toBe(30);
    expect(lit.every(({ cursor: on }) => on !== undefined)).toBe(true);
    expect(lit.filter(({ cursor: on }) => on === "cell")).toHaveLength(1);
  });

  test("what is scrolled away takes exactly its cells, wide characters included", () => {
    const pieces = fc.array(fc.constantFrom("a", "漢字", "é", "👍", "ab c", "1"), { maxLength: 12 });
    fc.assert(
      fc.property(pieces, fc.integer({ min: 0, max: 30 }), (parts, by) => {
        const whole = parts.map((part) => span(part));
        expect(lineWidth(shifted(whole, by))).toBe(Math.max(0, lineWidth(whole) - by));
      }),
    );
  });
});
