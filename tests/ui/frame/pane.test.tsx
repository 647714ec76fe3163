import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { insidePane, paneLines } from "../../../src/ui/frame/pane.tsx";
import { lineWidth, span, textLine } from "../../../src/ui/navigation/theme/text-line.ts";

const textOf = (lines: ReturnType<typeof paneLines>) => lines.map((line) => line.map(({ text }) => text).join(""));

describe("a pane", () => {
  it("has its number and title in the border, and the position at the right end", () => {
    const frame = { title: "latest blocks", number: 1, info: [span("3/30", "note")], footer: [span("4s", "note")] };
    expect(textOf(paneLines([textLine("slot")], frame, { width: 34, height: 4 }, true))).toEqual([
      "╭─ 1 latest blocks ─────── 3/30 ─╮",
      "│slot                            │",
      "│                                │",
      "╰─────────────────────────── 4s ─╯",
    ]);
    expect(textOf(paneLines([], { title: "a" }, { width: 8, height: 2 }, false))).toEqual(["+- a --+", "+------+"]);
  });

  it("drops the position, then truncates the title, where the border is too narrow", () => {
    const frame = { title: "latest blocks", info: [span("3/30")] };
    expect(textOf(paneLines([], frame, { width: 20, height: 2 }, true))[0]).toBe("╭─ latest blocks ──╮");
    expect(textOf(paneLines([], frame, { width: 12, height: 2 }, true))[0]).toBe("╭─ latest…─╮");
  });

  it("shows the focus in its border", () => {
    const roles = (focused: boolean) =>
      paneLines([], { title: "a", focused }, { width: 8, height: 2 }, true)[0]?.map(({ role }) => role);
    expect(roles(true)).toContain("focus");
    expect(roles(false)).not.toContain("focus");
  });

  it("fills its region exactly, whatever it contains", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 4, max: 60 }),
        fc.integer({ min: 2, max: 12 }),
        fc.string({ maxLength: 40 }),
        fc.string({ maxLength: 20 }),
        (width, height, title, info) => {
          const lines = paneLines([textLine("x".repeat(80))], { title, info: [span(info)] }, { width, height }, true);
          expect(lines).toHaveLength(height);
          for (const line of lines) expect(lineWidth(line)).toBe(width);
          expect(insidePane({ width, height, top: 5 })).toEqual({ width: width - 2, height: height - 2, top: 6 });
        },
      ),
    );
  });
});
