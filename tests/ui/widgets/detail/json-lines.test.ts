/** JSON as lines. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseJson, stringifyJson } from "../../../../src/base/json.ts";
import { escapeJson } from "../../../../src/output/text/safe.ts";
import { textWidth } from "../../../../src/output/text/width.ts";
import { jsonLines, jsonText } from "../../../../src/ui/widgets/detail/json-lines.ts";
import { anyValue, CONTROL_CHARACTERS, linesOf, modelOf } from "./support.ts";

describe("raw JSON", () => {
  test("is the JSON text of the answer, line by line", () => {
    fc.assert(
      fc.property(anyValue, (value) => {
        const lines = jsonLines(value);
        expect(lines.map(jsonText).join("\n")).toBe(escapeJson(stringifyJson(value, 2)));
        expect(new Set(lines.map(({ id }) => id)).size).toBe(lines.length);
      }),
    );
  });

  test("preserves every digit", () => {
    const text = '{\n  "a": 18446744073709551615,\n  "b": 0.10,\n  "c": -0,\n  "d": 1e-19\n}';
    expect(jsonLines(parseJson(text)).map(jsonText).join("\n")).toBe(text);
  });

  test("is never wider than the region and contains no control characters", () => {
    fc.assert(
      fc.property(anyValue, fc.integer({ min: 1, max: 120 }), fc.boolean(), fc.nat(40), (value, width, wraps, left) => {
        for (const one of linesOf(modelOf(value, { width }), { mode: "raw", wraps, scrollLeft: wraps ? 0 : left })) {
          expect(textWidth(one)).toBeLessThanOrEqual(width);
          expect(one).not.toMatch(CONTROL_CHARACTERS);
        }
      }),
    );
  });

  test("wraps long lines without losing characters", () => {
    const word = "abcdefghij".repeat(20);
    const lines = linesOf(modelOf({ word }, { width: 50 }), { mode: "raw" });
    const text = lines
      .slice(1, -1)
      .map((one) => one.trim())
      .join("");
    expect(text).toBe(`"word": "${word}"`);
  });

  test("scrolls cut lines, so that every character can be reached", () => {
    const word = Array.from({ length: 300 }, (_, index) => String.fromCharCode(97 + (index % 26))).join("");
    const model = modelOf({ word }, { width: 50 });
    const visible = [0, 16, 32].map((left) => linesOf(model, { mode: "raw", wraps: false, scrollLeft: left })[1] ?? "");
    expect(visible.map((one) => one.slice(1, -1))).toEqual(
      [0, 16, 32].map((left) => `  "word": "${word}"`.slice(left + 1, left + 49)),
    );
    expect(visible.map((one) => one[0])).toEqual([" ", "‹", "‹"]);
  });

  test("truncates long values and prints their size", () => {
    const lines = linesOf(modelOf({ data: "x".repeat(1_000_000) }), { mode: "raw" });
    expect(lines.length).toBeLessThanOrEqual(24);
    expect(lines.at(-2)).toContain("…(1 MB)");
  });
});
