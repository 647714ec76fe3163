/** What keys do to a detail. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Json } from "../../../../src/base/json.ts";
import { END } from "../../../../src/ui/widgets/detail/json-lines.ts";
import type { DrawableModel } from "../../../../src/ui/widgets/detail/model.ts";
import {
  type Action,
  type DetailState,
  INITIAL_DETAIL_STATE,
  normalizeState,
  reduce,
} from "../../../../src/ui/widgets/detail/reducer.ts";
import { scrollTop } from "../../../../src/ui/widgets/viewport.ts";
import { anyValue, sceneOf } from "./support.ts";

const run = (scene: DrawableModel, actions: readonly Action[], from: DetailState = INITIAL_DETAIL_STATE) =>
  actions.reduce((state, action) => reduce(state, action, scene), from);
const typed = (text: string): readonly Action[] => [{ type: "search" }, { type: "type", text }];

const NESTED: Json = {
  first: 1,
  list: [
    { name: "one", inside: { secret: "needle" } },
    { name: "two", inside: { secret: "hay" } },
  ],
  last: "needle too",
};

const anyAction: fc.Arbitrary<Action> = fc.oneof(
  fc.record({
    type: fc.constant("move" as const),
    direction: fc.constantFrom(1 as const, -1 as const),
    distance: fc.constantFrom("row" as const, "wheel" as const, "half" as const, "page" as const, "end" as const),
  }),
  fc.record({ type: fc.constant("pick" as const), index: fc.integer({ min: -2, max: 40 }) }),
  fc.constantFrom(
    ...(["toggle", "all", "into", "out", "view", "wrap", "search", "accept", "cancel", "clear"] as const).map(
      (type): Action => ({ type }),
    ),
  ),
  fc.record({ type: fc.constant("type" as const), text: fc.constantFrom("a", "name", "\u202E", "1") }),
  fc.constant<Action>({ type: "edit", key: "backspace" }),
  fc.record({ type: fc.constant("match" as const), by: fc.constantFrom(1 as const, -1 as const) }),
);

describe("the keys of a detail", () => {
  test("keep the cursor on something that is on the screen, whatever is pressed", () => {
    fc.assert(
      fc.property(
        anyValue,
        fc.array(anyAction, { maxLength: 30 }),
        fc.integer({ min: 1, max: 30 }),
        (value, list, height) => {
          const scene = sceneOf(value, { height });
          const state = normalizeState(run(scene, list), scene);
          const view = scene.rows(state);
          if (view.count === 0) return;
          const index = view.indexOf(state.cursor);
          expect(index).toBeGreaterThanOrEqual(0);
          expect(scrollTop(view, scene.height(state), state.top, index)).toBe(state.top);
          expect(normalizeState(state, scene)).toBe(state);
        },
      ),
    );
  });

  test("go down into a part and out again", () => {
    const scene = sceneOf(NESTED);
    const inside = run(scene, [
      { type: "move", direction: 1, distance: "row" },
      { type: "move", direction: 1, distance: "row" },
      { type: "into" },
      { type: "into" },
      { type: "into" },
    ]);
    expect(inside.cursor).not.toBe("");
    const out = run(
      scene,
      [{ type: "out" }, { type: "out" }, { type: "out" }, { type: "out" }, { type: "out" }],
      inside,
    );
    expect(out.cursor).toBe("/list");
    expect(out.folds.chosen.get("/list")).toBe(false);
  });

  test("fold what a plain value is in, and stand on it then", () => {
    const scene = sceneOf({ object: { a: 1 } });
    const state = run(scene, [{ type: "move", direction: 1, distance: "end" }, { type: "toggle" }]);
    expect(state.cursor).toBe("/object");
    expect(scene.rows(state).count).toBe(1);
  });

  test("unfold everything, then fold everything", () => {
    const scene = sceneOf(NESTED);
    const open = run(scene, [{ type: "all" }]);
    const shut = run(scene, [{ type: "all" }], open);
    expect([scene.rows(open).count, scene.rows(shut).count]).toEqual([11, 3]);
  });

  test("stand at the same value in fields and in JSON", () => {
    const scene = sceneOf(NESTED);
    const raw = run(scene, [{ type: "move", direction: 1, distance: "end" }, { type: "view" }]);
    expect([raw.mode, raw.cursor]).toEqual(["raw", "/last"]);
    expect(scene.nodeAt(raw.cursor)?.value).toBe("needle too");
    const closing = run(scene, [{ type: "move", direction: 1, distance: "end" }], raw);
    expect(closing.cursor).toBe(END);
    expect(run(scene, [{ type: "view" }], closing).cursor).toBe("/first");
  });

  test("survive an answer that has become another", () => {
    const state = run(sceneOf(NESTED), [{ type: "all" }, ...typed("hay")]);
    expect(state.cursor).toBe("/list/1/inside/secret");
    expect(normalizeState(state, sceneOf({ first: 1, list: [{ name: "one" }] })).cursor).toBe("/list");
    expect(normalizeState(state, sceneOf({ other: 1 })).cursor).toBe("/other");
  });
});

describe("searching", () => {
  test("looks into what is folded, unfolds it, and counts", () => {
    const scene = sceneOf(NESTED);
    const state = run(scene, typed("needle"));
    expect(state.cursor).toBe("/list/0/inside/secret");
    expect(scene.rows(state).indexOf(state.cursor)).toBeGreaterThan(0);
    expect(scene.matches(state)).toEqual(["/list/0/inside/secret", "/last"]);
  });

  test("shows what is around a match that was out of sight", () => {
    const scene = sceneOf(Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`field${index}`, index])));
    const state = run(scene, typed("field50"));
    expect(state.cursor).toBe("/field50");
    expect(state.top).toBeGreaterThan(35);
    expect(state.top).toBeLessThan(48);
  });

  test("goes round in both directions", () => {
    const scene = sceneOf(NESTED);
    const one = run(scene, [...typed("needle"), { type: "accept" }]);
    const two = run(scene, [{ type: "match", by: 1 }], one);
    const three = run(scene, [{ type: "match", by: 1 }], two);
    const back = run(scene, [{ type: "match", by: -1 }], three);
    expect([two.cursor, three.cursor, back.cursor]).toEqual(["/last", one.cursor, "/last"]);
  });

  test("folds again what it unfolded for the text before, and everything when it is given up", () => {
    const scene = sceneOf(NESTED);
    const found = run(scene, typed("hay"));
    expect(found.folds.chosen.size).toBeGreaterThan(0);
    expect(run(scene, [{ type: "type", text: "stack" }], found).folds.chosen.size).toBe(0);
    const given = run(scene, [{ type: "cancel" }], found);
    expect(given).toEqual(normalizeState(INITIAL_DETAIL_STATE, scene));
  });

  test("finds values as they read and as they came, and names in both forms", () => {
    const scene = sceneOf({ block_time: 1749988800, text: "a[b" });
    const matches = (query: string) => scene.matches({ ...INITIAL_DETAIL_STATE, query });
    expect(matches("17499888")).toEqual(["/block_time"]);
    expect(matches("BLOCK_TIME")).toEqual(["/block_time"]);
    expect(matches("[b")).toEqual(["/text"]);
    expect(matches("a.b")).toEqual([]);
  });

  test("finds every line of JSON that holds the text", () => {
    const scene = sceneOf(NESTED);
    const state = run(scene, [{ type: "view" }, ...typed("secret")]);
    expect(scene.matches(state)).toEqual(["/list/0/inside/secret", "/list/1/inside/secret"]);
    expect(state.cursor).toBe("/list/0/inside/secret");
  });

  test("looks behind the part of a long text that is shown", () => {
    const scene = sceneOf({ log: `${"x".repeat(100_000)}needle` });
    expect(scene.matches({ ...INITIAL_DETAIL_STATE, query: "needle" })).toEqual(["/log"]);
  });
});
