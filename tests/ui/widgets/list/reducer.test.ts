import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  editPrompt,
  INITIAL_LIST_STATE,
  type ListState,
  openPage,
  openPreviousPage,
  sortList,
  withAnswer,
  withRows,
} from "../../../../src/ui/widgets/list/reducer.ts";
import {
  INITIAL_ROWS,
  markedRows,
  moveByColumns,
  moveByRows,
  moveToRow,
  type RowsState,
  selectedRow,
  sortBy,
  toggleMark,
  type Viewport,
} from "../../../../src/ui/widgets/list/rows.ts";

const viewport: Viewport = {
  keys: ["a", "b", "c", "d", "e"],
  height: 3,
  columnIndex: 0,
  minWidths: [10, 10, 10, 10],
  width: 36,
};
const NAME = { column: "name", highestFirst: false, api: undefined, apiAscends: false };

describe("the cursor of a list", () => {
  it("stays within the rows and columns, and visible", () => {
    const step = fc.oneof(
      fc.integer({ min: -9, max: 9 }).map((rows) => (state: RowsState) => moveByRows(state, rows, viewport)),
      fc.integer({ min: -5, max: 5 }).map((columns) => (state: RowsState) => moveByColumns(state, columns, viewport)),
      fc.nat(20).map((row) => (state: RowsState) => moveToRow(state, row, viewport)),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const state = steps.reduce((before, change) => change(before), INITIAL_ROWS);
        expect(state.row).toBeGreaterThanOrEqual(0);
        expect(state.row).toBeLessThan(viewport.keys.length);
        expect(state.column ?? 0).toBeLessThan(viewport.minWidths.length);
        expect(state.row - state.top).toBeLessThan(viewport.height);
        expect(state.row).toBeGreaterThanOrEqual(state.top);
      }),
    );
  });

  it("starts in the column of the list, and moves on from there", () => {
    expect(INITIAL_ROWS.column).toBeUndefined();
    expect(moveByColumns(INITIAL_ROWS, 1, { ...viewport, columnIndex: 2 }).column).toBe(3);
  });

  it("follows its row when rows are added or removed, otherwise its index", () => {
    const state = moveToRow(INITIAL_ROWS, 2, viewport);
    expect(selectedRow(state, ["x", "y", ...viewport.keys])).toBe(4);
    expect(selectedRow(state, ["a", "b", "d"])).toBe(2);
    expect(selectedRow(state, ["a"])).toBe(0);
    expect(selectedRow(state, [])).toBe(0);
  });

  it("stays in the first row when rows are added above", () => {
    const state = moveToRow(moveToRow(INITIAL_ROWS, 2, viewport), 0, viewport);
    expect(selectedRow(state, ["x", ...viewport.keys])).toBe(0);
  });

  it("moves to the first row of another page, and back along the page history", () => {
    const pages = [2, 3].map((page) => ({ params: { page }, rowsBefore: 0 }));
    const opened = pages.reduce(
      openPage,
      withRows(INITIAL_LIST_STATE, (rows) => moveToRow(rows, 4, viewport)),
    );
    expect(opened).toMatchObject({
      rows: { row: 0, rowKey: undefined, top: 0 },
      query: { page: { params: { page: 3 } } },
    });
    const { page } = INITIAL_LIST_STATE.query;
    const back = openPreviousPage(openPreviousPage(opened, page), page);
    expect(back.query).toMatchObject({ page, pageHistory: [] });
  });
});

describe("sorting", () => {
  it("cycles through both directions and unsorted", () => {
    const once = sortBy(INITIAL_ROWS, NAME);
    expect(once.sort).toEqual({ column: "name", isDescending: false, api: undefined });
    const twice = sortBy(once, NAME);
    expect(twice.sort?.isDescending).toBe(true);
    expect(sortBy(twice, NAME).sort).toBeUndefined();
    expect(sortBy(twice, { ...NAME, column: "other" }).sort?.column).toBe("other");
  });

  it("by the API starts at the first page; a direction that the API lacks is sorted locally", () => {
    const far = openPage(INITIAL_LIST_STATE, { params: { page: 9 }, rowsBefore: 0 });
    const byTvl = { column: "tvl", highestFirst: true, api: "tvl", apiAscends: false };
    const once = sortList(far, byTvl);
    expect(once).toMatchObject({
      rows: { sort: { isDescending: true, api: "tvl" } },
      query: { page: { params: {} }, pageHistory: [] },
    });
    expect(sortList(once, byTvl).rows.sort).toEqual({ column: "tvl", isDescending: false, api: undefined });
    expect(sortList(far, NAME).query.page.params).toEqual({ page: 9 });
  });
});

describe("the state of a list", () => {
  it("marks and unmarks the row at the cursor and moves on", () => {
    const marked = toggleMark(INITIAL_ROWS, { id: 1 }, viewport);
    expect([...marked.marks]).toEqual([["a", { id: 1 }]]);
    expect(marked.row).toBe(1);
    expect(toggleMark(moveToRow(marked, 0, viewport), { id: 1 }, viewport).marks.size).toBe(0);
    // A later answer has the row with other values.
    expect(markedRows(marked, { rows: [{ id: 1, value: 2 }], keys: ["a"] })).toEqual([{ id: 1, value: 2 }]);
    expect(markedRows(marked, { rows: [], keys: [] })).toEqual([{ id: 1 }]);
  });

  it("records the new rows of a refresh and counts each answer once", () => {
    const event = (answer: object, keys: string[], at: number) => ({ request: "r", answer, at, keys, units: 100 });
    const [one, two] = [{}, {}];
    const first = withAnswer(INITIAL_LIST_STATE, event(one, ["a", "b"], 1));
    expect(first.answers).toMatchObject({ newKeys: new Set(), requests: 1, units: 100 });
    expect(withAnswer(first, event(one, ["a", "b"], 1))).toBe(first);
    const second = withAnswer(first, event(two, ["c", "a"], 2));
    expect(second.answers).toMatchObject({ newKeys: new Set(["c"]), requests: 2, units: 200 });
    const other = withAnswer(second, { ...event({}, ["z"], 3), request: "s" });
    expect(other.answers?.newKeys.size).toBe(0);
    expect(withAnswer(other, event(two, ["c", "a"], 2)).answers?.requests).toBe(3);
  });

  it("edits a filter and a page number", () => {
    const add = (text: string) => (before: string) => before + text;
    const filter: ListState = { ...INITIAL_LIST_STATE, prompt: { kind: "filter" } };
    expect(editPrompt(editPrompt(filter, add("us")), add("dç")).rows.filter).toBe("usdç");
    expect(editPrompt(filter, () => undefined).prompt).toBeUndefined();
    const page: ListState = { ...INITIAL_LIST_STATE, prompt: { kind: "page", text: "" } };
    expect(editPrompt(editPrompt(page, add("1x")), add("2")).prompt).toEqual({ kind: "page", text: "12" });
    const load: ListState = { ...INITIAL_LIST_STATE, prompt: { kind: "load", text: "" } };
    expect(editPrompt(load, add("25 pages")).prompt).toEqual({ kind: "load", text: "25" });
  });
});
