/** The transitions of a detail view. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Json } from "../../../../src/base/json.ts";
import { END } from "../../../../src/ui/widgets/detail/json-lines.ts";
import {
  type DetailAction,
  type DetailModel,
  type DetailState,
  INITIAL_DETAIL_STATE,
  normalizeState,
  reduce,
} from "../../../../src/ui/widgets/detail/reducer.ts";
import { scrollTop } from "../../../../src/ui/widgets/viewport.ts";
import { anyValue, modelOf } from "./support.ts";

const run = (model: DetailModel, actions: readonly DetailAction[], from: DetailState = INITIAL_DETAIL_STATE) =>
  actions.reduce((state, action) => reduce(state, action, model), from);
const typeQuery = (text: string): readonly DetailAction[] => [{ type: "search" }, { type: "type", text }];

const NESTED: Json = {
  first: 1,
  list: [
    { name: "one", inside: { secret: "needle" } },
    { name: "two", inside: { secret: "hay" } },
  ],
  last: "needle too",
};

const anyAction: fc.Arbitrary<DetailAction> = fc.oneof(
  fc.record({
    type: fc.constant("move" as const),
    direction: fc.constantFrom(1 as const, -1 as const),
    distance: fc.constantFrom("row" as const, "wheel" as const, "half" as const, "page" as const, "end" as const),
  }),
  fc.record({ type: fc.constant("pick" as const), index: fc.integer({ min: -2, max: 40 }) }),
  fc.constantFrom(
    ...(["toggle", "all", "into", "out", "view", "wrap", "search", "accept", "cancel", "clear"] as const).map(
      (type): DetailAction => ({ type }),
    ),
  ),
  fc.record({ type: fc.constant("type" as const), text: fc.constantFrom("a", "name", "\u202E", "1") }),
  fc.constant<DetailAction>({ type: "edit", key: "backspace" }),
  fc.record({ type: fc.constant("match" as const), by: fc.constantFrom(1 as const, -1 as const) }),
);

describe("the transitions of a detail view", () => {
  test("keep the cursor on a visible row, whatever is pressed", () => {
    fc.assert(
      fc.property(
        anyValue,
        fc.array(anyAction, { maxLength: 30 }),
        fc.integer({ min: 1, max: 30 }),
        (value, list, height) => {
          const model = modelOf(value, { height });
          const state = normalizeState(run(model, list), model);
          const view = model.rows(state);
          if (view.count === 0) return;
          const index = view.indexOf(state.cursor);
          expect(index).toBeGreaterThanOrEqual(0);
          expect(scrollTop(view, model.height(state), state.top, index)).toBe(state.top);
          expect(normalizeState(state, model)).toBe(state);
        },
      ),
    );
  });

  test("enter a nested value and leave it again", () => {
    const model = modelOf(NESTED);
    const inside = run(model, [
      { type: "move", direction: 1, distance: "row" },
      { type: "move", direction: 1, distance: "row" },
      { type: "into" },
      { type: "into" },
      { type: "into" },
    ]);
    expect(inside.cursor).not.toBe("");
    const out = run(
      model,
      [{ type: "out" }, { type: "out" }, { type: "out" }, { type: "out" }, { type: "out" }],
      inside,
    );
    expect(out.cursor).toBe("/list");
    expect(out.folds.chosen.get("/list")).toBe(false);
  });

  test("fold the parent of a scalar and select it", () => {
    const model = modelOf({ object: { a: 1 } });
    const state = run(model, [{ type: "move", direction: 1, distance: "end" }, { type: "toggle" }]);
    expect(state.cursor).toBe("/object");
    expect(model.rows(state).count).toBe(1);
  });

  test("unfold everything, then fold everything", () => {
    const model = modelOf(NESTED);
    const open = run(model, [{ type: "all" }]);
    const shut = run(model, [{ type: "all" }], open);
    expect([model.rows(open).count, model.rows(shut).count]).toEqual([11, 3]);
  });

  test("keep the selected value between fields and JSON", () => {
    const model = modelOf(NESTED);
    const raw = run(model, [{ type: "move", direction: 1, distance: "end" }, { type: "view" }]);
    expect([raw.mode, raw.cursor]).toEqual(["raw", "/last"]);
    expect(model.nodeAt(raw.cursor)?.value).toBe("needle too");
    const closing = run(model, [{ type: "move", direction: 1, distance: "end" }], raw);
    expect(closing.cursor).toBe(END);
    expect(run(model, [{ type: "view" }], closing).cursor).toBe("/first");
  });

  test("survive a different answer", () => {
    const state = run(modelOf(NESTED), [{ type: "all" }, ...typeQuery("hay")]);
    expect(state.cursor).toBe("/list/1/inside/secret");
    expect(normalizeState(state, modelOf({ first: 1, list: [{ name: "one" }] })).cursor).toBe("/list");
    expect(normalizeState(state, modelOf({ other: 1 })).cursor).toBe("/other");
  });
});

describe("search", () => {
  test("finds folded values, unfolds them, and counts matches", () => {
    const model = modelOf(NESTED);
    const state = run(model, typeQuery("needle"));
    expect(state.cursor).toBe("/list/0/inside/secret");
    expect(model.rows(state).indexOf(state.cursor)).toBeGreaterThan(0);
    expect(model.matches(state)).toEqual(["/list/0/inside/secret", "/last"]);
  });

  test("shows the surroundings of a match outside of the window", () => {
    const model = modelOf(Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`field${index}`, index])));
    const state = run(model, typeQuery("field50"));
    expect(state.cursor).toBe("/field50");
    expect(state.top).toBeGreaterThan(35);
    expect(state.top).toBeLessThan(48);
  });

  test("wraps around in both directions", () => {
    const model = modelOf(NESTED);
    const one = run(model, [...typeQuery("needle"), { type: "accept" }]);
    const two = run(model, [{ type: "match", by: 1 }], one);
    const three = run(model, [{ type: "match", by: 1 }], two);
    const back = run(model, [{ type: "match", by: -1 }], three);
    expect([two.cursor, three.cursor, back.cursor]).toEqual(["/last", one.cursor, "/last"]);
  });

  test("restores folds for a new text, and everything when it is cancelled", () => {
    const model = modelOf(NESTED);
    const matched = run(model, typeQuery("hay"));
    expect(matched.folds.chosen.size).toBeGreaterThan(0);
    expect(run(model, [{ type: "type", text: "stack" }], matched).folds.chosen.size).toBe(0);
    const cancelled = run(model, [{ type: "cancel" }], matched);
    expect(cancelled).toEqual(normalizeState(INITIAL_DETAIL_STATE, model));
  });

  test("finds formatted and raw values, and names in both forms", () => {
    const model = modelOf({ block_time: 1749988800, text: "a[b" });
    const matches = (query: string) => model.matches({ ...INITIAL_DETAIL_STATE, query });
    expect(matches("17499888")).toEqual(["/block_time"]);
    expect(matches("BLOCK_TIME")).toEqual(["/block_time"]);
    expect(matches("[b")).toEqual(["/text"]);
    expect(matches("a.b")).toEqual([]);
  });

  test("finds every line of JSON with the text", () => {
    const model = modelOf(NESTED);
    const state = run(model, [{ type: "view" }, ...typeQuery("secret")]);
    expect(model.matches(state)).toEqual(["/list/0/inside/secret", "/list/1/inside/secret"]);
    expect(state.cursor).toBe("/list/0/inside/secret");
  });

  test("finds text beyond the visible part of a long value", () => {
    const model = modelOf({ log: `${"x".repeat(100_000)}needle` });
    expect(model.matches({ ...INITIAL_DETAIL_STATE, query: "needle" })).toEqual(["/log"]);
  });
});
