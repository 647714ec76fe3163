/** A detail view as the lines of its region. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DEFAULT_KEY_LABELS } from "../../../../src/ui/navigation/keys/bindings.ts";
import { lineWidth, textLine } from "../../../../src/ui/navigation/theme/text-line.ts";
import { detailLines } from "../../../../src/ui/widgets/detail/panel.tsx";
import { INITIAL_DETAIL_STATE, normalizeState } from "../../../../src/ui/widgets/detail/reducer.ts";
import { itemAtLine } from "../../../../src/ui/widgets/viewport.ts";
import { anyValue, modelOf, NOW, textOf } from "./support.ts";

describe("the region of a detail view", () => {
  test("is never exceeded, at any size and in any state", () => {
    const size = fc.record({ width: fc.integer({ min: 1, max: 150 }), height: fc.integer({ min: 1, max: 50 }) });
    const more = fc.record({
      view: fc.constantFrom("fields" as const, "raw" as const),
      query: fc.constantFrom("", "a"),
    });
    fc.assert(
      fc.property(anyValue, size, more, fc.boolean(), (value, region, part, hasNotice) => {
        const model = modelOf(value, { ...region, hasNotice });
        const state = normalizeState({ ...INITIAL_DETAIL_STATE, ...part }, model);
        const notice = hasNotice ? textLine("stale: the last refresh failed, with more text than fits") : undefined;
        const lines = detailLines({
          model,
          state,
          size: region,
          active: true,
          notice,
          now: NOW,
          keyOf: DEFAULT_KEY_LABELS,
        });
        expect(lines.length).toBeLessThanOrEqual(region.height);
        for (const one of lines) expect(lineWidth(one)).toBeLessThanOrEqual(region.width);
      }),
    );
  });

  test("highlights the line of the cursor and the matches in it", () => {
    const model = modelOf({ a: "needle in hay" });
    const state = normalizeState({ ...INITIAL_DETAIL_STATE, query: "needle" }, model);
    const [first] = detailLines({
      model,
      state,
      size: { width: 80, height: 24 },
      active: true,
      notice: undefined,
      now: NOW,
      keyOf: DEFAULT_KEY_LABELS,
    });
    expect(first?.every(({ cursor }) => cursor !== undefined)).toBe(true);
    expect(first?.find(({ cursor }) => cursor === "cell")?.text).toBe("needle");
  });

  test("maps lines to rows, and lines below the last row to none", () => {
    const model = modelOf({ long: "word ".repeat(60).trim(), next: 1 });
    const state = normalizeState(INITIAL_DETAIL_STATE, model);
    const view = model.rows(state);
    const lines = detailLines({
      model,
      state,
      size: { width: 80, height: 24 },
      active: false,
      notice: undefined,
      now: NOW,
      keyOf: DEFAULT_KEY_LABELS,
    });
    const at = lines.findIndex((one) => textOf(one).includes("next"));
    const window = { top: 0, height: model.height(state) };
    expect(at).toBeGreaterThan(2);
    expect([0, at - 1, at, at + 1, 23, -1].map((y) => itemAtLine(view, window, y))).toEqual([
      0,
      0,
      1,
      undefined,
      undefined,
      undefined,
    ]);
  });
});
