/** Fields as lines. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Json } from "../../../../src/base/json.ts";
import { TransactionDetail } from "../../../../src/catalogue/entities/index.ts";
import { deriveShape } from "../../../../src/catalogue/schemas.ts";
import { textWidth } from "../../../../src/output/text/width.ts";
import { INITIAL_DETAIL_STATE } from "../../../../src/ui/widgets/detail/reducer.ts";
import { anyValue, CONTROL_CHARACTERS, linesOf, modelOf } from "./support.ts";

const ALL = { all: true, chosen: new Map<string, boolean>() };
const ID = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";

describe("fields as lines", () => {
  test("are never wider than the region and contain no control characters", () => {
    const width = fc.integer({ min: 1, max: 120 });
    const query = fc.constantFrom("", "a", "漢", "[", "1");
    fc.assert(
      fc.property(anyValue, width, fc.boolean(), query, (value, columns, wraps, sought) => {
        const model = modelOf(value, { width: columns });
        for (const state of [{ folds: ALL }, {}]) {
          for (const one of linesOf(model, { ...state, wraps, query: sought })) {
            expect(textWidth(one)).toBeLessThanOrEqual(columns);
            expect(one).not.toMatch(CONTROL_CHARACTERS);
          }
        }
      }),
    );
  });

  test("have the measured number of lines", () => {
    fc.assert(
      fc.property(anyValue, fc.integer({ min: 10, max: 100 }), (value, width) => {
        const model = modelOf(value, { width });
        const state = { ...INITIAL_DETAIL_STATE, folds: ALL };
        const view = model.rows(state);
        const drawn = view.lines(0, view.count, { now: 0, query: undefined });
        expect(drawn.map((lines) => lines.length)).toEqual(drawn.map((_lines, index) => view.heightAt(index)));
      }),
    );
  });

  test("are aligned in columns, with units by kind", () => {
    const value = { tx_hash: "x", fee: 5000, compute_units_consumed: 1234567, block_time: 1749988800 };
    const lines = linesOf(modelOf(value, { shape: deriveShape(TransactionDetail) }));
    expect(lines).toContainEqual(expect.stringMatching(/^ {2}fee {21}0\.000005 SOL *$/));
    expect(lines).toContainEqual(expect.stringMatching(/^ {2}compute units consumed {2}1,234,567 *$/));
    expect(lines).toContainEqual(expect.stringMatching(/^ {2}block time {14}12m ago|^ {2}block time {14}now/));
  });

  test("print whole identifiers when they fit, otherwise both ends", () => {
    const wide = linesOf(modelOf({ mint: ID }, { width: 60 })).join("\n");
    expect(wide).toContain(ID);
    const narrow = linesOf(modelOf({ mint: ID }, { width: 40 })).join("\n");
    expect(narrow).toMatch(/EPjFWdd5\S*…\S*Dt1v/);
  });

  test("distinguish lookalike identifiers at any width", () => {
    const [one, other] = ["x", "y"].map((letter) => `EPjF${letter.repeat(36)}Dt1v`);
    const lines = linesOf(modelOf([{ mint: one ?? "" }, { mint: other ?? "" }], { width: 40 }));
    const visible = lines.map((line) => /EPjF\S+/.exec(line)?.[0]).filter(Boolean);
    expect(new Set(visible).size).toBe(2);
    // That of a well-known token is known by its name, which gives way last.
    const named = linesOf(modelOf([{ mint: ID }, { mint: `EPjF${"x".repeat(36)}Dt1v` }], { width: 40 })).join("\n");
    expect(named).toContain("USDC");
  });

  test("summarize folded lists and objects", () => {
    const many = Array.from({ length: 5000 }, (_, index) => ({ name: `item ${index}`, value: index }));
    const lines = linesOf(modelOf({ many, inside: { deep: { deeper: { deepest: { name: "bottom", size: 3 } } } } }));
    expect(lines.join("\n")).toMatch(/▸ many +5,000 entries · item 0, item 1/);
    expect(lines.join("\n")).toMatch(/▸ deepest +bottom · size 3/);
  });

  test("print the items of a list as a table", () => {
    const value = {
      list: [
        { name: "a", amount: 1 },
        { name: "longer", amount: 12345 },
      ],
    };
    expect(linesOf(modelOf(value, { height: 10 })).map((one) => one.trimEnd())).toEqual([
      "▾ list  2 entries",
      "         name    amount",
      "  ▸ [0]  a            1",
      "  ▸ [1]  longer   12345",
    ]);
  });

  test("truncate long values and print their size", () => {
    const lines = linesOf(modelOf({ data: "ab ".repeat(400_000) }));
    expect(lines.length).toBeLessThanOrEqual(8);
    expect(lines.at(-1)).toContain("…(1.2 MB)");
    const clipped = linesOf(modelOf({ data: "ab ".repeat(400_000) }), { wraps: false });
    expect(clipped).toHaveLength(1);
    expect(clipped[0]).toContain("…(1.2 MB)");
  });

  test("number the levels that are too deep to indent", () => {
    let value: Json = "deep";
    for (let level = 0; level < 60; level += 1) value = { in: value };
    const lines = linesOf(modelOf(value, { width: 40 }), { folds: ALL });
    expect(lines.at(-1)).toMatch(/^59 +in {2}deep/);
  });

  test("print a dash for missing and empty values", () => {
    const visible = linesOf(modelOf({ a: null, b: [], c: {}, d: "" })).map((one) => one.trimEnd());
    expect(visible).toEqual(["  a  -", "  b  -", "  c  -", "  d  -"]);
  });
});
