/** Raw JSON as lines. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseJson, stringifyJson } from "../../../../src/base/json.ts";
import { escapeJson } from "../../../../src/output/text/safe.ts";
import { textWidth } from "../../../../src/output/text/width.ts";
import { jsonLines, jsonText } from "../../../../src/ui/widgets/detail/json-lines.ts";
import { anyValue, linesOf, OBEYED, sceneOf } from "./support.ts";

describe("raw JSON", () => {
  test("is the text of the answer, line by line", () => {
    fc.assert(
      fc.property(anyValue, (value) => {
        const lines = jsonLines(value);
        expect(lines.map(jsonText).join("\n")).toBe(escapeJson(stringifyJson(value, 2)));
        expect(new Set(lines.map(({ id }) => id)).size).toBe(lines.length);
      }),
    );
  });

  test("keeps every digit", () => {
    const text = '{\n  "a": 18446744073709551615,\n  "b": 0.10,\n  "c": -0,\n  "d": 1e-19\n}';
    expect(jsonLines(parseJson(text)).map(jsonText).join("\n")).toBe(text);
  });

  test("is never wider than the region, and holds nothing that a terminal obeys", () => {
    fc.assert(
      fc.property(anyValue, fc.integer({ min: 1, max: 120 }), fc.boolean(), fc.nat(40), (value, width, wraps, left) => {
        for (const one of linesOf(sceneOf(value, { width }), { mode: "raw", wraps, scrollLeft: wraps ? 0 : left })) {
          expect(textWidth(one)).toBeLessThanOrEqual(width);
          expect(one).not.toMatch(OBEYED);
        }
      }),
    );
  });

  test("breaks long lines without losing a character", () => {
    const word = "abcdefghij".repeat(20);
    const lines = linesOf(sceneOf({ word }, { width: 50 }), { mode: "raw" });
    const text = lines
      .slice(1, -1)
      .map((one) => one.trim())
      .join("");
    expect(text).toBe(`"word": "${word}"`);
  });

  test("moves aside what is cut, and shows every character at some place", () => {
    const word = Array.from({ length: 300 }, (_, index) => String.fromCharCode(97 + (index % 26))).join("");
    const scene = sceneOf({ word }, { width: 50 });
    const shown = [0, 16, 32].map((left) => linesOf(scene, { mode: "raw", wraps: false, scrollLeft: left })[1] ?? "");
    expect(shown.map((one) => one.slice(1, -1))).toEqual(
      [0, 16, 32].map((left) => `  "word": "${word}"`.slice(left + 1, left + 49)),
    );
    expect(shown.map((one) => one[0])).toEqual([" ", "‹", "‹"]);
  });

  test("cuts what is too long, with its size", () => {
    const lines = linesOf(sceneOf({ data: "x".repeat(1_000_000) }), { mode: "raw" });
    expect(lines.length).toBeLessThanOrEqual(24);
    expect(lines.at(-2)).toContain("…(1 MB)");
  });
});
