import fc from "fast-check";
import { describe, expect, it } from "vitest";
import Output from "../../../node_modules/ink/build/output.js";
import { composeRows, type FrameOperation, keepCells } from "../../../src/ui/terminal/compose-rows.ts";

const SIZE = { width: 40, height: 12 };

/** Returns a blank text that is drawn as lines of a style. */
function drawing(x: number, y: number, width: number, height: number, style = ""): Required<FrameOperation> {
  const line = (index: number) => `row ${y + index} of the text`.padEnd(width).slice(0, width);
  const text = new Array(height).fill(" ".repeat(width)).join("\n");
  const paint = (index: number) => (style === "" ? line(index) : `\u001B[${style}m${line(index)}\u001B[0m`);
  return { type: "write", x, y, text, transformers: [(_, index) => paint(index)] };
}

/** Returns a frame as Ink composes it. */
function inkFrame(operations: readonly Required<FrameOperation>[]): string {
  const output = new Output(SIZE);
  for (const { x, y, text, transformers } of operations) output.write(x, y, text, { transformers: [...transformers] });
  return output.get().output;
}

/** Returns the cells of a frame with their colour and weight: equal cells may have different escape sequences. */
function cells(frame: string | undefined): readonly string[] | undefined {
  let [color, isBold] = ["", false];
  return frame?.split("\n").map((row) => {
    const styled = row.replace(/\u001B\[([\d;]*)m|([^\u001B])/g, (_, codes: string | undefined, character: string) => {
      if (codes === undefined) return character === " " ? " " : `${color}${isBold}${character}`;
      if (codes === "0" || codes === "39") color = "";
      else if (codes !== "1" && codes !== "22") color = codes;
      if (codes === "0" || codes === "1" || codes === "22") isBold = codes === "1";
      return "";
    });
    return styled.trimEnd();
  });
}

describe("a frame", () => {
  it("is the one that Ink composes, for texts beside and below each other", () => {
    const styles = fc.constantFrom("", "1", "36", "38;2;1;2;3");
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 39 }), fc.integer({ min: 1, max: 11 }), styles, styles, (x, y, a, b) => {
        const parts = [
          drawing(x, 0, SIZE.width - x, y, a),
          drawing(0, 0, x, y, b),
          drawing(3, y, SIZE.width - 8, SIZE.height - y, a),
        ];
        expect(cells(composeRows(parts, SIZE.width, SIZE.height))).toEqual(cells(inkFrame(parts)));
      }),
    );
  });

  it("is left to Ink where texts cover each other, are clipped, or have content", () => {
    const part = drawing(0, 0, 20, 5);
    const { width, height } = SIZE;
    expect(composeRows([part, drawing(19, 4, 5, 1)], width, height)).toBeUndefined();
    expect(composeRows([part, drawing(20, 4, 5, 1)], width, height)).toBeDefined();
    expect(composeRows([{ type: "clip" }, part], width, height)).toBeUndefined();
    expect(composeRows([{ ...part, text: "text" }], width, height)).toBeUndefined();
    expect(composeRows([{ ...part, transformers: [] }], width, height)).toBeUndefined();
    expect(composeRows([drawing(0, 10, 20, 5)], width, height)).toBeUndefined();
  });
});

describe("the cells of lines", () => {
  it("are those of the last frame, and of no earlier one", () => {
    const frame = () => keepCells({ styledChars: new Map<string, unknown>() }).styledChars;
    frame().set("line", "cells");
    expect(frame().get("line")).toBe("cells");
    frame();
    expect(frame().get("line")).toBeUndefined();
  });
});
